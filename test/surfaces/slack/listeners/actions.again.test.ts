import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/demo/playground/types.ts';
import { C_APPROVALS, card, cards, decline, type Stage, shown, stage, U_AGENT, U_LEAD, until } from '../support.ts';

/* "Ask again" on a card whose action expired or failed. */

const REACTIVATE = 'reactivate +12015550107 AccountId=AID-00000000-0000-4000-8000-000000000001';
const REACTIVATED = '/numbers/reactivate';

const again = (s: Stage, user: string, ts: string) => s.ws.click({ user, messageTs: ts, actionId: 'sb_again' });
const questions = async (s: Stage) => (await s.gate.actions.list({})).filter((one) => one.consent !== undefined);
const offers = (message: Message | undefined) => shown(message).includes('sb_again');

/** Ana asked, and the question expired without a decision. */
async function expired(line = REACTIVATE) {
  const s = await stage();
  await s.type('/numbers', line);
  const { ts } = await card(s.ws);
  const told = () => s.ws.messages(C_APPROVALS).some((one) => !one.ephemeralTo);
  await until(told, 'the message to approvers');
  s.clock.skip(301_000);
  await s.gate.sweepExpired();
  await until(() => offers(s.ws.message(ts)), 'the button');
  return { s, ts };
}

describe('an expired card', () => {
  it('asks the same again for whoever clicks, and sends nothing', async () => {
    const { s, ts } = await expired();
    await again(s, U_LEAD, ts);
    await until(() => cards(s.ws).length === 2, 'the new card');
    const [, next] = cards(s.ws);
    expect(shown(next)).toContain('Reactivate +12015550107');
    expect(shown(next)).toContain(`Asked by <@${U_LEAD}>`);
    expect(await s.requests(REACTIVATED)).toEqual([]);
    await until(() => shown(s.ws.message(ts)).includes('Asked again'), 'the old card');
    expect(offers(s.ws.message(ts))).toBe(false);
    await s.ws.click({ user: U_LEAD, messageTs: next?.ts ?? '', actionId: 'sb_confirm' });
    await until(() => shown(s.ws.message(next?.ts ?? '')).includes('✅ Done'), 'the outcome');
    expect(await s.requests(REACTIVATED)).toHaveLength(1);
  });

  it('makes one new action of a double click, and of clicks by two people in two processes', async () => {
    const { s, ts } = await expired();
    await s.again();
    await Promise.all([again(s, U_AGENT, ts), again(s, U_LEAD, ts), again(s, U_AGENT, ts)]);
    await until(() => shown(s.ws.message(ts)).includes('Asked again'), 'the old card');
    await s.settled();
    expect(await questions(s)).toHaveLength(2);
    expect(cards(s.ws)).toHaveLength(2);
  });
});

describe('a failed card', () => {
  it('is not offered where it may have been done', async () => {
    const s = await stage();
    await s.type('/numbers', REACTIVATE);
    const { ts } = await card(s.ws);
    await decline(s, { user: U_LEAD, messageTs: ts });
    await until(() => offers(s.ws.message(ts)), 'a declined card offers it');
    await s.control('faults', { path: '/v1.0/numbers/reactivate', times: 1, dropAfterCommit: true });
    await s.type('/numbers', REACTIVATE);
    await until(() => cards(s.ws).length === 2, 'the other card');
    const other = cards(s.ws)[1]?.ts ?? '';
    await s.ws.click({ user: U_LEAD, messageTs: other, actionId: 'sb_confirm' });
    await until(() => /sb_was_done|✅ Done/.test(shown(s.ws.message(other))), 'the end');
    expect(offers(s.ws.message(other))).toBe(false);
  });
});
