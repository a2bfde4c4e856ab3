import type { ElicitRequest } from '@modelcontextprotocol/sdk/types.js';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { asks, ends, followed } from '../support/asking.ts';
import { approver, BatchClient, numbers, PARK, STATUS } from '../support/batches.ts';
import { sharedLateWorld } from '../support/late-platform.ts';
import { confirm, decline, look } from '../support/page.ts';
import { id, PROVISION, seeded, TSUID } from '../support/seed.ts';
import { call, confirmed, face, type Json, openWorld, texts, until, value, within } from '../support/world.ts';

const world = await openWorld({ MCP_TOOLSETS: 'all' });
const client = await world.client();
const batches = new BatchClient(client);

/** Own changes need no yes here. */
const own = await openWorld({ MCP_TOOLSETS: 'all', CONFIRM_OWN: 'false' });
const unasked = new BatchClient(await own.client());

beforeEach(() => Promise.all([world.afresh(), own.afresh()]));

it('a batch of changes over MCP reads every row, asks once, and sends the rows after the yes', async () => {
  const made = await batches.park([1, 2, 3, 7, 99]);
  expect(made.batch).toMatchObject({ status: 'waiting', total: 5, ready: 3, leftOut: 2 });
  expect(made.confirmation).toMatchObject({ status: 'pending' });
  expect(await world.sent(STATUS)).toHaveLength(0);
  const left = (await batches.rows(made.batch.id)).filter(({ status }) => status === 'left out');
  expect(left.map(({ target }) => target)).toEqual(numbers(7, 99));
  for (const { reason } of left) expect(reason).not.toBe('');
  const page = await look(made.confirmation.url);
  for (const phone of numbers(1, 2, 3, 7, 99)) expect(page.html).toContain(phone);
  await confirm(made.confirmation.url);
  expect(await ends(batches, made)).toMatchObject({ status: 'done', done: 3, leftOut: 2 });
  expect(await batches.followed(made)).toMatchObject({ status: 'done', result: { Done: 3, LeftOut: 2, NotSent: 0 } });
  // The first row alone, then two in one request.
  expect(await world.sent(STATUS)).toHaveLength(2);
  const audit = (await world.runtime.gate.actions.audit(50)).filter(({ batch }) => batch === made.batch.id);
  expect(audit.filter(({ what }) => what === 'done')).toHaveLength(2);
  for (const { decider } of audit) expect(decider).toContain('local:');
  const csv = await world.runtime.batches.csv(made.batch.id, approver, 'results');
  expect(csv.match(/^\d,\d,\+\d+,done,,JNUOID-[\w-]+,act_\S+,\d{4}-/gm)).toHaveLength(3);
});

/** A world whose platform answers as a test rewrites it. */
const late = await sharedLateWorld();
const { platform, client: assistant } = late;
const rewritten = new BatchClient(assistant);

it('a row that the platform did only in part is partly done wherever the batch is shown, and is not asked for again by itself', async () => {
  platform.rewrite = (answer, { path, sent }) =>
    path === '/v1.0/numbers/update' && sent.Number === seeded(3)
      ? answer.replace(/("UpdateOrderStatus":)"[^"]*"/, '$1"Partial"')
      : answer;
  const Rows = [1, 3].map((n) => ({ Number: seeded(n), CnamFirstName: 'Front' }));
  const made = await rewritten.create({ Operation: 'numbers_update', Rows });
  const { id } = made.batch;
  await confirm(made.confirmation.url);
  const summary = 'Partly done: 1 done, 1 partly done.';
  expect(await ends(rewritten, made)).toMatchObject({ status: 'partly', done: 1, partly: 1, summary });
  expect(await rewritten.rows(id)).toMatchObject([
    { status: 'done' },
    { status: 'partly done', reason: 'The platform did only a part of it.' },
  ]);
  expect(await rewritten.followed(made)).toMatchObject({ status: 'partly', result: { Done: 1, Partly: 1 } });
  expect(await late.world.runtime.batches.csv(id, approver, 'results')).toContain(
    `${seeded(3)},partly done,The platform did`,
  );
  expect((await look(made.confirmation.url)).html).toContain('1 partly done');
  const rest = await call(assistant, 'batches_create', { RestOf: id });
  expect(face(rest).message).toContain('nothing to ask for again');
});

