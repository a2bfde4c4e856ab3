import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { runCli, startServer } from '../support/process.ts';

describe('as processes', () => {
  const place = makeFolder();

  it('a folder that somebody prepared does nothing to a command that runs in it', async () => {
    // An attacker's repository contains settings, a data folder with a key, and a ledger that claims decisions.
    const trap = join(place, 'trap');
    const data = join(trap, 'data');
    mkdirSync(data, { recursive: true, mode: 0o700 });
    writeFileSync(
      join(trap, '.env'),
      'PLATFORM_BASE_URL=https://evil.invalid\nPLATFORM_ACCOUNT_KEY=x\nPLATFORM_ACCOUNT_SECRET=x\nDATA_DIR=./data\nHOST=0.0.0.0\nPORT=nonsense\n',
    );
    writeFileSync(join(data, 'sealing.key'), Buffer.alloc(32, 7).toString('base64'));
    writeFileSync(join(data, 'server.json'), '{"url":"http://127.0.0.1:9","pid":1}');
    const before = readdirSync(data);
    // No DATA_DIR in the environment: the user's own state directory is used.
    const env = { XDG_STATE_HOME: join(place, 'state'), DATA_DIR: undefined, LOG_LEVEL: '' };
    const ran = await runCli(['call', 'numbers_get', 'PhoneNumber=+12015550101'], trap, env);
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(ran.out)).toMatchObject({ Number: '+12015550101' });
    expect(readdirSync(data)).toEqual(before);
    expect(existsSync(join(place, 'state', 'switchboard', 'demo', 'switchboard.db'))).toBe(true);
  });

  it('does not start for others without credentials', async () => {
    const own = makeFolder();
    const ran = await runCli(['start'], own, { HOST: '0.0.0.0', PORT: '0' });
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/^HOST 0\.0\.0\.0 can be reached .*MCP_HTTP_TOKENS[^\n]*\n$/);
  });

  it('names the command for a key where nobody reads a terminal, and prints one where it is asked for', async () => {
    const { running, url, folder: own } = await startServer();
    await running.said(/Confirmations/);
    expect(running.err()).toContain('switchboard key');
    expect([running.err().includes('?key='), running.out()]).toEqual([false, '']);
    const key = await runCli(['key'], own, {});
    expect(key.code).toBe(0);
    expect(key.out).toMatch(new RegExp(`^${url}/confirm\\?key=[\\w-]{43}\n$`));
    const tokens = await runCli(['key'], own, { MCP_HTTP_TOKENS: 'a:approver:12345678' });
    expect(tokens).toMatchObject({ code: 2, out: '', err: expect.stringContaining('MCP_HTTP_TOKENS') });
    const outside = await runCli(['key'], own, { PUBLIC_URL: 'https://sb.example.com' });
    expect(outside).toMatchObject({ code: 2, out: '', err: expect.stringContaining('PUBLIC_URL on loopback') });
  });
});
