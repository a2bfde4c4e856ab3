import { describe, expect, it } from 'vitest';
import { type Message, objects } from '../../../../src/demo/playground/types.ts';
import { seeded } from '../../../support/world.ts';
import { C_APPROVALS, shown, stage, U_AGENT, until } from '../support.ts';
import { answers, heard, pendingId, say, type Thread, talking } from '../talking.ts';

/* Direct messages that are deleted or corrected, through signed requests of Slack. */

const CANCEL = { name: 'numbers_cancel', input: { PhoneNumbers: [{ Number: seeded(3) }] } };
type S = Awaited<ReturnType<typeof stage>>;

/** The person deletes a message, or (`text`) changes it. One with replies leaves a notice in its place. */
async function changes(s: S, { channel, ts }: Thread, before: string, text?: string, isTombstone = false) {
  const said = { type: 'message', user: U_AGENT, text: before, ts };
  const base = { type: 'message', channel, channel_type: 'im', event_ts: ts, previous_message: said };
  const edited = { user: U_AGENT, ts: '1795786999.000000' };
  const message = isTombstone
    ? { type: 'message', subtype: 'tombstone', user: 'USLACKBOT', text: 'This message was deleted.', ts }
    : { ...said, text, edited };
  const isDeletion = text === undefined && !isTombstone;
  await s.ws.event({
    ...base,
    ...(isDeletion ? { subtype: 'message_deleted', deleted_ts: ts } : { subtype: 'message_changed', message }),
  });
}

const blocks = (message: Message | undefined) => objects(message?.blocks);
const stateOfLast = async (s: S) => (await s.gate.actions.list({ limit: 1 }))[0]?.state;

describe('a message that is deleted', () => {
  it('is not answered any more', async () => {
    const s = await talking();
    s.model.answers({ hangs: true });
    const thread = await s.say('cancel 0103 please');
    await until(() => s.model.requests.length === 1, 'a request to the model');
    await changes(s, thread, 'cancel 0103 please');
    await until(
      () => s.ws.state.sessions.session(thread.channel, thread.ts)?.status === 'active',
      'the end of the answer',
    );
    await s.settled();
    expect(answers(s, thread)).toEqual([]);
  });

  it.each([false, true])('takes its request back (a notice in its place: %s)', async (isTombstone) => {
    const s = await talking();
    s.model.answers({ calls: [CANCEL] });
    const thread = await s.say('cancel 0103 please');
    await until(async () => (await pendingId(s)) !== '', 'a request');
    await heard(s, thread, 'Waits for an approver');
    await changes(s, thread, 'cancel 0103 please', undefined, isTombstone);
    await heard(s, thread, 'Withdrawn: Cancel');
    await s.settled();
    expect(await stateOfLast(s)).toBe('declined');
    await until(
      () => s.ws.messages(C_APPROVALS).some((one) => shown(one).includes('Withdrawn: Cancel')),
      'the card to say so',
    );
  });

  it('takes back the request that its answer makes at the same moment, in another process too', async () => {
    const s = await talking();
    const other = await s.again();
    s.ws.setRequestUrl(`${s.url}/slack/events`);
    let release: () => void = () => undefined;
    const after = new Promise<void>((resolve) => {
      release = resolve;
    });
    s.model.answers({ text: 'I ask for it. ', calls: [CANCEL], after });
    const thread = await s.say('cancel 0103 please');
    await until(() => s.model.requests.length === 1, 'a request to the model');
    s.ws.setRequestUrl(`${other.url}/slack/events`);
    await changes(s, thread, 'cancel 0103 please');
    release();
    await until(
      () => s.ws.state.sessions.session(thread.channel, thread.ts)?.status === 'active',
      'the end of the answer',
    );
    await s.settled();
    expect(await pendingId(s)).toBe('');
    expect(answers(s, thread).map(shown).join('\n')).not.toContain('Waits for an approver');
  });

  it('is taken out of those that wait for an answer', async () => {
    const s = await talking();
    s.model.answers({ hangs: true }, { text: 'The third.' });
    const first = await s.say('think hard');
    await until(() => s.model.requests.length === 1, 'a request to the model');
    const second = await s.say('cancel 0103 please');
    const third = await s.say('how is 0102?');
    await until(
      () =>
        s.ws.calls('assistant.threads.setStatus').filter(({ args }) => /earlier message/.test(String(args.status)))
          .length === 2,
      'two that wait',
    );
    await changes(s, second, 'cancel 0103 please');
    await say(s, 'stop', { threadTs: first.ts });
    await heard(s, third, 'The third.');
    expect(s.model.requests).toHaveLength(2);
    expect(answers(s, second)).toEqual([]);
  });
});

describe('a message whose text is changed', () => {
  it('is answered as it is now, and the answer to what it said before stops', async () => {
    const s = await talking();
    s.model.answers({ hangs: true }, { text: 'The limit of Ben.' });
    const thread = await s.say('cancel 0103 please');
    await until(() => s.model.requests.length === 1, 'a request to the model');
    await changes(s, thread, 'cancel 0103 please', 'what is the limit of 0102?');
    await heard(s, thread, 'The limit of Ben.');
    expect(s.model.requests[1]?.text).toContain('what is the limit of 0102?');
    expect(s.model.requests[1]?.text).not.toContain('cancel 0103');
  });

  it('takes its request back, and its answer is forgotten', async () => {
    const s = await talking();
    s.model.answers({ calls: [CANCEL] }, { text: 'The limit of Ben.' });
    const thread = await s.say('cancel 0103 please');
    await heard(s, thread, 'Waits for an approver');
    await changes(s, thread, 'cancel 0103 please', 'what is the limit of 0102?');
    await heard(s, thread, 'The limit of Ben.');
    await heard(s, thread, 'Withdrawn: Cancel');
    expect(s.model.requests[1]?.text).not.toContain('cancel 0103');
  });

  it('is not answered again when Slack adds the preview of a link', async () => {
    const s = await talking();
    s.model.answers({ text: 'Ben Reed.' });
    const thread = await s.say('how is 0102?');
    await heard(s, thread, 'Ben Reed.');
    await changes(s, thread, 'how is 0102?', 'how is 0102?');
    await s.settled();
    expect(s.model.requests).toHaveLength(1);
  });

  it('gets the offer of the catalogue for its new text, and the earlier offer is withdrawn', async () => {
    const s = await stage();
    const thread = await say(s, 'cancel 0103');
    await heard(s, thread, 'Ava Stone');
    await changes(s, thread, 'cancel 0103', 'cancel 0105');
    await heard(s, thread, 'Withdrawn. Nothing was done.');
    await heard(s, thread, '(201) 555-0105');
    const [first, second] = answers(s, thread);
    expect(blocks(first).filter(({ type }) => type === 'actions')).toEqual([]);
    expect(blocks(second).some(({ type }) => type === 'actions')).toBe(true);
  });
});
