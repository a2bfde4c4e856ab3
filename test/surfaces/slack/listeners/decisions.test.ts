import { describe, expect, it } from 'vitest';
import { enterAll } from '../../../../src/demo/playground/forms.ts';
import type { Message } from '../../../../src/demo/playground/types.ts';
import { actorOf } from '../../../support/approval.ts';
import { asked as askedBatch, phone, STATUS } from '../batching.ts';
import {
  C_APPROVALS,
  C_SUPPORT,
  decline,
  S_APPROVERS,
  S_OPERATORS,
  type Stage,
  shown,
  stage,
  U_AGENT,
  U_LEAD,
  U_VIEW,
  until,
} from '../support.ts';

/*
 * A press on a question that has ended is answered with the decider, the time and the outcome, without ids and
 * contradictions.
 */

const CANCEL = 'cancel +12015550103';

/** Asks for a cancellation, and returns its card and its id. */
async function asked(s: Stage) {
  await s.type('/numbers', CANCEL);
  const { ts } = await s.card();
  return { card: ts, id: (await s.pending()).id };
}

const ENDS: [string, (s: Stage, card: string) => unknown, RegExp][] = [
  ['done', (s, card) => s.press(card, 'sb_confirm'), /was already confirmed by .*U000LEAD.*"date".*Done/s],
  [
    'declined',
    (s, messageTs) => decline(s, { user: U_LEAD, messageTs }),
    /was already declined by .*U000LEAD.*"date".*Nothing was done/s,
  ],
  [
    'withdrawn',
    (s, card) => s.press(card, 'sb_withdraw', U_AGENT),
    /was already withdrawn by .*U000AGENT.*"date".*Nothing was done/s,
  ],
  ['expired', (s) => s.clock.skip(301_000), /expired at .*"date".*nobody had said yes.*Nothing was done/s],
];

describe.each(ENDS)('a question that is %s', (state, end, says) => {
  it.each(['sb_confirm', 'sb_decline', 'sb_edit', 'sb_withdraw', 'sb_check'])(
    'answers %s with what happened',
    async (actionId) => {
      const s = await stage();
      const { card, id } = await asked(s);
      await end(s, card);
      await until(async () => (await s.gate.actions.list({ states: ['pending'] })).length === 0, `it is ${state}`);
      // No click tells the requester of this end.
      if (state === 'expired') await s.told('Nobody decided in time');
      const isOwn = actionId === 'sb_edit' || actionId === 'sb_withdraw';
      const [answer, ...more] = await s.pressOld(card, actionId, id, isOwn ? U_AGENT : U_LEAD);
      expect(more).toEqual([]);
      expect(answer).toMatch(says);
      expect(answer).toContain('Cancel +12015550103');
      expect(answer).not.toMatch(/act_|slack:|not done|it was not/i);
      expect(s.ws.openViews(U_AGENT)).toEqual([]);
    },
  );
});

it.each(['by itself', 'after its form was opened and closed', 'at a press after a restart'])(
  'an own question that was applied in another place shows its outcome, without buttons to decide: %s',
  async (when) => {
    const s = await stage();
    await s.type('/numbers', 'update +12015550103 CnamFirstName=Bob', U_AGENT);
    const own = await s.whisper('sb_confirm');
    await s.home();
    const [action] = await s.gate.actions.list({ states: ['pending'] });
    const writer = actorOf(action?.actorId ?? '', { role: 'operator', surface: 'slack' });
    if (when.includes('form')) {
      await s.opens(own, 'sb_edit');
      await s.ws.closeView({ user: U_AGENT });
    }
    // Another process holds no address at which Slack takes the place of the question.
    const isAgain = when.includes('restart');
    const { gate } = isAgain ? await s.again() : s;
    await gate.confirm(action?.id ?? '', writer, 'slack');
    if (isAgain) await s.press(own, 'sb_confirm', U_AGENT);
    const ended = await s.whisper('Done: ');
    expect(ended.ts).toBe(own.ts);
    expect(s.whispered()).not.toMatch(/sb_confirm|Nothing has been sent/);
    expect(await s.requests('/numbers/update')).toHaveLength(1);
  },
);

