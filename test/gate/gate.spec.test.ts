import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { tools } from '../../tools/index.ts';
import { accepts } from '../support/asking.ts';
import { id, MRID, PORT_IN, PROVISION } from '../support/seed.ts';
import { call, face, openWorld, value } from '../support/world.ts';

/** A client whose user has an approver's token: only they may answer the client's own question over HTTP. */
const person = { token: 'token-of-ana', person: accepts };
/** The first such weekday at least so many days from now, as YYYY-MM-DD. */
const day = (weekday: number, from: number) => {
  let at = Date.now() + from * 86_400_000;
  while (new Date(at).getUTCDay() !== weekday) at += 86_400_000;
  return new Date(at).toISOString().slice(0, 10);
};

const world = await openWorld({ MCP_TOOLSETS: 'all', MCP_HTTP_TOKENS: 'ana:approver:token-of-ana' });

const client = await world.client(person);

describe('what the specification takes is sent', () => {
  beforeEach(() => world.reset());

  it('any date for a mobile port-in; only a wireline one is held to its window, on a business day', async () => {
    const soon = { ...PORT_IN, PortInDate: day(1, 60) };
    expect(value(await call(client, 'numbers_portin', soon))).toMatchObject({ Status: 'Submitted' });
    const update = { OrderId: id('JNUOID', 1), TargetPortinClassification: 'Landline' };
    for (const [PortInDate, says] of [
      [day(1, 40), ''],
      [day(6, 6), 'is on a weekend'],
    ] as const) {
      const error = face(await call(client, 'numbers_portin_update', { ...update, PortInDate }));
      expect(error).toMatchObject({ code: 'invalid_input', field: 'PortInDate' });
      expect(error.message).toContain(says);
    }
    const mobile = { ...update, TargetPortinClassification: 'Mobile', PortInDate: day(6, 6) };
    expect(value(await call(client, 'numbers_portin_update', mobile)).Status).toBe('Updated');
  });

  it('nulls where the platform takes null', async () => {
    const account = { AccountName: 'N', MailingAddress: { Street1: null, City: null, State: null, Zip: null } };
    expect(value(await call(client, 'account_create', account)).AccountId).toMatch(/^AID-/);
    const whole = { AccountName: 'M', MailingAddress: null };
    expect(value(await call(client, 'account_create', whole)).AccountId).toMatch(/^AID-/);
    const route = { MessageRouteId: MRID, AccountId: null, RouteName: null, CallbackMessageUrl: null };
    expect((await call(client, 'message_routes_update', route)).isError).toBeFalsy();
  });

  it('an area code as availability answers it, a number', async () => {
    const wanted = { MessageEnabled: true, VoiceEnabled: false, AreaCode: '312' };
    const found = value(await call(client, 'numbers_availability', wanted));
    const AreaCode: unknown = found.AvailableNumberAreas[0].AreaCode;
    expect(typeof AreaCode).toBe('number');
    const bought = value(await call(client, 'numbers_provision', { ...PROVISION, AreaCode }));
    expect(bought.PhoneNumberAssigned).toMatch(/^\+1312/);
  });
});

it('a length of a list that no document states is marked assumed where it is used', () => {
  const longest = (node: unknown): number[] =>
    node === null || typeof node !== 'object'
      ? []
      : Object.entries(node).flatMap(([key, member]) =>
          key === 'maxItems' && typeof member === 'number' ? [member] : longest(member),
        );
  for (const tool of tools) {
    if (tool.kind !== 'operation') continue;
    const limits = longest(z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' }));
    const assumed = /assumed: (.*)$/.exec(tool.notes)?.[1] ?? '';
    for (const limit of limits) expect([tool.id, assumed]).toEqual([tool.id, expect.stringContaining(String(limit))]);
  }
});
