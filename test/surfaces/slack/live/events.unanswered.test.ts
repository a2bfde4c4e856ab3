import { describe, expect, it } from 'vitest';
import { sms, tempInbox, worker } from '../../../events/support.ts';
import { FakeClock } from '../../../support/clock.ts';
import { C_EVENTS, type Stage, shown, stage } from '../support.ts';

/** Slack takes a post, and its answer comes after the app has given up. */
const LATE = { lateMs: 5_000 };

async function scene() {
  // Slack's clock is frozen, so that a late answer never comes before the app has given up.
  const slackClock = new FakeClock(Date.now());
  const s = await stage(
    { SLACK_APPROVALS_CHANNEL: C_EVENTS, SLACK_EVENTS_CHANNEL: C_EVENTS },
    { slackClock, slackTimeoutMs: 80 },
  );
  const events = s.slack.openEvents(s.store.database('slack-events'));
  if (!events) throw new Error('no channel');
  const inbox = tempInbox(s.clock);
  const made = worker({ inbox, clock: s.clock }, { message: (event, isRetry) => events.message(event, isRetry) });
  made.start();
  return { ...s, inbox, made, slackClock };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** Lets the app's time pass second by second. After each second it waits until the app has no work left. */
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
});
