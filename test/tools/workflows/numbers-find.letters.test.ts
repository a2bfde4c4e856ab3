import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, openWorld, seeded, TSUID, value, type World } from '../../support/world.ts';

/* A name is found however its letters are composed: as one character, or as a letter and an accent (macOS). */

const COMPOSED = 'José Núñez'.normalize('NFC');
const DECOMPOSED = COMPOSED.normalize('NFD');

let world: World;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
});
afterAll(() => world.close());

describe.each([
  ['composed', COMPOSED],
  ['decomposed', DECOMPOSED],
])('a name that the platform has %s', (_form, Name) => {
  beforeAll(async () => {
    await world.reset();
    const { token } = (await (
      await fetch(`${world.sandbox.url}/v1.0/oauth2/tokens`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          AccountKey: 'DID-sandbox',
          AccountSecret: 'sandbox-secret',
          ApiEndpoint: `${world.sandbox.url}/v1.0/subscribers/update`,
        }),
      })
    ).json()) as { token: string };
    const updated = await fetch(`${world.sandbox.url}/v1.0/subscribers/update`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ SubscriberId: TSUID, Name }),
    });
    expect(updated.status).toBe(200);
  });

  it.each([COMPOSED, DECOMPOSED, DECOMPOSED.toUpperCase(), 'Jose\u0301'])('is found by %j', async (Query) => {
    const found = await call(await world.client(), 'numbers_find', { Query });
    const typed = [await world.cli(['numbers_find', `Query=${Query}`]), await world.cli(['numbers_find', Query])];
    for (const text of [JSON.stringify(value(found)), ...typed.map(({ out }) => out)])
      expect(text).toContain(seeded(1));
  });
});
