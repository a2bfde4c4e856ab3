import { describe, expect, it } from 'vitest';
import type { Gate } from '../../../src/gate/gate.ts';
import { everyWay } from '../../support/approval.ts';
import { until } from '../../support/world.ts';
import { ledger, run, sandbox, statusOf, world } from './support.ts';

describe('waiting', () => {
  it('for somebody else goes on until they decide', async () => {
    const approval = everyWay({ twoPerson: true });
    let gate: Gate | undefined;
    const running = run(['numbers', 'cancel', '+12015550103'], {
      tty: true,
      approval,
      onGate: (opened) => {
        gate = opened;
      },
    });
    await until(async () => (await ledger.list({ states: ['pending'] })).length === 1);
    const [action] = await ledger.list({ states: ['pending'] });
    const lee = { id: 'slack:T1/U2', name: 'Lee', person: 'slack:T1/U2', role: 'approver', surface: 'slack' } as const;
    await gate?.confirm(action?.id ?? '', { ...lee, priority: 'person' }, 'slack');
    const { code, err } = await running;
    expect([code, statusOf('+12015550103')]).toEqual([0, 'Cancelled - Pending Delete']);
    expect(err.replace(/\s+/g, ' ')).toContain(`(${action?.id}). Ctrl-C stops waiting.`);
  });

  it('for somebody else can be stopped, and says how to follow the request', async () => {
    const approval = everyWay({ twoPerson: true });
    const how = { tty: true, approval, interruptAt: /Ctrl-C\s+stops\s+waiting/ };
    const { code, err } = await run(['numbers', 'cancel', '+12015550103'], how);
    expect([code, statusOf('+12015550103')]).toEqual([3, 'Active']);
    expect(err).toMatch(
      /still waits for .*Nothing was\s+sent\. Follow it\s+with:\s+switchboard call confirmations_get id=act_/s,
    );
  });
});

describe('Ctrl-C', () => {
  const write = ['account', 'create', 'AccountName=Northwind', '--yes'];

  it('says that nothing was sent while the request waits', async () => {
    world.holds = true;
    world.waits = true;
    const { code, err } = await run(write, { tty: true, interruptAt: /Waiting for the platform/ });
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(
        /\n\nWaiting for the platform's rate limit, about 8 s\nStopped. Nothing was sent. Run it again if it is still needed.\n$/,
      ),
    ]);
    expect((await ledger.list({ limit: 5 }))[0]?.state).toBe('failed');
  });

  it('a second time stops waiting: the outcome is unknown, with the way to follow it', async () => {
    await fetch(`${sandbox.url}/sandbox/faults`, {
      method: 'POST',
      body: JSON.stringify({ path: '/v1.0/account', times: 1, hangMs: 20_000 }),
    });
    const { code, err } = await run(write, { tty: true, interruptSent: true, interruptAt: /already sent/ });
    expect(code).toBe(4);
    expect(err).toMatch(
      /its outcome is not known yet\. Follow it with:\s+switchboard call confirmations_get id=act_\S+\n$/,
    );
  });
});
