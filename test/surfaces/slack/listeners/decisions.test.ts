import { describe, expect, it } from 'vitest';
import { actorOf } from '../../../support/approval.ts';
import { TSUID } from '../../../support/seed.ts';
import { asked as askedBatch, leaving, phone, STATUS } from '../batching.ts';
import { C_APPROVALS, C_SUPPORT, U_AGENT, U_LEAD, U_VIEW } from '../ids.ts';
import { decline, type Stage, shown, stage, until } from '../support.ts';

/*
 * A press on a question that has ended is answered with the decider, the time and the outcome, without ids and
 * contradictions.
 */

const CANCEL = 'cancel +12015550103';
const UPDATE = 'update +12015550103 CnamFirstName=Bob';
const SUBMIT = '/numbers/cancel-order-submit';

/** Asks for a cancellation, and returns its card and its id. */
async function asked(s: Stage) {
  await s.type('/numbers', CANCEL);
  const { ts } = await s.card();
  return { card: ts, id: (await s.pending()).id };
}

const ENDS: [string, (s: Stage, card: string) => unknown, RegExp][] = [
  ['done', (s, card) => s.press(card, 'sb_confirm'), / done, confirmed by .*U000LEAD.*"date"/s],
  [
    'declined',
    (s, messageTs) => decline(s, { user: U_LEAD, messageTs }),
    / declined by .*U000LEAD.*"date".*Nothing was done/s,
  ],
  [
    'withdrawn',
    (s, card) => s.press(card, 'sb_withdraw', U_AGENT),
    / withdrawn by .*U000AGENT.*"date".*Nothing was done/s,
  ],
  ['expired', (s) => s.clock.skip(301_000), / expired, .*"date".*Nothing was done/s],
];

describe.each(ENDS)('a question that is %s', (state, end, says) => {
  it.each(['sb_confirm', 'sb_decline', 'sb_edit', 'sb_withdraw', 'sb_check'])(
    'answers %s with what happened',
    async (actionId) => {
      const s = await stage();
      const { card, id } = await asked(s);
      await end(s, card);
      await until(async () => (await s.gate.actions.get(id))?.state !== 'pending', `it is ${state}`);
      // No click tells the requester of this end.
      if (state === 'expired') expect(await s.told('Nobody decided in time')).toMatch(/"bold":true}},{[^}]*"\. "/);
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
    await s.type('/numbers', UPDATE);
    const own = await s.whisper('sb_confirm');
    await s.home();
    const { id, actorId } = await s.pending();
    await s.control('faults', { path: '/v1.0/numbers/update', times: 1, hangMs: 300 });
    const writer = actorOf(actorId, { role: 'operator', surface: 'slack' });
    if (when.includes('form')) {
      await s.opens(own, 'sb_edit');
      await s.ws.closeView({ user: U_AGENT });
    }
    // Another process holds no address at which Slack takes the place of the question.
    const isAgain = when.includes('restart');
    const { gate } = isAgain ? await s.again() : s;
    const blocks = structuredClone(own.blocks);
    const sent = gate.confirm(id, writer, 'slack');
    if (!isAgain) {
      // A press that was on its way adds no message.
      Object.assign(await s.whisper('Running: '), { blocks });
      await s.ws.click({ user: U_AGENT, messageTs: own.ts, actionId: 'sb_withdraw' });
    }
    await sent;
    if (isAgain) await s.press(own, 'sb_confirm', U_AGENT);
    const ended = await s.whisper('Done: ');
    expect(ended.ts).toBe(own.ts);
    expect(s.whispered()).not.toMatch(/sb_confirm|Nothing has been sent|is running now/);
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
    const waiting = () =>
      [C_SUPPORT, C_APPROVALS].flatMap((channel) =>
        s.ws.messages(channel).filter((one) => /sb_confirm|Nothing has been sent/.test(shown(one))),
      );
    await s.type('/numbers', UPDATE);
    const first = await s.whisper('sb_confirm');
    s.ws.state.channels.get(again.channel)?.members.add(U_AGENT);
    await s.type('/numbers', UPDATE, U_AGENT, again.channel);
    const newer = await s.whisper('It was not asked a second time', U_AGENT, again.channel);
    expect(newer.ts).not.toBe(first.ts);
    expect(waiting()).toEqual([newer]);
    const lead = actorOf('slack:T/U', { surface: 'slack' });
    if (again.decided === 'elsewhere') await s.gate.confirm((await s.pending()).id, lead, 'slack');
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
  await s.press(question.card, 'sb_confirm', U_AGENT);
  expect(shown(await s.whisper('You asked for this yourself'))).toContain('CONFIRM_TWO_PERSON');
  await s.opens(question.card, 'sb_edit');
  await s.press(question.card, 'sb_confirm');
  await until(async () => (await moved.gate.actions.get(question.id))?.state === 'done', 'the yes of another person');
  const { person, decidedPerson } = (await moved.gate.actions.get(question.id)) ?? {};
  expect([person, decidedPerson]).toEqual([`slack:T000DEMO/${U_AGENT}`, `slack:T000DEMO/${U_LEAD}`]);
});

