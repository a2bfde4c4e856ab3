import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { listen } from './ending.ts';

type Body = Record<string, unknown>;

/** A platform that answers any request as the test says. Tokens are always given. */
export interface Scripted {
  url: string;
  /** The answer of one path; a function is given the request's body and query, and its promise is waited for. */
  answer(path: string, body: object | ((sent: Body, query: URLSearchParams) => unknown), status?: number): void;
  /** Sets the answer of one path byte by byte, for an answer that is no JSON object. */
  raw(path: string, text: string, status?: number): void;
  /** Requests that arrived, token requests left out. */
  requests: { method: string; path: string; query: URLSearchParams; body: Body }[];
  /** Tokens that were given: opaque, and long enough to be found again. */
  tokens: string[];
}

/** An answer of the request stage of a cancellation. Its AuthCode is valid for five minutes from now. */
export const requested = (now: number, NumbersValid: unknown, NumbersInvalid: unknown = []) => ({
  OrderId: `JNUOID-${crypto.randomUUID()}`,
  AuthCode: 'S3CR3TCODE',
  ConsentStatement: 'I consent.',
  ExpiresAt: new Date(now + 300_000).toISOString(),
  NumbersValid,
  NumbersInvalid,
});

export async function scripted(): Promise<Scripted> {
  const answers = new Map<string, { body: unknown; status: number }>();
  const tokens: string[] = [];
  const raws = new Map<string, { text: string; status: number }>();
  const requests: Scripted['requests'] = [];
  const server = createServer((request, response) => {
    readJson(request)
      .then((body) => respond(request, body, response))
      .catch((error: unknown) => response.destroy(error as Error));
  });
  async function respond(request: IncomingMessage, body: Body, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const { pathname: path, searchParams: query } = new URL(url, 'http://localhost');
    const token = path.endsWith('/oauth2/tokens');
    if (!token) requests.push({ method, path, query, body });
    const raw = raws.get(path);
    if (raw) {
      response.writeHead(raw.status, { 'content-type': 'application/json' }).end(raw.text);
      return;
    }
    if (token) tokens.push(`opaque.token/${tokens.length}+of=the-platform`);
    const { body: set, status } = token
      ? { body: { successful: true, token: tokens.at(-1), tokenExpiry: '12/31/2099 11:59:59 PM' }, status: 200 }
      : (answers.get(path) ?? { body: { StatusCode: 404, Message: 'Not found' }, status: 404 });
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(typeof set === 'function' ? await set(body, query) : set));
  }
  return {
    url: await listen(server),
    answer: (path, body, status = 200) => {
      raws.delete(path);
      answers.set(path, { body, status });
    },
    raw: (path, text, status = 200) => void raws.set(path, { text, status }),
    requests,
    tokens,
  };
}

async function readJson(request: IncomingMessage): Promise<Body> {
  const text = await textOf(request);
  // A client of another test, which ended, may still write to this port. It sends forms.
  const isJson = request.headers['content-type']?.includes('json') === true;
  return text === '' || !isJson ? {} : (JSON.parse(text) as Body);
}
