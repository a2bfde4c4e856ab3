import type { TrailEnd } from '../../ledger/audit.ts';
import { type AuditEntry, auditEntries, type EntryFilter } from '../../ledger/audit.ts';
import { entryAt } from '../../ledger/verify.ts';
import { after, systemClock } from '../../lib/clock.ts';
import { ConfigError } from '../../lib/config.ts';
import { LOOK_MS, RETRY_MS } from '../../lib/durations.ts';
import { isStoreUnavailable } from '../../store/key-values.ts';
import type { Database } from '../../store/types.ts';
import { stopSignal } from '../signals.ts';
import type { EntryFormat } from './audit-formats.ts';
import { fileOutput, type Output, readPosition, streamOutput, writePosition } from './audit-output.ts';

export interface Shipping {
  db: Database;
  format: EntryFormat;
  filter: EntryFilter;
  /** True to go on with new entries until the process is stopped. */
  follow: boolean;
  /** The file to write to, instead of `out`. */
  to: string | undefined;
  /** The file that keeps the last entry that was written. */
  position: string | undefined;
  out: NodeJS.WritableStream;
}

/** Writes entries for another program: those that there are, and with `follow` those that come. */
export async function ship({ db, format, filter, follow, to, position, out }: Shipping): Promise<void> {
  const start = position === undefined ? undefined : await readPosition(position);
  if (start !== undefined) await requireKnown(db, start);
  const output = to === undefined ? streamOutput(out) : fileOutput(to);
  const run: Run = { db, format, filter, output, position, last: start };
  try {
    if (!follow) await shipNew(run);
    else await shipUntilStopped(run, to !== undefined);
  } finally {
    await output.close();
  }
}

interface Run extends Pick<Shipping, 'db' | 'format' | 'filter' | 'position'> {
  output: Output;
  /** The last entry that was written. */
  last: TrailEnd | undefined;
}

/** Checks that the entry that was written last is still there, as it was. */
async function requireKnown(db: Database, { seq, hash }: TrailEnd): Promise<void> {
  const entry = await entryAt(db, seq);
  if (entry?.hash === hash) return;
  const what = entry === undefined ? 'is not in the audit trail any more' : 'was altered since';
  throw new ConfigError(
    `Entry ${seq}, which was written last, ${what}. Check with "switchboard audit --verify --end ${seq}:${hash}". To begin anew, delete the file of --position.`,
  );
}

/** Writes the entries after the last one. Resolves to false if the reader has closed the stream. */
async function shipNew(run: Run): Promise<boolean> {
  const { db, format, filter, output, position } = run;
  for await (const entries of auditEntries(db, { ...filter, ...(run.last && { after: run.last.seq }) })) {
    const last = entries.at(-1);
    if (last === undefined) return true;
    if (!(await output.write(format.heading, entries.map((entry) => format.line(entry)).join('')))) return false;
    run.last = endOf(last);
    if (position !== undefined) await writePosition(position, run.last);
  }
  return true;
}

function endOf({ seq, hash }: AuditEntry): TrailEnd {
  return { seq, hash };
}

/**
 * Writes new entries until SIGTERM or SIGINT. SIGHUP, by which log rotation asks for a new file, ends it only if it
 * writes to a stream, because a renamed file is noticed at the next entry.
 */
async function shipUntilStopped(run: Run, isFile: boolean): Promise<void> {
  let isStopped = false;
  let isDue = false;
  let wake: () => void = () => undefined;
  const stop = () => {
    isStopped = true;
    wake();
  };
  if (isFile) process.on('SIGHUP', () => undefined);
  void stopSignal(isFile ? ['SIGTERM', 'SIGINT'] : undefined).then(stop);
  const stopListening = run.db.onOtherWrites(() => {
    isDue = true;
    wake();
  });
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = after(systemClock, ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  try {
    while (!isStopped) {
      isDue = false;
      const isRead = await shipWhileAway(run);
      if (isRead === 'closed') return;
      if (!isStopped && !isDue) await pause(isRead === 'away' ? RETRY_MS : LOOK_MS);
    }
  } finally {
    stopListening();
  }
}

/** Writes new entries. A database that is away does not end the command. */
async function shipWhileAway(run: Run): Promise<'read' | 'closed' | 'away'> {
  try {
    return (await shipNew(run)) ? 'read' : 'closed';
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    process.stderr.write('The database is not available; trying again.\n');
    return 'away';
  }
}
