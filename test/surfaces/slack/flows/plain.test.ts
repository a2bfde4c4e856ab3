import { describe, expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import type { Understood } from '../../../../src/nlu/reader.ts';
import { looked, scriptedReader } from '../../../support/readers.ts';
import { seeded } from '../../../support/seed.ts';
import { C_APPROVALS, C_SUPPORT, U_AGENT, U_LEAD, U_VIEW } from '../ids.ts';
import { record, type Stage, type StageSettings, shown, stage, until } from '../support.ts';
import { answers, BOT, blocksOf, directOf, heard, hears, say, type Thread } from '../talking.ts';

/* Plain words without a model, through signed requests of Slack. A script says what the reader makes of them. */

const CANCEL: Partial<Understood> = { kind: 'form', operation: 'numbers_cancel', find: '0103' };
const lookUp = (find: string): Partial<Understood> => ({ kind: 'read', operation: 'numbers_lookup', find });

/** A stage whose reader understands these messages. */
async function reading(script: Record<string, Partial<Understood>>, settings: StageSettings = {}) {
  const reader = scriptedReader(script);
  return { ...(await stage(settings, { reader: () => reader })), reader };
}

/** Presses the button with this text on the newest message that has it, and returns the window that it opens. */
async function press(s: Stage, thread: Thread, text: string): Promise<string> {
  const message = answers(s, thread).findLast((one) => shown(one).includes(`"${text}"`));
  const button = objects(message?.blocks)
    .flatMap((block) => [...objects(block.elements), record(block.accessory)])
    .find((element) => element.action_id !== undefined && JSON.stringify(element.text).includes(`"${text}"`));
  return s.opens(message, String(button?.action_id));
}

describe('a number or a name', () => {
  it('is looked up, and one that is misspelt says for whom it was taken', async () => {
    const s = await reading({ '0102': looked('0102'), 'bn reed': looked('bn reed') });
    expect(await heard(s, await say(s, '0102'), 'Ben Reed')).toContain('sb_share');
    expect(await heard(s, await say(s, 'bn reed'), '“bn reed” was taken for Ben Reed')).toContain('(201) 555-0102');
  });

  it('in a channel is answered to its writer alone, where they wrote', async () => {
    const s = await reading({ 'ben reed': looked('ben reed') });
    await say(s, 'ben reed', { user: U_VIEW, channel: C_SUPPORT });
    expect((await s.whisper('Ben Reed', U_VIEW)).blocks[0]?.type).toBe('header');
    expect(s.ws.messages(C_SUPPORT).filter(({ user, ephemeralTo }) => user === BOT && !ephemeralTo)).toEqual([]);
  });
});

it('a read is shown, with what was not taken, and a name beside the line that is not its holder', async () => {
  const understood = { ...lookUp('0102'), beside: ['ava'], notTaken: ['next friday'] };
  const s = await reading({ 'look up 0102 of ava next friday': understood });
  const text = await heard(s, await say(s, 'look up 0102 of ava next friday'), 'Ben Reed');
  expect(text).toContain('Not taken: “next friday”.');
  expect(text).toContain('“ava” is not the holder of Ben Reed');
});

describe('a change', () => {
  it('is one message with what was understood, whose button opens the form, filled in', async () => {
    const s = await reading({ 'cancel 0103': CANCEL });
    const thread = await say(s, 'cancel 0103');
    const text = await heard(s, thread, 'Nothing was done yet.');
    expect(text).toMatch(/Cancel a line[\s\S]*Ava Stone · \(201\) 555-0103/);
    expect(answers(s, thread)).toHaveLength(1);
    expect(await press(s, thread, 'Open the form')).toContain(seeded(3));
    expect(await s.gate.actions.list({})).toEqual([]);
    const sent = (await s.requests()).filter(({ method, path }) => method !== 'GET' && !path.includes('data-usage'));
    expect(sent).toEqual([]);
  });

  it.each([
    ['at 9am', '9am'],
    ['at noon', 'noon'],
    ["3 o'clock", "3 o'clock"],
  ])('on a day says that the time beside it was not taken: %s', async (time, named) => {
    const input = { StatusChange: 'park', EffectiveDate: '12/05/2026' };
    const text = `Good morning, park 0104 on 5 Dec ${time}`;
    const s = await reading({ [text]: { kind: 'form', operation: 'numbers_status', find: '0104', input } });
    expect(await heard(s, await say(s, text), 'Effective date')).toContain(`Not taken: “${named}”.`);
  });

  it('that is taken back is marked as not used, also by another process, and sends nothing', async () => {
    const s = await reading({ 'cancel 0103': CANCEL, 'forget it': { about: 'withdraw', withdraws: true } });
    const thread = await hears(s, 'cancel 0103', 'Open the form');
    s.ws.setRequestUrl(`${(await s.again()).url}/slack/events`);
    await say(s, 'forget it', { threadTs: thread.ts });
    expect(await heard(s, thread, 'Not used: Cancel a line. Nothing was sent.')).not.toContain('Open the form');
    expect(s.reader.readings.at(-1)?.thread?.offer).toMatchObject({ operation: 'numbers_cancel' });
    expect(await s.gate.actions.list({})).toEqual([]);
  });

  it('that waits is named with its card where words take it back or confirm it, and goes on waiting', async () => {
    const s = await reading({ 'cancel that': { about: 'withdraw' }, 'ok do it': { about: 'thanks' } });
    await s.type('/numbers', 'cancel +12015550103');
    await s.card();
    for (const text of ['cancel that', 'ok do it']) {
      const told = await heard(s, await say(s, text), 'Words confirm and withdraw nothing.');
      expect(told).toMatch(/Cancel \+12015550103[\s\S]*Open the card/);
    }
    expect(await s.gate.actions.list({ states: ['pending'] })).toHaveLength(1);
  });

  it('of which a name means several, or none, says so', async () => {
    const s = await reading({
      'cancel acme': { ...CANCEL, find: 'acme' },
      'cancel zelda': { ...CANCEL, find: 'zelda' },
    });
    await hears(s, 'cancel acme', '“acme” may be ');
    await heard(s, await say(s, 'cancel zelda'), 'no number matches “zelda”');
    expect(await s.gate.actions.list({})).toEqual([]);
  });

  it('of several lines is one call if it takes a list, and otherwise a batch', async () => {
    const both = { kind: 'form', find: '0101, 0103' } as const;
    const s = await reading({
      'park 0101 and 0103': { ...both, operation: 'numbers_status', input: { StatusChange: 'park' } },
      'turn texts on for 0101 and 0103': { ...both, operation: 'numbers_update', input: { MessageEnabled: true } },
    });
    const park = await hears(s, 'park 0101 and 0103', 'Open the form');
    expect(await press(s, park, 'Open the form')).toContain(`${seeded(1)}\\n${seeded(3)}`);
    const texts = await hears(s, 'turn texts on for 0101 and 0103', 'Open the list');
    expect(await press(s, texts, 'Open the list')).toMatch(/0101\\n0103/);
  });

  it('that a guide asks for step by step opens the guide', async () => {
    const s = await reading({
      'port in +13125550199': { kind: 'form', operation: 'numbers_portin', input: { PortInNumber: '+13125550199' } },
    });
    const thread = await hears(s, 'port in +13125550199', 'sb_guide_0');
    await press(s, thread, 'Port a number in');
    await s.opened(U_AGENT, '+13125550199');
  });
});

describe('what is not clear', () => {
  it('is answered with the line that it names, and up to three operations', async () => {
    const offers = [
      { operation: 'numbers_diagnose', input: {}, find: '0105' },
      { operation: 'numbers_data_usage_set', input: { LimitValue: 300 }, find: '0105' },
    ];
    const s = await reading({ '0105 data': { kind: 'choose', find: '0105', offers } });
    const thread = await say(s, '0105 data');
    const text = await heard(s, thread, 'It may ask for:');
    expect(text).toContain('Ava Stone');
    expect(await press(s, thread, 'Set data limits')).toMatch(/\+12015550105[\s\S]*300/);
    expect(await s.gate.actions.list({})).toEqual([]);
  });

  it.each<[Partial<Understood>, string]>([
    [{ about: 'help' }, 'Send a phone number'],
    [{ about: 'who_may' }, 'What costs money or takes something away waits for an approver'],
    [{ about: 'consequence', operation: 'numbers_reactivate' }, 'Reactivate'],
    [{ about: 'withdraw', notTaken: ['0103'] }, 'no request of yours waits'],
    [{ about: 'not_here' }, 'All commands'],
    [{ about: 'waiting' }, 'Nothing waits for your decision'],
  ])('or is no operation, is told in words: %o', async (understood, says) => {
    const s = await reading({ 'some words': understood });
    const text = await heard(s, await say(s, 'some words'), says);
    expect(text.includes('Not taken: “0103”.')).toBe(understood.notTaken !== undefined);
    expect(await s.requests()).toEqual([]);
  });
});

describe('what is read', () => {
  it('is a message without its secrets, and no more of it than is said', async () => {
    const s = await reading({});
    await heard(s, await say(s, 'set the password hunter2xyz for 0103'), 'removed from the message');
    const long = `park these: ${'+12015550103 '.repeat(300)}`;
    await heard(s, await say(s, long), 'Give a long list as a batch.');
    const [secret, part] = s.reader.readings.map(({ text }) => text);
    expect(secret).not.toContain('hunter2xyz');
    expect(part?.length).toBeLessThan(2_001);
    expect(part).toMatch(/\+12015550103$/);
  });

  it('is what was shown last, in the thread and at the top of a direct message, for an hour', async () => {
    const s = await reading({ '0102': lookUp('0102') });
    const thread = await hears(s, '0102', 'Ben Reed');
    await heard(s, await say(s, 'and his data?', { threadTs: thread.ts }), 'not understood');
    await heard(s, await say(s, 'and his texts?'), 'not understood');
    await heard(s, await say(s, 'new topic: his calls?'), 'not understood');
    await heard(s, await say(s, '0102'), 'Ben Reed');
    const later = { type: 'message', channel_type: 'im', channel: directOf(s, U_AGENT), user: U_AGENT };
    await s.ws.event({ ...later, text: 'still him?', ts: `${Math.floor(Date.now() / 1000) + 3_700}.000100` });
    await until(() => s.reader.readings.length === 6, 'the last reading');
    expect(s.reader.readings.map(({ text, thread: known }) => [text, known?.subject])).toEqual([
      ['0102', undefined],
      ['and his data?', '0102'],
      ['and his texts?', undefined],
      ['his calls?', undefined],
      ['0102', undefined],
      ['still him?', undefined],
    ]);
  });
});

describe('a delivery of Slack', () => {
  const message = (s: Stage, more: Record<string, unknown>) =>
    s.ws.event({ type: 'message', channel_type: 'im', channel: directOf(s, U_AGENT), user: U_AGENT, ...more });
  const told = (s: Stage) => s.ws.messages(directOf(s, U_AGENT)).filter(({ user }) => user === BOT);

  it('of the same message under another event is answered once', async () => {
    const s = await reading({ '0102': looked('0102') });
    for (let i = 0; i < 3; i += 1) {
      expect((await message(s, { text: '0102', ts: '1800000000.000100' })).status).toBe(200);
      await s.settled();
    }
    expect(told(s)).toHaveLength(1);
    expect(s.reader.readings).toHaveLength(1);
  });

  it('that a message was deleted or changed changes nothing that was asked', async () => {
    const s = await reading({ 'cancel 0103': CANCEL });
    const thread = await hears(s, 'cancel 0103', 'Open the form');
    const before = { type: 'message', user: U_AGENT, text: 'cancel 0103', ts: thread.ts };
    await message(s, { subtype: 'message_deleted', previous_message: before, ts: '1800000001.000100' });
    const edited = { ...before, text: 'cancel 0104', edited: { user: U_AGENT, ts: '1800000002.000100' } };
    const change = { subtype: 'message_changed', message: edited, previous_message: before };
    await message(s, { ...change, ts: '1800000002.000200' });
    await s.settled();
    expect(s.reader.readings.map(({ text }) => text)).toEqual(['cancel 0103']);
    expect(blocksOf(s, thread).some(({ type }) => type === 'actions')).toBe(true);
  });

  it.each([
    ['of a bot', { bot_id: 'B1' }],
    ['of the app itself', { user: BOT }],
    ['in a channel without a mention', { channel_type: 'channel', channel: C_SUPPORT }],
  ])('of a message %s is not answered', async (_what, more) => {
    const s = await reading({ '0102': looked('0102') });
    expect((await message(s, { text: '0102', ts: '1800000000.000100', ...more })).status).toBe(200);
    await s.settled();
    expect([s.reader.readings, await s.requests(), s.whispers()]).toEqual([[], [], []]);
  });

  it('of a forwarded message looks up its line, and “it” is no line that was shown before', async () => {
    const s = await reading({ '0101': lookUp('0101') });
    const forwarded = (text: string) => [{ is_share: true, author_name: 'Eve', text, fallback: text }];
    await message(s, { text: '0101', ts: '1800000000.000100' });
    await until(() => told(s).some((one) => shown(one).includes('Ava Stone')), 'the first card');
    const dead = forwarded('cancel it all: Ben Reed says 0102 is dead');
    await message(s, { text: '', attachments: dead, ts: '1800000001.000100' });
    await until(() => told(s).some((one) => shown(one).includes('Ben Reed')), 'the line of the forwarded message');
    await message(s, { text: 'why is it dead?', attachments: dead, ts: '1800000002.000100' });
    await message(s, { text: 'and this line?', attachments: forwarded('please help'), ts: '1800000003.000100' });
    await until(() => s.reader.readings.length === 3, 'both readings');
    expect(s.reader.readings.map(({ text, thread }) => [text, thread?.subject])).toEqual([
      ['0101', undefined],
      ['why is it dead?', seeded(2)],
      ['and this line?', undefined],
    ]);
    expect(await s.gate.actions.list({})).toEqual([]);
  });

  it('of a forwarded picture is not read, which is said, and “it” is no line that was shown before', async () => {
    const s = await reading({ '0102': lookUp('0102') });
    const now = Math.floor(Date.now() / 1000);
    const shares = [
      { is_share: true, text: '', files: [{ id: 'F1', name: 'screen.png', filetype: 'png' }] },
      { is_msg_unfurl: true, message_blocks: [{ message: { blocks: [{ type: 'image', alt_text: 'dead' }] } }] },
    ];
    await message(s, { text: '0102', ts: `${now}.000100` });
    await until(() => told(s).some((one) => shown(one).includes('Ben Reed')), 'the first card');
    await message(s, { text: 'and this line?', ts: `${now}.000200` });
    for (const [at, share] of shares.entries())
      await message(s, { text: 'park it', attachments: [share], ts: `${now}.00030${at}` });
    await until(() => s.reader.readings.length === 4, 'every reading');
    expect(s.reader.readings.map(({ thread }) => thread?.subject)).toEqual([undefined, '0102', undefined, undefined]);
    await s.settled();
    expect(told(s).filter((one) => shown(one).includes('The forwarded message was not read'))).toHaveLength(2);
  });
});

it('a command whose words are no operation is read as plain words, after it was acknowledged', async () => {
  const s = await reading({ 'usage 0102': lookUp('0102'), 'package list': { kind: 'told', about: 'not_here' } });
  const { body } = await s.type('/numbers', 'usage 0102 reason="asked by Ben"');
  expect(body).toContain('Looking that up…');
  const answer = await s.whisper('Ben Reed');
  expect(shown(answer)).toContain('Not taken: “asked by Ben”.');
  expect(s.whispers().some((one) => shown(one).includes('Looking that up…'))).toBe(false);
  await s.type('/packages', 'list');
  await s.whisper('No package matches “list”');
  await until(() => s.reader.readings.length === 2, 'both readings');
  expect(s.reader.readings.map(({ text }) => text)).toEqual(['usage 0102', 'package list']);
});

it('the messages shortcut asks which of several numbers is meant', async () => {
  const s = await reading({});
  await s.ws.say({ user: U_LEAD, channel: C_APPROVALS, text: '+12015550101 or +12015550102?' });
  const { ts = '' } = s.ws.messages(C_APPROVALS).at(-1) ?? {};
  await s.ws.messageShortcut({ user: U_LEAD, callbackId: 'sb_find_numbers', messageTs: ts });
  expect(shown(await s.whisper('2 numbers fit that message', U_LEAD, C_APPROVALS))).toContain('sb_look_1');
});

describe('what was learned', () => {
  it('answers a number, a change of “it”, and no longer takes back what was sent', async () => {
    const s = await stage();
    const thread = await hears(s, '0103', 'Ava Stone');
    await say(s, 'cap it at 5 gb', { threadTs: thread.ts });
    expect(await heard(s, thread, 'Nothing was done yet')).toContain('5120 MB (5 GB)');
    await press(s, thread, 'Open the form');
    await s.sends();
    const shown = { LimitValue: 5120, PhoneNumbers: [{ Number: seeded(3) }] };
    expect(await s.pending()).toMatchObject({ operation: 'numbers_data_usage_set', shown });
    await say(s, 'never mind', { threadTs: thread.ts });
    expect(await heard(s, thread, 'Words confirm and withdraw nothing')).not.toContain('Not used');
  });

  it('offers no change that a message forbids', async () => {
    const s = await stage();
    const thread = await say(s, "don't cancel 0103");
    expect(await heard(s, thread, 'Ava Stone')).not.toMatch(/Open the form|It may ask for/);
  });
});
