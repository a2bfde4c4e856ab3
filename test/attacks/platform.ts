import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

export interface Scripted {
  status?: number;
  body: unknown;
}

/** A platform that gives a test's answers, path by path. Tokens are opaque and long enough to be found again. */
export async function hostilePlatform() {
  const answers = new Map<string, (input: Record<string, unknown>) => Scripted>();
  const tokens: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      const text = Buffer.concat(chunks).toString();
      // A client of another test, which ended, may still write to this port. It sends forms.
      const isJson = request.headers['content-type']?.includes('json') === true;
      const input = (text === '' || !isJson ? {} : JSON.parse(text)) as Record<string, unknown>;
      if (path === '/v1.0/oauth2/tokens') {
        const token = `opaque.token/${tokens.length}+of=the-platform`;
        tokens.push(token);
        const tokenExpiry = '12/31/2099 11:59:59 PM';
        response.end(JSON.stringify({ token, successful: true, tokenExpiry }));
        return;
      }
      const { status = 200, body } = answers.get(path)?.(input) ?? { status: 404, body: 'unknown' };
      response.writeHead(status);
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    tokens,
  };
}
