import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, confirm, look, openWorld, press, seeded, value, type World } from '../../support/world.ts';

describe('the confirmation page after the end, and before it is asked for by its address', () => {
  let world: World;
  let client: Awaited<ReturnType<World['client']>>;
  beforeAll(async () => {
    world = await openWorld({ MCP_TOOLSETS: 'all' });
    client = await world.client();
  });
  afterAll(() => world.close());
  beforeEach(() => world.reset());

  const pending = async (name: string, input: Record<string, unknown>) =>
    value(await call(client, name, input)).confirmation as { id: string; url: string };

  it('says beside the outcome that a second press did nothing', async () => {
    const { url } = await pending('numbers_data_usage_set', {
      PhoneNumbers: [{ Number: seeded(3) }],
      LimitValue: 25,
    });
    const seen = await look(url);
    expect((await press(url, 'confirm', {}, seen)).html).toContain('Done');
    const late = await press(url, 'confirm', {}, seen);
    expect(late.status).toBe(409);
    expect(late.html).toContain('<p class="state done">');
    expect(late.html).not.toContain('Try again');
  });

  it('leads from a question that was replaced to the newer one', async () => {
    const limit = (LimitValue: number) =>
      pending('numbers_data_usage_set', { PhoneNumbers: [{ Number: seeded(1) }], LimitValue });
    const old = await limit(70);
    const seen = await look(old.url);
    const newer = await limit(80);
    const late = await press(old.url, 'confirm', {}, seen);
    expect(late.html).toContain('<p class="state declined">Replaced. Nothing was done.</p>');
    expect(late.html).toContain(`<a href="/confirm/${newer.id}">Open the question that replaced it</a>`);
    expect(late.html).toContain('Answer the newer one instead.');
    expect(late.html).not.toContain('Request it again');
  });

  it('checks an unknown outcome when asked to', async () => {
    const { id, url } = await pending('numbers_cancel', { PhoneNumbers: [{ Number: seeded(3) }] });
    await world.control('faults', { path: '/v1.0/numbers/cancel-order-submit', dropAfterCommit: true });
    const unknown = await confirm(url);
    expect(unknown.html).toMatch(/may still be working on it until <time [^>]*>[^<]+ UTC<\/time>, and is read again/);
    expect(unknown.html).toContain('value="check">Check now</button>');
    expect((await press(url, 'check')).html).toContain('<p class="state done">');
    expect(value(await call(client, 'confirmations_get', { id })).status).toBe('done');
  });

  it('closes an unknown outcome by the word of a person who has checked', async () => {
    const { id, url } = await pending('numbers_cancel', { PhoneNumbers: [{ Number: seeded(3) }] });
    await world.control('faults', { path: '/v1.0/numbers/cancel-order-submit', dropAfterCommit: true });
    const unknown = await confirm(url);
    expect(unknown.html).toContain('You have seen that it was not done.');
    expect((await press(url, 'wasNot')).html).toContain('<p class="state failed">');
    expect((await world.runtime.gate.actions.get(id))?.state).toBe('failed');
  });
});
