import { afterEach, describe, expect, it } from 'vitest';
import { begunDay } from '../../support/clock.ts';
import { id, MRID, seeded, TSUID } from '../../support/seed.ts';
import { call, type Json, openWorld, value } from '../../support/world.ts';

/** The fields of each tool that is offered by default. */
const world = await openWorld();
const client = await world.client();
const { tools } = await client.listTools();
const fields = new Map(tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]));
afterEach(() => world.reset());

const findings = async (PhoneNumber: string): Promise<Json[]> =>
  value(await call(client, 'numbers_diagnose', { PhoneNumber })).Findings;

const { person: done } = world;
const update = (n: number, change: Record<string, unknown>) => done('numbers_update', { Number: seeded(n), ...change });
const park = (n: number) =>
  done('numbers_status', { StatusChange: 'park', PhoneNumbers: [{ Number: seeded(n) }], EffectiveDate: begunDay() });
async function filter(kind: 'message' | 'call', settings: Record<string, unknown>, guardian = true): Promise<void> {
  const on = { EnableIntelligentGuardianMessages: true, EnableIntelligentGuardianCalls: true };
  if (guardian) await done('subscribers_guardian_features_set', { SubscriberId: TSUID, ...on });
  await done(`subscribers_${kind}_filter_create`, { SubscriberId: TSUID, Phone: seeded(1), ...settings });
}

const ROUTE = { MessageRouteId: MRID };
const BLACK = { FilterMode: 'BLACKLIST', ApplyToInbound: true };
const BLOCKING = { ...BLACK, BlockedNumbers: ['+12125550111'] };
const route = (change: object) => done('message_routes_update', { ...ROUTE, ...change });
const voice = (change: object) => done('voice_routes_update', { CallRouteId: id('CRID', 1), ...change });
const use = (UsedMb: number) => world.control('usage', { Number: seeded(1), UsedMb });

/** A state of a number, with the steps that lead to it and the values that a person chooses for a finding. */
interface Case {
  state: string;
  number: number;
  setUp?: () => Promise<unknown>;
  needs?: Record<string, unknown>;
  /** The number of findings that name a tool. */
  fixes: number;
  /** The tool is one of the whole catalogue, so that an assistant has to tell a person. */
  ofAll?: true;
}

const CASES: readonly Case[] = [
  { state: 'in order', number: 1, fixes: 0 },
  { state: 'without data and calls', number: 2, fixes: 0 },
  { state: 'nearly used up', number: 5, needs: { LimitValue: 100 }, fixes: 1 },
  { state: 'cancelled', number: 7, fixes: 1 },
  { state: 'without a subscriber', number: 10, needs: { AssignedSubscriberId: TSUID }, fixes: 1 },
  { state: 'parked', number: 3, setUp: () => park(3), fixes: 1 },
  { state: 'with a product without SMS', number: 1, setUp: () => update(1, { ProductType: 'data-only' }), fixes: 1 },
  { state: 'on a message route that is off', number: 1, setUp: () => route({ MessageRouteEnabled: false }), fixes: 1 },
  {
    state: 'on a voice route that is off',
    number: 3,
    setUp: () => voice({ RouteEnabled: false }),
    fixes: 1,
    ofAll: true,
  },
  { state: 'without a message route', number: 1, setUp: () => done('message_routes_delete', ROUTE), fixes: 1 },
  { state: 'at its data limit', number: 1, setUp: () => use(20), needs: { LimitValue: 100 }, fixes: 1 },
  { state: 'filtered in no direction', number: 1, setUp: () => filter('message', { FilterMode: 'ACTIVE' }), fixes: 1 },
  { state: 'with one blocked caller', number: 1, setUp: () => filter('call', BLOCKING), fixes: 1 },
  { state: 'with a filter while filtering is off', number: 1, setUp: () => filter('call', BLACK, false), fixes: 1 },
];

describe('what a diagnosis names can be called, and the finding is gone then', () => {
  it.each(CASES)('$state', async ({ number, setUp, needs = {}, fixes, ofAll }) => {
    await setUp?.();
    const found = await findings(seeded(number));
    const named = found.filter(({ Fix }) => Fix !== undefined);
    expect(named).toHaveLength(fixes);
    for (const { Finding, Fix } of named) {
      const input: Record<string, unknown> = { ...Fix.Input };
      for (const name of Fix.Needs ?? []) input[name] = needs[name] ?? (await chosen(name));
      expect(fields.has(Fix.Tool), Finding).toBe(!ofAll);
      if (!ofAll) expect(fields.get(Fix.Tool), Finding).toEqual(expect.arrayContaining(Object.keys(input)));
      await done(Fix.Tool, input);
    }
    const left = (await findings(seeded(number))).map(({ Finding }) => Finding);
    expect(named.filter(({ Finding }) => left.includes(Finding))).toEqual([]);
  });

  /** Creates and returns the value that a person would choose. */
  async function chosen(name: string): Promise<unknown> {
    expect(name).toBe('MessageRouteId');
    const target = { MessageUrl: 'https://example.com/in', MessageUrlMethod: 'POST' };
    const second = { AccountId: id('AID', 1), RouteName: 'Second', ...target };
    return (await done('message_routes_create', second)).MessageRouteId;
  }
});
