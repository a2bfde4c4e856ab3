import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type CardAction, type Part, type Piece, plainOf, type Text } from '../../cards/card.ts';
import { LOOK_MS } from '../../lib/clock.ts';
import { withDaysInWords } from '../../platform/dialect/readings.ts';

/** The product's mark: two crossed lines in a patch panel. It is decorative, because the name is next to it. */
const MARK =
  '<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"><rect x="1.5" y="1.5" width="21" height="21" rx="5"/><path d="M7 8h2.5c3 0 2 8 5 8H17M7 16h2.5c3 0 2-8 5-8H17"/></svg>';

/** Sends a page that is not cached, loads nothing from other sites and cannot be framed. */
export function page(response: ServerResponse, status: number, title: string, body: string, refreshes = false): void {
  const nonce = randomBytes(16).toString('base64url');
  const refresh = refreshes ? '<meta http-equiv="refresh" content="0">' : '';
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${refresh}<title>${escapeHtml(title)} · Switchboard</title><style nonce="${nonce}">${STYLE}</style>`;
  const html = `<!doctype html><html lang="en"><head>${head}</head><body><header>${MARK}<span>Switchboard</span></header><main><h1>${escapeHtml(title)}</h1>${body}</main><script>${SCRIPT}</script></body></html>`;
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; script-src '${SCRIPT_HASH}'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    // Not no-referrer, because a browser would then send the form with `Origin: null`, which is refused.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  response.end(html);
}

/** Sends the browser to an address of this server or of the OAuth issuer, with these cookies. */
export function redirect(response: ServerResponse, location: string, cookies: readonly string[] = []): void {
  response.writeHead(303, {
    location,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    ...(cookies.length > 0 && { 'set-cookie': [...cookies] }),
  });
  response.end();
}

/** The path of a confirmation's page, or of the sign-in page if `id` is undefined. */
export function addressOf(id: string | undefined): string {
  return id === undefined ? '/confirm' : `/confirm/${id}`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/*
 * The only script of the confirmation pages. It reformats times and reloads the page of a running action. The pages
 * work without it.
 */

/**
 * Shows every `<time>` as the browser writes it, in the reader's zone, with the UTC time as its tooltip, and loads the
 * page of a running action again. Plain browser JavaScript.
 */
const SCRIPT = `'use strict';
const locale = navigator.languages.find((one) => /^en\\b/i.test(one)) || 'en-GB';
const form = { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' };
const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' };
for (const one of document.querySelectorAll('time[datetime]')) {
  one.title = one.textContent;
  one.textContent = new Intl.DateTimeFormat(locale, one.dateTime.length > 10 ? form : day).format(new Date(one.dateTime));
}
if (document.querySelector('[data-running]')) setTimeout(() => location.replace(location.pathname + location.search), ${LOOK_MS});
`;

/** The hash by which the pages' Content-Security-Policy allows this script and no other. */
const SCRIPT_HASH = `sha256-${createHash('sha256').update(SCRIPT).digest('base64')}`;

/* The stylesheet of the confirmation and sign-in pages. Colours have a contrast of at least 4.5:1 in both schemes. */

/** In the reader's colour scheme; one column from 34rem down. */
const STYLE = `
:root{color-scheme:light dark;--page:#f4f5f7;--card:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d5d9de;--field:#868e98;
--accent:#0b5cad;--on-accent:#fff;--danger:#b3163a;--on-danger:#fff;--good:#11683c;--good-back:#e8f5ed;--warn:#8a4600;--warn-back:#fdf3e4;
--bad:#a6132f;--bad-back:#fdecee;--calm-back:#eef1f4;--info-back:#e9f2fc}
@media(prefers-color-scheme:dark){:root{--page:#0f1216;--card:#191d23;--ink:#e8ebef;--soft:#a5aeb9;--line:#353c45;--field:#7d8793;
--accent:#7db7f5;--on-accent:#08182a;--danger:#f0849a;--on-danger:#2a060e;--good:#6fd39c;--good-back:#15291f;--warn:#f0b56b;--warn-back:#2d2414;
--bad:#f791a2;--bad-back:#331a20;--calm-back:#242a32;--info-back:#16273a}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:1.5rem 1rem 3rem;background:var(--page);color:var(--ink)}
header,main{max-width:40rem;margin:0 auto}
header{display:flex;align-items:center;gap:.5rem;margin-bottom:.75rem;font-weight:650}
header svg{width:1.6rem;height:1.6rem;flex:none;color:var(--accent)}
main{padding:1.5rem 2rem 2rem;background:var(--card);border:1px solid var(--line);border-radius:10px;overflow-wrap:anywhere}
h1{font-size:1.4rem;line-height:1.3;margin:0 0 .75rem}h2{font-size:1.05rem;margin:1.5rem 0 .5rem}h3{font-size:1rem;margin:1rem 0 .25rem}
p{margin:.75rem 0}a{color:var(--accent)}
dl{display:grid;grid-template-columns:minmax(7rem,10rem) minmax(0,1fr);gap:.4rem 1rem;margin:.75rem 0}
dt{color:var(--soft)}dd{margin:0;white-space:pre-line}time{white-space:nowrap}
.scroll{overflow-x:auto}table{border-collapse:collapse;margin:.25rem 0}th,td{text-align:left;vertical-align:top;padding:.3rem 1rem .3rem 0;overflow-wrap:normal}th{color:var(--soft);font-weight:600}
.demo{background:var(--info-back);border-radius:6px;padding:.3rem .75rem;font-size:.9rem}
blockquote{border-left:4px solid var(--warn);margin:1rem 0;padding:.25rem 1rem;background:var(--warn-back)}
.state{font-weight:600;border-radius:6px;padding:.6rem .85rem;background:var(--calm-back)}
.state::before{display:inline-block;min-width:1.5em;content:"•" / ""}
.done{color:var(--good);background:var(--good-back)}.done::before{content:"✓" / ""}
.failed{color:var(--bad);background:var(--bad-back)}.failed::before{content:"✕" / ""}
.unknown,.partly{color:var(--warn);background:var(--warn-back)}.unknown::before{content:"?" / ""}.partly::before{content:"!" / ""}
.problem{background:var(--warn-back);border-radius:6px;padding:.6rem .85rem}.problem ul{margin:.25rem 0 0;padding-left:1.25rem}
.next{color:var(--soft)}.once{background:var(--info-back);border-radius:6px;padding:.6rem .85rem;font-size:1.1rem}
figure{margin:.75rem 0}.qr{width:min(16rem,100%);background:#fff;border-radius:6px;overflow:hidden}.qr svg{display:block;width:100%;height:auto}figcaption{margin-top:.4rem}
summary{cursor:pointer;min-height:1.75rem}
code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.95em;background:var(--calm-back);border-radius:4px;padding:.1em .3em}
progress{width:min(20rem,100%);height:.8rem;accent-color:var(--accent);vertical-align:middle}
input[type=checkbox]{width:1.25rem;min-height:1.25rem;margin:0}
.buttons{display:flex;gap:.75rem;margin-top:1.5rem}
button,a.button{font:inherit;display:inline-block;min-height:2.75rem;padding:.55rem 1.15rem;border-radius:8px;border:1px solid var(--field);background:var(--card);color:var(--ink);text-decoration:none;cursor:pointer;overflow-wrap:break-word}
button:hover,a.button:hover{border-color:var(--ink)}
button.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600}
button.danger{background:var(--danger);border-color:var(--danger);color:var(--on-danger);font-weight:600}
input{font:inherit;display:block;width:100%;max-width:24rem;min-height:2.75rem;padding:.4rem .7rem;border:1px solid var(--field);border-radius:8px;background:var(--card);color:var(--ink)}
input[type=hidden]{display:none}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media(max-width:34rem){body{padding:1rem .75rem 2rem}main{padding:1.1rem 1rem 1.4rem}dl{grid-template-columns:minmax(0,1fr);gap:0}dd{margin-bottom:.6rem}}
@media print{body{background:none}main{border:0;padding:0}header,button,.next{display:none}figure{break-inside:avoid}details::details-content{content-visibility:visible}}
@media(forced-colors:active){button.primary,button.danger{border-width:3px}}`;

/* Draws the parts of a card as HTML, with every value escaped. It knows no operation. */

/** The parts of a card as HTML. */
export function cardHtml(parts: readonly Part[]): string {
  return parts.map(partHtml).join('\n');
}

function partHtml(part: Part): string {
  switch (part.kind) {
    case 'facts': {
      const rows = part.rows.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${textHtml(value)}</dd>`);
      const list = `<dl>${rows.join('')}</dl>`;
      if (part.folded !== undefined) return `<details><summary>${escapeHtml(part.folded)}</summary>${list}</details>`;
      return part.title === undefined ? list : `<h2>${escapeHtml(part.title)}</h2>${list}`;
    }
    case 'table':
      return tableHtml(part);
    case 'note': {
      const lines = part.lines.map(textHtml);
      return part.warns
        ? lines.map((line) => `<p class="problem">${line}</p>`).join('')
        : `<p>${part.title === undefined ? '' : `${escapeHtml(part.title)}: `}${lines.join('<br>')}</p>`;
    }
    case 'quote':
      return `<p>${textHtml(part.title)}:</p><blockquote>${escapeHtml(part.text)}</blockquote>`;
    case 'small':
      return `<p>${escapeHtml(part.text)}</p>`;
    // The page shows no list of several things, and draws the actions itself.
    default:
      return '';
  }
}

