import { randomUUID } from 'node:crypto';
import type { Seal } from '../ledger/seal.ts';
import type { Clock } from '../lib/clock.ts';
import { KEPT_MS } from '../lib/durations.ts';
import type { Thread } from '../nlu/reader.ts';
import type { Database, Queries, Transaction } from '../store/types.ts';
import { LEASE_MS } from '../work/holds.ts';
import { addJob, type NewJob, removeJob } from '../work/jobs.ts';
import type { Handler } from '../work/worker.ts';

/** One message of a thread, as it is remembered. */
export interface Message {
  from: 'writer' | 'assistant' | 'other';
  /** The writer's identity. For an answer of the assistant, the identity of the person it answered. */
  person: string;
  name: string;
  text: string;
  /** Epoch ms. */
  at: number;
  /** Id of the turn, for an answer. */
  turn?: string;
  /** Numbers, ids and amounts of an answer that no record held. */
  doubted?: readonly string[];
  /** The subject of an answer without a model, for the next message. */
  thread?: Thread;
}

/** The job that runs if the process ends in a turn. `kind` names the surface's handler. */
export type Interrupted = Required<Pick<NewJob, 'kind' | 'payload'>>;

export const ERASE = 'conversation-erase';
const MAX_MESSAGES = 40;
const MAX_TOTAL = 24_000;
const MAX_ONE = 4_000;
/** Messages of one thread that wait for the end of its turn. */
const MOST_WAITING = 3;

interface Row {
  sealed: Uint8Array | null;
  updated_at: number;
  turn: string | null;
  turn_until: number;
  /** Set if the turn has to end. */
  stopped: 'stopped' | null;
  /** Identity of the person whose message was the first one. Empty after the thread was forgotten. */
  starter: string;
  /** Identity of the person whose message the last turn answers. */
  turn_person: string;
  /** The turns that wait for the end of this one, as JSON of `Waiting[]`. */
  waiting: string | null;
}

/** A turn that waits. Its process renews its place. */
interface Waiting {
  turn: string;
  /** Epoch ms. */
  until: number;
}

/** The sealed messages of each thread, and the turn that is under way in it. All processes share them. */
export class Conversations {
  readonly #db: Database;
  readonly #seal: Seal;
  readonly #clock: Clock;

  constructor(options: { database: Database; seal: Seal; clock: Clock }) {
    this.#db = options.database;
    this.#seal = options.seal;
    this.#clock = options.clock;
  }

