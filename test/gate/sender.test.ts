import { beforeEach, describe, expect, it } from 'vitest';
import { FastClock } from '../support/clock.ts';
import { scripted } from '../support/scripted.ts';
import {
  call,
  confirm,
  face,
  id,
  type Json,
  openWorld,
  PROVISION,
  seeded,
  signIn,
  signOut,
  value,
} from '../support/world.ts';

const REQUEST = '/v1.0/numbers/cancel-order-request';
const SUBMIT = '/v1.0/numbers/cancel-order-submit';
const [A, B] = [seeded(1), seeded(3)];
const list = (...all: string[]) => all.map((one) => ({ Number: one }));
const both = { PhoneNumbers: list(A, B) };
const BUY = ['numbers_provision', '/v1.0/numbers/provision', PROVISION] as const;
const ROUTE = [
  'message_routes_update',
  '/v1.0/message/routes/update',
  { MessageRouteId: id('MRID', 1), RouteName: 'Main' },
] as const;

/** The client of a person who accepts every question. */
const platform = await scripted();
const env = { PLATFORM_BASE_URL: platform.url, MCP_HTTP_TOKENS: 'ana:approver:token-of-ana' };
const world = await openWorld({ MCP_TOOLSETS: 'all', ...env }, new FastClock());
const client = await world.client({ token: 'token-of-ana', person: () => ({ action: 'accept', content: {} }) });
beforeEach(() => request(list(A, B)));

/** Sets the answer of stage 1. */
function request(NumbersValid: unknown, NumbersInvalid: unknown = []): void {
  platform.answer(REQUEST, () => ({
    OrderId: `JNUOID-${crypto.randomUUID()}`,
    AuthCode: 'S3CR3TCODE',
    ConsentStatement: 'I consent.',
    ExpiresAt: new Date(world.runtime.clock.now() + 300_000).toISOString(),
    NumbersValid,
    NumbersInvalid,
  }));
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
  const newest = (await world.runtime.gate.actions.list({ limit: 1 }))[0];
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
    platform.answer('/v1.0/message/routes', { MessageRouteId: id('MRID', 1), RouteName: 'Old' });
    platform.raw(ROUTE[1], '');
    expect((await end(ROUTE[0], ROUTE[2])).end).toBe('done');
  });
});

