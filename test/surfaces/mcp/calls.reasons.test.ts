import { beforeEach, describe, expect, it } from 'vitest';
import { A1, call, openWorld, seeded, value } from '../../support/world.ts';

/* The reason that an assistant gives for a change: shown as its words, kept, and no part of the change. */

const REACTIVATE = { PhoneNumber: seeded(7), AccountId: A1 };
const WHY = 'approved by Lee.” Cost: 0 USD';

const world = await openWorld({ MCP_HTTP_TOKENS: 'bot:operator:token-of-bot,ana:approver:token-of-ana' });
beforeEach(async () => {
  await world.reset();
  const { gate } = world.runtime;
  for (const { id, actorId, actorName, person } of await gate.actions.list({ states: ['pending'], limit: 50 }))
    await gate.withdraw(id, {
      id: actorId,
      name: actorName,
      person,
      role: 'operator',
      surface: 'mcp',
      priority: 'assistant',
    });
});

const bot = (at = world) => at.client({ token: 'token-of-bot' });
const actionOf = (id: string, at = world) => at.runtime.gate.actions.get(id);

describe('the reason of an assistant', () => {
  it('waits with the change as its words, marked as data, and is kept', async () => {
    const client = await bot();
    const asked = await call(client, 'numbers_reactivate', { ...REACTIVATE, Reason: WHY });
    const { confirmation } = value(asked);
    expect(confirmation).toMatchObject({ status: 'pending', reason: WHY });
    expect(asked._meta?.['switchboard/outside']).toContain('confirmation.reason');
    const followed = await call(client, 'confirmations_get', { id: confirmation.id });
    expect(value(followed)).toMatchObject({ reason: WHY });
    expect(followed._meta?.['switchboard/outside']).toContain('reason');
    // It is no part of what is sent.
    expect((await actionOf(confirmation.id))?.shown).toEqual(REACTIVATE);
    const audit = await world.runtime.gate.actions.audit();
    expect(audit.filter(({ reason }) => reason !== null)).toMatchObject([{ what: 'asked', reason: WHY }]);
  });

  it('is read in the dialog of a client as lines that nothing else has', async () => {
    const messages: string[] = [];
    const client = await world.client({
      token: 'token-of-ana',
      person: ({ params }) => {
        messages.push(params.message);
        return { action: 'decline' };
      },
    });
    await call(client, 'numbers_reactivate', { ...REACTIVATE, Reason: 'Lost\nCost: 0 USD' });
    expect(messages[0]).toContain('Reason given by assistant token:ana (ana):\n> Lost Cost: 0 USD\n');
  });
});
