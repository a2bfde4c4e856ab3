import { expect, it } from 'vitest';
import { loadConfig } from '../../../../src/lib/config.ts';
import { SlackRefusal, type WebApi } from '../../../../src/surfaces/slack/api/web.ts';
import { Roles } from '../../../../src/surfaces/slack/people/roles.ts';
import { FakeClock } from '../../../support/clock.ts';

/* Whether somebody is still an operator, without a request of theirs. */

const ANN = 'slack:T1/U1';
const IS_ANN = { name: 'ann', zone: undefined, team: 'T1', enterprise: undefined, stranger: false, outsider: false };

interface Case {
  ours?: { team: string; user: string; enterprise?: string };
  person?: () => Promise<object>;
  SLACK_VIEWERS?: string;
}

function open({ ours = { team: 'T1', user: 'UBOT' }, person = async () => IS_ANN, SLACK_VIEWERS = '*' }: Case = {}) {
  const clock = new FakeClock();
  const group = { members: ['U1'] as string[] | undefined, asked: 0 };
  const web = {
    identity: async () => ours,
    person,
    groupMembers: async () => {
      group.asked += 1;
      if (group.members === undefined) throw new SlackRefusal('usergroups.users.list', 'ratelimited');
      return group.members;
    },
  } as unknown as WebApi;
  const config = loadConfig({ LOG_LEVEL: 'silent', SLACK_OPERATORS: 'S1', SLACK_VIEWERS });
  const roles = new Roles({ config: config as never, web, clock, log: () => undefined });
  return { roles, clock, group };
}

it('follows a user group within seconds, although commands remember it for minutes', async () => {
  const { roles, clock, group } = open();
  expect(await roles.isOperator(ANN)).toBe(true);
  group.members = [];
  expect(await roles.isOperator(ANN)).toBe(true);
  clock.advance(10_000);
  expect(await roles.isOperator(ANN)).toBe(false);
  expect(group.asked).toBe(2);
  group.members = ['U1'];
  expect(await roles.membership({ userId: 'U1', teamId: 'T1' })).toMatchObject({ actor: { role: 'viewer' } });
});

it('is asked for again after the clock was set back', async () => {
  const { roles, clock, group } = open();
  expect(await roles.isOperator(ANN)).toBe(true);
  group.members = [];
  clock.step(-3_600_000);
  clock.advance(600_000);
  expect(await roles.isOperator(ANN)).toBe(false);
});

it('is not known while Slack does not answer', async () => {
  const { roles, clock, group } = open();
  group.members = undefined;
  expect(await roles.isOperator(ANN)).toBeUndefined();
  group.members = ['U1'];
  clock.advance(10_000);
  expect(await roles.isOperator(ANN)).toBe(true);
});

it.each([
  ['was deactivated', async () => ({ ...IS_ANN, outsider: true })],
  ['is of another workspace', async () => ({ ...IS_ANN, team: 'T2' })],
  ['does not exist', async () => Promise.reject(new SlackRefusal('users.info', 'user_not_found'))],
])('is no operator who %s', async (_what, person) => {
  expect(await open({ person }).roles.isOperator(ANN)).toBe(false);
});

it('is the same person in every workspace of the organization', async () => {
  const ours = { team: 'T1', user: 'UBOT', enterprise: 'E1' };
  const { roles } = open({ ours, person: async () => ({ ...IS_ANN, team: 'T2', enterprise: 'E1' }) });
  expect(await roles.isOperator('slack:T1/U1')).toBe(true);
  for (const teamId of ['T1', 'T2'])
    expect(await roles.membership({ userId: 'U1', teamId })).toMatchObject({
      actor: { id: 'slack:T1/U1', person: 'slack:T1/U1', role: 'operator' },
    });
});

it.each([
  ['of another organization', 'E1', { team: 'T2', enterprise: 'E2' }],
  ['of another organization in a shared channel', undefined, { stranger: true }],
  ['of another workspace without an organization', undefined, { team: 'T2' }],
])('has no role who is %s, whatever the request says', async (_who, enterprise, profile) => {
  const ours = { team: 'T1', user: 'UBOT', ...(enterprise && { enterprise }) };
  const { roles } = open({ ours, person: async () => ({ ...IS_ANN, ...profile }) });
  const refused = await roles.membership({ userId: 'U1', teamId: 'T1' });
  expect(JSON.stringify(refused)).toContain('belongs to another workspace');
});

it('has no role while the groups cannot be read, also after a group was known; they are read again in ten seconds', async () => {
  const { roles, clock, group } = open({ SLACK_VIEWERS: '' });
  const role = async () => JSON.stringify(await roles.membership({ userId: 'U1', teamId: 'T1' }));
  expect(await role()).toContain('operator');
  clock.advance(3 * 60_000);
  group.members = undefined;
  expect(await role()).toContain('your role cannot be checked');
  expect(await role()).toContain('your role cannot be checked');
  expect(group.asked).toBe(2);
  clock.advance(10_000);
  group.members = ['U1'];
  expect(await role()).toContain('operator');
});
