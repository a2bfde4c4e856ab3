import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlayground } from '../../../src/demo/playground/page.ts';
import { type Reader, renderBlocks, renderMrkdwn, renderToHtmlDocument } from '../../../src/demo/playground/render.ts';
import { createWorkspace, IDS, type Workspace } from '../../../src/demo/playground/workspace.ts';
import { actions, button, plain, section } from './support.ts';

const reader: Reader = {
  tz: 'America/New_York',
  now: Date.UTC(2026, 10, 21, 12),
  userName: (id) => (id === IDS.U_LEAD ? 'Lee' : undefined),
  channelName: () => undefined,
  groupName: () => undefined,
};

describe('rendering', () => {
  it.each([
    ['*bold* _it_ ~no~ `a*b*`', '<b>bold</b> <i>it</i> <s>no</s> <code>a*b*</code>'],
    ['snake_case_name 2*3*4', 'snake_case_name 2*3*4'],
    ['<@U000LEAD> &lt;@U000LEAD&gt;', '<span class="mention">@Lee</span> &lt;@U000LEAD&gt;'],
    ['<javascript:alert(1)|click>', 'click'],
    ['<b onclick="x">', 'b onclick=&quot;x&quot;'],
    ['"&amp;" :x:', '&quot;&amp;&quot; ❌'],
    ['a\n&gt; b\nc', 'a<br><blockquote>b</blockquote>c'],
    ['```<x> &lt;i&gt;```', '<pre>x &lt;i&gt;</pre>'],
  ])('mrkdwn %s', (text, html) => {
    expect(renderMrkdwn(text, reader)).toBe(html);
  });

  it('escapes everything an app can put into blocks', () => {
    const evil = '"><script>alert(1)</script>';
    const html = renderBlocks([
      { type: 'header', text: plain(evil) },
      section(evil),
      actions(button({ text: plain(evil), value: evil, confirm: { text: plain(evil) }, action_id: evil })),
      { type: 'table', rows: [[{ type: 'raw_text', text: evil }]] },
      { type: 'image', image_url: 'https://example.com/x.png', alt_text: evil },
      { type: evil },
    ]);
    expect(html).not.toContain('<script');
    expect(html).not.toContain('example.com');
  });
});

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

describe('the page', () => {
  let ws: Workspace;
  let server: Server;
  let port = 0;
  let token = '';

  const ask = (path: string, headers: Record<string, string> = {}, body?: unknown): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      const options = { port, path, method: body === undefined ? 'GET' : 'POST', headers: { ...type, ...headers } };
      const req = request(options, (res) => {
        let text = '';
        res.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text }));
      });
      req.on('error', reject);
      req.end(body === undefined ? undefined : JSON.stringify(body));
    });
  const mine = () => ({ 'x-playground-token': token });

  beforeEach(async () => {
    ws = createWorkspace();
    const playground = createPlayground({
      workspace: ws,
      examples: ['/number +12015550101'],
      commands: [{ command: '/number', description: '</script>' }],
    });
    server = createServer((req, res) => {
      if (req.url === '/slack/events') return void res.end('{"text":"*pong*","response_type":"in_channel"}');
      void playground.handle(req, res).then((done) => done || res.writeHead(404).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
    ws.setBaseUrl(`http://127.0.0.1:${port}`);
    ws.setRequestUrl(`http://127.0.0.1:${port}/slack/events`);
    token = /data-token="(\w+)"/.exec((await ask('/playground')).text)?.[1] ?? '';
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await ws.close();
  });

  it('is strict about who asks', async () => {
    const page = await ask('/playground');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    expect(page.text.match(/<\/script>/g)).toHaveLength(3);
    expect((await ask('/playground', { host: 'evil.example' })).status).toBe(403);
    for (const [path, type] of Object.entries({ '/app.js': 'text/javascript', '/app.css': 'text/css' }))
      expect((await ask(`/playground${path}`)).headers['content-type']).toBe(`${type}; charset=utf-8`);
    const body = { kind: 'command', user: IDS.U_AGENT, channel: IDS.C_SUPPORT, command: '/ping' };
    expect((await ask('/playground/do', {}, body)).status).toBe(403);
    expect((await ask('/playground/do', { 'x-playground-token': 'x'.repeat(48) }, body)).status).toBe(403);
    const foreign = { ...mine(), origin: 'http://evil.example' };
    expect((await ask('/playground/do', foreign, body)).status).toBe(403);
    expect((await ask('/playground/do', { ...mine(), 'content-type': 'text/plain' }, body)).status).toBe(405);
    expect(ws.deliveries()).toEqual([]);
    expect((await ask('/elsewhere')).status).toBe(404);
  });

  it('runs a command and shows the answer', async () => {
    const origin = `http://127.0.0.1:${port}`;
    const body = { kind: 'command', user: IDS.U_AGENT, channel: IDS.C_SUPPORT, command: '/ping', text: 'x' };
    const headers = { ...mine(), origin, host: `127.0.0.1:${port}` };
    expect(JSON.parse((await ask('/playground/do', headers, body)).text)).toEqual({ outcome: 'acked' });
    const state = await ask(`/playground/state?user=${IDS.U_LEAD}&channel=${IDS.C_SUPPORT}&since=-1`, mine());
    const { list, title } = JSON.parse(state.text) as { list: string; title: string };
    expect(title).toBe('#support');
    expect(list).toContain('<b>pong</b>');
    const [message] = ws.messages(IDS.C_SUPPORT);
    expect(message && renderToHtmlDocument(message)).toContain('<b>pong</b>');
  });
});
