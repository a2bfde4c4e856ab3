import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { approver, BatchClient, numbers, STATUS } from '../support/batches.ts';
import { call, confirm, openWorld, seeded, texts, value, type World, within } from '../support/world.ts';

/* A batch beside earlier questions, and what is told of rows that were refused. */

let world: World;
let client: Client;
let batches: BatchClient;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
  client = await world.client();
  batches = new BatchClient(client);
});
afterAll(() => world.close());
beforeEach(() => world.reset());

it('asks for a refused row again without saying that it was sent, and says that this question waits already', async () => {
  const made = await batches.create({ Operation: 'numbers_reactivate', Numbers: numbers(7, 8) });
  await confirm(made.confirmation.url);
  await batches.reaches(made.batch.id, 'partly', 'stopped');
  const ended = await call(client, 'confirmations_get', { id: made.confirmation.id });
  expect(texts(ended)).not.toContain('Cost as confirmed: 10 USD');
  const again = await call(client, 'batches_create', { RestOf: made.batch.id });
  expect(value(again).confirmation.consequence).not.toContain('were sent for');
  const second = await call(client, 'batches_create', { RestOf: made.batch.id });
  expect(value(second).batch.id).toBe(value(again).batch.id);
  expect(texts(second)).toContain('already waits, asked at');
  const withdrawn = await call(client, 'confirmations_withdraw', { id: value(again).confirmation.id });
  expect(texts(withdrawn)).not.toContain('Ask the person whether');
});

it('marks the carrier’s words in the reason of a row, also where one request had several', async () => {
  await world.control('faults', { path: STATUS, refuse: [seeded(5)], times: 5 });
  const made = await batches.park([1, 3, 5]);
  await confirm(made.confirmation.url);
  await batches.reaches(made.batch.id, 'partly', 'stopped');
  const shown = await call(client, 'batches_get', { id: made.batch.id, Page: 1 });
  expect(value(shown).rows[2].reason).toContain('The carrier refused');
  expect(shown._meta?.['switchboard/outside']).toContain('rows[].reason');
});

it('sends a message that two waiting batches have once', () =>
  within(
    { MCP_HTTP_TOKENS: 'ann:operator:token-of-ann,bea:operator:token-of-bea,lee:approver:token-of-lee' },
    async (own) => {
      const [ann, bea] = await Promise.all(
        ['ann', 'bea'].map(async (name) => new BatchClient(await own.client({ token: `token-of-${name}` }))),
      );
      const texting = (Numbers: string[]) => ({
        Operation: 'message_outbound',
        Numbers,
        Fields: { From: seeded(1), Body: 'The line is ready' },
      });
      const [one, two, three] = ['+12025550181', '+12025550182', '+12025550183'];
      const first = await ann?.create(texting([one, two]));
      const second = await bea?.create(texting([two, three]));
      await own.runtime.gate.confirm(first.confirmation.id, approver, 'page');
      await ann?.reaches(first.batch.id, 'done');
      await own.runtime.gate.confirm(second.confirmation.id, approver, 'page');
      await bea?.reaches(second.batch.id, 'done', 'partly');
      expect(await own.sent('/v1.0/message/outbound')).toHaveLength(3);
      expect(await bea?.rows(second.batch.id)).toMatchObject([
        { target: two, status: 'left out', reason: expect.stringContaining('the same call was sent for') },
        { target: three, status: 'done' },
      ]);
    },
  ));