describe('lists of numbers, whatever their shape', () => {
  const reason = 'does not say what became of it';
  it.each([
    [
      'a map',
      { Status: 'Complete', NumbersChange: list(B), FailedChange: { [A]: 'locked' } },
      'partly',
      `${A} (“locked”)`,
    ],
    ['one object', { Status: 'Complete', NumbersChange: list(B), FailedChange: list(A)[0] }, 'partly', A],
    ['a text', { Status: 'Complete', NumbersChange: [B], FailedChange: A }, 'partly', A],
    [
      'wrapped',
      { Status: 'Complete', NumbersChange: { Numbers: list(B) }, FailedChange: { Numbers: list(A) } },
      'partly',
      A,
    ],
    ['other letter case', { Status: 'Complete', numbersChange: list(A), failedChange: list(B) }, 'partly', B],
    ['a failed list alone', { Status: 'Complete', FailedChange: list(A) }, 'unknown', 'every number'],
    ['both in the failed list', { Status: 'Complete', NumbersChange: null, FailedChange: list(A, B) }, 'refused', ''],
    ['both empty', { Status: 'Complete', NumbersChange: [], FailedChange: [] }, 'unknown', 'every number'],
    ['counts', { Status: 'Complete', NumbersChange: 1, FailedChange: 1 }, 'unknown', 'NumbersChange'],
    [
      'rows that say Failed',
      { Status: 'Complete', NumbersChange: [A, B].map((one) => ({ Number: one, Status: 'Failed' })) },
      'refused',
      A,
    ],
    ['strangers', { Status: 'Complete', NumbersChange: list('+19995550001', '+19995550002') }, 'unknown', ''],
    ['without +1', { Status: 'Complete', NumbersChange: list('2015550101', '12015550103') }, 'done', ''],
    ['one in both', { Status: 'Complete', NumbersChange: list(A, B), FailedChange: list(A) }, 'partly', 'Only 1 of 2'],
    [
      'nulls',
      { Status: 'Complete', NumbersChange: list(A), FailedChange: [null] },
      'partly',
      `${B} (the platform ${reason}`,
    ],
    ['Failed with all changed', { Status: 'Failed', NumbersChange: list(A, B) }, 'unknown', ''],
    ['Failed with some changed', { Status: 'Failed', NumbersChange: list(A) }, 'partly', 'Only 1 of 2'],
    ['Pending', { Status: 'Pending' }, 'unknown', '“Pending”'],
    ['Pending with success', { Successful: true, Status: 'Pending' }, 'unknown', '“Pending”'],
    ['strangers with success', { Successful: true, NumbersChange: list('+19995550001') }, 'unknown', ''],
    ['success with a failed number', { Successful: true, NumbersChange: [A], FailedChange: [B] }, 'partly', B],
    [
      'CompletedWithErrors',
      { Status: 'CompletedWithErrors', NumbersChange: list(A), FailedChange: list(B) },
      'partly',
      B,
    ],
    ['no lists', { Status: 'Complete' }, 'done', ''],
    [
      'an envelope that failed',
      { Successful: false, Data: { NumbersChange: list(A), FailedChange: list(B) } },
      'partly',
      'Only 1 of 2',
    ],
    [
      'rows in an answer that failed',
      {
        Successful: false,
        PhoneNumbers: [
          { Number: A, Status: 'Cancelled' },
          { Number: B, Status: 'Failed' },
        ],
      },
      'partly',
      'Only 1 of 2',
    ],
  ])('%s', async (_name, body, expected, text) => {
    platform.answer(SUBMIT, body);
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
    expect(error.message).toContain('PageNumber');
  });

  it('is shortened for a change, which stays done', async () => {
    platform.answer(BUY[1], { PhoneNumberAssigned: '+12015559999', OrderStatus: 'Submitted', Note: large });
    const result = await call(client, BUY[0], { ...BUY[2], NGP: 'large' });
    expect(value(result)).toMatchObject({
      PhoneNumberAssigned: '+12015559999',
      Warning: expect.stringContaining('Note'),
    });
    expect(JSON.stringify(result).length).toBeLessThan(5 * 1024 * 1024);
    const [action] = await world.runtime.gate.actions.list({ states: ['done'], limit: 1 });
    expect(action?.state).toBe('done');
    const followed = value(await call(client, 'confirmations_get', { id: action?.id }));
    expect(followed).toMatchObject({ status: 'done', result: { PhoneNumberAssigned: '+12015559999' } });
  });
});

