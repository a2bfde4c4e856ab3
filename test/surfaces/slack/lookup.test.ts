import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/ledger/ledger.ts';
import { lookupCard } from '../../../src/surfaces/slack/blocks/lookup.ts';
import { event } from '../../events/support.ts';
import { C_SUPPORT, card, type Stage, shown, stage, U_AGENT, U_LEAD, until, whisper } from './support.ts';

const PHONE = '+12015550101';
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
  checks: 0,
  updatedAt: 1,
  notes: {},
};
const drawn = (...actions: Partial<Action>[]) =>
  JSON.stringify(
    lookupCard({
      phone: PHONE,
      value: { Number: { Number: PHONE, Status: 'Active' } },
      recent: actions.map((action) => ({ action: { ...ACTION, ...action }, tool: undefined })),
      first: [],
      next: [],
    }),
  );

describe('the on-call lookup', () => {
  it('shows the number first, and then the whole card in the same place', async () => {
    const s = await stage();
    await s.control('faults', { path: '/v1.0/subscribers/get', times: 1, hangMs: 1500 });
    await s.type('/number', PHONE);
    const first = await whisper(s.ws, U_AGENT, 'Loading the rest');
    expect(shown(first)).toContain('Active');
    expect(shown(first)).not.toContain('Ava Stone');
    const whole = await whisper(s.ws, U_AGENT, 'Ava Stone');
    expect(shown(whole)).not.toContain('Loading the rest');
    expect(whole.ts).toBe(first.ts);
  });

  it('offers the call filters, and shows the newest message, sent or received', async () => {
    const s = await stage();
    await s.type('/message', `outbound To=+12015550199 From=${PHONE} Body="we wrote"`);
    const { ts } = await card(s.ws);
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
    await until(() => shown(s.ws.message(ts)).includes('✅ Done'), 'sent');
    await s.type('/number', PHONE);
    await whisper(s.ws, U_AGENT, 'we wrote');
    s.clock.skip(60_000);
    await s.inbox.receive(
      event({
        MessageId: 'TMID-1',
        Direction: 'INBOUND',
        From: '+12015550199',
        To: PHONE,
        Body: '<!channel> they wrote',
      }),
    );
    await s.type('/number', PHONE);
    const found = await whisper(s.ws, U_AGENT, 'they wrote');
    expect(shown(found)).toContain('received from (201) 555-0199');
    expect(shown(found)).not.toContain('we wrote');
    await s.ws.click({ user: U_AGENT, messageTs: found.ts, actionId: 'sb_run_2' });
    await whisper(s.ws, U_AGENT, 'Call filters');
    await s.settled();
    expect(await s.requests('/subscribers/call-filter')).toHaveLength(1);
  });

  it('offers to watch a number, or to stop watching it', async () => {
    const s = await stage();
    await s.type('/number', PHONE);
    const before = await whisper(s.ws, U_AGENT, '"text":"Watch"');
    expect(shown(before)).not.toContain('Stop watching');
    await s.ws.click({ user: U_AGENT, messageTs: before.ts, actionId: 'sb_run_3' });
    await whisper(s.ws, U_AGENT, 'Monitoring starts');
    await s.type('/number', PHONE);
    const after = await whisper(s.ws, U_AGENT, 'Stop watching');
    expect(shown(after)).not.toContain('"text":"Watch"');
  });

  it('sends at most three requests to the platform', async () => {
    const s = await stage();
    await s.type('/number', PHONE);
    await whisper(s.ws, U_AGENT, '"type":"header"');
    await s.settled();
    const sent = await s.requests();
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThanOrEqual(3);
  });

  it('shows recent actions and who requested them', async () => {
    const s = await stage();
    const clerk = { id: 'cli:x', name: 'clerk', role: 'operator', surface: 'cli', priority: 'person' } as const;
    const input = { To: [{ Number: '+12015550199' }], From: PHONE, Body: 'Your code <!here>' };
    const asked = await s.gate.perform('message_outbound', input, clerk);
    if (asked.kind !== 'pending') throw new Error('not asked');
    await s.gate.confirm(asked.action.id, { ...clerk, id: 'cli:y', name: 'lee', role: 'approver' }, 'page');
    await s.type('/number', PHONE);
    const text = shown(await whisper(s.ws, U_AGENT, 'cli:x (clerk)'));
    expect(text).toContain('cli:x (clerk)');
    expect(text).toContain('Last message');
    expect(text).toContain('Your code <!here>');
  });

  it('shows open orders only', () => {
    const order = { result: { OrderId: 'JNUOID-1', Status: 'Submitted' } };
    expect(drawn(order)).toContain('Open orders');
    expect(drawn(order)).toContain('Submitted');
    expect(drawn({ result: { OrderId: 'JNUOID-1', OrderStatus: 'Completed' } })).not.toContain('Open orders');
    // The newest word about an order counts.
    expect(drawn({ result: { OrderId: 'JNUOID-1', Status: 'Cancelled' } }, order)).not.toContain('Open orders');
    expect(drawn({ ...order, state: 'unknown' })).not.toContain('Open orders');
  });

  it('shows the newest message only', () => {
    const text = drawn({ shown: { To: ['+1'], Body: 'new' } }, { shown: { To: ['+1'], Body: 'old' } });
    expect(text).toContain('"new"');
    expect(text).not.toContain('"old"');
    expect(drawn({ state: 'declined', shown: { To: ['+1'], Body: 'x' } })).not.toContain('Last message');
  });
});

describe('a lookup that is shared later', () => {
  const CANCELLED = '+12015550107';
  const SHARED = (s: Stage) => s.ws.messages(C_SUPPORT).find((one) => one.ephemeralTo === undefined);

  it('is read again first, and says as of when', async () => {
    const s = await stage();
    await s.type('/number', CANCELLED);
    const answer = await whisper(s.ws, U_AGENT, 'Cancelled - Pending Delete');
    const asked = await s.gate.perform(
      'numbers_reactivate',
      { PhoneNumber: CANCELLED, AccountId: 'AID-00000000-0000-4000-8000-000000000001' },
      { id: 'mcp:x', name: 'x', role: 'operator', surface: 'mcp', priority: 'assistant' },
    );
    if (asked.kind !== 'pending') throw new Error('not asked');
    const lead = { id: 'slack:T/U1', name: '@lee', role: 'approver', surface: 'slack', priority: 'person' } as const;
    await s.gate.confirm(asked.action.id, lead, 'slack');
    await until(() => s.ws.message(answer.ts) !== undefined && shown(answer).includes('sb_share'), 'the button');
    await s.ws.click({ user: U_AGENT, messageTs: answer.ts, actionId: 'sb_share' });
    await until(() => SHARED(s) !== undefined, 'the shared card');
    const text = shown(SHARED(s));
    expect(text).toContain('Active');
    expect(text).toContain(`Shared by <@${U_AGENT}> · as of <!date^`);
    expect(text).not.toContain('Pending Delete ·');
    expect(text).not.toContain('sb_');
  });

  it('is not shared if it cannot be read again', async () => {
    const s = await stage();
    await s.type('/number', CANCELLED);
    const answer = await whisper(s.ws, U_AGENT, 'sb_share');
    await s.control('faults', { path: '/v1.0/numbers', times: 10, status: 400 });
    await s.ws.click({ user: U_AGENT, messageTs: answer.ts, actionId: 'sb_share' });
    await whisper(s.ws, U_AGENT, 'could not be read again');
    expect(SHARED(s)).toBeUndefined();
  });
});
