import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { call, confirmed, openWorld, value, type World } from '../../support/world.ts';

/* Orders that were placed here and that the platform has not reported. */

let world: World;
let client: Client;
beforeEach(async () => {
  world = await openWorld();
  client = await world.client();
});
afterEach(() => world.close());

const NEW = '+13125550150';
const place = () =>
  confirmed(client, 'numbers_portin', {
    PortInNumber: NEW,
    CurrentCarrierName: 'Example Wireless',
    CurrentAccountNumber: '46512222',
    CurrentAccountPassword: '90817263',
    CurrentBillingAddress: { Street1: '1 Main St', City: 'Chicago', State: 'IL', Zip: '60601' },
  });
const orders = async () => value(await call(client, 'events_since', { Since: '1h', Only: 'orders' })).Orders;
const found = async () => value(await call(client, 'numbers_find', { Query: '0150' })).Numbers;

it('are listed with their number, and the number is found by its last digits until the order ends', async () => {
  expect(await found()).toEqual([]);
  const { OrderId } = await place();
  expect(await orders()).toMatchObject([{ OrderId, Status: 'Submitted', PhoneNumbers: [NEW] }]);
  expect(await found()).toEqual([{ Number: NEW, Status: 'On order' }]);
  await confirmed(client, 'numbers_portin_cancel', { OrderId });
  expect(await orders()).toMatchObject([{ OrderId, Status: 'Cancelled', PhoneNumbers: [NEW] }]);
  expect(await found()).toEqual([]);
});
