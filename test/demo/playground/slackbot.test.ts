import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { pick, ScriptedSlackbot } from '../../../src/demo/playground/slackbot.ts';
import { createWorkspace } from '../../../src/demo/playground/workspace.ts';
import { atEnd } from '../../support/ending.ts';
import { C_APPROVALS, U_AGENT, U_OTHER, U_VIEW } from '../../surfaces/slack/ids.ts';
import { type Stage, shown, stage } from '../../surfaces/slack/support.ts';

const tool = (name: string, properties: Record<string, unknown> = { PhoneNumber: { type: 'string' } }) => ({
  name,
  inputSchema: { type: 'object', properties },
});

describe('the script', () => {
  const tools = ['numbers_lookup', 'numbers_reactivate', 'numbers_get', 'confirmations_get'].map((name) => tool(name));

  it.each([
    ['why can’t +12015550101 text?', 'numbers_lookup', { PhoneNumber: '+12015550101' }],
    ['please reactivate +12015550107', 'numbers_reactivate', { PhoneNumber: '+12015550107' }],
    ['what became of act_0123456789?', 'confirmations_get', { id: 'act_0123456789' }],
    ['numbers_get PhoneNumber=+12015550101', 'numbers_get', { PhoneNumber: '+12015550101' }],
    ['numbers_get Name="Ben Reed" Active=true', 'numbers_get', { Name: 'Ben Reed', Active: true }],
  ])('%s', (text, name, input) => {
    expect(pick(text, tools)).toEqual({ name, input });
  });

  it('prefers the diagnosis where there is one, and fills a list', () => {
    const listed = [...tools, tool('numbers_diagnose', { PhoneNumbers: { type: 'array' } })];
    expect(pick('why can’t +12015550101 text?', listed)).toEqual({
      name: 'numbers_diagnose',
      input: { PhoneNumbers: ['+12015550101'] },
    });
    expect(pick('hello', listed)).toBeUndefined();
  });
});

describe('the scripted Slackbot', () => {
  const talk = async (s: Stage, user: string, text: string) => {
    const slackbot = new ScriptedSlackbot({ workspace: s.ws, mcpUrl: s.mcpUrl });
    await slackbot.ask(user, text);
    return shown(s.ws.messages(slackbot.room(user).id).at(-1));
  };

  it('shows cards, what waits, refusals and errors of the product', async () => {
    const s = await stage();
    expect(await talk(s, U_VIEW, 'why can’t +12015550101 text?')).toContain('(201) 555-0101');
    expect(await talk(s, U_AGENT, 'reactivate +12015550107')).toContain('does not confirm it');
    expect(s.cards(C_APPROVALS)).toHaveLength(1);
    expect(await talk(s, U_AGENT, 'look up +12015559999')).toContain('not found');
    expect(await talk(s, U_OTHER, 'look up +12015550101')).toContain('belongs to another workspace');
    expect(await talk(s, U_AGENT, 'good morning')).toContain('I did not understand');
    expect(s.ws.warnings()).toEqual([]);
  });

  it('shows the text instead of blocks that Slack would drop', async () => {
    const ws = createWorkspace();
    const block = { type: 'divider' };
    for (const blocks of [Array.from({ length: 51 }, () => block), [{ type: 'alert', text: 'x' }]]) {
      const server = createServer((request, response) => {
        request.resume();
        const result = { tools: [tool('numbers_lookup')], content: [{ type: 'text', text: 'the text' }] };
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { ...result, _meta: { slack: { blocks } } } }));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      atEnd(() => server.close());
      const mcpUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
      const slackbot = new ScriptedSlackbot({ workspace: ws, mcpUrl });
      await slackbot.ask(U_AGENT, 'look up +12015550101');
      const last = ws.messages(slackbot.room(U_AGENT).id).at(-1);
      expect(last).toMatchObject({ text: 'the text', blocks: [] });
    }
    expect(ws.warnings()).toHaveLength(2);
  });
});
