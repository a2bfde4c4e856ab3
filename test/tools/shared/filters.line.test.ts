import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  call,
  confirm,
  decline,
  face,
  id,
  openWorld,
  seeded,
  TSUID,
  texts,
  value,
  type World,
} from '../../support/world.ts';

/* A filter covers a line of its own subscriber. */

let world: World;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const BEN = id('TSUID', 2);
const NOBODY = '+19995550101';
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

  it('is not asked about for a number that is not ours', async () => {
    const refused = face(await create({ SubscriberId: BEN, Phone: NOBODY }));
    expect(refused).toMatchObject({ code: 'not_found', field: 'Phone', outcome: 'not_done' });
    expect(refused.message).toContain(`${NOBODY} is not one of our numbers`);
  });

  it('warns of a line that nobody holds, and not of their own', async () => {
    const orphan = await create({ SubscriberId: BEN, Phone: seeded(10) });
    expect(texts(orphan)).toContain(`${seeded(10)} has no subscriber`);
    await decline(value(orphan).confirmation.url);
    const own = await create({ SubscriberId: TSUID, Phone: seeded(1) });
    expect(texts(own)).not.toContain('has no subscriber');
    expect(value(own).confirmation.customer).toBe('Ava Stone · Acme Mobile');
    await decline(value(own).confirmation.url);
  });

  it('leaves such lines out of a batch', async () => {
    const made = value(
      await call(await world.client(), 'batches_create', {
        Operation: operation,
        Numbers: [seeded(1), seeded(2), NOBODY],
        Fields: { ...settings, SubscriberId: BEN },
      }),
    );
    expect(made.batch).toMatchObject({ ready: 1, leftOut: 2 });
    const { rows } = value(await call(await world.client(), 'batches_get', { id: made.batch.id, Page: 1 }));
    expect(rows[0]).toMatchObject({ target: seeded(1), status: 'left out' });
    expect(rows[0].reason).toContain('belongs to');
    await decline(made.confirmation.url);
  });

  it('is not moved to the line of another subscriber either', async () => {
    const { confirmation } = value(await create({ SubscriberId: BEN, Phone: seeded(2) }));
    await confirm(confirmation.url);
    const client = await world.client();
    const { Results } = value(await call(client, `subscribers_${kind}_filter_get`, { SubscriberId: BEN }));
    const FilterId = Results.find(({ Phone }: { Phone: string }) => Phone === seeded(2)).FilterId;
    const moved = await call(client, `subscribers_${kind}_filter_update`, { FilterId, Phone: seeded(1) });
    expect(face(moved).message).toContain('not to this subscriber');
  });
});