it.each([
  { place: 'in its channel', channel: C_SUPPORT, decided: 'newer' },
  { place: 'in its channel', channel: C_SUPPORT, decided: 'elsewhere' },
  { place: 'in another channel', channel: C_APPROVALS, decided: 'newer' },
])(
  'an own question that is asked again $place stands once, and nothing waits after its end ($decided)',
  async (again) => {
    const s = await stage();
    const update = 'update +12015550103 CnamFirstName=Bob';
    const waiting = () =>
      [...s.ws.messages(C_SUPPORT), ...s.ws.messages(C_APPROVALS)].filter((one) =>
        /sb_confirm|Nothing has been sent/.test(shown(one)),
      );
    await s.type('/numbers', update);
    const first = await s.whisper('sb_confirm');
    s.ws.state.channels.get(again.channel)?.members.add(U_AGENT);
    await s.type('/numbers', update, U_AGENT, again.channel);
    const newer = await s.whisper('It was not asked a second time', U_AGENT, again.channel);
    expect(newer.ts).not.toBe(first.ts);
    expect(waiting()).toEqual([newer]);
    const [action] = await s.gate.actions.list({ states: ['pending'] });
    const lead = actorOf('slack:T/U', { surface: 'slack' });
    if (again.decided === 'elsewhere') await s.gate.confirm(action?.id ?? '', lead, 'slack');
    else await s.press(newer, 'sb_confirm', U_AGENT);
    await s.quiet();
    expect(waiting()).toEqual([]);
    expect(await s.requests('/numbers/update')).toHaveLength(1);
  },
);

it('a question for two persons stays one after the workspace joined an organization, and its requester’s own', async () => {
  const settings = { CONFIRM_TWO_PERSON: true, SLACK_APPROVERS: [U_AGENT, U_LEAD] };
  const s = await stage(settings);
  const question = await asked(s);
  await s.slack.close();
  s.ws.state.team.enterprise = 'E000ORG';
  const moved = await s.again(settings);
  const press = (user: string) => s.ws.click({ user, messageTs: question.card, actionId: 'sb_confirm' });
  await press(U_AGENT);
  expect(shown(await s.whisper('You asked for this yourself'))).toContain('CONFIRM_TWO_PERSON');
  await s.opens(question.card, 'sb_edit');
  await press(U_LEAD);
  await until(async () => (await moved.gate.actions.get(question.id))?.state === 'done', 'the yes of another person');
  const { person, decidedPerson } = (await moved.gate.actions.get(question.id)) ?? {};
  expect([person, decidedPerson]).toEqual([`slack:T000DEMO/${U_AGENT}`, `slack:T000DEMO/${U_LEAD}`]);
});

it.each<[string, (s: Stage) => Promise<{ press: () => Promise<unknown>; user: string; sends: string }>]>([
  [
    'a press on the button',
    async (s) => {
      const { card } = await asked(s);
      const click = { user: U_LEAD, messageTs: card, actionId: 'sb_confirm' };
      return { press: () => s.ws.click(click), user: U_LEAD, sends: 'cancel-order-submit' };
    },
  ],
  [
    'a sent form of an own change',
    async (s) => {
      await s.form('/numbers', 'update +12015550104 form');
      const form = { user: U_AGENT, values: { CnamFirstName: 'Zed' } };
      return { press: () => s.ws.submit(form), user: U_AGENT, sends: 'numbers/update' };
    },
  ],
  [
    'a decline whose window is open',
    async (s) => {
      const { card } = await asked(s);
      await s.opens(card, 'sb_decline', U_LEAD);
      return { press: () => s.ws.submit({ user: U_LEAD, values: {} }), user: U_LEAD, sends: 'cancel-order-submit' };
    },
  ],
  [
    'rows that are left out of a batch',
    async (s) => {
      const { ts } = await askedBatch(s, [1, 3].map(phone).join('\n'));
      await s.opens(ts, 'sb_leave', U_LEAD);
      const selected_options = [{ text: { type: 'plain_text', text: 'x' }, value: '1' }];
      const values = { batch_leave: { type: 'multi_static_select', selected_options } };
      return { press: () => s.ws.submit({ user: U_LEAD, values }), user: U_LEAD, sends: STATUS };
    },
  ],
])('decides nothing who was taken off the group before: %s', async (_what, opens) => {
  const s = await stage({ SLACK_VIEWERS: ['*'] });
  // Their roles are known from what they did before.
  await s.type('/number', '+12015550101', U_LEAD);
  const { press, user, sends } = await opens(s);
  const waiting = async () => (await s.gate.actions.list({ states: ['pending'] })).map(({ id }) => id);
  const before = await waiting();
  for (const id of [S_APPROVERS, S_OPERATORS]) s.ws.state.groups.get(id)?.users.splice(0);
  s.clock.skip(10_000);
  const answer = JSON.stringify(await press());
  const isRefused = () => `${answer}${s.whispered(user)}`.includes('This needs the role');
  await until(isRefused, 'the refusal');
  await s.quiet();
  expect([await waiting(), await s.requests(sends)]).toEqual([before, []]);
});

