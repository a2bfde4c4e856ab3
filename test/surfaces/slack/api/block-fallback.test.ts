import { expect, it } from 'vitest';
import { type Stage, stage, U_AGENT, until, whispers } from '../support.ts';

/* Lists that people sort and page in Slack, and plain tables where Slack refuses those. */

/** The types of the tables in the newest answer. */
async function listed(s: Stage): Promise<unknown[]> {
  const before = s.ws.calls('response_url').length;
  await s.type('/numbers', 'inventory');
  await until(
    () =>
      s.ws
        .calls('response_url')
        .slice(before)
        .some(({ status }) => status === 200),
    'an answer',
  );
  await s.settled();
  const types =
    whispers(s.ws, U_AGENT)
      .at(-1)
      ?.blocks.map(({ type }) => type) ?? [];
  return types.filter((type) => type === 'table' || type === 'data_table');
}

it('a list can be sorted', async () => {
  const s = await stage();
  expect(await listed(s)).toEqual(['data_table']);
  expect(s.ws.warnings()).toEqual([]);
});

it('a process whose Slack refuses such lists sends plain tables from then on', async () => {
  const s = await stage();
  s.ws.fail('response_url', { status: 400 }, 1);
  expect(await listed(s)).toEqual(['table']);
  const tries = s.ws.calls('response_url').length;
  expect(await listed(s)).toEqual(['table']);
  expect(s.ws.calls('response_url').length).toBe(tries + 1);
  expect(s.logged.filter((line) => line.includes('blocks of type data_table'))).toHaveLength(1);
});
