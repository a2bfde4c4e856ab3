import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Gate } from '../../src/gate/gate.ts';
import type { Actor } from '../../src/lib/actor.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { openRuntime } from '../../src/start/runtime.ts';
import { numbers, PARK } from '../support/batches.ts';
import { onSandbox } from '../support/on-sandbox.ts';
import {
  call,
  confirm,
  id,
  type Json,
  openWorld,
  PROVISION,
  seeded,
  TSUID,
  texts,
  value,
  type World,
  within,
} from '../support/world.ts';

/* Repeats: an older question, and the same call many times at once. */

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
  client = await world.client();
});
afterAll(() => world.close());
beforeEach(() => world.afresh());

const LIST = { Operation: 'numbers_status', Fields: PARK };

describe('a list', () => {
  const ask = (...ends: number[]) => call(client, 'batches_create', { ...LIST, Numbers: numbers(...ends) });

  it('is the same in any order, and says so the second time', async () => {
    const first = value(await ask(1, 2, 3));
    const again = await ask(3, 1, 2);
    expect(value(again).confirmation.id).toBe(first.confirmation.id);
    expect(texts(again)).toContain('already waits');
    expect(value(await ask(3, 1)).confirmation.id).not.toBe(first.confirmation.id);
  });
});

describe('a second call with other values', () => {
  const line = { SubscriberId: TSUID, Phone: seeded(1) };
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'subscriptions_create',
      { SubscriberId: TSUID, TNID: id('NID', 1), PackageId: id('PKID', 1), Type: 'Mvno' },
      { ICCID: '89012403971900010010' },
    ],
    ['subscribers_call_filter_create', { ...line, FilterMode: 'BLACKLIST' }, { BlockUnknownNumbers: true }],
    ['subscribers_message_filter_create', { ...line, FilterMode: 'CHILD' }, { ApplyToInbound: true }],
  ])('takes the place of the first where a line has one such record: %s', async (operation, input, other) => {
    const first = value(await call(client, operation, input)).confirmation;
    const next = value(await call(client, operation, { ...input, ...other })).confirmation;
    expect(next.id).not.toBe(first.id);
    expect(value(await call(client, 'confirmations_get', { id: first.id })).error).toMatchObject({
      reason: 'replaced',
    });
  });

  it('waits beside the first where each adds one: a message', async () => {
    const send = (Body: string) =>
      call(client, 'message_outbound', { To: [{ Number: '+13125550100' }], From: seeded(5), Body });
    const first = value(await send('first')).confirmation;
    await send('second');
    expect(value(await call(client, 'confirmations_get', { id: first.id })).status).toBe('pending');
  });
});

describe('two changes of one line', () => {
  it('wait side by side, and the first yes leaves the second as it is', async () => {
    const one = { Number: seeded(1), CnamFirstName: 'Ava' };
    const other = { PhoneNumbers: [{ Number: seeded(1) }], LimitValue: 30 };
    const first = value(await call(client, 'numbers_update', one)).confirmation;
    const second = value(await call(client, 'numbers_data_usage_set', other)).confirmation;
    await confirm(first.url);
    await confirm(second.url);
    for (const { id } of [first, second])
      expect(value(await call(client, 'confirmations_get', { id })).status).toBe('done');
  });
});

describe('twenty identical calls at once', () => {
  const ACCOUNT = { AccountName: 'Northwind Mobile', AccountAdmin: 'manager@northwind.example' };
  const TWENTY = Array.from({ length: 20 });
  const count = async (of: World) =>
    (await of.state()).accounts.filter((one: Json) => one.AccountName === ACCOUNT.AccountName).length;

  it('with --yes make one account', async () => {
    const args = ['account_create', '--json', JSON.stringify(ACCOUNT), '--yes'];
    await Promise.all(TWENTY.map(() => world.cli(args)));
    expect(await count(world)).toBe(1);
  });

  it('of an assistant, with CONFIRM_OWN=false, make one account', () =>
    within({ MCP_TOOLSETS: 'all', CONFIRM_OWN: 'false' }, async (waived) => {
      const own = await waived.client();
      const results = await Promise.all(TWENTY.map(() => call(own, 'account_create', ACCOUNT)));
      expect(results.filter(({ isError }) => isError)).toEqual([]);
      expect(await count(waived)).toBe(1);
      // The level approver knows no such setting.
      const asked = value(await call(own, 'numbers_provision', PROVISION));
      expect(asked.confirmation).toMatchObject({ status: 'pending', level: 'approver' });
      expect(await waived.sent('/v1.0/numbers/provision')).toEqual([]);
    }));

  it.each(['true', 'false'])('of two processes make one account (CONFIRM_OWN=%s)', (asks) =>
    within({ CONFIRM_OWN: asks }, async (shared) => {
      const folder = mkdtempSync(join(tmpdir(), 'sb-two-'));
      const open = () =>
        openRuntime(
          loadConfig({
            ...onSandbox(shared.sandbox.url),
            DATA_DIR: folder,
            LOG_LEVEL: 'silent',
            PLATFORM_REQUESTS_PER_MINUTE: '100000',
            CONFIRM_OWN: asks,
          }),
          { clock: systemClock },
        );
      const processes = [await open(), await open()];
      const ana: Actor = { id: 'cli:ana', name: 'ana', role: 'operator', surface: 'cli', priority: 'person' };
      const perform = (gate: Gate) => gate.perform('account_create', ACCOUNT, ana, { ask: async () => 'accept' });
      await Promise.allSettled(TWENTY.map((_, n) => perform((processes[n % 2] as (typeof processes)[0]).gate)));
      for (const runtime of processes) await runtime.close();
      rmSync(folder, { recursive: true, force: true });
      expect(await count(shared)).toBe(1);
    }),
  );
});
