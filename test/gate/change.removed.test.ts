import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  CRID,
  call,
  confirmed,
  face,
  id,
  type Json,
  MRID,
  openWorld,
  seeded,
  value,
  type World,
} from '../support/world.ts';

/*
 * Null in an update: it removes a value where the platform can be without one, alone and beside other values, and
 * otherwise the answer says that it removes nothing. A secret of a record that is replaced whole is asked for by name.
 */

let world: World;
let client: Awaited<ReturnType<World['client']>>;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all', PLATFORM_REQUESTS_PER_MINUTE: '1000' });
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.reset();
  await world.control('settings', { requestsPerMinute: 1000 });
  client = await world.client();
});

const PKID = id('PKID', 1);
const SUB = id('SUB', 1);

type Row = [operation: string, keys: Json, nulls: Json, beside: Json, level: string, removed: string[]];
const VOICE: Json = { CallRouteId: CRID };
const REMOVED: readonly Row[] = [
  ['voice_routes_update', VOICE, { TrunkIp1: null }, { RouteName: 'New' }, 'approver', ['Trunk IP 1']],
  ['voice_routes_update', VOICE, { IpWhitelist: null }, { RouteName: 'New' }, 'approver', ['IP whitelist']],
  ['voice_routes_update', VOICE, { TrunkPort1: null }, { RouteName: 'New' }, 'approver', ['Trunk port 1']],
  ['packages_update', { PackageId: PKID }, { Description: null }, { PackageName: 'S2' }, 'own', ['Description']],
  ['subscriptions_update', { SubscriptionId: SUB }, { ICCID: null }, {}, 'approver', ['SIM serial (ICCID)']],
];

describe.each(REMOVED)('%s %j', (operation, keys, nulls, beside, level, removed) => {
  it.each([nulls, { ...nulls, ...beside }])('with %j removes the value', async (values) => {
    const { confirmation } = value(await call(client, operation, { ...keys, ...values }));
    const gone = confirmation.changes.filter(({ after }: Json) => after === 'removed').map(({ what }: Json) => what);
    expect([confirmation.level, gone]).toEqual([level, removed]);
  });
});

it('what is removed is gone from the record, and the rest of it stays', async () => {
  await confirmed(client, 'voice_routes_update', { ...VOICE, TrunkIp1: null });
  const route = value(await call(client, 'voice_routes_get', { CallRouteID: CRID }));
  expect([route.TrunkIp1 ?? null, route.RouteName]).toEqual([null, 'Main SIP trunk']);
});

describe('null for a value that cannot be removed', () => {
  const ALONE: readonly [string, Json, string][] = [
    ['numbers_update', { Number: seeded(1), CnamFirstName: null }, 'CnamFirstName'],
    ['numbers_data_usage_set', { PhoneNumbers: [{ Number: seeded(1) }], LimitValue: null }, 'LimitValue'],
    ['voice_routes_update', { CallRouteId: CRID, RouteType: null }, 'RouteType'],
  ];
  it.each(ALONE)('is the reason why %s %j changes nothing', async (operation, input, field) => {
    const { message, code } = face(await call(client, operation, input));
    expect([code, message.split(':')[0]]).toEqual(['invalid_input', field]);
    expect(message).toContain('cannot be removed');
  });
});

describe('the secrets of a message route', () => {
  const BOTH = {
    MessageAuthenticationType: 'Basic',
    MessageUsername: 'in',
    MessagePasswordToken: 'inbound-pass-1',
    CallbackMessageUrl: 'https://r.example/receipts',
    CallbackMessageAuthenticationType: 'Bearer',
    CallbackMessagePasswordToken: 'receipt-token-1',
  };
  beforeEach(async () => {
    await confirmed(client, 'message_routes_update', { MessageRouteId: MRID, ...BOTH });
  });

  it.each([{ RouteName: 'New' }, { MessageAuthenticationType: 'Bearer' }])(
    'that %j would lose are asked for in one error, which does not switch the authentication off',
    async (input) => {
      const { message } = face(await call(client, 'message_routes_update', { MessageRouteId: MRID, ...input }));
      expect(message).toMatch(/^MessagePasswordToken: /);
      expect(message).toContain('CallbackMessagePasswordToken');
      expect(message).toContain('in the form of this operation');
      expect(message).not.toMatch(/None|leave the type out/);
    },
  );

  it('are sent again for a new name, and the question says no more than that', async () => {
    const { MessagePasswordToken, CallbackMessagePasswordToken } = BOTH;
    const input = { RouteName: 'New', MessagePasswordToken, CallbackMessagePasswordToken };
    const asked = value(await call(client, 'message_routes_update', { MessageRouteId: MRID, ...input }));
    expect(asked.confirmation.consequence).not.toMatch(/elsewhere or stop|no longer authenticated/);
  });
});
