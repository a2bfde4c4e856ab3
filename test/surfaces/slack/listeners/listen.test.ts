import type { App } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import type { SlackContext } from '../../../../src/surfaces/slack/context.ts';
import { ACTIONS, IN_VIEWS } from '../../../../src/surfaces/slack/listeners/actions.ts';
import { listen } from '../../../../src/surfaces/slack/listeners/listen.ts';
import { groups } from '../../../../tools/groups.ts';
import { tools } from '../../../../tools/index.ts';
import { stage, U_AGENT, whisper } from '../support.ts';

/** The action ids and commands that listeners were registered for. */
function registered(): { actions: { action_id: RegExp; callback_id?: string }[]; commands: (string | RegExp)[] } {
  const actions: { action_id: RegExp; callback_id?: string }[] = [];
  const commands: (string | RegExp)[] = [];
  const app = {
    action: (of: RegExp | { action_id: RegExp; callback_id: string }) =>
      actions.push(of instanceof RegExp ? { action_id: of } : of),
    command: (of: string | RegExp) => commands.push(of),
    ...{ options: () => 0, view: () => 0, shortcut: () => 0, event: () => 0 },
  };
  const slack = { tools, groups, config: {} };
  listen(app as unknown as App, slack as unknown as SlackContext, (work) => work);
  return { actions, commands };
}

describe('of the listeners for buttons and menus', () => {
  const { actions } = registered();
  const matching = (id: string, view?: string) =>
    actions.filter((one) => one.action_id.test(id) && (one.callback_id ?? view) === view);

  it.each([...ACTIONS.keys()])('one is for %s, also if it is numbered', (id) => {
    for (const sent of [id, `${id}_0`, `${id}_12`, `${id}_back`]) expect(matching(sent)).toHaveLength(1);
  });

  it.each([...IN_VIEWS])('one is for %s, in a form and in an old message', (id) => {
    expect(matching(id, 'form')).toHaveLength(1);
    expect(matching(id)).toHaveLength(1);
  });

  it.each(['', 'sb_gone', 'sb_fill_x', 'xsb_fill', 'sb_fill_3_4'])('one is for the unknown id "%s"', (id) => {
    expect(matching(id)).toHaveLength(1);
  });
});

it('of the listeners for commands, one is for each, and one for all others', () => {
  const { commands } = registered();
  const matching = (sent: string) =>
    commands.filter((one) => (typeof one === 'string' ? one === sent : one.test(sent)));
  for (const command of ['/number', '/numbers', '/batch', '/guide', '/number_x', '/other', '/'])
    expect(matching(command), command).toHaveLength(1);
});

describe('what Slack sends and nothing was registered for', () => {
  const user = { id: U_AGENT, team_id: 'T000PLAY' };
  const team = { id: 'T000PLAY' };
  const channel = { id: 'C000SUPPORT' };
  const sent = async (s: Awaited<ReturnType<typeof stage>>, raw: string) =>
    s.ws.raw(raw, { 'content-type': 'application/x-www-form-urlencoded', ...s.ws.sign(raw) });
  const payload = (value: unknown) => `payload=${encodeURIComponent(JSON.stringify(value))}`;

  it('is answered in words', async () => {
    const s = await stage();
    const form = new URLSearchParams({ command: '/other', user_id: U_AGENT, team_id: team.id, channel_id: channel.id });
    expect((await sent(s, form.toString())).body).toContain('/other is not a command of this app.');
    const view = { id: 'V1', callback_id: 'of an earlier version', private_metadata: '{}' };
    const closed = await sent(s, payload({ type: 'view_submission', user, team, view }));
    expect(closed.body).toContain('This form is out of date.');
    const actions = [{ action_id: 'sb_gone', block_id: 'b', value: 'x' }];
    expect((await sent(s, payload({ type: 'block_actions', user, team, channel, actions }))).status).toBe(200);
    await whisper(s.ws, U_AGENT, 'This button no longer works.');
    const pick = [{ action_id: 'sb_pick', block_id: 'b', value: 'x' }];
    expect((await sent(s, payload({ type: 'block_actions', user, team, channel, actions: pick }))).status).toBe(200);
  });
});
