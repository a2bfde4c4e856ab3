import { watchOperations } from '../../../tools/surfaces/events.ts';
import type { Gate } from '../../gate/gate.ts';
import { abortable } from '../../lib/abortable.ts';
import type { Actor } from '../../lib/actor.ts';
import { type Clock, MINUTE_MS } from '../../lib/clock.ts';
import { asSwitchboardError, Unavailable } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import type { Log } from '../../lib/log.ts';
import { gauge, type Metric } from '../../lib/metrics.ts';
import type { Client } from '../../platform/types.ts';
import { levelOf } from '../../store/key-values.ts';
import type { Worker } from '../../work/worker.ts';
import type { WatchEvent } from '../parse.ts';
import { CHECK, EVERY_MS, type Usage, type Watch, type Watches } from './watches.ts';

/** Numbers in one request. */
const BATCH = 50;
/** Maximum time between two rounds, by which others see that numbers are checked. */
const LONGEST_MS = 5 * 60_000;
/** A check takes two requests, and sometimes a token request for each. */
const REQUESTS_PER_CHECK = 4;
/** Findings by level: `REACHED` for a threshold that was reached, `BELOW` for one that usage is below again. */
const REACHED = [
  '',
  'has reached its notify threshold',
  'has reached its throttle threshold',
  'has reached its data limit',
];
const BELOW = [
  'is below its data thresholds again',
  'is below its throttle threshold again',
  'is below its data limit again',
];
/** The notify threshold of a number that has none, as a share of its limit. */
const NOTIFY_SHARE = 0.8;
/** The finding for such a number. */
const REACHED_SHARE = `has used at least ${NOTIFY_SHARE * 100} % of its data limit`;

const SYSTEM: Actor = {
  id: 'watch',
  name: 'the data watch',
  role: 'viewer',
  surface: 'background',
  priority: 'background',
};

export interface CheckerOptions {
  watches: Watches;
  worker: Pick<Worker, 'on' | 'off'>;
  gate: Pick<Gate, 'perform'>;
  client: Pick<Client, 'budget'>;
  /** Receives a finding. Resolves once it is stored. */
  found: (event: WatchEvent) => Promise<unknown>;
  clock: Clock;
  log: Log;
}

/**
 * Checks watched numbers, after all other work and with at most a tenth of the budget. One job for all processes does
 * so round by round. A finding is passed to `found` before it is recorded. It has a unique key, so it is reported once
 * even if the process stops between the two.
 */
export class Checker {
  readonly #options: CheckerOptions;
  readonly #shutdown = new AbortController();

  constructor(options: CheckerOptions) {
    this.#options = options;
    options.worker.on(CHECK, () => this.#round(), { repeats: true });
  }

  /** Gives up a read under way. */
  async close(): Promise<void> {
    this.#shutdown.abort();
    await this.#options.worker.off([CHECK]);
  }

  /** Checks what is due. Resolves to the time of the next round. */
  async #round(): Promise<number> {
    const { watches, clock, log } = this.#options;
    const gapMs = await this.#gapMs();
    // A number that was added has the round run at once, also within the gap.
    const earliest = (await watches.lastRoundAt()) + gapMs;
    if (earliest > clock.now()) return earliest;
    await this.#checkDue().catch((error: unknown) =>
      log(levelOf(error, 'error'), { error: String(error) }, 'checking watched numbers failed; trying again later'),
    );
    const next = (await watches.nextAt()) ?? Number.POSITIVE_INFINITY;
    return Math.min(clock.now() + LONGEST_MS, Math.max(clock.now() + gapMs, next));
  }

  /** The gap between checks, so that they use at most a tenth of the budget. */
  async #gapMs(): Promise<number> {
    const { limit } = await this.#options.client.budget();
    return Math.ceil((MINUTE_MS * REQUESTS_PER_CHECK) / (limit / 10));
  }

  async #checkDue(): Promise<void> {
    const { watches, clock } = this.#options;
    const due = await watches.take(BATCH, clock.now() + EVERY_MS);
    if (due.length === 0) return;
    const phones = due.map(({ phone }) => phone);
    try {
      const usage = await this.#read(watchOperations.usage, phones);
      const limits = await this.#read(watchOperations.limits, phones).catch(noneIfRefused);
      for (const watch of due) {
        const row = usage.find((one) => one.Number === watch.phone);
        if (row) await this.#compare(watch, row, limits.find((one) => one.Number === watch.phone) ?? {});
      }
    } catch (error) {
      if (!(error instanceof Unavailable)) await this.#failed(due, error);
    }
  }

  async #read(wanted: { operation: string; numbers: string }, phones: readonly string[]): Promise<Fields[]> {
    const { signal } = this.#shutdown;
    const input = { [wanted.numbers]: phones.map((phone) => ({ Number: phone })) };
    const reading = this.#options.gate.perform(wanted.operation, input, SYSTEM, { signal });
    const done = await abortable(reading, signal);
    const rows = done.kind === 'done' ? done.value[wanted.numbers] : undefined;
    return Array.isArray(rows) ? (rows as Fields[]) : [];
  }

  async #failed(due: readonly Watch[], error: unknown): Promise<void> {
    const { watches, log } = this.#options;
    const { code } = asSwitchboardError(error).face;
    const isRefused = code === 'not_found' || code === 'bad_request';
    if (isRefused && due.length > 1) await watches.separate(due.map(({ phone }) => phone));
    else if (isRefused && due[0]) await this.#remove(due[0]);
    else log('info', { numbers: due.length, code }, 'watched numbers could not be read; trying again later');
  }

  async #compare(watch: Watch, row: Fields, limits: Fields): Promise<void> {
    const { watches, log, found } = this.#options;
    const now = usageOf(row, limits);
    if (!now) {
      log('warn', { number: watch.phone, used: row.Used }, 'the data usage of a number is not an amount');
      return;
    }
    const findings = findingsOf(watch, now, megabytes(limits.NotifyValue) !== undefined);
    if (findings.length > 0) await found(eventOf(watch, findings.join(' and '), { ...row, ...limits }));
    await watches.saw(watch.phone, now, findings.length > 0);
    // A released number has nothing left to watch (PLATFORM.md, Number states).
    if (/^cancelled$/i.test(now.status)) await watches.remove(watch.phone);
  }

  /** Ends a watch when the platform no longer knows the number or no longer permits reading it. */
  async #remove(watch: Watch): Promise<void> {
    await this.#options.found(eventOf(watch, 'cannot be read any more and is no longer watched', {}));
    await this.#options.watches.remove(watch.phone);
  }
}

