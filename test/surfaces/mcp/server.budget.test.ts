import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it } from 'vitest';
import { call, seeded, until, within } from '../../support/world.ts';

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
});