it('an own question that another operator asks for too ends in the messages of both', async () => {
  const s = await stage();
  const press = async (user: string, says: string) =>
    s.ws.click({ user, messageTs: (await s.whisper(says, user)).ts, actionId: 'sb_confirm' });
  await s.type(
    '/subscribers',
    'call filter create TSUID-00000000-0000-4000-8000-000000000001 Phone=+12015550103 FilterMode=BLACKLIST BlockedNumbers=+12015550199 ApplyToInbound=true',
  );
  await press(U_AGENT, 'sb_confirm');
  await s.quiet();
  const [, id] = /(CFID-[\w-]+)/.exec(JSON.stringify(await s.control('state'))) ?? [];
  const update = `call filter update FilterId=${id} ApplyToOutbound=true`;
  await s.type('/subscribers', update);
  await s.whisper('Change the call filter');
  await s.type('/subscribers', update, U_LEAD);
  await s.whisper('It was not asked a second time', U_LEAD);
  await press(U_AGENT, 'Change the call filter');
  await s.quiet();
  for (const user of [U_AGENT, U_LEAD]) {
    const said = s.whispers(user).map(shown).join();
    expect(said).toContain('Done, no effect yet: Change the call filter');
    expect(said).not.toMatch(/sb_confirm|Nothing has been sent/);
  }
});

describe('an edit that is sent after the yes of another person', () => {
  it('says that it was not sent, who confirmed the question and when, and keeps what was typed', async () => {
    const s = await stage();
    await s.type('/numbers', 'update +12015550103 CnamFirstName=Bob', U_AGENT);
    await s.opens(await s.whisper('sb_edit'), 'sb_edit');
    const [action] = await s.gate.actions.list({ states: ['pending'] });
    await s.gate.confirm(action?.id ?? '', actorOf(`slack:T/${U_LEAD}`, { surface: 'slack' }), 'slack');
    // Slack may not let the question be edited, and its requester did not decide it.
    const direct = () => s.ws.messages(s.ws.state.im(U_AGENT).id).map(shown).join();
    await until(() => direct().includes(`confirmed by <@${U_LEAD}>`), 'the outcome in a direct message');
    const view = s.ws.openViews(U_AGENT).at(-1);
    if (view) enterAll(view, { CnamFirstName: 'Robert' });
    await s.ws.submit({ user: U_AGENT });
    const answer = shown(await s.whisper('Your edit was not sent.'));
    expect(answer).toMatch(/was already confirmed by .*U000LEAD.*"date".*Done/s);
    expect(answer).not.toMatch(/slack:|: not done/);
    expect(answer).toContain('sb_form');
    expect(await s.requests('/numbers/update')).toHaveLength(1);
  });
});

/* Reasons for asking and for declining, and withdrawals: on cards, in messages, in the audit trail. */

const SUBMIT = '/numbers/cancel-order-submit';
const why = (s: Stage, user: string = U_LEAD) => JSON.stringify(s.ws.openViews(user).at(-1)?.definition ?? '');

const reasons = async (s: Stage) =>
  (await s.gate.actions.audit()).flatMap(({ what, reason }) => (reason === null ? [] : [`${what}: ${reason}`])).sort();

