import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineWorkflow, type WorkflowContext } from '../../src/catalogue/operation.ts';
import { tools } from '../../tools/index.ts';
import { actorOf, answering, gateOn } from '../support/approval.ts';
import { openLedger } from '../support/ledger.ts';

const GATED = 'numbers_reactivate';
const PATH = '/v1.0/numbers/reactivate';
const actor = actorOf('cli:lee', { person: 'local:lee', surface: 'cli' });

const common = {
  group: 'numbers',
  title: 'Reactivate',
  description: 'Reactivates a number.',
  input: () => ({ PhoneNumber: z.string() }),
  output: () => ({}),
  examples: [{ PhoneNumber: '+12015550107' }] as const,
  run: (input: { PhoneNumber: string }, { call }: WorkflowContext) => call(GATED, input),
};
const unconfirmed = defineWorkflow({
  ...common,
  id: 'numbers_reactivate_unconfirmed',
  risk: 'write',
  free: 'it is a test of a workflow that asks nobody',
  keys: ['PhoneNumber'],
  ordinary: {},
});
const confirmed = defineWorkflow({
  ...common,
  id: 'numbers_reactivate_confirmed',
  risk: 'spend',
  consent: () => ({ title: 'Reactivate', consequence: 'Costs 5 USD.', undo: '', confirm: 'Reactivate' }),
});

describe('a gated operation as a step of a workflow', () => {
  const sent: string[] = [];
  const client = answering(async ({ path }) => {
    sent.push(path);
    return { Status: 'Success', OrderId: 'JNUOID-1' };
  });
  const ledger = openLedger();
  const gate = gateOn({ client, ledger, worker: ledger.worker, tools: [...tools, unconfirmed, confirmed] });
  it('is not sent if nobody confirmed the workflow', async () => {
    const asked = gate.perform(unconfirmed.id, { PhoneNumber: '+12015550107' }, actor);
    await expect(asked).rejects.toMatchObject({ face: { code: 'server_error' } });
    expect(sent).toEqual([]);
    expect((await gate.actions.list({ limit: 10 })).filter(({ operation }) => operation === GATED)).toEqual([]);
  });

  it('is sent once a person confirmed the workflow', async () => {
    const decider = { person: 'local:lee', name: 'lee', role: 'approver', way: 'terminal' } as const;
    const options = { ask: async () => 'accept' as const, decider };
    const result = await gate.perform(confirmed.id, { PhoneNumber: '+12015550108' }, actor, options);
    expect(result.kind).toBe('done');
    expect(sent).toEqual([PATH]);
  });
});
