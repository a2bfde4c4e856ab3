import { expect, it } from 'vitest';
import { type Stage, stage, U_AGENT, until, whisper, whispers } from '../support.ts';

/* Lists that people sort and page in Slack, and plain tables where Slack refuses those. */

/** The message with the inventory, whose details are a table. */
async function listed(s: Stage): Promise<string> {
  await s.type('/numbers', 'inventory');
  return (await whisper(s.ws, U_AGENT, 'sb_page')).ts;
}

/** The types of the tables in the details of this message. */
async function detailed(s: Stage, messageTs: string): Promise<unknown[]> {
  const before = s.ws.calls('response_url').length;
  await s.ws.click({ user: U_AGENT, messageTs, actionId: 'sb_page' });
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
  expect(await detailed(s, await listed(s))).toEqual(['data_table']);
  expect(s.ws.warnings()).toEqual([]);
});

it('a process whose Slack refuses such lists sends plain tables from then on', async () => {
  const s = await stage();
  const message = await listed(s);
  s.ws.fail('response_url', { status: 400 }, 1);
  expect(await detailed(s, message)).toEqual(['table']);
  const tries = s.ws.calls('response_url').length;
  expect(await detailed(s, message)).toEqual(['table']);
  expect(s.ws.calls('response_url').length).toBe(tries + 1);
  expect(s.logged.filter((line) => line.includes('a table that can be sorted'))).toHaveLength(1);
});
