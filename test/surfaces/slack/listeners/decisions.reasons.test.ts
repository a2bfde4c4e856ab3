import { describe, expect, it } from 'vitest';
import {
  C_APPROVALS,
  card,
  cards,
  decline,
  type Stage,
  shown,
  stage,
  U_AGENT,
  U_LEAD,
  U_VIEW,
  until,
  whisper,
  whispers,
} from '../support.ts';
import { answers, heard, talking } from '../talking.ts';

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
    await decline(s, { user: U_LEAD, messageTs: asked.ts });
    // One click declines; the window comes afterwards.
    await until(() => shown(s.ws.message(asked.ts)).includes('🚫 Declined'), 'the decline');
    await until(() => why(s).includes('sb_reason'), 'the window');
    expect(why(s)).toContain(`"user_id":"${U_AGENT}"`);
    expect(await reasons(s)).toEqual(['asked: Moved to @here']);
    await s.ws.submit({ user: U_LEAD, values: { sb_reason: 'She changed her mind' } });
    const told = await whisper(s.ws, U_AGENT, 'She changed her mind');
    await until(() => shown(s.ws.message(asked.ts)).includes('She changed her mind'), 'the reason');
    expect(shown(told)).toContain('Declined: ');
    await s.settled();
    expect(whispers(s.ws, U_AGENT).filter((one) => shown(one).includes('Declined: '))).toHaveLength(1);
    const declined = shown(s.ws.message(asked.ts));
    expect(declined).toContain('Declined by');
    expect(declined).toContain('She changed her mind');
    expect(declined).toContain('sb_again');
    expect(await reasons(s)).toEqual(['asked: Moved to @here', 'explained: She changed her mind']);
    expect(await s.requests(SUBMIT)).toEqual([]);
  });

  it.each([
    ['the window is closed', (s: Stage) => s.ws.closeView({ user: U_LEAD })],
    ['the window is sent empty', (s: Stage) => s.ws.submit({ user: U_LEAD, values: {} })],
    ['the window stays open for two minutes', async (s: Stage) => s.clock.skip(2 * 60_000)],
  ])('is waited for until %s: then one message tells the requester', async (_, end) => {
    const s = await stage({}, { env: { CONFIRM_TTL_SECONDS: '3600' } });
    await s.type('/numbers', CANCEL);
    const { ts } = await card(s.ws);
    await decline(s, { user: U_LEAD, messageTs: ts });
    await until(() => why(s).includes('sb_reason'), 'the window');
    await until(() => shown(s.ws.message(ts)).includes('🚫 Declined'), 'the decline');
    const notices = () => whispers(s.ws, U_AGENT).filter((one) => shown(one).includes('Declined: '));
    await s.settled();
    expect(notices()).toEqual([]);
    await end(s);
    await whisper(s.ws, U_AGENT, 'Declined: ');
    await s.settled();
    expect(notices()).toHaveLength(1);
  });

  it('for declining what a conversation asked for is told in its thread, once', async () => {
    const s = await talking();
    s.model.answers({ calls: [{ name: 'numbers_cancel', input: { PhoneNumbers: [{ Number: '+12015550103' }] } }] });
    const thread = await s.say('cancel 0103');
    await heard(s, thread, 'waits for an approver');
    const asked = await card(s.ws, C_APPROVALS);
    await decline(s, { user: U_LEAD, messageTs: asked.ts });
    await heard(s, thread, '🚫 Declined');
    await until(() => why(s).includes('sb_reason'), 'the window');
    await s.ws.submit({ user: U_LEAD, values: { sb_reason: 'She changed her mind' } });
    await heard(s, thread, 'She changed her mind');
    s.clock.skip(3 * 60_000);
    await s.settled();
    expect(answers(s, thread).filter((one) => shown(one).includes('She changed her mind'))).toHaveLength(1);
    expect(answers(s, thread).filter((one) => shown(one).includes('🚫 Declined'))).toHaveLength(2);
  });

  it('is saved once, for what is declined, and from the person who declined it', async () => {
    const s = await stage({ SLACK_APPROVERS: [U_LEAD, U_VIEW] });
    for (const last of [3, 4, 5]) {
      await s.type('/numbers', `cancel +1201555010${last}`);
      await until(() => cards(s.ws).length === last - 2, 'the card');
    }
    const asked = cards(s.ws).map(({ ts, blocks }) => ({
      ts,
      id: /act_[\w-]+/.exec(JSON.stringify(blocks))?.[0] ?? '',
    }));
    /** Declines one action, and sends a reason with the id of another one, as a forged window would. */
    const forged = async (user: string, one: number, other: number, reason: string) => {
      await s.ws.click({ user, messageTs: asked[one]?.ts ?? '', actionId: 'sb_decline' });
      await until(() => why(s, user).includes('sb_reason'), 'the window');
      const definition = s.ws.openViews(user).at(-1)?.definition ?? {};
      definition.private_metadata = String(definition.private_metadata).replace(/act_[\w-]+/, asked[other]?.id ?? '');
      await s.ws.submit({ user, values: { sb_reason: reason } });
    };
    const refusals = (user: string) =>
      whispers(s.ws, user).filter((one) => shown(one).includes('was not saved')).length;
    await forged(U_LEAD, 0, 1, 'Still waiting');
    await until(() => refusals(U_LEAD) === 1, 'the refusal for an action that waits');
    expect((await s.gate.actions.get(asked[1]?.id ?? ''))?.state).toBe('pending');
    await forged(U_VIEW, 1, 0, 'Of another person');
    await until(() => refusals(U_VIEW) === 1, 'the refusal for what another person declined');
    expect(await reasons(s)).toEqual([]);
    await forged(U_LEAD, 2, 0, 'First');
    await until(async () => (await reasons(s)).length === 1, 'the reason');
    expect(s.ws.openViews(U_LEAD)).toEqual([]);
    await s.type('/numbers', 'cancel +12015550106');
    await until(() => cards(s.ws).length === 4, 'the card');
    asked.push({ ts: cards(s.ws)[3]?.ts ?? '', id: '' });
    await forged(U_LEAD, 3, 0, 'Second');
    await until(() => refusals(U_LEAD) === 2, 'the refusal of a second reason');
    expect(await reasons(s)).toEqual(['explained: First']);
  });

  it('is not needed: the request is declined even if Slack does not open the window', async () => {
    const s = await stage();
    await s.type('/numbers', CANCEL);
    const { ts } = await card(s.ws);
    s.ws.fail('views.open', { error: 'expired_trigger_id' }, 1);
    await decline(s, { user: U_LEAD, messageTs: ts });
    await until(() => shown(s.ws.message(ts)).includes('🚫 Declined'), 'the decline');
    await whisper(s.ws, U_AGENT, 'Declined: ');
    expect(s.ws.openViews(U_LEAD)).toEqual([]);
    expect(await reasons(s)).toEqual([]);
  });

  it('is an optional field of the form, and asking again keeps it for its requester', async () => {
    const s = await stage();
    await s.type('/numbers', 'cancel form reason=moved');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    expect(JSON.stringify(s.ws.openViews(U_AGENT)[0]?.definition)).toContain('"initial_value":"moved"');
    await s.ws.submit({ user: U_AGENT, values: { PhoneNumbers: '+12015550103', sb_reason: 'Moved abroad' } });
    const { ts } = await card(s.ws);
    await decline(s, { user: U_LEAD, messageTs: ts });
    await until(() => shown(s.ws.message(ts)).includes('sb_again'), 'the button');
    await s.ws.click({ user: U_AGENT, messageTs: ts, actionId: 'sb_again' });
    await until(() => cards(s.ws).length === 2, 'the new card');
    expect(shown(cards(s.ws)[1])).toContain('Moved abroad');
  });
});