/**
 * The changes since the last check. The first check only reports a threshold that is already reached.
 *
 * @param notifies true if the number has a notify threshold
 */
function findingsOf(watch: Watch, now: Usage, notifies: boolean): string[] {
  const isFirst = watch.checkedAt === undefined;
  const findings: string[] = [];
  if (now.level > (isFirst ? 0 : watch.level)) findings.push(reached(now.level, notifies));
  else if (!isFirst && now.level < watch.level) findings.push(BELOW[now.level] ?? '');
  else if (!isFirst && differs(now.behaviour, watch.behaviour)) findings.push(`is ${now.behaviour.toLowerCase()} now`);
  if (!isFirst && differs(now.status, watch.status))
    findings.push(`is ${now.status.toLowerCase()} now (was ${watch.status.toLowerCase()})`);
  return findings;
}

function reached(level: number, notifies: boolean): string {
  return level === 1 && !notifies ? REACHED_SHARE : (REACHED[level] ?? '');
}

/** Returns no rows if the platform refuses the read, because a number may have no limits. */
function noneIfRefused(error: unknown): Fields[] {
  if (['not_found', 'bad_request'].includes(asSwitchboardError(error).face.code)) return [];
  throw error;
}

/** The metrics of watched numbers. */
export async function watchMetrics(watches: Pick<Watches, 'list'>, clock: Clock): Promise<Metric[]> {
  const all = await watches.list();
  const oldest = all.reduce((at, watch) => Math.min(at, watch.checkedAt ?? watch.startedAt), clock.now());
  return [
    gauge('switchboard_watched_numbers', 'Numbers that are watched.', all.length),
    gauge(
      'switchboard_watch_oldest_look_seconds',
      'Time since the oldest check of a watched number.',
      (clock.now() - oldest) / 1000,
    ),
  ];
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

/** A value that the platform leaves out is not a change. */
function differs(now: string, before: string): boolean {
  return now !== '' && before !== '' && now !== before;
}

/** Undefined if the platform does not say how much was used. */
function usageOf(row: Fields, limits: Fields): Usage | undefined {
  const text = (name: string) => (typeof row[name] === 'string' ? (row[name] as string) : '');
  const used = megabytes(row.Used);
  if (used === undefined) return undefined;
  const limit = megabytes(limits.LimitValue) ?? used + (megabytes(row.Remaining) ?? Number.POSITIVE_INFINITY);
  const throttle = megabytes(limits.ThrottleValue) ?? limit;
  const notify = megabytes(limits.NotifyValue) ?? NOTIFY_SHARE * limit;
  const levels = [notify, throttle, limit];
  return {
    used: text('Used'),
    remaining: text('Remaining'),
    behaviour: text('CurrentBehavior'),
    status: text('Status'),
    // A number without limits crosses no threshold.
    level: levels.reduce((level, at, i) => (Number.isFinite(at) && at > 0 && used >= at ? i + 1 : level), 0),
  };
}

const UNITS: Readonly<Record<string, number>> = { B: 1e-6, KB: 1e-3, MB: 1, GB: 1e3, TB: 1e6 };

/** Reads an amount in MB: "1.5 GB" is 1500. A bare number is in MB (PLATFORM.md, Data usage). */
export function megabytes(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const match =
    typeof value === 'string'
      ? /^(\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,9})?|\d{1,20}(?:\.\d{1,9})?)\s{0,9}([KMGT]?B)?$/i.exec(value.trim())
      : null;
  return match ? Number(match[1]?.replaceAll(',', '')) * (UNITS[(match[2] ?? 'MB').toUpperCase()] ?? 1) : undefined;
}
