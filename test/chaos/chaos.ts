import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { onSandbox } from '../support/on-sandbox.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { type Scripted, scripted } from '../support/scripted.ts';
import { until } from '../support/until.ts';
import { buildWorker, type Outcome, Worker } from './workers.ts';

/** An action as the database stores it. */
export interface StoredAction {
  id: string;
  state: string;
  body: string;
  createdAt: number;
}

const SEND = '/v1.0/message/outbound';
const NUMBER = { PhoneNumber: '+12015550101', Status: 'Active', MessageEnabled: true, VoiceEnabled: true };

/** The program of an installation's processes and a PostgreSQL server. Installations may share both. */
export interface Machine {
  program: { path: string; remove: () => void };
  server: PostgresServer;
}

/** A killed server loses nothing without fsync: only a crash of the whole machine would. */
export async function openMachine(): Promise<Machine> {
  const [program, server] = await Promise.all([buildWorker(), startPostgres({ fsync: 'off' })]);
  return { program, server };
}

/** An installation of several processes on one PostgreSQL server, before a platform that counts what it receives. */
export class Installation {
  readonly #folder: string;
  readonly #program: string;
  /** DATABASE_URL of a separate database. */
  readonly #url: string;
  readonly server: PostgresServer;
  readonly platform: Scripted;
  readonly workers: Worker[] = [];

  static async open({ program, server }: Machine): Promise<Installation> {
    const url = await server.database();
    return new Installation({ program: program.path, server, url, platform: await scripted() });
  }

  private constructor(parts: { program: string; server: PostgresServer; url: string; platform: Scripted }) {
    this.#folder = mkdtempSync(join(tmpdir(), 'switchboard-chaos-'));
    this.#program = parts.program;
    this.#url = parts.url;
    this.server = parts.server;
    const { platform } = parts;
    this.platform = platform;
    platform.answer('/v1.0/numbers/get', NUMBER);
    platform.answer('/v1.0/numbers/inventory', { Results: [NUMBER] });
    platform.answer(SEND, () => ({ MessageId: `MSG-${platform.requests.length}`, Status: 'Sent', Successful: true }));
  }

  /** Starts one more process, whose clock runs `shiftMs` ahead of the others'. */
  async start(shiftMs?: number): Promise<Worker> {
    const shiftFile = shiftMs === undefined ? undefined : join(this.#folder, `shift-${this.workers.length}`);
    if (shiftFile !== undefined) writeFileSync(shiftFile, String(shiftMs));
    const env = {
      ...onSandbox(this.platform.url),
      PLATFORM_REQUESTS_PER_MINUTE: '100000',
      PLATFORM_TIMEOUT_MS: '20000',
      PLATFORM_SETTLE_SECONDS: '20',
      CONFIRM_TTL_SECONDS: '3600',
      DATABASE_URL: this.#url,
    };
    const worker = new Worker(this.#program, this.#folder, env, shiftFile);
    this.workers.push(worker);
    await worker.ready;
    return worker;
  }

  /** Returns how often each message arrived at the platform, by its body. */
  sent(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { path, body } of this.platform.requests)
      if (path === SEND) counts.set(String(body.Body), (counts.get(String(body.Body)) ?? 0) + 1);
    return counts;
  }

  /** Resolves once the platform has received this many messages. */
  async sends(count: number): Promise<void> {
    await until(() => this.sent().size >= count, `${count} messages sent`, 60_000);
  }

  /** Every action of the ledger, read past the product. */
  async actions(): Promise<StoredAction[]> {
    const client = new pg.Client({ connectionString: this.#url });
    await client.connect();
    try {
      const { rows } = await client.query('SELECT id, state, shown, created_at FROM actions');
      return rows.map(({ id, state, shown, created_at }) => ({
        id,
        state,
        body: String((JSON.parse(shown) as { Body?: unknown }).Body),
        createdAt: Number(created_at),
      }));
    } finally {
      await client.end();
    }
  }

  /** The same, once no action is confirmed or being sent any more. `settle` is done before each look. */
  actionsSettled(settle?: () => Promise<unknown> | undefined): Promise<StoredAction[]> {
    const isOpen = ({ state }: StoredAction) => state === 'confirmed' || state === 'in_flight';
    return until(
      async () => {
        await settle?.();
        return this.actions();
      },
      (actions) => !actions.some(isOpen),
      90_000,
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.kill()));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export const bodies = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${name} ${n}`);

/** Counts the outcomes of each kind. */
export function tally(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { is } of outcomes) counts[is] = (counts[is] ?? 0) + 1;
  return counts;
}

/** Lets a few milliseconds pass, so that a process is killed at a moment that differs each time: no condition names it. */
export const moments = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
