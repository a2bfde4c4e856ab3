import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  call,
  confirm,
  type Json,
  openWorld,
  seeded,
  texts,
  until,
  value,
  type World,
  within,
} from '../support/world.ts';

/* The same call made twice, as a whole or for some of the targets of a list. */

const PATH = '/v1.0/message/outbound';
const TOKENS = 'ann:operator:token-of-ann,bea:operator:token-of-bea,lee:approver:token-of-lee';
const lee = {
  id: 'http:lee',
  person: 'token:lee',
  name: 'lee',
  role: 'approver',
  surface: 'page',
  priority: 'person',
} as const;

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());

const sms = (Body: string) => ({ From: seeded(1), To: [{ Number: '+14155550199' }], Body });
const asked = async (by: Client, input: Record<string, unknown>, tool = 'message_outbound'): Promise<Json> =>
  value(await call(by, tool, input)).confirmation;
const typed = (input: Record<string, unknown>, ...more: string[]) =>
  world.cli(['message_outbound', '--json', JSON.stringify(input), '--yes', ...more]);
const bodies = async () => (await world.sent(PATH)).length;

it('a question whose call was made elsewhere meanwhile sends nothing, and can be asked again', async () => {
  const input = sms('made meanwhile');
  const { id, url } = await asked(client, input);
  expect((await typed(input)).code).toBe(0);
  const before = await bodies();
  const page = await confirm(url);
  expect(page.html).toContain('the same call of');
  expect(await bodies()).toBe(before);
  expect(value(await call(client, 'confirmations_get', { id }))).toMatchObject({
    status: 'failed',
    error: { code: 'not_confirmed', reason: 'changed' },
  });
  const next = await asked(client, input);
  expect(next.id).not.toBe(id);
});

it('two identities that ask for the same are told of each other, and the second yes sends nothing unseen', () =>
  within({ MCP_HTTP_TOKENS: TOKENS }, async (own) => {
    const [ann, bea] = [await own.client({ token: 'token-of-ann' }), await own.client({ token: 'token-of-bea' })];
    const first = await asked(ann, sms('both'));
    const second = await asked(bea, sms('both'));
    expect(second.id).not.toBe(first.id);
    expect(second.consequence).toMatch(/^Warning: ann asked for the same call at \S+ \(act_\S+\); it still waits/);
    // The same call again is the question that waits.
    const again = await call(bea, 'message_outbound', sms('both'));
    expect(value(again).confirmation.id).toBe(second.id);
    expect(texts(again)).toContain('already waits, asked at');
    await own.runtime.gate.confirm(first.id, lee, 'page');
    await expect(own.runtime.gate.confirm(second.id, lee, 'page')).rejects.toMatchObject({
      face: { code: 'not_confirmed', reason: 'changed' },
    });
    expect(await own.sent(PATH)).toHaveLength(1);
  }));

it('of two yeses at the same instant for the same call of two people, one sends it', () =>
  within({ MCP_HTTP_TOKENS: TOKENS }, async (own) => {
    const [ann, bea] = [await own.client({ token: 'token-of-ann' }), await own.client({ token: 'token-of-bea' })];
    const [first, second] = [await asked(ann, sms('at once')), await asked(bea, sms('at once'))];
    const yes = ({ id }: Json) => own.runtime.gate.confirm(id, lee, 'page');
    const [one, other] = await Promise.allSettled([yes(first), yes(second)]);
    expect([one.status, other.status].sort()).toEqual(['fulfilled', 'rejected']);
    expect(await own.sent(PATH)).toHaveLength(1);
    const ends = [
      value(await call(ann, 'confirmations_get', { id: first.id })),
      value(await call(bea, 'confirmations_get', { id: second.id })),
    ];
    const failed = ends.find(({ status }) => status === 'failed');
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'not_confirmed', reason: 'changed' } });
  }));

