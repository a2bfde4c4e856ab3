import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { BatchClient, numbers, PARK } from '../../support/batches.ts';
import {
  A1,
  call,
  confirm,
  decline,
  id,
  type Json,
  openWorld,
  seeded,
  TSUID,
  value,
  type World,
} from '../../support/world.ts';

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

it('has neither changes nor charges of a batch that the rule stopped at its first row', async () => {
  const before = await since({ Only: 'charges' });
  const made = await batches.create({ Operation: 'numbers_reactivate', Numbers: numbers(8, 7) });
  await confirm(made.confirmation.url);
  await batches.reaches(made.batch.id, 'stopped');
  const stopped = await entryOf(made);
  expect(stopped).toMatchObject({ State: 'stopped' });
  for (const name of ['Changes', 'Charged']) expect(stopped).not.toHaveProperty(name);
  expect(await charged({}, before)).toEqual({ Actions: 0, KnownUsd: 0 });
});

it('names the numbers that were done, of a list that the platform did in part', async () => {
  await world.control('faults', { path: '/v1.0/numbers/status', refuse: [seeded(3)], times: 5 });
  const made = await batches.park([1, 3, 5]);
  await confirm(made.confirmation.url);
  await batches.reaches(made.batch.id, 'partly', 'stopped');
  const entry = await entryOf(made);
  expect(entry.Changes.join('\n')).not.toContain(seeded(3));
  expect(entry.Changes.join('\n')).toContain(`Service of ${seeded(1)}`);

  await world.reset();
  await world.control('faults', { path: '/v1.0/numbers/status', refuse: [seeded(3)], times: 5 });
  const PhoneNumbers = numbers(1, 3).map((phone) => ({ Number: phone }));
  const { confirmation } = value(await call(client, 'numbers_status', { ...PARK, PhoneNumbers }));
  await confirm(confirmation.url);
  const single = await entryOf({ confirmation });
  expect(single.State).toBe('partly');
  expect(single.Changes).toContainEqual(expect.stringContaining(`Service of ${seeded(1)}`));
  expect(single.Changes.join('\n')).not.toContain(seeded(3));
});

it('counts a message for the customer of the line that sent it, alone and in a batch', async () => {
  const [mine, theirs] = [{ SubscriberId: TSUID }, { AccountId: id('AID', 2) }];
  const [before, others] = [await since({ ...mine, Only: 'charges' }), await since({ ...theirs, Only: 'charges' })];
  const sms = { From: seeded(1), Body: 'Hello.' };
  const { confirmation } = value(await call(client, 'message_outbound', { ...sms, To: [{ Number: seeded(2) }] }));
  await confirm(confirmation.url);
  const made = await batches.create({
    Operation: 'message_outbound',
    Numbers: [seeded(2), '+12015550199'],
    Fields: { ...sms, Body: 'Hello, all.' },
  });
  await confirm(made.confirmation.url);
  await batches.reaches(made.batch.id, 'done');
  expect(await charged(mine, before)).toEqual({ Actions: 2, KnownUsd: 0.0135 });
  expect(await charged(theirs, others)).toEqual({ Actions: 0, KnownUsd: 0 });
  const { Charges } = await since({ AccountId: A1, Only: 'charges' });
  expect(Charges.ByCustomer.map(({ Customer }: Json) => Customer)).toEqual(['Ava Stone · Acme Mobile']);
  // A question that waits, or was declined, costs nothing.
  const waiting = await batches.create({ Operation: 'numbers_reactivate', Numbers: numbers(7, 8) });
  expect(await charged(mine, before)).toEqual({ Actions: 2, KnownUsd: 0.0135 });
  await decline(waiting.confirmation.url);
});
