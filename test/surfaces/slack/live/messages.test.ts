import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../support/clock.ts';
import { C_EVENTS, C_SUPPORT, card, cards, type Stage, shown, stage, U_LEAD, until } from '../support.ts';

/** Slack takes a post, and its answer comes after the app has given up. */
const LATE = { lateMs: 5_000 };
const SCOPES = ['chat:write', 'commands', 'im:write', 'usergroups:read', 'users:read'];
const CANCEL = 'cancel +12015550103';
const SUBMIT = '/numbers/cancel-order-submit';

async function scene(approvals: string = C_EVENTS) {
  // Slack's clock is frozen, so that a late answer never comes before the app has given up.
  const slackClock = new FakeClock(Date.now());
  const s = await stage(
    { SLACK_APPROVALS_CHANNEL: approvals, SLACK_EVENTS_CHANNEL: C_EVENTS },
    { slackClock, slackTimeoutMs: 80 },
  );
  return { ...s, slackClock };
}

const everywhere = (s: Stage) =>
  [...s.ws.state.channels.keys()].flatMap((channel) => cards(s.ws, channel).map(({ ts }) => ({ channel, ts })));
const asked = async (s: Stage) => (await s.gate.actions.list({})).find((one) => one.consent !== undefined);
/** Returns the ledger's note of the attempt to post the card. */
const attemptOf = async (s: Stage) => {
  const messages = (await asked(s))?.notes.messages as Record<string, { at?: { channel: string; ts: string } }>;
  return messages?.card;
};
const cardOf = async (s: Stage) => (await attemptOf(s))?.at;
/** Asks for a cancellation, and waits until the app has tried to post its card. */
async function request(s: Stage): Promise<void> {
  await s.type('/numbers', CANCEL);
  await until(async () => (await attemptOf(s)) !== undefined, 'the attempt');
}

/** Lets time pass until the condition holds, each second when no message is being sent. */
const passing = (s: Stage, condition: () => boolean | Promise<boolean>, what: string) =>
  until(async () => {
    if (await condition()) return true;
    const due = `SELECT 1 FROM jobs WHERE kind IN ('action.show', 'slack.tell') AND dead_at IS NULL
      AND (run_at <= ? OR claimed_until > ?)`;
    const now = s.clock.now();
    if ((await s.store.database('ledger').get(due, now, now)) === undefined) s.clock.skip(1_000);
    return false;
  }, what);

describe('a card that Slack accepts without answering in time', () => {
  it('is found in its channel, works, and shows the outcome', async () => {
    // The card notifies the approvers, so they get no separate message.
    const s = await scene(C_SUPPORT);
    s.ws.fail('chat.postMessage', LATE, 1_000);
    await request(s);
    const { ts } = await card(s.ws);
    await passing(s, async () => (await cardOf(s))?.ts === ts, 'the card is found');
    for (let i = 0; i < 5; i += 1) {
      s.clock.skip(30_000);
      await s.quiet();
    }
    expect(everywhere(s)).toEqual([{ channel: C_SUPPORT, ts }]);
    s.ws.clearFaults();
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
    await until(() => shown(s.ws.message(ts)).includes('✅ Done'), 'the end');
    expect(await s.requests(SUBMIT)).toHaveLength(1);
  });

  it('is posted again if the app may not read the channel, and each copy that a person clicks shows the end', async () => {
    const s = await scene(C_SUPPORT);
    s.ws.setScopes(SCOPES);
    s.ws.fail('chat.postMessage', LATE, 3);
    await request(s);
    await passing(s, async () => (await cardOf(s)) !== undefined, 'the last card');
    expect(everywhere(s).length).toBeGreaterThan(3);
    const { ts = '' } = (await cardOf(s)) ?? {};
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
    await until(() => shown(s.ws.message(ts)).includes('✅ Done'), 'the end on the last');
    // A button of an earlier copy answers that it was decided, and the copy is edited.
    const first = everywhere(s)[0]?.ts ?? '';
    await s.ws.click({ user: U_LEAD, messageTs: first, actionId: 'sb_confirm' });
    await until(() => shown(s.ws.message(first)).includes('✅ Done'), 'the end on the first');
    expect(await s.requests(SUBMIT)).toHaveLength(1);
  });
});
