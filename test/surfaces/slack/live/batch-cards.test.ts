import { expect, it } from 'vitest';
import { asked, click, phone, says, skipUntil } from '../batching.ts';
import { C_SUPPORT, type Stage, shown, stage, U_AGENT, U_LEAD } from '../support.ts';

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
