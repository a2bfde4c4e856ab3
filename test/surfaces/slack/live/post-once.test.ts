import { describe, expect, it } from 'vitest';
import { sms, tempInbox, worker } from '../../../events/support.ts';
import { FakeClock } from '../../../support/clock.ts';
import { C_EVENTS, C_SUPPORT, card, cards, decline, type Stage, shown, stage, U_LEAD, until } from '../support.ts';

/** Slack takes a post, and its answer comes after the app has given up. */
const LATE = { lateMs: 5_000 };
const SCOPES = ['chat:write', 'commands', 'im:write', 'usergroups:read', 'users:read'];

async function scene(approvals: string = C_EVENTS) {
  // Slack's clock stands still, so that a late answer never comes before the app has given up.
  const slackClock = new FakeClock(Date.now());
  const s = await stage(
    { SLACK_APPROVALS_CHANNEL: approvals, SLACK_EVENTS_CHANNEL: C_EVENTS },
    { slackClock, slackTimeoutMs: 80 },
  );
  const events = s.slack.openEvents(s.store.database('slack-events'));
  if (!events) throw new Error('no channel');
  const inbox = tempInbox(s.clock);
  const made = worker({ inbox, clock: s.clock }, { message: (event) => events.message(event) });
  made.start();
  return { ...s, inbox, made, slackClock };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** Lets the app's time pass second by second, each time until it has come to rest. */
async function passing(s: Scene, condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let second = 0; second < 900; second += 1) {
    await s.made.idle();
    if (await condition()) return;
    s.clock.skip(1_000);
  }
  throw new Error(`${what} never came`);
}

const bodies = (s: Stage) => s.ws.messages(C_EVENTS).map((message) => /text \d+/.exec(shown(message))?.[0]);
const posts = (s: Stage) => s.ws.calls('chat.postMessage').length;

describe('an event that Slack accepts without answering in time', () => {
  it('is found in the channel instead of being posted again', async () => {
    const s = await scene();
    s.ws.fail('chat.postMessage', LATE, 1_000);
    await s.inbox.receive(sms(1));
    await passing(s, async () => (await s.inbox.counts()).open === 0, 'the end');
    expect(bodies(s)).toEqual(['text 1']);
    expect(posts(s)).toBe(1);
    // So is a reply in its thread.
    await s.inbox.receive(sms(2));
    await passing(s, async () => (await s.inbox.counts()).open === 0, 'the end');
    expect(bodies(s)).toEqual(['text 1', 'text 2']);
    expect(s.ws.messages(C_EVENTS)[1]?.threadTs).toBe(s.ws.messages(C_EVENTS)[0]?.ts);
    expect(posts(s)).toBe(2);
  });

  it('is sent at most twice while the channel does not show it, and the second copy is removed', async () => {
    const s = await scene();
    // Slack takes both posts long after the app has looked for them.
    s.ws.fail('chat.postMessage', { hangMs: 60_000 }, 2);
    await s.inbox.receive(sms(1));
    const asked = () => s.ws.bytesFromApp().filter(({ origin }) => origin === 'chat.postMessage').length;
    await passing(s, () => s.ws.calls('conversations.history').length >= 3, 'three looks');
    expect(asked()).toBe(2);
    expect(bodies(s)).toEqual([]);
    s.slackClock.advance(60_000);
    await until(() => posts(s) === 2, 'both copies');
    await passing(s, async () => (await s.inbox.counts()).open === 0, 'the end');
    expect(asked()).toBe(2);
    expect(bodies(s)).toEqual(['text 1']);
  });

  it('is posted again if the channel lacks it after two minutes', async () => {
    const s = await scene();
    s.ws.fail('chat.postMessage', { drop: true }, 2);
    await s.inbox.receive(sms(1));
    await passing(s, async () => (await s.inbox.counts()).open === 0, 'the end');
    expect(bodies(s)).toEqual(['text 1']);
  });

  it('is posted once more if the app may not read the channel, then waits for a person and logs it', async () => {
    const s = await scene();
    s.ws.setScopes(SCOPES);
    s.ws.fail('chat.postMessage', LATE, 1_000);
    await s.inbox.receive(sms(1));
    await passing(s, async () => (await s.inbox.counts()).dead === 1, 'the dead letter');
    expect(posts(s)).toBe(2);
    expect((await s.inbox.dead())[0]?.lastError).toContain('drop the event if it is shown, otherwise retry it');
    expect(s.logged.filter((line) => line.includes('channels:history'))).toHaveLength(1);
    // A person who looked and did not find it has it posted.
    s.ws.clearFaults();
    await s.inbox.revive();
    await passing(s, async () => (await s.inbox.counts()).open === 0, 'the end');
    expect(posts(s)).toBe(3);
  });

  it('is found after a process ended between posting and storing it', async () => {
    const s = await scene();
    s.ws.fail('chat.postMessage', LATE, 1);
    await s.inbox.receive(sms(1));
    await until(() => posts(s) === 1, 'the post');
    await s.made.stop();
    // Another process on the same files.
    const again = await s.again();
    const next = again.slack.openEvents(again.store.database('slack-events'));
    const [waiting] = await s.inbox.since(0);
    if (waiting?.event.kind !== 'message') throw new Error('no message');
    await next?.message(waiting.event);
    expect(posts(s)).toBe(1);
    expect(bodies(s)).toEqual(['text 1']);
  });
});

