import { expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/lib/clock.ts';
import { asked, click, open, PARK, phone, plan, says, skipUntil } from '../batching.ts';
import { C_SUPPORT, card, type Stage, shown, stage, U_AGENT, U_LEAD, whisper } from '../support.ts';

/** The messages in the thread of a card, oldest first. */
const news = (s: Stage, ts: string): string[] =>
  s.ws
    .messages(C_SUPPORT)
    .filter((message) => message.threadTs === ts && message.ephemeralTo === undefined)
    .map(shown);

it('posts the end of a batch once, in the thread of its card', async () => {
  const s = await stage();
  await s.control('faults', { path: '/v1.0/numbers/status', times: 1, status: 400 });
  const { ts } = await asked(s, [1, 3, 4, 5, 6].map(phone).join('\n'));
  await click(s, U_LEAD, ts, 'sb_confirm');
  await skipUntil(s, () => news(s, ts).length === 1, 'the end is posted', 2_000);
  await says(s, ts, /Stopped/);
  await s.settled();
  expect(news(s, ts)).toHaveLength(1);
  expect(news(s, ts)[0]).toMatch(new RegExp(`${U_AGENT}.*Stopped.*sb_batch_rest`, 's'));
});

it('says of rows that take effect later that they are scheduled, on the card, in the Home and in the lookup', async () => {
  const s = await stage();
  await open(s);
  const later = new Date(Date.now() + 40 * DAY_MS).toISOString().slice(0, 10);
  const list = [phone(1), phone(4)].join('\n');
  await s.ws.submit({ user: U_AGENT, values: { ...PARK, batch_EffectiveDate: later, batch_list: list } });
  await click(s, U_AGENT, (await plan(s)).ts, 'sb_batch_ask');
  const { ts } = await card(s.ws);
  await click(s, U_LEAD, ts, 'sb_confirm');
  await says(s, ts, /2 scheduled for \w{3} \d+, \d{4}/);
  await s.ws.openHome({ user: U_AGENT });
  await s.quiet();
  expect(JSON.stringify(s.ws.home(U_AGENT))).toMatch(/ scheduled for \w{3} \d+, \d{4}/);
  await s.type('/number', '0101');
  expect(shown(await whisper(s.ws, U_AGENT, 'Recent actions'))).toMatch(/Park.* scheduled for \w{3} \d+, \d{4}/);
});
