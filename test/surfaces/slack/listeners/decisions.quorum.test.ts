import { expect, it } from 'vitest';
import { C_APPROVALS, card, shown, stage, U_LEAD, U_VIEW, until } from '../support.ts';

/* Two approvers in Slack for what takes service away (CONFIRM_QUORUM). */

const SUBMIT = '/numbers/cancel-order-submit';
const OPTIONS = { env: { CONFIRM_QUORUM: 'destroy:2' } };
const SETTINGS = { SLACK_APPROVERS: [U_LEAD, U_VIEW] };

it('two approvers click: the first is on every card, the second sends it', async () => {
  const s = await stage(SETTINGS, OPTIONS);
  await s.type('/numbers', 'cancel +12015550103');
  const { ts } = await card(s.ws);
  const channel = () => s.ws.messages(C_APPROVALS).filter((one) => !one.ephemeralTo);
  await until(() => channel().length === 1, 'the message to approvers');
  const told = channel()[0]?.ts ?? '';
  const both = (text: string) => [ts, told].every((one) => shown(s.ws.message(one)).includes(text));
  expect(both('0 of 2: ')).toBe(true);

  await s.ws.click({ user: U_LEAD, messageTs: told, actionId: 'sb_confirm' });
  await until(() => both('1 of 2: '), 'the first yes on both cards');
  expect(both(' said yes at ')).toBe(true);
  expect(both(`"user_id":"${U_LEAD}"`)).toBe(true);
  expect(await s.requests(SUBMIT)).toEqual([]);
  const answers = (user: string) =>
    s.ws.messages(C_APPROVALS, { visibleTo: user }).filter((one) => one.ephemeralTo === user);
  await until(() => answers(U_LEAD).some((one) => shown(one).includes('Your yes is recorded (1 of 2)')), 'the answer');

  await s.ws.click({ user: U_LEAD, messageTs: told, actionId: 'sb_confirm' });
  await until(
    () => answers(U_LEAD).some((one) => shown(one).includes('another approver must confirm it too')),
    'the no',
  );
  expect(await s.requests(SUBMIT)).toEqual([]);

  await s.ws.click({ user: U_VIEW, messageTs: told, actionId: 'sb_confirm' });
  await until(() => both('✅ Done'), 'the outcome on both');
  expect(both(`confirmed by <@${U_LEAD}> and <@${U_VIEW}>`)).toBe(true);
  expect(await s.requests(SUBMIT)).toHaveLength(1);
});

it('an approver’s Home has what still needs their yes, the oldest first', async () => {
  const s = await stage(SETTINGS, OPTIONS);
  await s.type('/numbers', 'cancel +12015550103');
  const { ts } = await card(s.ws);
  s.clock.skip(60_000);
  await s.type('/numbers', 'reactivate +12015550107');
  await until(async () => (await s.gate.actions.list({ states: ['pending'] })).length === 2, 'the second question');
  const home = async (user: string) => {
    await s.ws.openHome({ user });
    await until(() => s.ws.home(user) !== undefined, 'the Home');
    return JSON.stringify(s.ws.home(user)?.definition);
  };
  const before = await home(U_VIEW);
  expect(before.indexOf('0103')).toBeGreaterThan(0);
  expect(before.indexOf('0103')).toBeLessThan(before.indexOf('0107'));
  // A yes changes the action, which stays the oldest.
  await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
  await until(async () => (await home(U_VIEW)).includes('1 of 2: '), 'the yes');
  const after = await home(U_VIEW);
  expect(after.indexOf('0103')).toBeLessThan(after.indexOf('0107'));
  const waiting = (text: string) => text.split('Your recent actions')[0];
  expect(waiting(await home(U_LEAD))).not.toContain('0103');
});
