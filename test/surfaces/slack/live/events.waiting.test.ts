import { describe, expect, it } from 'vitest';
import { IDS } from '../../../../src/demo/playground/workspace.ts';
import { worker as makeWorker, serve, sms, tempInbox } from '../../../events/support.ts';
import { C_EVENTS, type Stage, shown, stage } from '../support.ts';

const MINUTE = 60_000;
const TOKEN = 'what-the-platform-presents';

const bodies = (s: Pick<Stage, 'ws'>, channel: string = C_EVENTS) =>
  s.ws.messages(channel).flatMap((message) => /text \d+/.exec(shown(message))?.[0] ?? []);
const texts = (...numbers: number[]) => numbers.map((n) => `text ${n}`);

async function scene(settings: Parameters<typeof stage>[0] = {}) {
  const s = await stage({ SLACK_EVENTS_CHANNEL: C_EVENTS, ...settings });
  const inbox = tempInbox(s.clock);
  const open = (channel: string | undefined, slack = s.slack) => {
    const events = slack.openEvents(s.store.database('slack-events'));
    if (!events) throw new Error(`no channel ${channel}`);
    const worker = makeWorker({ inbox, clock: s.clock }, { message: (event, right) => events.message(event, right) });
    worker.start();
    return { events, worker };
  };
  const first = open(C_EVENTS);
  const { url } = await serve({ inbox, clock: s.clock, config: { token: TOKEN } });
  const post = async (n: number, from?: string) => {
    const answer = await fetch(`${url}/events/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Token ${TOKEN}` },
      body: JSON.stringify(sms(n, from).fields),
    });
    expect(answer.status).toBe(200);
  };
  const channel = s.ws.state.channels.get(C_EVENTS);
  if (!channel) throw new Error('no channel');
  /** Lets this much time pass, in steps of five seconds. After each step it waits until the worker has no work left. */
  const pass = async (ms: number, worker = first.worker) => {
    for (let left = ms; left > 0; left -= 5_000) {
      await worker.idle();
      s.clock.skip(Math.min(left, 5_000));
    }
    await worker.idle();
  };
  return { ...s, inbox, ...first, open, post, pass, channel };
}

const AWAY: [string, (s: Awaited<ReturnType<typeof scene>>) => void, (s: Awaited<ReturnType<typeof scene>>) => void][] =
  [
    [
      'not_in_channel',
      ({ channel }) => void channel.members.delete(IDS.BOT_USER),
      ({ channel }) => void channel.members.add(IDS.BOT_USER),
    ],
    [
      'is_archived',
      ({ channel }) => {
        channel.isArchived = true;
      },
      ({ channel }) => {
        channel.isArchived = false;
      },
    ],
  ];

describe('events that Slack refuses', () => {
  it.each(AWAY)(
    'are queued, logged once, shown at /readyz, and all appear in order: %s',
    async (reason, away, back) => {
      const s = await scene();
      await s.post(0, '+15550001100');
      await s.pass(1_000);
      away(s);
      // Two conversations, taking turns.
      for (const n of [1, 2, 3, 4, 5, 6]) await s.post(n, `+1555000110${n % 2}`);
      await s.pass(MINUTE);
      await s.pass(11 * MINUTE);
      expect(await s.inbox.counts()).toMatchObject({ open: 6, dead: 0 });
      expect(await s.events.problem?.()).toContain(reason);
      expect(s.logged.filter((line) => line.startsWith('error Slack refuses events'))).toHaveLength(1);
      const tries = s.ws.calls('chat.postMessage').length;
      // Each kind of job is tried every ten seconds.
      expect(tries).toBeLessThan(90);
      back(s);
      await s.post(7, '+15550001100');
      await s.pass(20_000);
      expect(bodies(s)).toEqual(texts(0, 1, 2, 3, 4, 5, 6, 7));
      expect(await s.inbox.counts()).toMatchObject({ open: 0, dead: 0 });
      expect(await s.events.problem?.()).toBeUndefined();
      // The next outage is reported again.
      away(s);
      await s.post(8);
      await s.pass(MINUTE);
      expect(s.logged.filter((line) => line.startsWith('error Slack refuses events'))).toHaveLength(2);
    },
  );
});
