import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** Sends a page that is not cached, loads nothing from other sites and cannot be framed. */
export function page(
  response: ServerResponse,
  status: number,
  title: string,
  body: string,
  more: { refresh?: boolean } = {},
): void {
  const nonce = randomBytes(16).toString('base64url');
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${more.refresh ? '<meta http-equiv="refresh" content="0">' : ''}<title>${escapeHtml(title)} · Switchboard</title><style nonce="${nonce}">${CSS}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`;
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    // Not no-referrer, because a browser would then send the form with `Origin: null`, which is refused.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  response.end(html);
}

const CSS = `body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#f6f6f7;color:#1d1c1d}main{max-width:38rem;margin:3rem auto;padding:1.5rem 2rem 2rem;background:#fff;border:1px solid #ddd;border-radius:8px}h1{font-size:1.4rem;margin:0 0 .5rem;overflow-wrap:anywhere}dl{display:grid;grid-template-columns:10rem 1fr;gap:.35rem 1rem}dt{color:#616061}dd{margin:0;overflow-wrap:anywhere;white-space:pre-line}table{border-collapse:collapse;margin:.5rem 0}th,td{text-align:left;padding:.25rem .75rem .25rem 0;overflow-wrap:anywhere}.demo{background:#eef6ff;border-radius:4px;padding:.25rem .75rem}blockquote{border-left:4px solid #e8a33d;margin:1rem 0;padding:.25rem 1rem;background:#fdf7ec}.state{font-weight:600}.done{color:#1a7f4b}.failed{color:#c0143c}.declined,.expired{color:#616061}.unknown,.partly{color:#b35c00}.problem{background:#fdecec;border-radius:4px;padding:.5rem .75rem}.once{background:#eef6ff;border-radius:4px;padding:.5rem .75rem;font-size:1.1rem}.buttons{display:flex;gap:.75rem;margin-top:1rem}button{font:inherit;padding:.55rem 1.1rem;border-radius:6px;border:1px solid #bbb;background:#fff;cursor:pointer}a.button{display:inline-block;padding:.55rem 1.1rem;border-radius:6px;border:1px solid #bbb;color:inherit;text-decoration:none}button.danger{background:#c0143c;border-color:#c0143c;color:#fff;font-weight:600}pre{overflow:auto;background:#f6f6f7;padding:.75rem;border-radius:4px}@media(max-width:34rem){dl{grid-template-columns:1fr}main{margin:0;border:0}}`;

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** A time (epoch ms) as text. */
export function time(at: number): string {
  return `${new Date(at).toISOString().replace('T', ' ').slice(0, 19)} UTC`;
}
