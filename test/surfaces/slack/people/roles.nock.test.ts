import { describe, expect, it } from 'vitest';
import {
  ACTIVE,
  APPROVERS,
  always,
  ana,
  asked,
  CANCEL,
  CANCELLED,
  confirm,
  expectCancelledOnce,
  expectNotCancelled,
  hook,
  lee,
  no,
  OPERATORS,
  of,
  ok,
  posted,
  scene,
  slack,
  story,
  TEAM,
  TS,
  text,
  times,
} from '../nock-support.ts';
import { C_SUPPORT, S_APPROVERS, S_OPERATORS, U_OTHER } from '../support.ts';

describe('roles while Slack does not answer', () => {
  const TEAM_IS = ok({ team_id: TEAM, user_id: 'U000BOT' });

  it.each(['ratelimited', 'missing_scope', 'fatal_error'])(
    'are missing if user groups answer %s, and are looked up again after ten seconds',
    async (error) => {
      const s = await scene();
      slack('auth.test', TEAM_IS);
      slack('users.info', ana);
      slack('usergroups.users.list', ...times(2, no(error)));
      hook('/commands/1', ok());
      await s.command(CANCEL);
      await s.settled();
      expect(of('usergroups.users.list').map(({ args }) => args.usergroup)).toEqual([S_APPROVERS, S_OPERATORS]);
      expect(story()).toEqual(['response_url']);
      expect(text(of('response_url')[0])).toContain('Nothing was done.');
      expect(text(of('response_url')[0])).toContain('your role cannot be checked');
      // The group is not read again at every click.
      hook('/commands/2', ok());
      await s.command(CANCEL);
      await s.settled();
      expect(of('usergroups.users.list')).toHaveLength(2);
      expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
      expect(await s.requests()).toEqual([]);
      expect(await s.gate.actions.list({})).toEqual([]);

      s.clock.skip(10_000);
      slack('usergroups.users.list', APPROVERS, OPERATORS);
      slack('chat.postMessage', posted(C_SUPPORT, TS));
      hook('/commands/3', ok());
      await s.command(CANCEL);
      await s.settled();
      expect(await s.state()).toBe('pending');
    },
  );

  it('confirm nothing: a cached approver is looked up again after three minutes', async () => {
    const s = await scene();
    const card = await asked(s, CANCEL);
    // The reminder of the approvers.
    always('chat.postMessage', posted(C_SUPPORT, '1700000009.000100'));
    s.clock.skip(181_000);
    slack('users.info', lee);
    slack('usergroups.users.list', no('missing_scope'), OPERATORS);
    hook('/actions/2', ok());
    await confirm(s, card);
    await s.settled();
    expect(text(of('response_url')[0])).toContain('needs the role approver; you have operator. Nothing was done.');
    expect(await s.state()).toBe('pending');
    await expectNotCancelled(s);

    s.clock.skip(10_000);
    slack('usergroups.users.list', APPROVERS);
    always('chat.update', ok());
    await confirm(s, card);
    await s.settled();
    await expectCancelledOnce(s);
  });

  it.each([
    [
      'of another organization, whatever the request says',
      { team_id: 'T0OTHER', enterprise_user: { enterprise_id: 'E0THEM' } },
    ],
    ['of another organization in a shared channel', { team_id: TEAM, is_stranger: true }],
    ['of another workspace without an organization', { team_id: 'T0OTHER' }],
  ])('are none for somebody %s', async (_name, user) => {
    const s = await scene({ SLACK_VIEWERS: ['*'] });
    slack(
      'auth.test',
      ok({ team_id: TEAM, user_id: 'U000BOT', ...('enterprise_user' in user ? { enterprise_id: 'E0US' } : {}) }),
    );
    slack('users.info', ok({ user: { id: U_OTHER, name: 'stranger', ...user } }));
    hook('/commands/1', ok());
    await s.command('inventory', { user: U_OTHER });
    await s.settled();
    expect(text(of('response_url')[0])).toContain('belongs to another workspace');
    expect(await s.requests()).toEqual([]);
  });
});
