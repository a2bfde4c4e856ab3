import { describe, expect, it } from 'vitest';
import { type Part, plainOf } from '../../src/cards/card.ts';
import { type OrderShown, orderCard } from '../../src/cards/order.ts';

const PHONE = '+13125550190';
const ORDER: OrderShown = { orderId: 'JNUOID-1', status: 'Submitted', message: '' };
const STEPS = 'Submitted › Carrier approval › Scheduled › Completed';

const linesOf = (part: Part): string[] => {
  if (part.kind === 'facts') return part.rows.map(({ label, value }) => `${label}: ${plainOf(value)}`);
  if (part.kind === 'quote') return [`${part.title}: “${part.text}”`];
  return part.kind === 'note' ? part.lines.map((line) => `${part.warns ? '⚠️ ' : ''}${plainOf(line)}`) : [];
};

describe('the card of an order', () => {
  it.each<[Partial<OrderShown>, string | undefined, string, string[]]>([
    [{}, undefined, 'Order JNUOID-1: Submitted', ['Order: JNUOID-1', STEPS]],
    [{ status: '' }, undefined, 'Order JNUOID-1: not reported yet', ['Order: JNUOID-1']],
    [
      { numbers: [PHONE], isPortIn: true, status: 'Scheduled' },
      'slack:T1/U1',
      'Port-in of (312) 555-0190: Scheduled',
      [`Number: ${PHONE}`, 'Order: JNUOID-1', 'Started by: slack:T1/U1', STEPS],
    ],
    [
      { numbers: [PHONE, '+13125550191', '+13125550192'], status: 'Parked', message: 'Wait.' },
      undefined,
      'Order of (312) 555-0190 and 2 more: Parked',
      [`Number: ${PHONE} and 2 more`, 'Order: JNUOID-1', 'Message from the platform: “Wait.”'],
    ],
    [
      { status: 'Rejected', message: 'Account number does not match' },
      undefined,
      'Order JNUOID-1: Rejected',
      [
        'Order: JNUOID-1',
        STEPS,
        '⚠️ The account number at the losing carrier is missing or wrong. It is on the bill, and is often not the phone number.',
        'The carrier refused the order: “Account number does not match”',
      ],
    ],
    [
      { status: 'Rejected', message: 'Computer says no.' },
      undefined,
      'Order JNUOID-1: Rejected',
      ['Order: JNUOID-1', STEPS, 'The carrier refused the order: “Computer says no.”'],
    ],
    [
      { status: 'Rejected' },
      undefined,
      'Order JNUOID-1: Rejected',
      ['Order: JNUOID-1', STEPS, '⚠️ The carrier refused the order without a reason. Ask it what is wrong.'],
    ],
  ])('%#: %o', (order, starter, headline, lines) => {
    const card = orderCard({ ...ORDER, ...order }, starter);
    expect(`${card.title}: ${card.state}`).toBe(headline);
    expect(card.parts.flatMap(linesOf)).toEqual(lines);
  });
});