describe('a card that Slack accepts without answering in time', () => {
  const CANCEL = 'cancel +12015550103';
  const SUBMIT = '/numbers/cancel-order-submit';
  const everywhere = (s: Stage) =>
    [...s.ws.state.channels.keys()].flatMap((channel) => cards(s.ws, channel).map(({ ts }) => ({ channel, ts })));

  it('is found in its channel, works, and shows the outcome', async () => {
    // The card tells the approvers, so they get no message of their own.
    const s = await scene(C_SUPPORT);
    s.ws.fail('chat.postMessage', LATE, 1_000);
    await s.type('/numbers', CANCEL);
    const { ts } = await card(s.ws);
    await until(async () => (await noted(s))?.ts === ts, 'the card is found');
    for (let minute = 0; minute < 5; minute += 1) {
      s.clock.skip(60_000 / 2);
      await s.slack.publish(await action(s));
    }
    expect(everywhere(s)).toEqual([{ channel: C_SUPPORT, ts }]);
    s.ws.clearFaults();
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
    await until(() => shown(s.ws.message(ts)).includes('✅ Done'), 'the end');
    expect(await s.requests(SUBMIT)).toHaveLength(1);
  });

  it('is posted in at most two places, and the late copy is removed', async () => {
    const s = await scene();
    s.ws.fail('chat.postMessage', { hangMs: 60_000 }, 1);
    await s.type('/numbers', CANCEL);
    await until(async () => (await noted(s))?.channel === C_EVENTS, 'the card in the next channel');
    s.slackClock.advance(60_000);
    await until(() => everywhere(s).length === 2, 'the late card');
    s.clock.skip(120_000);
    await until(() => everywhere(s).length === 1, 'the end of the late card');
    expect(everywhere(s)[0]?.channel).toBe(C_EVENTS);
  });

  it('works on every copy, and all show the outcome', async () => {
    const s = await scene();
    s.ws.fail('chat.postMessage', { hangMs: 60_000 }, 1);
    await s.type('/numbers', CANCEL);
    await until(async () => (await noted(s))?.channel === C_EVENTS, 'the card in the next channel');
    s.slackClock.advance(60_000);
    const late = await card(s.ws);
    await s.ws.click({ user: U_LEAD, messageTs: late.ts, actionId: 'sb_confirm' });
    await until(
      () => everywhere(s).length === 2 && everywhere(s).every(({ ts }) => shown(s.ws.message(ts)).includes('✅ Done')),
      'the end on both',
    );
    expect(await s.requests(SUBMIT)).toHaveLength(1);
    expect(s.ws.messages(C_SUPPORT).map(shown).join()).not.toContain('does not belong');
  });

  it('is posted only once more if the app may not read the channel', async () => {
    const s = await scene();
    s.ws.setScopes(SCOPES);
    s.ws.fail('chat.postMessage', LATE, 1_000);
    await s.type('/numbers', CANCEL);
    await until(() => everywhere(s).length === 2, 'two cards');
    for (let i = 0; i < 8; i += 1) {
      s.clock.skip(30_000);
      await s.slack.publish(await action(s));
    }
    expect(everywhere(s)).toHaveLength(2);
    expect(s.logged.filter((line) => line.includes('channels:history'))).toHaveLength(1);
  });

  /** Slack has taken the card, does not say so, and cannot be asked; meanwhile its action expires. */
  async function expiredUnseen() {
    const s = await scene(C_SUPPORT);
    s.ws.fail('chat.postMessage', LATE, 1_000);
    s.ws.fail('conversations.history', { error: 'fatal_error' }, 1_000);
    await s.type('/numbers', CANCEL);
    const { ts } = await card(s.ws);
    await until(() => s.ws.calls('conversations.history').length > 0, 'a look');
    s.clock.skip(301_000);
    await s.gate.sweepExpired();
    await s.settled();
    expect((await noted(s))?.ts).toBeUndefined();
    return { s, ts, shows: () => shown(s.ws.message(ts)).includes('⌛ Expired') };
  }

  it('shows the end once Slack can be asked again, although the action has ended meanwhile', async () => {
    const { s, shows } = await expiredUnseen();
    // Another action moves later, so that this one is not among the newest changes any more.
    s.ws.clearFaults();
    s.ws.fail('conversations.history', { error: 'fatal_error' }, 1_000);
    await s.type('/numbers', 'reactivate +12015550107 AccountId=AID-00000000-0000-4000-8000-000000000001');
    await until(() => everywhere(s).length === 2, 'the other card');
    const other = everywhere(s)[1]?.ts ?? '';
    await decline(s, { user: U_LEAD, messageTs: other });
    await until(() => shown(s.ws.message(other)).includes('🚫 Declined'), 'the other end');
    s.clock.skip(3_000);
    await s.settled();
    expect(shows()).toBe(false);
    s.ws.clearFaults();
    await until(() => {
      s.clock.skip(1_000);
      return shows();
    }, 'the end');
    expect(everywhere(s)).toHaveLength(2);
  });

  it('shows the end after another start, although the process died before it knew where the card stands', async () => {
    const { s, shows } = await expiredUnseen();
    await s.slack.close();
    s.ws.clearFaults();
    await s.again();
    await until(shows, 'the end');
    expect(everywhere(s)).toHaveLength(1);
  });

  it('shows the end although Slack refuses to update it when it is found', async () => {
    const { s, ts, shows } = await expiredUnseen();
    s.ws.clearFaults();
    s.ws.fail('chat.update', { error: 'fatal_error' }, 1);
    s.clock.skip(10_000);
    await until(async () => (await noted(s))?.ts === ts && s.ws.calls('chat.update').length > 0, 'the refused update');
    await until(() => {
      s.clock.skip(1_000);
      return shows();
    }, 'the end');
    expect(everywhere(s)).toHaveLength(1);
  });

  const asked = async (s: Stage) => (await s.gate.actions.list({})).find((one) => one.consent !== undefined);
  const action = async (s: Stage) => {
    const found = await asked(s);
    if (!found) throw new Error('no action');
    return found;
  };
  const noted = async (s: Stage) => (await asked(s))?.notes.slack as { channel?: string; ts?: string } | undefined;
});
