import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { cpuTimeOfProcess } from '../support/cpu.ts';
import { seeded } from '../support/seed.ts';
import { type Surroundings, surroundings } from '../support/slack-process.ts';
import { U_AGENT, U_LEAD, U_VIEW } from '../surfaces/slack/ids.ts';
import { until } from '../surfaces/slack/support.ts';
import { answers, BOT, talking } from '../surfaces/slack/talking.ts';

/* Prints how long writers wait for the first sign, and the memory over a thousand turns. */

const THREADS = 20;
const ROUNDS = 10;
const LIMIT_MS = 500;
/** The limit on a busy machine, as a multiple of the bare listener's time. */
const LIMIT_RATIO = 5;
const STATUS = 'assistant.threads.setStatus';
const percentile = (sorted: readonly number[], share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Slack accepts 60 statuses a minute in a channel, so each thread has a separate channel. */
const channelOf = (i: number) => `C0BENCH${i}`;
const WRITERS = [U_AGENT, U_LEAD, U_VIEW];

/** Twenty messages at once. Resolves to the times from each event to its first status, in ms. */
async function signs({ ws }: Surroundings, events: string, round: string): Promise<number[]> {
  ws.setRequestUrl(events);
  const signed = new Map<unknown, number>();
  const at = Date.now();
  const said = Array.from({ length: THREADS }, (_, i) =>
    ws.say({ user: WRITERS[i % 3] ?? U_AGENT, channel: channelOf(i), text: `<@${BOT}> ${round}` }),
  );
  const threadOf = (i: number) => ws.messages(channelOf(i)).find(({ text }) => text.endsWith(round))?.ts;
  await until(() => {
    // Read again and again, because the workspace keeps its latest calls only.
    for (const call of ws.calls(STATUS))
      if (call.args.status !== '' && !signed.has(call.args.thread_ts)) signed.set(call.args.thread_ts, call.at);
    return said.every((_, i) => signed.has(threadOf(i)));
  }, 'a sign in each thread');
  await Promise.all(said);
  return said.map((_, i) => (signed.get(threadOf(i)) ?? 0) - at);
}

/** Waits until each message of a round has an answer. */
function answered({ ws }: Surroundings, round: string): Promise<unknown> {
  const isAnswered = (_: unknown, i: number) => {
    const messages = ws.messages(channelOf(i));
    const { ts } = messages.find(({ text }) => text.endsWith(round)) ?? {};
    return messages.some(
      ({ threadTs, user, blocks }) => threadTs === ts && user === BOT && blocks[0]?.type === 'header',
    );
  };
  return until(() => Array.from({ length: THREADS }, isAnswered).every(Boolean), 'all answers');
}

const summary = (times: number[]) => {
  times.sort((a, b) => a - b);
  return { median: percentile(times, 0.5), p99: percentile(times, 0.99), worst: times.at(-1) ?? 0 };
};

it('gives each message a first sign with 20 threads at a time', async () => {
  const around = await surroundings();
  closers.push(() => around.close());
  await fetch(`${around.sandbox.url}/sandbox/settings`, { method: 'POST', body: '{"requestsPerMinute":100000}' });
  for (let i = 0; i < THREADS; i += 1) around.ws.addChannel(channelOf(i), `bench-${i}`, [...WRITERS, BOT]);
  around.model.answers(({ text }) =>
    text.includes('"role":"tool"')
      ? { text: 'The line is active.' }
      : { calls: [{ name: 'numbers_lookup', input: { PhoneNumber: seeded(1) } }] },
  );
  const { running, events } = await around.start({ PLATFORM_REQUESTS_PER_MINUTE: '100000', SLACK_VIEWERS: '*' });
  const bare = spawn(process.execPath, [fileURLToPath(new URL('bare-bolt.mjs', import.meta.url))], { env: around.env });
  closers.push(() => bare.kill('SIGKILL'));
  const [line] = (await once(bare.stdout, 'data')) as [Buffer];
  const cpu = ({ pid = 0 }: ChildProcess) => cpuTimeOfProcess(pid);
  const times = { ours: [] as number[], bare: [] as number[] };
  const used = { ours: 0, bare: 0 };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = { ours: cpu(running.child), bare: cpu(bare) };
    const ours = await signs(around, events, `ours ${round}`);
    used.ours += cpu(running.child) - before.ours;
    await answered(around, `ours ${round}`);
    const plain = await signs(around, String(line).trim(), `bare ${round}`);
    used.bare += cpu(bare) - before.bare;
    // The first turns load the library of the model, and the roles.
    if (round === 0) continue;
    times.ours.push(...ours);
    times.bare.push(...plain);
  }
  const [ours, plain] = [summary(times.ours), summary(times.bare)];
  console.log(
    `first sign, ${THREADS} threads at a time, ${times.ours.length} messages: median ${ours.median} ms, ` +
      `99th percentile ${ours.p99} ms, worst ${ours.worst} ms, ${used.ours} ms of processor time; a bare Bolt listener: ` +
      `${plain.median}, ${plain.p99}, ${plain.worst}, ${used.bare} ms; ratio of the 99th percentiles ` +
      `${(ours.p99 / plain.p99).toFixed(2)}`,
  );
  expect(ours.p99).toBeLessThan(Math.max(LIMIT_MS, LIMIT_RATIO * plain.p99));
}, 180_000);

it('keeps its memory over 1,000 turns', async () => {
  const s = await talking({}, { requestsPerMinute: 100_000 });
  s.model.answers({ text: 'The line is active, and nothing waits.' });
  const used: number[] = [];
  for (let i = 0; i < 1_000; i += 1) {
    const thread = await s.say(`turn ${i}`, { user: U_AGENT });
    await until(() => answers(s, thread).length > 0, 'an answer');
    if (i % 100 !== 99) continue;
    // The playground keeps every message, and the scripted model every request.
    s.model.requests.length = 0;
    s.ws.state.clear();
    globalThis.gc?.();
    used.push(Math.round(process.memoryUsage().heapUsed / 1_048_576));
  }
  console.log(`heap after each 100 of 1,000 turns, MB: ${used.join(' ')} (gc: ${globalThis.gc !== undefined})`);
  expect(used.length).toBe(10);
}, 300_000);
