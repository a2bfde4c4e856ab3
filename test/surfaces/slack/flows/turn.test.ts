import { describe, expect, it } from 'vitest';
import { seeded } from '../../../support/world.ts';
import { C_SUPPORT, shown, U_AGENT, U_LEAD, U_VIEW, until, whisper } from '../support.ts';
import { answers, ended, heard, pendingId, say, stateOf, talking } from '../talking.ts';

/* Conversations with a model, through signed requests of Slack. */

const LOOKUP = { name: 'numbers_lookup', input: { PhoneNumber: seeded(2) } };
const CANCEL = { name: 'numbers_cancel', input: { PhoneNumbers: [{ Number: seeded(3) }] } };
const methods = (s: Awaited<ReturnType<typeof talking>>, method: string) => s.ws.calls(method);

describe('an answer of the model', () => {
  it('has a sign at once, its steps, its text, the card, and its records', async () => {
    const s = await talking();
    s.model.answers(
      { text: 'Let me look. ', calls: [LOOKUP] },
      { text: 'Ben Reed has an active line. See <!channel> https://evil.example/x' },
    );
    const thread = await s.say('how is 0102?');
    const text = await heard(s, thread, /Ben Reed has.*Read <!date/s);
    expect(text).toContain('Looked up Ben Reed (+12015550102)');
    expect(text).toContain('‹!channel>');
    expect(text).toContain('`https://evil.example/x`');
    expect(text).toMatch(/Read <!date.*Look up a number/);
    await s.settled();
    const [sign] = methods(s, 'assistant.threads.setStatus');
    expect(sign).toBeDefined();
    expect(s.ws.state.sessions.session(thread.channel, thread.ts)?.status).toBe('active');
    expect([methods(s, 'chat.startStream').length, methods(s, 'chat.stopStream').length]).toEqual([1, 1]);
  });
});

describe('a change', () => {
  it('waits on the same card as a command, a yes in words is none, and the outcome is a new message', async () => {
    const s = await talking();
    s.model.answers({ text: 'I will ask. ', calls: [CANCEL] }, { text: 'It is cancelled!' });
    const thread = await s.say('cancel 0103', { channel: C_SUPPORT });
    await heard(s, thread, 'waits for an approver');
    const asked = s.ws.messages(C_SUPPORT).find((one) => shown(one).includes('sb_confirm'));
    expect(asked?.threadTs).toBe(thread.ts);
    await until(() => s.ws.state.sessions.session(C_SUPPORT, thread.ts)?.status === 'suspended', 'a suspended session');
    // The card stands once in the thread, with the requester's buttons.
    expect(answers(s, thread).filter((one) => /I consent|sb_withdraw/.test(shown(one)))).toEqual([asked]);
    expect(shown(asked)).toMatch(/sb_confirm.*sb_edit.*sb_withdraw/s);
    await say(s, 'yes, do it', { user: U_LEAD, channel: C_SUPPORT, threadTs: thread.ts });
    await heard(s, thread, 'It is cancelled!');
    expect(await stateOf(s, seeded(3))).toBe('Active');
    const before = answers(s, thread).length;
    await s.ws.click({ user: U_LEAD, actionId: 'sb_confirm', messageTs: asked?.ts ?? '', value: await pendingId(s) });
    await until(() => answers(s, thread).length === before + 1, 'the outcome as a new message');
    expect(shown(answers(s, thread).at(-1))).toMatch(/Done.*Cancel/);
    expect(await stateOf(s, seeded(3))).toBe('Cancelled - Pending Delete');
    await s.settled();
    s.clock.skip(10_000);
    expect([s.model.requests.length, answers(s, thread).length]).toEqual([2, before + 1]);
  });

  it('at the level own is shown whole in the thread, applied there, and the message shows the outcome', async () => {
    const s = await talking();
    const input = { Number: seeded(3), CnamFirstName: 'Bob' };
    s.model.answers({ calls: [{ name: 'call', input: { operation: 'numbers_update', input } }] });
    const thread = await s.say('rename 0103 to Bob', { channel: C_SUPPORT });
    const text = await heard(s, thread, 'sb_confirm');
    expect(text).toMatch(/Change \+12015550103.*“Bob”.*Apply.*Edit.*Cancel/s);
    const asked = answers(s, thread).find((one) => shown(one).includes('sb_confirm'));
    const click = { messageTs: asked?.ts ?? '', value: await pendingId(s), actionId: 'sb_confirm' };
    await s.ws.click({ ...click, user: U_VIEW });
    expect(shown(await whisper(s.ws, U_VIEW, 'operator'))).toContain('⛔');
    await s.ws.click({ ...click, user: U_AGENT });
    await until(() => /✅ Done.*“Bob”/s.test(shown(s.ws.message(click.messageTs))), 'the outcome on the same message');
    await heard(s, thread, /✅ Done: .*Change \+12015550103/s);
    expect(shown(s.ws.message(click.messageTs))).not.toContain('sb_confirm');
  });
});

describe('several changes', () => {
  const cancelOf = (n: number) => ({ name: 'numbers_cancel', input: { PhoneNumbers: [{ Number: seeded(n) }] } });

  it('are asked about at most three times in a turn', async () => {
    const s = await talking();
    s.model.answers({ calls: [1, 2, 3, 4, 5].map(cancelOf) }, { text: 'It is Dan.' });
    const thread = await s.say('cancel them all', { channel: C_SUPPORT });
    await ended(s, thread);
    expect(await s.gate.actions.list({ states: ['pending'] })).toHaveLength(3);
    await say(s, 'ok who has 0104', { channel: C_SUPPORT, threadTs: thread.ts });
    await heard(s, thread, 'It is Dan.');
  });
});
