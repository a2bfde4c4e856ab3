import { describe, expect, it } from 'vitest';
import { sharedStage, U_AGENT, until } from '../support.ts';
import { answers, heard, pendingId, say } from '../talking.ts';

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

  it('offers to withdraw a change that waits, for words that may mean the line too', async () => {
    const s = st();
    const thread = await say(s, 'suspend 0103');
    await heard(s, thread, 'Ask for confirmation');
    const offer = answers(s, thread).at(-1);
    await s.ws.click({ user: U_AGENT, messageTs: offer?.ts ?? '', actionId: 'sb_ask' });
    await until(async () => (await pendingId(s)) !== '', 'the question waits');
    await say(s, 'cancel it', { threadTs: thread.ts });
    await heard(s, thread, 'Words do not take it back');
  });

  it('says in a lookup and a list what it does not take', async () => {
    const s = st();
    const thread = await say(s, 'usage of 0103 in the last 7 days');
    await heard(s, thread, 'Not taken: “last 7 days”');
  });
});