/** What a person does at first, and the press that would decide; who they are, and the request that it would send. */
const PRESSES: [what: string, (s: Stage) => Promise<() => Promise<unknown>>, user: string, sends: string][] = [
  [
    'a press on the button',
    async (s) => {
      const { card } = await asked(s);
      return () => s.press(card, 'sb_confirm');
    },
    U_LEAD,
    SUBMIT,
  ],
  [
    'a sent form of an own change',
    async (s) => {
      await s.form('/numbers', 'update +12015550104 form');
      return () => s.ws.submit({ user: U_AGENT, values: { CnamFirstName: 'Zed' } });
    },
    U_AGENT,
    'numbers/update',
  ],
  [
    'a decline whose window is open',
    async (s) => {
      await s.opens((await asked(s)).card, 'sb_decline', U_LEAD);
      return () => s.ws.submit({ user: U_LEAD, values: {} });
    },
    U_LEAD,
    SUBMIT,
  ],
  [
    'rows that are left out of a batch',
    async (s) => {
      await s.opens(await askedBatch(s, [1, 3].map(phone).join('\n')), 'sb_leave', U_LEAD);
      return () => s.ws.submit({ user: U_LEAD, values: leaving('1') });
    },
    U_LEAD,
    STATUS,
  ],
];

it.each(PRESSES)('decides nothing who was taken off the group before: %s', async (_what, opens, user, sends) => {
  const s = await stage({ SLACK_VIEWERS: ['*'] });
  // Their roles are known from what they did before.
  await s.type('/number', '+12015550101', U_LEAD);
  const press = await opens(s);
  const waiting = async () => (await s.gate.actions.list({ states: ['pending'] })).map(({ id }) => id);
  const before = await waiting();
  s.dismiss();
  const answer = JSON.stringify(await press());
  const isRefused = () => `${answer}${s.whispered(user)}`.includes('This needs the role');
  await until(isRefused, 'the refusal');
  await s.quiet();
  expect([await waiting(), await s.requests(sends)]).toEqual([before, []]);
});

it('a window that asks shows the end when it is pressed later, and when a window over it is sent later', async () => {
  for (const over of [false, true]) {
    const s = await stage();
    const { card, id } = await asked(s);
    await s.pressOld(card, 'sb_everything', id);
    expect(await s.opened(U_LEAD, 'sb_confirm')).toContain('waits until');
    if (over) await s.opens('view', 'sb_decline', U_LEAD, 'sb_reason');
    await s.press(card, 'sb_withdraw', U_AGENT);
    await (over ? s.ws.submit({ user: U_LEAD }) : s.press('view', 'sb_confirm'));
    expect(await s.opened(U_LEAD, 'Withdrawn')).not.toMatch(/sb_confirm|waits until/);
  }
});

it('an own question that another operator asks for too ends in the messages of both', async () => {
  const s = await stage();
  const { FilterId } = s.sandbox.perform('/v1.0/subscribers/call-filter', {
    ...{ SubscriberId: TSUID, Phone: '+12015550103', FilterMode: 'BLACKLIST' },
    ...{ BlockedNumbers: ['+12015550199'], ApplyToInbound: true },
  });
  const update = `call filter update FilterId=${FilterId} ApplyToOutbound=true`;
  await s.type('/subscribers', update);
  const mine = await s.whisper('Change the call filter');
  await s.type('/subscribers', update, U_LEAD);
  await s.whisper('It was not asked a second time', U_LEAD);
  await s.press(mine, 'sb_confirm', U_AGENT);
  await s.quiet();
  for (const user of [U_AGENT, U_LEAD]) {
    const said = s.whispered(user);
    expect(said).toContain('Done, no effect yet: Change the call filter');
    expect(said).not.toMatch(/sb_confirm|Nothing has been sent/);
  }
});

