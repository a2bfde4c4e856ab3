import { describe, expect, it } from 'vitest';
import {
  C_SUPPORT,
  type Stage,
  sharedStage,
  shown,
  stage,
  U_AGENT,
  U_VIEW,
  until,
  whisper,
  whispers,
} from '../support.ts';

const stageOf = sharedStage();

/* Mentions of the app, and direct messages to it. */

const BOT = 'U000BOT';
const TEAM = 'T000DEMO';
const D_VIEW = `D${U_VIEW.slice(1)}`;
let serial = 0;

/** Slack delivers an event, signed. */
async function event(s: Stage, fields: Record<string, unknown>, eventId?: string): Promise<number> {
  serial += 1;
  const ts = `17000000${String(10 + serial)}.000100`;
  const body = JSON.stringify({
    type: 'event_callback',
    team_id: TEAM,
    event_id: eventId ?? `Ev${serial}`,
    event: { user: U_VIEW, team: TEAM, ts, ...fields },
  });
  const answer = await s.ws.raw(body, { 'content-type': 'application/json', ...s.ws.sign(body) });
  await s.settled();
  return answer.status;
}

const mention = (s: Stage, text: string, more: Record<string, unknown> = {}) =>
  event(s, { type: 'app_mention', channel: C_SUPPORT, text: `<@${BOT}> ${text}`, ...more });
/** The conversation of a person with the app, which is there once the app has written. */
async function direct(s: Stage, text: string, more: Record<string, unknown> = {}): Promise<number> {
  if (!s.ws.state.channels.has(D_VIEW)) s.ws.addChannel(D_VIEW, 'view', [U_VIEW, BOT]);
  return event(s, { type: 'message', channel_type: 'im', channel: D_VIEW, text, ...more });
}
const answers = (s: Stage) => s.ws.messages(D_VIEW);

