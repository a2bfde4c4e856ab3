import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Given } from '../../../../src/demo/playground/forms.ts';
import { guideStage } from '../guiding.ts';
import { C_EVENTS, U_AGENT } from '../ids.ts';
import { shown, until } from '../support.ts';

/** The input of a person for the second step of the port-in guide. */
const DETAILS: Record<string, Given> = {
  CurrentAccountNumber: '46512222',
  CurrentAccountPassword: '90817263',
  'CurrentBillingAddress.Street1': '1 Main St',
  'CurrentBillingAddress.City': 'Chicago',
  'CurrentBillingAddress.State': 'IL',
  'CurrentBillingAddress.Zip': '60601',
  SubscriberName: 'Ava Stone',
};

/** Asks for the port-in of a number, and goes on until its question waits. */
async function requested(d: Awaited<ReturnType<typeof guideStage>>, number: string): Promise<void> {
  await d.type('/numbers', `portin guide ${number}`);
  await d.sees('🔵 1 Eligibility');
  await d.send({});
  await d.sees('🔵 2 Details');
  await d.send(DETAILS);
  await d.sees('🔵 3 Approval');
}

describe('the port-in guide in Slack', () => {
  it('leads from eligibility to completion in one modal', async () => {
    const d = await guideStage();
    await d.listen();
    await d.type('/numbers', 'portin guide +1 312 555 0150');
    await d.sees('🔵 1 Eligibility');
    expect(d.view()).toContain('+13125550150');
    await d.send({});
    await d.sees('🔵 2 Details');
    expect(d.view()).toContain('Example Wireless · mobile');
    // The carrier the check found is filled in.
    expect(d.view()).toContain('"initial_value":"Example Wireless"');
    await d.send(DETAILS);
    await d.sees('🔵 3 Approval');
    await d.sees('Open the card');
    expect(await d.portins()).toHaveLength(1);
    await d.opens('view', 'sb_orderLook', U_AGENT, 'waits for an approver');

    await d.approve(2);
    await d.sees('✅ 4 Tracking');
    const OrderId = d.order();
    expect(OrderId).not.toBe('');
    for (const Status of ['Pending Carrier Approval', 'Scheduled']) {
      await d.control('orders', { OrderId, Status });
      await until(() => shown(d.root()).toLowerCase().includes(`(312) 555-0150: ${Status.toLowerCase()}`), Status);
    }
    await d.ws.click({ user: U_AGENT, view: true, actionId: 'sb_run_0' });
    expect(shown(await d.whisper('+13125550150'))).toContain('Scheduled');
    await d.control('orders', { OrderId, Status: 'Completed' });
    await until(() => shown(d.root()).includes(': completed'), 'the card in the events channel');
    await until(() => d.thread().some(({ text }) => text === 'Moved to Completed.'), 'the thread');
    expect(shown(d.root())).toContain(U_AGENT);
    const numbers = (await d.state()).numbers as { Number: string; Status: string }[] | undefined;
    expect(numbers?.find((row) => row.Number === '+13125550150')?.Status).toBe('Active');

    expect(d.ws.warnings()).toEqual([]);
  });

  it('leads through a rejection with its reason, the correction and completion', async () => {
    const d = await guideStage();
    await d.listen();
    await requested(d, '+13125550190');
    await d.approve(2);
    await d.sees('✅ 4 Tracking');
    const OrderId = d.order();
    // Wait until the card is posted before the order is rejected. Otherwise the card would begin with the rejection.
    await until(() => shown(d.root()).includes('Submitted'), 'the card of the order');
    await d.control('clock', { advance: '2m' });
    await until(() => shown(d.root()).includes('The account number at the losing carrier'), 'the reason on the card');

    // The card of the change that placed it and the look-up say the same, with the same button.
    const placed = () =>
      d.ws
        .messages('C000SUPPORT')
        .map(shown)
        .find((text) => text.startsWith('❌ Order rejected: Port in'));
    const rejected = /The account number at the losing carrier.*8A-ACCOUNT_NUM.*Correct and re-submit/s;
    await until(() => rejected.test(placed() ?? ''), 'the reason on the card of the change');
    await d.type('/number', '+13125550190');
    const looked = shown(await d.whisper('rejected the port-in'));
    expect(looked).toMatch(/Correct and re-submit.*The account number at the losing carrier.*8A-ACCOUNT_NUM/s);

    await d.type('/numbers', `order ${OrderId}`);
    const order = await d.whisper('The losing carrier refused');
    expect(shown(order)).toContain(
      'The losing carrier refused. Correct what it objected to. That submits the order again.',
    );

    expect(await d.opens(order, 'sb_fill_0', U_AGENT, 'Review the change')).toMatch(
      /change is sent when you apply it, on the card that follows/,
    );
    // The old values are there, the secret is not.
    expect(d.view()).toContain('"initial_value":"46512222"');
    expect(d.view()).not.toContain('90817263');
    await d.send({ CurrentAccountNumber: '46512346' });
    // The order is theirs to correct: they see before and after, and say yes.
    const asked = await d.whisper('46512222 → 46512346');
    await d.press(asked, 'sb_confirm', U_AGENT);
    await until(() => d.thread().some(({ text }) => text === 'Moved to Submitted.'), 'the corrected order');
    await until(() => placed() === undefined, 'the card of the change without the reason');
    await d.control('orders', { OrderId, Status: 'Scheduled' });
    await d.control('orders', { OrderId, Status: 'Completed' });
    await until(() => d.thread().some(({ text }) => text === 'Moved to Completed.'), 'the thread');
    expect(d.thread().map(({ text }) => text)).toContain('Moved to Rejected.');
    // Every place says the end: the card beside its answer, and the look-up, where the correction is no open order.
    const ended = () => d.ws.messages('C000SUPPORT').find((one) => one.text.includes('✅ Done: Port in'));
    await until(() => ended() !== undefined, 'the end on the card');
    expect(shown(ended())).toMatch(/Order status.*Completed.*Give it to a subscriber/s);
    expect(shown(ended())).not.toMatch(/Submitted|until it completes|goes on processing/);
    expect(await d.opens(ended(), 'sb_fill_0', U_AGENT, 'Change a number')).toContain('+13125550190');
    await d.type('/number', '+13125550190');
    const line = shown(await d.whisper('✅ Change port-in order of +13125550190'));
    expect(line).not.toMatch(/Open orders|order submitted/);
    expect(d.ws.messages(C_EVENTS).filter((message) => !message.threadTs)).toHaveLength(1);
    // The PIN was typed in a form. No payload of the app and no file contains it.
    const files = readdirSync(d.dir).map((name) => readFileSync(join(d.dir, name), 'latin1'));
    for (const bytes of [...d.ws.bytesFromApp().map(({ text }) => text), ...files])
      expect(bytes.includes('90817263')).toBe(false);
  });

  it('restores the input without secrets after the approver declines', async () => {
    const d = await guideStage();
    await requested(d, '+13125550150');
    await d.approve(1, 'sb_decline');
    await d.sees('Declined by');
    expect(d.view()).toContain('"initial_value":"46512222"');
    expect(d.view()).not.toContain('90817263');
    // Asked for again, and this time it is done.
    await d.send({ CurrentAccountPassword: '90817263' });
    await d.approve(2);
    await d.sees('✅ 4 Tracking');
    expect(await d.portins()).toHaveLength(2);
  });
});