describe('an answer that says the work was not done, or only a part of it', () => {
  const cancel = { PhoneNumbers: list(A, B) };
  /** Asks as the same person without a dialog, and confirms on the page. */
  async function onPage(): Promise<{ asked: Json; page: string; followed: Json }> {
    const patient = await world.client({ token: 'token-of-ana' });
    const { confirmation } = value(await call(patient, 'numbers_cancel', cancel));
    await signIn(confirmation.url, 'token-of-ana');
    const page = (await confirm(confirmation.url)).html;
    signOut();
    return {
      asked: confirmation,
      page,
      followed: value(await call(patient, 'confirmations_get', { id: confirmation.id })),
    };
  }
  const lastLine = async () => (await world.runtime.gate.actions.audit(1))[0];

  it('is refused over MCP, on the page and at the terminal', async () => {
    const reasons = [
      { Number: A, Reason: 'Number is Parked' },
      { Number: B, Reason: 'carrier says no' },
    ];
    platform.answer(SUBMIT, { Successful: true, Status: 'FAILED', NumbersChange: [], FailedChange: reasons });
    const error = face(await call(client, 'numbers_cancel', cancel));
    expect(error).toMatchObject({ code: 'refused', outcome: 'not_done' });
    for (const words of [`${A} (“Number is Parked”)`, 'Nothing was done']) expect(error.message).toContain(words);
    const { page, followed } = await onPage();
    expect(page).toContain('Not done: the platform refused it. Nothing was done.');
    expect(page).not.toContain('>Done');
    expect(followed).toMatchObject({ status: 'failed', error: { code: 'refused', outcome: 'not_done' } });
    const ran = await world.cli(['numbers_cancel', A, B, '--yes', '--again']);
    expect([ran.code, ran.out, ran.error()]).toMatchObject([1, '', { code: 'refused', outcome: 'not_done' }]);
    expect(await lastLine()).toMatchObject({ what: 'failed', detail: expect.stringContaining('did not do it') });
  });

  it('is partly, with the rest and the reasons, over MCP, on the page and at the terminal', async () => {
    const FailedChange = [{ Number: B, Reason: 'carrier says no' }];
    platform.answer(SUBMIT, { Status: 'Complete', NumbersChange: list(A), FailedChange });
    const direct = await call(client, 'numbers_cancel', cancel);
    expect([direct.isError ?? false, direct._meta?.['switchboard/outcome']]).toEqual([false, 'partly']);
    expect(value(direct).Warning).toBe(`Only 1 of 2 numbers cancelled. Not cancelled: ${B} (“carrier says no”).`);
    expect(JSON.parse((direct.content[0] as { text: string }).text)).toEqual(direct.structuredContent);
    const { page, followed } = await onPage();
    expect(page).toContain('Partly done: 1 of 2 numbers cancelled.');
    expect(page).toContain(`Not done: ${B}: “carrier says no”`);
    expect(followed).toMatchObject({ status: 'partly', result: { Warning: expect.stringContaining(B) } });
    const ran = await world.cli(['numbers_cancel', A, B, '--yes', '--again']);
    expect([ran.code, ran.json().Warning]).toEqual([5, expect.stringContaining('1 of 2 numbers cancelled')]);
    expect(ran.err).not.toContain('"error"');
    expect(await lastLine()).toMatchObject({ what: 'partly', detail: expect.stringContaining(B) });
  });

  it('is partly where the request stage found a number invalid, which the question shows', async () => {
    const invalid = { Number: B, Reason: 'Number is Cancelled' };
    request(list(A), [invalid]);
    platform.answer(SUBMIT, { Status: 'Complete', NumbersChange: list(A), FailedChange: [] });
    const { asked, page, followed } = await onPage();
    expect(asked.consequence).toContain(`${B}: “Number is Cancelled”`);
    expect(page).toContain('Partly done: 1 of 2 numbers cancelled.');
    expect(followed).toMatchObject({ status: 'partly', result: { NumbersInvalid: [invalid] } });
    expect(followed.result.Warning).toContain('Number is Cancelled');
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
    const park = { StatusChange: 'park', ...cancel, EffectiveDate: '12/31/2026' };
    expect(await warningOf('numbers_status', park)).toContain('1 of 2 numbers parked');
    const settings = list(A, B).map((number) => ({ ...number, LimitValue: 20, ValueUnit: 'MB' }));
    platform.answer('/v1.0/numbers/data-usage/settings', { PhoneNumbers: settings });
    platform.answer('/v1.0/numbers/data-usage', { Status: 'Complete', ...rows('PhoneNumbers') });
    const limit = { ...cancel, LimitValue: 500 };
    expect(await warningOf('numbers_data_usage_set', limit)).toContain('1 of 2 numbers given these limits');
    platform.answer('/v1.0/message/outbound', { Status: 'Queued', ...rows('To') });
    const text = { To: list(A, B), From: seeded(4), Body: 'Hello' };
    expect(await warningOf('message_outbound', text)).toContain('1 of 2 recipients sent the message');
  });
});