describe('a mention', () => {
  it.each([
    '+12015550102',
    '(201) 555-0102 please',
    '0102',
    'ben reed',
    'look up ben reed',
    '<tel:+12015550102|(201) 555-0102>',
  ])('of a number, last digits or a name is answered with the lookup, only to that person: %s', async (text) => {
    const s = stageOf();
    expect(await mention(s, text)).toBe(200);
    const answer = await whisper(s.ws, U_VIEW, 'Ben Reed');
    expect(answer.blocks[0]?.type).toBe('header');
    expect(s.ws.messages(C_SUPPORT).filter((one) => one.ephemeralTo === undefined)).toEqual([]);
  });

  it.each([
    ["why can't 0102 text?", /Texts work/],
    ["why can't Ava text?", /Which number do you mean by “Ava”/],
    [
      "cancel Ben's line",
      /Cancel \(201\) 555-0102[\s\S]*Ben Reed · \(201\) 555-0102 · Globex Family[\s\S]*Nothing was done yet/,
    ],
    ['park 0101 and 0102', /\(201\) 555-0101[\s\S]*\(201\) 555-0102[\s\S]*Nothing was done yet/],
    ['block spam calls for ben', /Ben Reed[\s\S]*has no call filter yet/],
    ['cancel zelda', /No number matches “zelda”/],
    ['the quick brown fox jumps over', /That names no number/],
  ])('of what a number needs says whose it is, or asks: %s', async (text, says) => {
    const s = stageOf();
    await mention(s, text, { user: U_AGENT });
    await until(
      () =>
        whispers(s.ws, U_AGENT)
          .map(shown)
          .some((one) => says.test(one)),
      text,
    );
  });

  it('that asks for a change without the right says so, and looks the number up', async () => {
    const s = stageOf();
    await mention(s, 'cancel 0103');
    const says = '"Cancel numbers" is not available to you. Nothing was done.';
    const texts = () => whispers(s.ws, U_VIEW).map(({ blocks }) => JSON.stringify(blocks));
    await until(() => texts().some((text) => text.includes(JSON.stringify(says).slice(1, -1))), says);
  });

  it('of several numbers asks which one', async () => {
    const s = stageOf();
    await mention(s, '+12015550101 or +12015550102?');
    expect(shown(await whisper(s.ws, U_VIEW, 'contains 2 numbers'))).toContain('sb_look_1');
  });

  it.each(['hello', 'what can you do?', ''])(
    'of anything else gets two lines on what the app can do, without a request: %s',
    async (text) => {
      const s = stageOf();
      await mention(s, text);
      await whisper(s.ws, U_VIEW, 'Send me a phone number');
      expect(await s.requests()).toEqual([]);
    },
  );

  it('about the past is read on the clock of its writer', async () => {
    const s = stageOf();
    await mention(s, 'what happened overnight');
    await whisper(s.ws, U_VIEW, /Understood: What happened since \d{4}-\d\d-\d\d 18:00 \(America\/Los_Angeles\)/);
  });

  it('that asks about a change is answered in words, and not with the names of operations', async () => {
    const s = stageOf();
    await mention(s, 'is it safe to cancel 0103?', { user: U_AGENT });
    const answer = await whisper(s.ws, U_AGENT, 'Cancel numbers');
    expect(shown(answer)).toContain('Can be reactivated within 30 days for 5 USD');
    expect(shown(answer)).not.toContain('numbers_reactivate');
  });

  it('never performs anything but reads, whatever it says', async () => {
    const s = stageOf();
    for (const text of ['cancel +12015550103', 'numbers_cancel', '/numbers cancel +12015550103', 'reactivate now'])
      await mention(s, text, { user: U_AGENT });
    expect(await s.gate.actions.list({})).toEqual([]);
    const sent = (await s.requests()).map(({ method, path }) => `${method} ${path}`);
    // A lookup reads the data limits by POST.
    expect(sent.filter((one) => !/^GET |numbers\/data-usage\//.test(one))).toEqual([]);
  });

  it('by somebody without a role is refused, without a request', async () => {
    const s = await stage({ SLACK_VIEWERS: [] });
    await mention(s, '+12015550101');
    await whisper(s.ws, U_VIEW, 'needs the role viewer');
    expect(await s.requests()).toEqual([]);
  });
});

describe('a direct message', () => {
  it('is answered in the conversation, where it stays', async () => {
    const s = stageOf();
    await direct(s, 'ben reed');
    await until(() => answers(s).length === 1, 'the answer');
    expect(shown(answers(s)[0])).toContain('(201) 555-0102');
    expect(answers(s)[0]?.ephemeralTo).toBeUndefined();
    await direct(s, 'hi');
    await until(() => answers(s).length === 2, 'the answer');
    expect(shown(answers(s)[1])).toContain('Send me a phone number');
  });

  it('is answered once, however often Slack delivers it', async () => {
    const s = stageOf();
    s.ws.addChannel(D_VIEW, 'view', [U_VIEW, BOT]);
    const fields = { type: 'message', channel_type: 'im', channel: D_VIEW, text: 'hi' };
    await event(s, fields, 'EvSame');
    await event(s, { ...fields, ts: '1700000099.000100' }, 'EvSame');
    expect(answers(s)).toHaveLength(1);
  });

  it.each([
    ['of a bot', { bot_id: 'B1' }],
    ['of the app itself', { user: BOT }],
    ['of the app itself without a user', { user: undefined, bot_id: 'B0', subtype: 'bot_message' }],
    ['that was edited', { subtype: 'message_changed' }],
    ['in a channel', { channel_type: 'channel', channel: C_SUPPORT }],
  ])('is not answered if it is a message %s', async (_what, more) => {
    const s = stageOf();
    expect(await direct(s, '+12015550101', more)).toBe(200);
    expect(answers(s)).toEqual([]);
    for (const user of [U_VIEW, U_AGENT]) expect(whispers(s.ws, user)).toEqual([]);
    expect(await s.requests()).toEqual([]);
  });
});