  /**
   * Begins a turn, if none runs in its thread. Otherwise it waits in the order of the messages, and is asked for again
   * with the same id at least once in the time of a lease. `full`: too many wait already.
   *
   * @param person identity of the person whose message it answers
   * @param options.turn its id
   * @param options.interrupted the job that runs if the turn is not ended
   */
  begin(
    thread: string,
    person: string,
    { turn = randomUUID(), interrupted }: { turn?: string; interrupted?: Interrupted | undefined } = {},
  ): Promise<{ turn: string } | 'waits' | 'full'> {
    return this.#db.transaction(async (tx) => {
      await tx.lock(`conversation ${thread}`);
      const now = await tx.now();
      const row = await rowOf(tx, thread);
      const waiting = waitingIn(row, now);
      const ahead = waiting.findIndex((one) => one.turn === turn);
      const isFree = row === undefined || row.turn === null || row.turn_until <= now;
      if (row && (!isFree || ahead > 0 || (ahead < 0 && waiting.length > 0))) {
        if (ahead < 0 && waiting.length >= MOST_WAITING) return 'full';
        const mine = { turn, until: now + LEASE_MS };
        const all = ahead < 0 ? [...waiting, mine] : waiting.with(ahead, mine);
        await tx.run('UPDATE conversations SET waiting = ? WHERE thread = ?', JSON.stringify(all), thread);
        if (ahead < 0) await addInterrupted(tx, { thread, turn, interrupted }, now);
        return 'waits';
      }
      const left = JSON.stringify(waiting.filter((one) => one.turn !== turn));
      await tx.run(
        `INSERT INTO conversations (thread, updated_at, turn, turn_until, starter, turn_person, waiting)
           VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (thread) DO UPDATE SET turn = excluded.turn, turn_until = excluded.turn_until, stopped = NULL,
             starter = CASE WHEN conversations.starter = '' THEN excluded.starter ELSE conversations.starter END,
             turn_person = excluded.turn_person, waiting = excluded.waiting`,
        ...[thread, now, turn, now + LEASE_MS, person, person, left],
      );
      await addJob(tx, { kind: ERASE, key: `${ERASE} ${thread}`, payload: { thread }, runAt: now + KEPT_MS }, now);
      if (ahead < 0) await addInterrupted(tx, { thread, turn, interrupted }, now);
      return { turn };
    });
  }

  /** Gives up the place of a turn that waits. */
  leave(thread: string, turn: string): Promise<void> {
    return this.#db.transaction(async (tx) => {
      await tx.lock(`conversation ${thread}`);
      const left = waitingIn(await rowOf(tx, thread), await tx.now()).filter((one) => one.turn !== turn);
      await tx.run('UPDATE conversations SET waiting = ? WHERE thread = ?', JSON.stringify(left), thread);
      await removeJob(tx, `turn ${turn}`);
    });
  }

  /** Adds messages to these threads, without a turn. `person`: identity of the person whose message was answered. */
  remember(threads: readonly string[], person: string, messages: readonly Message[]): Promise<void> {
    return this.#db.transaction(async (tx) => {
      for (const thread of threads) await this.#append(tx, thread, person, messages);
    });
  }

  async #append(tx: Transaction, thread: string, person: string, messages: readonly Message[]): Promise<void> {
    await tx.lock(`conversation ${thread}`);
    const now = await tx.now();
    const row = await rowOf(tx, thread);
    const sealed = this.#seal.seal(bounded([...(row ? this.#open(row, thread) : []), ...messages]), recordOf(thread));
    await tx.run(
      `INSERT INTO conversations (thread, sealed, updated_at, starter, turn_person) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (thread) DO UPDATE SET sealed = excluded.sealed, updated_at = excluded.updated_at,
           starter = CASE WHEN conversations.starter = '' THEN excluded.starter ELSE conversations.starter END`,
      ...[thread, sealed, this.#clock.now(), person, person],
    );
    await addJob(tx, { kind: ERASE, key: `${ERASE} ${thread}`, payload: { thread }, runAt: now + KEPT_MS }, now);
  }

  /**
   * Ends a turn whose process has ended. Resolves to the time (epoch ms) of the next look while the process still runs
   * it, to `lost` if it was interrupted, and to `ended` otherwise.
   */
  settleInterrupted(thread: string, turn: string): Promise<number | 'lost' | 'ended'> {
    return this.#db.transaction(async (tx) => {
      await tx.lock(`conversation ${thread}`);
      const row = await rowOf(tx, thread);
      const now = await tx.now();
      const waits = waitingIn(row, now).find((one) => one.turn === turn);
      if (waits) return waits.until;
      if (!row || row.turn !== turn) return row === undefined ? 'ended' : 'lost';
      if (row.turn_until > now) return row.turn_until;
      await tx.run('UPDATE conversations SET turn = NULL, turn_until = 0 WHERE thread = ? AND turn = ?', thread, turn);
      return 'lost';
    });
  }

  /** Keeps a turn. `gone`: the thread was forgotten, or another process took the turn over. */
  async renew(thread: string, turn: string): Promise<'held' | 'gone' | 'stopped'> {
    const until = this.#clock.now() + LEASE_MS;
    const kept = await this.#db.get<Pick<Row, 'stopped'>>(
      'UPDATE conversations SET turn_until = ? WHERE thread = ? AND turn = ? RETURNING stopped',
      ...[until, thread, turn],
    );
    if (kept === undefined) return 'gone';
    return kept.stopped ?? 'held';
  }

  /**
   * Ends a turn, and adds its messages to these memories. Resolves to false if the thread was forgotten meanwhile; then
   * nothing is remembered.
   */
  end(
    { thread, turn, person, memories }: { thread: string; turn: string; person: string; memories: readonly string[] },
    messages: readonly Message[],
  ): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      await tx.lock(`conversation ${thread}`);
      const ended = 'UPDATE conversations SET turn = NULL, turn_until = 0 WHERE thread = ? AND turn = ?';
      const isOurs = (await tx.run(ended, thread, turn)) > 0;
      await removeJob(tx, `turn ${turn}`);
      for (const one of isOurs && messages.length > 0 ? memories : []) await this.#append(tx, one, person, messages);
      return isOurs;
    });
  }

  /** The identity of the person whose message was the first of a thread. Undefined if nothing is remembered. */
  async starterOf(thread: string): Promise<string | undefined> {
    return (await rowOf(this.#db, thread))?.starter || undefined;
  }

  /** The turn under way in a thread, and the identity of the person whose message it answers. */
  async running(thread: string): Promise<{ turn: string; person: string } | undefined> {
    const row = await rowOf(this.#db, thread);
    if (!row || row.turn === null || row.turn_until <= this.#clock.now()) return undefined;
    return { turn: row.turn, person: row.turn_person };
  }

  /** Forgets the threads whose names begin so, besides this one and those that are still answered. */
  async forgetOthers(prefix: string, thread: string): Promise<void> {
    for (const one of await this.under(prefix, true)) if (one !== thread) await this.forget(one);
  }

  /** Stops a turn, in whichever process it runs. Resolves to false if it has ended. */
  async stop(thread: string, turn: string): Promise<boolean> {
    const changed = await this.#db.run(
      "UPDATE conversations SET stopped = 'stopped' WHERE thread = ? AND turn = ? AND turn_until > ?",
      ...[thread, turn, this.#clock.now()],
    );
    return changed > 0;
  }

  /**
   * Deletes all that is remembered of a thread, and ends its turn. Turns that wait go on.
   *
   * @param at time of the request to forget, epoch ms. It stays, so that earlier messages are not read from the surface
   *   again. If left out, nothing stays.
   */
  forget(thread: string, at?: number): Promise<void> {
    const nothing = this.#seal.seal([], recordOf(thread));
    return this.#db.transaction(async (tx) => {
      await tx.lock(`conversation ${thread}`);
      const row = await rowOf(tx, thread);
      if (row?.turn) await removeJob(tx, `turn ${row.turn}`);
      await tx.run('DELETE FROM conversations WHERE thread = ?', thread);
      if (at === undefined) return removeJob(tx, `${ERASE} ${thread}`);
      await tx.run(
        "INSERT INTO conversations (thread, sealed, updated_at, starter, turn_person, waiting) VALUES (?, ?, ?, '', '', ?)",
        ...[thread, nothing, at, row?.waiting ?? null],
      );
      const now = await tx.now();
      await addJob(tx, { kind: ERASE, key: `${ERASE} ${thread}`, payload: { thread }, runAt: now + KEPT_MS }, now);
    });
  }

  /**
   * The threads whose names begin so, the newest first.
   *
   * @param isEnded leaves out those in which a turn runs
   */
  async under(prefix: string, isEnded = false): Promise<string[]> {
    const sql = 'SELECT thread FROM conversations WHERE thread LIKE ? AND turn_until <= ? ORDER BY updated_at DESC';
    const until = isEnded ? this.#clock.now() : Number.MAX_SAFE_INTEGER;
    const rows = await this.#db.all<{ thread: string }>(sql, `${prefix}%`, until);
    return rows.map(({ thread }) => thread).filter((thread) => thread.startsWith(prefix));
  }

  /**
   * The time (epoch ms) up to which the messages of people in a thread were read: that of the last one remembered, or
   * of the request to forget. Undefined if none was read.
   */
  async readUntil(thread: string): Promise<number | undefined> {
    const row = await rowOf(this.#db, thread);
    if (!row?.sealed) return undefined;
    return this.#open(row, thread).findLast(({ from }) => from !== 'assistant')?.at ?? row.updated_at;
  }

  /** The messages of a thread that are remembered. */
  async messages(thread: string): Promise<Message[]> {
    const row = await rowOf(this.#db, thread);
    return row ? this.#open(row, thread) : [];
  }

  /** Calls the listener soon after another process has written. Returns a function that removes it. */
  onOtherWrites(listener: () => void): () => void {
    return this.#db.onOtherWrites(listener);
  }

  /** The handler of the job that erases a thread 30 days after its last message. */
  get erase(): Handler {
    return async ({ payload }) => {
      const thread = String(payload.thread);
      const row = await rowOf(this.#db, thread);
      if (!row) return undefined;
      if (row.updated_at + KEPT_MS > this.#clock.now()) return row.updated_at + KEPT_MS;
      await this.#db.run('DELETE FROM conversations WHERE thread = ? AND updated_at = ?', thread, row.updated_at);
      return undefined;
    };
  }

  /** Nothing is remembered if the row was sealed with another key. */
  #open({ sealed }: Row, thread: string): Message[] {
    try {
      return sealed === null ? [] : (this.#seal.open(sealed, recordOf(thread)) as Message[]);
    } catch {
      return [];
    }
  }
}

/** The turns that still wait. */
function waitingIn(row: Row | undefined, now: number): Waiting[] {
  const all = JSON.parse(row?.waiting ?? '[]') as Waiting[];
  return all.filter(({ until }) => until > now);
}

async function addInterrupted(
  tx: Transaction,
  { thread, turn, interrupted }: { thread: string; turn: string; interrupted: Interrupted | undefined },
  now: number,
): Promise<void> {
  if (!interrupted) return;
  const { kind, payload } = interrupted;
  const job = { kind, payload: { ...payload, thread, turn }, key: `turn ${turn}`, runAt: now + LEASE_MS };
  await addJob(tx, job, now);
}

function rowOf(queries: Queries, thread: string): Promise<Row | undefined> {
  return queries.get<Row>('SELECT * FROM conversations WHERE thread = ?', thread);
}

/** The record that a thread's memory is sealed for. */
export const recordOf = (thread: string): string => `conversation ${thread}`;

/** The newest messages, as far as they fit. */
function bounded(messages: readonly Message[]): Message[] {
  const kept: Message[] = [];
  let size = 0;
  for (const message of messages.slice(-MAX_MESSAGES).reverse()) {
    const text = message.text.slice(0, MAX_ONE);
    size += text.length;
    if (size > MAX_TOTAL) break;
    kept.unshift({ ...message, text });
  }
  return kept;
}
