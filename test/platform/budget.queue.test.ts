import { expect, test } from 'vitest';

import { makeStore } from '../support/stores.ts';
import { call, longestBlock, makeClient, StillClock, turn, until, upstream } from './support.ts';

/** The number of calls that all callers of a process may have in flight. */
const COUNT = 1_000;
/**
 * One call's part of a batch, in ms of processor time. The queue's own part is far less: most of it is the garbage of the
 * tests that the process ran before.
 */
const GENEROUS_MS = 2;

test.each(['in memory', 'in the database'])(
  '1,000 calls queue, leave and are cancelled in constant time each, counted %s',
  async (kind) => {
    const clock = new StillClock();
    const opened = kind === 'in the database' ? await makeStore('sqlite', clock) : undefined;
    const up = await upstream(clock);
    const client = makeClient(clock, up.url, opened ? { database: opened.store.database('budget') } : {});
    await client.token('/v1.0/thing', call(clock));
    const leavers = Array.from({ length: COUNT }, () => new AbortController());
    let ended = 0;
    let told = 0;
    const end = () => {
      ended += 1;
    };
    const queueing = await longestBlock(
      () => {
        for (const [n, { signal }] of leavers.entries()) {
          const onWait = () => {
            told += 1;
          };
          client.send(call(clock, { signal, onWait, actor: `a${n % 50}` })).then(end, end);
        }
      },
      () => ended > 90,
    );
    // Assistants have 100 places; one went to the token.
    await until(() => ended === 99);
    expect((await client.budget()).waiting).toBe(COUNT - 99);
    expect(told).toBe(COUNT - 99);
    expect(queueing).toBeLessThan(COUNT * GENEROUS_MS);

    // In the next minute, sending takes no longer because of the requests that still wait.
    const sent = ended;
    const leaving = await longestBlock(
      () => clock.advance(61_000),
      () => ended > sent + 90,
    );
    expect(leaving).toBeLessThan(1000);

    // They leave from the last to the first, so that a search from the start would find each one last.
    const cancelling = await longestBlock(
      () => {
        for (const leaver of leavers.reverse()) leaver.abort();
      },
      async () => (await client.budget()).waiting === 0,
    );
    expect(cancelling).toBeLessThan(COUNT * GENEROUS_MS);
    await until(() => ended === COUNT);
    await turn();
    await client.close();
    await opened?.remove();
  },
);
