import { expect } from 'vitest';
import { begunDay } from '../../support/clock.ts';
import { type Json, MRID, ORDER, PROVISION, seeded, TSUID } from '../../support/world.ts';
import { added, contains, matches, number, one, type Rows } from './row.ts';

export const numbers: Rows = {
  numbers_get: {
    input: { PhoneNumber: '+1 (201) 555-0101' },
    answers: (result) => {
      expect(result).toMatchObject({ Number: seeded(1), Status: 'Active' });
      expect(JSON.stringify(result)).not.toMatch(/PortOutPin/i);
    },
  },
  numbers_availability: {
    answers: (result) => expect(result.AvailableNumberAreas[0].AreaCode).toBe(201),
  },
  numbers_provision: {
    input: PROVISION,
    answers: matches('OrderId', /^JNUOID-/),
    changes: (after, result, before) => {
      expect(added(after, before, 'numbers')).toMatchObject({ NumberType: 'mvno', MessageRouteId: MRID });
      expect(added(after, before, 'orders')).toMatchObject({ OrderId: result.OrderId, OrderType: 'provision' });
    },
  },
  numbers_update: {
    changes: (after, _result, before) => {
      expect(number(before, 10).AssignedSubscriberId).toBeNull();
      expect(number(after, 10).AssignedSubscriberId).toBe(TSUID);
    },
  },
  numbers_portin_eligibility: {},
  numbers_portin: {
    answers: matches('OrderId', /^JNUOID-/),
    changes: (after, result) =>
      expect(after.orders.find((order: Json) => order.OrderId === result.OrderId)).toMatchObject({
        OrderType: 'portin',
        Numbers: ['+13125550150'],
      }),
    // Seven and more digits ending in 91 are not eligible in the sandbox.
  },
  numbers_portin_update: {
    input: { OrderId: ORDER, CurrentAccountNumber: '99999999' },
    changes: (after) =>
      expect(after.orders.find((order: Json) => order.OrderId === ORDER).PortIn.CurrentAccountNumber).toBe('99999999'),
  },
  numbers_portin_cancel: {
    changes: (after) =>
      expect(after.orders.find((order: Json) => order.OrderId === ORDER).OrderStatus).toMatch(/^Cancel/),
  },
  numbers_portout: {
    input: { PortOutNumber: seeded(5), PortOutPIN: '73519' },
    changes: (after, result, before) =>
      expect(added(after, before, 'orders')).toMatchObject({ OrderId: result.OrderId, OrderType: 'portout' }),
  },
  numbers_order_get: {
    answers: contains('Submitted'),
  },
  numbers_data_usage_set: {
    changes: (after) => expect(number(after, 1).DataUsage).toMatchObject({ LimitValue: 20_000, NotifyValue: 10_000 }),
  },
  numbers_data_usage_settings: {
    answers: (result) => expect(result.PhoneNumbers[0]).toMatchObject({ LimitValue: 20 }),
  },
  numbers_data_usage_info: {
    answers: (result) => expect(JSON.stringify(result.PhoneNumbers[0])).toContain('12.5'),
  },
  numbers_reactivate: {
    changes: (after, _result, before) => {
      expect(number(before, 7).Status).toBe('Cancelled - Pending Delete');
      expect(number(after, 7).Status).toBe('Active');
      expect(after.fees).toHaveLength(1);
      expect(after.fees[0]).toMatchObject({ Number: seeded(7), Amount: 5, Currency: 'USD' });
    },
    // The carrier refuses this one.
  },
  numbers_cancel_order_request: {
    answers: (result) => {
      expect(result.OrderId).toMatch(/-/);
      expect(JSON.stringify(result)).not.toMatch(/AuthCode"/i);
    },
    changes: (after, result) => {
      expect(after.cancelOrders[0]).toMatchObject({ OrderId: result.OrderId, State: 'Pending' });
      expect(number(after, 3).Status).toBe('Active');
    },
  },
  numbers_cancel_order_submit: {
    before: async (run) => ({ OrderId: (await run('numbers_cancel_order_request', one(3))).OrderId }),
    changes: (after) => {
      // The AuthCode is requested again when the yes comes, and the newer one voids the first.
      expect(after.cancelOrders.map(({ State }: Json) => State)).toEqual(['Voided', 'Complete']);
      expect(number(after, 3).Status).toBe('Cancelled - Pending Delete');
    },
  },
  numbers_status: {
    input: { StatusChange: 'park', PhoneNumbers: [{ Number: seeded(3) }], EffectiveDate: begunDay() },
    changes: (after, _result, before) =>
      expect(added(after, before, 'orders')).toMatchObject({ OrderType: 'status', Numbers: [seeded(3)] }),
  },
  numbers_inventory_get: {
    answers: (result) => {
      expect(JSON.stringify(result)).toContain(seeded(1));
      expect(JSON.stringify(result)).not.toContain(seeded(9));
      expect(JSON.stringify(result)).not.toMatch(/PortOutPin/i);
    },
  },
};
