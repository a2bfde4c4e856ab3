import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/build.ts';
import { selfSigned } from '../support/certificate.ts';
import { atEnd } from '../support/ending.ts';
import { makeFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { callOf, initialize } from '../support/messages.ts';
import { type Running, startServer } from '../support/process.ts';
import { describeWith, program } from '../support/programs.ts';
import { rawStatus } from '../support/raw-status.ts';
import { REACTIVATE, seeded } from '../support/seed.ts';
import { type Json, until } from '../support/world.ts';

const TOKENS = 'ana:approver:token-of-ana,opa:operator:token-of-opa';
const INITIALIZE = initialize();

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** The configuration that src/start/README.md shows, between its marks. */
function configurationOfReadme(): string {
  const readme = readFileSync(join(ROOT, 'src/start/README.md'), 'utf8');
  const found = /<!-- nginx -->\n```nginx\n([\s\S]*?)```\n<!-- \/nginx -->/.exec(readme)?.[1];
  if (found === undefined) throw new Error('src/start/README.md shows no nginx configuration');
  return found;
}

/** Replaces text of the configuration that must differ on this machine. Throws if the text is not there. */
function replaced(text: string, what: string, by: string): string {
  if (!text.includes(what)) throw new Error(`the configuration has no ${what}`);
  return text.replaceAll(what, by);
}

describeWith(
  { nginx: program('nginx'), openssl: program('openssl') },
  'behind a real nginx',
  ({ nginx = '', openssl = '' }) => {
    async function start(env: Record<string, string>): Promise<{ running: Running; port: number }> {
      const { running, url } = await startServer(env);
      return { running, port: Number(new URL(url).port) };
    }

    /** nginx with these server blocks, until the test ends. */
    async function proxy(servers: string, port: number): Promise<void> {
      const folder = makeFolder();
      mkdirSync(join(folder, 'tmp'));
      const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${folder}/tmp/${name};`)
        .join('\n');
      writeFileSync(
        join(folder, 'nginx.conf'),
        `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;\nevents {}\nhttp { access_log off; ${temps}\n${servers}\n}\n`,
      );
      const files = ['-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')];
      const child: ChildProcess = spawn(nginx, ['-p', folder, ...files]);
      let said = '';
      child.stderr?.on('data', (chunk) => {
        said += chunk;
      });
      const ended = new Promise((resolve) => child.once('close', resolve));
      atEnd(async () => {
        child.kill('SIGKILL');
        await ended;
      });
      await until(async () => {
        if (child.exitCode !== null) throw new Error(`nginx ended: ${said}`);
        return await rawStatus(`http://127.0.0.1:${port}`, {}).catch(() => undefined);
      });
    }

    async function withReadme(upstream: number): Promise<number> {
      const port = await freePort();
      const { key, cert } = selfSigned(openssl, 'switchboard.example.com');
      const differs = [
        ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
        ['127.0.0.1:3900', `127.0.0.1:${upstream}`],
        ['/etc/ssl/certs/switchboard.pem', cert],
        ['/etc/ssl/private/switchboard.key', key],
      ] as const;
      await proxy(
        differs.reduce((text, [what, by]) => replaced(text, what, by), configurationOfReadme()),
        port,
      );
      return port;
    }

    /** A plain proxy, as many write it: Host is rewritten to the upstream's, nothing is added. */
    async function plain(upstream: number, version: '1.0' | '1.1'): Promise<number> {
      const port = await freePort();
      await proxy(
        `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${upstream}; proxy_http_version ${version}; } }`,
        port,
      );
      return port;
    }

    /** A GET, or a POST of this body. */
    const ask = (base: string, path: string, headers: Record<string, string> = {}, body?: string) =>
      new Promise<Answer>((resolve, reject) => {
        const url = new URL(path, base);
        const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
        const method = body === undefined ? 'GET' : 'POST';
        const call = send(url, { method, headers, rejectUnauthorized: false, agent: false }, async (response) => {
          const text = (await response.setEncoding('utf8').toArray()).join('');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
        call.on('error', reject);
        call.end(body);
      });
    const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const rpc = (base: string, message: unknown, headers: Record<string, string> = {}) =>
      ask(base, '/mcp', { ...json, ...headers }, JSON.stringify(message));
    /** Sends the form of a page. */
    const sendForm = (base: string, path: string, headers: Record<string, string>, fields: Record<string, string>) =>
      ask(
        base,
        path,
        { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        new URLSearchParams(fields).toString(),
      );
    const csrfOf = ({ text }: Answer) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const cookieOf = ({ headers }: Answer) => String(headers['set-cookie'] ?? '').split(';')[0] ?? '';

    const reactivate = callOf('numbers_reactivate', REACTIVATE, 2);

    /** Expects that a stranger gets 401 or 403 on each path. */
    async function strangerGetsNothing(base: string, headers: Record<string, string> = {}): Promise<void> {
      const got: Record<string, number> = {};
      got.mcp = (await rpc(base, INITIALIZE, headers)).status;
      for (const path of ['/readyz', '/metrics', '/playground', '/playground/slack/api/auth.test', '/sandbox/state'])
        got[path] = (await ask(base, path, headers)).status;
      got['POST /sandbox/reset'] = (await ask(base, '/sandbox/reset', headers, '{}')).status;
      for (const path of ['/events/platform', '/events/messages', '/events/message-status', '/events/voice'])
        got[path] = (await ask(base, path, { ...json, ...headers }, '{}')).status;
      expect(Object.entries(got).filter(([, status]) => status !== 401 && status !== 403)).toEqual([]);
    }

    /**
     * Expects that a person who has only the address of a pending confirmation sees its state and cannot confirm it.
     */
    async function strangerSeesNoMoreThanTheState(base: string, path: string, headers: Record<string, string> = {}) {
      const page = await ask(base, path, headers);
      expect(page.status).toBe(200);
      expect(page.text).toContain('Waiting for your decision.');
      expect(page.text).not.toContain(seeded(7));
      expect(page.text).not.toMatch(/5 USD|switchboard key|value="confirm"/);
      const [csrf, cookie] = [csrfOf(page), cookieOf(page)];
      expect((await sendForm(base, path, { ...headers, cookie }, { csrf, act: 'confirm' })).status).toBe(403);
      return { csrf, cookie };
    }

    it('with the configuration of the README: tokens serve, strangers get nothing, an approver confirms', async () => {
      const { port: upstream, running } = await start({
        PUBLIC_URL: 'https://switchboard.example.com',
        MCP_HTTP_TOKENS: TOKENS,
      });
      await running.said(/signed in with the token of ana/);
      expect(running.err()).not.toContain('?key=');
      const base = `https://127.0.0.1:${await withReadme(upstream)}`;
      const host = { host: 'switchboard.example.com' };
      await strangerGetsNothing(base, host);
      const opa = { ...host, authorization: 'Bearer token-of-opa' };
      expect((await rpc(base, INITIALIZE, opa)).status).toBe(200);
      expect((await ask(base, '/readyz', opa)).status).toBe(200);
      const asked = JSON.parse((await rpc(base, reactivate, opa)).text) as Json;
      const { id, url } = asked.result.structuredContent.confirmation;
      expect(url).toBe(`https://switchboard.example.com/confirm/${id}`);
      const { csrf, cookie } = await strangerSeesNoMoreThanTheState(base, `/confirm/${id}`, host);
      const origin = { ...host, origin: 'https://switchboard.example.com' };
      const post = (fields: Record<string, string>, cookies: string) =>
        sendForm(base, `/confirm/${id}`, { ...origin, cookie: cookies }, fields);
      const signed = await post({ csrf, act: 'signin', token: 'token-of-ana' }, cookie);
      expect(signed.status).toBe(303);
      expect(String(signed.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict; Secure/);
      const session = cookieOf(signed);
      const page = await ask(base, `/confirm/${id}`, { ...host, cookie: session });
      expect(page.text).toContain(seeded(7));
      const done = await post({ csrf: csrfOf(page), act: 'confirm' }, `${session}; ${cookieOf(page)}`);
      expect(done.text).toContain('Done.');
      expect(done.text).toContain('ana');
    });

    it.each(['1.0', '1.1'] as const)(
      'plain, over HTTP/%s, with a public address and no tokens: nobody is local',
      async (version) => {
        const { port: upstream } = await start({ PUBLIC_URL: 'https://switchboard.example.com' });
        const base = `http://127.0.0.1:${await plain(upstream, version)}`;
        await strangerGetsNothing(base);
        const refused = await rpc(base, INITIALIZE);
        expect(refused.status).toBe(401);
        expect(refused.text).toContain('MCP_HTTP_TOKENS');
      },
      40_000,
    );

    it('plain as nginx does it by default, and nothing set: a stranger is not taken for this computer', async () => {
      const { port: upstream } = await start({});
      await strangerGetsNothing(`http://127.0.0.1:${await plain(upstream, '1.0')}`);
      expect((await rpc(`http://127.0.0.1:${upstream}`, INITIALIZE)).status).toBe(200);
    });

    it('plain over HTTP/1.1, and nothing set: the address of a confirmation still confirms nothing', async () => {
      const { port: upstream } = await start({});
      const asked = JSON.parse((await rpc(`http://127.0.0.1:${upstream}`, reactivate)).text) as Json;
      const { id } = asked.result.structuredContent.confirmation;
      const page = await ask(`http://127.0.0.1:${await plain(upstream, '1.1')}`, `/confirm/${id}`);
      expect(page.text).toContain('Waiting for your decision.');
      expect(page.text).not.toMatch(/<form|5 USD/);
      expect(page.text).not.toContain(seeded(7));
    });
  },
);