it.each(['Submitted', 'Pending', 'Scheduled'])(
  'a change whose order is %s is said to be so, alone and in a batch',
  async (state) => {
    platform.rewrite = (answer) => answer.replace(/("(?:Update)?OrderStatus":)"Complete[^"]*"/, `$1"${state}"`);
    const said = `one (order ${state.toLowerCase()})`;
    /** The platform rejects the order of a result, and the order is read. */
    const reject = async ({ OrderId: own, UpdateOrderId: OrderId = own }: Json) => {
      await late.world.control('orders', { OrderId, Status: 'Rejected' });
      await call(assistant, 'numbers_order_get', { OrderId });
    };
    for (const [operation, input] of [
      ['numbers_update', { Number: seeded(1), CnamFirstName: state }],
      ['numbers_status', { ...PARK, PhoneNumbers: [seeded(1)] }],
    ] as const) {
      const { id, url } = await asks(assistant, operation, input);
      expect((await confirm(url)).html).toContain(`D${said}`);
      await reject((await followed(assistant, id)).result);
      const { html } = await look(url);
      for (const text of ['Order rejected', '(not changed)']) expect(html).toContain(text);
      expect(html).not.toContain('What changed');
      expect(await followed(assistant, id)).toMatchObject({ status: 'done', headline: 'Order rejected' });
      const { Actions } = value(await call(assistant, 'events_since', { Since: '1h' }));
      expect(Actions).toContainEqual(expect.objectContaining({ Id: id, State: 'order rejected' }));
    }
    const Rows = [3, 5].map((n) => ({ Number: seeded(n), CnamFirstName: state }));
    const made = await rewritten.create({ Operation: 'numbers_update', Rows });
    await confirm(made.confirmation.url);
    expect(await ends(rewritten, made)).toMatchObject({ status: 'done', summary: `Done: 2 d${said}.` });
    for (const { status } of await rewritten.rows(made.batch.id)) expect(status).toBe(`d${said}`);
    const [first] = await late.world.runtime.gate.actions.ofBatch(made.batch.id);
    await reject(first?.result);
    const summary = `Partly done: 1 d${said}, 1 failed.`;
    expect((await rewritten.get(made.batch.id)).batch).toMatchObject({ status: 'partly', summary });
  },
);

it('a list as JSON text is read, as a whole or row by row', async () => {
  const rowsOf = (CnamFirstName: string) => [1, 3].map((n) => JSON.stringify({ Number: seeded(n), CnamFirstName }));
  for (const Rows of [`[${rowsOf('Ann')}]`, rowsOf('Ben')])
    expect((await batches.create({ Operation: 'numbers_update', Rows })).batch).toMatchObject({ ready: 2 });
});

/** A batch of texts from line 1 to numbers that are not in the seed. */
const texting = (Body: string, ...ends: number[]) => ({
  Operation: 'message_outbound',
  Numbers: ends.map((n) => `+12025550${n}`),
  Fields: { From: seeded(1), Body },
});

it('the question about a batch is found, although others name the batch in what they ask', async () => {
  const made = await batches.park([1, 3]);
  const { id } = made.batch;
  for (const n of [1, 2, 3, 4, 5, 6])
    await call(client, 'message_outbound', { From: seeded(1), To: `+1202555018${n}`, Body: id });
  const other = await batches.create(texting(id, 181, 182));
  await decline(other.confirmation.url);
  expect((await batches.get(id)).batch).toMatchObject({ status: 'waiting' });
  await batches.stop(id);
  expect(await batches.followed(made)).toMatchObject({ status: 'declined' });
});

