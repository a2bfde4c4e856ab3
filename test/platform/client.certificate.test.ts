import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { expect, it } from 'vitest';
import { selfSigned } from '../support/certificate.ts';
import { FakeClock } from '../support/clock.ts';
import { listen } from '../support/ending.ts';
import { describeWith, program } from '../support/programs.ts';
import { CHANGE, call, faceOf, makeClient, READ } from './support.ts';

describeWith({ openssl: program('openssl') }, 'a platform with a certificate of a private CA', ({ openssl = '' }) => {
  /** Starts an HTTPS server with a self-signed certificate. */
  async function platform(): Promise<{ url: string; asked: () => number }> {
    const { key, cert } = selfSigned(openssl, '127.0.0.1');
    let asked = 0;
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) => {
      asked += 1;
      response.end('{}');
    });
    const url = (await listen(server)).replace('http', 'https');
    return { url, asked: () => asked };
  }

  it.each([READ, CHANGE])('is refused at once with the setting that helps, and nothing is sent', async (what) => {
    const { url, asked } = await platform();
    const clock = new FakeClock();
    const face = await faceOf(makeClient(clock, url).send(call(clock, what)));
    expect(face).toMatchObject({ code: 'network', outcome: 'not_done' });
    expect(face.message).toContain('NODE_EXTRA_CA_CERTS');
    expect(face.message).toMatch(/certificate is not accepted \([A-Z_]+\)/);
    expect(asked()).toBe(0);
  });
});
