// One stylesheet for cards, forms and the page around them.
export const STYLE = `
:root { --ink: #1d1c1d; --soft: #616061; --line: #dddddd; --faint: #f8f8f8; --side: #3f0e40; --side-ink: #d9cbd9;
  --green: #007a5a; --red: #d72b4b; --blue: #1264a3; --radius: 8px; color-scheme: light; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; margin: 0; }
body { font: 15px/1.46668 Lato, "Segoe UI", "Helvetica Neue", Arial, "Liberation Sans", sans-serif; color: var(--ink); background: #fff; }
body.document { padding: 20px; max-width: 760px; height: auto; }
a { color: var(--blue); text-decoration: none; } a:hover { text-decoration: underline; }
code { font: 12.5px/1.5 Menlo, Consolas, "DejaVu Sans Mono", monospace; color: #c01343; background: #f6f6f6; border: 1px solid #e4e4e4; border-radius: 3px; padding: 1px 4px; }
pre { font: 12.5px/1.5 Menlo, Consolas, "DejaVu Sans Mono", monospace; background: var(--faint); border: 1px solid #e4e4e4; border-radius: 4px; padding: 8px; margin: 4px 0; white-space: pre-wrap; overflow-wrap: anywhere; }
blockquote { margin: 4px 0; padding: 0 0 0 12px; border-left: 4px solid var(--line); }
ul, ol { margin: 4px 0; padding-left: 26px; }
.mention { color: var(--blue); background: #e8f5fa; border-radius: 3px; padding: 0 2px; } .mention.loud { background: #fdf2d0; color: #7a5b00; }

.message { position: relative; display: flex; gap: 10px; padding: 8px 20px; } .message:hover { background: var(--faint); }
.document .message { padding: 8px; } .document .message:hover { background: none; }
.message.reply { padding-left: 66px; } .message.reply .avatar { width: 24px; height: 24px; font-size: 12px; }
.message .body { min-width: 0; flex: 1; max-width: 680px; }
.avatar { flex: none; width: 36px; height: 36px; border-radius: 8px; display: grid; place-items: center; color: #fff; font-weight: 900; background: #5c6f82; }
.avatar.app { background: linear-gradient(135deg, #4a154b, #1264a3); font-size: 18px; }
.t0 { background: #2f7d6d; } .t1 { background: #b5568d; } .t2 { background: #4a6da7; } .t3 { background: #a86332; } .t4 { background: #6b5ca5; } .t5 { background: #8a6d1b; } .t6 { background: #3d7ea6; } .t7 { background: #a04b4b; }
.who { display: flex; align-items: baseline; gap: 6px; line-height: 1.3; } .who b { font-weight: 900; } .who time, .edited { color: var(--soft); font-size: 12px; }
.badge { font-size: 10px; font-weight: 700; color: var(--soft); background: #e8e8e8; border-radius: 2px; padding: 1px 4px; align-self: center; }
.only { color: var(--soft); font-size: 12px; margin-bottom: 2px; }
.tools { position: absolute; top: -10px; right: 20px; display: none; gap: 4px; background: #fff; border: 1px solid var(--line); border-radius: 8px; padding: 3px; box-shadow: 0 1px 3px #0001; }
.message:hover .tools, .message:focus-within .tools { display: flex; }
.tools button { border: 0; background: none; font: inherit; font-size: 13px; padding: 3px 8px; border-radius: 5px; cursor: pointer; } .tools button:hover { background: #eee; }

.block { margin: 6px 0; overflow-wrap: anywhere; } .block:first-child { margin-top: 2px; }
.block h3 { font-size: 18px; line-height: 1.33; font-weight: 900; margin: 4px 0; }
.block hr { border: 0; border-top: 1px solid var(--line); margin: 10px 0; }
.block.is-context { display: flex; flex-wrap: wrap; gap: 2px 8px; color: var(--soft); font-size: 13px; }
.block.is-actions, .block.is-context_actions, .card .actions { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-top: 10px; }
.block.is-actions .field { width: auto; min-width: 180px; }
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: 8px 16px; margin-top: 4px; } .fields > div { min-width: 0; }
.beside { display: flex; gap: 16px; justify-content: space-between; align-items: flex-start; } .beside > :first-child { min-width: 0; } .accessory { flex: none; max-width: 50%; }
.picture { display: inline-block; color: var(--soft); background: var(--faint); border: 1px solid var(--line); border-radius: var(--radius); padding: 6px 10px; }
.table { overflow-x: auto; border: 1px solid var(--line); border-radius: var(--radius); width: fit-content; max-width: 100%; }
table { border-collapse: collapse; font-size: 14px; } caption { text-align: left; color: var(--soft); padding: 6px 10px; }
th, td { padding: 6px 12px; text-align: left; border-bottom: 1px solid #ececec; border-right: 1px solid #ececec; white-space: nowrap; } th { background: var(--faint); font-weight: 700; }
tr:last-child td { border-bottom: 0; } th:last-child, td:last-child { border-right: 0; } .right { text-align: right; font-variant-numeric: tabular-nums; } .center { text-align: center; } .wrapped { white-space: normal; min-width: 160px; }
.alert { border: 1px solid var(--line); border-left-width: 4px; border-radius: 6px; padding: 8px 12px; background: var(--faint); }
.alert.info { border-left-color: var(--blue); background: #eef6fb; } .alert.warning { border-left-color: #daa038; background: #fdf7e8; } .alert.error { border-left-color: var(--red); background: #fdf0f2; } .alert.success { border-left-color: #2eb886; background: #eefaf5; }
.card { border: 1px solid var(--line); border-radius: 12px; padding: 12px; } .card > summary { cursor: pointer; }
.task { display: flex; gap: 8px; padding: 2px 0; } .task.complete > span { color: var(--green); } .task.error > span { color: var(--red); }

.btn { font: inherit; font-weight: 700; line-height: 1; color: var(--ink); background: #fff; border: 1px solid #bbb; border-radius: var(--radius); padding: 0 12px; height: 34px; cursor: pointer; white-space: nowrap; max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
.btn:hover { background: var(--faint); box-shadow: 0 1px 2px #0002; } .btn:focus-visible, .field:focus-visible, summary:focus-visible { outline: 3px solid #1d9bd166; outline-offset: 1px; }
.btn:disabled { opacity: .5; cursor: default; } .btn.small { height: 28px; font-size: 13px; }
.btn.primary { color: #fff; background: var(--green); border-color: var(--green); } .btn.primary:hover { background: #148567; }
.btn.danger { color: #fff; background: var(--red); border-color: var(--red); } .btn.danger:hover { background: #e23d5c; }
.overflow { position: relative; } .overflow > summary { list-style: none; display: inline-grid; place-items: center; } .overflow > summary::-webkit-details-marker { display: none; }
.menu { position: absolute; z-index: 5; left: 0; top: 100%; margin-top: 4px; min-width: 220px; max-height: 260px; overflow: auto; background: #fff; border: 1px solid var(--line); border-radius: var(--radius); box-shadow: 0 4px 16px #0003; padding: 6px; }
.overflow .menu { left: auto; right: 0; }
.menu .item, .menu .none { display: block; width: 100%; text-align: left; font: inherit; border: 0; background: none; padding: 6px 10px; border-radius: 5px; cursor: pointer; } .menu .item:hover, .menu .item.on { background: var(--blue); color: #fff; } .menu .none { color: var(--soft); cursor: default; }
.field { font: inherit; color: inherit; width: 100%; height: 38px; border: 1px solid #86858688; border-radius: 6px; padding: 0 10px; background: #fff; } textarea.field { height: auto; padding: 8px 10px; resize: vertical; } select[multiple].field { height: auto; }
.field::placeholder { color: #868686; } .typeahead { position: relative; display: block; } .typeahead .menu { right: 0; }
.form { display: block; } .form .label, .label { display: block; font-weight: 700; margin-bottom: 5px; } .optional { font-weight: 400; color: var(--soft); } .hint { color: var(--soft); font-size: 13px; margin-top: 3px; } .error:not(.alert):not(.task) { color: #c01343; font-size: 13px; margin-top: 4px; font-weight: 700; } .wrong .field { border-color: #c01343; box-shadow: 0 0 0 1px #c01343; }
.block.is-input { margin: 14px 0; } .boxes { display: grid; gap: 6px; } .box { display: flex; gap: 8px; align-items: flex-start; } .box input { margin: 4px 0 0; accent-color: var(--blue); } .box small { display: block; color: var(--soft); }

.overlay { position: fixed; inset: 0; z-index: 20; background: #0008; display: grid; grid-template-rows: minmax(0, 1fr); place-items: center; padding: 20px; } .overlay.still { display: block; position: static; background: #0000; padding: 0; }
.modal { width: 520px; max-width: 100%; max-height: 100%; display: flex; flex-direction: column; background: #fff; border-radius: 10px; box-shadow: 0 0 0 1px #0002, 0 18px 48px #0005; }
.modal header { display: flex; align-items: center; justify-content: space-between; padding: 18px 22px; border-bottom: 1px solid var(--line); } .modal h2 { margin: 0; font-size: 22px; line-height: 1.2; font-weight: 900; }
.modal .content { padding: 10px 22px 18px; overflow: auto; min-height: 0; } .modal footer { display: flex; justify-content: flex-end; gap: 10px; padding: 16px 22px; border-top: 1px solid var(--line); } .modal footer .btn { height: 36px; padding: 0 16px; }
.x { border: 0; background: none; font-size: 18px; width: 34px; height: 34px; border-radius: 6px; cursor: pointer; color: var(--soft); } .x:hover { background: #eee; }
.modal.confirm { width: 480px; } .modal.confirm header { border: 0; padding-bottom: 4px; } .modal.confirm footer { border: 0; }
.home { max-width: 720px; margin: 0 auto; padding: 16px 20px; }

.page { display: grid; grid-template-columns: 248px 1fr; height: 100vh; }
.side { background: var(--side); color: var(--side-ink); display: flex; flex-direction: column; overflow: auto; } .side h1 { margin: 0; padding: 16px; font-size: 18px; line-height: 1.2; font-weight: 900; color: #fff; border-bottom: 1px solid #ffffff1f; } .side h1 small { display: block; font-size: 12px; font-weight: 400; color: var(--side-ink); margin-top: 3px; }
#places { display: flex; flex-direction: column; } .side h4 { margin: 16px 16px 4px; font-size: 13px; font-weight: 400; opacity: .85; } .side button.place { font: inherit; text-align: left; color: inherit; background: none; border: 0; border-radius: 6px; padding: 4px 12px; margin: 0 8px; cursor: pointer; display: flex; gap: 8px; } .side button.place:hover { background: #ffffff14; } .side button.place.on { background: #1164a3; color: #fff; } .side button.place.new { color: #fff; font-weight: 700; }
.dot { margin-left: auto; background: #cd2553; color: #fff; border-radius: 9px; font-size: 12px; line-height: 18px; height: 18px; padding: 0 7px; align-self: center; }
.who-am-i { margin-top: auto; padding: 14px 16px; border-top: 1px solid #ffffff1f; } .who-am-i label { display: block; font-size: 12px; margin-bottom: 4px; } .who-am-i select { width: 100%; height: 34px; border-radius: 6px; border: 1px solid #ffffff40; background: #522653; color: #fff; font: inherit; padding: 0 6px; }
.main { display: flex; flex-direction: column; min-width: 0; min-height: 0; } .top { display: flex; align-items: center; gap: 12px; padding: 12px 20px; border-bottom: 1px solid var(--line); } .top h2 { margin: 0; font-size: 18px; font-weight: 900; } .top span { color: var(--soft); font-size: 13px; margin-left: auto; }
.list { flex: 1; overflow: auto; padding: 12px 0; } .list > .fill { min-height: 100%; display: flex; flex-direction: column; justify-content: flex-end; }
.welcome { padding: 24px 20px; max-width: 720px; } .welcome h2 { margin: 0 0 6px; font-size: 26px; line-height: 1.2; font-weight: 900; } .welcome p { margin: 0 0 12px; color: var(--soft); } .tries { display: flex; flex-wrap: wrap; gap: 8px; } .tries button { font: 13px Menlo, Consolas, "DejaVu Sans Mono", monospace; border: 1px solid var(--line); background: #fff; border-radius: 16px; padding: 6px 12px; cursor: pointer; } .tries button:hover { border-color: var(--blue); color: var(--blue); }
.composer { position: relative; margin: 0 20px 20px; border: 1px solid #86858688; border-radius: 10px; display: flex; align-items: center; padding: 6px 6px 6px 14px; } .composer:focus-within { border-color: #868686; box-shadow: 0 0 0 1px #868686; } .composer input { flex: 1; border: 0; outline: 0; font: inherit; height: 34px; background: none; } .composer .menu { top: auto; bottom: 100%; left: 0; right: 0; margin: 0 0 6px; } .composer .menu b { display: inline-block; min-width: 130px; } .composer .menu .item span { opacity: .75; }
.toast { position: fixed; left: 50%; bottom: 90px; transform: translateX(-50%); z-index: 40; background: #1d1c1d; color: #fff; border-radius: 8px; padding: 10px 16px; max-width: 90vw; }
.reply-count { color: var(--blue); font-size: 13px; font-weight: 700; }
@media (max-width: 700px) { .page { grid-template-columns: 1fr; grid-template-rows: auto 1fr; } .side { flex-direction: row; align-items: center; } .side h1, #places { display: flex; flex-direction: column; } .side h4 { display: none; } .who-am-i { margin: 0 0 0 auto; border: 0; padding: 8px; } .fields { grid-template-columns: 1fr; } }
`;
