import { describe, expect, it } from 'vitest';
import {
  type Answer,
  always,
  buttonOf,
  CANCEL,
  hook,
  LINK,
  lee,
  no,
  of,
  ok,
  person,
  posted,
  rateLimited,
  type Scene,
  scene,
  sent,
  slack,
  TS,
  takesCommand,
  text,
} from '../nock-support.ts';
import { C_APPROVALS, C_SUPPORT, U_LEAD, until } from '../support.ts';

/* Tests the messages to approvers under Slack's limits and faults. */

const D_LEAD = 'D000LEAD';
const TOLD = '1700000002.000100';
const IN_CHANNEL = { SLACK_APPROVALS_CHANNEL: C_APPROVALS };
const DIRECT = { SLACK_APPROVALS_CHANNEL: undefined };

const posts = (channel: string) => of('chat.postMessage').filter(({ args }) => args.channel === channel);
/** Asks as Ana. `told` are Slack's answers to the message to approvers. */
async function asks(s: Scene, ...told: Answer[]): Promise<void> {
  takesCommand(posted(C_SUPPORT, TS), ...told);
  await s.command(CANCEL);
  await s.settled();
}

/** Returns the history of a channel that contains the message to approvers. */
const inHistory = (channel: string): Answer => ({
  get body() {
    const [first] = posts(channel);
    return { ok: true, messages: [{ ts: TOLD, metadata: first?.args.metadata }], has_more: false };
  },
});

describe('the message to approvers', () => {
  it('is posted after a longer rate limit, and the card says so meanwhile', async () => {
    const s = await scene(IN_CHANNEL);
    slack('chat.update', ok(), ok());
    await asks(s, rateLimited(60), posted(C_APPROVALS, TOLD));
    await until(() => of('chat.update').length === 1, 'the line on the card');
    expect(text(of('chat.update')[0])).toContain('Nobody was told yet:');
    s.clock.skip(11_000);
    await until(() => of('chat.update').length === 2, 'the next line on the card');
    expect(text(of('chat.update')[1])).toContain('"Asked:"');
  });

  it('is found in the channel if Slack accepted it without answering', async () => {
    const s = await scene(IN_CHANNEL);
    // The line on the card, and the message that was found, which may show an earlier state.
    slack('chat.update', ok(), ok());
    slack('conversations.history', inHistory(C_APPROVALS));
    await asks(s, { cut: 'socket hang up' });
    await until(() => posts(C_APPROVALS).length === 1, 'the message');
    s.clock.skip(11_000);
    await until(() => of('chat.update').length === 2, 'the line on the card');
    expect(posts(C_APPROVALS)).toHaveLength(1);
    sent.length = 0;
    // The message that was found works, and shows the outcome.
    slack('users.info', lee);
    always('chat.update', ok());
    slack('chat.getPermalink', LINK);
    slack('chat.postEphemeral', ok());
    const [action] = await s.gate.actions.list({ states: ['pending'] });
    await s.click({ user: U_LEAD, actionId: 'sb_confirm', value: String(action?.id), ts: TOLD, channel: C_APPROVALS });
    await s.settled();
    const last = () =>
      of('chat.update')
        .filter(({ args }) => args.ts === TOLD)
        .at(-1);
    await until(() => text(last()).includes('✅ Done'), 'the outcome');
  });

  it.each(['cannot_dm_bot', 'user_not_found'])(
    'is missed by one approver and reaches the others: %s',
    async (error) => {
      const s = await scene({ ...DIRECT, SLACK_APPROVERS: ['U000GONE', U_LEAD] });
      slack('auth.test', ok({ team_id: 'T000DEMO', user_id: 'U000BOT' }));
      const ana = ok({ user: { id: 'U000AGENT', name: 'ana', team_id: 'T000DEMO', profile: {} } });
      slack('users.info', ana, person('U000GONE', 'gone'), lee);
      slack('usergroups.users.list', ok({ users: ['U000AGENT'] }));
      slack('conversations.open', no(error), ok({ channel: { id: D_LEAD } }));
      slack('chat.postMessage', posted(C_SUPPORT, TS), posted(D_LEAD, TOLD));
      slack('chat.getPermalink', LINK);
      always('chat.update', ok());
      hook('/commands/1', ok());
      await s.command(CANCEL);
      await until(() => text(of('chat.update').at(-1)).includes('Not reached'), 'the line on the card');
      expect(buttonOf(posts(D_LEAD)[0], 'sb_confirm')).toMatch(/^act_/);
      expect(posts(D_LEAD)).toHaveLength(1);
      expect(s.logged.filter((line) => line.includes('approvers could not be told'))).toHaveLength(1);
    },
  );
});
