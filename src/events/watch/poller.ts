import { watchOperations } from '../../../tools/surfaces/events.ts';
import type { Gate } from '../../gate/gate.ts';
import { orLeave } from '../../lib/abortable.ts';
import type { Actor } from '../../lib/actor.ts';
import type { Clock } from '../../lib/clock.ts';
import { asSwitchboardError, Unavailable } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { WatchEvent } from '../parse.ts';
import type { Look, Watch, Watches } from './watches.ts';

/** Between two looks at one number. Usage is no alarm bell: the platform itself counts with a delay. */
export const EVERY_MS = 15 * 60_000;
/** Numbers asked about in one request. */
const BATCH = 50;
const PERIOD_MS = 60_000;
const MIN_GAP_MS = 5_000;
/** How soon a new watch is seen; whether it may be looked at is for the gap to say. */
const TICK_MS = 2_000;
const BEAT_MS = 60_000;
/** A look is two requests and, now and then, a token for each. */
const REQUESTS_A_LOOK = 4;
/** By level: what was reached, and what it has come back below. */
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
/** Where no notify threshold is set. */
const NOTIFY_SHARE = 0.8;

const LOOKER: Actor = {
  id: 'watch',
  name: 'the data watch',
  role: 'viewer',
  surface: 'background',
  priority: 'background',
};

type Row = Record<string, unknown>;

/**
 * Looks at watched numbers behind everybody else, and never with more than a tenth of the budget. A finding is given to
 * `found` before it is noted, under a key of its own, so that a stop between the two tells it once.
 */
export function createPoller(options: {
  watches: Watches;
  gate: Pick<Gate, 'perform' | 'budget'>;
  found: (event: WatchEvent) => Promise<unknown>;
  clock: Clock;
  log: Log;
}) {
  const { watches, gate, clock, log } = options;
  let timer: unknown;
  const leaving = new AbortController();
  let running = false;
  let beaten = Number.NEGATIVE_INFINITY;
  let under: Promise<void> = Promise.resolve();

  /** Apart enough that a minute never holds more than a tenth of the budget. */
  const gapMs = () => Math.max(MIN_GAP_MS, Math.ceil((PERIOD_MS * REQUESTS_A_LOOK) / (gate.budget().limit / 10)));

  async function read(wanted: { operation: string; numbers: string }, phones: readonly string[]): Promise<Row[]> {
    const reading = gate.perform(
      wanted.operation,
      { [wanted.numbers]: phones.map((phone) => ({ Number: phone })) },
      LOOKER,
      { signal: leaving.signal },
    );
    const done = await orLeave(reading, leaving.signal);
    const rows = done.kind === 'done' ? done.value[wanted.numbers] : undefined;
    return Array.isArray(rows) ? (rows as Row[]) : [];
  }

  async function look(): Promise<void> {
    const due = watches.take(BATCH, clock.now() + EVERY_MS);
    if (due.length === 0) return;
    const phones = due.map(({ phone }) => phone);
    try {
      const usage = await read(watchOperations.usage, phones);
      const limits = await read(watchOperations.limits, phones).catch(refusedAsNone);
      for (const watch of due) {
        const row = usage.find((one) => one.Number === watch.phone);
        if (row) await compare(watch, row, limits.find((one) => one.Number === watch.phone) ?? {});
      }
    } catch (error) {
      if (error instanceof Unavailable) return;
      const { face } = asSwitchboardError(error);
      const refused = face.code === 'not_found' || face.code === 'bad_request';
      if (refused && due.length > 1) watches.separate(phones);
      else if (refused && due[0]) await lost(due[0]);
      else
        log(
          'info',
          { numbers: phones.length, code: face.code },
          'watched numbers could not be read; their turn comes again',
        );
    }
  }

  async function compare(watch: Watch, row: Row, limits: Row): Promise<void> {
    const now = lookOf(row, limits);
    if (!now) {
      log('warn', { number: watch.phone, used: row.Used }, 'data use cannot be read: it is no amount');
      return;
    }
    const first = watch.checkedAt === undefined;
    const findings: string[] = [];
    if (now.level > (first ? 0 : watch.level)) findings.push(REACHED[now.level] ?? '');
    else if (!first && now.level < watch.level) findings.push(BELOW[now.level] ?? '');
    else if (!first && differs(now.behaviour, watch.behaviour)) findings.push(`is ${now.behaviour.toLowerCase()} now`);
    if (!first && differs(now.status, watch.status))
      findings.push(`is ${now.status.toLowerCase()} now (was ${watch.status.toLowerCase()})`);
    if (findings.length > 0) await options.found(eventOf(watch, findings.join(' and '), { ...row, ...limits }));
    watches.saw(watch.phone, now, findings.length > 0);
    // Released for good (platform.md, Number): there is nothing left to watch.
    if (/^cancelled$/i.test(now.status)) watches.remove(watch.phone);
  }

  /** The platform no longer knows the number, or no longer lets us read it. */
  async function lost(watch: Watch): Promise<void> {
    await options.found(eventOf(watch, 'cannot be read any more and is no longer watched', {}));
    watches.remove(watch.phone);
  }

  function tick(): void {
    if (!running) return;
    under = (async () => {
      const next = watches.nextAt();
      if (clock.now() - beaten >= BEAT_MS) {
        beaten = clock.now();
        watches.beat();
      }
      // One gap for all processes on this file.
      if (next !== undefined && next <= clock.now() && watches.turn(gapMs())) await look();
    })().catch((error: unknown) => log('error', { error: String(error) }, 'the data watch failed; it goes on'));
    void under.then(() => {
      if (running) timer = clock.setTimeout(tick, TICK_MS);
    });
  }

  return {
    start(): void {
      if (running) return;
      running = true;
      tick();
    },
    /** Resolves when the look under way has ended. */
    idle: () => under,
    async stop(): Promise<void> {
      running = false;
      leaving.abort();
      clock.clearTimeout(timer);
      await under;
    },
  };
}

