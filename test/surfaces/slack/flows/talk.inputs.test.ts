import { expect, it } from 'vitest';
import { labelledNumbers, writtenNumbers } from '../../../support/inputs/numbers.ts';
import { type Stage, shown, stage, U_VIEW, until } from '../support.ts';
import { directOf, say } from '../talking.ts';

/* Numbers in direct messages, as Slack sends what people type and paste. */

const answers = (s: Stage) => s.ws.messages(directOf(s, U_VIEW)).map(shown).join('\n');

it('a number in a message is read in every way to write one', async () => {
  const s = await stage({}, { requestsPerMinute: 10_000 });
  await s.control('settings', { requestsPerMinute: 10_000 });
  const wrong: string[] = [];
  for (const { what, write } of [...writtenNumbers, ...labelledNumbers].filter((_, at) => at % 2 === 0)) {
    const before = answers(s).length;
    await say(s, write('2015550102'), { user: U_VIEW });
    await until(() => answers(s).slice(before).includes('Ben Reed'), what).catch(() => wrong.push(what));
  }
  expect(wrong).toEqual([]);
});
