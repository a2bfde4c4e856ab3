import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../../src/demo/playground/types.ts';
import { seeded } from '../../../support/world.ts';
import { C_APPROVALS, C_SUPPORT, card, decline, shown, U_AGENT, U_LEAD, U_VIEW, until, whisper } from '../support.ts';
import { answers, heard, pendingId, say, stateOf, talking } from '../talking.ts';

/* Conversations with a model, through signed requests of Slack. */

const LOOKUP = { name: 'numbers_lookup', input: { PhoneNumber: seeded(2) } };
const CANCEL = { name: 'numbers_cancel', input: { PhoneNumbers: [{ Number: seeded(3) }] } };
const REFUSED = { error: 'not_allowed_token_type' };
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
    expect(text).toMatch(/Read <!date.*Look a number up/);
    await s.settled();
    const [sign] = methods(s, 'assistant.threads.setStatus');
    expect(sign).toBeDefined();
    expect(s.ws.state.sessions.session(thread.channel, thread.ts)?.status).toBe('active');
    expect([methods(s, 'chat.startStream').length, methods(s, 'chat.stopStream').length]).toEqual([1, 1]);
  });

  it.each<[string, string, Fault, number]>([
    ['a status', 'assistant.threads.setStatus', REFUSED, 1],
    ['a session', 'agents.sessions.setStatus', REFUSED, 1],
    ['the start of a stream', 'chat.startStream', REFUSED, 1],
    ['more of a stream', 'chat.appendStream', REFUSED, 1],
    ['more of a stream that it has ended', 'chat.appendStream', { error: 'message_not_in_streaming_state' }, 2],
    ['the end of a stream, also before its message is removed', 'chat.stopStream', REFUSED, 2],
    ['everything', '*agents', REFUSED, 1],
  ])('arrives whole and once where Slack refuses %s', async (_what, method, fault, tries) => {
    const s = await talking();
    const all = ['assistant.threads.setStatus', 'agents.sessions.setStatus', 'chat.startStream'];
    for (const refused of method === '*agents' ? all : [method]) s.ws.fail(refused, fault, 100);
    for (const text of ['how is 0102?', 'and again, how is it?']) {
      let release: () => void = () => undefined;
      const after = new Promise<void>((resolve) => {
        release = resolve;
      });
      s.model.answers({ text: 'Let me look. ', calls: [LOOKUP] }, { text: 'Ben Reed has an active line.', after });
      const asked = s.model.requests.length;
      const thread = await s.say(text);
      await until(() => s.model.requests.length === asked + 2, 'the second step');
      // The steps are shown before the text, as the start of a stream and as more of it.
      const isFirst = text.startsWith('how');
      if (method !== '*agents' && method !== 'chat.startStream' && (isFirst || fault !== REFUSED)) {
        await until(() => methods(s, 'chat.startStream').some(({ args }) => args.thread_ts === thread.ts), 'a stream');
        const appended = methods(s, 'chat.appendStream').length;
        await until(() => {
          s.clock.skip(1_000);
          return methods(s, 'chat.appendStream').length > appended;
        }, 'more of the stream');
      }
      release();
      await heard(s, thread, 'Ben Reed has an active line.');
      await s.settled();
      const whole = answers(s, thread).filter((one) => shown(one).includes('Ben Reed has an active line.'));
      expect(whole.map((one) => shown(one).includes('Let me look.'))).toEqual([true]);
      expect(s.ws.state.sessions.session(thread.channel, thread.ts)?.status ?? 'active').toMatch(/active/);
    }
    const refused = methods(s, method === '*agents' ? 'chat.startStream' : method);
    expect(refused).toHaveLength(tries);
    const warnings = s.logged.filter((line) => line.startsWith('warn Slack refuses a feature'));
    expect(warnings, warnings.join('\n')).toHaveLength(fault === REFUSED ? (method === '*agents' ? 3 : 1) : 0);
  });

  it('streams 20 answers a minute over all processes, and sends the others as one message', async () => {
    const s = await talking();
    const processes = [s, await s.again()];
    s.model.answers(({ text }) =>
      text.includes('"role":"tool"') ? { text: 'Here you are, an answer.' } : { calls: [LOOKUP] },
    );
    for (let i = 0; i < 22; i += 1) {
      s.ws.setRequestUrl(`${processes[i % 2]?.url}/slack/events`);
      await heard(s, await s.say(`question ${i}`), 'Here you are, an answer.');
    }
    expect(methods(s, 'chat.startStream')).toHaveLength(20);
    s.clock.skip(61_000);
    await heard(s, await s.say('one more'), 'Here you are, an answer.');
    expect(methods(s, 'chat.startStream')).toHaveLength(21);
  });
});

