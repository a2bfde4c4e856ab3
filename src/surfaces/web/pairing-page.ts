import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml } from './html.ts';
import { SIGN_IN_MS } from './pairing.ts';

const NAME = /^switchboard-pair-[\w-]+\.html$/;

/**
 * Writes a page that posts a one-time key to `address`, and returns its path. Every user of the computer can read the
 * arguments of a program that opens a browser, so the browser gets the path of this file, which only its owner can
 * read.
 */
export function writePairingPage(folder: string, { address, key }: { address: string; key: string }): string {
  removeOldPages(folder);
  const path = join(folder, `switchboard-pair-${randomBytes(9).toString('base64url')}.html`);
  const input = `<input type="hidden" name="key" value="${escapeHtml(key)}">`;
  const form = `<form method="post" action="${escapeHtml(address)}">${input}<button>Pair this browser</button></form>`;
  const html = `<!doctype html><meta charset="utf-8"><title>Switchboard</title>${form}<script>document.forms[0].submit()</script>\n`;
  writeFileSync(path, html, { mode: 0o600, flag: 'wx' });
  return path;
}

/** Removes pages whose keys have expired. */
function removeOldPages(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => NAME.test(one))) {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    if (found && found.mtimeMs < Date.now() - SIGN_IN_MS) rmSync(join(folder, name), { force: true });
  }
}
