import { megabytes } from '../../tools/shared/line.ts';
import { watchOperations } from '../../tools/surfaces/events.ts';
import type { Gate } from '../gate/gate.ts';
import { backgroundActor } from '../lib/actor.ts';
import { type Clock, MINUTE_MS } from '../lib/clock.ts';
import { asSwitchboardError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { Fields } from '../lib/values.ts';
import { levelOf } from '../store/key-values.ts';
import type { Database } from '../store/types.ts';
import { chunks } from '../work/jobs.ts';
import type { Worker } from '../work/worker.ts';
import type { WatchEvent } from './parse.ts';

/** The job that checks watched numbers, round by round. */
const CHECK = 'watch.check';
/** Interval between two checks of one number. A shorter one would not help, because the platform counts with a delay. */
export const EVERY_MS = 15 * MINUTE_MS;
/** Numbers in one request. */
const AT_ONCE = 50;

/** The result of the last check of a number. */
interface Usage {
  used: string;
  remaining: string;
  behaviour: string;
  status: string;
  /** 0 below every threshold, 1 notify, 2 throttle, 3 limit. */
  level: number;
}

export interface Watch extends Usage {
  phone: string;
  /** The actor ids of the people who asked for the watch. */
  by: string[];
  /** Epoch ms; undefined before the first check. */
  checkedAt: number | undefined;
  /** Start of this watch. The number may have been watched before. */
  startedAt: number;
  /** Number of reported findings. It is part of the key of the next finding. */
  told: number;
}

const WATCH = `SELECT phone, by, checked_at AS "checkedAt", started_at AS "startedAt", told, used, remaining, behaviour,
  status, level FROM watches`;

/** The watched numbers and what was last seen of them, shared by all processes. */
export class Watches {
  readonly #clock: Clock;
  readonly #db: Database;

  constructor(options: { database: Database; clock: Clock }) {
    this.#clock = options.clock;
    this.#db = options.database;
  }

  async list(): Promise<Watch[]> {
    const rows = await this.#db.all<Watch & { by: string; checkedAt: number | null }>(`${WATCH} ORDER BY phone`);
    return rows.map((row) => ({ ...row, by: JSON.parse(row.by) as string[], checkedAt: row.checkedAt ?? undefined }));
  }

  /** Watches a number for another person. The next round runs at once. */
  async add(phone: string, by: string): Promise<void> {
    await this.#db.transaction(async (queries) => {
      const now = this.#clock.now();
      await queries.run(
        `INSERT INTO watches (phone, by, started_at) VALUES (?, '[]', ?) ON CONFLICT (phone) DO NOTHING`,
        phone,
        now,
      );
      const row = await queries.get<{ by: string }>('SELECT by FROM watches WHERE phone = ? FOR UPDATE', phone);
      const people = new Set([...(JSON.parse(row?.by ?? '[]') as string[]), by]);
      await queries.run('UPDATE watches SET by = ? WHERE phone = ?', JSON.stringify([...people]), phone);
      await queries.run('UPDATE jobs SET run_at = ? WHERE key = ? AND run_at > ? AND dead_at IS NULL', now, CHECK, now);
    });
  }

  /** Resolves to true if the number was watched. */
  async remove(phone: string): Promise<boolean> {
    return (await this.#db.run('DELETE FROM watches WHERE phone = ?', phone)) === 1;
  }

  /** Records the result of a check, and whether it was reported. */
  async saw(phone: string, { used, remaining, behaviour, status, level }: Usage, wasReported: boolean): Promise<void> {
    await this.#db.run(
      `UPDATE watches SET used = ?, remaining = ?, behaviour = ?, status = ?, level = ?, checked_at = ?,
         told = told + ? WHERE phone = ?`,
      ...[used, remaining, behaviour, status, level, this.#clock.now(), wasReported ? 1 : 0, phone],
    );
  }

  /** The time (epoch ms) at which the next round is due; undefined if no process has ever checked numbers. */
  async nextRoundAt(): Promise<number | undefined> {
    const sql = 'SELECT run_at AS at FROM jobs WHERE key = ? AND dead_at IS NULL';
    return (await this.#db.get<{ at: number }>(sql, CHECK))?.at;
  }
}

const SYSTEM = backgroundActor('watch', 'the data watch');

interface CheckerOptions {
  watches: Watches;
  worker: Pick<Worker, 'on' | 'off'>;
  gate: Pick<Gate, 'perform'>;
  /** Receives a finding. Resolves once it is stored. */
  found: (event: WatchEvent) => Promise<unknown>;
  clock: Clock;
  log: Log;
}

/**
 * Checks watched numbers, in one process at a time and after all other work. A finding is passed to `found` before it is
 * recorded. It has a unique key, so it is reported once even if the process stops between the two.
 */
export function checkWatches({ watches, worker, gate, found, clock, log }: CheckerOptions) {
  const shutdown = new AbortController();

  const read = async (wanted: { operation: string; numbers: string }, phones: readonly string[]): Promise<Fields[]> => {
    const input = { [wanted.numbers]: phones.map((phone) => ({ Number: phone })) };
    const done = await gate.perform(wanted.operation, input, SYSTEM, { signal: shutdown.signal });
    const rows = done.kind === 'done' ? done.value[wanted.numbers] : undefined;
    return Array.isArray(rows) ? (rows as Fields[]) : [];
  };

  const compare = async (watch: Watch, row: Fields | undefined, limits: Fields): Promise<void> => {
    const now = row && usageOf(row, limits);
    if (!now) {
      if (row) log('warn', { number: watch.phone, used: row.Used }, 'the data usage of a number is not an amount');
      return;
    }
    const findings = findingsOf(watch, now, megabytes(limits.NotifyValue) !== undefined);
    if (findings.length > 0) await found(eventOf(watch, findings.join(' and '), { ...row, ...limits }));
    await watches.saw(watch.phone, now, findings.length > 0);
    // A released number has nothing left to watch (PLATFORM.md, Number states).
    if (/^cancelled$/i.test(now.status)) await watches.remove(watch.phone);
  };

  const check = async (due: readonly Watch[]): Promise<void> => {
    const phones = due.map(({ phone }) => phone);
    const [first] = due;
    try {
      const usage = await read(watchOperations.usage, phones);
      // A number may have no limits.
      const limits = await read(watchOperations.limits, phones).catch((error) => {
        if (isRefused(error)) return [];
        throw error;
      });
      const rowOf = (rows: readonly Fields[], { phone }: Watch) => rows.find((one) => one.Number === phone);
      for (const watch of due) await compare(watch, rowOf(usage, watch), rowOf(limits, watch) ?? {});
    } catch (error) {
      if (!isRefused(error) || first === undefined) throw error;
      // The list is refused because of one of its numbers.
      if (due.length > 1) for (const watch of due) await check([watch]);
      else {
        await found(eventOf(first, 'cannot be read any more and is no longer watched', {}));
        await watches.remove(first.phone);
      }
    }
  };

  /** Checks what is due. Resolves to the time of the next round. */
  const round = async (): Promise<number> => {
    const begun = clock.now();
    const all = await watches.list();
    const due = all.filter(({ checkedAt = 0 }) => checkedAt + EVERY_MS <= begun);
    try {
      for (const some of chunks(due, AT_ONCE)) await check(some);
    } catch (error) {
      log(levelOf(error, 'info'), { error: String(error) }, 'watched numbers could not be read; trying again later');
    }
    const others = all.map(({ checkedAt = 0 }) => checkedAt + EVERY_MS).filter((at) => at > begun);
    return Math.max(clock.now() + MINUTE_MS, Math.min(begun + EVERY_MS, ...others));
  };

  worker.on(CHECK, round, { repeats: true });
  return {
    /** Gives up a read under way. */
    close: async (): Promise<void> => {
      shutdown.abort();
      await worker.off([CHECK]);
    },
  };
}

function isRefused(error: unknown): boolean {
  return ['not_found', 'bad_request'].includes(asSwitchboardError(error).face.code);
}

/** Findings by level, of a threshold that was reached and of one that usage is below again. */
const REACHED = ['', 'notify threshold', 'throttle threshold', 'data limit'];
const BELOW = ['data thresholds', 'throttle threshold', 'data limit'];
/** The notify threshold of a number that has none, as a share of its limit. */
const NOTIFY_SHARE = 0.8;

/**
 * The changes since the last check. The first check only reports a threshold that is already reached.
 *
 * @param notifies true if the number has a notify threshold
 */
function findingsOf(watch: Watch, now: Usage, notifies: boolean): string[] {
  const isFirst = watch.checkedAt === undefined;
  const findings: string[] = [];
  if (now.level > (isFirst ? 0 : watch.level))
    findings.push(
      now.level === 1 && !notifies
        ? `has used at least ${NOTIFY_SHARE * 100} % of its data limit`
        : `has reached its ${REACHED[now.level]}`,
    );
  else if (!isFirst && now.level < watch.level) findings.push(`is below its ${BELOW[now.level]} again`);
  else if (!isFirst && differs(now.behaviour, watch.behaviour)) findings.push(`is ${now.behaviour.toLowerCase()} now`);
  if (!isFirst && differs(now.status, watch.status))
    findings.push(`is ${now.status.toLowerCase()} now (was ${watch.status.toLowerCase()})`);
  return findings;
}

/** A value that the platform leaves out is not a change. */
function differs(now: string, before: string): boolean {
  return now !== '' && before !== '' && now !== before;
}

function eventOf(watch: Watch, found: string, fields: Fields): WatchEvent {
  return {
    kind: 'watch',
    name: '',
    key: `watch ${watch.phone} ${watch.startedAt} ${watch.told}`,
    subject: `watch ${watch.phone}`,
    phone: watch.phone,
    found,
    by: watch.by,
    fields,
  };
}

/** Undefined if the platform does not say how much was used. */
function usageOf(row: Fields, limits: Fields): Usage | undefined {
  const text = (name: string) => (typeof row[name] === 'string' ? (row[name] as string) : '');
  const used = megabytes(row.Used);
  if (used === undefined) return undefined;
  const limit = megabytes(limits.LimitValue) ?? used + (megabytes(row.Remaining) ?? Number.POSITIVE_INFINITY);
  const throttle = megabytes(limits.ThrottleValue) ?? limit;
  const levels = [megabytes(limits.NotifyValue) ?? NOTIFY_SHARE * limit, throttle, limit];
  return {
    used: text('Used'),
    remaining: text('Remaining'),
    behaviour: text('CurrentBehavior'),
    status: text('Status'),
    // A number without limits crosses no threshold.
    level: levels.reduce((level, at, i) => (Number.isFinite(at) && at > 0 && used >= at ? i + 1 : level), 0),
  };
}
