import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { typedText } from '../../../src/demo/playground/typing.ts';
import { createWorkspace, IDS, type Workspace } from '../../../src/demo/playground/workspace.ts';
import type { Json } from '../../support/world.ts';

describe('what the app receives of a typed message', () => {
  let ws: Workspace;
  let server: Server;
  beforeEach(async () => {
    ws = createWorkspace();
    server = createServer((_, res) => res.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ws.setRequestUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await ws.close();
  });

  const say = async (user: string, channel: string, text: string, threadTs?: string): Promise<Json> => {
    const typed = typedText(ws.state, text);
    const done = await ws.say({ user, channel, text: typed, ...(threadTs === undefined ? {} : { threadTs }) });
    expect(done.outcome).toBe('acked');
    return JSON.parse(ws.bytesToApp().at(-1)?.raw ?? '');
  };

  it('has an id that no earlier process of the playground gave', async () => {
    const before = await say(IDS.U_AGENT, IDS.C_SUPPORT, '@Switchboard 0103');
    await ws.close();
    ws = createWorkspace();
    ws.setRequestUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect((await say(IDS.U_AGENT, IDS.C_SUPPORT, '@Switchboard 0103')).event_id).not.toBe(before.event_id);
  });

  it('is an app_mention in a channel, with the number as a link and the text as blocks', async () => {
    const body = await say(IDS.U_AGENT, IDS.C_SUPPORT, '@Switchboard +12015550104 <b>');
    const [message] = ws.messages(IDS.C_SUPPORT);
    expect(body).toMatchObject({ type: 'event_callback', team_id: IDS.TEAM, api_app_id: IDS.APP });
    expect(body.event).toEqual({
      type: 'app_mention',
      client_msg_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user: IDS.U_AGENT,
      text: `<@${IDS.BOT_USER}> <tel:+12015550104|+12015550104> &lt;b&gt;`,
      ts: message?.ts,
      team: IDS.TEAM,
      blocks: [
        {
          type: 'rich_text',
          block_id: expect.any(String),
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'user', user_id: IDS.BOT_USER },
                { type: 'text', text: ' ' },
                { type: 'link', url: 'tel:+12015550104', text: '+12015550104' },
                { type: 'text', text: ' <b>' },
              ],
            },
          ],
        },
      ],
      channel: IDS.C_SUPPORT,
      event_ts: message?.ts,
    });
  });

  it('is a message of the type im in a direct message, mentioned or not', async () => {
    const { id } = ws.state.im(IDS.U_AGENT);
    for (const text of ['0104', '@switchboard 0104']) {
      const { event } = await say(IDS.U_AGENT, id, text);
      expect(event).toMatchObject({ type: 'message', channel_type: 'im', channel: id, user: IDS.U_AGENT });
      expect(event.thread_ts).toBeUndefined();
    }
  });

  it('names the thread and whose it is; a reply to a reply is in the same thread', async () => {
    await say(IDS.U_AGENT, IDS.C_SUPPORT, '@switchboard 0101');
    const root = ws.messages(IDS.C_SUPPORT)[0]?.ts ?? '';
    const inThread = { thread_ts: root, parent_user_id: IDS.U_AGENT };
    expect((await say(IDS.U_LEAD, IDS.C_SUPPORT, '@switchboard 0102', root)).event).toMatchObject(inThread);
    const reply = ws.messages(IDS.C_SUPPORT).at(-1)?.ts ?? '';
    expect((await say(IDS.U_LEAD, IDS.C_SUPPORT, '@switchboard 0103', reply)).event).toMatchObject(inThread);
    const nowhere = { user: IDS.U_LEAD, channel: IDS.C_SUPPORT, text: 'x', threadTs: '1.1' };
    expect(await ws.say(nowhere)).toMatchObject({ outcome: 'refused', reason: 'there is no such thread' });
  });

  it('names the workspace of a guest', async () => {
    const body = await say(IDS.U_OTHER, IDS.C_SUPPORT, '@switchboard 0101');
    const { OTHER_TEAM } = IDS;
    expect(body.event).toMatchObject({ team: OTHER_TEAM, user_team: OTHER_TEAM, source_team: OTHER_TEAM });
  });

  it('is nothing where the app is not mentioned', async () => {
    await ws.say({ user: IDS.U_AGENT, channel: IDS.C_SUPPORT, text: 'lunch?' });
    expect(ws.bytesToApp()).toEqual([]);
  });

  it.each([
    ['see https://x.example/a?b=1&c, ok', 'see <https://x.example/a?b=1&amp;c>, ok'],
    ['to ava@acme.example.', 'to <mailto:ava@acme.example|ava@acme.example>.'],
    ['@lee in #approvals', `<@${IDS.U_LEAD}> in <#${IDS.C_APPROVALS}|approvals>`],
    ['@nobody, order 12015550104', '@nobody, order 12015550104'],
    ['a+12015550104', 'a+12015550104'],
  ])('%s becomes %s', (typed, text) => {
    expect(typedText(ws.state, typed)).toBe(text);
  });
});
