import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { A1, A2, Client, id, type Json, ORDER, portIn, receiver, seeded, TSUID } from './helper.ts';

let client: Client;
let hook: Awaited<ReturnType<typeof receiver>>;
beforeEach(async () => {
  client = await Client.start();
  hook = await receiver();
  await client.post('/v1.0/webhook/create', { AccountId: A1, WebhookUrl: hook.url, SubscribedEvents: 'Order_Update' });
});
afterEach(async () => {
  await client.close();
  await hook.close();
});

const order = async (orderId: string): Promise<Json> =>
  (await client.get(`/v1.0/numbers/order?OrderId=${orderId}`)).body;
const submit = async (number: string, rest: Record<string, unknown> = {}) => {
  const answer = await client.post('/v1.0/numbers/portin', portIn(number, rest));
  await client.advance('1s');
  return answer;
};
const move = (Status: string, rest: object = {}, OrderId = ORDER) =>
  client.control('orders', { OrderId, Status, ...rest });
const update = (OrderId: string, rest: object = {}) => client.post('/v1.0/numbers/portin/update', { OrderId, ...rest });
const cancel = (OrderId: string) => client.post('/v1.0/numbers/portin/cancel', { OrderId });
const events = () => hook.received.map((one) => JSON.parse(one.body).Status);

describe('eligibility', () => {
  it('answers by the last digits', async () => {
    const ask = async (PhoneNumber: string) =>
      (await client.post('/v1.0/numbers/portin/eligibility', { PhoneNumber, TargetClassification: 'Mobile' })).body;
    expect(await ask('+13125550150')).toMatchObject({ Eligible: true, NumberType: 'mobile' });
    expect(await ask('+13125550191')).toMatchObject({
      Eligible: false,
      Message: expect.stringContaining('not eligible'),
    });
    expect(await ask('+13125550192')).toMatchObject({ Eligible: true, NumberType: 'landline' });
    expect((await ask(seeded(1))).Eligible).toBe(false);
    expect((await ask('3125550150')).Message).toContain('PhoneNumber');
  });
});

describe('a cancelled port-in', () => {
  const NUMBER = '+13125550150';
  const check = (PhoneNumber: string) =>
    client.post('/v1.0/numbers/portin/eligibility', { PhoneNumber, TargetClassification: 'Mobile' });

  it.each(['by its endpoint', 'by the control plane'])('%s: needs a new eligibility check', async (how) => {
    const { OrderId } = (await submit(NUMBER)).body;
    await (how === 'by its endpoint' ? cancel(OrderId) : move('Cancelled', {}, OrderId));
    const refused = await submit(NUMBER);
    expect([refused.status, refused.body.Message]).toEqual([400, expect.stringContaining('eligibility')]);
    expect((await check(NUMBER)).body.Eligible).toBe(true);
    expect((await submit(NUMBER)).body).toMatchObject({ Status: 'Submitted' });
  });
});

describe('submit', () => {
  it('takes an order and announces it', async () => {
    const { body } = await submit('+13125550150');
    expect(body).toMatchObject({ Status: 'Submitted', PhoneNumber: '+13125550150', Successful: true });
    expect(await order(body.OrderId)).toMatchObject({
      OrderStatus: 'Submitted',
      OrderType: 'portin',
      ErrorMessage: '',
      PhoneNumbersOrdered: [{ Number: '+13125550150' }],
    });
    expect(JSON.parse(hook.received[0]?.body ?? '')).toEqual({
      OrderId: body.OrderId,
      Status: 'Submitted',
      ErrorMessage: '',
    });
    expect(hook.received[0]?.headers['x-event']).toBe('Order_Update');
  });

  it('names every required field', async () => {
    for (const field of [
      'PortInNumber',
      'CurrentCarrierName',
      'CurrentAccountNumber',
      'CurrentAccountPassword',
      'CurrentBillingAddress',
    ]) {
      const answer = await submit('+13125550150', { [field]: undefined });
      expect([field, answer.status, answer.body.Message]).toEqual([field, 400, `${field} required`]);
    }
    const address = await submit('+13125550150', { CurrentBillingAddress: { Street1: 'x', City: 'y', State: 'UT' } });
    expect(address.body.Message).toBe('CurrentBillingAddress.Zip required');
    expect((await submit('+13125550150', { AssignedSubscriberId: id('TSUID', 2) })).body.Message).toContain(
      'AssignedSubscriberId',
    );
  });

  it('refuses ineligible numbers, numbers on the platform, and a second open order', async () => {
    for (const number of ['+13125550191', seeded(1), seeded(7), '+13125550111']) {
      const answer = await submit(number);
      expect([number, answer.status]).toEqual([number, 400]);
      expect(answer.body.Message).toContain('PortInNumber');
    }
    await cancel(ORDER);
    const checked = { PhoneNumber: '+13125550111', TargetClassification: 'Mobile' };
    await client.post('/v1.0/numbers/portin/eligibility', checked);
    expect((await submit('+13125550111')).status).toBe(200);
  });

  it('wants a PortInDate 5 to 10 business days ahead for a wireline number', async () => {
    // Monday 2 March 2026: the fifth business day is Monday 9, the tenth Monday 16.
    for (const date of [undefined, '2026-03-06', '2026-03-08', '2026-03-14', '2026-03-17', '2026-02-31', 'soon'])
      expect([date, (await submit('+13125550192', { PortInDate: date })).body.Message]).toEqual([
        date,
        expect.stringContaining('PortInDate'),
      ]);
    const first = (await submit('+13125550192', { PortInDate: '2026-03-09' })).body;
    expect((await update(first.OrderId)).body.Message).toContain('PortInDate');
    expect((await update(first.OrderId, { PortInDate: '03/16/2026' })).body.PortInDate).toBe('2026-03-16');
    expect((await submit('+13125551192', { PortInDate: '03/16/2026' })).status).toBe(200);
  });
});