it('the yes of the terminal runs the call that the assistant of this person asked for, once', async () => {
  const person = {
    id: 'cli:root',
    person: 'local:root',
    name: 'root',
    role: 'approver',
    surface: 'cli',
    priority: 'person',
  } as const;
  const assistant = { ...person, id: 'mcp:stdio', surface: 'mcp', role: 'operator', priority: 'assistant' } as const;
  const { gate } = world.runtime;
  const waiting = await gate.perform('message_outbound', sms('mine'), assistant);
  const before = await bodies();
  const left = await gate.perform('message_outbound', sms('mine'), person, { ask: async () => 'cancel' as const });
  expect(left).toMatchObject({ kind: 'pending', confirmation: { isRepeat: true } });
  const options = { ask: async () => 'accept' as const, decider: { ...person, way: 'terminal' as const } };
  const done = await gate.perform('message_outbound', sms('mine'), person, options);
  expect(done).toMatchObject({ kind: 'done' });
  if (waiting.kind === 'pending' && done.kind === 'done') expect(done.actionId).toBe(waiting.action.id);
  expect(await bodies()).toBe(before + 1);
});

/* Calls of an operation that takes a list of targets, which share some of them. */

const [A, B, C] = ['+14155550191', '+14155550192', '+14155550193'];
/** A day on which the platform shows that nothing was done yet. */
const LATER = '12/31/2099';

const smsTo = (...to: string[]) => ({
  From: seeded(1),
  To: to.map((phone) => ({ Number: phone })),
  Body: 'the same text',
});
const park = (...lines: number[]) => ({
  PhoneNumbers: lines.map((n) => ({ Number: seeded(n) })),
  StatusChange: 'park',
  EffectiveDate: LATER,
});
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
    const both = await asked(ann, smsTo(A, B));
    const more = await asked(bea, smsTo(B, C));
    expect(more.consequence).toContain(`ann asked for the same call for ${B}`);
    await yes(own, both);
    await expect(yes(own, more)).rejects.toMatchObject({ face: { code: 'not_confirmed', reason: 'changed' } });
    expect(await own.sent(PATH)).toHaveLength(1);
    const single = await asked(bea, smsTo(A));
    expect(single.consequence).toContain(`ann made the same call for ${A}`);
    const other = await asked(bea, { ...smsTo(A), Body: 'another text' });
    expect(other.consequence).not.toContain('the same call');
  }));

it('rows of a batch are not sent after one call with the same recipients', () =>
  withTwo(async (own, ann) => {
    const both = await asked(ann, smsTo(A, B));
    const batch = await planned(ann, 'message_outbound', [A, B, C], { From: seeded(1), Body: 'the same text' });
    await yes(own, both);
    await own.runtime.gate.confirm(batch.confirmationId, lee, 'page');
    await until(async () => (await own.sent(PATH)).length >= 2);
    await until(async () => value(await call(ann, 'batches_get', { id: batch.id })).batch.running === 0);
    const end = value(await call(ann, 'batches_get', { id: batch.id })).batch;
    expect(end).toMatchObject({ done: 1, leftOut: 2 });
  }));

it('an unknown outcome of several lines is named by a call for one, and leaves out a row of a batch', () =>
  withTwo(async (own, ann, bea) => {
    const list = await asked(ann, park(1, 3), 'numbers_status');
    await own.control('faults', { path: '/v1.0/numbers/status', times: 1, status: 500 });
    await expect(yes(own, list)).rejects.toMatchObject({ face: { outcome: 'unknown' } });
    const one = await asked(bea, park(1), 'numbers_status');
    expect(one.consequence).toContain(`An earlier call for ${seeded(1)}`);
    const batch = await planned(ann, 'numbers_status', [seeded(1), seeded(3), seeded(5)], {
      StatusChange: 'park',
      EffectiveDate: LATER,
    });
    expect(batch).toMatchObject({ ready: 1, leftOut: 2 });
  }));
