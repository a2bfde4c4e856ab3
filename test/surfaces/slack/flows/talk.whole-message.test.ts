import { describe, expect, it } from 'vitest';
import { seeded as phone } from '../../../support/world.ts';
import { shown, U_AGENT, U_LEAD } from '../support.ts';
import { answers, heard, talking } from '../talking.ts';

/* A message reaches its reader whole, or the answer says which part was left out. */

const lines = (count: number) => Array.from({ length: count }, (_, i) => `+1201555${1000 + i}`);
const LIST = `park these from today: ${lines(420).join(' ')}`;

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
});

describe('a person whom a message mentions', () => {
  const TEXT = `send 0101 the text: "call <@${U_LEAD}> or <!here>"`;

  it('is written by name in the text that a model reads', async () => {
    const s = await talking();
    s.model.answers({ text: 'Done reading.' });
    await heard(s, await s.say(TEXT), 'Done reading.');
    expect(s.model.requests[0]?.text).toContain('call @lee or @here');
  });

  it('is nobody’s text if the message is for them', async () => {
    const s = await talking();
    s.model.answers({ text: 'Done reading.' });
    await heard(s, await s.say(`<@${U_LEAD}> what is 0101?`), 'Done reading.');
    expect(s.model.requests[0]?.text).not.toContain('@lee');
  });
});

describe('a message in a thread that is also sent beside it', () => {
  it('is answered', async () => {
    const s = await talking();
    s.model.answers({ text: 'Hello.' }, { text: 'Ben Reed has it.' });
    const { channel, ts } = await s.say('hello');
    const message = { type: 'message', channel_type: 'im', channel, user: U_AGENT, text: 'what is 0102?' };
    await s.ws.event({ ...message, subtype: 'thread_broadcast', thread_ts: ts, ts: '1800000000.000100' });
    await heard(s, { channel, ts }, 'Ben Reed has it.');
  });
});
