import { describe, expect, it } from 'vitest';
import {
  ACTIVE,
  type Answer,
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
  LINK,
  lee,
  no,
  OPERATORS,
  of,
  ok,
  posted,
  SUBMIT,
  scene,
  slack,
  story,
  TEAM,
  TS,
  text,
  times,
} from '../nock-support.ts';
import { C_SUPPORT, S_APPROVERS, S_OPERATORS, U_AGENT, U_OTHER } from '../support.ts';

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
      slack('chat.getPermalink', LINK);
      hook('/commands/3', ok());
      await s.command(CANCEL);
      await s.settled();
      expect(await s.state()).toBe('pending');
    },
  );

  it('are requested twice at most under a rate limit', async () => {
    const s = await scene();
    const limited: Answer = { status: 429, body: { ok: false, error: 'ratelimited' }, headers: { 'retry-after': '1' } };
    slack('auth.test', TEAM_IS);
    slack('users.info', ana);
    slack('usergroups.users.list', ...times(4, limited));
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.pass(1_000);
    await s.pass(1_000);
    await s.settled();
    // Two lookups, each tried again once.
    expect(of('usergroups.users.list')).toHaveLength(4);
    expect(text(of('response_url')[0])).toContain('Nothing was done.');
    expect(await s.requests()).toEqual([]);
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
  });

  it('confirm nothing: a cached approver is looked up again after three minutes', async () => {
    const s = await scene();
    const card = await asked(s, CANCEL);
    s.clock.skip(181_000);
    slack('users.info', lee);
    slack('usergroups.users.list', no('missing_scope'), OPERATORS);
    hook('/actions/2', ok());
    await confirm(s, card);
    await s.settled();
    expect(story()).toEqual(['response_url']);
    expect(text(of('response_url')[0])).toContain('needs the role approver; you have operator. Nothing was done.');
    expect(await s.state()).toBe('pending');
    await expectNotCancelled(s);

    s.clock.skip(10_000);
    slack('usergroups.users.list', APPROVERS);
    slack('chat.update', ...times(2, ok()));
    slack('chat.getPermalink', LINK);
    slack('chat.postEphemeral', ok());
    await confirm(s, card);
    await s.settled();
    await expectCancelledOnce(s);
  });

  it.each(['ratelimited', 'fatal_error'])('are missing if auth.test answers %s', async (error) => {
    const s = await scene({ SLACK_VIEWERS: ['*'], SLACK_OPERATORS: [U_AGENT] });
    slack('auth.test', no(error));
    slack('users.info', ana);
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.settled();
    expect(story()).toEqual(['response_url']);
    expect(text(of('response_url')[0])).toContain(
      'your role cannot be checked. Nothing was done. Try again in a minute',
    );
    expect(await s.requests()).toEqual([]);
    expect(await s.number(CANCELLED)).toMatchObject(ACTIVE);
  });

  it.each(['ratelimited', 'missing_scope'])('come from user groups even if users.info answers %s', async (error) => {
    const s = await scene();
    slack('auth.test', TEAM_IS);
    slack('users.info', no(error));
    slack('usergroups.users.list', APPROVERS, OPERATORS);
    slack('chat.postMessage', posted(C_SUPPORT, TS));
    slack('chat.getPermalink', LINK);
    hook('/commands/1', ok());
    await s.command(CANCEL);
    await s.settled();
    expect(of('users.info')).toHaveLength(1);
    expect((await s.gate.actions.list({}))[0]).toMatchObject({ actorName: `@${U_AGENT}` });
    expect(await s.requests(SUBMIT)).toEqual([]);
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

  it('are the usual ones for people in another workspace of the same organization', async () => {
    const s = await scene({ SLACK_VIEWERS: ['*'] });
    slack('auth.test', ok({ team_id: TEAM, user_id: 'U000BOT', enterprise_id: 'E0US' }));
    slack('users.info', ok({ user: { id: U_OTHER, team_id: 'T0SISTER', enterprise_user: { enterprise_id: 'E0US' } } }));
    always('usergroups.users.list', ok({ users: [] }));
    hook('/commands/1', ok());
    await s.command('inventory', { user: U_OTHER });
    await s.settled();
    // The list, and the names of its subscribers.
    expect(await s.requests()).toHaveLength(2);
  });

  it.each(['ratelimited', 'missing_scope'])(
    'are missing for a request from another workspace if users.info answers %s',
    async (error) => {
      const s = await scene({ SLACK_VIEWERS: ['*'] });
      slack('auth.test', TEAM_IS);
      slack('users.info', no(error));
      hook('/commands/1', ok());
      await s.command('inventory', { user: U_OTHER, team: 'T999OTHER' });
      await s.settled();
      expect(text(of('response_url')[0])).toContain('belongs to another workspace');
      expect(await s.requests()).toEqual([]);
    },
  );

  it('are none under `*` if the person’s workspace is unknown', async () => {
    const s = await scene({ SLACK_VIEWERS: ['*'] });
    slack('auth.test', TEAM_IS);
    slack('users.info', no('ratelimited'));
    always('usergroups.users.list', ok({ users: [] }));
    hook('/commands/1', ok());
    await s.command('inventory', { user: U_OTHER });
    await s.settled();
    expect(await s.requests()).toEqual([]);
  });
});
