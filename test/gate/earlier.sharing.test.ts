import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect, it } from 'vitest';
import { call, type Json, seeded, until, value, type World, within } from '../support/world.ts';

/* Calls of an operation that takes a list of targets, which share some of them. */

const TOKENS = 'ann:operator:token-of-ann,bea:operator:token-of-bea,lee:approver:token-of-lee';
const lee = {
  id: 'http:lee',
  person: 'token:lee',
  name: 'lee',
  role: 'approver',
  surface: 'page',
  priority: 'person',
} as const;
const [A, B, C] = ['+14155550191', '+14155550192', '+14155550193'];
/** A day on which the platform shows that nothing was done yet. */
const LATER = '12/31/2099';
const SMS = '/v1.0/message/outbound';

const sms = (...to: string[]) => ({
  From: seeded(1),
  To: to.map((phone) => ({ Number: phone })),
  Body: 'the same text',
});
const park = (...lines: number[]) => ({
  PhoneNumbers: lines.map((n) => ({ Number: seeded(n) })),
  StatusChange: 'park',
  EffectiveDate: LATER,
});
const asked = async (by: Client, tool: string, input: Json): Promise<Json> =>
  value(await call(by, tool, input)).confirmation;
const yes = (own: World, { id }: Json) => own.runtime.gate.confirm(id, lee, 'page');
const planned = async (by: Client, Operation: string, Numbers: string[], Fields: Json): Promise<Json> => {
  const { batch } = value(await call(by, 'batches_create', { Operation, Numbers, Fields }));
  return batch;
};

const withTwo = (work: (own: World, ann: Client, bea: Client) => Promise<void>) =>
  within({ MCP_HTTP_TOKENS: TOKENS }, async (own) =>
    work(own, await own.client({ token: 'token-of-ann' }), await own.client({ token: 'token-of-bea' })),
  );

it('a call names the calls for some of the same recipients, and is not sent after one of them', () =>
  withTwo(async (own, ann, bea) => {
    const both = await asked(ann, 'message_outbound', sms(A, B));
    const more = await asked(bea, 'message_outbound', sms(B, C));
    expect(more.consequence).toContain(`ann asked for the same call for ${B}`);
    await yes(own, both);
    await expect(yes(own, more)).rejects.toMatchObject({ face: { code: 'not_confirmed', reason: 'changed' } });
    expect(await own.sent(SMS)).toHaveLength(1);
    const single = await asked(bea, 'message_outbound', sms(A));
    expect(single.consequence).toContain(`ann made the same call for ${A}`);
    const other = await asked(bea, 'message_outbound', { ...sms(A), Body: 'another text' });
    expect(other.consequence).not.toContain('the same call');
  }));

it('rows of a batch are not sent after one call with the same recipients', () =>
  withTwo(async (own, ann) => {
    const both = await asked(ann, 'message_outbound', sms(A, B));
    const batch = await planned(ann, 'message_outbound', [A, B, C], { From: seeded(1), Body: 'the same text' });
    await yes(own, both);
    await own.runtime.gate.confirm(batch.confirmationId, lee, 'page');
    await until(async () => (await own.sent(SMS)).length >= 2);
    await until(async () => value(await call(ann, 'batches_get', { id: batch.id })).batch.running === 0);
    const end = value(await call(ann, 'batches_get', { id: batch.id })).batch;
    expect(end).toMatchObject({ done: 1, leftOut: 2 });
  }));

it('an unknown outcome of several lines is named by a call for one, and leaves out a row of a batch', () =>
  withTwo(async (own, ann, bea) => {
    const list = await asked(ann, 'numbers_status', park(1, 3));
    await own.control('faults', { path: '/v1.0/numbers/status', times: 1, status: 500 });
    await expect(yes(own, list)).rejects.toMatchObject({ face: { outcome: 'unknown' } });
    const one = await asked(bea, 'numbers_status', park(1));
    expect(one.consequence).toContain(`An earlier call for ${seeded(1)}`);
    const batch = await planned(ann, 'numbers_status', [seeded(1), seeded(3), seeded(5)], {
      StatusChange: 'park',
      EffectiveDate: LATER,
    });
    expect(batch).toMatchObject({ ready: 1, leftOut: 2 });
  }));
