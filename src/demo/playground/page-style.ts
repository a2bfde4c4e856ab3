// The stylesheet of the playground around the cards: sidebar, conversation, composer.
export const PAGE_STYLE = `
.page { display: grid; grid-template: minmax(0, 1fr) auto / 264px minmax(0, 1fr); height: 100vh; height: 100dvh; }
.side { padding-bottom: 8px; background: var(--side); color: var(--side-ink); display: flex; flex-direction: column; overflow: auto; }
.side h1 { margin: 0; padding: 16px; font-size: 18px; line-height: 1.2; font-weight: 900; color: #fff; border-bottom: 1px solid #ffffff1f; } .side h1 small { display: block; font-size: 12px; font-weight: 400; color: var(--side-ink); margin-top: 3px; }
.side :focus-visible, .who-am-i :focus-visible { outline: 3px solid #9fd3ff; outline-offset: -2px; }
.side h2 { margin: 16px 16px 4px; font-size: 13px; line-height: 1.4; font-weight: 400; }
#places { display: flex; flex-direction: column; }
.side .place { font: inherit; text-align: left; color: inherit; background: none; border: 0; border-radius: 6px; padding: 4px 12px; margin: 0 8px; cursor: pointer; display: flex; gap: 8px; } .side .place:hover { background: #ffffff14; } .side .place.on { background: #1164a3; color: #fff; } .side .place.new { color: #fff; font-weight: 700; }
.dot { margin-left: auto; background: #cd2553; color: #fff; border-radius: 9px; font-size: 12px; line-height: 18px; height: 18px; padding: 0 7px; align-self: center; }
.demo { margin: 0 16px; font-size: 13px; } .side .demo h2 { margin: 16px 0 4px; } .demo p { margin: 0 0 6px; } 
.demo .row { display: flex; flex-wrap: wrap; gap: 6px; margin-bottom: 8px; }
.demo button { font: inherit; color: #fff; background: #ffffff14; border: 1px solid #ffffff80; border-radius: 6px; padding: 4px 10px; min-height: 28px; cursor: pointer; } .demo button:hover { background: #ffffff2e; } .under-way h3 { margin: 4px 0; font-size: 13px; font-weight: 400; } .under-way ul { list-style: none; margin: 0 0 8px; padding: 0; } .under-way li { padding: 6px 0 0; border-top: 1px solid #ffffff1f; } .under-way b { color: #fff; font-variant-numeric: tabular-nums; } .under-way .row { margin: 4px 0 6px; } .demo time { color: #fff; font-variant-numeric: tabular-nums; }
.who-am-i { grid-column: 1; grid-row: 2; position: relative; z-index: 16; padding: 14px 16px; color: var(--side-ink); background: var(--side); border-top: 1px solid #ffffff1f; } .who-am-i label { display: block; font-size: 12px; margin-bottom: 4px; } .who-am-i select { width: 100%; height: 34px; border-radius: 6px; border: 1px solid #ffffff80; background: #522653; color: #fff; font: inherit; padding: 0 6px; }
/* Above a person's dialog, so that one can change who one is. */ .page.asks .who-am-i { z-index: 21; }
.main { grid-column: 2; grid-row: 1 / 3; display: flex; flex-direction: column; min-width: 0; min-height: 0; }
.top { display: flex; align-items: center; gap: 12px; padding: 12px 20px; border-bottom: 1px solid var(--line); } .top h2 { margin: 0; font-size: 18px; font-weight: 900; } .top span { color: var(--soft); font-size: 13px; margin-left: auto; }
.top .toggle { display: none; }
.tour { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 16px; padding: 10px 20px; background: var(--info); border-bottom: 1px solid var(--line); } .tour p { margin: 0; flex: 1 1 260px; } .tour p:focus { outline: 0; } .tour .row { display: flex; gap: 8px; }
.list { flex: 1; overflow: auto; padding: 12px 0; } .list:focus-visible { outline: 3px solid var(--focus); outline-offset: -3px; } .list > .fill { min-height: 100%; display: flex; flex-direction: column; justify-content: flex-end; }
.welcome { padding: 24px 20px; max-width: 720px; } .welcome h3 { margin: 0 0 6px; font-size: 26px; line-height: 1.2; font-weight: 900; } .welcome p { margin: 0 0 12px; color: var(--soft); }
.tries { display: flex; flex-wrap: wrap; gap: 8px; } .tries button { font: 13px Menlo, Consolas, "DejaVu Sans Mono", monospace; color: inherit; border: 1px solid var(--edge); background: var(--raised); border-radius: 16px; padding: 6px 12px; cursor: pointer; max-width: 100%; overflow-wrap: anywhere; text-align: left; } .tries button:hover { border-color: var(--blue); color: var(--blue); } .tries button:focus-visible { outline: 3px solid var(--focus); }
.composer { position: relative; margin: 0 20px 20px; border: 1px solid var(--edge); border-radius: 10px; padding: 6px 6px 6px 14px; } .composer .line { display: flex; align-items: center; } .in-thread { display: flex; align-items: center; justify-content: space-between; color: var(--soft); font-size: 13px; border-bottom: 1px solid var(--line); margin-bottom: 4px; } .composer:focus-within { border-color: var(--focus); box-shadow: 0 0 0 2px var(--focus); } .composer input { flex: 1; min-width: 0; border: 0; outline: 0; font: inherit; color: inherit; height: 34px; background: none; }
.composer .menu { top: auto; bottom: 100%; left: 0; right: 0; margin: 0 0 6px; } .composer .menu b { display: inline-block; min-width: 130px; }
.toast { position: fixed; left: 50%; bottom: 90px; transform: translateX(-50%); z-index: 40; background: #1d1c1d; color: #fff; border: 1px solid #ffffff40; border-radius: 8px; padding: 10px 16px; width: max-content; max-width: 90vw; }
@media (max-width: 700px) {
  .page { grid-template: minmax(0, 1fr) / minmax(0, 1fr); } .main { grid-column: 1; grid-row: 1; }
  .side { display: none; position: fixed; inset: 0 auto 0 0; width: min(300px, 86vw); z-index: 15; padding-bottom: 90px; box-shadow: 0 0 0 100vw #0008; } .side.open { display: flex; }
  .who-am-i { display: none; position: fixed; left: 0; bottom: 0; width: min(300px, 86vw); } .side.open ~ .who-am-i, .page.asks .who-am-i { display: block; } .page.asks .who-am-i { width: 100%; display: flex; align-items: center; gap: 10px; padding: 8px 12px; } .page.asks label { margin: 0; flex: none; } .page.asks ~ #overlay { padding-bottom: 60px; }
  .top { padding: 8px 12px; } .top .toggle { display: grid; place-items: center; width: 40px; height: 40px; font-size: 20px; color: inherit; background: none; border: 1px solid var(--edge); border-radius: 8px; cursor: pointer; } .toggle:focus-visible { outline: 3px solid var(--focus); }
  .message { padding: 8px 12px; } .message.reply { padding-left: 40px; } .composer { margin: 0 12px 12px; } .composer .menu b { display: block; }
  .fields { grid-template-columns: 1fr; } .overlay { padding: 8px; } .modal header, .modal footer { padding: 12px 14px; } .modal .content { padding: 6px 14px 14px; } .block.is-actions .field { width: 100%; } .beside { flex-wrap: wrap; } .accessory { max-width: 100%; }
}
`;