describe('rejection', () => {
  it('comes one minute after submission, and a changed account number lets the order pass', async () => {
    const { OrderId } = (await submit('+13125550190')).body;
    await client.advance('55s');
    expect((await order(OrderId)).OrderStatus).toBe('Submitted');
    await client.advance('5s');
    const rejected = await order(OrderId);
    expect(rejected.OrderStatus).toBe('Rejected');
    expect(rejected.ErrorMessage).toBe('8A-ACCOUNT_NUM_REQ_OR_INCORRECT');
    expect(rejected.OrderStatusMessage).toBe(rejected.ErrorMessage);
    expect(JSON.parse(hook.received.at(-1)?.body ?? '').ErrorMessage).toBe(rejected.ErrorMessage);

    await update(OrderId, { CurrentCarrierName: 'Other name', CurrentAccountNumber: '4651' });
    expect(await order(OrderId)).toMatchObject({ OrderStatus: 'Submitted', ErrorMessage: '' });
    await client.advance('61s');
    expect((await order(OrderId)).OrderStatus).toBe('Rejected');

    const answer = await update(OrderId, { CurrentAccountNumber: '9999' });
    expect(answer.body).toMatchObject({ Status: 'Updated', OrderStatus: 'Submitted' });
    await client.advance('20m');
    expect((await order(OrderId)).OrderStatus).toBe('Submitted');
    expect(events()).toEqual(['Submitted', 'Rejected', 'Submitted', 'Rejected', 'Submitted']);
  });

  it('does not come once the order was corrected, moved on or cancelled', async () => {
    const corrected = (await submit('+13125550190')).body.OrderId;
    await update(corrected, { CurrentAccountPassword: '7777' });
    const moved = (await submit('+13125551190')).body.OrderId;
    await move('Scheduled', {}, moved);
    const cancelled = (await submit('+13125552190')).body.OrderId;
    await cancel(cancelled);
    await client.advance('5m');
    expect((await order(corrected)).OrderStatus).toBe('Submitted');
    expect((await order(moved)).OrderStatus).toBe('Scheduled');
    expect((await order(cancelled)).OrderStatus).toBe('Cancelled');
  });
});

describe('moves', () => {
  it('goes through its states, and completion makes an active number', async () => {
    for (const status of ['Pending Carrier Approval', 'Scheduled', 'Completed']) {
      expect((await move(status)).body.Status).toBe(status);
      expect((await order(ORDER)).OrderStatus).toBe(status);
    }
    expect(events()).toEqual(['Pending Carrier Approval', 'Scheduled', 'Complete']);
    expect(await client.number('+13125550111')).toMatchObject({
      Status: 'Active',
      NumberType: 'mvno',
      OrderId: ORDER,
      AssignedSubscriberId: TSUID,
    });
    expect((await update(ORDER)).status).toBe(400);
    expect((await cancel(ORDER)).status).toBe(400);
    await move('Complete');
    expect((await client.state()).numbers).toHaveLength(11);
  });

  it('makes Cancelled final', async () => {
    expect((await cancel(ORDER)).body).toMatchObject({ OrderId: ORDER, Status: 'Cancelled' });
    expect((await cancel(ORDER)).status).toBe(400);
    expect((await update(ORDER, { CurrentAccountNumber: '1' })).status).toBe(400);
    expect((await cancel('JNUOID-x')).status).toBe(404);
    expect((await cancel(id('JNUOID', 1).replace('01', '99'))).status).toBe(404);
    expect((await client.get('/v1.0/numbers/order')).body.Message).toContain('OrderId');
  });
});

describe('port-out', () => {
  it('stores the PIN, and shows it in the inventory alone', async () => {
    const ask = (body: object) => client.post('/v1.0/numbers/portout', body);
    const { body } = await ask({ PortOutNumber: seeded(1), PortOutPIN: '739154' });
    expect(body).toMatchObject({ Status: 'Pending', PhoneNumber: seeded(1) });
    expect(JSON.stringify(body)).not.toContain('739154');
    expect((await client.get('/v1.0/numbers/inventory')).body.PhoneNumbers[0].PortOutPin).toBe('739154');
    expect(JSON.stringify(await client.state())).not.toContain('739154');
    expect((await order(body.OrderId)).OrderType).toBe('portout');
    expect((await cancel(body.OrderId)).status).toBe(404);
    expect((await ask({ PortOutNumber: seeded(1) })).body.Message).toBe('PortOutPIN required');
    expect((await ask({ PortOutNumber: seeded(9), PortOutPIN: '1234' })).status).toBe(400);
    expect((await ask({ PortOutNumber: seeded(1), PortOutPIN: '1234', AccountId: A2 })).status).toBe(404);
  });
});
