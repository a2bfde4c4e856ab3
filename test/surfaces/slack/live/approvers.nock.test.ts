import { describe, expect, it, vi } from 'vitest';
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
  times,
} from '../nock-support.ts';
import { C_APPROVALS, C_SUPPORT, record, U_LEAD, until } from '../support.ts';

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
  it('waits as long as Slack’s rate limit says, and is posted once', async () => {
    const s = await scene(IN_CHANNEL);
    slack('chat.update', ok());
    await asks(s, rateLimited(4), posted(C_APPROVALS, TOLD));
    await s.pass(4_000);
    await until(() => of('chat.update').length === 1, 'the line on the card');
    expect(text(of('chat.update')[0])).toContain('"Asked:"');
    expect(posts(C_APPROVALS)).toHaveLength(2);
    await s.polled();
    expect(posts(C_APPROVALS)).toHaveLength(2);
  });

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

  it('is updated again if Slack does not take the outcome at once', async () => {
    const s = await scene(IN_CHANNEL);
    slack('chat.update', ok());
    await asks(s, posted(C_APPROVALS, TOLD));
    await until(() => of('chat.update').length === 1, 'the line on the card');
    sent.length = 0;
    const [action] = await s.gate.actions.list({ states: ['pending'] });
    const broken = times(3, no('fatal_error'));
    // The card of the requester and the message to approvers change in no fixed order.
    slack('chat.update', ...broken);
    s.clock.skip(301_000);
    // The requester gets a message too, for which their groups are read again.
    always('usergroups.users.list', ok({ users: ['U000AGENT'] }));
    always('chat.postEphemeral', ok());
    always('chat.getPermalink', LINK);
    await s.gate.sweepExpired();
    await until(() => of('chat.update').length >= 2, 'the refused updates');
    always('chat.update', ok());
    await until(() => {
      s.clock.skip(1_000);
      return of('chat.update').length >= 5;
    }, 'the outcome');
    for (const ts of [TS, TOLD])
      expect(text(of('chat.update').findLast((one) => one.args.ts === ts))).toContain('⌛ Expired');
    expect(record(await s.gate.actions.get(String(action?.id))).state).toBe('expired');
  });

  it('stays as it is if the ledger cannot be written while it is drawn again, which ends nothing else', async () => {
    const s = await scene(IN_CHANNEL);
    always('chat.update', ok());
    await asks(s, posted(C_APPROVALS, TOLD));
    await until(() => of('chat.update').length === 1, 'the line on the card');
    const [action] = await s.gate.actions.list({ states: ['pending'] });
    s.clock.skip(301_000);
    always('usergroups.users.list', ok({ users: ['U000AGENT', U_LEAD] }));
    always('chat.postEphemeral', ok());
    always('chat.getPermalink', LINK);
    await s.gate.sweepExpired();
    await s.polled();
    const merge = s.gate.notes.merge.bind(s.gate.notes);
    vi.spyOn(s.gate.notes, 'merge').mockImplementation(async (id, name, members) => {
      if (name === 'messages') throw new Error('the disk is full');
      await merge(id, name, members);
    });
    slack('users.info', lee);
    hook('/actions/2', ok());
    await s.click({ user: U_LEAD, actionId: 'sb_confirm', value: String(action?.id), ts: TOLD, channel: C_APPROVALS });
    await until(
      () => s.logged.some((line) => line.includes('failed to bring a card up to date')),
      'the failure in the log',
    );
    expect(text(of('response_url').at(-1))).toContain('expired');
  });
});
