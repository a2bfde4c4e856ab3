import { describe, expect, it } from 'vitest';
import {
  ASSISTANT,
  C_APPROVALS,
  C_SUPPORT,
  card,
  decline,
  type Stage,
  type StageSettings,
  shown,
  stage,
  U_AGENT,
  U_LEAD,
  U_VIEW,
  until,
} from '../support.ts';

/* Approvers are notified that a confirmation waits: in their channel, or each by direct message. */

const CANCEL = 'cancel +12015550103';
const ACCOUNT = 'AID-00000000-0000-4000-8000-000000000001';
const SUBMIT = '/numbers/cancel-order-submit';
/** The time a confirmation waits, and the time before its end at which approvers are reminded. */
const TTL_MS = 2_400_000;
const REMIND_MS = 900_000;

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

  it('get one message if the card itself stands in their channel', async () => {
    const s = await stage();
    await s.gate.perform('numbers_reactivate', { PhoneNumber: '+12015550107', AccountId: ACCOUNT }, ASSISTANT);
    await card(s.ws, C_APPROVALS);
    await passing(s, 30_000);
    expect(inChannel(s)).toHaveLength(1);
    expect(direct(s, U_LEAD)).toEqual([]);
  });

  it('are reminded once, 15 minutes before it expires, and the reminder moves with the action', async () => {
    const { s, ts } = await asked();
    await until(() => inChannel(s).length === 1, 'the message to approvers');
    await passing(s, TTL_MS - REMIND_MS - 10_000);
    expect(inChannel(s)).toHaveLength(1);
    await passing(s, 30_000);
    await until(() => inChannel(s).length === 2, 'the reminder');
    const reminder = inChannel(s)[1];
    expect(isReminder(reminder?.text ?? '')).toBe(true);
    expect(shown(reminder)).toContain('sb_confirm');
    await passing(s, 20_000);
    expect(inChannel(s)).toHaveLength(2);
    await decline(s, { user: U_LEAD, messageTs: reminder?.ts ?? '' });
    await until(
      () => [ts, ...inChannel(s).map((one) => one.ts)].every((one) => shown(s.ws.message(one)).includes('🚫 Declined')),
      'the outcome everywhere',
    );
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

  it('are not told of their own requests', async () => {
    const s = await stage({ ...DIRECT, SLACK_APPROVERS: [U_LEAD, U_VIEW], CONFIRM_TWO_PERSON: true });
    await s.type('/numbers', CANCEL, U_LEAD);
    await until(() => direct(s, U_VIEW).length === 1, 'the direct message');
    await passing(s, 10_000);
    expect(direct(s, U_LEAD)).toEqual([]);
  });

  it('are nobody in particular if everybody may confirm: the channel is reminded', async () => {
    const { s } = await asked({ ...DIRECT, SLACK_EVENTS_CHANNEL: undefined, SLACK_APPROVERS: ['*'] });
    await passing(s, TTL_MS - 30_000);
    await until(() => s.ws.messages(C_SUPPORT).some((one) => isReminder(one.text)), 'the reminder');
    for (const user of [U_AGENT, U_LEAD, U_VIEW]) expect(direct(s, user)).toEqual([]);
  });
});

describe('a channel that does not take the message', () => {
  it.each(['not_in_channel', 'is_archived'])(
    'is named on the card and once in the log, and is tried again: %s',
    async (reason) => {
      const s = await stage();
      const channel = s.ws.state.channels.get(C_APPROVALS);
      if (!channel) throw new Error('no channel');
      if (reason === 'is_archived') channel.isArchived = true;
      else channel.members.delete('U000BOT');
      await s.type('/numbers', CANCEL);
      const { ts } = await card(s.ws);
      await until(() => shown(s.ws.message(ts)).includes('Nobody was told:'), 'the line on the card');
      await passing(s, 30_000);
      expect(s.logged.filter((line) => line.includes('approvers could not be told'))).toHaveLength(1);
      expect(s.logged.join('\n')).toContain(reason);
      channel.isArchived = false;
      channel.members.add('U000BOT');
      await passing(s, 45_000);
      await until(() => inChannel(s).length === 1, 'the message to approvers');
      await until(() => !shown(s.ws.message(ts)).includes('Nobody was told'), 'the line on the card');
    },
  );
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
