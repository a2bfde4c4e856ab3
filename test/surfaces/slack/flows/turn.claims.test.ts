import { describe, expect, it } from 'vitest';
import { seeded } from '../../../support/world.ts';
import { heard, say, talking } from '../talking.ts';

/* Tests the claims that an answer may not make, through signed requests of Slack. */

const LOOKUP = { name: 'numbers_lookup', input: { PhoneNumber: seeded(1) } };
const UNPROVEN = 'In no record of this conversation';

describe('an answer is compared with the records of its conversation', () => {
  it.each<[string, string, string | undefined]>([
    ['a number that was read', `It is ${seeded(1)}, (201) 555-0101, ending in 0101.`, undefined],
    ['a number of nobody', 'It is +12015559876.', '+12015559876'],
    ['last digits of nobody', 'The line ending in 9876 is fine.', '9876'],
    ['an id of nobody', 'The order is JNUOID-1234-made-up.', 'JNUOID-1234-made-up'],
    ['a short id of nobody', 'It waits as act_123.', 'act_123'],
    ['an amount of nobody', 'That costs 4711 USD.', '4711 USD'],
    ['an amount that the writer named', 'You asked for 640 MB.', undefined],
    ['the same amount in another unit', 'You asked for 0.64 GB.', undefined],
    ['small counts, dates and shares', 'Three of 7 lines, 85 % of them since Nov 20, 2026 at 14:05.', undefined],
    ['a fee of the rules', 'Bringing it back costs 5 USD within 30 days.', undefined],
  ])('%s', async (_, text, marked) => {
    const s = await talking();
    s.model.answers({ calls: [LOOKUP] }, { text: `${text} END` });
    const shows = await heard(s, await s.say('can 0101 have 640 MB?'), /END.*sb_feedback/s);
    if (marked === undefined) expect(shows).not.toContain(UNPROVEN);
    else expect(shows).toMatch(new RegExp(`${UNPROVEN}: [^"]*${marked.replace('+', '\\+')}`));
  });

  it('a figure that was marked is marked again', async () => {
    const s = await talking();
    s.model.answers({ text: 'It is +12015559876. END' });
    const thread = await s.say('whose is it?');
    await heard(s, thread, UNPROVEN);
    s.model.answers({ text: 'As I said, +12015559876. AGAIN' });
    await say(s, 'sure?', { threadTs: thread.ts });
    await heard(s, thread, new RegExp(`AGAIN.*${UNPROVEN}`, 's'));
  });

  it.each([
    ['Done, I have cancelled it.', true],
    ['The limit is now set.', true],
    ['withdrawn', true],
    ['It is withdrawn.', true],
    ['I can set it for you.', false],
    ['It is not withdrawn.', false],
    // The line is active, so the word is no state that was read.
    ['Cancelled.', true],
    ['No, it has not been changed.', false],
    ['Has it been cancelled? I cannot see that.', false],
  ])('an outcome: %s', async (text, isMarked) => {
    const s = await talking();
    s.model.answers({ calls: [LOOKUP] }, { text });
    const shows = await heard(s, await s.say('cancel 0101'), 'sb_feedback');
    expect(shows.includes('No record shows')).toBe(isMarked);
    // The message asked for a change, and none was made.
    expect(shows).toContain('Nothing was changed.');
  });

  it('a withdrawal that was refused, and not one that was done', async () => {
    const s = await talking();
    const withdraw = (id: string) => ({ calls: [{ name: 'confirmations_withdraw', input: { id } }] });
    s.model.answers(withdraw('act_x'), { text: 'withdrawn' });
    expect(await heard(s, await s.say('forget that one'), 'sb_feedback')).toContain('Nothing was changed.');
    s.model.answers({
      calls: [{ name: 'numbers_data_usage_set', input: { PhoneNumbers: [seeded(1)], LimitValue: 300 } }],
    });
    const thread = await s.say('limit 0101 to 300 MB');
    await heard(s, thread, 'sb_withdraw');
    const [waiting] = await s.gate.actions.list({ states: ['pending'] });
    s.model.answers(withdraw(waiting?.id ?? ''), { text: 'withdrawn' });
    await say(s, 'forget it', { threadTs: thread.ts });
    expect(await heard(s, thread, /withdrawn.*sb_feedback/s)).not.toContain('Nothing was changed.');
  });

  it('an outcome that an earlier turn had is no new claim', async () => {
    const s = await talking();
    s.model.answers(
      { calls: [{ name: 'numbers_watch', input: { PhoneNumber: seeded(1) } }] },
      { text: 'It is watched.' },
    );
    const thread = await s.say('watch 0101');
    await heard(s, thread, 'sb_feedback');
    s.model.answers({ text: 'Yes, I have set it up.' });
    await say(s, 'was that done?', { threadTs: thread.ts });
    expect(await heard(s, thread, /Yes, I have set it up.*sb_feedback/s)).not.toContain('Nothing was changed.');
  });
});

describe('a line like the product’s own', () => {
  it.each([
    '✅ Done: Cancel +12015550103',
    'Done: Cancel +12015550103',
    '**Outcome unknown:** Cancel',
    ':white_check_mark: *Confirmed by:* Lee',
    'Nothing was changed.',
  ])('is shown as the model’s: %s', async (line) => {
    const s = await talking();
    s.model.answers({ text: `Well.\n${line}\nEND` });
    const shows = await heard(s, await s.say('and 0103?'), 'END');
    expect(shows).toContain(`The model writes: ${line}`);
  });
});

describe('an answer that is not whole says so', () => {
  it.each([
    ['empty', { text: '' }, 'gave no answer'],
    ['cut by the limit of length', { text: 'It is', reason: 'length' }, 'limit of length'],
    ['withheld', { text: 'It is', reason: 'content_filter' }, 'withheld the rest'],
  ])('%s', async (_, answer, words) => {
    const s = await talking();
    s.model.answers(answer);
    await heard(s, await s.say('how is 0103?'), words);
  });
});
