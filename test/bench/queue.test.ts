import Bottleneck from 'bottleneck';
import { test } from 'vitest';
import { type Entry, FairQueue } from '../../src/platform/fair-queue.ts';
import { call, longestBlock, makeClient, StillClock, until, upstream } from '../platform/support.ts';

const COUNT = 10_000;
/** Places of a minute. */
const MINUTE = 120;

interface Figures {
  /** The longest time the event loop stood still, in ms. */
  block: number;
  /** From the first call queued until the last of a minute's places is used, in ms. */
  total: number;
}

/**
 * Measures the earlier queue of the client: each call counts those ahead of it and is a job of Bottleneck, and then 120
 * may run.
 */
async function allInBottleneck(): Promise<Figures> {
  const queue = new Bottleneck({ reservoir: 0 });
  const tickets = new Set<{ priority: number }>();
  let ahead = 0;
  let ran = 0;
  const begin = performance.now();
  const add = await longestBlock(
    () => {
      for (let n = 0; n < COUNT; n += 1) {
        for (const other of tickets) if (other.priority <= 5) ahead += 1;
        tickets.add({ priority: 5 });
        queue.schedule({ priority: 5 }, async () => (ran += 1)).catch(() => undefined);
      }
    },
    () => ahead > 0 && queue.counts().QUEUED === COUNT,
  );
  const serve = await longestBlock(
    () => void queue.incrementReservoir(MINUTE),
    () => ran === MINUTE,
  );
  return { block: Math.max(add, serve), total: performance.now() - begin };
}

/** Measures the fair queue in front of Bottleneck: an entry that may run is taken from the queue and scheduled. */
async function fairQueueInFront(): Promise<Figures> {
  const queue = new FairQueue<Entry>(() => false);
  const starter = new Bottleneck();
  let ahead = 0;
  let ran = 0;
  const begin = performance.now();
  const block = await longestBlock(
    () => {
      for (let n = 0; n < COUNT; n += 1) {
        const entry: Entry = { actor: `a${n % 50}`, priority: 'assistant' };
        queue.add(entry);
        ahead += queue.ahead(entry);
      }
      for (let n = 0; n < MINUTE; n += 1) {
        queue.next();
        starter.schedule({ priority: 5 }, async () => (ran += 1)).catch(() => undefined);
      }
    },
    () => ahead > 0 && ran === MINUTE,
  );
  return { block, total: performance.now() - begin };
}

async function client(): Promise<{ queue: number; cancel: number }> {
  const clock = new StillClock();
  const up = await upstream(clock);
  const made = makeClient(clock, up.url);
  await made.token('/v1.0/thing', call(clock));
  const leavers = Array.from({ length: COUNT }, () => new AbortController());
  let ended = 0;
  const end = () => {
    ended += 1;
  };
  const queue = await longestBlock(
    () => {
      for (const { signal } of leavers) made.send(call(clock, { signal, onWait: () => undefined })).then(end, end);
    },
    () => ended > 80,
  );
  const cancel = await longestBlock(
    () => {
      for (const leaver of leavers) leaver.abort();
    },
    async () => (await made.budget()).waiting === 0,
  );
  await until(() => ended === COUNT);
  return { queue, cancel };
}

test('10,000 calls queue at once: longest block of the event loop', async () => {
  await client();
  const before = await allInBottleneck();
  const now = await fairQueueInFront();
  const all = await client();
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  console.log(
    [
      `every call in Bottleneck: longest block ${ms(before.block)}, in all ${ms(before.total)}`,
      `a fair queue in front of it: longest block ${ms(now.block)}, in all ${ms(now.total)}`,
      `ratio: block ${(now.block / before.block).toFixed(3)}, in all ${(now.total / before.total).toFixed(3)}`,
      `the client's calls themselves, made in one turn of the loop: ${ms(all.queue)}; cancelling them: ${ms(all.cancel)}`,
    ].join('\n'),
  );
});
