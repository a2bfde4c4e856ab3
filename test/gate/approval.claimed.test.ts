import { describe, expect, it } from 'vitest';
import { isOwn, refusalOf } from '../../src/gate/approval.ts';
import { approversNeeded } from '../../src/gate/quorum.ts';
import { levelOfAction } from '../../src/ledger/level.ts';
import { everyWay } from '../support/approval.ts';
import { ASSISTANT, stage } from '../surfaces/slack/support.ts';

/** The requester, whom a workflow names. */
const NAMED = 'slack:T1/U1';
const change = { level: 'own', rows: [], keeps: [], names: {} };
const asked = (claimed: boolean) => ({
  person: NAMED,
  decidedPerson: 'slack:T1/U2',
  known: { change, question: claimed ? { claimed } : {} },
});
const operator = { person: 'slack:T1/U3', name: '@olu', role: 'operator', way: 'slack' } as const;

describe('a change whose requester nobody verified', () => {
  it('needs an approver, whatever it changes', () => {
    expect(levelOfAction(asked(false))).toBe('own');
    expect(levelOfAction(asked(true))).toBe('approver');
    expect(refusalOf('confirm', asked(false), operator, everyWay())).toBeUndefined();
    expect(refusalOf('confirm', asked(true), operator, everyWay())?.why).toBe('role');
    const named = { ...operator, person: NAMED, role: 'approver' } as const;
    expect(refusalOf('confirm', asked(true), named, everyWay())).toBeUndefined();
    expect(refusalOf('confirm', asked(true), named, everyWay({ twoPerson: true }))?.why).toBe('same_person');
  });

  it('does not need several approvers for that', () => {
    const write = { id: 'numbers_update', risk: 'write' } as const;
    expect(approversNeeded(write, asked(true), { quorum: 2 })).toBe(1);
    const loss = { known: { ...asked(true).known, change: { ...change, level: 'approver' } } };
    expect(approversNeeded(write, loss, { quorum: 2 })).toBe(2);
  });

  it('shows no activation code to the person who was named', () => {
    expect(isOwn(asked(false), NAMED)).toBe(true);
    expect(isOwn(asked(true), NAMED)).toBe(false);
    expect(isOwn(asked(true), 'slack:T1/U2')).toBe(true);
  });

  it('cannot be one that waits for nobody', async () => {
    const { gate } = await stage();
    const watch = (claimed?: true) =>
      gate.perform('numbers_watch', { PhoneNumber: '+12015550101' }, { ...ASSISTANT, ...(claimed && { claimed }) });
    await expect(watch()).resolves.toMatchObject({ kind: 'done' });
    await expect(watch(true)).rejects.toThrow('waits for no person');
  });
});
