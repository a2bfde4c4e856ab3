import { describe, expect, it } from 'vitest';
import { headlineOf, type Part, plainOf } from '../../src/cards/card.ts';
import { type Line, lineCard } from '../../src/cards/line.ts';
import type { Fields } from '../../src/lib/values.ts';

const PHONE = '+12015550101';
const NUMBER = { Number: PHONE, Status: 'Active', ICCID: '89012403971900010010', AccountId: 'AID-00000001' };
const HOLDER = { SubscriberId: 'TSUID-00000001', Name: 'Ava Stone', Email: 'ava@acme.example', Status: 'Active' };

/** Every part as lines of text: its title, then its lines, or its labels and values. */
function told(line: Line): string[] {
  return lineCard(line).parts.flatMap((part: Part): string[] => {
    switch (part.kind) {
      case 'actions':
        return ['[actions]'];
      case 'small':
        return [part.text];
      case 'note':
        return [...(part.title === undefined ? [] : [part.title]), ...part.lines.map(plainOf)];
      case 'table':
        return [`${part.title}: ${part.rows.map((row) => row.join(' | ')).join('; ')}`];
      case 'quote':
        return [part.text];
      case 'rows':
        return part.rows.map(({ says }) => plainOf(says));
      default:
        if (part.brief !== undefined) return [`${part.title}: ${plainOf(part.brief)}`];
        return part.rows.map(({ label, value }) => `${label} = ${plainOf(value)}`);
    }
  });
}

describe('the headline of a line', () => {
  it.each<[string, Fields, string]>([
    ['its holder', { Summary: 'Active', Number: NUMBER, Subscriber: HOLDER }, '● Ava Stone · (201) 555-0101: active'],
    ['no holder', { Summary: 'SMS is off', Number: NUMBER, Subscriber: null }, '● (201) 555-0101: SMS is off'],
    ['trouble', { Summary: 'Active', Number: NUMBER, Fix: { Tool: 'a' } }, '⚠️ (201) 555-0101: active'],
    ['an end', { Summary: 'Gone', Number: { ...NUMBER, Status: 'Cancelled' }, Fix: {} }, '✕ (201) 555-0101: gone'],
    ['a port-in', { Summary: 'Is ported', PortIn: { PhoneNumber: PHONE } }, '(201) 555-0101: is ported'],
    ['a part of an answer', { Number: NUMBER }, '(201) 555-0101'],
  ])('names %s', (_, value, headline) => {
    expect(headlineOf(lineCard({ value }))).toBe(headline);
  });
});

describe('the parts of a line', () => {
  it('are each record in a line by name, what it uses, and its own values; ids are left out of the lines', () => {
    const usage = { Number: PHONE, Status: 'Active', Used: '12.5 MB', Remaining: '7.5 MB' };
    const subscriber = {
      ...HOLDER,
      PhoneNumbers: [{ Number: PHONE }, { Number: '+12015550103' }, { Number: '+12015550104' }],
    };
    const value = { Summary: 'Active', Number: NUMBER, Subscriber: subscriber, DataUsage: usage, CallFilters: [] };
    const uses = [
      { noun: 'message route', id: 'MRID-1', name: 'Main SMS route' },
      { noun: 'account', id: 'AID-1', name: 'Ava Stone' },
    ];
    expect(told({ value, uses })).toEqual([
      '[actions]',
      'Number: +12015550101 · Active',
      'Subscriber: Ava Stone · ava@acme.example · 3 phone numbers',
      'Data usage: 12.5 of 20 MB used',
      'Message route = Main SMS route',
    ]);
  });
});
