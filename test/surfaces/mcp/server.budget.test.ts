import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it } from 'vitest';
import { call, face, id, MRID, ORDER, seeded, until, within } from '../../support/world.ts';

/** The first progress of a call that has to wait. The caller goes away then. */
async function firstWait(client: Client, PhoneNumber: string): Promise<string | undefined> {
  const heard: (string | undefined)[] = [];
  const stop = new AbortController();
  const waiting = client.callTool({ name: 'numbers_get', arguments: { PhoneNumber } }, undefined, {
    onprogress: ({ message }) => {
      heard.push(message);
      stop.abort();
    },
    signal: stop.signal,
  });
  await expect(waiting).rejects.toThrow();
  return heard[0];
}

describe('a budget that is used up', () => {
  it('is waited for with progress, and a caller that goes away leaves the queue without a request', async () => {
    await within({ PLATFORM_REQUESTS_PER_MINUTE: '2' }, async (world) => {
      const client = await world.client();
      // A token and the call itself.
      expect((await call(client, 'numbers_get', { PhoneNumber: seeded(1) })).isError).toBeFalsy();
      expect(await firstWait(client, seeded(2))).toMatch(/^waiting for the rate limit, about \d+ s$/);
      await until(async () => (await world.runtime.gate.budget()).waiting === 0);
      expect(await world.sent('/v1.0/numbers')).toHaveLength(1);
    });
  });

  it('is named with its time where a record could not be read before a change', async () => {
    await within({ MCP_TOOLSETS: 'all' }, async (world) => {
      const client = await world.client();
      await world.control('faults', { path: '/v1.0/numbers', status: 429, retryAfter: 300, times: 1 });
      await call(client, 'numbers_get', { PhoneNumber: seeded(1) });
      for (const [name, input] of [
        ['numbers_data_usage_set', { PhoneNumbers: [{ Number: seeded(1) }], LimitValue: 600 }],
        ['message_routes_update', { MessageRouteId: MRID, MessageUrl: 'https://example.invalid/other' }],
        ['numbers_portin_cancel', { OrderId: ORDER }],
        // Its names, its price and who has it would be missing, and no record is needed to send it.
        ['packages_items_add', { PackageId: id('PKID', 1), ProductId: id('PRID', 2), Price: '9.00' }],
        ['packages_items_delete', { PackageId: id('PKID', 1), PackageItemId: id('PIID', 1) }],
        ['numbers_cancel', { PhoneNumbers: [{ Number: seeded(3) }] }],
        ['workgroups_activity_update', { WorkgroupActivityId: id('WAID', 1), PhoneNumber: '+19005550123' }],
      ] as const) {
        const error = face(await call(client, name, input));
        expect(error).toMatchObject({ code: 'rate_limited', outcome: 'not_done' });
        expect(error.retryAfterSeconds).toBeGreaterThan(1);
        expect(error.message).toContain(`Try again in about ${error.retryAfterSeconds} s.`);
      }
    });
  });

  it('is not called a failure of the platform when the platform says so itself', async () => {
    await within({}, async (world) => {
      const client = await world.client();
      await world.control('faults', { path: '/v1.0/numbers', status: 429, retryAfter: 60, times: 5 });
      expect(await firstWait(client, seeded(1))).toMatch(/^waiting for the rate limit, about \d+ s$/);
    });
  });
});
