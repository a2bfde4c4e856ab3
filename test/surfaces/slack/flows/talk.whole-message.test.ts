import { describe, expect, it } from 'vitest';
import { seeded as phone } from '../../../support/world.ts';
import {
  C_APPROVALS,
  C_SUPPORT,
  S_APPROVERS,
  type Stage,
  sharedStage,
  shown,
  U_AGENT,
  U_LEAD,
  until,
} from '../support.ts';
import { answers, directOf, heard, say, talking } from '../talking.ts';

const stageOf = sharedStage();

/* A message reaches its reader whole, or the answer says which part was left out. */

const lines = (count: number) => Array.from({ length: count }, (_, i) => `+1201555${1000 + i}`);
const LIST = `park these from today: ${lines(420).join(' ')}`;
const LEFT_OUT = `of the ${LIST.length} characters of this message were read`;

describe('a message with a long list', () => {
  it('is read whole by a model', async () => {
    const s = await talking();
    s.model.answers({ text: 'I have read it.' });
    const thread = await s.say(LIST);
    await heard(s, thread, 'I have read it.');
    expect(s.model.requests[0]?.text).toContain(lines(420).join(' '));
    expect(answers(s, thread).map(shown).join()).not.toContain('were read');
  });

  it('that a model cannot read whole says so, and ends with a whole number', async () => {
    const s = await talking();
    s.model.answers({ text: 'I have read it.' });
    const list = lines(1_000).join(' ');
    const thread = await s.say(list);
    expect(await heard(s, thread, 'Only the first')).toContain(`of the ${list.length} characters`);
    const read = s.model.requests[0]?.text.match(/\+1201555\d*/g) ?? [];
    expect(read.length).toBeGreaterThan(900);
    expect(read.filter((one) => one.length !== phone(1).length)).toEqual([]);
  });

  it('without a model says how much of it was read', async () => {
    const s = stageOf();
    const thread = await say(s, LIST);
    expect(await heard(s, thread, LEFT_OUT)).toContain('Give a long list as a batch.');
  });
});

describe('a person whom a message mentions', () => {
  const TEXT = `send 0101 the text: "call <@${U_LEAD}> or <!here>"`;

  it('is written by name in the text that a model reads', async () => {
    const s = await talking();
    s.model.answers({ text: 'Done reading.' });
    await heard(s, await s.say(TEXT), 'Done reading.');
    expect(s.model.requests[0]?.text).toContain('call @lee or @here');
  });

  it('is written by name in the text of an SMS', async () => {
    const s = stageOf();
    expect(await heard(s, await say(s, TEXT), 'Send a message')).toContain('call @lee or @here');
  });

  it('is nobody’s text if the message is for them', async () => {
    const s = stageOf();
    const thread = await say(s, `<@${U_LEAD}> what is 0101?`);
    expect(await heard(s, thread, 'Ava Stone')).not.toContain('@lee');
  });
});

describe('what waits', () => {
  it('is counted whole, and says that more waits than is listed', async () => {
    const s = stageOf();
    for (let i = 0; i < 12; i += 1)
      await s.type('/message', `outbound From=${phone(1)} To=+131255501${10 + i} Body=hi`, U_AGENT);
    await s.type('/numbers', 'data usage set 0103 LimitValue=40', U_LEAD);
    await s.settled();
    const thread = await say(s, 'what is waiting for me?', { user: U_LEAD });
    const said = await heard(s, thread, 'to decide');
    expect(said).toContain('13 to decide, 1 of your own');
    expect(said).toContain('… 3 more.');
    const own = await heard(s, await say(s, 'what is waiting for me?', { user: U_AGENT }), 'Your open requests');
    // Each of the requests that are listed can be withdrawn.
    expect(own.split('"sb_withdraw"')).toHaveLength(11);
  });

  it('is listed with its buttons where a message withdraws a request without naming it', async () => {
    const s = stageOf();
    await s.type('/message', `outbound From=${phone(1)} To=+13125550110 Body=hi`, U_AGENT);
    await s.settled();
    const said = await heard(s, await say(s, 'withdraw my request', { user: U_AGENT }), 'Your open requests');
    expect(said).toContain('"sb_withdraw"');
  });
});

describe('a question about batches', () => {
  it.each(['is a batch running', 'batch status'])('is answered with the list of batches: %s', async (text) => {
    const s = stageOf();
    expect(await heard(s, await say(s, text), 'New batch')).toContain('You have no batches.');
  });
});

describe('a question about who decides', () => {
  it.each(['who has to approve my requests', 'who can confirm this?'])('names the approvers: %s', async (text) => {
    const s = stageOf();
    const said = await heard(s, await say(s, text), 'waits for an approver');
    expect(said).toContain(S_APPROVERS);
    expect(said).toContain(C_APPROVALS);
  });
});

describe('a message in a thread that is also sent beside it', () => {
  it('is answered', async () => {
    const s: Stage = stageOf();
    const channel = directOf(s, U_AGENT);
    const { ts } = await say(s, 'hello');
    const message = { type: 'message', channel_type: 'im', channel, user: U_AGENT, text: 'what is 0102?' };
    await s.ws.event({ ...message, subtype: 'thread_broadcast', thread_ts: ts, ts: '1800000000.000100' });
    await until(() => answers(s, { channel, ts }).map(shown).join().includes('Ben Reed'), 'the answer');
    expect(s.ws.messages(C_SUPPORT)).toEqual([]);
  });
});
