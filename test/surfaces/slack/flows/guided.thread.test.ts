import { describe, expect, it } from 'vitest';
import { C_APPROVALS, sharedStage, U_AGENT, U_LEAD, until } from '../support.ts';
import { answers, blocksOf, heard, pendingId, say } from '../talking.ts';

describe('a thread without a model', () => {
  const st = sharedStage();

  it('makes the same offer for another line, and names the first one as withdrawn', async () => {
    const s = st();
    const thread = await say(s, 'park 0103');
    await heard(s, thread, 'Park (201) 555-0103');
    await say(s, 'sorry, 0105', { threadTs: thread.ts });
    const text = await heard(s, thread, 'Park (201) 555-0105');
    expect(text).toContain('takes the place of “park 0103”, which is withdrawn');
  });

  it('removes the buttons of the offer that a correction or a retraction withdraws', async () => {
    const s = st();
    const thread = await say(s, 'park 0103');
    await heard(s, thread, 'Park (201) 555-0103');
    const first = answers(s, thread).at(-1)?.ts;
    const shown = (ts: string | undefined) =>
      JSON.stringify(answers(s, thread).find((one) => one.ts === ts)?.blocks ?? []);
    expect(shown(first)).toContain('Ask for confirmation');
    await say(s, 'sorry, 0105', { threadTs: thread.ts });
    await heard(s, thread, 'Park (201) 555-0105');
    expect(shown(first)).toContain('Withdrawn. Nothing was done.');
    expect(shown(first)).not.toContain('sb_ask');
    const second = answers(s, thread).at(-1)?.ts;
    expect(shown(second)).toContain('sb_ask');
    await say(s, 'forget it', { threadTs: thread.ts });
    await heard(s, thread, 'its offer is withdrawn');
    expect(shown(second)).not.toContain('sb_ask');
  });

  it('finds the entries of a list that was shown, and adds what a short message gives to the open offer', async () => {
    const s = st();
    const thread = await say(s, 'what packages are there');
    await heard(s, thread, 'Starter');
    await say(s, 'put 0106 on the first one', { threadTs: thread.ts });
    const offered = await heard(s, thread, 'Subscribe a number to a package');
    expect(offered).toContain('the Starter package');
    expect(JSON.stringify(answers(s, thread).at(-1)?.blocks)).toContain('Starter · 15 USD a month');
    await say(s, 'cap 0103 at 5 gb', { threadTs: thread.ts });
    await heard(s, thread, '5 GB');
    await say(s, 'and slow down to 1 mbps at 4 gb', { threadTs: thread.ts });
    await heard(s, thread, '4 GB');
    const last = JSON.stringify(answers(s, thread).at(-1)?.blocks);
    expect(last).toContain('5 GB');
    expect(last).toContain('4 GB');
  });

  it('knows what it and her mean, and what the last order costs', async () => {
    const s = st();
    const thread = await say(s, 'find 0104');
    await heard(s, thread, '(201) 555-0104');
    await say(s, 'put it on hold', { threadTs: thread.ts });
    await heard(s, thread, 'Park (201) 555-0104');
    await say(s, 'reactivate 0107', { threadTs: thread.ts });
    await heard(s, thread, 'Reactivate (201) 555-0107');
    await say(s, 'what does that cost?', { threadTs: thread.ts });
    await heard(s, thread, 'Reactivate a cancelled number: Cost: 5 USD');
  });

  it('offers to withdraw a change that waits, when its requester takes it back', async () => {
    const s = st();
    const thread = await say(s, 'cancel 0105');
    await heard(s, thread, 'Ask for confirmation');
    const offer = answers(s, thread).at(-1);
    await s.ws.click({ user: U_AGENT, messageTs: offer?.ts ?? '', actionId: 'sb_ask' });
    await until(async () => (await pendingId(s)) !== '', 'the question waits');
    const id = await pendingId(s);
    await say(s, 'no, forget it', { threadTs: thread.ts });
    await heard(s, thread, 'Words do not take it back');
    const last = answers(s, thread).findLast(({ text }) => text.includes('Words do not take it back'));
    expect(JSON.stringify(last?.blocks)).toContain(id);
    await s.ws.click({ user: U_AGENT, messageTs: last?.ts ?? '', actionId: 'sb_withdraw' });
    await until(async () => (await pendingId(s)) === '', 'the question is withdrawn');
  });

  it('does not say that nothing was done of a change that was confirmed', async () => {
    const s = st();
    const thread = await say(s, 'park 0103');
    await heard(s, thread, 'Ask for confirmation');
    await s.ws.click({ user: U_AGENT, messageTs: answers(s, thread).at(-1)?.ts ?? '', actionId: 'sb_ask' });
    await until(async () => (await pendingId(s)) !== '', 'the question waits');
    const card = () =>
      s.ws.messages(C_APPROVALS).findLast(({ blocks }) => JSON.stringify(blocks).includes('sb_confirm'));
    await until(() => card() !== undefined, 'the card stands in the channel of approvals');
    await s.ws.click({ user: U_LEAD, messageTs: card()?.ts ?? '', actionId: 'sb_confirm' });
    await heard(s, thread, 'Done');
    await say(s, 'never mind', { threadTs: thread.ts });
    await heard(s, thread, 'words do not undo it');
    const last = answers(s, thread).findLast(({ text }) => text.includes('words do not undo it'));
    expect(JSON.stringify(last?.blocks)).toContain('"Activate"');
    expect(await heard(s, thread, 'words do not undo it')).not.toContain('withdrawn');
  });

  it('offers no remedy that the message speaks against, and a form where a name is unknown', async () => {
    const s = st();
    const refused = await say(s, 'please do not reactivate 0107');
    await heard(s, refused, 'You said not to');
    expect(JSON.stringify(blocksOf(s, refused))).not.toContain('Reactivate it');
    const asked = await say(s, 'what is wrong with 0107?');
    await heard(s, asked, 'Reactivate it');
    const unknown = await say(s, 'block +19295550144 for zelda');
    await heard(s, unknown, 'No subscriber matches “zelda”');
    expect(JSON.stringify(blocksOf(s, unknown))).toContain('Open the form');
  });

  it('offers to withdraw a change that waits, for words that may mean the line too', async () => {
    const s = st();
    const thread = await say(s, 'suspend 0103');
    await heard(s, thread, 'Ask for confirmation');
    const offer = answers(s, thread).at(-1);
    await s.ws.click({ user: U_AGENT, messageTs: offer?.ts ?? '', actionId: 'sb_ask' });
    await until(async () => (await pendingId(s)) !== '', 'the question waits');
    await say(s, 'cancel it', { threadTs: thread.ts });
    await heard(s, thread, 'Words do not take it back');
    expect(JSON.stringify(blocksOf(s, thread))).not.toContain('Do not use the buttons');
  });

  it('says of a change that waits that only its button withdraws it, whatever takes its place', async () => {
    const s = st();
    const thread = await say(s, 'suspend 0104');
    await heard(s, thread, 'Ask for confirmation');
    const offer = answers(s, thread).at(-1);
    await s.ws.click({ user: U_AGENT, messageTs: offer?.ts ?? '', actionId: 'sb_ask' });
    await until(async () => (await pendingId(s)) !== '', 'the question waits');
    await say(s, 'ok she paid, put her back on', { threadTs: thread.ts });
    const text = await heard(s, thread, 'already Active');
    expect(text).toContain('which waits until you withdraw it with its button');
    expect(text).not.toContain('which is withdrawn');
    const last = JSON.stringify(answers(s, thread).at(-1)?.blocks);
    expect(last).not.toContain('still waits');
  });

  it('says in a lookup and a list what it does not take', async () => {
    const s = st();
    const thread = await say(s, 'usage of 0103 in the last 7 days');
    await heard(s, thread, 'not by period (“in the last 7 days”)');
  });
});
