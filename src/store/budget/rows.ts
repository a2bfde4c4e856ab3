import type { Transaction } from '../types.ts';
import type { Ask } from '../window.ts';

/** How long leased places may be used, in ms. */
export const LEASE_MS = 1_000;
/**
 * A block is this part of the places that are free, rounded down, at least one. It has at most 16 places, or a 512th of a
 * limit that is far above the platform's usual one.
 */
const BLOCK_PART = 16;
const MAX_BLOCK = 16;
const MAX_BLOCK_PART = 512;
/** Rows of one statement. */
const MAX_ROWS = 16;
/** A process that waits says so again within a second; what is older than this does not count. */
const WAITING_MS = 2_000;
/** When a process looks again that leaves the free places to another one. */
const YIELD_MS = 100;
/** A process that has not been seen for this long counts as ended. */
export const ALIVE_MS = 10_000;

/** What one process writes about its places. Times are the store's, in epoch ms. */
export interface Changes {
  /** Places that were used, and when they fall free. */
  places: readonly { id: string; lane: string; freeAt: number }[];
  /** Ids of places that were not used. */
  unused: readonly string[];
  pauses: readonly { lane: string; until: number }[];
  probes: readonly { lane: string; isOpen: boolean }[];
}

export interface LaneRow {
  pausedUntil: number;
  isDoubtful: boolean;
  prober: string;
  probeUntil: number;
}

/** What an attempt to lease places found. Times are the store's, in epoch ms. */
export interface Found {
  ids: string[];
  /** Without ids: when to try again. */
  freeAt: number;
  /** Places that other processes hold or have leased. */
  heldByOthers: number;
  row: LaneRow;
  /** Other processes have been told that calls wait here. */
  isWaiting: boolean;
}

/** Locks the lane's row until the transaction ends. It is made if it is missing. */
export async function lockLane(tx: Transaction, lane: string): Promise<LaneRow> {
  const found = await readLane(tx, lane);
  if (found) return found;
  await tx.run('INSERT INTO lanes (lane) VALUES (?) ON CONFLICT (lane) DO NOTHING', lane);
  const made = await readLane(tx, lane);
  if (!made) throw new Error(`the lane ${lane} was deleted`);
  return made;
}

async function readLane(tx: Transaction, lane: string): Promise<LaneRow | undefined> {
  const row = await tx.get<{ until: number; doubtful: number; prober: string; probe: number }>(
    `SELECT paused_until AS until, doubtful, prober, probe_until AS probe FROM lanes WHERE lane = ? FOR UPDATE`,
    lane,
  );
  return row && { pausedUntil: row.until, isDoubtful: row.doubtful === 1, prober: row.prober, probeUntil: row.probe };
}

/** Writes what a process did with its places, and what it learned from 429s. */
export async function writeChanges(tx: Transaction, owner: string, changes: Changes): Promise<void> {
  for (const part of chunks(changes.places)) {
    await tx.run(
      `INSERT INTO places (id, lane, owner, free_at) VALUES ${list(part, '(?, ?, ?, ?)')}
         ON CONFLICT (id) DO UPDATE SET free_at = excluded.free_at`,
      ...part.flatMap(({ id, lane, freeAt }) => [id, lane, owner, freeAt]),
    );
  }
  for (const part of chunks(changes.unused))
    await tx.run(`DELETE FROM places WHERE id IN (${list(part, '?')})`, ...part);
  for (const { lane, until } of changes.pauses) {
    await lockLane(tx, lane);
    await tx.run(
      `UPDATE lanes SET doubtful = 1, prober = '', probe_until = 0,
         paused_until = CASE WHEN paused_until > ? THEN paused_until ELSE CAST(? AS BIGINT) END WHERE lane = ?`,
      until,
      until,
      lane,
    );
  }
  for (const { lane, isOpen } of changes.probes)
    await tx.run(
      `UPDATE lanes SET doubtful = ?, prober = '', probe_until = 0 WHERE lane = ? AND prober = ?`,
      isOpen ? 0 : 1,
      lane,
      owner,
    );
}

/** One attempt to lease places, with the lane's row locked. */
export class Leasing {
  readonly #tx: Transaction;
  readonly #ask: Ask;
  readonly #owner: string;
  readonly #now: number;
  readonly #newId: () => string;

  /** `now`: the store's time, read after the lane was locked. */
  constructor(tx: Transaction, options: { ask: Ask; owner: string; now: number; newId: () => string }) {
    this.#tx = tx;
    this.#ask = options.ask;
    this.#owner = options.owner;
    this.#now = options.now;
    this.#newId = options.newId;
  }

