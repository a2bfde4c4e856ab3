import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { approver, BatchClient } from '../support/batches.ts';
import { confirm, id, look, openWorld, seeded, TSUID, type World } from '../support/world.ts';

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
      expect(text).toContain(`1 number (${seeded(1)}): Messaging is switched off`);
      expect(text).toMatch(/\(\+12015550103\): The line is assigned to subscriber (“|&#8220;)Ben Reed/);
      expect(text).toContain(`1 number (${seeded(5)}): Service moves to the SIM 8901240397190195850`);
      expect(text).toContain(`1 number (${seeded(6)}): Takes effect at once.`);
    }
    expect(rows[0].consequence).toContain('Messaging is switched off');
    expect(rows[1].consequence).toContain('Ben Reed');
  });

  it('names the SIM of each row', async () => {
    const { said } = await questionOf({
      Operation: 'numbers_update',
      Rows: [
        { Number: seeded(1), Iccid: '8901240397190195850' },
        { Number: seeded(3), Iccid: '8901240397190195868' },
      ],
    });
    expect(said).toContain(`(${seeded(1)}): Service moves to the SIM 8901240397190195850;`);
    expect(said).toContain(`(${seeded(3)}): Service moves to the SIM 8901240397190195868;`);
  });

  it('gives the statement for all numbers, and counts those of each customer', async () => {
    const phones = [1, 2, 3, 5, 6].map(seeded);
    const { said, page, rows } = await questionOf({ Operation: 'numbers_cancel', Numbers: phones });
    for (const text of [said, page]) {
      expect(text).toContain('I consent to the immediate cancellation of these 5 numbers on the carrier');
      expect(text).toMatch(/Acme Mobile.*: 4 numbers; .*Globex Family.*: 1 number/);
    }
    for (const phone of phones) expect(page).toContain(phone);
    expect(rows.map(({ customer }) => /Globex/.test(customer))).toEqual([false, true, false, false, false]);
  });

  it('says of each number whether its data stops at once', async () => {
    await world.control('usage', { Number: seeded(1), UsedMb: 0 });
    await world.control('usage', { Number: seeded(5), UsedMb: 15 });
    const { said } = await questionOf({
      Operation: 'numbers_data_usage_set',
      Numbers: [seeded(5), seeded(1)],
      Fields: { LimitValue: 10 },
    });
    expect(said).toMatch(/\+12015550105 has used 15 MB: data stops at once/);
    expect(said).not.toMatch(/\+12015550101 has used/);
  });

  it('names a field that all rows change once, with its unit', async () => {
    const { page } = await questionOf({
      Operation: 'numbers_update',
      Numbers: [seeded(1), seeded(3)],
      Fields: { VoiceEnabled: false },
    });
    expect(page.match(/<dt>Voice enabled<\/dt>/g)).toHaveLength(1);
    expect(page).toMatch(/<dt>Voice enabled<\/dt>\s*<dd>[^<]*2 lines[^<]*yes → no<\/dd>/);
    const limits = { Operation: 'numbers_data_usage_set', Numbers: [seeded(1), seeded(3)], Fields: { LimitValue: 40 } };
    const { page: raised } = await questionOf(limits);
    expect(raised.match(/<dt>Data limit<\/dt>/g)).toHaveLength(1);
    expect(raised).toMatch(/<dt>Data limit<\/dt>\s*<dd>[^<]*20 MB → 40 MB<\/dd>/);
  });

  it('words the cost of messages as the operation does', async () => {
    const { said, page } = await questionOf({
      Operation: 'message_outbound',
      Numbers: ['+12125557000', '+12125557001', '+12125557002'],
      Fields: { From: seeded(3), Body: 'Hello' },
    });
    expect(said).toContain('In all: 3 messages, billed one by one.');
    expect(said).toContain('3 numbers. ');
    expect(page).not.toContain('+12125557000: +12125557000');
  });

  it('says that the same batch was started before', async () => {
    const input = {
      Operation: 'message_outbound',
      Numbers: ['+12125557003', '+12125557004'],
      Fields: { From: seeded(3), Body: 'Hello again' },
    };
    const first = await batches.create(input);
    expect(first.confirmation.consequence).not.toContain('Warning');
    await confirm(first.confirmation.url);
    await batches.reaches(first.batch.id, 'done');
    const { confirmation } = await batches.create(input);
    expect(confirmation.consequence).toMatch(new RegExp(`^Warning: The same rows .*${first.batch.id}`));
  });
});
