import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { begin } from '../support/messages.ts';
import { type Running, runCli, startCli } from '../support/process.ts';
import { until } from '../support/world.ts';

/* Every user of a computer can read the arguments of all processes: a one-time key in them would pair a stranger's browser. */

const KEY = /[\w-]{43}/;

let folder: string;
let browser: string;
let running: Running | undefined;
beforeEach(() => {
  folder = makeFolder();
  mkdirSync(join(folder, 'bin'));
  browser = join(folder, 'bin', 'xdg-open');
  writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$@" >> ${folder}/opened\nsleep 2\n`);
  chmodSync(browser, 0o755);
});

const display = () => ({ DISPLAY: ':0', PATH: `${join(folder, 'bin')}:/usr/bin:/bin` });
const opened = () => {
  const path = join(folder, 'opened');
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
};
const fileIn = (target: string) => target.replace(/^file:\/\//, '');

/** Reads the process list until `isDone`, as a stranger does. */
async function watch(isDone: () => boolean): Promise<Set<string>> {
  const lines = new Set<string>();
  await until(() => {
    // The browser notes its start only after it has started, and runs for a while. So one more look follows after the
    // note.
    const isLast = isDone();
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        if (line.includes(folder)) lines.add(line);
      } catch {
        // The process has ended meanwhile.
      }
    return isLast;
  }, 'a page in the browser');
  return lines;
}

/** The page that was opened, and what posting its form answers, with the headers of a browser. */
async function post(path: string, key?: string) {
  const html = readFileSync(path, 'utf8');
  const action = /action="([^"]+)"/.exec(html)?.[1] ?? '';
  const body = new URLSearchParams({ key: key ?? /name="key" value="([^"]+)"/.exec(html)?.[1] ?? '' });
  const headers = { origin: 'null', 'sec-fetch-site': 'cross-site' };
  return { action, answer: await fetch(action, { method: 'POST', redirect: 'manual', headers, body }) };
}

function expectPrivate(path: string): void {
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
}

describe.runIf(existsSync('/proc/self/cmdline'))('the key of a browser that Switchboard opens', () => {
  it('is in no argument of switchboard key --open, and pairs the browser once', async () => {
    running = startCli(['start'], folder, { PORT: '0' });
    await running.said(/Confirmations/);
    const ran = runCli(['key', '--open'], folder, { ...display(), PORT: '0' });
    const lines = await watch(() => opened() !== '');
    expect(await ran).toMatchObject({ code: 0, out: '' });
    const path = fileIn(opened());
    const key = KEY.exec(/value="([^"]+)"/.exec(readFileSync(path, 'utf8'))?.[1] ?? '')?.[0] ?? '';
    expect(key).not.toBe('');
    expect([...lines].join('\n')).toContain(path);
    expect([...lines].join('\n')).not.toContain(key);
    expectPrivate(path);
    const { answer } = await post(path);
    expect(answer.status).toBe(303);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^sb_session_.*HttpOnly; SameSite=Strict$/);
    expect((await post(path)).answer.status).toBe(403);
    expect(running.err()).not.toContain(key);
  });

  it('is in the link that is printed where no browser can be started', async () => {
    rmSync(browser);
    const env = { DISPLAY: ':0', PATH: join(folder, 'bin'), PORT: '3999' };
    const { code, out, err } = await runCli(['key', '--open'], folder, env);
    expect([code, out.trim()]).toEqual([0, expect.stringMatching(/^http:\/\/127\.0\.0\.1:3999\/confirm\?/)]);
    expect(err).toContain('No browser can be opened on this machine');
  });

  it('is needed: a form of a local file without it pairs and decides nothing', async () => {
    running = startCli(['start'], folder, { PORT: '0' });
    const url = (await running.said(/listens on (http:[\w.:/]+)/))[1] ?? '';
    await running.said(/Confirmations/);
    const send = (path: string, body: Record<string, string>) =>
      fetch(`${url}${path}`, { method: 'POST', headers: { origin: 'null' }, body: new URLSearchParams(body) });
    for (const body of [{}, { key: '' }, { key: 'x'.repeat(43) }, { act: 'confirm' }, { token: 'guess' }])
      expect([body, (await send('/confirm', body as Record<string, string>)).status]).toEqual([body, 403]);
    const other = await fetch(`${url}/confirm`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new URLSearchParams({ key: 'x' }),
    });
    expect(other.status).toBe(403);
  });
});

it('pairs a browser with switchboard mcp before its first question', async () => {
  running = startCli(['mcp'], folder);
  await begin(running);
  const link = await until(async () => {
    const { out, err } = await runCli(['key'], folder, { PORT: '0' });
    return err.includes('PORT is 0') ? '' : out.trim();
  });
  const answer = await fetch(link, { redirect: 'manual' });
  expect(answer.status).toBe(303);
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const page = await fetch(new URL('/confirm', link), { headers: { cookie } });
  expect(await page.text()).toContain('signed in as');
});
