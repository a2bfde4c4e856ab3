import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { cpuTimeOfProcess } from '../support/cpu.ts';
import { MODERN, metaOf, rpc } from '../support/messages.ts';

/** A request of the present protocol that opens a stream. */
export const LISTEN = {
  headers: { 'mcp-protocol-version': MODERN, 'mcp-method': 'subscriptions/listen' },
  body: JSON.stringify(
    rpc('subscriptions/listen', {
      notifications: { resourceSubscriptions: ['switchboard://messages/+12015550101'] },
      _meta: metaOf(),
    }),
  ),
};

/** A raw connection that keeps its answers. */
export class Raw {
  readonly socket: Socket;
  received = '';
  isClosed = false;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.on('data', (chunk) => {
      this.received += String(chunk);
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.isClosed = true;
    });
  }

  /** The status of each answer so far. */
  statuses(): number[] {
    return [...this.received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((match) => Number(match[1]));
  }

  /** Resolves when the text has been handed to the system. */
  write(text: string): Promise<void> {
    return new Promise((resolve) => void this.socket.write(text, () => resolve()));
  }
}

/** A POST as it is on the wire. A length beyond the body leaves the request unfinished. */
export function post(path: string, body: string, headers: Record<string, string> = {}, length = body.length): string {
  const all = { host: '127.0.0.1', 'content-type': 'application/json', 'content-length': String(length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** The resident memory of a process in MB. */
export function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Asks `/healthz` again and again on new connections, and remembers what the slowest answer took. */
export class HealthWatch {
  readonly #url: string;
  readonly #pid: number;
  readonly #running: Promise<void>;
  #isOver = false;
  /** The most processor time that the process used until an answer, in ms. */
  busiest = 0;

  constructor(url: string, pid: number) {
    this.#url = url;
    this.#pid = pid;
    this.#running = this.#run();
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const used = cpuTimeOfProcess(this.#pid);
      const answer = await fetch(`${this.#url}/healthz`, { headers: { connection: 'close' } });
      if (answer.status !== 200) throw new Error(`/healthz answered ${answer.status}`);
      await answer.text();
      this.busiest = Math.max(this.busiest, cpuTimeOfProcess(this.#pid) - used);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
