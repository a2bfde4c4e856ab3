import { describe, expect, it } from 'vitest';
import { seeded } from '../../../support/world.ts';
import { C_SUPPORT, type Stage, shown, stage, U_AGENT, U_LEAD, until, whisper, whispers } from '../support.ts';
import { answers, heard, talking } from '../talking.ts';

/* The requester learns of every end, also of one that no click brings. */

const pressOf = (s: Stage, label: string, user: string) => {
  const found = s.ws
    .messages(C_SUPPORT, { visibleTo: user })
    .findLast((message) => shown(message).includes(`"${label}"`));
  return { user, messageTs: found?.ts ?? '' };
};
const lost = (s: Stage, path: string) => s.control('faults', { path, times: 1, dropAfterCommit: true });

/** Lets time pass until the requester has heard this. */
async function later(s: Stage, says: () => boolean, what: string): Promise<void> {
  await until(async () => {
    s.clock.skip(15_000);
    await s.settled();
    return says();
  }, what);
}

describe('an outcome that was unknown', () => {
  it('is told to the requester once it is known, once', async () => {
    const s = await stage();
    await lost(s, '/v1.0/numbers/reactivate');
    await s.type('/numbers', 'reactivate 0107');
    await s.settled();
    await s.ws.click({ ...pressOf(s, 'Reactivate for 5 USD', U_LEAD), actionId: 'sb_confirm' });
    await whisper(s.ws, U_AGENT, 'Outcome unknown');
    const told = () => whispers(s.ws, U_AGENT).filter((one) => one.text.includes('Done: Reactivate'));
    await later(s, () => told().length > 0, 'the outcome');
    for (let i = 0; i < 3; i += 1) await later(s, () => true, 'nothing more');
    expect(told()).toHaveLength(1);
  });

  it('is told in the conversation that asked', async () => {
    const s = await talking();
    await lost(s, '/v1.0/numbers/cancel-order-submit');
    s.model.answers({ calls: [{ name: 'numbers_cancel', input: { PhoneNumbers: [seeded(3)] } }] });
    const thread = await s.say('cancel 0103', { channel: C_SUPPORT });
    await heard(s, thread, 'Cancel this number');
    await s.ws.click({ ...pressOf(s, 'Cancel this number', U_LEAD), actionId: 'sb_confirm' });
    await heard(s, thread, /Outcome unknown: .*Cancel/);
    const told = () =>
      answers(s, thread).filter(({ text, blocks }) => text.includes('Done: Cancel') && blocks[0]?.type !== 'header');
    await later(s, () => told().length > 0, 'the outcome in the thread');
    for (let i = 0; i < 3; i += 1) await later(s, () => true, 'nothing more');
    expect(told()).toHaveLength(1);
  });
});

describe('a request that expires', () => {
  it('for an approver is told to its requester, who can ask again there', async () => {
    const s = await stage();
    await s.type('/numbers', 'cancel 0103');
    await s.settled();
    const told = () => whispers(s.ws, U_AGENT).filter((one) => one.text.includes('Expired: Cancel'));
    await later(s, () => told().length > 0, 'the end');
    const [end] = told();
    await s.ws.click({ user: U_AGENT, messageTs: end?.ts ?? '', actionId: 'sb_again' });
    await until(async () => (await s.gate.actions.list({ states: ['pending'] })).length === 1, 'the new question');
    expect(shown(s.ws.message(end?.ts ?? ''))).toContain('Expired: ');
  });

  it('of a person’s own offers to ask again once it is pressed', async () => {
    const s = await stage();
    await s.type('/numbers', 'data usage set 0103 LimitValue=40');
    await s.settled();
    const asked = await whisper(s.ws, U_AGENT, 'Apply');
    s.clock.skip(301_000);
    await s.settled();
    await s.ws.click({ user: U_AGENT, messageTs: asked.ts, actionId: 'sb_confirm' });
    const ended = await whisper(s.ws, U_AGENT, 'nobody had said yes');
    await s.ws.click({ user: U_AGENT, messageTs: ended.ts, actionId: 'sb_again' });
    await until(async () => (await s.gate.actions.list({ states: ['pending'] })).length === 1, 'the new question');
  });
});
