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