/** A number may have no limits to read. */
function refusedAsNone(error: unknown): Row[] {
  if (['not_found', 'bad_request'].includes(asSwitchboardError(error).face.code)) return [];
  throw error;
}

/** What `/metrics` shows of watched numbers. */
export function watchMetrics(watches: Pick<Watches, 'list'>, clock: Clock): string {
  const all = watches.list();
  const oldest = all.reduce((at, watch) => Math.min(at, watch.checkedAt ?? watch.startedAt), clock.now());
  const gauge = (name: string, help: string, value: number) =>
    `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`;
  return (
    gauge('switchboard_watched_numbers', 'Numbers somebody watches.', all.length) +
    gauge('switchboard_watch_oldest_look_seconds', 'Since the look that is longest ago.', (clock.now() - oldest) / 1000)
  );
}

function eventOf(watch: Watch, found: string, fields: Row): WatchEvent {
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

/** What is left out is no news. */
function differs(now: string, before: string): boolean {
  return now !== '' && before !== '' && now !== before;
}

/** Undefined where the platform does not say how much was used. */
function lookOf(row: Row, limits: Row): Look | undefined {
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
    // A number without any limit crosses nothing.
    level: levels.reduce((level, at, i) => (Number.isFinite(at) && at > 0 && used >= at ? i + 1 : level), 0),
  };
}

const UNITS: Readonly<Record<string, number>> = { B: 1e-6, KB: 1e-3, MB: 1, GB: 1e3, TB: 1e6 };

/** "1.5 GB" is 1500; a bare number is in MB already (platform.md, Enumerations: ValueUnit). */
export function megabytes(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const match =
    typeof value === 'string'
      ? /^(\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,9})?|\d{1,20}(?:\.\d{1,9})?)\s{0,9}([KMGT]?B)?$/i.exec(value.trim())
      : null;
  return match ? Number(match[1]?.replaceAll(',', '')) * (UNITS[(match[2] ?? 'MB').toUpperCase()] ?? 1) : undefined;
}
