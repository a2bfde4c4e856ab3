import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { SCRIPT, SCRIPT_HASH } from './script.ts';
import { STYLE } from './style.ts';

/** The product's mark: two crossed lines in a patch panel. It is decorative, because the name is next to it. */
const MARK =
  '<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"><rect x="1.5" y="1.5" width="21" height="21" rx="5"/><path d="M7 8h2.5c3 0 2 8 5 8H17M7 16h2.5c3 0 2-8 5-8H17"/></svg>';

/** Sends a page that is not cached, loads nothing from other sites and cannot be framed. */
export function page(
  response: ServerResponse,
  status: number,
  title: string,
  body: string,
  more: { refresh?: boolean } = {},
): void {
  const nonce = randomBytes(16).toString('base64url');
  const refresh = more.refresh ? '<meta http-equiv="refresh" content="0">' : '';
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

/**
 * A time (epoch ms) as HTML: in UTC, and in the reader's zone where the page's script runs.
 *
 * @param form `short`: hours and minutes, for a time that is near
 */
export function timeHtml(at: number, form: 'full' | 'short' = 'full'): string {
  const iso = new Date(at).toISOString();
  return form === 'short'
    ? `<time datetime="${iso}" data-short>${iso.slice(11, 16)} UTC</time>`
    : `<time datetime="${iso}">${iso.replace('T', ' ').slice(0, 19)} UTC</time>`;
}
