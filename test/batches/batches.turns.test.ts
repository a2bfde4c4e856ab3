import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/lib/clock.ts';
import { ends } from '../support/asking.ts';
import { approver, BatchClient, numbers, runEnds, STATUS } from '../support/batches.ts';
import { SkippingClock } from '../support/clock.ts';
import { confirm, look } from '../support/page.ts';
import { seeded } from '../support/seed.ts';
import { call, face, type Json, openWorld, until, value } from '../support/world.ts';

const world = await openWorld();
const client = await world.client();
const batches = new BatchClient(client);
beforeEach(() => world.afresh());

/** Longer than a test takes that does not end the wait itself. */
const HANG_MS = 20_000;

/** Waits until so many rows of a batch have this state. */
const has = (made: Json, state: string, count = 1, of = batches) =>
  until(async () => (await of.get(made.batch.id)).batch[state] === count, `${count} ${state}`);

describe('a batch while it runs', () => {
  const reactivate = () => batches.create({ Operation: 'numbers_reactivate', Numbers: numbers(8, 7), Fields: {} });

  it('stops at a refusal among the first rows, for good', async () => {
    const made = await reactivate();
    expect(made.confirmation.consequence).toContain('10 USD');
    await confirm(made.confirmation.url);
    const stopped = await batches.reaches(made.batch.id, 'stopped');
    expect(stopped).toMatchObject({ failed: 1, ready: 1 });
    expect(stopped.summary).toContain(`The platform refused row 1 (${seeded(8)})`);
    expect(await world.sent('/v1.0/numbers/reactivate')).toHaveLength(1);
    expect(await batches.followed(made)).toMatchObject({ status: 'failed', result: { Status: 'stopped', NotSent: 1 } });
    const [line] = (await world.runtime.gate.actions.audit(20)).filter(({ what }) => what === 'stopped');
    const detail = `stop rule: row 1 (${seeded(8)}) was refused`;
    expect(line).toMatchObject({ who: 'switchboard', decider: null, detail });
    expect(face(await call(client, 'batches_stop', { id: made.batch.id }))).toMatchObject({ code: 'invalid_input' });
  });

  it('waits for the reading of an unknown outcome, and goes on', async () => {
    const made = await batches.park([1, 2, 3]);
    await world.control('faults', { path: STATUS, times: 1, dropAfterCommit: true });
    await confirm(made.confirmation.url);
    await has(made, 'unknown');
    expect((await batches.get(made.batch.id)).batch.status).toBe('running');
    expect(await world.sent(STATUS)).toHaveLength(1);
    expect(await ends(batches, made)).toMatchObject({ status: 'done', done: 3 });
  });

  it('stops with the reason if the yes is not for its rows any more', async () => {
    const made = await batches.park([1, 2]);
    await world.control('faults', { path: STATUS, times: 1, dropAfterCommit: true });
    await confirm(made.confirmation.url);
    await has(made, 'unknown');
    const other = JSON.stringify({ Number: seeded(5) });
    const rows = world.runtime.store.database('ledger');
    await rows.run('UPDATE batch_rows SET said = ? WHERE batch = ? AND n = 2', other, made.batch.id);
    const { summary } = await batches.reaches(made.batch.id, 'stopped');
    expect(summary).toContain('No person confirmed this batch with these rows.');
    expect(summary).not.toContain('12 hours');
    expect(await world.sent(STATUS)).toHaveLength(1);
  });

  it('stops at an outcome that no reading finds', async () => {
    const path = '/v1.0/message/outbound';
    const Numbers = ['+14155550121', '+14155550122', '+14155550123'];
    const Fields = { From: seeded(1), Body: 'The outcome of one is unknown' };
    const clock = new SkippingClock();
    const own = await openWorld({}, clock);
    const mine = new BatchClient(await own.client());
    const made = await mine.create({ Operation: 'message_outbound', Numbers, Fields });
    await own.control('faults', { path, times: 1, status: 500 });
    await own.control('faults', { path: '/v1.0/message/search', times: 1_000, status: 400 });
    await confirm(made.confirmation.url);
    await has(made, 'unknown', 1, mine);
    clock.skip(10 * MINUTE_MS);
    const stopped = await ends(mine, made);
    expect(stopped).toMatchObject({ status: 'stopped', unknown: 1, done: 0 });
    expect(stopped.summary).toMatch(
      /is unknown, and reading did not find it\. Check it with confirmations_get, id act/,
    );
    expect(await mine.followed(made)).toMatchObject({ status: 'unknown', result: { Unknown: 1, NotSent: 2 } });
    expect(await own.sent(path)).toHaveLength(1);
  });

  it('reads rows with values of their own together, and leaves out the one that changed since', async () => {
    const limits = '/v1.0/numbers/data-usage';
    const set = (n: number, more: object) =>
      world.sandbox.perform(limits, { PhoneNumbers: [{ Number: seeded(n) }], ValueUnit: 'MB', ...more });
    set(3, { LimitValue: 20, NotifyValue: 10 });
    const one = { PhoneNumbers: [1, 3].map((n) => ({ Number: seeded(n) })), LimitValue: 16 };
    expect(face(await call(client, 'numbers_data_usage_set', one)).message).toContain('as a batch (batches_create)');
    const asked = () =>
      Promise.all(['info', 'settings'].map(async (part) => (await world.sent(`${limits}/${part}`)).length));
    const before = await asked();
    const Rows = [
      { Number: seeded(1), LimitValue: 15 },
      { Number: seeded(3), LimitValue: 16 },
      { Number: seeded(5), LimitValue: 17, NotifyValue: 12 },
      { Number: seeded(6), LimitValue: 18, NotifyValue: 13 },
    ];
    const made = await batches.create({ Operation: 'numbers_data_usage_set', Rows });
    expect(await asked()).toEqual(before.map((count) => count + 1));
    set(1, { LimitValue: 30 });
    await confirm(made.confirmation.url);
    expect(await ends(batches, made)).toMatchObject({ done: 3, leftOut: 1 });
    const [first] = await batches.rows(made.batch.id);
    expect(first).toMatchObject({ target: seeded(1), status: 'left out' });
    expect(first.reason).toMatch(/since it was asked: the Data limit of \+12015550101 was 20 and is 30 now\.$/);
    // The last two are of one turn and go in a request each, because their values differ.
    expect(await world.sent(limits)).toHaveLength(3);
    const PhoneNumbers = [3, 5, 6].map((n) => ({ Number: seeded(n) }));
    expect(world.sandbox.perform(`${limits}/settings`, { PhoneNumbers }).PhoneNumbers).toMatchObject([
      { LimitValue: 16, NotifyValue: 10 },
      { LimitValue: 17, NotifyValue: 12 },
      { LimitValue: 18, NotifyValue: 13 },
    ]);
    Rows.push({ Number: seeded(99), LimitValue: 1 });
    const other = await batches.create({ Operation: 'numbers_data_usage_set', Rows });
    expect(other.batch).toMatchObject({ ready: 1, leftOut: 4 });
    expect(JSON.stringify(other.batch.exceptions)).toContain(`Number ${seeded(99)} not found`);
  });
  it('reads a list without a yes and ends in a CSV', async () => {
    const made = await batches.create({ Operation: 'numbers_lookup', Numbers: numbers(1, 2, 99) });
    expect(await ends(batches, made)).toMatchObject({ done: 2, failed: 1 });
    const page = await call(client, 'batches_get', { id: made.batch.id, Page: 1 });
    const [{ result }] = value(page).rows;
    expect(result).toMatchObject({ Number: { Status: 'Active' }, Subscriber: { Name: 'Ava Stone' } });
    expect(page._meta?.['switchboard/outside']).toContain('rows[].result.Subscriber.Name');
    const resource = await client.readResource({ uri: `switchboard://batches/${made.batch.id}` });
    expect(JSON.stringify(resource)).toContain('batches_get with Page 1; as a CSV file with all columns');
    const csv = await world.runtime.batches.csv(made.batch.id, approver, 'results');
    expect(csv.split('\r\n')).toHaveLength(5);
    expect(csv).toContain(`1,${seeded(1)},done`);
    expect(csv).toContain('Number.MessageRouteId');
  });

  it('gives an assistant short rows of a lookup, so that a page of 100 fits into its context', async () => {
    const made = await batches.create({ Operation: 'numbers_lookup', Numbers: numbers(1, 3) });
    await batches.reaches(made.batch.id, 'done');
    const rows = await batches.rows(made.batch.id);
    expect(rows[0].result).toEqual({
      Summary: 'Active; 12.5 of 20 MB used',
      Number: { Status: 'Active', ProductType: 'sms+data+voice' },
      Subscriber: { Name: 'Ava Stone', Account: { CompanyName: 'Acme Mobile' } },
      DataUsage: { Used: '12.5 MB', Remaining: '7.5 MB' },
    });
    for (const row of rows) expect(countTokens(JSON.stringify(row))).toBeLessThanOrEqual(120);
  });

  it('cancels with the statement that the person saw', async () => {
    const made = await batches.create({ Operation: 'numbers_cancel', Numbers: numbers(1, 3, 5) });
    expect(made.confirmation.statement).toContain('immediate cancellation');
    await confirm(made.confirmation.url);
    expect(await ends(batches, made)).toMatchObject({ status: 'done', done: 3 });
    expect(await world.sent('/v1.0/numbers/cancel-order-submit')).toHaveLength(2);
    // Its first stages, which cancel nothing, are no changes beside it.
    expect(JSON.stringify(value(await call(client, 'events_since', { Since: '1h' })))).not.toContain('stage 1');
  });

  it('fails with the reason if the platform gives no statement for its first row', async () => {
    await world.control('faults', { path: '/v1.0/numbers/cancel-order-request', times: 20, status: 400 });
    const made = await batches.create({ Operation: 'numbers_cancel', Numbers: numbers(1, 3) });
    expect((await batches.reaches(made.batch.id, 'failed')).summary).toContain('The platform said');
  });
});

