import { beforeEach, describe, expect, it } from 'vitest';
import { accepts, asks, followed } from '../support/asking.ts';
import { FastClock } from '../support/clock.ts';
import { confirm, signIn, signOut } from '../support/page.ts';
import { requested, scripted } from '../support/scripted.ts';
import { listOf as list, MRID, PROVISION, REQUEST_PATH, SUBMIT_PATH, seeded } from '../support/seed.ts';
import { call, face, type Json, openWorld, value } from '../support/world.ts';

const [A, B] = [seeded(1), seeded(3)];
const both = { PhoneNumbers: list(A, B) };
const BUY = ['numbers_provision', '/v1.0/numbers/provision', PROVISION] as const;

/** The client of a person who accepts every question. */
const platform = await scripted();
const env = { PLATFORM_BASE_URL: platform.url, MCP_HTTP_TOKENS: 'ana:approver:token-of-ana' };
const world = await openWorld({ MCP_TOOLSETS: 'all', ...env }, new FastClock());
const client = await world.client({ token: 'token-of-ana', person: accepts });
beforeEach(() => request(list(A, B)));

/** Sets the answer of stage 1. */
function request(NumbersValid: unknown, NumbersInvalid: unknown = []): void {
  platform.answer(REQUEST_PATH, () => requested(world.runtime.clock.now(), NumbersValid, NumbersInvalid));
}

let calls = 0;

/**
 * Calls an operation as if for the first time. Returns how it ended: `done`, `partly`, or the code and outcome of the
 * error.
 */
async function end(operation: string, input: Record<string, unknown>) {
  calls += 1;
  // An unknown end of an earlier call would be warned of: each call is another one.
  const fresh = operation === 'numbers_provision' ? { ...input, NGP: `n${calls}` } : input;
  const result = await call(client, operation, { ...fresh });
  if (!result.isError) {
    const said = (result._meta?.['switchboard/outcome'] as string | undefined) ?? 'done';
    return { end: said, text: String(value(result).Warning ?? '') };
  }
  const error = face(result);
  const newest = (await world.runtime.gate.actions.list({ limit: 1, whole: true }))[0];
  expect(newest?.state).toBe(error.outcome === 'unknown' ? 'unknown' : 'failed');
  return { end: error.outcome === 'unknown' ? 'unknown' : error.code, text: error.message };
}

describe('an answer that does not say', () => {
  it.each([
    ['204', '', 204],
    ['an empty list', '[]', 200],
    ['plain text', 'Number could not be provisioned', 200],
    ['a list', '[{"Status":"Failed"}]', 200],
  ])('%s: unknown', async (_name, text, status) => {
    platform.raw(BUY[1], text, status);
    expect((await end(BUY[0], BUY[2])).end).toBe('unknown');
  });

  it('is done where the documents show a success without a body', async () => {
    platform.answer('/v1.0/message/routes', { MessageRouteId: MRID, RouteName: 'Old' });
    platform.raw('/v1.0/message/routes/update', '');
    expect((await end('message_routes_update', { MessageRouteId: MRID, RouteName: 'Main' })).end).toBe('done');
  });
});

describe('lists of numbers, whatever their shape', () => {
  const lists = (NumbersChange?: unknown, FailedChange?: unknown, Status = 'Complete') => ({
    ...{ Status, NumbersChange, FailedChange },
  });
  const rows = (first: string, second: string) => [
    { Number: A, Status: first },
    { Number: B, Status: second },
  ];
  it.each([
    ['a map', lists(list(B), { [A]: 'locked' }), 'unknown', 'FailedChange'],
    ['one object', lists(list(B), list(A)[0]), 'partly', A],
    ['a text', lists([B], A), 'partly', A],
    ['wrapped', lists({ Numbers: list(B) }, { Numbers: list(A) }), 'unknown', 'NumbersChange'],
    ['other letter case', { Status: 'Complete', numbersChange: list(A), failedChange: list(B) }, 'partly', B],
    ['a failed list alone', lists(undefined, list(A)), 'unknown', 'every number'],
    ['both in the failed list', lists(null, list(A, B)), 'refused', ''],
    ['both empty', lists([], []), 'unknown', 'every number'],
    ['counts', lists(1, 1), 'unknown', 'NumbersChange'],
    ['rows that say Failed', lists(rows('Failed', 'Failed')), 'refused', A],
    ['strangers', lists(list('+19995550001', '+19995550002')), 'unknown', ''],
    ['without +1', lists(list('2015550101', '12015550103')), 'done', ''],
    ['one in both', lists(list(A, B), list(A)), 'partly', 'Only 1 of 2'],
    ['nulls', lists(list(A), [null]), 'partly', `${B} (the platform does not say what became of it`],
    ['Failed with all changed', lists(list(A, B), undefined, 'Failed'), 'unknown', ''],
    ['Failed with some changed', lists(list(A), undefined, 'Failed'), 'partly', 'Only 1 of 2'],
    ['Pending', lists(undefined, undefined, 'Pending'), 'unknown', '“Pending”'],
    ['Pending with success', { Successful: true, Status: 'Pending' }, 'unknown', '“Pending”'],
    ['strangers with success', { Successful: true, NumbersChange: list('+19995550001') }, 'unknown', ''],
    ['success with a failed number', { Successful: true, NumbersChange: [A], FailedChange: [B] }, 'partly', B],
    ['CompletedWithErrors', lists(list(A), list(B), 'CompletedWithErrors'), 'unknown', 'CompletedWithErrors'],
    ['no lists', lists(), 'done', ''],
    [
      'a failed envelope',
      { Successful: false, Data: { NumbersChange: [A], FailedChange: [B] } },
      'partly',
      'Only 1 of 2',
    ],
    ['rows of a failure', { Successful: false, PhoneNumbers: rows('Cancelled', 'Failed') }, 'partly', 'Only 1 of 2'],
  ])('%s', async (_name, body, expected, text) => {
    platform.answer(SUBMIT_PATH, body);
    // Each case requests a new cancellation, because the order is found only by its id.
    const asked = value(await call(client, 'numbers_cancel_order_request', both));
    const ended = await end('numbers_cancel_order_submit', { OrderId: asked.OrderId });
    expect(ended.end).toBe(expected);
    expect(ended.text).toContain(text);
  });
});