it('the same batch made twice at once is one batch, and is sent once', async () => {
  const { Operation: operation, Numbers, Fields: shared } = texting('The line is ready', 181, 182);
  const request = { operation, list: { numbers: Numbers }, shared };
  const made = await Promise.all([1, 2, 3].map(() => world.runtime.batches.create(request, approver)));
  expect(new Set(made.map(({ view }) => view.id)).size).toBe(1);
  expect(made.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
  await world.runtime.batches.stop(made[0]?.view.id ?? '', approver, 'page');
});

describe('a batch of own changes where these need no yes', () => {
  it('is asked about where a row was sent before, and so is the batch without that row', async () => {
    const client = await own.client();
    const rows = [1, 2].map((n) => ({ SubscriberId: id('TSUID', n), Phone: seeded(n), FilterMode: 'CHILD' }));
    const { FilterId } = value(await call(client, 'subscribers_message_filter_create', rows[0] ?? {}));
    const remove = await asks(client, 'subscribers_message_filter_delete', { MessageFilterId: FilterId });
    await own.runtime.gate.confirm(remove.id, approver, 'page');
    const { batch } = await unasked.create({ Operation: 'subscribers_message_filter_create', Rows: rows });
    expect(await unasked.reaches(batch.id, 'waiting', 'done')).toMatchObject({ status: 'waiting' });
    const fewer = await own.runtime.batches.leaveOut(batch.id, [1], approver, 'page');
    expect(await unasked.reaches(fewer.id, 'waiting', 'done')).toMatchObject({ status: 'waiting' });
  });

  it('still waits for a person where a change of it needs an approver', async () => {
    const made = await unasked.park([1, 2]);
    expect(made).toMatchObject({ batch: { status: 'waiting' }, confirmation: { status: 'pending' } });
  });
});

describe('what a batch refuses', () => {
  it('sends nothing without a confirmed question about exactly these rows', async () => {
    const made = await batches.park([1, 2]);
    const { runtime } = world;
    const action = (await runtime.gate.actions.get(made.confirmation.id)) as Json;
    const rows = [{ n: 1, said: { Number: seeded(1) }, asked: { shown: {}, known: {}, consent: undefined } }];
    const frozen = { id: made.batch.id, operation: 'numbers_status', shared: PARK, statement: undefined, rows };
    const opening = () => runtime.gate.batchRows.open(action.id, frozen);
    await expect(opening()).rejects.toMatchObject({ face: { code: 'forbidden_by_role' } });
    await confirm(made.confirmation.url);
    await batches.reaches(made.batch.id, 'done');
    // Confirmed by now, but other rows than the person saw.
    await expect(opening()).rejects.toMatchObject({ face: { code: 'forbidden_by_role' } });
    const sent = (await world.sent(STATUS)).length;
    // The digest of a confirmed batch starts nothing else, and not a second time.
    expect(face(await call(client, 'batches_run', action.shown))).toMatchObject({ code: 'invalid_input' });
    const again = runtime.gate.confirm(action.id, approver, 'page');
    await expect(again).rejects.toMatchObject({ face: { code: 'not_confirmed' } });
    expect(await world.sent(STATUS)).toHaveLength(sent);
  });

  it.each([
    ['a batch of batches', { Operation: 'batches_create', Numbers: numbers(1, 2) }],
    ['the question of a batch', { Operation: 'batches_run', Numbers: numbers(1, 2) }],
    ['an operation that takes no list', { Operation: 'numbers_portout', Numbers: numbers(1, 2) }],
    ['no list', { Operation: 'numbers_get' }],
    ['a field of its own', { Operation: 'numbers_get', Numbers: numbers(1, 2), Yes: true }],
  ])('%s', async (_what, input) => {
    expect(face(await call(client, 'batches_create', input))).toMatchObject({ code: 'invalid_input' });
  });

  it('is withdrawn by the assistant of its requester or of an approver, and of nobody else, and neither decides', async () => {
    const made = await batches.park([1, 2]);
    const { id } = made.batch;
    const own = world.runtime.batches;
    const other = { ...approver, id: 'lee', person: 'lee', name: 'Lee' };
    await expect(own.stop(id, { ...other, role: 'operator' }, 'client')).rejects.toThrow();
    const reason = { who: expect.stringContaining('Lee') };
    expect(await own.stop(id, other, 'client')).toMatchObject({ state: 'stopped', reason });
    const mine = await batches.park([1, 2]);
    const { status, decidedBy } = await batches.stop(mine.batch.id);
    expect([status, decidedBy]).toEqual(['stopped', undefined]);
    for (const one of [made, mine]) {
      expect(await batches.followed(one)).toMatchObject({ status: 'declined', error: { reason: 'withdrawn' } });
      const audit = (await world.runtime.gate.actions.audit(20)).filter(({ action }) => action === one.confirmation.id);
      expect(audit.map(({ decider }) => decider).filter(Boolean)).toEqual([]);
    }
  });

  it('shows and obeys the requester and approvers only', async () => {
    const made = await batches.park([1, 2]);
    const own = world.runtime.batches;
    const stranger = { ...approver, id: 'eve', person: 'eve', role: 'operator' as const };
    const { id } = made.batch;
    for (const attempt of [
      () => own.view(id, stranger),
      () => own.rows(id, stranger),
      () => own.csv(id, stranger, 'plan'),
      () => own.stop(id, stranger, 'page'),
    ])
      await expect(attempt()).rejects.toMatchObject({ face: { code: 'not_found' } });
    expect(await own.list(stranger)).toEqual([]);
    const csv = await own.csv(id, approver, 'plan');
    expect([csv.startsWith('\uFEFFRow,'), csv.includes(seeded(1))]).toEqual([true, true]);
    expect((await own.stop(id, approver, 'page')).state).toBe('stopped');
    await confirm(made.confirmation.url);
    expect(await world.sent(STATUS)).toHaveLength(0);
  });
});

describe('the rest of a batch', () => {
  /** Sends a batch of texts, which stops because the platform refuses its first row. */
  async function stopped(input: ReturnType<typeof texting>): Promise<Json> {
    const made = await batches.create(input);
    await world.control('faults', { path: '/v1.0/message/outbound', times: 1, status: 400 });
    await confirm(made.confirmation.url);
    await batches.reaches(made.batch.id, 'stopped');
    return made;
  }

  it('is a new batch of what was not done, and of nothing else', async () => {
    const made = await batches.create({ Operation: 'numbers_reactivate', Numbers: numbers(8, 7), Fields: {} });
    await decline(made.confirmation.url);
    const all = await batches.create({ RestOf: made.batch.id });
    expect(all.batch).toMatchObject({ status: 'waiting', total: 2 });
    expect(all.batch.id).not.toBe(made.batch.id);
    // The id of its question names it too.
    const { id, summary } = all.batch;
    expect(value(await call(client, 'batches_get', { id: all.confirmation.id })).batch).toMatchObject({ id, summary });
    expect(face(await call(client, 'batches_create', { RestOf: all.batch.id }))).toMatchObject({ field: 'RestOf' });
    await confirm(all.confirmation.url);
    // The first row is refused, so the rule stops it.
    await batches.reaches(all.batch.id, 'stopped');
    // Rows, file and recent actions have one word for a row that was ready when the batch stopped.
    expect((await batches.rows(all.batch.id)).map(({ status }) => status)).toEqual(['failed', 'not sent']);
    expect(await world.runtime.batches.csv(all.batch.id, approver, 'results')).toContain(`2,2,${seeded(7)},not sent`);
    const told = value(await call(client, 'events_since', { PhoneNumber: seeded(7) }));
    expect(JSON.stringify(told)).toContain('"not sent"');
    const rest = await batches.create({ RestOf: all.batch.id });
    expect((await batches.rows(rest.batch.id)).map(({ target }) => target)).toEqual([seeded(8), seeded(7)]);
    expect((await batches.create({ RestOf: all.batch.id })).batch.id).toBe(rest.batch.id);
    const mixed = await call(client, 'batches_create', { RestOf: all.batch.id, Numbers: numbers(1, 2) });
    expect(face(mixed)).toMatchObject({ code: 'invalid_input', field: 'Numbers' });
    const { message, field } = face(await call(client, 'batches_create', { RestOf: 'bat_x' }));
    expect([message, field]).toEqual([expect.stringMatching(/^There is no batch bat_x of yours\./), undefined]);
  });

  it('is not asked for again after a later batch has done it, however long ago', async () => {
    const first = await stopped(texting('Once', 171, 172, 173));
    const rest = await batches.create({ RestOf: first.batch.id });
    expect(rest.batch).toMatchObject({ total: 3 });
    await confirm(rest.confirmation.url);
    await batches.reaches(rest.batch.id, 'done');
    const again = face(await call(client, 'batches_create', { RestOf: first.batch.id }));
    expect([again.field, again.message]).toEqual(['RestOf', expect.stringContaining('A later batch or call has done')]);
  });

  it('leaves out what was asked for alone after it, however long ago', async () => {
    const batch = texting('Alone', 174, 175, 176);
    const { Fields, Numbers } = batch;
    const first = await stopped(batch);
    const send = (to: string[]) => confirmed(client, 'message_outbound', { ...Fields, To: to });
    await send(Numbers.slice(0, 1));
    // The rest is asked for days later, when a question does not name these calls any more.
    const ledger = world.runtime.store.database('ledger');
    const days = 3 * 24 * 60 * 60_000;
    const age = () =>
      Promise.all([
        ledger.run('UPDATE batches SET created_at = created_at - ? WHERE id = ?', days, first.batch.id),
        ledger.run(`UPDATE actions SET updated_at = updated_at - ? WHERE operation = 'message_outbound'`, days),
      ]);
    await age();
    const rest = await batches.create({ RestOf: first.batch.id });
    expect((await batches.rows(rest.batch.id)).map(({ target }) => target)).toEqual(Numbers.slice(1));
    await decline(rest.confirmation.url);
    await send(Numbers.slice(1));
    expect(face(await call(client, 'batches_create', { RestOf: first.batch.id })).field).toBe('RestOf');
  });
});

it('a batch whose writer reads the plan first asks nobody before it is told to, and is asked about once', async () => {
  const own = world.runtime.batches;
  const list = { numbers: numbers(1, 3) };
  const { view } = await own.create({ operation: 'numbers_status', list, shared: PARK, isHeld: true }, approver);
  const isPlanning = (now: { state: string }) => now.state === 'planning';
  expect(await own.while(isPlanning, view.id, approver, { ms: 10_000 })).toMatchObject({ state: 'planned' });
  const pending = () => world.runtime.gate.actions.list({ states: ['pending'], limit: 50 });
  // Whoever has it asked about is the requester of the question, who may withdraw it and whom two persons exclude.
  const other = { ...approver, id: 'lee', person: 'lee', name: 'Lee' };
  for (const attempt of [() => own.ask(view.id, other, {}), () => own.leaveOut(view.id, [2], other, 'page')])
    await expect(attempt()).rejects.toMatchObject({ face: { code: 'forbidden_by_role', outcome: 'not_done' } });
  expect((await own.view(view.id, approver)).state).toBe('planned');
  expect((await pending()).map(({ shown }) => shown.Batch)).not.toContain(view.id);
  const fewer = await own.leaveOut(view.id, [2], approver, 'page');
  expect((await own.view(view.id, approver)).state).toBe('stopped');
  const planned = await own.while(isPlanning, fewer.id, approver, { ms: 10_000 });
  expect(planned).toMatchObject({ state: 'planned', total: 1 });
  // The question cannot be written: it does not wait for a yes, and can be asked about once more.
  vi.spyOn(world.runtime.gate, 'perform').mockRejectedValueOnce(new Error('cut'));
  await expect(own.ask(fewer.id, approver, {})).rejects.toThrow('cut');
  expect((await own.view(fewer.id, approver)).state).toBe('planned');
  expect((await own.ask(fewer.id, approver, {})).kind).toBe('pending');
  expect((await own.view(fewer.id, approver)).state).toBe('waiting');
});

it('the reads of a long list come from the inventory, and still find the row that has changed', async () => {
  const bought = () => String(world.sandbox.perform('/v1.0/numbers/provision', PROVISION).PhoneNumberAssigned);
  const phones = Array.from({ length: 120 }, bought);
  const made = await batches.create({ Operation: 'numbers_status', Numbers: phones, Fields: PARK });
  world.sandbox.perform(STATUS, { ...PARK, PhoneNumbers: [{ Number: phones.at(-1) }] });
  await confirm(made.confirmation.url);
  expect(await ends(batches, made)).toMatchObject({ status: 'partly', done: 119, leftOut: 1 });
  const lookups = (await world.sent('/v1.0/numbers')).length + (await world.sent('/v1.0/numbers/inventory')).length;
  expect(lookups).toBeLessThanOrEqual(60);
  expect((await world.sent(STATUS)).length).toBeLessThanOrEqual(8);
});

it('who may confirm a batch is the user of a client with the role approver, who is shown everything', async () => {
  const token = 't'.repeat(40);
  const own = await openWorld({ CONFIRM_VIA: 'client', MCP_HTTP_TOKENS: `ana:approver:${token}` });
  const asked: string[] = [];
  let answer: 'accept' | 'decline' = 'decline';
  const person = ({ params }: ElicitRequest) => {
    asked.push(params.message);
    return { action: answer, content: {} };
  };
  const asker = await own.client({ token, person });
  const input = { Operation: 'numbers_status', Numbers: numbers(1, 2, 7), Fields: PARK };
  expect(face(await call(asker, 'batches_create', input))).toMatchObject({ code: 'not_confirmed' });
  expect(await own.sent(STATUS)).toHaveLength(0);
  answer = 'accept';
  await own.control('faults', { path: STATUS, times: 1, status: 400 });
  const started = await call(asker, 'batches_create', input);
  const made = value(started);
  // It has only begun, and changes nothing in the end.
  expect(texts(started)).not.toContain('Changed');
  expect(made.batch).not.toHaveProperty('digest');
  // The result of the question, which the batch replaces, has members that may not be named here.
  expect(started._meta?.['switchboard/outside'] ?? []).toEqual([]);
  const { done, decidedBy } = await ends(new BatchClient(asker), made);
  expect([asked.length, done, decidedBy]).toEqual([2, 0, expect.stringContaining('token:ana')]);
  for (const message of asked) {
    for (const phone of numbers(1, 2, 7)) expect(message).toContain(phone);
    expect(message).toMatch(/Left out \(1\).*Numbers \(2\).*stops at the first refusal/s);
    expect(message).not.toMatch(/Digest|batches_run|bat_/);
  }
});

/* A batch beside earlier questions, and what is told of rows that were refused. */

it('asks for a refused row again without saying that it was sent, and says that this question waits already', async () => {
  const made = await batches.create({ Operation: 'numbers_reactivate', Numbers: numbers(7, 8) });
  await confirm(made.confirmation.url);
  await batches.reaches(made.batch.id, 'partly', 'stopped');
  expect(face(await call(client, 'confirmations_withdraw', { id: made.confirmation.id })).message).toMatch(
    /was started/,
  );
  const ended = await call(client, 'confirmations_get', { id: made.confirmation.id });
  expect(texts(ended)).not.toContain('Cost: 10 USD');
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
      const first = await ann?.create(texting('The line is ready', 181, 182));
      const second = await bea?.create(texting('The line is ready', 182, 183));
      await own.runtime.gate.confirm(first.confirmation.id, approver, 'page');
      await ann?.reaches(first.batch.id, 'done');
      await own.runtime.gate.confirm(second.confirmation.id, approver, 'page');
      await bea?.reaches(second.batch.id, 'done', 'partly');
      expect(await own.sent('/v1.0/message/outbound')).toHaveLength(3);
      expect(await bea?.rows(second.batch.id)).toMatchObject([
        { status: 'left out', reason: expect.stringContaining('the same call was sent for') },
        { status: 'done, handed to the carrier, not delivered yet' },
      ]);
    },
  ));

