import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Scripted, scripted } from '../../support/scripted.ts';
import { call, confirm, face, openWorld, seeded, value, type World } from '../../support/world.ts';

const REQUEST = '/v1.0/numbers/cancel-order-request';
const SUBMIT = '/v1.0/numbers/cancel-order-submit';
const numbers = (...list: string[]) => list.map((one) => ({ Number: one }));
/** A client whose user has an approver's token: only they may answer the client's own question over HTTP. */
const person = { token: 'token-of-ana', person: () => ({ action: 'accept', content: {} }) as const };

describe('an answer that says the work was not done, or only a part of it', () => {
  let platform: Scripted;
  let world: World;
  /** A world whose clients may confirm. */
  let approvers: World;
  beforeAll(async () => {
    platform = await scripted();
    world = await openWorld({ MCP_TOOLSETS: 'all', PLATFORM_BASE_URL: platform.url });
    approvers = await openWorld({
      MCP_TOOLSETS: 'all',
      PLATFORM_BASE_URL: platform.url,
      MCP_HTTP_TOKENS: 'ana:approver:token-of-ana',
    });
  });
  afterAll(async () => {
    await Promise.all([world.close(), approvers.close()]);
    await platform.close();
  });
  beforeEach(() => {
    platform.requests.length = 0;
    request(numbers(seeded(1), seeded(3)));
  });

  /** Sets the answer of stage 1. */
  const request = (valid: unknown[], invalid: unknown[] = []) =>
    platform.answer(REQUEST, () => ({
      Successful: true,
      OrderId: `JNUOID-${crypto.randomUUID()}`,
      AuthCode: 'S3CR3TCODE',
      ConsentStatement: 'I consent.',
      ExpiresAt: new Date(Date.now() + 300_000).toISOString(),
      NumbersValid: valid,
      NumbersInvalid: invalid,
    }));
  const cancel = { PhoneNumbers: numbers(seeded(1), seeded(3)) };

  it.each(['FAILED'])('Status %s is the failure "refused" over MCP, on page and terminal', async (Status) => {
    platform.answer(SUBMIT, {
      Successful: true,
      Status,
      NumbersChange: [],
      FailedChange: [
        { Number: seeded(1), Reason: 'Number is Parked' },
        { Number: seeded(3), Reason: 'carrier says no' },
      ],
    });
    const asking = await approvers.client(person);
    const error = face(await call(asking, 'numbers_cancel', cancel));
    expect(error).toMatchObject({ code: 'refused', outcome: 'not_done' });
    expect(error.message).toContain(`${seeded(1)} (“Number is Parked”)`);
    expect(error.message).toContain('Nothing was done');

    const client = await world.client();
    const { confirmation } = value(await call(client, 'numbers_cancel', cancel));
    const page = (await confirm(confirmation.url)).html;
    expect(page).toContain('Not done: the platform refused it. Nothing was done.');
    expect(page).not.toContain('>Done');
    expect(value(await call(client, 'confirmations_get', { id: confirmation.id }))).toMatchObject({
      status: 'failed',
      error: { code: 'refused', outcome: 'not_done' },
    });

    const ran = await world.cli(['numbers_cancel', seeded(1), seeded(3), '--yes']);
    expect(ran.code).toBe(1);
    expect(ran.out).toBe('');
    expect(ran.error()).toMatchObject({ code: 'refused', outcome: 'not_done' });
    const [last] = await world.runtime.gate.actions.audit(1);
    expect(last).toMatchObject({ operation: 'numbers_cancel', what: 'failed' });
    expect(last?.detail).toContain('did not do it');
  });

  it('some numbers in FailedChange is partly, with the rest and the reasons', async () => {
    platform.answer(SUBMIT, {
      Status: 'Complete',
      NumbersChange: numbers(seeded(1)),
      FailedChange: [{ Number: seeded(3), Reason: 'carrier says no' }],
    });
    const direct = await call(await approvers.client(person), 'numbers_cancel', cancel);
    expect(direct.isError).toBeFalsy();
    expect(direct._meta?.['switchboard/outcome']).toBe('partly');
    expect(value(direct).Warning).toBe(
      `Only 1 of 2 numbers cancelled. Not cancelled: ${seeded(3)} (“carrier says no”).`,
    );
    expect(JSON.parse((direct.content[0] as { text: string }).text)).toEqual(direct.structuredContent);

    const client = await world.client();
    const { confirmation } = value(await call(client, 'numbers_cancel', cancel));
    const page = (await confirm(confirmation.url)).html;
    expect(page).toContain('Partly done: 1 of 2 numbers cancelled.');
    expect(page).toContain(`Not done: ${seeded(3)}: “carrier says no”`);
    const followed = await call(client, 'confirmations_get', { id: confirmation.id });
    expect(value(followed)).toMatchObject({
      status: 'partly',
      result: { Warning: expect.stringContaining(seeded(3)) },
    });

    const ran = await world.cli(['numbers_cancel', seeded(1), seeded(3), '--yes']);
    expect(ran.code).toBe(5);
    expect(ran.err).not.toContain('"error"');
    expect(ran.json().Warning).toContain('1 of 2 numbers cancelled');
    expect((await world.runtime.gate.actions.audit(1))[0]).toMatchObject({
      what: 'partly',
      detail: expect.stringContaining(seeded(3)),
    });
  });

  it('numbers the request stage found invalid are shown before the yes, and the result is partly', async () => {
    request(numbers(seeded(1)), [{ Number: seeded(3), Reason: 'Number is Cancelled' }]);
    platform.answer(SUBMIT, { Status: 'Complete', NumbersChange: numbers(seeded(1)), FailedChange: [] });
    const client = await world.client();
    const { confirmation } = value(await call(client, 'numbers_cancel', cancel));
    expect(confirmation.consequence).toContain(`${seeded(3)}: “Number is Cancelled”`);
    expect((await confirm(confirmation.url)).html).toContain('Partly done: 1 of 2 numbers cancelled.');
    const { status, result } = value(await call(client, 'confirmations_get', { id: confirmation.id }));
    expect(status).toBe('partly');
    expect(result.NumbersInvalid).toEqual([{ Number: seeded(3), Reason: 'Number is Cancelled' }]);
    expect(result.Warning).toContain('Number is Cancelled');
  });

  it.each([
    ['true', 'has Successful: true, which is no boolean. It was read as true.'],
    [undefined, 'leaves out Successful'],
    [true, undefined],
  ])('a flag that is no boolean is named in a warning: %j', async (Successful, warning) => {
    platform.answer('/v1.0/numbers/update', { Successful, Number: seeded(10), UpdateOrderStatus: 'Complete' });
    const input = { Number: seeded(10), CnamFirstName: 'Ann', CnamLastName: 'Lee' };
    const { Warning } = value(await call(await approvers.client(person), 'numbers_update', input));
    if (warning === undefined) expect(Warning).toBeUndefined();
    else expect(Warning).toContain(warning);
  });

  it('rows with a state of their own count: numbers, recipients, limits', async () => {
    const client = await approvers.client(person);
    const rows = (name: string) => ({ [name]: [{ Number: seeded(1) }, { Number: seeded(3), Status: 'FAILED' }] });
    const both = numbers(seeded(1), seeded(3));
    platform.answer('/v1.0/numbers/status', { OrderStatus: 'Complete', ...rows('Numbers') });
    const park = { StatusChange: 'park', PhoneNumbers: both, EffectiveDate: '12/31/2026' };
    expect(value(await call(client, 'numbers_status', park)).Warning).toContain('1 of 2 numbers parked');
    platform.answer('/v1.0/numbers/data-usage/settings', {
      PhoneNumbers: both.map((number) => ({ ...number, LimitValue: 20, ValueUnit: 'MB' })),
    });
    platform.answer('/v1.0/numbers/data-usage', { Status: 'Complete', ...rows('PhoneNumbers') });
    expect(
      value(await call(client, 'numbers_data_usage_set', { PhoneNumbers: both, LimitValue: 500 })).Warning,
    ).toContain('1 of 2 numbers given these limits');
    platform.answer('/v1.0/message/outbound', { Status: 'Queued', ...rows('To') });
    const sent = await call(client, 'message_outbound', { To: both, From: seeded(4), Body: 'Hello' });
    expect(value(sent).Warning).toContain('1 of 2 recipients sent the message');
    expect(sent._meta?.['switchboard/outcome']).toBe('partly');
  });
});