describe('what an answer shows', () => {
  it('stands in the order in which it happened, with one card above the answer and the rest by a button', async () => {
    const s = await talking();
    const other = { name: 'numbers_lookup', input: { PhoneNumber: seeded(1) } };
    s.model.answers({ text: 'Let me look at each ', calls: [other] }, { calls: [LOOKUP] }, { text: 'Both are fine.' });
    const thread = await s.say('how are 0101 and 0102?');
    const text = await heard(s, thread, /Both are fine.*Read <!date/s);
    await s.settled();
    const [answer, ...more] = answers(s, thread);
    expect(more).toEqual([]);
    expect(answer?.blocks.map(({ type, title }) => title ?? type).filter((one) => one !== 'rich_text')).toEqual([
      'markdown',
      'Looked up Ava Stone (+12015550101)',
      'Looked up Ben Reed (+12015550102)',
      'header',
      'actions',
      'actions',
      'markdown',
      'actions',
      'context',
    ]);
    expect(text).toContain('Look a number up: Ava Stone');
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
    // The whole card stands once in the thread, with the requester's buttons below it.
    expect(answers(s, thread).filter((one) => shown(one).includes('I consent'))).toHaveLength(1);
    const own = answers(s, thread).filter((one) => shown(one).includes('sb_withdraw'));
    expect(own.map(({ ephemeralTo }) => ephemeralTo)).toEqual([undefined]);
    expect(shown(own[0])).toMatch(/Cancel \+12015550103.*on the card above.*sb_edit/s);
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

  it.each(['declined', 'expired'])('that is %s is told in the thread', async (end) => {
    const s = await talking();
    s.model.answers({ calls: [CANCEL] });
    const thread = await s.say('cancel 0103');
    expect(await heard(s, thread, 'waits for an approver')).toContain('sb_withdraw');
    if (end === 'expired') s.clock.skip(24 * 3_600_000);
    else {
      const asked = await card(s.ws, C_APPROVALS);
      await decline(s, { user: U_LEAD, messageTs: asked.ts });
    }
    await heard(s, thread, end === 'declined' ? /Declined/i : /Expired/i);
    await until(() => !answers(s, thread).some((one) => shown(one).includes('sb_withdraw')), 'no button to withdraw');
    expect(answers(s, thread).map(shown).join()).toMatch(/was already declined|expired at/);
    expect(await stateOf(s, seeded(3))).toBe('Active');
  });
});

describe('several changes', () => {
  const cancelOf = (n: number) => ({ name: 'numbers_cancel', input: { PhoneNumbers: [{ Number: seeded(n) }] } });

  it('are asked about at most three times in a turn', async () => {
    const s = await talking();
    s.model.answers({ calls: [1, 2, 3, 4, 5].map(cancelOf) }, { text: 'It is Dan.' });
    const thread = await s.say('cancel them all', { channel: C_SUPPORT });
    await heard(s, thread, 'waits for an approver');
    expect(await s.gate.actions.list({ states: ['pending'] })).toHaveLength(3);
    await say(s, 'ok who has 0104', { channel: C_SUPPORT, threadTs: thread.ts });
    await heard(s, thread, 'It is Dan.');
  });
});
