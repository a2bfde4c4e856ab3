import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, face, id, openWorld, seeded, type World } from '../../support/world.ts';

/* A filter covers a line of its own subscriber. */

let world: World;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const BEN = id('TSUID', 2);
const MESSAGES = { FilterMode: 'TEENAGER', ApplyToInbound: true };
const CALLS = { FilterMode: 'BLACKLIST', BlockedNumbers: ['+12015550199'], ApplyToInbound: true };
const KINDS = [
  ['message', MESSAGES],
  ['call', CALLS],
] as const;

describe.each(KINDS)('a new %s filter', (kind, settings) => {
  const operation = `subscribers_${kind}_filter_create`;
  const create = async (more: Record<string, unknown>) =>
    call(await world.client(), operation, { ...settings, ...more });

  it('is not asked about for a line that another subscriber holds, and names who does', async () => {
    const refused = face(await create({ SubscriberId: BEN, Phone: seeded(1) }));
    expect(refused).toMatchObject({ code: 'invalid_input', field: 'SubscriberId', outcome: 'not_done' });
    expect(refused.message).toMatch(/\+12015550101 belongs to .Ava Stone · Acme Mobile., not to this subscriber/);
  });
});
