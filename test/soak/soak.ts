import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../src/demo/sandbox/index.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { type Fate, type LatePlatform, openLatePlatform } from '../support/late-platform.ts';
import { A1, type Json, PROVISION, seeded } from '../support/world.ts';
import { type AuditNote, disagreements, type LedgerAction } from './agreement.ts';
import { ACTORS, Product, RECEIPTS_TOKEN } from './product.ts';

const STEP_MS = 30_000;
/** Longer than an owner may be silent before its actions are taken up. */
const SILENCE_MS = 45_000;
/** Longer than PLATFORM_SETTLE_SECONDS. */
const SETTLED_MS = 6 * 60_000;
const FATES: readonly Fate[] = ['cut-late', 'cut-done', 'cut-lost'];

export interface Report {
  figures: Record<string, number>;
  /** What ledger, platform and audit trail do not agree on; empty is what is wanted. */
  wrong: string[];
}

/**
 * Minutes of the platform's clock with random faults and kills of the process; what is chosen is the same for the same
 * seed. Then all that is open is looked into, and ledger, platform and audit trail are compared.
 */
export async function soak(options: { seed: number; minutes: number }): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'sb-soak-'));
  const sandbox = await startSandbox({ port: 0 });
  const platform = await openLatePlatform();
  platform.target = sandbox.url;
  const run = new Soak(randomFrom(options.seed), folder, sandbox, platform);
  try {
    return await run.run((options.minutes * 60_000) / STEP_MS);
  } finally {
    await run.product.kill();
    await platform.close();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Soak {
  readonly product: Product;
  private readonly random: () => number;
  private readonly folder: string;
  private readonly sandbox: Sandbox;
  private readonly platform: LatePlatform;
  private readonly figures: Record<string, number> = { steps: 0, calls: 0, faults: 0, kills: 0 };
  /** When the work of cut connections is done, by the product's clock. */
  private late: number[] = [];
  private texts = 0;

  constructor(random: () => number, folder: string, sandbox: Sandbox, platform: LatePlatform) {
    this.random = random;
    this.folder = folder;
    this.sandbox = sandbox;
    this.platform = platform;
    const person = () => (this.chance(0.1) ? 'decline' : 'accept');
    this.product = new Product({ folder, platformUrl: platform.url, person });
  }

  async run(steps: number): Promise<Report> {
    await this.product.start();
    for (let step = 0; step < steps; step += 1) {
      this.count('steps');
      if (!this.chance(0.15)) await this.work();
      if (this.late.some((at) => at <= this.product.ahead)) await this.release();
      await this.advance(STEP_MS);
    }
    await this.release();
    const wrong = await this.conclude();
    return { figures: this.figures, wrong };
  }

  /** One call, perhaps with a fault, perhaps with a kill in the middle of it. */
  private async work(): Promise<void> {
    const { name, input, path } = await this.anyCall();
    if (this.chance(0.5)) await this.trouble(path);
    this.count('calls');
    const calling = this.product.call(this.pick(ACTORS), name, input);
    if (this.chance(0.12)) {
      await new Promise((resolve) => setTimeout(resolve, this.random() * 60));
      this.count('kills');
      await this.product.kill();
      await calling;
      await this.advance(SILENCE_MS);
      await this.product.start();
      return;
    }
    const answer = (await calling) as Json;
    this.count(`answered ${answer?._meta?.['switchboard/error']?.outcome ?? 'done'}`);
  }

  private async anyCall(): Promise<{ name: string; input: Record<string, unknown>; path: string }> {
    const number = seeded(this.pick([3, 4, 5]));
    const row = (await this.state()).numbers.find((one: Json) => one.Number === number);
    // Now and then the same text again: a repeat of an earlier call.
    if (this.texts === 0 || this.chance(0.8)) this.texts += 1;
    const Body = `Text ${this.texts}`;
    return this.pick([
      { name: 'numbers_provision', input: PROVISION, path: '/v1.0/numbers/provision' },
      row.Status === 'Active'
        ? {
            name: 'numbers_cancel',
            input: { PhoneNumbers: [{ Number: number }] },
            path: '/v1.0/numbers/cancel-order-submit',
          }
        : {
            name: 'numbers_reactivate',
            input: { PhoneNumber: number, AccountId: A1 },
            path: '/v1.0/numbers/reactivate',
          },
      {
        name: 'message_outbound',
        input: { To: [{ Number: '+12015550199' }], From: seeded(1), Body },
        path: '/v1.0/message/outbound',
      },
    ]);
  }

  /** The next request to this path meets a cut connection, or an error status of the sandbox. */
  private async trouble(path: string): Promise<void> {
    this.count('faults');
    if (this.chance(0.4)) {
      const status = this.pick([429, 500, 503, 504]);
      return this.control('faults', { path, times: 1, status, ...(status === 429 ? { retryAfter: 400 } : {}) });
    }
    const fate = this.pick(FATES);
    this.platform.next(path, fate);
    if (fate === 'cut-late') this.late.push(this.product.ahead + Math.ceil(this.random() * 6) * STEP_MS);
  }

  private async release(): Promise<void> {
    this.late = [];
    await this.platform.release();
  }

  /** Looks into all that is open until reading has nothing more to tell, then compares. */
  private async conclude(): Promise<string[]> {
    await this.deliverReceipts();
    const db = openDatabase(join(this.folder, 'data', 'ledger.db'), '', { durable: false });
    for (let round = 0; round < 3; round += 1) {
      await this.advance(SETTLED_MS);
      for (const { id } of actionsIn(db).filter((action) => action.state === 'unknown'))
        await this.product.call(ACTORS[0], 'confirmations_get', { id });
    }
    const actions = actionsIn(db);
    for (const action of actions) this.count(`ended ${action.state}`);
    const audit = db.all<AuditNote>('SELECT action, what FROM audit ORDER BY seq');
    db.close();
    return disagreements(actions, audit, await this.state());
  }

  private async deliverReceipts(): Promise<void> {
    const { messages } = await this.state();
    for (const message of messages.filter((row: Json) => row.Direction === 'OUTBOUND')) {
      const answer = await fetch(`${this.product.url}/events/message-status`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${RECEIPTS_TOKEN}` },
        body: JSON.stringify({ ...message, To: message.To.join(',') }),
      });
      if (!answer.ok) throw new Error(`a receipt was refused: ${answer.status}`);
    }
  }

  /** Both clocks, the product's first: what the platform dates must not lie in its future. */
  private async advance(ms: number): Promise<void> {
    this.product.forward(ms);
    await this.control('clock', { advance: `${ms}ms` });
  }

  private async control(path: string, body: unknown): Promise<void> {
    const answer = await fetch(`${this.sandbox.url}/sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`/sandbox/${path}: ${await answer.text()}`);
  }

  private async state(): Promise<Json> {
    return (await fetch(`${this.sandbox.url}/sandbox/state`)).json();
  }

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }

  private chance(share: number): boolean {
    return this.random() < share;
  }

  private count(what: string): void {
    this.figures[what] = (this.figures[what] ?? 0) + 1;
  }
}

function actionsIn(db: Database): LedgerAction[] {
  const rows = db.all<Record<keyof LedgerAction, string | null>>(
    'SELECT id, operation, state, shown, result FROM actions ORDER BY created_at',
  );
  return rows.map(({ id, operation, state, shown, result }) => ({
    id: id ?? '',
    operation: operation ?? '',
    state: state ?? '',
    shown: JSON.parse(shown ?? '{}'),
    result: JSON.parse(result ?? 'null'),
  }));
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
