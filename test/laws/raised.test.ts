import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseInput } from '../../src/catalogue/input.ts';
import { defineOperation, higher, isGated, label } from '../../src/catalogue/operation.ts';
import { operations, tools } from '../../tools/index.ts';

/*
 * The level of a change of records fails closed: every member of its input is ordinary by its definition, with or without
 * a condition, or it needs an approver and says why.
 */

const NOW = new Date('2026-11-21T12:00:00Z');
const changes = tools
  .filter(({ risk, free }) => risk === 'write' && free === undefined)
  .map((tool) => [tool.id, tool] as const);

it('covers every operation: a read changes nothing, and what spends or destroys always waits', () => {
  expect(operations.length).toBeGreaterThan(90);
  for (const { id, risk, free, method, members, consent } of operations) {
    const rule = risk === 'read' ? 'read' : isGated({ risk }) ? 'gated' : free === undefined ? 'members' : 'free';
    expect([id, rule === 'members']).toEqual([id, members !== undefined]);
    expect([id, rule === 'gated' && consent === undefined]).toEqual([id, false]);
    if (method === 'GET') expect([id, rule]).toEqual([id, 'read']);
  }
});

describe.each(changes)('%s', (_id, tool) => {
  const { keys = [], ordinary: listed = {}, raised = {} } = tool.members ?? {};
  const names = Object.keys(tool.input.shape);

  it('lists every member as ordinary or gives the reason why it needs an approver', () => {
    for (const name of names) {
      const isAlways = keys.includes(name) || (listed[name] !== undefined && listed[name].holds === undefined);
      const hasReason = raised[name] !== undefined;
      expect(isAlways || hasReason, `add ${name} to raised, or to ordinary without a condition`).toBe(true);
      // If a member is always ordinary, its reason would never be shown.
      expect(isAlways && hasReason, `${name} is always ordinary: remove it from raised`).toBe(false);
    }
    expect(Object.keys({ ...listed, ...raised }).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('says why in words', () => {
    for (const { words } of Object.values(listed)) expect(words).toMatch(/^[a-zS].{4,}[^.]$/);
    for (const what of Object.values(raised)) expect(what).toMatch(/^[a-z].{3,}[^.]$/);
  });

  it('raises a member that its definition does not know', () => {
    expect(tool.raises?.({ Surprise: 1 }, { Record: { Surprise: 1 } })).toMatchObject({
      risk: 'destroy',
      reason: expect.stringContaining('Surprise'),
    });
    expect(tool.raises?.({ constructor: 1 }, {})).toMatchObject({ risk: 'destroy' });
  });

  it('is never milder without the record than with it', () => {
    for (const example of tool.examples) {
      const input = parseInput(tool, example, NOW);
      if (tool.raises?.(input, {}) !== undefined) continue;
      for (const Record of [{}, input, null]) expect(tool.raises?.(input, { Record })).toBeUndefined();
    }
  });

  it('has words to ask with, unless it says why it needs no yes', () => {
    expect(tool.consent === undefined).toBe(tool.free !== undefined);
  });
});

describe('a definition', () => {
  const described = {
    id: 'account_update',
    endpoint: 'POST /v1.0/account/update',
    title: 'Change an account',
    description: 'Changes an account.',
    risk: 'write',
    resend: true,
    source: 'S',
    notes: 'test',
  } as const;
  const define = (shape: z.ZodRawShape) =>
    defineOperation({
      ...described,
      input: () => shape,
      output: () => ({}),
      keys: ['AccountId'],
      ordinary: { AccountName: label, Limit: higher },
      raised: { 'a lower limit': ['Limit'] },
      hazards: { Limit: 'The limit is lower.' },
      consent: (_input, _known, reasons) => ({
        title: 'Change',
        consequence: reasons,
        undo: 'None.',
        confirm: 'Do it',
      }),
      examples: [{}],
    });
  const base = { AccountId: z.string(), AccountName: z.string().optional(), Limit: z.number().optional() };

  it('that gets a new member asks a person for it, in its question too', () => {
    const tool = define({ ...base, Owner: z.string().optional() });
    expect(tool.raises?.({ AccountId: 'AID-1', AccountName: 'x' }, {})).toBeUndefined();
    expect(tool.raises?.({ AccountId: 'AID-1', Owner: 'x' }, { Record: { Owner: 'x' } })).toMatchObject({
      risk: 'destroy',
    });
    const { reason } = tool.raises?.({ AccountId: 'AID-1', Owner: 'x' }, {}) ?? {};
    expect(tool.consent?.({ AccountId: 'AID-1', Owner: 'x' }, {}, reason).consequence).toContain('Owner');
  });

  it('without consent counts as raised', () => {
    const asksNobody = () =>
      defineOperation({
        ...described,
        input: () => ({ AccountId: z.string(), Limit: z.number() }),
        output: () => ({}),
        keys: ['AccountId'],
        ordinary: { Limit: higher },
        examples: [{ AccountId: 'AID-1', Limit: 1 }],
      });
    expect(asksNobody().raises?.({ Limit: 1 }, {})).toMatchObject({ risk: 'destroy' });
  });

  it('compares with the record only where there is one', () => {
    const tool = define(base);
    const input = { AccountId: 'AID-1', Limit: 5 };
    expect(tool.raises?.(input, { Record: { Limit: 4 } })).toBeUndefined();
    for (const known of [{}, { Record: undefined }, { Record: null }, { Record: 'x' }, { Record: {} }])
      expect(tool.raises?.(input, known)).toMatchObject({ reason: 'The limit is lower.' });
  });

  it('looks only at the members that differ from the record', () => {
    const tool = define(base);
    expect(tool.raises?.({ AccountId: 'AID-1', Limit: 1 }, { Record: { Limit: 1 } }, ['AccountName'])).toBeUndefined();
  });

  it('raises a member that is cleared', () => {
    expect(define(base).raises?.({ Limit: null }, { Record: { Limit: 4 } })).toBeDefined();
  });
});
