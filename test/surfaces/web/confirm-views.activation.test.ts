import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isOnPostgres } from '../../support/ledger.ts';
import {
  call,
  confirm,
  look,
  lookAsStranger,
  openWorld,
  PROVISION,
  signIn,
  signOut,
  value,
  type World,
} from '../../support/world.ts';

const LINK = /https:..example\.invalid.esim.NID-[\w-]+/;

/** The activation code that the platform gave for the newest number. */
async function newestCode(world: World): Promise<string> {
  const { numbers } = await world.state();
  return `https://example.invalid/esim/${numbers.at(-1).PhoneNumberId}`;
}

/** The files of the data folder that hold a text. */
const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder).filter((name) => readFileSync(join(folder, name), 'latin1').includes(text));

describe('the activation code of an eSIM', () => {
  it('is shown as a picture to the requester and the person who confirmed, and to no other approver', async () => {
    const world = await openWorld({
      MCP_TOOLSETS: 'all',
      MCP_HTTP_TOKENS: 'ria:approver:token-of-ria,ana:approver:token-of-ana,lee:approver:token-of-lee',
    });
    try {
      const client = await world.client({ token: 'token-of-ria' });
      const { id, url } = value(await call(client, 'numbers_provision', PROVISION)).confirmation;
      await signIn(url, 'token-of-ana');
      const pages = [await confirm(url), await look(url)];
      const code = await newestCode(world);
      await signIn(url, 'token-of-ria');
      pages.push(await look(url));
      for (const { html } of pages) {
        expect(html).toContain('<div class="qr" role="img" aria-label="QR code of the eSIM of +1201');
        expect(html).toContain(`<code>${code}</code>`);
        expect(html.split(code)).toHaveLength(2);
      }
      await signIn(url, 'token-of-lee');
      const other = await look(url);
      expect(other.html).toContain('Done.');
      expect(other.html).toContain('Show QR code');
      for (const { html } of [other, await lookAsStranger(url)]) {
        expect(html).not.toContain('class="qr"');
        expect(html).not.toContain(code);
      }

      const shownTo = async (token: string) =>
        JSON.stringify(value(await call(await world.client({ token }), 'confirmations_get', { id })));
      for (const token of ['token-of-ria', 'token-of-ana', 'token-of-lee']) {
        expect(await shownTo(token)).toContain('"activation":"withheld"');
        expect(await shownTo(token)).not.toMatch(LINK);
      }
    } finally {
      signOut();
      await world.close();
    }
  });

  it.skipIf(isOnPostgres)('is sealed in the files', async () => {
    const world = await openWorld({ MCP_TOOLSETS: 'all' });
    try {
      const { url } = value(await call(await world.client(), 'numbers_provision', PROVISION)).confirmation;
      expect((await confirm(url)).html).toContain('class="qr"');
      expect(filesWith(world.folder, 'Provision a mobile (mvno) number')).not.toEqual([]);
      expect(filesWith(world.folder, await newestCode(world))).toEqual([]);
    } finally {
      await world.close();
    }
  });
});
