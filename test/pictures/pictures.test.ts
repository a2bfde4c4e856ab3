import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { ROOT } from '../support/build.ts';
import { type DemoBrowser, openDemoBrowser } from '../support/demo-browser.ts';
import { callOf } from '../support/messages.ts';
import { runCli } from '../support/process.ts';
import { type Json, postMcp } from '../support/world.ts';
import { difference, drawsEmoji } from './compare.ts';
import { useFonts } from './fonts.ts';
import { terminalPage } from './terminal.ts';

/*
 * The pictures of the root README and of a support agent's day, taken from the running demo: npm run pictures. Each has
 * its text beside it, with times and ids left out. `npm run test:all` takes them again and compares: the text exactly,
 * the picture with tolerance.
 */

const FOLDER = join(ROOT, 'test', 'pictures');
const UPDATES = process.env.UPDATE_PICTURES === '1';
const TOLERANCE = 0.03;
const SCHEMES = ['light', 'dark'] as const;

/** Sets all times and near days of a page alike, because a wider one may break a line: 11:30 PM, Tomorrow. */
const SAME_TIMES = `{
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode())
    walk.currentNode.nodeValue = walk.currentNode.nodeValue
      .replace(/\\d{1,2}:\\d\\d [AP]M/g, '9:30 PM')
      .replace(/\\b(Tomorrow|Yesterday)\\b/g, 'Today');
}`;

/** Texts that differ from run to run, with their replacements. */
const VARYING: readonly [RegExp, string][] = [
  [/\b\d{1,2}:\d{2}(:\d{2})?( ?[AP]M)?\b/g, 'TIME'],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? ?/g, ''],
  [/\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}(, \d{4})?\b/g, 'DATE'],
  [/\b\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*( \d{4})?\b/g, 'DATE'],
  [/\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}\/\d{1,2}\/\d{4}\b/g, 'DATE'],
  [/\b([A-Z]{2,8}-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, 'ID'],
  [/\b(act|cnf)_[\w-]+/g, 'ID'],
  [/\blocal:[\w.-]+/g, 'local:USER'],
  [/\b127\.0\.0\.1:\d+/g, 'HOST'],
  [/\b\d+ (second|minute|hour)s?\b/g, 'A WHILE'],
  [/\(edited\)/g, ''],
  [/\b(Today|Tomorrow|Yesterday)\b/g, 'DAY'],
];

function steady(text: string): string {
  const plain = VARYING.reduce((all, [pattern, word]) => all.replace(pattern, word), text);
  const lines = plain.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  return `${lines.filter(Boolean).join('\n')}\n`;
}

