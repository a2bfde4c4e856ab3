import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { startSandbox } from '../../src/sandbox/index.ts';
import { openDatabase } from '../../src/store/database.ts';
import { CLI, ROOT } from '../support/build.ts';
import { type Fate, openLatePlatform } from '../support/late-platform.ts';
import { environment } from '../support/process.ts';
import { A1, type Json, PROVISION, seeded, until } from '../support/world.ts';
import { type AuditNote, disagreements, type LedgerAction } from './agreement.ts';

const STEP_MS = 30_000;
/** Longer than an owner may be silent before its actions are taken up. */
const SILENCE_MS = 45_000;
/** Longer than PLATFORM_SETTLE_SECONDS. */
const SETTLED_MS = 6 * 60_000;
const ACTORS = ['ann', 'bob'] as const;
const FATES: readonly Fate[] = ['cut-late', 'cut-done', 'cut-lost'];

export interface Report {
  figures: Record<string, number>;
  /** What ledger, platform and audit trail do not agree on; empty is what is wanted. */
  wrong: string[];
}

interface Running {
  child: ChildProcess;
  clients: Map<string, Client>;
  receipts: string;
}

/**
 * Minutes of the platform's clock with random faults and kills of the process, the same for the same seed; then all
 * that is open is looked into, and ledger, platform and audit trail are compared.
 */
