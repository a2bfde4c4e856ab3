import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemTime } from '../../../src/demo/sandbox/clock.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/demo/sandbox/index.ts';

export const NOON = '2026-03-02T12:00:00.000Z';
export const UUID = '00000000-0000-4000-8000-0000000000';
export const id = (prefix: string, n: number): string => `${prefix}-${UUID}${String(n).padStart(2, '0')}`;
export const A1 = id('AID', 1);
export const A2 = id('AID', 2);
export const MRID = id('MRID', 1);
export const CRID = id('CRID', 1);
export const TSUID = id('TSUID', 1);
export const ORDER = id('JNUOID', 1);
export const seeded = (n: number): string => `+120155501${String(n).padStart(2, '0')}`;

/** The JSON of an answer, untyped because its shape is what a test checks. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Reply {
  status: number;
  type: string;
  headers: Headers;
  text: string;
  body: Json;
}

async function reply(response: Response): Promise<Reply> {
  const text = await response.text();
  let body: Json = null;
  try {
    body = JSON.parse(text);
  } catch {
    body = null;
  }
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type: type.split(';')[0] ?? '', headers: response.headers, text, body };
}

/** A sandbox and a distributor's client of it: tokens are got by themselves, one per path. */
export class Client {
  readonly sandbox: Sandbox;
  private readonly tokens = new Map<string, string>();

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  /** Starts a sandbox whose clock is frozen until the test moves it, however long the test takes. Its timers run. */
  static async start(options: SandboxOptions = {}): Promise<Client> {
    const clock = { ...systemTime, now: () => Date.parse(NOON) };
    return new Client(await startSandbox({ now: NOON, clock, ...options }));
  }

  async raw(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    return reply(
      await fetch(`${this.sandbox.url}${path}`, { method, headers, ...(text !== undefined && { body: text }) }),
    );
  }

  async token(path: string, who: 'sandbox' | 'other' = 'sandbox'): Promise<string> {
    const answer = await this.raw('POST', '/v1.0/oauth2/tokens', {
      AccountKey: `DID-${who}`,
      AccountSecret: `${who}-secret`,
      ApiEndpoint: `${this.sandbox.url}${path}`,
    });
    return String(answer.body.token);
  }

  async call(method: string, path: string, body?: unknown, who: 'sandbox' | 'other' = 'sandbox'): Promise<Reply> {
    const scope = path.split('?')[0] ?? path;
    const token = this.tokens.get(`${who} ${scope}`) ?? (await this.token(scope, who));
    this.tokens.set(`${who} ${scope}`, token);
    return this.raw(method, path, body, { Authorization: `Bearer ${token}` });
  }

  get(path: string, who?: 'sandbox' | 'other'): Promise<Reply> {
    return this.call('GET', path, undefined, who);
  }

  post(path: string, body: unknown, who?: 'sandbox' | 'other'): Promise<Reply> {
    return this.call('POST', path, body, who);
  }

  control(what: string, body?: unknown): Promise<Reply> {
    return this.raw(body === undefined ? 'GET' : 'POST', `/sandbox/${what}`, body);
  }

  advance(by: string): Promise<Reply> {
    return this.control('clock', { advance: by });
  }

  async state(): Promise<Json> {
    return (await this.control('state')).body;
  }

  async number(e164: string): Promise<Json> {
    return (await this.get(`/v1.0/numbers?PhoneNumber=${encodeURIComponent(e164)}`)).body;
  }

  forgetTokens(): void {
    this.tokens.clear();
  }

  close(): Promise<void> {
    return this.sandbox.close();
  }
}

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/**
 * Starts a receiver on loopback. It keeps the requests that it gets, and answers with the given statuses, then with
 * 200.
 */
export async function receiver() {
  const received: Received[] = [];
  const answers: number[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { method = '', url = '', headers } = req;
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      res.writeHead(answers.shift() ?? 200).end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    answers,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export const PROVISION = {
  MessageRouteId: MRID,
  NumberType: 'mvno',
  MessageType: 'a2p',
  MessageEnabled: true,
  VoiceEnabled: false,
  ProductType: 'Sms+Data',
  AreaCode: '415',
};

export const portIn = (number: string, rest: Record<string, unknown> = {}) => ({
  PortInNumber: number,
  CurrentCarrierName: 'Lakeside',
  CurrentAccountNumber: '4651',
  CurrentAccountPassword: '0550',
  CurrentBillingAddress: { Street1: '1 Main St', City: 'Chicago', State: 'IL', Zip: '60601' },
  AccountId: A1,
  ...rest,
});
