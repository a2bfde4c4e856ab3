import { describe, expect, it } from 'vitest';
import { sharedStage, U_AGENT, until } from '../support.ts';
import { answers, heard, pendingId, say } from '../talking.ts';

describe('what people say about an open offer', () => {
  const st = sharedStage();

  /** Offers a change, and asks for it. */
  async function asked(text: string) {
    const s = st();
    const thread = await say(s, text);
    await heard(s, thread, 'Ask for confirmation');
    const offer = answers(s, thread).at(-1);
    const before = await pendingId(s);
    await s.ws.click({ user: U_AGENT, messageTs: offer?.ts ?? '', actionId: 'sb_ask' });
    await until(async () => (await pendingId(s)) !== before, 'the question waits');
    return { s, thread };
  }

  it('says that nothing was asked for yet while a change is only offered', async () => {
    const s = st();
    const thread = await say(s, 'cancel 0104');
    await heard(s, thread, 'Ask for confirmation');
    await say(s, 'has anyone said yes yet', { threadTs: thread.ts });
    expect(await heard(s, thread, 'Nothing was asked for yet')).toContain('“Cancel numbers” is only offered');
  });

  it('says until when a request waits, for a question whether a colleague approved it', async () => {
    const { s, thread } = await asked('reactivate 0107');
    await say(s, 'did lee approve it', { threadTs: thread.ts });
    expect(await heard(s, thread, 'Waits until')).toContain('Reactivate');
  });

  it('removes the buttons of an offer that is taken back after another answer', async () => {
    const s = st();
    const thread = await say(s, 'park 0103');
    await heard(s, thread, 'Park (201) 555-0103');
    const offer = answers(s, thread).at(-1)?.ts;
    await say(s, 'is it on hold now?', { threadTs: thread.ts });
    await heard(s, thread, 'No: it is active');
    await say(s, 'she found it, never mind', { threadTs: thread.ts });
    await heard(s, thread, 'is taken back');
    const shown = answers(s, thread).find(({ ts }) => ts === offer)?.blocks;
    expect(JSON.stringify(shown)).toContain('Withdrawn. Nothing was done.');
    expect(JSON.stringify(shown)).not.toContain('sb_ask');
  });

  it('shows the request that waits, and offers the order that was meant', async () => {
    const { s, thread } = await asked('park 0105 and 0106');
    await say(s, 'pull that one back, i meant only 0106', { threadTs: thread.ts });
    const text = await heard(s, thread, 'Read as “park 0106”');
    expect(text).toContain('Words do not take it back');
  });

  it('withdraws the offers of a conversation that is forgotten', async () => {
    const s = st();
    const thread = await say(s, 'park 0103');
    await heard(s, thread, 'Park (201) 555-0103');
    const offer = answers(s, thread).at(-1)?.ts;
    await say(s, 'forget this conversation', { threadTs: thread.ts });
    await heard(s, thread, 'forgotten');
    const shown = answers(s, thread).find(({ ts }) => ts === offer)?.blocks;
    expect(JSON.stringify(shown)).toContain('Withdrawn. Nothing was done.');
  });
});
