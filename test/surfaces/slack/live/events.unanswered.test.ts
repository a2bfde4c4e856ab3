import { describe, expect, it } from 'vitest';
import { sms, tempInbox, worker } from '../../../events/support.ts';
import { FakeClock } from '../../../support/clock.ts';
import { C_EVENTS, type Stage, shown, stage, until } from '../support.ts';

/** Slack takes a post, and its answer comes after the app has given up. */
const LATE = { lateMs: 5_000 };
const SCOPES = ['chat:write', 'commands', 'im:write', 'usergroups:read', 'users:read'];

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

  it('is posted again if the channel lacks it', async () => {
    const s = await scene();
    s.ws.fail('chat.postMessage', { drop: true }, 2);
    await s.inbox.receive(sms(1));
    await passing(s, async () => (await s.inbox.counts()).open === 0, 'the end');
    expect(bodies(s)).toEqual(['text 1']);
  });

  it('is posted again if the app may not read the channel', async () => {
    const s = await scene();
    s.ws.setScopes(SCOPES);
    s.ws.fail('chat.postMessage', LATE, 1);
    await s.inbox.receive(sms(1));
    await passing(s, async () => (await s.inbox.counts()).open === 0, 'the end');
    expect(bodies(s)).toEqual(['text 1', 'text 1']);
  });

  it('is not posted again while Slack cannot be asked', async () => {
    const s = await scene();
    s.ws.fail('chat.postMessage', LATE, 1);
    s.ws.fail('conversations.history', { error: 'fatal_error' }, 6);
    await s.inbox.receive(sms(1));
    await passing(s, async () => (await s.inbox.counts()).open === 0, 'the end');
    expect(posts(s)).toBe(1);
    expect(bodies(s)).toEqual(['text 1']);
  });

  it('is shown at least once if a process ends before it knows that the event was posted', async () => {
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
    const { event } = waiting;
    // A busy machine may take longer than the short time limit of this scene.
    const show = (key: string) =>
      until(async () => {
        const shown = next?.message({ ...event, key });
        return shown?.then(
          () => true,
          () => false,
        );
      }, 'the event');
    await show(event.key);
    expect(new Set(bodies(s))).toEqual(new Set(['text 1']));
    // The conversation goes on below the last copy.
    const last = s.ws.messages(C_EVENTS).findLast(({ threadTs }) => !threadTs)?.ts;
    await show('message 2');
    expect(s.ws.messages(C_EVENTS).at(-1)?.threadTs).toBe(last);
  });
});
