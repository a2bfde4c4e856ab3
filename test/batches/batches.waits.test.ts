import { expect, it } from 'vitest';
import { type Clock, POLL_MS, systemClock } from '../../src/lib/clock.ts';
import { BatchClient } from '../support/batches.ts';
import { openWorld } from '../support/world.ts';

/** The system's clock, on which no caller ever looks again. */
const withoutPolls: Clock = {
  ...systemClock,
  setTimeout: (run, ms) => (ms === POLL_MS ? undefined : systemClock.setTimeout(run, ms)),
};

it('a caller learns that this process has planned a batch without looking again', async () => {
  const world = await openWorld({ MCP_TOOLSETS: 'all' }, withoutPolls);
  const batches = new BatchClient(await world.client());
  expect((await batches.park([1, 3])).batch).toMatchObject({ status: 'waiting', ready: 2 });
  await world.close();
});
