import { describe, expect, it } from 'vitest';
import {
  C_SUPPORT,
  card,
  type Stage,
  shown,
  stage,
  told,
  U_AGENT,
  U_LEAD,
  U_VIEW,
  until,
  whisper,
} from '../support.ts';

/* Reasons for asking and for declining, and withdrawals: on cards, in messages, in the audit trail. */

const CANCEL = 'cancel +12015550103';
const SUBMIT = '/numbers/cancel-order-submit';
const why = (s: Stage, user: string = U_LEAD) => JSON.stringify(s.ws.openViews(user).at(-1)?.definition ?? '');
const reasons = async (s: Stage) =>
  (await s.gate.actions.audit()).flatMap(({ what, reason }) => (reason === null ? [] : [`${what}: ${reason}`])).sort();

describe('a reason', () => {
  it('of the requester is on the card, of who declines in the answer, and both in the audit trail', async () => {
    const s = await stage();
    await s.type('/numbers', `${CANCEL} reason="Moved  to <!here>"`);
    const asked = await card(s.ws);
    expect(shown(asked)).toContain('Reason given');
    expect(shown(asked)).toContain('Moved to @here');
    await s.ws.click({ user: U_LEAD, messageTs: asked.ts, actionId: 'sb_decline' });
    await until(() => why(s).includes('sb_reason'), 'the window');
    expect(why(s)).toContain(`"user_id":"${U_AGENT}"`);
    // Nothing is declined before the window is sent.
    expect((await s.gate.actions.list({ states: ['pending'] })).length).toBe(1);
    await s.ws.submit({ user: U_LEAD, values: { sb_reason: 'She changed her mind' } });
    const reply = await told(s.ws, 'She changed her mind');
    await until(() => shown(s.ws.message(asked.ts)).includes('She changed her mind'), 'the reason');
    expect(reply).toMatch(new RegExp(`"user_id":"${U_AGENT}".*Declined: `));
    await s.settled();
    expect(s.ws.messages(C_SUPPORT, { visibleTo: U_AGENT })).toHaveLength(2);
    const declined = shown(s.ws.message(asked.ts));
    expect(declined).toContain('Declined by');
    expect(declined).toContain('She changed her mind');
    expect(declined).toContain('sb_again');
    expect(await reasons(s)).toEqual(['asked: Moved to @here', 'declined: She changed her mind']);
    expect(await s.requests(SUBMIT)).toEqual([]);
  });
});

describe('taking a request back', () => {
  it('is one click on Withdraw, said by name, and only the requester can', async () => {
    const s = await stage();
    await s.type('/numbers', CANCEL);
    const { ts } = await card(s.ws);
    const [action] = await s.gate.actions.list({ states: ['pending'] });
    // A forged click of another person changes nothing.
    await s.type('/number', '+12015550101', U_VIEW);
    const seen = await whisper(s.ws, U_VIEW, '"type":"header"');
    const forged = {
      type: 'button',
      action_id: 'sb_withdraw',
      text: { type: 'plain_text', text: 'x' },
      value: action?.id,
    };
    seen.blocks.push({ type: 'actions', block_id: 'forged', elements: [forged] });
    await s.ws.click({ user: U_VIEW, messageTs: seen.ts, actionId: 'sb_withdraw' });
    await s.settled();
    expect((await s.gate.actions.get(action?.id ?? ''))?.state).toBe('pending');
    await s.ws.click({ user: U_AGENT, messageTs: ts, actionId: 'sb_withdraw' });
    await until(() => shown(s.ws.message(ts)).includes('🚫 Withdrawn'), 'the card');
    const withdrawn = shown(s.ws.message(ts));
    expect(withdrawn).toContain('Withdrawn by ');
    expect(withdrawn).not.toContain('Declined');
    expect(await s.requests(SUBMIT)).toEqual([]);
  });
});
