import { describe, expect, it } from 'vitest';
import {
  C_APPROVALS,
  C_SUPPORT,
  card,
  type Stage,
  shown,
  stage,
  told,
  U_AGENT,
  U_LEAD,
  until,
  whisper,
} from '../support.ts';

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
    await told(s.ws, 'Outcome unknown');
    const ends = () =>
      s.ws.messages(C_SUPPORT).filter((one) => one.threadTs !== undefined && one.text.includes('Done: Reactivate'));
    await later(s, () => ends().length > 0, 'the outcome');
    for (let i = 0; i < 3; i += 1) await later(s, () => true, 'nothing more');
    expect(ends()).toHaveLength(1);
  });
});

describe('a message that is delivered later', () => {
  it('is so on its card and in the lookup', async () => {
    const s = await stage({}, { events: true });
    await s.type('/message', 'outbound To=+13125550123 From=+12015550101 Body="hello"');
    await s.settled();
    await s.ws.click({ ...pressOf(s, 'Send message', U_LEAD), actionId: 'sb_confirm' });
    const { ts } = await card(s.ws);
    await until(() => shown(s.ws.message(ts)).includes('not delivered yet'), 'the message is sent');
    expect(await told(s.ws, 'Done')).not.toContain('delivered');
    const [action] = await s.gate.actions.list({});
    const body = { ...action?.result, To: '+13125550123', Direction: 'Outbound', Status: 'Delivered' };
    const headers = { 'content-type': 'application/json' };
    await fetch(`${s.url}/events/message-status`, { method: 'POST', headers, body: JSON.stringify(body) });
    await until(() => shown(s.ws.message(ts)).includes('Done, delivered'), 'the delivery on the card');
    await s.type('/number', '0101');
    expect(shown(await whisper(s.ws, U_AGENT, 'Last message'))).toContain('📤 delivered');
  });
});

describe('a question in a direct message', () => {
  it('has a card there for its requester and one for approvers, and both show the end', async () => {
    const s = await stage();
    const direct = s.ws.state.im(U_AGENT).id;
    await s.type('/numbers', 'cancel 0103', U_AGENT, direct);
    const { ts } = await card(s.ws, C_APPROVALS);
    await s.quiet();
    const mine = () => s.ws.messages(direct, { visibleTo: U_AGENT });
    expect(mine()).toHaveLength(1);
    expect(shown(mine()[0])).toMatch(/sb_edit.*sb_withdraw/s);
    expect(shown(mine()[0])).not.toContain('sb_confirm');
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
    await s.quiet();
    const [own, reply, ...more] = mine();
    expect(more).toEqual([]);
    for (const one of [own, s.ws.message(ts)]) expect(shown(one)).toContain('✅ Done');
    expect([reply?.threadTs, shown(reply).includes(U_AGENT)]).toEqual([own?.ts, true]);
  });
});
