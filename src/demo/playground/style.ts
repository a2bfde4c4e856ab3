// The stylesheet of cards and forms, in the reader's colour scheme. page-style.ts has that of the page around them.
export const STYLE = `
:root { --ink: #1d1c1d; --soft: #5c5b5c; --line: #dddddd; --edge: #868686; --faint: #f8f8f8; --paper: #fff; --raised: #fff; --side: #3f0e40; --side-ink: #e3d7e3;
  --green: #007a5a; --green-over: #00664b; --red: #c9203f; --red-over: #b0183a; --blue: #1264a3; --bad: #b8123e; --radius: 8px; --focus: #1264a3; color-scheme: light dark;
  --mention: #e8f5fa; --loud: #fdf2d0; --loud-ink: #6b4f00; --info: #eef6fb; --warn: #fdf7e8; --wrong: #fdf0f2; --good: #eefaf5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --soft: #ababad; --line: #3a3d42; --edge: #797c82; --faint: #222529; --paper: #1a1d21; --raised: #222529; --side: #19101c; --side-ink: #d5c8d6;
  --green: #007a5a; --green-over: #148567; --red: #c9203f; --red-over: #d93a58; --blue: #5cb3f0; --bad: #ff8fa3; --focus: #5cb3f0;
  --mention: #16344a; --loud: #40351a; --loud-ink: #f2d489; --info: #17293a; --warn: #352c18; --wrong: #3a1d24; --good: #16322a; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; margin: 0; }
body { font: 15px/1.46668 Lato, "Segoe UI", "Helvetica Neue", Arial, "Liberation Sans", sans-serif; color: var(--ink); background: var(--paper); }
body.document { padding: 20px; max-width: 760px; height: auto; }
a { color: var(--blue); text-decoration: none; } a:hover { text-decoration: underline; }
code { font: 12.5px/1.5 Menlo, Consolas, "DejaVu Sans Mono", monospace; color: var(--bad); background: var(--faint); border: 1px solid var(--line); border-radius: 3px; padding: 1px 4px; }
pre { font: 12.5px/1.5 Menlo, Consolas, "DejaVu Sans Mono", monospace; background: var(--faint); border: 1px solid var(--line); border-radius: 4px; padding: 8px; margin: 4px 0; white-space: pre-wrap; overflow-wrap: anywhere; }
blockquote { margin: 4px 0; padding: 0 0 0 12px; border-left: 4px solid var(--line); }
ul, ol { margin: 4px 0; padding-left: 26px; }
.block a { text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 2px; }
.mention { color: var(--blue); background: var(--mention); border-radius: 3px; padding: 0 2px; } .mention.loud { background: var(--loud); color: var(--loud-ink); }

.message { position: relative; display: flex; gap: 10px; padding: 8px 20px; } .message:hover { background: var(--faint); }
.document .message { padding: 8px; } .document .message:hover { background: none; }
.message.reply { padding-left: 66px; } .message.reply .avatar { width: 24px; height: 24px; font-size: 12px; }
.message .body { min-width: 0; flex: 1; max-width: 680px; }
.avatar { flex: none; width: 36px; height: 36px; border-radius: 8px; display: grid; place-items: center; color: #fff; font-weight: 900; background: #5c6f82; }
.avatar.app { background: linear-gradient(135deg, #4a154b, #1264a3); font-size: 18px; }
.t0 { background: #2f7d6d; } .t1 { background: #b5568d; } .t2 { background: #4a6da7; } .t3 { background: #a86332; } .t4 { background: #6b5ca5; } .t5 { background: #8a6d1b; } .t6 { background: #3d7ea6; } .t7 { background: #a04b4b; }
.who { display: flex; align-items: baseline; gap: 6px; line-height: 1.3; } .who b { font-weight: 900; } .who time, .edited { color: var(--soft); font-size: 12px; }
.badge { font-size: 10px; font-weight: 700; color: var(--soft); background: var(--faint); border: 1px solid var(--line); border-radius: 2px; padding: 1px 4px; align-self: center; }
.only { color: var(--soft); font-size: 12px; margin-bottom: 2px; }
.tools { position: absolute; top: -10px; right: 20px; display: none; gap: 4px; background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 3px; box-shadow: 0 1px 3px #0001; }
.message:hover .tools, .message:focus-within .tools { display: flex; } .message:focus-visible { outline: 3px solid var(--focus); outline-offset: -3px; } @media (hover: none) { .message { flex-wrap: wrap; } .tools { position: static; display: flex; box-shadow: none; margin-left: 46px; } }
.tools button { border: 0; background: none; color: inherit; font: inherit; font-size: 13px; padding: 3px 8px; border-radius: 5px; cursor: pointer; } .tools button:hover { background: var(--line); }

.block { margin: 6px 0; overflow-wrap: anywhere; } .block:first-child { margin-top: 2px; }
.block h3 { font-size: 18px; line-height: 1.33; font-weight: 900; margin: 4px 0; }
.block hr { border: 0; border-top: 1px solid var(--line); margin: 10px 0; }
.block.is-context { display: flex; flex-wrap: wrap; gap: 2px 8px; color: var(--soft); font-size: 13px; }
.block.is-actions, .block.is-context_actions, .card .actions { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-top: 10px; }
.block.is-actions .field { width: auto; min-width: 180px; }
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: 8px 16px; margin-top: 4px; } .fields > div { min-width: 0; }
.beside { display: flex; gap: 16px; justify-content: space-between; align-items: flex-start; } .beside > :first-child { min-width: 0; } .accessory { flex: none; max-width: 50%; }
.picture { display: inline-block; color: var(--soft); background: var(--faint); border: 1px solid var(--line); border-radius: var(--radius); padding: 6px 10px; }
.shown { display: block; max-width: min(360px, 100%); max-height: 360px; border: 1px solid var(--line); border-radius: var(--radius); } .accessory .shown { max-width: 88px; max-height: 88px; } .is-context .shown { max-height: 20px; }
.table { overflow-x: auto; border: 1px solid var(--line); border-radius: var(--radius); width: fit-content; max-width: 100%; }
table { border-collapse: collapse; font-size: 14px; } caption { text-align: left; color: var(--soft); padding: 6px 10px; }
th, td { padding: 6px 12px; text-align: left; border-bottom: 1px solid var(--line); border-right: 1px solid var(--line); white-space: nowrap; } th { background: var(--faint); font-weight: 700; }
tr:last-child td { border-bottom: 0; } th:last-child, td:last-child { border-right: 0; } .right { text-align: right; font-variant-numeric: tabular-nums; } .center { text-align: center; } .wrapped { white-space: normal; min-width: 160px; }
.sort { font: inherit; color: inherit; background: none; border: 0; padding: 0; min-height: 24px; cursor: pointer; } .sort:hover { text-decoration: underline; } .sort:focus-visible { outline: 3px solid var(--focus); } .pager { display: flex; align-items: center; gap: 10px; margin-top: 8px; color: var(--soft); font-size: 13px; } tbody th { font-weight: 400; background: none; }
.alert { border: 1px solid var(--line); border-left-width: 4px; border-radius: 6px; padding: 8px 12px; background: var(--faint); }
.alert.info { border-left-color: var(--blue); background: var(--info); } .alert.warning { border-left-color: #daa038; background: var(--warn); } .alert.error { border-left-color: var(--red); background: var(--wrong); } .alert.success { border-left-color: #2eb886; background: var(--good); }
.card { border: 1px solid var(--line); border-radius: 12px; padding: 12px; } .card > summary { cursor: pointer; }
.task { display: flex; gap: 8px; padding: 2px 0; } .task.complete > span { color: var(--soft); } .task.error > span { color: var(--bad); }

.btn { font: inherit; font-weight: 700; line-height: 1; color: var(--ink); background: var(--raised); border: 1px solid var(--edge); border-radius: var(--radius); padding: 0 12px; height: 34px; cursor: pointer; white-space: nowrap; max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
.btn:hover { background: var(--faint); box-shadow: 0 1px 2px #0002; } .btn:focus-visible, .field:focus-visible, summary:focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
.btn:disabled { opacity: .5; cursor: default; } .btn.small { height: 28px; font-size: 13px; }
.btn.primary { color: #fff; background: var(--green); border-color: var(--green); } .btn.primary:hover { background: var(--green-over); }
.btn.danger { color: #fff; background: var(--red); border-color: var(--red); } .btn.danger:hover { background: var(--red-over); }
.overflow { position: relative; } .overflow > summary { list-style: none; display: inline-grid; place-items: center; } .overflow > summary::-webkit-details-marker { display: none; }
.menu { position: absolute; z-index: 5; left: 0; top: 100%; margin-top: 4px; min-width: 220px; max-height: 260px; overflow: auto; color: var(--ink); background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: 0 4px 16px #0003; padding: 6px; }
.overflow .menu { left: auto; right: 0; }
.menu .item, .menu .none { display: block; width: 100%; text-align: left; font: inherit; color: inherit; border: 0; background: none; padding: 6px 10px; border-radius: 5px; cursor: pointer; } .menu .item:hover, .menu .item:focus-visible, .menu .item[aria-selected=true] { background: #1264a3; color: #fff; outline: 0; } .menu .none { color: var(--soft); cursor: default; }
.field { font: inherit; color: inherit; width: 100%; height: 38px; border: 1px solid var(--edge); border-radius: 6px; padding: 0 10px; background: var(--paper); } textarea.field { height: auto; padding: 8px 10px; resize: vertical; } select[multiple].field { height: auto; }
.field::placeholder, .composer input::placeholder { color: var(--soft); opacity: 1; } .typeahead { position: relative; display: block; } .typeahead .menu { right: 0; }
.form { display: block; } .form .label, .label { display: block; font-weight: 700; margin-bottom: 5px; } .optional { font-weight: 400; color: var(--soft); } .hint { color: var(--soft); font-size: 13px; margin-top: 3px; } .error:not(.alert):not(.task) { color: var(--bad); font-size: 13px; margin-top: 4px; font-weight: 700; } .wrong .field { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
.block.is-input { margin: 14px 0; } .boxes { display: grid; gap: 6px; } .box { display: flex; gap: 8px; align-items: flex-start; } .box input { margin: 4px 0 0; accent-color: var(--blue); } .box small { display: block; color: var(--soft); }

.overlay { position: fixed; inset: 0; z-index: 20; background: #0008; display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); place-items: center; padding: 20px; } .overlay.still { display: block; position: static; background: #0000; padding: 0; }
.modal { width: min(520px, 100%); max-height: 100%; display: flex; flex-direction: column; background: var(--raised); border-radius: 10px; box-shadow: 0 0 0 1px #0002, 0 18px 48px #0005; }
.modal header { display: flex; align-items: center; justify-content: space-between; padding: 18px 22px; border-bottom: 1px solid var(--line); } .modal h2 { margin: 0; font-size: 22px; line-height: 1.2; font-weight: 900; }
.modal .content { padding: 10px 22px 18px; overflow: auto; min-height: 0; } .modal footer { display: flex; justify-content: flex-end; gap: 10px; padding: 16px 22px; border-top: 1px solid var(--line); } .modal footer .btn { height: 36px; padding: 0 16px; }
.x { border: 0; background: none; font-size: 18px; width: 34px; height: 34px; border-radius: 6px; cursor: pointer; color: var(--soft); } .x:hover { background: var(--line); }
.modal.confirm { width: min(480px, 100%); } .modal.confirm header { border: 0; padding-bottom: 4px; } .modal.confirm footer { border: 0; }
.home { max-width: 720px; margin: 0 auto; padding: 16px 20px; }
`;
