import { describe, expect, it } from 'vitest';
import { headlineOf, type Part, plainOf } from '../../src/cards/card.ts';
import { type Line, lineCard, usageOf } from '../../src/cards/line.ts';
import type { Action } from '../../src/ledger/ledger.ts';
import type { Fields } from '../../src/lib/json.ts';
import messageOutbound from '../../tools/message/outbound.ts';
import numbersPortout from '../../tools/numbers/portout.ts';

const PHONE = '+12015550101';
const NUMBER = { Number: PHONE, Status: 'Active', ICCID: '89012403971900010010', AccountId: 'AID-00000001' };
const HOLDER = { SubscriberId: 'TSUID-00000001', Name: 'Ava Stone', Email: 'ava@acme.example', Status: 'Active' };
const ACTION: Action = {
  id: 'act_0000000000000000000000',
  operation: 'none',
  actorId: 'slack:U1',
  actorName: '@ana',
  surface: 'slack',
  state: 'done',
  shown: {},
  known: {},
  consent: undefined,
  reason: undefined,
  decidedReason: undefined,
  createdAt: 1,
  expiresAt: 2,
  person: 'slack:T1/U1',
  decidedPerson: 'slack:T1/U2',
  decidedBy: '@lee',
  decidedVia: 'slack',
  decidedAt: 1,
  sentAt: 1,
  finishedAt: 1,
  result: undefined,
  error: undefined,
  owner: undefined,
  updatedAt: 1,
  notes: {},
};

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
      'ICCID = 89012403971900010010',
    ]);
  });

  it('name what waits before the actions, from the answer or from the ledger', () => {
    const row = { What: 'Park it', AskedBy: 'ana', AskedAt: '2026-11-26T08:00:00.000Z' };
    const value = {
      Number: NUMBER,
      Waiting: Array.from({ length: 5 }, () => ({ ...row, AlsoCovers: ['+1', '+2', '+3', '+4'] })),
    };
    const line = '🔐 Park it waits, asked by ana at 2026-11-26T08:00:00.000Z';
    expect(told({ value }).slice(0, 5)).toEqual([
      ...Array.from({ length: 3 }, () => `${line}. It also covers +1, +2, +3 and 1 more`),
      '… 2 more wait',
      '[actions]',
    ]);
    const waiting = [{ id: 'act_1', what: 'Park it', askedBy: 'ana', at: row.AskedAt, others: [] }];
    expect(told({ value, waiting }).slice(0, 2)).toEqual([line, '[actions]']);
  });

  it('are the steps of a port-in, and its lists as tables', () => {
    const value = { Summary: 'Is ported', PortIn: { PhoneNumber: PHONE, OrderId: 'JNUOID-1', Status: 'Submitted' } };
    expect(told({ value })).toContain('Submitted › Carrier approval › Scheduled › Completed');
    const scheduled = [{ StatusChange: 'Parked', EffectiveDate: '11/30/2026' }];
    expect(told({ value: { Number: NUMBER, Scheduled: scheduled } })).toContain('Scheduled: Parked | Nov 30, 2026');
  });

  const drawn = (...actions: Partial<Action>[]) =>
    told({
      value: { Number: NUMBER },
      recent: actions.map((action) => ({ action: { ...ACTION, ...action }, tool: undefined })),
    }).join('\n');

  it('are open orders only', () => {
    const order = { result: { OrderId: 'JNUOID-1', Status: 'Submitted' } };
    expect(drawn(order)).toContain('Open orders\nJNUOID-1 none · Submitted as of 1970-');
    expect(drawn({ result: { OrderId: 'JNUOID-1', OrderStatus: 'Completed' } })).not.toContain('Open orders');
    // The newest word about an order counts.
    expect(drawn({ result: { OrderId: 'JNUOID-1', Status: 'Cancelled' } }, order)).not.toContain('Open orders');
    expect(drawn({ ...order, state: 'unknown' })).not.toContain('Open orders');
  });

  it('say that the PIN of a port-out is in force, which is no open order, until the number has moved', () => {
    const action = { ...ACTION, result: { OrderId: 'JNUOID-1', Status: 'Pending' } };
    const recent = [{ action, tool: numbersPortout }];
    const text = told({ value: { Number: NUMBER }, recent }).join('\n');
    expect(text).toContain('Set a port-out PIN  the PIN is in force, set 1970-');
    expect(text).not.toMatch(/Open orders|Pending|JNUOID/);
    const moved = told({ value: { Number: NUMBER }, recent, reportOf: () => ({ status: 'Completed' }) }).join('\n');
    expect(moved).not.toMatch(/in force|Open orders/);
  });

  it('have the newest message only', () => {
    const text = drawn({ shown: { To: ['+1'], Body: 'a new one' } }, { shown: { To: ['+1'], Body: 'an old one' } });
    expect(text).toContain('\na new one');
    expect(text).not.toContain('an old one');
    expect(drawn({ state: 'declined', shown: { To: ['+1'], Body: 'x' } })).not.toContain('Last message');
  });

  it('say of a sent message how far it has come by the answer', () => {
    const last = (Status: string) =>
      told({
        value: { Number: NUMBER },
        recent: [{ action: { ...ACTION, shown: { To: [], Body: 'hi' }, result: { Status } }, tool: messageOutbound }],
      }).join('\n');
    expect(last('queued')).toContain('Last message  📤 handed to the carrier, not delivered yet, 1970-');
    expect(last('Delivered')).toContain('Last message  📤 delivered, 1970-');
  });

  it('have the recent actions with who asked and who decided', () => {
    expect(drawn({ state: 'declined' })).toContain(
      'Recent actions\n🚫 none declined by slack:T1/U2 (@lee), 1970-01-01T00:00:00.001Z · asked by slack:T1/U1 (@ana)',
    );
  });
});

it.each([
  ['19.75 MB', '0.25 MB', 0.9875, '19.75 of 20 MB used'],
  ['1 GB', '3072 MB', 0.25, '1024 of 4096 MB used'],
  ['0 MB', '20 MB', 0, '0 of 20 MB used'],
  ['20 MB', '0 MB', 1, '20 of 20 MB used'],
])('%s used and %s left are a share of %s, "%s"', (Used, Remaining, bar, of) => {
  expect(usageOf({ Used, Remaining })).toEqual({ bar, of });
});

it.each([
  ['0 MB', '0 MB'],
  ['unlimited', '20 MB'],
  [undefined, null],
])('%s used and %s left are no share', (Used, Remaining) => {
  expect(usageOf({ Used, Remaining })).toBeUndefined();
});