export async function soak(options: { seed: number; minutes: number }): Promise<Report> {
  const random = randomFrom(options.seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const chance = (share: number) => random() < share;
  const folder = mkdtempSync(join(tmpdir(), 'sb-soak-'));
  const shiftFile = join(folder, 'shift');
  const sandbox = await startSandbox({ port: 0 });
  const platform = await openLatePlatform();
  platform.target = sandbox.url;
  const figures: Record<string, number> = { steps: 0, calls: 0, faults: 0, kills: 0, answers: 0, unknowns: 0 };
  const add = (what: string) => {
    figures[what] = (figures[what] ?? 0) + 1;
  };
  let shift = 0;
  let texts = 0;
  const lateUntil: number[] = [];
  writeFileSync(shiftFile, '0');

  const control = async (path: string, body: unknown) => {
    const answer = await fetch(`${sandbox.url}/sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`/sandbox/${path}: ${await answer.text()}`);
  };
  /** Both clocks, the product's first: what the platform dates must not lie in its future. */
  const advance = async (ms: number) => {
    shift += ms;
    writeFileSync(shiftFile, String(shift));
    await control('clock', { advance: `${ms}ms` });
  };

  async function start(): Promise<Running> {
    const child = spawn(process.execPath, ['--import', join(ROOT, 'test/soak/shift.mjs'), CLI, 'start'], {
      cwd: folder,
      env: environment(folder, {
        PLATFORM_BASE_URL: platform.url,
        PLATFORM_ACCOUNT_KEY: 'DID-sandbox',
        PLATFORM_ACCOUNT_SECRET: 'sandbox-secret',
        PLATFORM_REQUESTS_PER_MINUTE: '5000',
        MCP_HTTP_TOKENS: ACTORS.map((name) => `${name}:approver:${name}-token-1`).join(','),
        EVENTS_TOKEN: 'receipts-token',
        PORT: '0',
        LOG_LEVEL: 'error',
        SOAK_SHIFT_FILE: shiftFile,
      }),
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const url = await until(
      () => /listens on (http:\S+)/.exec(said)?.[1] ?? (child.exitCode === null ? undefined : `ended: ${said}`),
      Boolean,
      20_000,
    );
    if (!url?.startsWith('http')) throw new Error(url);
    const clients = new Map<string, Client>();
    for (const name of ACTORS) {
      const client = new Client({ name, version: '1' }, { capabilities: { elicitation: {} } });
      client.setRequestHandler(ElicitRequestSchema, () =>
        chance(0.1) ? { action: 'decline' as const } : { action: 'accept' as const, content: {} },
      );
      const headers = { authorization: `Bearer ${name}-token-1` };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
      clients.set(name, client);
    }
    return { child, clients, receipts: `${url}/events/message-status` };
  }

  async function kill(running: Running): Promise<void> {
    const ended = new Promise((resolve) => running.child.once('close', resolve));
    running.child.kill('SIGKILL');
    await ended;
    for (const client of running.clients.values()) await client.close().catch(() => undefined);
  }

  /** One call; whatever it answers is read from the ledger in the end. */
  async function call(running: Running, name: string, input: Record<string, unknown>): Promise<Json> {
    add('calls');
    const client = running.clients.get(pick(ACTORS));
    const answer = await client
      ?.callTool({ name, arguments: input })
      .catch((error: unknown) => ({ lost: String(error) }));
    const outcome = (answer as Json)?._meta?.['switchboard/error']?.outcome;
    add(outcome === 'unknown' ? 'unknowns' : 'answers');
    return answer;
  }

  function work(): { name: string; input: Record<string, unknown>; path: string } {
    const number = seeded(pick([3, 4, 5]));
    const recent = `Text ${chance(0.8) ? ++texts : Math.max(1, texts)}`;
    return pick([
      { name: 'numbers_provision', input: PROVISION, path: '/v1.0/numbers/provision' },
      {
        name: 'numbers_cancel',
        input: { PhoneNumbers: [{ Number: number }] },
        path: '/v1.0/numbers/cancel-order-submit',
      },
      { name: 'numbers_reactivate', input: { PhoneNumber: number, AccountId: A1 }, path: '/v1.0/numbers/reactivate' },
      {
        name: 'message_outbound',
        input: { To: [{ Number: '+12015550199' }], From: seeded(1), Body: recent },
        path: '/v1.0/message/outbound',
      },
    ]);
  }

  /** Half of the calls meet a fault: at the proxy, or an error status of the sandbox. */
  async function trouble(path: string): Promise<void> {
    if (chance(0.5)) return;
    add('faults');
    if (chance(0.4)) return control('faults', { path, times: 1, status: pick([429, 500, 503, 504]), retryAfter: 400 });
    const fate = pick(FATES);
    platform.next(path, fate);
    if (fate === 'cut-late') lateUntil.push(shift + Math.ceil(random() * 6) * STEP_MS);
  }

  let running = await start();
  try {
    const steps = (options.minutes * 60_000) / STEP_MS;
    for (; (figures.steps ?? 0) < steps; add('steps')) {
      const { name, input, path } = work();
      if (!chance(0.15)) {
        await trouble(path);
        const calling = call(running, name, input);
        if (chance(0.12)) {
          // In the middle of a call, wherever it is by then.
          await new Promise((resolve) => setTimeout(resolve, random() * 60));
          add('kills');
          await kill(running);
          await calling;
          await advance(SILENCE_MS);
          running = await start();
        } else await calling;
      }
      if (lateUntil.some((at) => at <= shift)) {
        lateUntil.length = 0;
        await platform.release();
      }
      await advance(STEP_MS);
    }
    await platform.release();
    const wrong = await conclude(running);
    return { figures, wrong };
  } finally {
    await kill(running);
    await platform.close();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }

  /** Looks into all that is open until reading has nothing more to tell, then compares. */
  async function conclude(last: Running): Promise<string[]> {
    const db = openDatabase(join(folder, 'data', 'ledger.db'), '', { durable: false });
    const rows = () =>
      db
        .all<Record<string, string | null>>(
          'SELECT id, operation, state, shown, result FROM actions ORDER BY created_at',
        )
        .map((row): LedgerAction => {
          const { id, operation, state, shown, result } = row;
          return {
            id: id ?? '',
            operation: operation ?? '',
            state: state ?? '',
            shown: JSON.parse(shown ?? '{}'),
            result: JSON.parse(result ?? 'null'),
          };
        });
    const receipts = (await state()).messages.filter((row: Json) => row.Direction === 'OUTBOUND');
    for (const message of receipts) {
      const headers = { 'content-type': 'application/json', authorization: 'Bearer receipts-token' };
      await fetch(last.receipts, {
        method: 'POST',
        headers,
        body: JSON.stringify({ ...message, To: message.To.join(',') }),
      });
    }
    for (let round = 0; round < 3; round += 1) {
      await advance(SETTLED_MS);
      for (const { id } of rows().filter((action) => action.state === 'unknown'))
        await last.clients.get('ann')?.callTool({ name: 'confirmations_get', arguments: { id } });
    }
    const actions = rows();
    for (const action of actions) add(`ended ${action.state}`);
    const audit = db.all<AuditNote>('SELECT action, what FROM audit ORDER BY seq');
    const wrong = disagreements(actions, audit, await state());
    db.close();
    return wrong;
  }

  async function state(): Promise<Json> {
    return (await fetch(`${sandbox.url}/sandbox/state`)).json();
  }
}

/** mulberry32: small, and the same on every machine. */
function randomFrom(seed: number): () => number {
  let at = seed >>> 0;
  return () => {
    at = (at + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(at ^ (at >>> 15), at | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
