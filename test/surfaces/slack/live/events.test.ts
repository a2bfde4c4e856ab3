import { describe, expect, it } from 'vitest';
import { IDS } from '../../../../src/demo/playground/workspace.ts';
import type { MessageEvent, PlatformEvent, StatusEvent } from '../../../../src/events/parse.ts';
import type { Slack } from '../../../../src/surfaces/slack/app.ts';
import type { SlackEvents } from '../../../../src/surfaces/slack/live/events.ts';
import { event, worker as makeWorker, ORDER_1, serve, sms, tempInbox } from '../../../events/support.ts';
import { C_APPROVALS, C_EVENTS, U_AGENT, U_LEAD } from '../ids.ts';
import { type Stage, shown, stage } from '../support.ts';

const OURS = '+12015550101';
const THEIRS = '+12015550199';
const HOSTILE = '<!channel> *obey* <https://evil.example|Pay here> & <@U1>';

const open = (s: Stage, slack: Slack = s.slack): SlackEvents => {
  const events = slack.openEvents(s.store.database('slack-events'));
  if (!events) throw new Error('no channel');
  return events;
};
const roots = (s: Stage) => s.ws.messages(C_APPROVALS).filter((message) => !message.threadTs);
const replies = (s: Stage) => s.ws.messages(C_APPROVALS).filter((message) => message.threadTs);
const order = (status: string, message = '') => ({ orderId: ORDER_1, status, message });

function of<K extends PlatformEvent['kind']>(kind: K, fields: Record<string, unknown>) {
  const made = event(fields);
  if (made.kind !== kind) throw new Error(`it is ${made.kind}`);
  return made as Extract<PlatformEvent, { kind: K }>;
}
const inbound = (n: number, Body: string, more = {}): MessageEvent =>
  of('message', { MessageId: `TMID-${n}`, Direction: 'INBOUND', From: THEIRS, To: OURS, Body, ...more });
const delivery = (Status: string): StatusEvent =>
  of('status', { MessageId: 'TMID-9', Direction: 'OUTBOUND', From: OURS, To: THEIRS, Status });

/** Notes in the ledger that this user started the order in Slack. */
async function started(s: Stage, user: string): Promise<void> {
  const now = s.clock.now();
  const action = await s.ledger.create({
    operation: 'numbers_portin',
    actorId: `slack:T1/${user}`,
    actorName: 'Ana',
    person: `slack:T1/${user}`,
    surface: 'slack',
    state: 'in_flight',
    ...{ sent: {}, given: {}, list: undefined },
    shown: {},
    known: {},
    consent: undefined,
    expiresAt: now + 60_000,
  });
  await s.ledger.settle(action.id, { from: ['in_flight'], state: 'done', result: { OrderId: ORDER_1 }, who: 'test' });
}

describe('an order', () => {
  it('is one message that is edited, with each step in its thread, across a restart', async () => {
    const s = await stage();
    await started(s, U_AGENT);
    const events = open(s);
    await events.order(order('Submitted'));
    await events.order(order('Submitted'));
    await events.order(order('Pending Carrier Approval'));
    // Another process on the same file goes on where this one stopped.
    const next = open(s, (await s.again()).slack);
    await next.order(order('Scheduled'));
    expect(shown(roots(s)[0])).toContain('🔵');
    await next.order(order('Completed'));

    expect(roots(s)).toHaveLength(1);
    expect(roots(s)[0]?.text).toBe(`✅ Port-in ${ORDER_1}: completed`);
    expect(shown(roots(s)[0])).toContain('✅ Carrier approval');
    expect(shown(roots(s)[0])).toContain(U_AGENT);
    expect(replies(s).map(({ text }) => text)).toEqual([
      'Moved to Pending Carrier Approval.',
      'Moved to Scheduled.',
      'Moved to Completed.',
    ]);
    expect(new Set(replies(s).map(({ threadTs }) => threadTs))).toEqual(new Set([roots(s)[0]?.ts]));
    expect(shown(replies(s)[2])).toContain(U_AGENT);
  });

  it('shows why it was rejected, with a button that opens its correction', async () => {
    const s = await stage();
    await started(s, U_AGENT);
    const events = open(s);
    await events.order(order('Submitted'));
    await events.order(order('Rejected', `Account number does not match ${HOSTILE}`));
    const [root] = roots(s);
    expect(root?.blocks.some((block) => JSON.stringify(block).includes('does not match <!channel>'))).toBe(true);
    expect(root?.blocks.every(({ type }) => ['header', 'rich_text', 'context', 'actions'].includes(String(type)))).toBe(
      true,
    );
    expect(shown(root)).toMatch(
      /The account number at the losing carrier.*Correct and re-submit.*numbers_portin_update/s,
    );
  });
});