describe('taking a request back', () => {
  it('is one click on Withdraw, said by name, and only the requester can', async () => {
    const s = await stage();
    await s.type('/numbers', CANCEL);
    const { ts } = await card(s.ws);
    const own = await whisper(s.ws, U_AGENT, 'sb_withdraw');
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
    await s.ws.click({ user: U_AGENT, messageTs: own.ts, actionId: 'sb_withdraw' });
    await until(() => shown(s.ws.message(ts)).includes('🚫 Withdrawn'), 'the card');
    await until(() => shown(s.ws.message(own.ts)).includes('Nothing was sent.'), 'the message with the button');
    expect(shown(s.ws.message(own.ts))).not.toMatch(/sb_withdraw|waits for/);
    const withdrawn = shown(s.ws.message(ts));
    expect(withdrawn).toContain('Withdrawn by ');
    expect(withdrawn).not.toContain('Declined');
    expect(await s.requests(SUBMIT)).toEqual([]);
  });

  it('is said of a decline by its own requester, without a question why', async () => {
    const s = await stage();
    await s.type('/numbers', CANCEL, U_LEAD);
    const { ts } = await card(s.ws);
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_decline' });
    await until(() => shown(s.ws.message(ts)).includes('Withdrawn by '), 'the card');
    expect(s.ws.openViews(U_LEAD)).toEqual([]);
  });
});

describe('a cancellation', () => {
  it('asked twice says who asked and when, and is one row with its requester and decider', async () => {
    const s = await stage();
    await s.type('/numbers', CANCEL);
    const { ts } = await card(s.ws);
    await s.type('/numbers', CANCEL, U_LEAD);
    const second = shown(await whisper(s.ws, U_LEAD, 'asked for this at'));
    expect(second).toContain(`"user_id":"${U_AGENT}"`);
    expect(second).toContain('Open the card');
    expect(cards(s.ws)).toHaveLength(1);
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
    await until(() => shown(s.ws.message(ts)).includes('✅ Done'), 'the outcome');
    const done = shown(s.ws.message(ts));
    expect(done).toContain('"text":"Reactivate"');
    expect(done).toContain('"text":"Look up"');
    const before = whispers(s.ws, U_LEAD).length;
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_look_1' });
    await until(() => whispers(s.ws, U_LEAD).length > before, 'the lookup');
    const lookup = await whisper(s.ws, U_LEAD, 'Recent actions');
    const rows = /Recent actions.*/s.exec(shown(lookup))?.[0] ?? '';
    expect(rows.match(/asked by/g)).toHaveLength(1);
    expect(rows.indexOf(U_LEAD)).toBeLessThan(rows.indexOf(U_AGENT));
  });

  it('does not show its first stage alone as done', async () => {
    const s = await stage();
    await s.type('/numbers', 'cancel-order-request +12015550103');
    await whisper(s.ws, U_AGENT, 'Request a cancellation');
    await s.type('/number', '+12015550103');
    const lookup = shown(await whisper(s.ws, U_AGENT, 'Recent actions'));
    expect(lookup).toContain('nothing is cancelled yet');
    expect(lookup).not.toContain('stage 1)  done');
  });
});
