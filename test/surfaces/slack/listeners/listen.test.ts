import { describe, expect, it } from 'vitest';
import { stage, U_AGENT, whisper } from '../support.ts';

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
