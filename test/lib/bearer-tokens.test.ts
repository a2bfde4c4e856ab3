import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAttempts } from '../../src/lib/attempts.ts';
import { BearerTokens, isRefusal } from '../../src/lib/bearer-tokens.ts';
import { systemClock } from '../../src/lib/clock.ts';

describe('wrong tokens at /readyz and /metrics', () => {
  let server: Server;
  let base: string;
  let held: number[];
  let logged: string[];
  beforeEach(async () => {
    held = [];
    logged = [];
    const attempts = createAttempts(
      {
        ...systemClock,
        // Waiting costs no time here.
        setTimeout: (run, ms) => {
          held.push(ms);
          return systemClock.setTimeout(run, 0);
        },
      },
      (_level, _fields, message) => void logged.push(message),
    );
    const MCP_HTTP_TOKENS = [{ name: 'vera', role: 'viewer' as const, token: 'token-of-vera' }];
    const bearers = new BearerTokens({ config: { MCP_HTTP_TOKENS, public: true }, attempts });
    server = createServer((request, response) => {
      bearers.callerOf(request).then(
        (caller) => response.writeHead(isRefusal(caller) ? caller.status : 200).end(),
        () => response.destroy(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });
  const ask = async (token: string) =>
    (await fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status;

  it('are answered late, and a monitor that came before goes on undisturbed', async () => {
    expect(await ask('token-of-vera')).toBe(200);
    for (let n = 0; n < 12; n += 1) expect(await ask(`guess-${n}`)).toBe(401);
    expect(held).toEqual([5000, 5000]);
    expect(logged).toEqual([expect.stringContaining('repeated wrong tokens')]);
    expect(await ask('token-of-vera')).toBe(200);
    expect(held).toHaveLength(2);
  });

  it('whoever brings none is told at once', async () => {
    for (let n = 0; n < 12; n += 1) expect((await fetch(`${base}/readyz`)).status).toBe(401);
    expect(held).toEqual([]);
  });
});
