import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { runCli } from '../support/process.ts';

const TOKENS = { MCP_HTTP_TOKENS: `desk:operator:${'a'.repeat(32)},ana:approver:${'b'.repeat(32)}` };

let folder: ReturnType<typeof makeFolder>;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

// 192.0.2.0/24 is reserved for documentation, so no computer has an address of it.
it.each(['[::1]', '192.0.2.1', 'bad host!'])('names HOST if it is no address of this computer: %s', async (host) => {
  const { code, err } = await runCli(['start'], folder.path, { ...TOKENS, HOST: host, PORT: '0' });
  expect(code).toBe(2);
  expect(err).toContain(`HOST ${host} is no address of this computer`);
  expect(err).not.toMatch(/\n +at /);
});
