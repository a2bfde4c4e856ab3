import { expect, it } from 'vitest';
import * as z from 'zod';
import { defineWorkflow } from '../../src/catalogue/operation.ts';
import { tools } from '../../tools/index.ts';
import { actorOf, answering, gateOn } from '../support/approval.ts';
import { openLedger } from '../support/ledger.ts';

const GATED = 'numbers_reactivate';

const unconfirmed = defineWorkflow({
  id: 'numbers_reactivate_unconfirmed',
  group: 'numbers',
  title: 'Reactivate',
  description: 'Reactivates a number.',
  risk: 'write',
  free: 'it is a test of a workflow that asks nobody',
  keys: ['PhoneNumber'],
  ordinary: {},
  input: () => ({ PhoneNumber: z.string() }),
  output: () => ({}),
  examples: [{ PhoneNumber: '+12015550107' }],
  run: (input, { call }) => call(GATED, input),
});

it('a gated operation as a step of a workflow is not sent if nobody confirmed the workflow', async () => {
  const sent: string[] = [];
  const client = answering(async ({ path }) => {
    sent.push(path);
    return { Status: 'Success', OrderId: 'JNUOID-1' };
  });
  const ledger = openLedger();
  const gate = gateOn({ client, ledger, worker: ledger.worker, tools: [...tools, unconfirmed] });
  const actor = actorOf('cli:lee', { person: 'local:lee', surface: 'cli' });
  const asked = gate.perform(unconfirmed.id, { PhoneNumber: '+12015550107' }, actor);
  await expect(asked).rejects.toMatchObject({ face: { code: 'server_error' } });
  expect(sent).toEqual([]);
  expect((await gate.actions.list({ limit: 10 })).filter(({ operation }) => operation === GATED)).toEqual([]);
});
