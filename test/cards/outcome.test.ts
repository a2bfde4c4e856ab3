import { describe, expect, it } from 'vitest';
import { actionCard } from '../../src/cards/outcome.ts';
import type { Change } from '../../src/catalogue/change.ts';
import type { Action } from '../../src/ledger/ledger.ts';
import { tools } from '../../tools/index.ts';
import { linesOf } from './lines.ts';

const PHONE = '+12015550101';
const OTHER = '+12015550103';
const BEGIN = Date.parse('2026-11-26T08:00:00.000Z');
const CHANGE: Change = {
  operation: 'numbers_update',
  level: 'own',
  sends: {},
  concerns: ['Ava Stone'],
  rows: [
    { of: PHONE, what: 'Limit', member: 'LimitValue', before: 90, after: 300 },
    { of: OTHER, what: 'Limit', member: 'LimitValue', before: 90, after: 300 },
  ],
  leads: [],
  keeps: [],
  undo: '',
  warnings: [],
  names: {},
} as unknown as Change;

const ACTION: Action = {
  id: 'act_0000000000000000000000',
  operation: 'numbers_update',
  actorId: 'mcp:x',
  actorName: 'helper',
  surface: 'mcp',
  state: 'done',
  shown: { PhoneNumbers: [{ Number: PHONE }, { Number: OTHER }], LimitValue: 300 },
  known: { change: CHANGE, question: { customer: 'Ava Stone' } },
  consent: {
    title: 'Change two lines',
    consequence: 'They change.',
    undo: 'Change them back.',
    confirm: 'Change',
    cost: '5 USD',
  },
  reason: 'asked by the customer',
  decidedReason: undefined,
  createdAt: BEGIN,
  expiresAt: BEGIN + 3_600_000,
  person: 'token:ana',
  decidedPerson: 'slack:T1/U2',
  decidedBy: '@lee',
  decidedVia: 'slack',
  decidedAt: BEGIN + 60_000,
  sentAt: BEGIN + 60_000,
  finishedAt: BEGIN + 61_000,
  result: {},
  error: undefined,
  owner: undefined,
  checks: 0,
  updatedAt: BEGIN + 61_000,
  notes: {},
} as unknown as Action;

/** Every part as lines of text, without those that are read on demand. */
function told(given: Partial<Action>): string[] {
  const tool = given.operation === undefined ? undefined : tools.find(({ id }) => id === given.operation);
  const { state, effect = '', parts } = actionCard({ action: { ...ACTION, ...given }, tool });
  return [`${state}. ${effect}`.trim(), ...parts.flatMap(linesOf).filter((line) => !line.startsWith('['))];
}

