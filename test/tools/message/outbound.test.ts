import { beforeEach, describe, expect, it } from 'vitest';
import { call, confirm, id, type Json, openWorld, seeded, value } from '../../support/world.ts';

const world = await openWorld({ MCP_TOOLSETS: 'all' });
const client = await world.client();
beforeEach(() => world.reset());

const OUTSIDE = '+12025550181';
const asked = async (answer: Promise<unknown>): Promise<Json> => value((await answer) as never).confirmation;

describe('two calls that add something to one record', () => {
  const PRODUCT = (n: number) => ({ PackageId: id('PKID', 1), ProductId: id('PRID', n) });

  it.each<[string, string, object, object]>([
    [
      'texts',
      'message_outbound',
      { To: [{ Number: OUTSIDE }], From: seeded(1), Body: 'Your line is ready' },
      { To: [{ Number: OUTSIDE }], From: seeded(1), Body: 'Call us at +12015550101' },
    ],
    ['products', 'packages_items_add', PRODUCT(2), { ...PRODUCT(2), ProductId: id('PRID', 1) }],
  ])('are two changes if they differ, and one if they do not: %s', async (_what, operation, one, other) => {
    const first = await asked(call(client, operation, one as Record<string, unknown>));
    const again = call(client, operation, other as Record<string, unknown>);
    const second = await asked(again);
    expect(second.id).not.toBe(first.id);
    // Otherwise a model that corrects a text would leave the first one waiting.
    expect(JSON.stringify(await again)).toContain(`confirmations_withdraw ${second.id}`);
    const follow = async ({ id }: Json) => value(await call(client, 'confirmations_get', { id })).status;
    expect([await follow(first), await follow(second)]).toEqual(['pending', 'pending']);
    expect((await asked(call(client, operation, one as Record<string, unknown>))).id).toBe(first.id);
    for (const { url } of [first, second]) await confirm(url);
    expect([await follow(first), await follow(second)]).not.toContain('pending');
  });
});
