import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from '../../support/folder.ts';
import { runCli } from '../../support/process.ts';

let folder: ReturnType<typeof makeFolder>;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

it.each([
  [['--url', 'http://sb.example.com'], 'url: '],
  [['--url', 'https://sb.example.com', '--route', 'main'], 'MessageRouteId: '],
])('ends with the status of a wrong input: %j', async (args, named) => {
  const { code, err } = await runCli(['webhooks', 'sync', ...args, '--yes'], folder.path, { LOG_LEVEL: 'info' });
  expect(code).toBe(2);
  expect(err).toContain(named);
});

it('shows each change, with the address before and after, before its one question', async () => {
  const args = ['--url', 'https://sb.example.com', '--route', 'MRID-00000000-0000-4000-8000-000000000001'];
  const { code, err } = await runCli(['webhooks', 'sync', ...args, '--yes'], folder.path, {});
  expect(code).toBe(0);
  expect(err).toMatch(/Webhook URL: https:\/\/sb\.example\.com\/events\/platform/);
  expect(err).toMatch(/https:\/\/example\.invalid\/messages → https:\/\/sb\.example\.com\/events\/messages/);
  expect(err).toContain('Authentication password: ••• (not shown)');
});
