import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { selfSigned } from '../support/certificate.ts';
import { describeWith, program } from '../support/programs.ts';
import { CHANGE, call, FakeClock, faceOf, makeClient, READ } from './support.ts';

describeWith({ openssl: program('openssl') }, 'a platform with a certificate of a private CA', ({ openssl = '' }) => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean();
  });

  /** Starts an HTTPS server with a self-signed certificate. */
  async function platform(): Promise<{ url: string; asked: () => number }> {
    const { key, cert, remove } = selfSigned(openssl, '127.0.0.1');
    cleanups.push(remove);
    let asked = 0;
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) => {
      asked += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => new Promise((resolve) => server.close(resolve)));
    return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
  }

  it.each([READ, CHANGE])('is refused at once with the setting that helps, and nothing is sent', async (what) => {
    const { url, asked } = await platform();
    const clock = new FakeClock();
    const face = await faceOf(makeClient(clock, url).send(call(clock, what)));
    expect(face).toMatchObject({ code: 'network', outcome: 'not_done' });
    expect(face.message).toContain('NODE_EXTRA_CA_CERTS');
    expect(face.message).toMatch(/not signed by an authority that this computer trusts \([A-Z_]+\)/);
    expect(asked()).toBe(0);
  });
});
