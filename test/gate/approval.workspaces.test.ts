import { expect, it } from 'vitest';
import {
  always,
  buttonOf,
  CANCEL,
  HOOKS,
  hook,
  OPERATORS,
  of,
  ok,
  posted,
  type Scene,
  SUBMIT,
  scene,
  sent,
  serve,
  slack,
  TEAM,
  TS,
  text,
} from '../surfaces/slack/nock-support.ts';
import { C_SUPPORT, U_AGENT, U_LEAD } from '../surfaces/slack/support.ts';

/*
 * Enterprise Grid: one person works in several workspaces of one organisation. Slack's requests are signed. The tests
 * set Slack's answers about people.
 */

const ORG = 'E0US';
const SISTER = 'T0SISTER';

/** Slack knows both people as members of the organisation; both may approve. */
async function grid(): Promise<Scene> {
  const s = await scene({ CONFIRM_TWO_PERSON: true });
  slack('auth.test', ok({ team_id: TEAM, user_id: 'U000BOT', enterprise_id: ORG }));
  for (const [id, name] of [
    [U_LEAD, 'lee'],
    [U_AGENT, 'ana'],
  ])
    slack(
      'users.info',
      ok({
        user: { id, name, team_id: TEAM, enterprise_user: { enterprise_id: ORG }, profile: { display_name: name } },
      }),
    );
  slack('usergroups.users.list', OPERATORS);
  return s;
}

/** A signed click that Slack says was made in this workspace. */
async function clickIn(s: Scene, team: string, user: string, value: string): Promise<void> {
  const payload = {
    type: 'block_actions',
    user: { id: user, team_id: team },
    team: { id: team },
    container: { type: 'message', message_ts: TS, channel_id: C_SUPPORT },
    channel: { id: C_SUPPORT },
    trigger_id: `trigger-${team}-${user}`,
    response_url: `${HOOKS}/actions/${team}-${user}`,
    actions: [{ type: 'button', action_id: 'sb_confirm', block_id: 'b', value, action_ts: team }],
  };
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...s.ws.sign(body) };
  expect((await s.ws.raw(body, headers)).status).toBe(200);
  await s.settled();
}

it('is one person in every workspace: whoever asked in one cannot confirm as of another', async () => {
  const s = await grid();
  slack('chat.postMessage', posted(C_SUPPORT, TS));
  hook('/commands/1', ok());
  await s.command(CANCEL, { user: U_LEAD });
  await s.settled();
  const [card] = of('chat.postMessage');
  const value = buttonOf(card, 'sb_confirm');
  expect(text(card)).toContain(`<@${U_LEAD}>`);
  for (const team of [TEAM, SISTER]) {
    serve(HOOKS, `/actions/${team}-${U_LEAD}`, 'response_url', [ok()]);
    await clickIn(s, team, U_LEAD, value);
    expect(text(sent.at(-1))).toContain('You asked for this yourself');
  }
  expect(await s.state()).toBe('pending');
  expect(await s.requests(SUBMIT)).toEqual([]);

  always('chat.update', ok());
  slack('chat.postMessage', posted(C_SUPPORT, '1700000003.000100'));
  await clickIn(s, SISTER, U_AGENT, value);
  expect(await s.state()).toBe('done');
  expect(await s.requests(SUBMIT)).toHaveLength(1);
  const action = (await s.gate.actions.list({})).find(({ consent }) => consent);
  expect(action).toMatchObject({
    person: `slack:${ORG}/${U_LEAD}`,
    decidedPerson: `slack:${ORG}/${U_AGENT}`,
    decidedVia: 'slack',
  });
  // Cards name people by mention.
  expect(text(of('chat.update').at(-1))).toContain(`confirmed by <@${U_AGENT}>`);
});
