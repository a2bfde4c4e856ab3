import { beforeEach, describe, expect, it } from 'vitest';
import { asks, followed } from '../../support/asking.ts';
import { confirm } from '../../support/page.ts';
import { id, seeded } from '../../support/seed.ts';
import { call, type Json, openWorld, value } from '../../support/world.ts';

const world = await openWorld({ MCP_TOOLSETS: 'all' });
const client = await world.client();
beforeEach(() => world.reset());

const OUTSIDE = '+12025550181';

describe('two calls that add something to one record', () => {
  const PRODUCT = (n: number) => ({ PackageId: id('PKID', 1), ProductId: id('PRID', n) });

  const TEXT = (Body: string) => ({ To: [{ Number: OUTSIDE }], From: seeded(1), Body });
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['message_outbound', TEXT('Your line is ready'), TEXT('Call us at +12015550101')],
    ['packages_items_add', PRODUCT(2), PRODUCT(1)],
  ])('are two changes if they differ, and one if they do not: %s', async (operation, one, other) => {
    const first = await asks(client, operation, one);
    const again = await call(client, operation, other);
    const second = value(again).confirmation;
    expect(second.id).not.toBe(first.id);
    // Otherwise a model that corrects a text would leave the first one waiting.
    expect(JSON.stringify(again)).toContain(`confirmations_withdraw ${second.id}`);
    const follow = async ({ id }: Json) => (await followed(client, id)).status;
    expect([await follow(first), await follow(second)]).toEqual(['pending', 'pending']);
    expect((await asks(client, operation, one)).id).toBe(first.id);
    for (const { url } of [first, second]) await confirm(url);
    expect([await follow(first), await follow(second)]).not.toContain('pending');
  });
});
