import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { qrModules } from '../../../src/lib/qr.ts';
import { faultsOf } from '../../support/axe.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { begunDay } from '../../support/clock.ts';
import { isOnPostgres } from '../../support/ledger.ts';
import {
  call,
  confirm,
  look,
  lookAsStranger,
  openWorld,
  PROVISION,
  press,
  seeded,
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

  it('is shown and offered for a change that makes an eSIM alone', async () => {
    const world = await openWorld({ MCP_TOOLSETS: 'all' });
    const status = (StatusChange: string, more: object = {}) => ({
      StatusChange,
      PhoneNumbers: [{ Number: seeded(3), ...more }],
      EffectiveDate: '12/31/2099',
    });
    const shownAfter = async (input: Record<string, unknown>) => {
      const { url } = value(await call(await world.client(), 'numbers_status', input)).confirmation;
      const { html } = await confirm(url);
      expect(html).toContain('You can close this page.');
      return { url, html };
    };
    try {
      // The answer to each of them repeats the code of the SIM.
      const parked = await shownAfter(status('park'));
      expect(parked.html).not.toMatch(LINK);
      expect(parked.html).toContain('Scheduled');
      expect(parked.html).not.toContain('Show QR code');
      expect((await press(parked.url, 'qr', {}, await look(parked.url))).html).not.toMatch(LINK);
      const swapped = await shownAfter(status('swap-sim', { ICCID: '8901240397190195850' }));
      expect(swapped.html).toMatch(LINK);

      const parkAt = (date: string) => [
        'numbers_status',
        '--json',
        JSON.stringify({ ...status('park'), EffectiveDate: date }),
        '--yes',
      ];
      const quiet = await world.cli(parkAt('12/30/2099'));
      expect([quiet.code, LINK.test(quiet.out)]).toEqual([0, false]);
      expect(quiet.out).toContain('"activation": "withheld"');
      const asked = await world.cli([...parkAt('12/29/2099'), '--qr']);
      expect([asked.code, LINK.test(asked.out)]).toEqual([0, true]);
    } finally {
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

describeInBrowser('the QR code on the confirmation page', (openBrowser) => {
  let browser: Browser;
  let world: World;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    world = await openWorld({ MCP_TOOLSETS: 'all' });
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });
  beforeEach(async () => {
    await world.reset();
    context = await browser.newContext();
    page = await context.newPage();
    await page.goto(await world.link());
    await page.getByText('signed in as').waitFor();
  });
  afterEach(() => context.close());

  const done = async (name: string, input: Record<string, unknown>) => {
    const { url } = value(await call(await world.client(), name, input)).confirmation;
    await page.goto(url);
    await page.locator('button[value=confirm]').click();
    await page.locator('.state.done').waitFor();
  };

  /** Returns true for each module of the first visible picture that is dark at its middle. */
  const seen = async (size: number): Promise<boolean[][]> => {
    const picture = await page.locator('.qr:visible svg').first().screenshot();
    const reader = await context.newPage();
    const rows = await reader.evaluate<boolean[][]>(`(async () => {
        const image = new Image();
        image.src = 'data:image/png;base64,${picture.toString('base64')}';
        await image.decode();
        const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
        const drawing = canvas.getContext('2d');
        drawing.drawImage(image, 0, 0);
        const at = (index, all) => Math.floor(((index + 0.5) * all) / ${size});
        const isDark = (x, y) => drawing.getImageData(at(x, image.width), at(y, image.height), 1, 1).data[0] < 128;
        return Array.from({ length: ${size} }, (_, y) => Array.from({ length: ${size} }, (_, x) => isDark(x, y)));
      })()`);
    await reader.close();
    return rows;
  };

  it('is the one of its text, in light and dark colours, on a telephone and on paper', async () => {
    await done('numbers_provision', PROVISION);
    const code = await newestCode(world);
    const modules = qrModules(code) ?? [];
    expect(await page.getByRole('img', { name: /^QR code of the eSIM of \+1201/ }).count()).toBe(1);
    expect(await page.locator('figcaption code').textContent()).toBe(code);
    expect(await faultsOf(page, 'eSIM')).toEqual([]);
    for (const look of [
      { colorScheme: 'light', media: 'screen', forcedColors: 'none' },
      { colorScheme: 'dark', media: 'screen', forcedColors: 'none' },
      { colorScheme: 'dark', media: 'screen', forcedColors: 'active' },
      { colorScheme: 'light', media: 'print', forcedColors: 'none' },
    ] as const) {
      await page.emulateMedia(look);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await seen(modules.length)).toEqual(modules);
    }
    expect((await page.pdf()).length).toBeGreaterThan(0);
  });

  it('is folded if there are several, one beside each number', async () => {
    const change = {
      StatusChange: 'swap-sim',
      EffectiveDate: begunDay(),
      PhoneNumbers: [
        { Number: seeded(1), ICCID: '8901240397190556232' },
        { Number: seeded(3), ICCID: '8901240397190556240' },
      ],
    };
    await done('numbers_status', change);
    const first = page.getByText(`QR code of ${seeded(1)}`);
    expect(await page.getByText(`QR code of ${seeded(3)}`).count()).toBe(1);
    expect(await page.locator('.qr:visible').count()).toBe(0);
    await first.press('Enter');
    const code = (await page.locator('figcaption code').first().textContent()) ?? '';
    expect(code).toMatch(LINK);
    const modules = qrModules(code) ?? [];
    expect(await seen(modules.length)).toEqual(modules);
    expect(await faultsOf(page, 'several eSIMs')).toEqual([]);
  });
});
