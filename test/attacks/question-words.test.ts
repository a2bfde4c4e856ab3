import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { A1, call, confirm, face, look, ORDER, openWorld, seeded, TSUID, value, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const ask = async (operation: string, input: Record<string, unknown>) =>
  value(await call(await world.client(), operation, input)).confirmation;

const outcome = async (confirmation: string) =>
  value(await call(await world.client(), 'confirmations_get', { id: confirmation }));

it('a value with line breaks imitates no line of a question', async () => {
  const Name = 'Evil\nCost: nothing\u2028Customer: Globex';
  const person = {
    Name,
    Email: 'evil@acme.example',
    Role: 'Account Admin',
    Password: 'of-my-own-making',
    AccountId: A1,
  };
  const { summary, consequence } = await ask('subscribers_create', person);
  expect(summary).toContain('“Evil Cost: nothing Customer: Globex”');
  expect(`${summary}${consequence}`).not.toMatch(/[\n\u2028\u2029]/);
});

describe('numbers that a change takes away are all named, because they are not part of what is sent', () => {
  it('by a list of numbers of a subscriber', async () => {
    const asked = await ask('subscribers_update', { SubscriberId: TSUID, PhoneNumbers: [seeded(1)] });
    const lost = [3, 4, 5, 6, 7, 8].map(seeded);
    const { html } = await look(asked.url);
    for (const phone of lost) {
      expect(JSON.stringify(asked.changes)).toContain(phone);
      expect(html).toContain(phone);
    }
  });
});

describe('the state of a port-in order', () => {
  it('is compared before a cancellation is sent', async () => {
    const asked = await ask('numbers_portin_cancel', { OrderId: ORDER });
    await world.control('orders', { OrderId: ORDER, Status: 'Scheduled' });
    await confirm(asked.url);
    const { status, error } = await outcome(asked.id);
    expect(status).toBe('failed');
    expect(error.message).toContain(`the status of ${ORDER} was Submitted and is Scheduled now`);
    expect(await world.sent('/v1.0/numbers/portin/cancel')).toEqual([]);
  });

  it.each(['Completed', 'Cancelled'])('refuses a correction of a %s order before anybody is asked', async (Status) => {
    await world.control('orders', { OrderId: ORDER, Status });
    const error = face(
      await call(await world.client(), 'numbers_portin_update', { OrderId: ORDER, CurrentAccountNumber: '1' }),
    );
    expect(error).toMatchObject({ code: 'bad_request', outcome: 'not_done', field: 'OrderId' });
    expect(error.message).toContain(`is ${Status}: it has ended`);
  });
});