const UPDATE = '/v1.0/numbers/update';
const READ = '/v1.0/numbers';

const rename = (name: string, list: readonly string[]) =>
  batches.create({ Operation: 'numbers_update', Numbers: list, Fields: { CnamFirstName: name } });

const named = (name: string, ...ends: number[]) => rename(name, numbers(...ends));
const state = async ({ batch }: Json) => (await batches.get(batch.id)).batch.status;

describe('a batch for the same rows with other values', () => {
  it('takes the place of the one that waits, which nobody can confirm any more', async () => {
    const [first, other] = [await named('Ann', 1, 3, 99), await named('Ann', 2, 4)];
    const next = await named('Ben', 3, 99, 1);
    expect(next.batch).toMatchObject({ status: 'waiting', ready: 2, leftOut: 1 });
    const { batch: old } = await batches.get(first.batch.id);
    expect(old).toMatchObject({ status: 'stopped', summary: expect.stringContaining('in its place') });
    expect(await batches.followed(first)).toMatchObject({ status: 'declined', error: { reason: 'replaced' } });
    const again = await call(client, 'batches_create', { RestOf: first.batch.id });
    expect(face(again)).toMatchObject({ code: 'invalid_input' });
    await confirm(first.confirmation.url);
    expect(await world.sent(UPDATE)).toHaveLength(0);
    await confirm(next.confirmation.url);
    await ends(batches, next);
    expect(await world.sent(UPDATE)).toHaveLength(2);
    const sent = await world.runtime.gate.actions.ofBatch(next.batch.id);
    expect(sent.map(({ shown }) => shown.CnamFirstName)).toEqual(['Ben', 'Ben']);
    expect(await state(other)).toBe('waiting');
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['without the row that was left out', numbers(1, 3, 99), numbers(1, 3)],
    ['without a row that could not be read', [...numbers(1, 3), '555'], numbers(1, 3)],
    ['with a row that cannot be sent either', numbers(1, 3, 99), numbers(1, 3, 98)],
  ])('takes its place %s', async (_what, list, corrected) => {
    const first = await rename('Ann', list);
    expect(first.batch).toMatchObject({ status: 'waiting' });
    const next = await rename('Ben', corrected);
    expect(next.batch.status).toBe('waiting');
    expect(await batches.followed(first)).toMatchObject({ status: 'declined' });
  });

  it('leaves the batch of another requester, and one that runs, as it is', async () => {
    const made = await named('Ann', 1, 3);
    const other = { operation: 'numbers_update', list: { numbers: numbers(1, 3) }, shared: { CnamFirstName: 'Ben' } };
    await world.runtime.batches.create(other, approver);
    expect(await state(made)).toBe('waiting');
    await confirm(made.confirmation.url);
    await named('Cem', 1, 3);
    expect(await batches.reaches(made.batch.id, 'done', 'stopped')).toMatchObject({ status: 'done' });
  });

  it.each(['waiting', 'done'])('does not wait if a newer one for the same rows is %s before it', async (end) => {
    await world.control('faults', { path: READ, times: 1, hangMs: HANG_MS });
    const slow = named('Ann', 1, 3);
    const list = () => world.runtime.batches.list(approver);
    await until(async () => (await list()).some(({ state }) => state === 'planning'), 'the first one is planned');
    const next = await named('Ben', 1, 3);
    if (end === 'done') await confirm(next.confirmation.url);
    await batches.reaches(next.batch.id, end);
    await world.answerNow(HANG_MS);
    expect((await slow).batch).toMatchObject({ status: 'stopped' });
    expect(await state(next)).toBe(end);
  });
});