export function formHtml(hidden: string, content: string): string {
  return `<form method="post">${hidden}${content}</form>`;
}

/** An action as a button, of the form around it or of another one. */
export function buttonHtml({ id, label, style }: CardAction, form?: string): string {
  const attributes = [style && `class="${style}"`, 'name="act"', `value="${id}"`, form && `form="${form}"`];
  return `<button ${attributes.filter(Boolean).join(' ')}>${escapeHtml(label)}</button>`;
}

/** Actions as one form, with what they ask before them. Empty without actions. `hidden`: its hidden field. */
export function actionsHtml(actions: readonly CardAction[], hidden: string): string {
  if (actions.length === 0) return '';
  const asked = actions.flatMap(({ label, confirm }) =>
    confirm ? [`<p>${escapeHtml(label)}: ${escapeHtml(confirm.text)}</p>`] : [],
  );
  const buttons = actions.map((action) => buttonHtml(action)).join('');
  return formHtml(hidden, `${asked.join('')}<div class="buttons">${buttons}</div>`);
}

/** A table that can be scrolled in a narrow window. `first`: a column of HTML before the others. */
export function tableHtml(
  { title, columns, rows }: Pick<Part & { kind: 'table' }, 'title' | 'columns' | 'rows'>,
  first?: { title: string; cells: readonly string[] },
): string {
  const cells = (tag: string, html: string | undefined, row: readonly string[]) =>
    [...(html === undefined ? [] : [html]), ...row.map(escapeHtml)].map((one) => `<${tag}>${one}</${tag}>`).join('');
  const body = rows.map((row, at) => `<tr>${cells('td', first?.cells[at], row)}</tr>`).join('');
  return `<h2>${escapeHtml(title)}</h2><div class="scroll" role="region" aria-label="${escapeHtml(title)}" tabindex="0"><table><tr>${cells('th', first?.title, columns)}</tr>${body}</table></div>`;
}

function textHtml(text: Text): string {
  return typeof text === 'string' ? pieceHtml({ value: text }) : text.map(pieceHtml).join('');
}

function pieceHtml(piece: Piece): string {
  if (typeof piece === 'object' && 'bar' in piece)
    return `<progress max="1" value="${piece.bar}">${escapeHtml(piece.of)}</progress> ${escapeHtml(piece.of)}`;
  if (typeof piece === 'object' && 'strong' in piece) return `<strong>${escapeHtml(piece.strong)}</strong>`;
  const html = escapeHtml(plainOf([piece]));
  // A value that is sent is shown as it is sent, and a person's text as it was written.
  if (typeof piece === 'object' && ('sent' in piece || 'said' in piece)) return html;
  // The page's script writes times and days as the reader's browser does, times in its zone.
  const time = (at: string, words: string) => `<time datetime="${at}">${words}</time>`;
  return withDaysInWords(html, time).replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (found) => {
    const at = Date.parse(found);
    if (Number.isNaN(at)) return found;
    const iso = new Date(at).toISOString();
    return time(iso, `${iso.replace('T', ' ').slice(0, 19)} UTC`);
  });
}
