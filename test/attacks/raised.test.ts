import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Scripted, scripted } from '../support/scripted.ts';
import { call, decline, face, id, openWorld, seeded, TSUID, value, type World } from '../support/world.ts';
import { ATTACKS } from './raised-calls.ts';
import { FLAGS, LISTS, MODES, WEAKER } from './raised-records.ts';

/*
 * An assistant tries to redirect lines, to gain control and to take service or protection away with calls that only
 * change records. None of them reaches the platform's changing endpoint without a person.
 */

/** Records of which a member that the change leaves out cannot be read, so that it could not be kept. */
const UNREADABLE: ReadonlySet<string> = new Set(
  [
    [{ FilterMode: 'CHILD', ApplyToInbound: 'perhaps' }, { BlockMedia: true }],
    [{ FilterMode: 'CHILD', BlockedContacts: { PHONE: '+12015550199' } }, { BlockLinks: true }],
    [{ FilterMode: 'CHILD', KeywordFilter: ['bad'] }, { BlockLinks: true }],
  ].map((one) => JSON.stringify(one)),
);

const figures = { tried: 0, writes: 0 };
afterAll(() => {
  console.info(`attacks through changes of records: ${figures.tried} tried, ${figures.writes} writes without a person`);
  expect(figures.writes).toBe(0);
});

describe('an assistant over MCP', () => {
  let world: World;
  let client: Client;
  beforeAll(async () => {
    world = await openWorld({ MCP_TOOLSETS: 'all' });
    client = await world.client();
  });
  afterAll(() => world.close());
  beforeEach(() => world.reset());

  it.each(ATTACKS)('waits for a person with %s', async (_what, operation, input, path, before) => {
    figures.tried += 1;
    const own = await before?.(client);
    const writes = async () => (await world.sent(path)).filter(({ method }) => method !== 'GET').length;
    const already = await writes();
    const result = await call(client, operation, { ...input, ...own });
    figures.writes += (await writes()) - already;
    expect(result.isError ? result._meta : undefined).toBeUndefined();
    const { confirmation } = value(result);
    expect(confirmation).toMatchObject({ status: 'pending', consequence: expect.any(String) });
    await decline(confirmation.url);
    expect(await writes()).toBe(already);
  });

  it.each([
    [1e300, 'LimitValue'],
    [-1, 'LimitValue'],
    [2_147_483_648, 'LimitValue'],
  ])('is refused a data limit of %s MB', async (LimitValue, field) => {
    figures.tried += 1;
    const input = { PhoneNumbers: [{ Number: seeded(1) }], LimitValue };
    expect(face(await call(client, 'numbers_data_usage_set', input))).toMatchObject({
      code: 'invalid_input',
      field,
      outcome: 'not_done',
    });
    figures.writes += (await world.sent('/v1.0/numbers/data-usage')).length;
  });
});

describe('an assistant over MCP, where a record has values that cannot be read', () => {
  let platform: Scripted;
  let world: World;
  let client: Client;
  beforeAll(async () => {
    platform = await scripted();
    world = await openWorld({ MCP_TOOLSETS: 'all', PLATFORM_BASE_URL: platform.url });
    client = await world.client();
    platform.answer('/v1.0/subscribers/get', { SubscriberId: TSUID, Name: 'Ava Stone' });
  });
  afterAll(async () => {
    await world.close();
    await platform.close();
  });

  it.each([...MODES, ...FLAGS, ...LISTS, ...WEAKER])(
    'waits with %s filter %j, changed by %j',
    async (kind, record, change) => {
      figures.tried += 1;
      const path = `/v1.0/subscribers/${kind}-filter`;
      const FilterId = id(kind === 'message' ? 'MFID' : 'CFID', 1);
      platform.answer(path, [{ FilterId, SubscriberId: TSUID, Phone: seeded(1), KeywordFilter: '', ...record }]);
      platform.answer(`${path}/update`, (sent) => sent);
      const result = await call(client, `subscribers_${kind}_filter_update`, { FilterId, ...change });
      figures.writes += platform.requests.filter((request) => request.path === `${path}/update`).length;
      platform.requests.length = 0;
      if (UNREADABLE.has(JSON.stringify([record, change]))) {
        expect(face(result)).toMatchObject({ code: 'invalid_input', outcome: 'not_done' });
        expect(face(result).message).toContain('cannot be read back and could be lost');
        return;
      }
      expect(result.isError ? result._meta : undefined).toBeUndefined();
      expect(value(result).confirmation).toMatchObject({ status: 'pending' });
      await decline(value(result).confirmation.url);
    },
  );
});