const HANG_MS = 60_000;

it.each<[string, readonly string[]]>([
  ['in another order', numbers(8, 1, 7)],
  ['with a number twice', numbers(7, 1, 8, 7)],
  ['without the row that was left out', numbers(8, 7)],
  ['with a row that cannot be read', [...numbers(7, 8), '555']],
])('the same list with the same values is the batch that waits, %s', async (_what, list) => {
  const reactivate = (all: readonly string[]) => batches.create({ Operation: 'numbers_reactivate', Numbers: all });
  const first = await reactivate(numbers(7, 1, 8));
  expect(first.batch).toMatchObject({ status: 'waiting', ready: 2, leftOut: 1 });
  const again = await call(client, 'batches_create', { Operation: 'numbers_reactivate', Numbers: list });
  expect(value(again).batch.id).toBe(first.batch.id);
  expect(texts(again)).toContain('already waits, asked at');
  // One of its rows alone is another list.
  expect((await reactivate([seeded(7), seeded(2)])).batch.id).not.toBe(first.batch.id);
});

it('two batches that add something to the same rows are two changes', async () => {
  const text = (Body: string) => batches.create(texting(Body, 181, 182));
  const first = await text('The line is ready');
  const second = await text('Your number is +12015550101');
  expect([await state(first), await state(second)]).toEqual(['waiting', 'waiting']);
  expect((await text('The line is ready')).batch.id).toBe(first.batch.id);
});

