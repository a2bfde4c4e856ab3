import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Engine } from '../../src/store/types.ts';
import { onSandbox } from '../support/on-sandbox.ts';
import { type Scripted, scripted } from '../support/scripted.ts';
import { describeEngines, makeSchema } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { moments } from './chaos.ts';
import { buildWorker, type Outcome, Worker } from './workers.ts';

const isFull = process.env.CHAOS === 'full';
const SIZES = isFull ? { rows: 240, kills: 20 } : { rows: 12, kills: 1 };
const SEND = '/v1.0/numbers/reactivate';

const numbers = Array.from({ length: SIZES.rows }, (_, n) => `+1201556${String(n).padStart(4, '0')}`);
/** The platform's reactions to a number, chosen by its place in the list. A refusal would stop the batch for good. */
const fates = ['does it', 'late', 'cuts', 'changes'] as const;
const fateOf = (phone: string) => (fates as readonly string[])[(Number(phone.slice(-4)) % 8) - 3] ?? 'does it';

/** A platform with one cancelled number for each row. */
class Carrier {
  readonly platform: Scripted;
  readonly #active = new Set<string>();
  /** Numbers whose owner has changed. */
  readonly changed = new Set<string>();
  readonly sentAfterChange: string[] = [];

  private constructor(platform: Scripted) {
    this.platform = platform;
    platform.answer('/v1.0/numbers', () => this.#record(platform.requests.at(-1)?.query.get('PhoneNumber') ?? ''));
    platform.answer('/v1.0/account', () => ({
      AccountId: platform.requests.at(-1)?.query.get('AccountId'),
      AccountName: 'Acme',
    }));
    platform.answer(SEND, (body) => this.#reactivate(String(body.PhoneNumber)));
  }

  static async open(): Promise<Carrier> {
    return new Carrier(await scripted());
  }

  /** Returns how often each number was sent. */
  sent(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { path, body } of this.platform.requests)
      if (path === SEND) counts.set(String(body.PhoneNumber), (counts.get(String(body.PhoneNumber)) ?? 0) + 1);
    return counts;
  }

  #record(phone: string) {
    const Status = this.#active.has(phone) ? 'Active' : 'Cancelled - Pending Delete';
    return { PhoneNumber: phone, Status, AccountId: this.changed.has(phone) ? 'AID-2' : 'AID-1' };
  }

  async #reactivate(phone: string) {
    if (this.changed.has(phone)) this.sentAfterChange.push(phone);
    const fate = fateOf(phone);
    if (fate === 'late') await moments(150);
    this.#active.add(phone);
    if (fate === 'cuts') throw new Error('the connection is cut after the work was done');
    return { PhoneNumber: phone, Status: 'Success', Successful: true };
  }
}

describeEngines('a batch in two processes that are killed', (engine: Engine) => {
  let program: Awaited<ReturnType<typeof buildWorker>>;
  beforeAll(async () => {
    program = await buildWorker();
  });
  afterAll(() => program.remove());

  it('sends each row at most once, loses none, and sends none that has changed', {
    timeout: isFull ? 1_500_000 : 180_000,
  }, async () => {
    const carrier = await Carrier.open();
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-batches-'));
    const schema = engine === 'postgres' ? await makeSchema() : undefined;
    const env = {
      ...onSandbox(carrier.platform.url),
      PLATFORM_REQUESTS_PER_MINUTE: '100000',
      PLATFORM_TIMEOUT_MS: '20000',
      PLATFORM_SETTLE_SECONDS: '20',
      CONFIRM_TTL_SECONDS: '3600',
      DATA_DIR: folder,
      ...(schema && { DATABASE_URL: schema.url }),
    };
    const started: Worker[] = [];
    const start = async () => {
      const worker = new Worker(program.path, folder, env);
      started.push(worker);
      await worker.ready;
      return worker;
    };
    try {
      let [one, other] = [await start(), await start()];
      const [made] = await one.run({ do: 'batch', numbers });
      const id = made?.id ?? '';
      const rows = async (): Promise<Outcome[]> => other.run({ do: 'batch rows', id });
      await until(async () => (await rows())[0]?.is !== 'planning', 'the plan is ready', 60_000);
      expect((await rows())[0]?.is).toBe('waiting');
      expect(carrier.sent().size).toBe(0);
      await until(
        async () => (await one.run({ do: 'batch yes', id }))[0]?.is === 'done',
        'the batch is confirmed',
        60_000,
      );
      for (const phone of numbers) if (fateOf(phone) === 'changes') carrier.changed.add(phone);
      const isOver = async () => ['done', 'partly', 'failed', 'stopped'].includes((await rows())[0]?.is ?? '');
      let kills = 0;
      for (; kills < SIZES.kills && !(await isOver()); kills += 1) {
        const before = carrier.sent().size;
        const goal = Math.min(before + 1 + ((kills * 5) % 9), before + Math.ceil(numbers.length / (SIZES.kills + 4)));
        await until(
          async () => {
            await other.run({ do: 'batch go on', id });
            return carrier.sent().size >= goal || (await isOver());
          },
          'rows are sent',
          90_000,
        );
        await moments((kills * 13) % 60);
        await one.kill();
        [one, other] = [other, await start()];
      }
      await until(
        async () => {
          await other.run({ do: 'batch go on', id });
          return isOver();
        },
        'the batch has ended',
        180_000,
      );
      const ended = (await rows()).slice(1);
      const sent = carrier.sent();
      const twice = [...sent.values()].filter((count) => count > 1).length;
      const beyond = [...sent.keys()].filter((phone) => !numbers.includes(phone)).length;
      const lost = ended.filter(
        ({ id: phone, is }) => is === 'waiting' || is === 'running' || (is === 'done' && sent.get(phone) !== 1),
      ).length;
      console.log(
        `${engine}: ${numbers.length} rows, ${kills} kill -9, ${sent.size} sent; twice ${twice}, lost ${lost}, sent though changed ${carrier.sentAfterChange.length}, beyond the yes ${beyond}`,
      );
      expect([twice, lost, carrier.sentAfterChange.length, beyond]).toEqual([0, 0, 0, 0]);
      expect(kills).toBe(SIZES.kills);
      // A request that was never written is found out as not done, and is not sent again by itself.
      for (const { id: phone, is } of ended)
        if (fateOf(phone) === 'does it')
          expect(['done', 'unknown', sent.has(phone) ? 'done' : 'failed'], phone).toContain(is);
        else if (fateOf(phone) === 'changes') expect([phone, is]).toEqual([phone, 'left_out']);
    } finally {
      await Promise.all(started.map((worker) => worker.kill()));
      rmSync(folder, { recursive: true, force: true });
      await schema?.drop();
    }
  });
});