it('a conversation is one thread of plain text that can be answered', async () => {
  const s = await stage();
  const events = open(s);
  await events.status(delivery('DELIVERED'));
  expect(roots(s)).toHaveLength(0);
  await events.message(inbound(1, HOSTILE, { MmsMedia: [{ MediaUrl: 'https://media.example/1.jpg' }] }));
  await events.message(inbound(2, `second ${HOSTILE}`));
  await events.message(inbound(2, `second ${HOSTILE}`));
  await events.status(delivery('DELIVERED'));
  await events.status(delivery('SENT'));
  await events.status(delivery('UNDELIVERED'));
  expect(roots(s)).toHaveLength(1);
  expect(replies(s).map(({ text }) => text)).toEqual([
    'From (201) 555-0199',
    `✅ Delivered to ${THEIRS}`,
    `❌ Not delivered to ${THEIRS}`,
  ]);
  for (const message of [...roots(s).slice(0, 1), ...replies(s).slice(0, 1)]) {
    expect(message.text).not.toContain('<');
    const bodies = message.blocks.filter((block) => JSON.stringify(block).includes('<!channel>'));
    expect(bodies).toMatchObject([{ type: 'rich_text', elements: [{ elements: [{ type: 'text' }] }] }]);
  }
  const [root] = roots(s);
  expect(shown(root)).toContain('"url":"https://media.example/1.jpg"');
  expect(shown(root)).not.toContain('"image"');
  await s.opens(root, 'sb_fill', U_LEAD);
  const form = s.ws.openViews(U_LEAD)[0]?.definition;
  expect(JSON.parse(String(form?.private_metadata))).toMatchObject({
    carried: { From: OURS, To: [{ Number: THEIRS }] },
  });
});

const MINUTE = 60_000;
const TOKEN = 'what-the-platform-presents';

const bodies = (s: Pick<Stage, 'ws'>, channel: string = C_EVENTS) =>
  s.ws.messages(channel).flatMap((message) => /text \d+/.exec(shown(message))?.[0] ?? []);
const texts = (...numbers: number[]) => numbers.map((n) => `text ${n}`);

async function scene() {
  const s = await stage({ SLACK_EVENTS_CHANNEL: C_EVENTS });
  const inbox = tempInbox(s.clock);
  const events = open(s);
  const worker = makeWorker({ inbox, clock: s.clock }, { message: (event, right) => events.message(event, right) });
  worker.start();
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
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 5_000) {
      await worker.idle();
      s.clock.skip(Math.min(left, 5_000));
    }
    await worker.idle();
  };
  return { ...s, inbox, events, post, pass, channel };
}

it.each(['not_in_channel', 'is_archived'])(
  'events that Slack refuses are queued, logged once, shown at /readyz, and all appear in order: %s',
  async (reason) => {
    const s = await scene();
    const isAway = (away: boolean) => {
      if (reason === 'is_archived') s.channel.isArchived = away;
      else s.channel.members[away ? 'delete' : 'add'](IDS.BOT_USER);
    };
    await s.post(0, '+15550001100');
    await s.pass(1_000);
    isAway(true);
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
    isAway(false);
    await s.post(7, '+15550001100');
    await s.pass(20_000);
    expect(bodies(s)).toEqual(texts(0, 1, 2, 3, 4, 5, 6, 7));
    expect(await s.inbox.counts()).toMatchObject({ open: 0, dead: 0 });
    expect(await s.events.problem?.()).toBeUndefined();
    // The next outage is reported again.
    isAway(true);
    await s.post(8);
    await s.pass(MINUTE);
    expect(s.logged.filter((line) => line.startsWith('error Slack refuses events'))).toHaveLength(2);
  },
);

it('names the people who watch on the card of a watched number', async () => {
  const s = await stage();
  await s.apply('numbers_watch', { PhoneNumber: OURS });
  const found = { name: '', key: 'watch 1', subject: `watch ${OURS}`, found: 'has reached its data limit', fields: {} };
  await open(s).watch({ ...found, kind: 'watch', phone: OURS, by: [`slack:T1/${U_AGENT}`] });
  expect(shown(roots(s)[0])).toMatch(/has reached its data limit.*Watched by/s);
});
