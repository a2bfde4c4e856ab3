import { describe, expect, it } from 'vitest';
import type { User } from '../../../../src/demo/playground/types.ts';
import { S_APPROVERS, U_LEAD } from '../ids.ts';
import { type Stage, shown, stage, until } from '../support.ts';

/* A question for approvers is sent only to people whom Slack's profile shows to be approvers of this workspace. */

const DIRECT = { SLACK_APPROVALS_CHANNEL: undefined };
const U_TEMP = 'U000TEMP';
const TEXT = 'A private text for the customer';
const SEND = `outbound To=+12015550199 From=+12015550101 Body="${TEXT}"`;

const OUTSIDERS: readonly [what: string, change: Partial<User>][] = [
  ['a person of another organization', { teamId: 'T999OTHER' }],
  ['a guest', { isGuest: true }],
  ['a bot', { isBot: true }],
  ['a deactivated person', { deleted: true }],
];

/** One more member of the workspace and of the group of approvers. */
function joins(s: Stage, change: Partial<User>): void {
  const lee = s.ws.state.users.get(U_LEAD);
  const group = s.ws.state.groups.get(S_APPROVERS);
  if (!lee || !group) throw new Error('nobody to copy');
  s.ws.state.users.set(U_TEMP, { ...lee, id: U_TEMP, name: 'tom', ...change });
  group.users.unshift(U_TEMP);
}

describe('a question', () => {
  it.each(OUTSIDERS)('is not sent to %s in the group of approvers', async (_what, change) => {
    const s = await stage(DIRECT, { start: false });
    joins(s, change);
    await s.slack.start();
    await s.type('/message', SEND);
    await until(() => s.direct(U_LEAD).includes(TEXT), 'the message to the other approver');
    await s.settled();
    expect(s.ws.messages(`D${U_TEMP.slice(1)}`)).toEqual([]);
    expect(s.logged.filter((line) => line.includes(U_TEMP) && line.startsWith('warn'))).toHaveLength(1);
    const { ts } = await s.card();
    expect(await s.says(ts, '"Asked:"')).not.toContain(U_TEMP);
    // Who was told decides there.
    const [told] = s.ws.messages(s.ws.state.im(U_LEAD).id);
    await s.press(told, 'sb_confirm');
    await s.says(told, '✅ Done');
  });

  it('is not sent while Slack does not return the profile, which the card says, and later it is', async () => {
    const s = await stage(DIRECT);
    await s.type('/numbers', 'inventory');
    await s.settled();
    s.ws.fail('users.info', { error: 'not_now' }, 1_000);
    await s.type('/message', SEND);
    const { ts } = await s.card();
    await s.says(ts, 'does not return their profiles');
    expect(s.direct(U_LEAD)).toBe('');
    expect(s.logged.join('\n')).toMatch(/warn Slack does not say whether a person has a role/);
    s.ws.clearFaults();
    await until(() => {
      s.clock.skip(2_000);
      return s.direct(U_LEAD).includes(TEXT);
    }, 'the message to the approver');
  });

  it('is taken out of the message of a person who is no approver any more', async () => {
    const s = await stage(DIRECT);
    await s.type('/message', SEND);
    await until(() => s.direct(U_LEAD).includes(TEXT), 'the message');
    await s.settled();
    const lee = s.ws.state.users.get(U_LEAD);
    if (lee) lee.isGuest = true;
    // Roles are kept for ten minutes at most, and the question expires before.
    s.clock.skip(601_000);
    for (const { id } of await s.gate.actions.list({})) await s.gate.refresh(id);
    await until(() => s.direct(U_LEAD).includes('not an approver any more'), 'the update');
    expect(s.direct(U_LEAD)).not.toContain(TEXT);
  });
});

it('an approver whose profile Slack does not return confirms nothing', async () => {
  const s = await stage({ SLACK_APPROVERS: [U_LEAD] });
  await s.type('/message', SEND);
  const { ts } = await s.card();
  s.ws.fail('users.info', { error: 'not_now' }, 1_000);
  await s.press(ts, 'sb_confirm');
  const refusal = shown(await s.whisper('your role cannot be checked', U_LEAD));
  expect(refusal).toContain('The question goes on waiting');
  expect(refusal).not.toMatch(/you have|needs the role/);
  await s.settled();
  expect((await s.gate.actions.list({}))[0]?.state).toBe('pending');
  expect(await s.requests('/message/outbound')).toEqual([]);
});
