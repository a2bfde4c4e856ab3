import { expect, it } from 'vitest';
import type { Gate } from '../../../src/gate/gate.ts';
import { lookupCard, orderViewCard } from '../../../src/language/assistants/view-card.ts';

const gate = { timeZone: 'UTC' } as Gate;
const HIDDEN = '+1201\u202e5550105\u200b';

it('shows characters that cannot be seen as codes, wherever a number of the platform is drawn', () => {
  const number = { Number: HIDDEN, Status: 'Active' };
  const cards = [
    lookupCard({ Summary: 'Active', Number: number, Subscriber: { Name: HIDDEN } }, gate),
    lookupCard({ Numbers: [number] }, gate),
    orderViewCard({ OrderId: 'ORD-1', OrderStatus: 'Submitted', PhoneNumbersOrdered: [number] }, gate),
  ];
  for (const card of cards) {
    expect(JSON.stringify(card)).not.toMatch(/[\u202e\u200b]/);
    expect(JSON.stringify(card)).toContain('[U+202E]');
  }
});