  /** `wasWaiting`: other processes have been told that calls of this one wait. */
  async run(row: LaneRow, wasWaiting: boolean): Promise<Found> {
    const { lane, level, limit } = this.#ask;
    const now = this.#now;
    const counted = await this.#tx.get<{ total: number; own: number | null; urgent: number | null; peers: number }>(
      `SELECT count(*) AS total, sum(CASE WHEN owner = ? THEN 1 ELSE 0 END) AS own,
         (SELECT sum(calls) FROM waiting WHERE lane = ? AND owner <> ? AND level < ? AND at > ?) AS urgent,
         (SELECT count(*) FROM waiting WHERE lane = ? AND owner <> ? AND level = ? AND at > ?) AS peers
         FROM places WHERE lane = ? AND free_at > ?`,
      ...[this.#owner, lane, this.#owner, level, now - WAITING_MS],
      ...[lane, this.#owner, level, now - WAITING_MS, lane, now],
    );
    const total = counted?.total ?? 0;
    const own = counted?.own ?? 0;
    const peers = counted?.peers ?? 0;
    const common = { row, heldByOthers: total - own };
    const none = (freeAt: number, isWaiting = wasWaiting): Found => ({ ...common, ids: [], freeAt, isWaiting });
    if (row.pausedUntil > now) return none(row.pausedUntil);
    // After a pause a single request probes, whichever process sends it.
    if (row.isDoubtful && row.probeUntil > now) return none(row.probeUntil);
    const free = limit - total;
    // Processes whose calls of one level wait have equal parts of the window.
    const part = peers === 0 ? limit : Math.ceil(limit / (peers + 1)) - own;
    const left = Math.min(free - (counted?.urgent ?? 0), part);
    if (free > 0 && left <= 0) return none(now + YIELD_MS);
    if (free <= 0) {
      await this.#wait(this.#ask.calls);
      return none(await this.#nextFree(total - limit), true);
    }
    const most = Math.max(MAX_BLOCK, Math.floor(limit / MAX_BLOCK_PART));
    const block = row.isDoubtful ? 1 : Math.min(left, most, Math.max(1, Math.floor(free / BLOCK_PART)));
    const ids = await this.#insert(block);
    if (row.isDoubtful) await this.#probe();
    const waiting = this.#ask.calls - block;
    if (waiting > 0 && wasWaiting) await this.#wait(waiting);
    else if (wasWaiting) await this.#tx.run('DELETE FROM waiting WHERE owner = ? AND lane = ?', this.#owner, lane);
    return { ...common, ids, freeAt: now, isWaiting: wasWaiting && waiting > 0 };
  }

  async #insert(count: number): Promise<string[]> {
    const freeAt = this.#now + LEASE_MS + this.#ask.holdMs;
    const ids = Array.from({ length: count }, this.#newId);
    for (const part of chunks(ids))
      await this.#tx.run(
        `INSERT INTO places (id, lane, owner, free_at) VALUES ${list(part, '(?, ?, ?, ?)')}`,
        ...part.flatMap((id) => [id, this.#ask.lane, this.#owner, freeAt]),
      );
    return ids;
  }

  /** When `more` and one places have fallen free. */
  async #nextFree(more: number): Promise<number> {
    const row = await this.#tx.get<{ at: number }>(
      'SELECT free_at AS at FROM places WHERE lane = ? AND free_at > ? ORDER BY free_at LIMIT 1 OFFSET ?',
      this.#ask.lane,
      this.#now,
      more,
    );
    return row?.at ?? this.#now;
  }

  /** Tells less urgent calls of other processes to leave places to these. */
  async #wait(calls: number): Promise<void> {
    await this.#tx.run(
      `INSERT INTO waiting (owner, lane, level, calls, at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (owner, lane) DO UPDATE SET level = excluded.level, calls = excluded.calls, at = excluded.at`,
      ...[this.#owner, this.#ask.lane, this.#ask.level, calls, this.#now],
    );
  }

  async #probe(): Promise<void> {
    await this.#tx.run(
      'UPDATE lanes SET prober = ?, probe_until = ? WHERE lane = ?',
      this.#owner,
      this.#now + this.#ask.holdMs,
      this.#ask.lane,
    );
  }
}

/** Says that a process is alive, clears what has ended, and counts the living. */
export async function beat(tx: Transaction, owner: string, now: number): Promise<number> {
  await tx.run(
    `INSERT INTO processes (id, seen_at) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
    owner,
    now,
  );
  await tx.run('DELETE FROM processes WHERE seen_at < ?', now - ALIVE_MS);
  await tx.run('DELETE FROM waiting WHERE at < ?', now - WAITING_MS);
  await tx.run(`UPDATE lanes SET prober = '', probe_until = 0
     WHERE prober <> '' AND prober NOT IN (SELECT id FROM processes)`);
  await tx.run('DELETE FROM places WHERE free_at <= ?', now);
  const row = await tx.get<{ n: number }>('SELECT count(*) AS n FROM processes');
  return row?.n ?? 1;
}

/** Places that other processes hold, by lane. */
export async function heldByOthers(tx: Transaction, owner: string, now: number): Promise<Map<string, number>> {
  const rows = await tx.all<{ lane: string; n: number }>(
    'SELECT lane, count(*) AS n FROM places WHERE owner <> ? AND free_at > ? GROUP BY lane',
    owner,
    now,
  );
  return new Map(rows.map(({ lane, n }) => [lane, n]));
}

/** The process ends. Its used places stay until they fall free. */
export async function leave(tx: Transaction, owner: string): Promise<void> {
  await tx.run('DELETE FROM processes WHERE id = ?', owner);
  await tx.run('DELETE FROM waiting WHERE owner = ?', owner);
}

/** In parts of at most 16, so that few different statements are prepared. */
function* chunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += MAX_ROWS) yield all.slice(from, from + MAX_ROWS);
}

function list(part: readonly unknown[], text: string): string {
  return part.map(() => text).join(', ');
}
