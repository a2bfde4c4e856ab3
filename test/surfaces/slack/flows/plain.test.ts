import { describe, expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import type { Understood } from '../../../../src/nlu/reader.ts';
import { looked, scriptedReader } from '../../../support/readers.ts';
import { seeded } from '../../../support/world.ts';
import {
  C_SUPPORT,
  card,
  record,
  type Stage,
  type StageSettings,
  shown,
  stage,
  U_AGENT,
  whispers,
} from '../support.ts';
import { answers, BOT, directOf, heard, say, type Thread } from '../talking.ts';

/* Plain words without a model, through signed requests of Slack. A script says what the reader makes of them. */

const CANCEL: Partial<Understood> = { kind: 'form', operation: 'numbers_cancel', find: '0103' };

/** A stage whose reader understands these messages. */
async function reading(script: Record<string, Partial<Understood>>, settings: StageSettings = {}) {
  const reader = scriptedReader(script);
  return { ...(await stage(settings, { reader: () => reader })), reader };
}

/** Presses the button with this text on the newest message that has it. */
async function press(s: Stage, thread: Thread, text: string, user = U_AGENT): Promise<void> {
  const message = answers(s, thread).findLast((one) => shown(one).includes(`"${text}"`));
  const button = objects(message?.blocks)
    .flatMap((block) => [...objects(block.elements), record(block.accessory)])
    .find((element) => element.action_id !== undefined && JSON.stringify(element.text).includes(`"${text}"`));
  const { action_id: actionId, value } = button ?? {};
  await s.ws.click({ user, messageTs: message?.ts ?? '', actionId: String(actionId), value: String(value) });
  await s.settled();
}

const opened = (s: Stage, user = U_AGENT) => JSON.stringify(s.ws.openViews(user).at(-1)?.definition);

describe('a number or a name', () => {
  it('is looked up, and one that is misspelt says for whom it was taken', async () => {
    const s = await reading({ '0102': looked('0102'), 'bn reed': looked('bn reed') });
    expect(await heard(s, await say(s, '0102'), 'Ben Reed')).toContain('sb_share');
    expect(await heard(s, await say(s, 'bn reed'), '“bn reed” was taken for Ben Reed')).toContain('(201) 555-0102');
  });
});

describe('a change', () => {
  it('is one message with what was understood, whose button opens the form, filled in', async () => {
    const s = await reading({ 'cancel 0103': CANCEL });
    const thread = await say(s, 'cancel 0103');
    const text = await heard(s, thread, 'Nothing was done yet.');
    expect(text).toMatch(/Cancel numbers[\s\S]*Ava Stone · \(201\) 555-0103/);
    expect(answers(s, thread)).toHaveLength(1);
    await press(s, thread, 'Open the form');
    expect(opened(s)).toContain(seeded(3));
    expect(await s.gate.actions.list({})).toEqual([]);
    const sent = (await s.requests()).filter(({ method, path }) => method !== 'GET' && !path.includes('data-usage'));
    expect(sent).toEqual([]);
  });

  it('that is taken back is marked as not used, also by another process, and sends nothing', async () => {
    const s = await reading({ 'cancel 0103': CANCEL, 'forget it': { about: 'withdraw', withdraws: true } });
    const thread = await say(s, 'cancel 0103');
    await heard(s, thread, 'Open the form');
    s.ws.setRequestUrl(`${(await s.again()).url}/slack/events`);
    await say(s, 'forget it', { threadTs: thread.ts });
    expect(await heard(s, thread, 'Not used: Cancel numbers. Nothing was sent.')).not.toContain('Open the form');
    expect(s.reader.readings.at(-1)?.thread?.offer).toMatchObject({ operation: 'numbers_cancel' });
    expect(await s.gate.actions.list({})).toEqual([]);
  });

  it('that waits is named with its card where words take it back or confirm it, and goes on waiting', async () => {
    const s = await reading({ 'cancel that': { about: 'withdraw' }, 'ok do it': { about: 'thanks' } });
    await s.type('/numbers', 'cancel +12015550103');
    await card(s.ws);
    for (const text of ['cancel that', 'ok do it']) {
      const told = await heard(s, await say(s, text), 'Words confirm and withdraw nothing.');
      expect(told).toMatch(/Cancel \+12015550103[\s\S]*Open the card/);
    }
    expect(await s.gate.actions.list({ states: ['pending'] })).toHaveLength(1);
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

  it.each([
    ['of a bot', { bot_id: 'B1' }],
    ['of the app itself', { user: BOT }],
    ['in a channel without a mention', { channel_type: 'channel', channel: C_SUPPORT }],
  ])('of a message %s is not answered', async (_what, more) => {
    const s = await reading({ '0102': looked('0102') });
    expect((await message(s, { text: '0102', ts: '1800000000.000100', ...more })).status).toBe(200);
    await s.settled();
    expect([s.reader.readings, await s.requests(), whispers(s.ws, U_AGENT)]).toEqual([[], [], []]);
  });
});

describe('what was learned', () => {
  it('offers no change that a message forbids', async () => {
    const s = await stage();
    const thread = await say(s, "don't cancel 0103");
    expect(await heard(s, thread, 'Ava Stone')).not.toMatch(/Open the form|It may ask for/);
  });
});
