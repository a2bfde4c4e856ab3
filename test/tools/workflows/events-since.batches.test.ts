import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { BatchClient, numbers } from '../../support/batches.ts';
import { call, confirm, type Json, openWorld, value, type World } from '../../support/world.ts';

/* What a batch has done so far, and what it cost whom, in the history. */

let world: World;
let client: Client;
let batches: BatchClient;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
  client = await world.client();
  batches = new BatchClient(client);
});
afterAll(() => world.close());
afterEach(() => world.reset());

const since = async (input: Record<string, unknown> = {}): Promise<Json> =>
  value(await call(client, 'events_since', { Since: '1h', ...input }));

/** The entry of a batch. */
const entryOf = async ({ confirmation }: Json): Promise<Json> =>
  (await since({ Only: 'actions' })).Actions.find(({ Id }: Json) => Id === confirmation.id);

/** The charges of a batch. */
const charged = async (input: Record<string, unknown>, before: Json): Promise<Json> => {
  const { Charges } = await since({ ...input, Only: 'charges' });
  return {
    Actions: (Charges?.Actions ?? 0) - (before.Charges?.Actions ?? 0),
    KnownUsd: Number(((Charges?.KnownUsd ?? 0) - (before.Charges?.KnownUsd ?? 0)).toFixed(6)),
  };
};

it('has the rows of a batch that are done, their cost, and its state', async () => {
  const before = await since({ Only: 'charges' });
  const made = await batches.create({ Operation: 'numbers_reactivate', Numbers: numbers(7, 8) });
  await confirm(made.confirmation.url);
  await batches.reaches(made.batch.id, 'partly');
  const entry = await entryOf(made);
  expect(entry).toMatchObject({ State: 'partly', Charged: '5 USD' });
  expect(entry.Changes).toEqual([expect.stringMatching(/^Service of \+12015550107.* → Active$/)]);
  expect(await charged({}, before)).toEqual({ Actions: 1, KnownUsd: 5 });
});