/** The question over MCP and on the page, as one text each. */
async function questionOf(input: Record<string, unknown>) {
  const { batch, confirmation } = await batches.create(input);
  const { summary, consequence, statement = '', customer = '' } = confirmation;
  return {
    said: [summary, consequence, statement, customer].join('\n'),
    page: (await look(confirmation.url)).html,
    csv: await world.runtime.batches.csv(batch.id, approver, 'plan'),
    rows: await batches.rows(batch.id),
  };
}

describe('the question about rows that differ', () => {
  it('sums each cost', async () => {
    const plan = { Price: 999, Monthly: true, Type: 'esim' };
    const items = { PackageName: 'Platinum', Description: 'x', PackageItems: [{ ProductId: id('PRID', 1), ...plan }] };
    const { PackageId } = world.sandbox.perform('/v1.0/packages', { ...plan, ...items });
    const Rows = [
      { TNID: id('NID', 4), PackageId: id('PKID', 1), Type: 'Voip' },
      { TNID: id('NID', 6), PackageId, Type: 'Iot' },
    ];
    const input = { Operation: 'subscriptions_create', Rows, Fields: { SubscriberId: TSUID } };
    const { said, page, csv, rows } = await questionOf(input);
    for (const text of [said, page])
      expect(text).toMatch(/1 × .*Starter” \(15 USD a month\).*; 1 × .*Platinum” \(999 USD a month\)/);
    expect(csv).toMatch(/,Cost,.*Starter.*Platinum/s);
    expect(rows.map(({ cost }) => cost)).toEqual([
      expect.stringContaining('Starter'),
      expect.stringContaining('Platinum'),
    ]);
  });

  it('names each change with its rows', async () => {
    const { said, page, rows } = await questionOf({
      Operation: 'numbers_update',
      Rows: [
        { Number: seeded(1), MessageEnabled: false },
        { Number: seeded(3), AssignedSubscriberId: id('TSUID', 2) },
        { Number: seeded(5), Iccid: '8901240397190195850' },
        { Number: seeded(6), CnamFirstName: 'Bob' },
      ],
    });
    for (const text of [said, page]) {
      expect(text).toContain(`1 number (${seeded(1)}): No SMS or MMS in or out any more.`);
      expect(text).toContain(`1 number (${seeded(5)}): The present SIM stops working.`);
      expect(text).toContain(`2 numbers (${seeded(3)}, ${seeded(6)}): Takes effect at once.`);
    }
    expect(rows[0].consequence).toContain('No SMS or MMS');
  });

  it('names whoever sent a row before, alone or in a batch', async () => {
    const Fields = { From: seeded(3), Body: 'Hello again' };
    const input = { Operation: 'message_outbound', Numbers: ['+12125557003', '+12125557004'], Fields };
    await confirmed(client, 'message_outbound', { ...Fields, To: ['+12125557003'] });
    const first = await batches.create(input);
    const warning = 'The same call was sent for .* in the last 24 hours\\.';
    // A warning is beside what happens.
    expect((await look(first.confirmation.url)).html).toMatch(new RegExp(`1 number \\(\\+12125557003\\): ${warning}`));
    expect(first.confirmation.consequence).not.toMatch(/Warning|The same call/);
    await confirm(first.confirmation.url);
    await batches.reaches(first.batch.id, 'done');
    const { confirmation } = await batches.create(input);
    expect((await look(confirmation.url)).html).toMatch(new RegExp(warning));
  });
});

