import { describe, expect, it } from 'vitest';
import { event } from '../../../events/support.ts';
import { forPeople } from '../../../snapshots/diary.ts';
import { ASSISTANT, shown, stage, U_AGENT, U_VIEW, whisper } from '../support.ts';

const ORDER = 'JNUOID-00000000-0000-4000-8000-000000000001';
const LINE = '+12015550105';

describe('what happened since a time, in Slack', () => {
  it('is a digest: rejections, messages, what was changed for whom, charges; the log is behind All', async () => {
    const s = await stage();
    const message = { Direction: 'INBOUND', From: '+13125550199', To: LINE };
    await s.inbox.receive(event({ ...message, MessageId: 'TMID-0001', Body: 'is it <!here> yet' }));
    await s.inbox.receive(event({ OrderId: ORDER, Status: 'Completed' }));
    await s.inbox.receive(
      event({ OrderId: `${ORDER.slice(0, -1)}2`, Status: 'Rejected', ErrorMessage: 'Account number mismatch' }),
    );
    const set = (LimitValue: number) =>
      s.gate.perform('numbers_data_usage_set', { PhoneNumbers: [{ Number: LINE }], LimitValue }, ASSISTANT);
    await set(300);
    await set(400);
    await s.type('/events', 'since 1h', U_VIEW);
    const answer = await whisper(s.ws, U_VIEW, 'Changes');
    const text = shown(answer);
    const order = ['Orders', 'Rejected', 'Completed', 'Messages', 'Changes'].map((word) => text.indexOf(word));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
    expect(text).toContain('Data limit: 20 MB → 400 MB');
    expect(text).toContain('waits for a person');
    expect(text).toContain('replaced by a newer request');
    expect(text).not.toContain('declined');
    expect(text).not.toContain('"type":"data_table"');
    expect(text).not.toContain('JNUOID');
    expect(text).not.toContain('numbers_data_usage_set');
    await s.ws.click({ user: U_VIEW, messageTs: answer.ts, actionId: 'sb_page' });
    const log = await whisper(s.ws, U_VIEW, 'sb_json');
    let pages = '';
    for (let page = log; ; page = await whisper(s.ws, U_VIEW, 'sb_page_back')) {
      pages += shown(page);
      if (!shown(page).includes('Next (')) break;
      await s.ws.click({ user: U_VIEW, messageTs: page.ts, actionId: 'sb_page' });
      await s.settled();
    }
    expect(pages).toContain(ORDER);
    expect(pages).toMatch(/TMID-0001[\s\S]*act_/);
  });

  it('begins with an order that a read showed to be rejected, where the platform reports nothing', async () => {
    const s = await stage();
    const input = {
      PortInNumber: '+13125550190',
      CurrentCarrierName: 'Lakeside Wireless',
      CurrentAccountNumber: '46512222',
      CurrentAccountPassword: '90817263',
      CurrentBillingAddress: { Street1: '1 Main St', City: 'Chicago', State: 'IL', Zip: '60601' },
    };
    const asked = await s.gate.perform('numbers_portin', input, ASSISTANT);
    if (asked.kind !== 'pending') throw new Error(`not asked: ${asked.kind}`);
    const lead = { id: 'lead', name: 'Lee', role: 'approver', surface: 'cli', priority: 'person' } as const;
    await s.gate.confirm(asked.action.id, lead, 'page');
    await s.control('clock', { advance: '2m' });
    const read = async () => {
      await s.type('/numbers', 'order 3125550190', U_VIEW);
      await whisper(s.ws, U_VIEW, 'Order status');
    };
    await s.type('/events', 'since 1h', U_VIEW);
    expect(shown(await whisper(s.ws, U_VIEW, 'What happened'))).not.toContain('Rejected');
    await read();
    await s.type('/events', 'since 1h', U_VIEW);
    const lines = forPeople(await whisper(s.ws, U_VIEW, /What happened.*Rejected/s)).split('\n');
    expect(lines[1]).toBe('*Orders* 1');
    expect(lines[2]).toMatch(/^✕ Order for \(312\) 555-0190: Rejected: The account number/);
  });

  it('says what nobody recorded', async () => {
    const s = await stage();
    await s.type('/events', 'since 1h', U_AGENT);
    expect(shown(await whisper(s.ws, U_AGENT, 'Nothing is recorded'))).not.toContain('sb_page');
  });
});
