import { afterEach, expect, it } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { startCli } from '../support/process.ts';

/* The log of a server: its start, its stop and its failures. */

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const logged = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { msg: string });

it('names the address that it listens on, and logs start and stop', async () => {
  const folder = makeFolder();
  const running = startCli(['start'], folder.path, {
    PORT: '0',
    PUBLIC_URL: 'https://sb.example.com',
    MCP_HTTP_TOKENS: 'ana:approver:token-of-ana',
  });
  closers.push(folder.remove, () => running.stop('SIGKILL'));
  const [, address = ''] = await running.said(/listens on (\S+)\n/);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  expect(running.err()).toContain('Reached at     https://sb.example.com\n');
  await running.said(/Switchboard started/);
  expect(await running.stop('SIGTERM')).toBe(0);
  const lines = logged(running.err()).filter(({ msg }) => msg.startsWith('Switchboard'));
  const { pid } = running.child;
  expect(lines).toEqual([
    expect.objectContaining({ msg: 'Switchboard started', address, url: 'https://sb.example.com', pid }),
    expect.objectContaining({ msg: 'Switchboard is stopping', signal: 'SIGTERM', pid }),
    expect.objectContaining({ msg: 'Switchboard stopped', pid }),
  ]);
});