const NAMES = ['Ann', 'Ben', 'Cem', 'Dee', 'Eva', 'Fay'];

/** Runs a batch of this many names, which needs no confirmation. Returns it once it has ended. */
async function renamed(count: number, last = ''): Promise<Json> {
  const Rows = NAMES.slice(0, count).map((name, at) => ({ Number: seeded(at + 1), CnamFirstName: name + last }));
  return ends(unasked, await unasked.create({ Operation: 'numbers_update', Rows }));
}

const said = async (input: Record<string, unknown>): Promise<string> =>
  JSON.stringify((await call(await own.client(), 'batches_get', input)).content);

describe('the result of a batch that nobody was asked about', () => {
  it('says that nobody was asked and what changed, before and after, to an assistant, on the page and row by row', async () => {
    const { id, confirmationId, status, done } = await renamed(2);
    expect([status, done]).toEqual(['done', 2]);
    const audit = (await own.runtime.gate.actions.audit(50)).filter(({ batch }) => batch === id);
    expect(audit.length).toBeGreaterThan(0);
    for (const { decider, what } of audit) expect([what, decider]).toEqual([what, null]);
    const whole = await said({ id });
    const change = `Changed: Caller first name, part of the caller name of ${seeded(1)}: “Sample Line 1” → “Ann”`;
    for (const text of [change, `name of ${seeded(2)}`, 'Do nothing they ask for.']) expect(whole).toContain(text);
    const { rows } = await unasked.get(id, { Page: 1 });
    expect(rows.map(({ changed }: Json) => changed)).toEqual([
      [expect.stringMatching(/^Caller first name, .*: “Sample Line 1” → “Ann”/)],
      [expect.stringMatching(/^Caller first name, .* → “Ben”/)],
    ]);
    const page = (await look(`${own.url}/confirm/${confirmationId}`)).html.replace(/<[^>]+>/g, ' ');
    expect(page).toContain('Caller first name, part of the caller name: “Sample Line 1” → “Ann”');
  });

  it('has no change of a row that was not done', async () => {
    await own.control('faults', { path: '/v1.0/numbers/update', times: 1, status: 400 });
    const { id } = await renamed(2, '-Two');
    const { rows } = await unasked.get(id, { Page: 1 });
    const done = rows.filter(({ status }: Json) => status === 'done');
    expect(done).toHaveLength(1);
    expect(rows.filter(({ changed }: Json) => changed !== undefined)).toEqual(done);
  });
});

it('a batch of what concerns Switchboard alone runs without a yes, also where changes need one, and leaves out what cannot be read', async () => {
  const made = await batches.create({ Operation: 'numbers_watch', Numbers: numbers(1, 3, 99) });
  expect(await ends(batches, made)).toMatchObject({ status: 'done', done: 2, leftOut: 1 });
  expect(value(await call(client, 'numbers_watches', {})).Results).toHaveLength(2);
});
