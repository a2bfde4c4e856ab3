import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { approver, BatchClient } from '../support/batches.ts';
import { call, confirm, id, look, openWorld, seeded, TSUID, value, type World } from '../support/world.ts';

const PRODUCT = id('PRID', 1);

let world: World;
let batches: BatchClient;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
  batches = new BatchClient(await world.client());
});
afterAll(() => world.close());
beforeEach(async () => {
  for (const { id: waiting } of await world.runtime.gate.actions.list({ states: ['pending'] }))
    await world.runtime.ledger.decline(waiting, undefined);
  await world.reset();
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
    const item = { ProductId: PRODUCT, Price: 999, Monthly: true, Type: 'esim' };
    const made = world.sandbox.perform('/v1.0/packages', {
      PackageName: 'Platinum',
      Description: 'x',
      Type: 'esim',
      Price: 999,
      Monthly: true,
      PackageItems: [item],
    });
    const { said, page, csv, rows } = await questionOf({
      Operation: 'subscriptions_create',
      Rows: [
        { TNID: id('NID', 4), PackageId: id('PKID', 1), Type: 'Voip' },
        { TNID: id('NID', 6), PackageId: made.PackageId, Type: 'Iot' },
      ],
      Fields: { SubscriberId: TSUID },
    });
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
    const alone = value(await call(await world.client(), 'message_outbound', { ...Fields, To: ['+12125557003'] }));
    await confirm(alone.confirmation.url);
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