describe('the card of an action', () => {
  it('of a change for a later day says nothing about the time before it, once the platform has reported the end', () => {
    const later = {
      operation: 'numbers_status',
      shown: { StatusChange: 'park', PhoneNumbers: [{ Number: PHONE }], EffectiveDate: '11/30/2026' },
      result: {
        ...{ OrderId: 'JNUOID-1', OrderStatus: 'Scheduled', EffectiveDate: '2026-11-30T00:00:00' },
        Numbers: [{ Number: PHONE, Status: 'Active' }],
        Warning: 'Scheduled for 2026-11-30. Nothing changes before that day.',
      },
    } as Partial<Action>;
    const ended = told({ ...later, notes: { reported: { OrderStatus: 'Completed' } } }).join('\n');
    expect(told(later)[0]).toContain('Scheduled for 2026-11-30');
    expect(ended).toMatch(/^Done\..*Order status: Completed/s);
    expect(ended).not.toMatch(/Scheduled|before that day|Active/);
  });

  it('asks with its facts first, then what changes, and last who asked', () => {
    expect(told({ state: 'pending', decidedPerson: undefined, decidedBy: undefined, finishedAt: undefined })).toEqual([
      'Waiting for a person. Nothing has been done yet.',
      'Customer: Ava Stone',
      'What happens: They change.',
      'Cost: 5 USD',
      'Undo: Change them back.',
      `Limit: 2 lines (${PHONE}, ${OTHER}): 90 MB → 300 MB`,
      `Phone numbers (2): ${PHONE}, ${OTHER}`,
      'Reason given by assistant token:ana (helper): asked by the customer',
      'Asked by: token:ana (helper) over MCP, 2026-11-26T08:00:00.000Z',
      'Waits for an operator until: 2026-11-26T09:00:00.000Z',
    ]);
  });

  it.each([
    ['oauth:jo', 'Jo, assistant manager', 'the assistant of oauth:jo (Jo, assistant manager)'],
    ['local:ana', 'an assistant on this computer', 'local:ana (an assistant on this computer)'],
  ])('names the assistant of %s, called “%s”, as the author of a reason', (person, actorName, author) => {
    expect(told({ person, actorName })).toContain(`Reason given by ${author}: asked by the customer`);
  });

  it('says what changed, what it cost and how it is undone, and no more of what would happen', () => {
    expect(told({})).toEqual([
      'Done.',
      'Customer: Ava Stone',
      'Cost: 5 USD',
      'Reason given by assistant token:ana (helper): asked by the customer',
      `Limit: 2 lines (${PHONE}, ${OTHER}): 90 MB → 300 MB`,
      'Undo: Change them back.',
      'Asked by: token:ana (helper) over MCP, 2026-11-26T08:00:00.000Z',
      'Confirmed by: slack:T1/U2 (@lee), 2026-11-26T08:01:00.000Z',
    ]);
  });

  it.each<[string, Partial<Action>, string[]]>([
    ['runs', { state: 'in_flight' }, ['Running.', 'The outcome will be shown here.']],
    [
      'was declined',
      { state: 'declined', decidedReason: 'not today' },
      [
        'Declined. Nothing was done. Nothing was charged.',
        'Declined by slack:T1/U2 (@lee), 2026-11-26T08:01:00.000Z.',
        'Their reason: not today',
      ],
    ],
    [
      'expired',
      { state: 'expired' },
      ['Expired. Nothing was done. Nothing was charged.', expect.stringContaining('Nobody decided in time.')],
    ],
    [
      'failed',
      {
        state: 'failed',
        error: {
          code: 'refused',
          outcome: 'not_done',
          message: 'No stock.',
          effect: 'nothing_done',
        } as Action['error'],
      },
      ['Not done: the platform refused it.', expect.stringContaining('Nothing was done.')],
    ],
    [
      'is out of date',
      {
        state: 'failed',
        error: {
          code: 'not_confirmed',
          reason: 'changed',
          outcome: 'not_done',
          message: 'The limit is 200 MB now.',
          effect: 'nothing_sent',
        } as Action['error'],
      },
      [
        'Not sent: out of date.',
        expect.stringMatching(/^The limit is 200 MB now. Nothing was sent./),
        'Customer: Ava Stone',
      ],
    ],
    [
      'may be done',
      { state: 'unknown' },
      ['Outcome unknown.', expect.stringMatching(/^It may have been done\. .*cannot find out by reading the platform/)],
    ],
  ])('says first what it means that it %s', (_, given, lines) => {
    const all = told(given);
    expect(all.slice(0, lines.length)).toEqual(lines);
    // The planned change stays on the card, and its cost does not.
    expect(all.join('\n')).toContain('90 MB → 300 MB');
    expect(all.join('\n')).not.toContain('5 USD');
  });
});

describe('the cost of a partly done action', () => {
  const tool = tools.find(({ id }) => id === 'message_outbound');
  const to = [{ Number: PHONE }, { Number: OTHER }];
  const shownInput = { To: to, From: '+12015550105', Body: 'Hello' };
  const cost = (result: Action['result'], state: Action['state']) => {
    const consent = tool?.consent?.(shownInput, {});
    const action = { ...ACTION, operation: 'message_outbound', state, result, shown: shownInput, known: {}, consent };
    const { parts } = actionCard({ action: action as Action, tool });
    return parts.flatMap(linesOf).find((line) => line.startsWith('Cost: '));
  };

  it('is that of what was done', () => {
    const partly = {
      To: [
        { Number: PHONE, Status: 'sent' },
        { Number: OTHER, Status: 'Failed' },
      ],
    };
    expect(cost(partly, 'partly')).toBe('Cost: One message');
    expect(cost({ To: to }, 'done')).toBe('Cost: 2 messages');
  });
});
