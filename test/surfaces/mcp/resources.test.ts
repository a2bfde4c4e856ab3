import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, ORDER, openWorld, seeded, type World } from '../../support/world.ts';

let world: World;
let client: Awaited<ReturnType<World['client']>>;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());

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

it('has prompts with arguments', async () => {
  const { prompts } = await client.listPrompts();
  expect(prompts.map((prompt) => prompt.name)).toEqual(['port_in', 'cancel_safely', 'what_happened', 'why_no_sms']);
  for (const { name } of prompts) {
    const given = { PhoneNumber: seeded(1), Since: '8h' };
    const got = await client.getPrompt({ name, arguments: given });
    expect(got.messages).toHaveLength(1);
    expect(got.messages[0]).toMatchObject({
      role: 'user',
      content: { type: 'text', text: expect.stringContaining(name === 'what_happened' ? 'Since "8h"' : seeded(1)) },
    });
  }
  await expect(client.getPrompt({ name: 'port_in' })).rejects.toThrow(/PhoneNumber is missing/);
  await expect(client.getPrompt({ name: 'sing' })).rejects.toThrow(/no prompt sing/);
});

it('completes ids and numbers it has seen, and nothing else', async () => {
  const ref = { type: 'ref/prompt' as const, name: 'port_in' };
  await call(client, 'numbers_get', { PhoneNumber: seeded(1) });
  await call(client, 'numbers_order_get', { OrderId: ORDER });
  const complete = async (name: string, value: string) =>
    (await client.complete({ ref, argument: { name, value } })).completion.values;
  expect(await complete('PhoneNumber', '0101')).toEqual([seeded(1)]);
  expect(await complete('OrderId', 'JNUOID')).toContain(ORDER);
  expect(await complete('Password', '')).toEqual([]);
});