it('an edit that is sent after the yes of another person says who confirmed the question and when, and keeps what was typed', async () => {
  const s = await stage();
  await s.type('/numbers', UPDATE);
  await s.opens(await s.whisper('sb_edit'), 'sb_edit');
  await s.gate.confirm((await s.pending()).id, actorOf(`slack:T/${U_LEAD}`, { surface: 'slack' }), 'slack');
  // Slack may not let the question be edited, and its requester did not decide it.
  await until(() => s.direct().includes(`confirmed by <@${U_LEAD}>`), 'the outcome in a direct message');
  await s.sends({ CnamFirstName: 'Robert' });
  const answer = shown(await s.whisper('Your edit was not sent.'));
  expect(answer).toMatch(/ done, confirmed by .*U000LEAD.*"date"/s);
  expect(answer).not.toMatch(/slack:|: not done/);
  expect(answer).toContain('sb_fill');
  expect(await s.requests('/numbers/update')).toHaveLength(1);
});

/* Reasons for asking and for declining, and withdrawals: on cards, in messages, in the audit trail. */

it('the reason of the requester is on the card, of who declines in the answer, and both in the audit trail', async () => {
  const s = await stage();
  await s.type('/numbers', `${CANCEL} reason="Moved  to <!here>"`);
  const asked = await s.card();
  expect(shown(asked)).toMatch(/Reason given.*Moved to @here/s);
  expect(await s.opens(asked, 'sb_decline', U_LEAD, 'sb_reason')).toContain(`"user_id":"${U_AGENT}"`);
  // Nothing is declined before the window is sent.
  await s.pending();
  await s.ws.submit({ user: U_LEAD, values: { sb_reason: 'She changed her mind' } });
  const reply = await s.told('She changed her mind');
  expect(reply).toMatch(new RegExp(`"user_id":"${U_AGENT}".*Declined: `));
  const declined = await s.says(asked, 'She changed her mind');
  expect(declined).toContain('Declined by');
  expect(declined).toContain('sb_again');
  await s.settled();
  expect(s.ws.messages(C_SUPPORT, { visibleTo: U_AGENT })).toHaveLength(2);
  const reasons = (await s.gate.actions.audit()).filter(({ reason }) => reason !== null);
  expect(reasons.map(({ what, reason }) => `${what}: ${reason}`).sort()).toEqual([
    'asked: Moved to @here',
    'declined: She changed her mind',
  ]);
  expect(await s.requests(SUBMIT)).toEqual([]);
});

it('taking a request back is one click on Withdraw, said by name, and only the requester can', async () => {
  const s = await stage();
  await s.type('/numbers', CANCEL);
  const { ts } = await s.card();
  const { id } = await s.pending();
  // A forged click of another person changes nothing.
  await s.type('/number', '+12015550101', U_VIEW);
  await s.pressOld(await s.whisper('"type":"header"', U_VIEW), 'sb_withdraw', id, U_VIEW);
  expect((await s.pending()).id).toBe(id);
  await s.press(ts, 'sb_withdraw', U_AGENT);
  expect(await s.says(ts, 'Withdrawn by ')).not.toContain('Declined');
  expect(await s.requests(SUBMIT)).toEqual([]);
});

/* "Ask again" on a card whose action expired or failed. */

const REACTIVATE = 'reactivate +12015550107 AccountId=AID-00000000-0000-4000-8000-000000000001';
const REACTIVATED = '/numbers/reactivate';

it('an expired card asks the same again once for a double click, and for clicks by two people in two processes', async () => {
  const s = await stage();
  await s.type('/numbers', REACTIVATE);
  const { ts } = await s.card();
  await s.card(C_APPROVALS);
  s.clock.skip(301_000);
  await s.gate.refresh((await s.pending()).id);
  await s.says(ts, 'sb_again');
  await s.again();
  await Promise.all([U_LEAD, U_AGENT, U_LEAD].map((user) => s.press(ts, 'sb_again', user)));
  expect(await s.says(ts, 'Asked again')).not.toContain('sb_again');
  await s.settled();
  expect(await s.gate.actions.list({})).toHaveLength(2);
  const [, next, ...more] = s.cards();
  expect(more).toEqual([]);
  expect(shown(next)).toMatch(/Reactivate \+12015550107.*Asked by <@U000(LEAD|AGENT)>/s);
  expect(await s.requests(REACTIVATED)).toEqual([]);
  await s.press(next, 'sb_confirm');
  await s.says(next, '✅ Done');
  expect(await s.requests(REACTIVATED)).toHaveLength(1);
});

it('a failed card is not offered where it may have been done', async () => {
  const s = await stage();
  await s.control('faults', { path: '/v1.0/numbers/reactivate', times: 1, dropAfterCommit: true });
  await s.type('/numbers', REACTIVATE);
  expect(await s.says(await s.confirm(), /sb_wasDone|✅ Done/)).not.toMatch(/sb_again|sb_edit/);
});
