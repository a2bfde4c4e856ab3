import { describe, expect, it } from 'vitest';
import { ORDER, seeded } from '../../support/seed.ts';
import { call, openWorld, until } from '../../support/world.ts';
import { first, second } from './clients.ts';

const world = await openWorld();
const client = await world.client();

const text = async (uri: string) => {
  const [content] = (await client.readResource({ uri })).contents;
  return content && 'text' in content ? content.text : '';
};

it('reads an order and a number through templates', async () => {
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map((template) => template.uriTemplate)).toEqual([
    'switchboard://orders/{OrderId}',
    'switchboard://numbers/{PhoneNumber}',
    'switchboard://messages/{PhoneNumber}',
    'switchboard://confirmations/{id}',
    'switchboard://batches/{id}',
    'switchboard://guide/{topic}',
  ]);
  const topics = { ref: { type: 'ref/resource' as const, uri: 'switchboard://guide/{topic}' } };
  const { completion } = await client.complete({ ...topics, argument: { name: 'topic', value: 'e' } });
  expect(completion.values).toEqual(['errors']);
  expect(await text(`switchboard://orders/${ORDER}`)).toContain('Submitted');
  expect(JSON.parse(await text(`switchboard://numbers/${encodeURIComponent(seeded(1))}`))).toMatchObject({
    Number: { Number: seeded(1) },
    Subscriber: { Name: 'Ava Stone' },
  });
});

it('has prompts, whose arguments are read like those of a tool', async () => {
  const { prompts } = await client.listPrompts();
  expect(prompts.map((prompt) => prompt.name)).toEqual(['port_in', 'cancel_safely', 'what_happened', 'why_no_sms']);
  for (const { name } of prompts) {
    const isPeriod = name === 'what_happened';
    const got = await client.getPrompt({
      name,
      arguments: isPeriod ? { since: '8h' } : { phoneNumber: '(201) 555-0101' },
    });
    expect(got.messages).toHaveLength(1);
    expect(got.messages[0]).toMatchObject({
      role: 'user',
      content: { type: 'text', text: expect.stringContaining(isPeriod ? 'Since "8h"' : seeded(1)) },
    });
  }
  await expect(client.getPrompt({ name: 'port_in' })).rejects.toThrow(/PhoneNumber is missing/);
  await expect(client.getPrompt({ name: 'sing' })).rejects.toThrow(/no prompt sing/);
  const refused = [
    ['port_in', { PhoneNumber: 'abc' }, /-32602.*PhoneNumber: /],
    ['port_in', { Line: seeded(1) }, /takes PhoneNumber/],
    ['what_happened', { Since: '45d' }, /-32602.*Since: 45d is too far back/],
  ] as const;
  for (const [name, given, says] of refused)
    await expect(client.getPrompt({ name, arguments: given })).rejects.toThrow(says);
});

it('refuses a cursor, because no list has a second page', async () => {
  await expect(client.listTools({ cursor: 'bmV4dA' })).rejects.toThrow(/-32602.*cursor: was not given/);
});

describe.each([
  ['older', first()],
  ['newer', second({ pin: '2026-07-28' })],
])('a subscription in the %s protocol', (_era, connect) => {
  it('is told with the address that was subscribed to, however it is written', async () => {
    const connected = await connect({ kind: 'http', url: world.url, token: '' });
    const told: string[] = [];
    const addresses = ['+1%20(201)%20555-0104', '12015550104', '%2B12015550104\u200b'].map(
      (spelled) => `switchboard://messages/${spelled}`,
    );
    for (const uri of addresses) {
      await connected.subscribe(uri, (changed) => told.push(changed));
      await connected.read(uri);
    }
    world.runtime.changes.announce(`switchboard://messages/${seeded(4)}`);
    await until(() => told.length === addresses.length);
    expect(told.sort()).toEqual(addresses.sort());
    await connected.close();
  });

  it.each(['numbers/nope', 'orders/JNUOID-x y', 'confirmations/none', 'guide/errors', 'sims/1'])(
    'is refused for what cannot be read: %s',
    async (place) => {
      const connected = await connect({ kind: 'http', url: world.url, token: '' });
      await expect(connected.subscribe(`switchboard://${place}`, () => undefined)).rejects.toThrow();
      await connected.close();
    },
  );
});

it('completes ids and numbers it has seen, and nothing else', async () => {
  const ref = { type: 'ref/prompt' as const, name: 'port_in' };
  await call(client, 'numbers_get', { PhoneNumber: seeded(1) });
  await call(client, 'numbers_order_get', { OrderId: ORDER });
  const complete = async (name: string, value: string) =>
    (await client.complete({ ref, argument: { name, value } })).completion.values;
  expect(await complete('PhoneNumber', '0101')).toEqual([seeded(1)]);
  for (const spelled of ['(201)%20555-0101', 'tel:+12015550101', '0012015550101'])
    expect(await complete('PhoneNumber', spelled)).toEqual([seeded(1)]);
  expect(await complete('OrderId', 'JNUOID')).toContain(ORDER);
  expect(await complete('Password', '')).toEqual([]);
  ref.name = 'sing';
  await expect(complete('PhoneNumber', '0101')).rejects.toThrow(/-32602/);
});