describe('an answer too large for one message', () => {
  const large = 'x'.repeat(7 * 1024 * 1024);
  it('is an error of a read, with the way to ask for less', async () => {
    platform.answer('/v1.0/numbers/inventory', { TotalResults: 1, PhoneNumbers: [{ Number: A, Note: large }] });
    const error = face(await call(client, 'numbers_inventory_get', {}));
    expect(error).toMatchObject({ code: 'server_error', outcome: 'not_done' });
    expect(error.message).toContain('Ask for less');
  });

  it('is shortened for a change, which stays done', async () => {
    platform.answer(BUY[1], { PhoneNumberAssigned: '+12015559999', OrderStatus: 'Submitted', Note: large });
    const result = await call(client, BUY[0], { ...BUY[2], NGP: 'large' });
    const bought = { PhoneNumberAssigned: '+12015559999' };
    expect(value(result)).toMatchObject({ ...bought, Warning: expect.stringContaining('left out') });
    expect(JSON.stringify(result).length).toBeLessThan(5 * 1024 * 1024);
    const [action] = await world.runtime.gate.actions.list({ states: ['done'], limit: 1 });
    expect(await followed(client, action?.id ?? '')).toMatchObject({ status: 'done', result: bought });
  });
});

describe('an answer that says the work was not done, or only a part of it', () => {
  /** Asks as the same person without a dialog, and confirms on the page. */
  async function onPage(meanwhile?: () => void): Promise<{ asked: Json; page: string; end: Json }> {
    const patient = await world.client({ token: 'token-of-ana' });
    const asked = await asks(patient, 'numbers_cancel', both);
    meanwhile?.();
    await signIn(asked.url, 'token-of-ana');
    const page = (await confirm(asked.url)).html;
    signOut();
    return { asked, page, end: await followed(patient, asked.id) };
  }
  const lastLine = async () => (await world.runtime.gate.actions.audit(1))[0];

  it('is refused over MCP, on the page and at the terminal', async () => {
    const FailedChange = [A, B].map((one) => ({ Number: one, Reason: 'Number is Parked' }));
    platform.answer(SUBMIT_PATH, { Successful: true, Status: 'FAILED', NumbersChange: [], FailedChange });
    const error = face(await call(client, 'numbers_cancel', both));
    expect(error).toMatchObject({ code: 'refused', outcome: 'not_done' });
    for (const words of [`${A}, ${B} (“Number is Parked”)`, 'Nothing was done']) expect(error.message).toContain(words);
    const { page, end } = await onPage();
    expect(page).toContain('Not done: the platform refused it. Nothing was done.');
    expect(page).not.toContain('>Done');
    expect(end).toMatchObject({ status: 'failed', error: { code: 'refused', outcome: 'not_done' } });
    const ran = await world.cli(['numbers_cancel', A, B, '--yes', '--again']);
    expect([ran.code, ran.out, ran.error()]).toMatchObject([1, '', { code: 'refused', outcome: 'not_done' }]);
    expect(await lastLine()).toMatchObject({ what: 'failed', detail: expect.stringContaining('did not do it') });
  });

  it('is partly, with the rest and the reasons, over MCP, on the page and at the terminal', async () => {
    const FailedChange = [{ Number: B, Reason: 'carrier says no' }];
    platform.answer(SUBMIT_PATH, { Status: 'Complete', NumbersChange: list(A), FailedChange });
    const direct = await call(client, 'numbers_cancel', both);
    expect([direct.isError ?? false, direct._meta?.['switchboard/outcome']]).toEqual([false, 'partly']);
    expect(value(direct).Warning).toBe(`Only 1 of 2 numbers cancelled. Not cancelled: ${B} (“carrier says no”).`);
    expect(JSON.parse((direct.content[0] as { text: string }).text)).toEqual(direct.structuredContent);
    const { page, end } = await onPage();
    expect(page).toContain('Partly done: 1 of 2 numbers cancelled.');
    expect(page).toContain(`Not done: ${B}: “carrier says no”`);
    expect(end).toMatchObject({ status: 'partly', result: { Warning: expect.stringContaining(B) } });
    const ran = await world.cli(['numbers_cancel', A, B, '--yes', '--again']);
    expect([ran.code, ran.json().Warning]).toEqual([5, expect.stringContaining('1 of 2 numbers cancelled')]);
    expect(ran.err).not.toContain('"error"');
    expect(await lastLine()).toMatchObject({ what: 'partly', detail: expect.stringContaining(B) });
  });

  it('is partly where the request stage found a number invalid, which the question shows', async () => {
    const invalid = { Number: B, Reason: 'Number is Cancelled' };
    request(list(A), [invalid]);
    platform.answer(SUBMIT_PATH, { Status: 'Complete', NumbersChange: list(A), FailedChange: [] });
    const { asked, page, end } = await onPage();
    expect(asked.consequence).toContain(`${B}: “Number is Cancelled”`);
    expect(page).toContain('Partly done: 1 of 2 numbers cancelled.');
    expect(end).toMatchObject({ status: 'partly', result: { NumbersInvalid: [invalid] } });
    expect(end.result.Warning).toContain('Number is Cancelled');
    expect(asked.changes.map(({ of }: Json) => of)).toEqual([A]);
  });

  it('names a line once that the request stage lists twice, without its plus sign', async () => {
    request(list('442071234567', '442071234567'), []);
    const patient = await world.client({ token: 'token-of-ana' });
    const asked = await asks(patient, 'numbers_cancel', { PhoneNumbers: list('+442071234567') });
    expect(asked).toMatchObject({ changes: [{ of: '+442071234567' }], numbers: ['+442071234567'] });
  });

  it.each([
    ['accepts a line that it refused before', list(A), list(A, B)],
    ['refuses a line that it accepted before', list(A, B), list(A)],
    ['refuses another line', list(A), list(B)],
  ])('is not sent where the request stage %s', async (_what, before, after) => {
    const without = (valid: Json[]) => list(A, B).filter(({ Number: one }) => !valid.some((row) => row.Number === one));
    request(before, without(before));
    platform.requests.length = 0;
    const { end } = await onPage(() => request(after, without(after)));
    expect(end).toMatchObject({ status: 'failed', error: { code: 'not_confirmed', reason: 'changed' } });
    expect(platform.requests.filter(({ path }) => path === SUBMIT_PATH)).toEqual([]);
  });

  it.each([
    ['true', 'has Successful: true, which is no boolean. It was read as true.'],
    [undefined, 'leaves out Successful'],
    [true, undefined],
  ])('a flag that is no boolean is named in a warning: %j', async (Successful, warning) => {
    platform.answer('/v1.0/numbers/update', { Successful, Number: seeded(10), UpdateOrderStatus: 'Complete' });
    const input = { Number: seeded(10), CnamFirstName: 'Ann', CnamLastName: 'Lee' };
    const { Warning } = value(await call(client, 'numbers_update', input));
    if (warning === undefined) expect(Warning).toBeUndefined();
    else expect(Warning).toContain(warning);
  });

  it('rows with a state of their own count: numbers, recipients, limits', async () => {
    const rows = (name: string) => ({ [name]: [{ Number: A }, { Number: B, Status: 'FAILED' }] });
    const warningOf = async (operation: string, input: Record<string, unknown>) =>
      value(await call(client, operation, input)).Warning;
    platform.answer('/v1.0/numbers/status', { OrderStatus: 'Complete', ...rows('Numbers') });
    const park = { StatusChange: 'park', ...both, EffectiveDate: '12/31/2026' };
    expect(await warningOf('numbers_status', park)).toContain('1 of 2 numbers parked');
    const settings = list(A, B).map((number) => ({ ...number, LimitValue: 20, ValueUnit: 'MB' }));
    platform.answer('/v1.0/numbers/data-usage/settings', { PhoneNumbers: settings });
    platform.answer('/v1.0/numbers/data-usage', { Status: 'Complete', ...rows('PhoneNumbers') });
    const limited = await warningOf('numbers_data_usage_set', { ...both, LimitValue: 500 });
    expect(limited).toContain('1 of 2 numbers given these limits');
    platform.answer('/v1.0/message/outbound', { Status: 'Queued', ...rows('To') });
    const text = { To: list(A, B), From: seeded(4), Body: 'Hello' };
    expect(await warningOf('message_outbound', text)).toContain('1 of 2 recipients sent the message');
  });
});
