import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runWebhooks } from '../../../src/start/commands/webhooks.ts';
import { makeFolder } from '../../support/folder.ts';
import { controlSandbox, onSandbox, openSandbox } from '../../support/on-sandbox.ts';
import { runCli } from '../../support/process.ts';

const folder = makeFolder();

it.each([
  [['--url', 'http://sb.example.com'], 'url: '],
  [['--url', 'https://sb.example.com', '--route', 'main'], 'MessageRouteId: '],
])('ends with the status of a wrong input: %j', async (args, named) => {
  const { code, err } = await runCli(['webhooks', 'sync', ...args, '--yes'], folder, { LOG_LEVEL: 'info' });
  expect(code).toBe(2);
  expect(err).toContain(named);
});

it('is refused with an error document where the terminal may not confirm', async () => {
  const { code, err } = await runCli(['webhooks', 'sync', '--url', 'https://sb.example.com'], folder, {
    CONFIRM_VIA: 'page',
  });
  expect([code, JSON.parse(err).error]).toMatchObject([3, { code: 'not_confirmed', outcome: 'not_done' }]);
});

it('shows each change, with the address before and after, before its one question', async () => {
  const args = ['--url', 'https://sb.example.com', '--route', 'MRID-00000000-0000-4000-8000-000000000001'];
  const { code, err } = await runCli(['webhooks', 'sync', ...args, '--yes'], folder, {});
  expect(code).toBe(0);
  expect(err).toMatch(/Webhook URL: https:\/\/sb\.example\.com\/events\/platform/);
  expect(err).toMatch(/https:\/\/example\.invalid\/messages → https:\/\/sb\.example\.com\/events\/messages/);
  expect(err).toContain('Authentication password: ••• (not shown)');
});

it('does not send a change that is another one by its turn', async () => {
  const MRID = 'MRID-00000000-0000-4000-8000-000000000001';
  const sandbox = await openSandbox();
  const settings = { ...onSandbox(sandbox.url), DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
  });
  const terminal = () => Object.assign(new PassThrough(), { isTTY: true });
  const [stdin, stdout, stderr] = [terminal(), terminal(), new PassThrough()];
  stderr.on('data', (chunk) => {
    if (!String(chunk).includes('[y/N] ')) return;
    const MessageUrl = 'https://one.example.com/in';
    sandbox.perform('/v1.0/message/routes/update', { MessageRouteId: MRID, MessageUrl, MessageUrlMethod: 'POST' });
    stdin.write('y\n');
  });
  const args = ['sync', '--url', 'https://sb.example.com', '--route', MRID];
  expect(await runWebhooks(args, { stdin, stdout, stderr })).toBe(1);
  expect(String(stdout.read())).toMatch(
    /Not done: Point message route.*Run it again to agree to the change as it is now/,
  );
  const state = JSON.stringify(await controlSandbox(sandbox.url, 'state'));
  expect(state).toContain('"MessageUrl":"https://one.example.com/in"');
});
