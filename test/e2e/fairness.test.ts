import { expect, it } from 'vitest';
import { call, openWorld, until } from '../support/world.ts';

it('a person at a terminal, and what a person confirmed, do not wait behind an assistant’s many lookups', async () => {
  // 60 a minute: 10 of them are kept for people.
  const world = await openWorld({
    PLATFORM_REQUESTS_PER_MINUTE: '60',
    MCP_HTTP_TOKENS: 'busy:operator:token-of-busy-agent,calm:operator:token-of-calm-agent',
  });
  const busy = await world.client({ token: 'token-of-busy-agent' });
  const calm = await world.client({ token: 'token-of-calm-agent' });
  const lookups = Array.from({ length: 80 }, () =>
    call(busy, 'numbers_get', { PhoneNumber: '+12015550101' }).catch((error: unknown) => error),
  );
  const { client } = world.runtime;
  await until(
    () => client.budget(),
    ({ waiting, used }) => waiting >= 20 && used >= 40,
  );

  // Answered while the first assistant waits for the next minute.
  expect((await call(calm, 'numbers_get', { PhoneNumber: '+12015550102' })).isError).toBeFalsy();
  const read = await world.cli(['numbers_get', 'PhoneNumber=+12015550102']);
  expect(read.code).toBe(0);
  const yes = ['numbers_reactivate', 'PhoneNumber=+12015550107', 'AccountId=AID-00000000-0000-4000-8000-000000000001'];
  expect((await world.cli([...yes, '--yes'])).code).toBe(0);
  expect((await client.budget()).waiting).toBeGreaterThan(10);
  await client.close();
  await Promise.all(lookups);
});