describeInBrowser('the pictures of the README', (openBrowser) => {
  let demo: DemoBrowser;
  let page: Page;
  /** Compares: the page itself may forbid to load pictures. */
  let blank: Page;
  let url: string;

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    demo = await openDemoBrowser(openBrowser);
    url = demo.url;
    page = await demo.browser.newPage({
      bypassCSP: true,
      deviceScaleFactor: 1,
      viewport: { width: 1040, height: 900 },
      timezoneId: 'UTC',
    });
    blank = await demo.browser.newPage();
    const isReady = !UPDATES || (await drawsEmoji(blank));
    if (!isReady) throw new Error('no font with emoji: install fonts-noto-color-emoji, then npm run pictures');
  });

  /**
   * Takes a picture in both colour schemes; compares it with the one that is kept, or keeps it.
   */
  async function picture(name: string, of: Locator): Promise<void> {
    const path = (ending: string) => join(FOLDER, `${name}${ending}`);
    // biome-ignore lint/performance/useDomNodeTextContent: its line breaks are those that a reader sees.
    const text = steady(await of.innerText());
    await useFonts(page);
    await page.evaluate(SAME_TIMES);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const png = await of.screenshot({ animations: 'disabled', caret: 'hide' });
      const file = path(`-${colorScheme}.png`);
      if (UPDATES) writeFileSync(file, png);
      else {
        expect(existsSync(file), `${file} is missing: npm run pictures`).toBe(true);
        expect(await difference(blank, readFileSync(file), png), `${file}: npm run pictures`).toBeLessThan(TOLERANCE);
      }
    }
    if (UPDATES) writeFileSync(path('.txt'), text);
    else expect(text, `${name}: if this is meant, npm run pictures`).toBe(readFileSync(path('.txt'), 'utf8'));
  }

  const visit = async (person?: string) => {
    await page.goto(url);
    await page.locator('.welcome').waitFor();
    if (person !== undefined) await page.locator('#user').selectOption({ label: person });
  };
  const type = async (text: string) => {
    await page.locator('#input').fill(text);
    await page.keyboard.press('Enter');
  };

  /** An assistant asks for a change. Resolves to the confirmation that its result names. */
  async function ask(name: string, input: object): Promise<{ url: string }> {
    const { result } = (await (await postMcp(new URL(url).origin, callOf(name, input))).json()) as Json;
    if (!result.structuredContent?.confirmation) throw new Error(JSON.stringify(result));
    return result.structuredContent.confirmation;
  }

  it('a cancellation that an approver is asked for', async () => {
    await visit();
    await type('/numbers cancel +12015550103');
    await page.locator('[data-action=sb_confirm]').last().waitFor();
    await page.locator('#user').selectOption({ label: 'Lee (approver)' });
    const card = page.locator('article.message', { has: page.locator('h3', { hasText: 'Cancel +12015550103' }) });
    await card.getByText('Asked:').waitFor();
    await picture('cancel', card.last());
    await page.locator('#user').selectOption({ label: 'Ana (operator)' });
  });

  it('a number looked up in Slack', async () => {
    await page.goto(url);
    await type('/number +12015550105');
    const answer = page.locator('article.ephemeral', { hasText: '(201) 555-0105' }).last();
    await answer.getByRole('button').first().waitFor();
    await answer.getByText('Loading the rest').waitFor({ state: 'detached' });
    await picture('lookup', answer);
  });

  describe('the approval cards of a day', () => {
    /** Signs in as Lee, opens a channel, and gives its newest card of this title. */
    const cardFor = async (title: string, channel: string) => {
      await visit('Lee (approver)');
      await page.locator('.place', { hasText: channel }).first().click();
      const card = page.locator('article.message', { has: page.locator('h3', { hasText: title }) }).last();
      await card.waitFor();
      return card;
    };
    const asAna = async (line: string) => {
      await visit('Ana (operator)');
      await page.locator('.place', { hasText: 'support' }).first().click();
      await type(line);
    };

    it.each([
      [
        'approve-sms',
        'message_outbound',
        {
          From: '+12015550101',
          To: [{ Number: '+12015550102' }],
          Body: 'Hi Ben, your replacement SIM ships today. Please keep your phone on tomorrow from 9 to 12.',
        },
        'Send an SMS',
      ],
      [
        'approve-filter',
        'subscribers_message_filter_create',
        {
          SubscriberId: 'TSUID-00000000-0000-4000-8000-000000000002',
          Phone: '+12015550102',
          FilterMode: 'ACTIVE',
          ApplyToInbound: true,
          ApplyToOutbound: true,
          BlockedContacts: Array.from({ length: 8 }, (_, n) => `+1312555018${n}`),
          KeywordFilter: '{"CustomKeywords":["giveaway","crypto","loan"]}',
        },
        'message filter',
      ],
      [
        'approve-batch',
        'batches_create',
        {
          Operation: 'numbers_update',
          Numbers: ['+12015550101', '+12015550102', '+12015550106'],
          Fields: { CnamFirstName: 'Acme', CnamLastName: 'Mobile' },
        },
        '3 ',
      ],
    ])(
      '%s: the question about %s that an assistant asks',
      async (name, tool, input, title) => {
        await ask(tool, input);
        const card = await cardFor(title, 'approvals');
        await card.locator('[data-action=sb_confirm]').waitFor();
        await picture(name, card);
      },
      60_000,
    );

    it('the outcome of a cancellation, for its requester', async () => {
      await asAna('/numbers cancel +12015550104');
      await page.locator('[data-action=sb_confirm]').last().waitFor();
      const card = await cardFor('Cancel +12015550104', 'support');
      await card.locator('[data-action=sb_confirm]').click();
      await page.getByRole('alertdialog').waitFor();
      await page.keyboard.press('Enter');
      await card.getByText('Done').first().waitFor();
      // A pointer on the message shows its menu.
      await page.mouse.move(0, 0);
      await picture('outcome-cancel', card);
      await page.locator('#user').selectOption({ label: 'Ana (operator)' });
    });
  });

  it('the guide through a port-in', async () => {
    await page.goto(url);
    await type('/numbers portin guide +13125550155');
    const guide = page.locator('form.modal');
    await guide.getByRole('button', { name: 'Check', exact: true }).click();
    await guide.getByRole('button', { name: 'Ask for approval', exact: true }).waitFor();
    await picture('portin', guide);
    await page.keyboard.press('Escape');
  });

  it('what an assistant has asked for, on the confirmation page', async () => {
    const { out } = await runCli(['key'], demo.folder, { PORT: undefined });
    await page.goto(out.trim());
    const asked = await ask('numbers_reactivate', { PhoneNumber: '+12015550107' });
    await page.setViewportSize({ width: 640, height: 900 });
    await page.goto(asked.url);
    await page.getByRole('button', { name: /^Reactivate/ }).waitFor();
    await picture('page', page.locator('body'));
    await page.setViewportSize({ width: 1040, height: 900 });
  });

  it('a diagnosis in the terminal', async () => {
    const env = { PORT: undefined, FORCE_COLOR: '1', COLUMNS: '96' };
    const command = ['call', 'numbers', 'why', '+12015550105'];
    const { out } = await runCli([...command, '--output', 'table'], demo.folder, env);
    // A page that was opened brings its content security policy along.
    await page.goto('about:blank');
    await page.setContent(terminalPage(`switchboard ${command.join(' ')}`, out));
    await picture('terminal', page.locator('figure'));
  });
});
