import { expect, it } from 'vitest';
import { seeded } from '../support/world.ts';
import { U_AGENT, U_LEAD, U_VIEW, until } from '../surfaces/slack/support.ts';
import { answers, talking } from '../surfaces/slack/talking.ts';

/* Prints how long writers wait for the first sign, and the memory over a thousand turns. */

const WRITERS = [U_AGENT, U_LEAD, U_VIEW];
const percentile = (sorted: readonly number[], share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;

it('gives each message a first sign with 20 threads at a time', async () => {
  const s = await talking({}, { requestsPerMinute: 100_000 });
  await s.control('settings', { requestsPerMinute: 100_000 });
  s.model.answers(({ text }) =>
    text.includes('"role":"tool"')
      ? { text: 'The line is active.' }
      : { calls: [{ name: 'numbers_lookup', input: { PhoneNumber: seeded(1) } }] },
  );
  const waits: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const asked = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const at = Date.now();
        const thread = await s.say(`round ${round} thread ${i}.`, { user: WRITERS[i % 3] ?? U_AGENT });
        return { at, thread };
      }),
    );
    await until(() => asked.every(({ thread }) => answers(s, thread).length > 0), 'all answers');
    await s.settled();
    // The first turns load the library of the model, and the roles.
    if (round === 0) continue;
    for (const { at, thread } of asked) {
      const sign = s.ws
        .calls('assistant.threads.setStatus')
        .find(({ args }) => args.thread_ts === thread.ts && args.status !== '');
      waits.push((sign?.at ?? Number.POSITIVE_INFINITY) - at);
    }
  }
  waits.sort((a, b) => a - b);
  console.log(
    `first sign, 20 threads at a time, ${waits.length} messages: median ${percentile(waits, 0.5)} ms, ` +
      `99th percentile ${percentile(waits, 0.99)} ms, worst ${waits.at(-1)} ms`,
  );
  // Slack, the platform and the model run in this process too, so the figure is an upper bound.
  expect(percentile(waits, 0.99)).toBeLessThan(5_000);
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