describe('a reason', () => {
  it('of the requester is on the card, of who declines in the answer, and both in the audit trail', async () => {
    const s = await stage();
    await s.type('/numbers', `${CANCEL} reason="Moved  to <!here>"`);
    const asked = await s.card();
    expect(shown(asked)).toContain('Reason given');
    expect(shown(asked)).toContain('Moved to @here');
    await s.press(asked, 'sb_decline');
    await until(() => why(s).includes('sb_reason'), 'the window');
    expect(why(s)).toContain(`"user_id":"${U_AGENT}"`);
    // Nothing is declined before the window is sent.
    expect((await s.gate.actions.list({ states: ['pending'] })).length).toBe(1);
    await s.ws.submit({ user: U_LEAD, values: { sb_reason: 'She changed her mind' } });
    const reply = await s.told('She changed her mind');
    await s.says(asked.ts, 'She changed her mind');
    expect(reply).toMatch(new RegExp(`"user_id":"${U_AGENT}".*Declined: `));
    await s.settled();
    expect(s.ws.messages(C_SUPPORT, { visibleTo: U_AGENT })).toHaveLength(2);
    const declined = s.shows(asked.ts);
    expect(declined).toContain('Declined by');
    expect(declined).toContain('She changed her mind');
    expect(declined).toContain('sb_again');
    expect(await reasons(s)).toEqual(['asked: Moved to @here', 'declined: She changed her mind']);
    expect(await s.requests(SUBMIT)).toEqual([]);
  });
});

it('taking a request back is one click on Withdraw, said by name, and only the requester can', async () => {
  const s = await stage();
  await s.type('/numbers', CANCEL);
  const { ts } = await s.card();
  const [action] = await s.gate.actions.list({ states: ['pending'] });
  // A forged click of another person changes nothing.
  await s.type('/number', '+12015550101', U_VIEW);
  const seen = await s.whisper('"type":"header"', U_VIEW);
  const forged = {
    type: 'button',
    action_id: 'sb_withdraw',
    text: { type: 'plain_text', text: 'x' },
    value: action?.id,
  };
  seen.blocks.push({ type: 'actions', block_id: 'forged', elements: [forged] });
  await s.press(seen, 'sb_withdraw', U_VIEW);
  await s.settled();
  expect((await s.gate.actions.get(action?.id ?? ''))?.state).toBe('pending');
  await s.press(ts, 'sb_withdraw', U_AGENT);
  await s.says(ts, '🚫 Withdrawn');
  const withdrawn = s.shows(ts);
  expect(withdrawn).toContain('Withdrawn by ');
  expect(withdrawn).not.toContain('Declined');
  expect(await s.requests(SUBMIT)).toEqual([]);
});

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
  const { ts } = await s.card();
  const told = () => s.ws.messages(C_APPROVALS).some((one) => !one.ephemeralTo);
  await until(told, 'the message to approvers');
  s.clock.skip(301_000);
  for (const { id } of await questions(s)) await s.gate.refresh(id);
  await until(() => offers(s.ws.message(ts)), 'the button');
  return { s, ts };
}

describe('an expired card', () => {
  it('asks the same again for whoever clicks, and sends nothing', async () => {
    const { s, ts } = await expired();
    await again(s, U_LEAD, ts);
    await until(() => s.cards().length === 2, 'the new card');
    const [, next] = s.cards();
    expect(shown(next)).toContain('Reactivate +12015550107');
    expect(shown(next)).toContain(`Asked by <@${U_LEAD}>`);
    expect(await s.requests(REACTIVATED)).toEqual([]);
    await s.says(ts, 'Asked again');
    expect(offers(s.ws.message(ts))).toBe(false);
    await s.press(next, 'sb_confirm');
    await s.says(next, '✅ Done');
    expect(await s.requests(REACTIVATED)).toHaveLength(1);
  });

  it('makes one new action of a double click, and of clicks by two people in two processes', async () => {
    const { s, ts } = await expired();
    await s.again();
    await Promise.all([again(s, U_AGENT, ts), again(s, U_LEAD, ts), again(s, U_AGENT, ts)]);
    await s.says(ts, 'Asked again');
    await s.settled();
    expect(await questions(s)).toHaveLength(2);
    expect(s.cards()).toHaveLength(2);
  });
});

it('a failed card is not offered where it may have been done', async () => {
  const s = await stage();
  await s.type('/numbers', REACTIVATE);
  const { ts } = await s.card();
  await decline(s, { user: U_LEAD, messageTs: ts });
  await until(() => offers(s.ws.message(ts)), 'a declined card offers it');
  await s.control('faults', { path: '/v1.0/numbers/reactivate', times: 1, dropAfterCommit: true });
  await s.type('/numbers', REACTIVATE);
  await until(() => s.cards().length === 2, 'the other card');
  const other = s.cards()[1]?.ts ?? '';
  await s.press(other, 'sb_confirm');
  await s.says(other, /sb_wasDone|✅ Done/);
  expect(offers(s.ws.message(other))).toBe(false);
});
