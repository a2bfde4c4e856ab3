import { describe, expect, it, onTestFinished } from 'vitest';
import { IDS } from '../../../../src/demo/playground/workspace.ts';
import { worker as makeWorker, serve, sms, tempInbox } from '../../../events/support.ts';
import { makeFolder } from '../../../support/folder.ts';
import { onSandbox } from '../../../support/on-sandbox.ts';
import { type Running, startCli } from '../../../support/process.ts';
import { C_APPROVALS, C_EVENTS, type Stage, shown, stage, until } from '../support.ts';

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
    [
      'channel_not_found',
      ({ channel }) => {
        channel.isPrivate = true;
        channel.members.delete(IDS.BOT_USER);
      },
      ({ channel }) => void channel.members.add(IDS.BOT_USER),
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

  it('are shown in the next configured channel, including those with threads in the old one', async () => {
    const s = await scene();
    await s.post(1);
    await s.pass(1_000);
    s.channel.isArchived = true;
    await s.post(2);
    await s.post(3, '+15550001102');
    await s.post(4);
    await s.pass(10 * MINUTE);
    await s.worker.stop();
    const again = await s.again({ SLACK_EVENTS_CHANNEL: C_APPROVALS });
    const next = s.open(C_APPROVALS, again.slack);
    await s.pass(5_000, next.worker);
    expect(bodies(s)).toEqual(texts(1));
    // Each sender's messages keep their order.
    const moved = bodies(s, C_APPROVALS);
    expect([...moved].sort()).toEqual(texts(2, 3, 4));
    expect(moved.filter((body) => body !== texts(3)[0])).toEqual(texts(2, 4));
    expect(await next.events.problem?.()).toBeUndefined();
  });

  it.each(['token_revoked', 'account_inactive', 'invalid_auth'])(
    'are queued while the token is refused, which is logged once and shown at /readyz: %s',
    async (error) => {
      const s = await scene();
      s.ws.fail('*', { error }, 1_000_000);
      await s.post(1);
      await s.pass(12 * MINUTE);
      expect(await s.inbox.counts()).toMatchObject({ open: 1, dead: 0 });
      expect(s.logged.filter((line) => line.startsWith('error'))).toHaveLength(1);
      expect(await s.events.problem?.()).toContain('SLACK_BOT_TOKEN');
      s.ws.clearFaults();
      await s.pass(20_000);
      expect(bodies(s)).toEqual(texts(1));
    },
  );

  it('become dead letters only for their own reasons, and delay no others', async () => {
    const s = await scene();
    s.ws.fail('chat.postMessage', { error: 'msg_too_long' }, 10);
    await s.post(1);
    await s.pass(12 * MINUTE);
    expect(await s.inbox.counts()).toMatchObject({ open: 0, dead: 1 });
    await s.post(2);
    await s.pass(1_000);
    expect(bodies(s)).toEqual(texts(2));
  });
});

describe('switchboard start whose channel is gone', () => {
  it('reports it at /readyz, and shows everything in the next channel after a restart', async () => {
    const s = await stage({}, { start: false });
    const folder = makeFolder();
    let running: Running | undefined;
    onTestFinished(async () => {
      await running?.stop('SIGKILL');
      folder.remove();
    });
    const begin = async (channel: string) => {
      running = startCli(['start'], folder.path, {
        ...onSandbox(s.sandbox.url),
        PORT: '0',
        EVENTS_TOKEN: TOKEN,
        SLACK_BOT_TOKEN: s.ws.botToken,
        SLACK_SIGNING_SECRET: s.ws.signingSecret,
        SLACK_API_URL: s.ws.apiUrl,
        SLACK_APPROVERS: IDS.S_APPROVERS,
        SLACK_EVENTS_CHANNEL: channel,
      });
      return (await running.said(/listens on (http:\S+)/))[1] ?? '';
    };
    s.ws.state.channels.get(C_EVENTS)?.members.delete(IDS.BOT_USER);
    const url = await begin(C_EVENTS);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    for (const n of [1, 2, 3]) {
      const answer = await fetch(`${url}/events/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Token ${TOKEN}` },
        body: JSON.stringify(sms(n, `+1555000110${n}`).fields),
      });
      expect(answer.status).toBe(200);
    }
    const ready = async () => (await (await fetch(`${url}/readyz`)).json()) as { problems?: string[] };
    await until(async () => (await ready()).problems?.join().includes('3 events wait'), 'the events');
    const { problems = [] } = await ready();
    expect(problems.join()).toContain(`SLACK_EVENTS_CHANNEL ${C_EVENTS}`);
    expect(problems.join()).toContain('not_in_channel');
    await running?.stop();
    const next = await begin(C_APPROVALS);
    await until(() => bodies(s, C_APPROVALS).length === 3, 'the events');
    // Conversations have no order among each other.
    expect(bodies(s, C_APPROVALS).sort()).toEqual(texts(1, 2, 3));
    expect((await fetch(`${next}/readyz`)).status).toBe(200);
  });
});