describe('a batch that is stopped', () => {
  it('while its rows are read again sends nothing more once it is answered', async () => {
    const made = await batches.create({ Operation: 'numbers_cancel', Numbers: numbers(1, 3, 5) });
    const before = (await world.requests()).length;
    await world.control('faults', { path: '/v1.0/numbers', times: 1, hangMs: HANG_MS });
    await confirm(made.confirmation.url);
    await batches.reaches(made.batch.id, 'running');
    expect(await batches.followed(made)).toMatchObject({ status: 'running', result: { Done: 0, NotSent: 3 } });
    expect((await look(made.confirmation.url)).html).toMatch(/Running: 3 to go.*<progress/s);
    const told = await batches.stop(made.batch.id);
    expect(told).toMatchObject({ status: 'stopped', running: 0, summary: expect.stringContaining('3 not sent') });
    await world.answerNow(HANG_MS);
    const isRead = async () => (await world.requests()).slice(before).some(({ path }) => path === '/v1.0/numbers');
    await until(isRead, 'the row was read again');
    await runEnds(world, made.batch.id);
    expect(await world.sent('/v1.0/numbers/cancel-order-submit')).toHaveLength(0);
    expect(await world.runtime.gate.actions.ofBatch(made.batch.id)).toHaveLength(0);
    expect(await batches.followed(made)).toMatchObject({ status: 'failed', result: { Status: 'stopped', NotSent: 3 } });
  });

  it('while a row is sent still learns its outcome', async () => {
    const made = await batches.park([1, 2]);
    await world.control('faults', { path: STATUS, times: 2, hangMs: HANG_MS });
    await confirm(made.confirmation.url);
    await world.answerNow(HANG_MS);
    await has(made, 'done');
    await has(made, 'running');
    expect((await batches.stop(made.batch.id)).summary).toContain('1 done, 1 being sent');
    await world.answerNow(HANG_MS);
    await has(made, 'done', 2);
    expect((await batches.reaches(made.batch.id, 'stopped')).summary).toContain('2 done');
  });
});
