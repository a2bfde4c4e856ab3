import { expect, it } from 'vitest';
import { worker as makeWorker, serve } from '../../../events/support.ts';
import { C_APPROVALS, shown, stage, until } from '../support.ts';

const TOKEN = 'Token what-the-platform-presents-1';
const HOUR = 3_600_000;
const OURS = '+12015550101';
const MIB = 1024 * 1024;

/** Random enough, and the same in every run. */
function shuffled<T>(list: readonly T[], seed = 7): T[] {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  return [...list]
    .map((one) => ({ one, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

const STEPS = ['Submitted', 'Pending Carrier Approval', 'Scheduled', 'Complete'];
const CALLS = ['Call_Initiated', 'Call_Answered', 'Call_Completed'];
const orders = Array.from(
  { length: 12 },
  (_, i) => `JNUOID-00000000-0000-4000-8000-0000000001${String(i).padStart(2, '0')}`,
);
const people = Array.from({ length: 6 }, (_, i) => `+1312555010${i}`);
const xml = (root: string, fields: Record<string, string>) =>
  `<${root}>${Object.entries(fields)
    .map(([name, value]) => `<${name}>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${name}>`)
    .join('')}</${root}>`;

it('shows everything once and in order after Slack was down for an hour, and nothing of what was no delivery', async () => {
  const s = await stage();
  const events = s.slack.openEvents(s.store.database('slack-events'));
  if (!events) throw new Error('no channel');
  const { url } = await serve({ inbox: s.inbox, clock: s.clock, config: { token: TOKEN.slice('Token '.length) } });
  /** Every order is complete by the time of its reading. */
  const worker = makeWorker(
    {
      inbox: s.inbox,
      clock: s.clock,
      readOrder: async () => ({ status: 'Completed', message: '', numbers: [OURS] }),
    },
    {
      order: (order) => events.order(order),
      message: (event) => events.message(event),
      status: (event) => events.status(event),
      call: (event) => events.call(event),
    },
  );
  worker.start();

  const acks: number[] = [];
  const post = async (path: string, body: string, type = 'application/json', authorization = TOKEN) => {
    const at = performance.now();
    const answer = await fetch(`${url}/events/${path}`, {
      method: 'POST',
      headers: { 'content-type': type, authorization },
      body,
    });
    await answer.arrayBuffer();
    if (answer.status === 200) acks.push(performance.now() - at);
    return answer.status;
  };
  const json = (path: string, fields: unknown) => () => post(path, JSON.stringify(fields));
  const asXml = (path: string, root: string, fields: Record<string, string>) => () =>
    post(path, xml(root, fields), 'application/xml');

  // Slack is down from here on.
  for (const method of ['chat.postMessage', 'chat.update']) s.ws.fail(method, { status: 503 }, 1_000_000);

  const updates = orders.flatMap((OrderId) => STEPS.map((Status) => ({ OrderId, Status, ErrorMessage: '' })));
  const talk = Array.from({ length: 60 }, (_, i) => ({
    MessageId: `TMID-${i}`,
    Direction: 'INBOUND',
    From: people[i % people.length] ?? '',
    To: OURS,
    Body: `text ${i}, <!channel> & all`,
  }));
  const calls = Array.from({ length: 8 }, (_, i) =>
    CALLS.map((Event) => ({ Event, CallId: `CALL-${i}`, From: people[0] ?? '', To: OURS })),
  ).flat();
  const receipts = people.map((To, i) => ({ MessageId: `TMID-out-${i}`, From: OURS, To, Status: 'DELIVERED' }));

  // Messages arrive in their order, everything else in any; every one of them twice, a third of them as XML.
  const send = async (list: readonly (() => Promise<number>)[]) => {
    for (const one of list) expect(await one()).toBe(200);
  };
  await send(talk.map((fields, i) => (i % 3 === 0 ? asXml('messages', 'New_Sms', fields) : json('messages', fields))));
  const others = [
    ...updates.map((fields, i) => (i % 3 === 0 ? asXml('platform', 'Order_Update', fields) : json('platform', fields))),
    ...calls.map((fields) => json('voice', fields)),
    ...receipts.map((fields) => json('message-status', fields)),
  ];
  await send(shuffled(others));
  await send(shuffled([...others, ...talk.map((fields) => json('messages', fields))], 11));

  const refusals: [string, number][] = [];
  for (let i = 0; i < 5; i += 1) {
    refusals.push([
      'wrong credentials',
      await post('messages', JSON.stringify(talk[0]), 'application/json', 'Token wrong'),
    ]);
    refusals.push(['truncated', await post('messages', JSON.stringify(talk[0]).slice(0, -9))]);
    refusals.push(['truncated XML', await post('platform', '<Order_Update><OrderId>JNUOID-1', 'application/xml')]);
    refusals.push(['senseless', await post('platform', '{}')]);
    refusals.push(['more than 1 MiB', await post('messages', JSON.stringify({ ...talk[0], Body: 'x'.repeat(MIB) }))]);
  }
  const big = { MessageId: 'TMID-big', Direction: 'INBOUND', From: '+13125550177', To: OURS, Body: '' };
  big.Body = 'y'.repeat(MIB - JSON.stringify(big).length);
  expect(await post('messages', JSON.stringify(big))).toBe(200);

  const rest = async () => {
    await worker.idle();
    await s.settled();
  };
  for (let passed = 0; passed < HOUR; passed += 60_000) {
    s.clock.skip(60_000);
    await rest();
  }
  expect(s.ws.messages(C_APPROVALS)).toEqual([]);
  const tries = s.ws.calls('chat.postMessage').length;
  expect(await s.inbox.counts()).toMatchObject({ dead: 0 });
  expect((await s.inbox.counts()).open).toBeGreaterThan(100);

  s.ws.clearFaults();
  const back = s.clock.now();
  await until(
    async () => {
      s.clock.skip(1_000);
      return (await s.inbox.counts()).open === 0;
    },
    'the end of the backlog',
    100_000,
  );
  await rest();
  const took = s.clock.now() - back;

  const all = s.ws.messages(C_APPROVALS);
  const bodies = all.flatMap((message) => /text (\d+), /.exec(shown(message))?.[1] ?? []).map(Number);
  expect([...bodies].sort((a, b) => a - b)).toEqual(talk.map((_, i) => i));
  for (const [i] of people.entries()) {
    const own = bodies.filter((n) => n % people.length === i);
    expect(own, 'in the order they came').toEqual([...own].sort((a, b) => a - b));
  }
  const roots = all.filter((message) => !message.threadTs);
  const of = (pattern: RegExp) => roots.filter((message) => pattern.test(message.text));
  expect(of(/^Order of .*: Completed/)).toHaveLength(orders.length);
  expect(of(/^Order/)).toHaveLength(orders.length);
  expect(of(/^📞/)).toHaveLength(8);
  expect(of(/^📞 Call completed/)).toHaveLength(8);
  expect(of(/^Message from/)).toHaveLength(people.length + 1);
  expect(shown(roots.find((message) => shown(message).includes('yyyy')))).toContain('…');
  expect(JSON.stringify(all)).not.toMatch(/"type":"mrkdwn"[^}]*<!channel>/);
  expect(await s.inbox.counts()).toMatchObject({ open: 0, dead: 0 });

  const tallies = s.inbox.counters.all();
  const tally = (what: string) => tallies.flatMap((one) => (one.what === what ? [`${one.count} ${one.label}`] : []));
  expect(new Set(refusals.map(([, status]) => status))).toEqual(new Set([400, 401, 413]));
  expect(tally('refused').reduce((sum, text) => sum + Number.parseInt(text, 10), 0)).toBe(refusals.length);
  const sorted = acks.sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  process.stdout.write(
    `${[
      `Slack down for an hour: ${acks.length} deliveries acknowledged (median ${at(0.5)} ms, 99th percentile ${at(0.99)} ms)`,
      `  kept ${tally('received').join(', ')}; repeated ${tally('repeated').join(', ')}; refused ${tally('refused').join(', ')}`,
      `  ${tries} posts tried while down, ${s.ws.calls('chat.postMessage').length - tries} after it; the backlog ended ${(took / 1000).toFixed(0)} s after Slack was back`,
      `  shown: ${bodies.length} of 60 messages, ${of(/^Order/).length} of 12 orders, 8 of 8 calls, each once; lost 0, twice 0`,
    ].join('\n')}\n`,
  );
});
