import { describe, expect, it } from 'vitest';
import {
  C_APPROVALS,
  C_SUPPORT,
  card,
  type Stage,
  type StageSettings,
  shown,
  stage,
  U_AGENT,
  U_LEAD,
  until,
} from '../support.ts';

/* Approvers are notified that a confirmation waits: in their channel, or each by direct message. */

const CANCEL = 'cancel +12015550103';
const SUBMIT = '/numbers/cancel-order-submit';
/** The time a confirmation waits, and the time before its end at which approvers are reminded. */
const TTL_MS = 2_400_000;

const direct = (s: Pick<Stage, 'ws'>, user: string) =>
  s.ws.messages(`D${user.slice(1)}`).filter((one) => !one.ephemeralTo);
const inChannel = (s: Pick<Stage, 'ws'>) => s.ws.messages(C_APPROVALS).filter((one) => !one.ephemeralTo);
const isReminder = (text: string) => text.startsWith('⏰');

/** Lets time pass in small steps, so that jobs run in between. */
async function passing(s: Stage, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 15_000) {
    s.clock.skip(Math.min(left, 15_000));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Questions of 40 minutes, so that a test does not pass a whole day. */
const SHORT = { env: { CONFIRM_TTL_SECONDS: String(TTL_MS / 1_000) } };

async function asked(settings: StageSettings = {}, options: Parameters<typeof stage>[1] = SHORT) {
  const s = await stage(settings, options);
  await s.type('/numbers', CANCEL);
  const { ts } = await card(s.ws);
  return { s, ts };
}

describe('approvers who have a channel', () => {
  it('are told there at once, with the same buttons, and the requester’s card says so', async () => {
    const { s, ts } = await asked();
    await until(() => inChannel(s).length === 1, 'the message to approvers');
    const [told] = inChannel(s);
    expect(shown(told)).toContain('sb_confirm');
    expect(shown(told)).toContain('sb_decline');
    expect(shown(told)).toMatch(new RegExp(`<@${U_AGENT}>, <!date[^>]+> in <#${C_SUPPORT}>`));
    await until(() => shown(s.ws.message(ts)).includes('"Asked:"'), 'the line on the card');
    expect(shown(s.ws.message(ts))).toContain(`"channel_id":"${C_APPROVALS}"`);
    expect(direct(s, U_LEAD)).toEqual([]);
  });

  it('confirm there, and both messages show the outcome', async () => {
    const { s, ts } = await asked();
    await until(() => inChannel(s).length === 1, 'the message to approvers');
    const told = inChannel(s)[0]?.ts ?? '';
    await s.ws.click({ user: U_LEAD, messageTs: told, actionId: 'sb_confirm' });
    await until(() => [ts, told].every((one) => shown(s.ws.message(one)).includes('✅ Done')), 'the outcome on both');
    expect(await s.requests(SUBMIT)).toHaveLength(1);
    expect(shown(s.ws.message(told))).not.toContain('sb_confirm');
  });
});

describe('approvers without a channel', () => {
  const DIRECT = { SLACK_APPROVALS_CHANNEL: undefined };

  it('are told by direct message, members of user groups too, and the card names them', async () => {
    const { s, ts } = await asked({ ...DIRECT });
    await until(() => direct(s, U_LEAD).length === 1, 'the direct message');
    expect(shown(direct(s, U_LEAD)[0])).toContain('sb_confirm');
    expect(inChannel(s)).toEqual([]);
    await until(() => shown(s.ws.message(ts)).includes('"Asked:"'), 'the line on the card');
    expect(shown(s.ws.message(ts))).toContain(`"user_id":"${U_LEAD}"`);
    await s.ws.click({ user: U_LEAD, messageTs: direct(s, U_LEAD)[0]?.ts ?? '', actionId: 'sb_confirm' });
    await until(() => shown(direct(s, U_LEAD)[0]).includes('✅ Done'), 'the outcome');
  });
});

describe('two processes on one store', () => {
  it('tell approvers once, and remind them once', async () => {
    const s = await stage({ SLACK_APPROVALS_CHANNEL: undefined }, SHORT);
    await s.again();
    await s.type('/numbers', CANCEL);
    await card(s.ws);
    await until(() => direct(s, U_LEAD).length >= 1, 'the direct message');
    await passing(s, TTL_MS - 30_000);
    await until(() => direct(s, U_LEAD).length >= 2, 'the reminder');
    await passing(s, 20_000);
    expect(direct(s, U_LEAD).map(({ text }) => isReminder(text))).toEqual([false, true]);
  });
});
