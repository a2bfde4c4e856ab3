import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../support/build.ts';
import { makeFolder, type Running, runCli, startCli } from '../support/process.ts';
import { describeWith, program } from '../support/programs.ts';
import { difference } from './compare.ts';
import { terminalPage } from './terminal.ts';

/*
 * The README's pictures, taken from the running demo: npm run pictures. Each has its text beside it, with times and ids
 * left out. `npm test` takes them again and compares: the text exactly, the picture with tolerance.
 */

const FOLDER = join(ROOT, 'test', 'pictures');
const UPDATES = process.env.UPDATE_PICTURES === '1';
const TOLERANCE = 0.06;
const SCHEMES = ['light', 'dark'] as const;

/** What differs from run to run. */
const VARYING: readonly [RegExp, string][] = [
  [/\b\d{1,2}:\d{2}(:\d{2})?( ?[AP]M)?\b/g, 'TIME'],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? ?/g, ''],
  [/\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}(, \d{4})?\b/g, 'DATE'],
  [/\b\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*( \d{4})?\b/g, 'DATE'],
  [/\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}\/\d{1,2}\/\d{4}\b/g, 'DATE'],
  [/\b([A-Z]{2,8}-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, 'ID'],
  [/\b(act|cnf)_[\w-]+/g, 'ID'],
  [/\b\d+ (second|minute|hour)s?\b/g, 'A WHILE'],
];

function steady(text: string): string {
  const plain = VARYING.reduce((all, [pattern, word]) => all.replace(pattern, word), text);
  const lines = plain.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  return `${lines.filter(Boolean).join('\n')}\n`;
}

describeWith(
  { chromium: program('chromium', 'chromium-browser', 'google-chrome') },
  'the pictures of the README',
  ({ chromium: executablePath = '' }) => {
    const folder = makeFolder();
    let browser: Browser;
    let page: Page;
    let running: Running;
    let url: string;

    beforeAll(async () => {
      mkdirSync(FOLDER, { recursive: true });
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
      page = await browser.newPage({ deviceScaleFactor: 1, viewport: { width: 1040, height: 900 }, timezoneId: 'UTC' });
      running = startCli(['start'], folder.path, { PORT: '0', LOG_LEVEL: 'warn' });
      url = (await running.said(/^Open (\S+)/))[1] ?? '';
      await running.said(/Confirmations/);
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await running?.stop('SIGKILL');
      folder.remove();
    });

    /** Takes a picture in both colour schemes; compares it with the one that is kept, or keeps it. */
    async function picture(name: string, of: Locator): Promise<void> {
      const path = (ending: string) => join(FOLDER, `${name}${ending}`);
      const text = steady(await of.innerText());
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const png = await of.screenshot({ animations: 'disabled', caret: 'hide' });
        const file = path(`-${colorScheme}.png`);
        if (UPDATES) writeFileSync(file, png);
        else {
          expect(existsSync(file), `${file} is missing: npm run pictures`).toBe(true);
          expect(await difference(page, readFileSync(file), png), `${file}: npm run pictures`).toBeLessThan(TOLERANCE);
        }
      }
      if (UPDATES) writeFileSync(path('.txt'), text);
      else expect(text, `${name}: if this is meant, npm run pictures`).toBe(readFileSync(path('.txt'), 'utf8'));
    }

    const type = async (text: string) => {
      await page.locator('#input').fill(text);
      await page.keyboard.press('Enter');
    };

    it('a cancellation that waits for a yes, and is done', async () => {
      await page.goto(url);
      await type('/numbers cancel +12015550103');
      await page.locator('[data-action=sb_confirm]').last().waitFor();
    });

    it('a lookup in the terminal', async () => {
      const env = { PORT: undefined, FORCE_COLOR: '1', COLUMNS: '96' };
      const { out } = await runCli(['call', 'numbers', 'lookup', '+12015550105'], folder.path, env);
      await page.setContent(terminalPage('switchboard call numbers lookup +12015550105', out));
      await picture('terminal', page.locator('figure'));
    });
  },
);
