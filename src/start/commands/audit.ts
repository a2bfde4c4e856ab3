import { tools } from '../../../tools/index.ts';
import { askedOf } from '../../cards/question.ts';
import { BATCH_RUN } from '../../gate/frozen-batch.ts';
import { clean } from '../../language/show.ts';
import { type AuditEntry, auditEntries } from '../../ledger/audit.ts';
import { verifyTrail } from '../../ledger/verify.ts';
import { systemClock } from '../../lib/clock.ts';
import { ConfigError, colourEnvironment } from '../../lib/config.ts';
import { objectIn, textOf } from '../../lib/json.ts';
import { hasColours, type Style, styleOf } from '../../lib/style.ts';
import { readArguments } from '../../surfaces/cli/arguments.ts';
import { listText, tableFits } from '../../surfaces/cli/columns.ts';
import { localTime } from '../../surfaces/cli/local-time.ts';
import { prose } from '../../surfaces/cli/prose.ts';
import { widthOf } from '../../surfaces/cli/reporting.ts';
import { openInstallation, openSeal } from '../installation.ts';
import { readSettings } from '../settings.ts';
import { FORMATS } from './audit-formats.ts';
import { endText, readEndText, send } from './audit-output.ts';
import { ship } from './audit-ship.ts';
import { spanOf } from './when.ts';

const USAGE =
  'switchboard audit [--since WHEN] [--until WHEN] [--format table|jsonl|csv|cef] [--follow] [--to FILE] [--position FILE], or switchboard audit --verify [--end ENTRY:HASH]';

/**
 * `switchboard audit`: writes the audit trail, the oldest first: a table on a terminal, otherwise JSON lines. A day means the whole day in UTC, and
 * `8h` means eight hours ago. `--verify` checks its chain instead. Returns the exit code.
 */
export async function runAudit(args: readonly string[], out: Terminal = process.stdout): Promise<number> {
  const { values } = readArguments(args, USAGE, {
    since: { type: 'string' },
    until: { type: 'string' },
    format: { type: 'string' },
    follow: { type: 'boolean' },
    to: { type: 'string' },
    position: { type: 'string' },
    verify: { type: 'boolean' },
    end: { type: 'string' },
  });
  if (values.verify) return verify(values, out);
  if (values.end !== undefined) throw usage('--end is for --verify');
  const { format: given, follow = false, to, position } = values;
  const isForPrograms = follow || to !== undefined || position !== undefined;
  const name = given ?? (out.isTTY === true && !isForPrograms ? 'table' : 'jsonl');
  const format = Object.entries(FORMATS).find(([one]) => one === name)?.[1];
  if (format === undefined && name !== 'table') throw usage('--format must be table, jsonl, csv or cef');
  if (format === undefined && isForPrograms) throw usage('--follow, --to and --position write jsonl, csv or cef');
  if (follow && values.until !== undefined) throw usage('--follow has no --until, because it goes on');
  const from = spanOf('--since', values.since, USAGE)?.from ?? 0;
  const until = spanOf('--until', values.until, USAGE)?.until ?? Number.MAX_SAFE_INTEGER;
  const store = await openInstallation(readSettings(), { clock: systemClock, log: () => undefined });
  try {
    const db = store.database('ledger');
    if (format === undefined) await writeTable(auditEntries(db, { from, until }), out);
    else await ship({ db, format, filter: { from, until }, follow, to, position, out });
    return 0;
  } finally {
    await store.close();
  }
}

function usage(problem: string): ConfigError {
  return new ConfigError(`${problem}.\nUsage: ${USAGE}`);
}

async function writeTable(pages: AsyncIterable<AuditEntry[]>, out: Terminal): Promise<void> {
  let isFirst = true;
  for await (const entries of pages) {
    const text = isFirst && entries.length === 0 ? 'Nothing is recorded for this time.\n' : tableText(entries, out);
    isFirst = false;
    if (!(await send(text, out))) return;
  }
}

/** Flaws that are printed. */
const MOST_FLAWS = 50;

async function verify(values: Readonly<Record<string, string | boolean | undefined>>, out: Terminal): Promise<number> {
  const others = Object.keys(values).filter((name) => name !== 'verify' && name !== 'end');
  if (others.length > 0) throw usage(`--verify checks the whole trail, without --${others.join(' and --')}`);
  const known = typeof values.end === 'string' ? readEndText(values.end) : undefined;
  if (values.end !== undefined && known === undefined)
    throw usage(`--end ${String(values.end)} is not an end that --verify printed`);
  const config = readSettings();
  const seal = openSeal(config);
  const store = await openInstallation(config, { clock: systemClock, log: () => undefined, seal });
  try {
    const { entries, end, flaws } = await verifyTrail(store.database('ledger'), { seal, known });
    const found = flaws.slice(0, MOST_FLAWS).map((flaw) => `FAIL  ${clean(flaw)}\n`);
    const more = flaws.length > MOST_FLAWS ? `… and ${flaws.length - MOST_FLAWS} more.\n` : '';
    const last = end === undefined ? '' : ` The end is ${endText(end)}.`;
    await send(
      `${found.join('')}${more}${entries} entries${flaws.length === 0 ? ', all as they were written' : ''}.${last}\n`,
      out,
    );
    return flaws.length === 0 ? 0 : 1;
  } finally {
    await store.close();
  }
}

/** The stream that the audit trail is written to. */
type Terminal = NodeJS.WritableStream & { isTTY?: boolean | undefined; columns?: number | undefined };

/** One table for each part of the trail that is read at once. On a terminal that it does not fit, one entry a step. */
function tableText(lines: readonly AuditEntry[], out: Terminal): string {
  const rows = lines.map((line) =>
    [
      localTime(line.at, true),
      line.what,
      line.operation,
      line.way === null ? line.who : `${line.who} (${line.way})`,
      detailText(line),
      line.action,
    ].map(clean),
  );
  const style = styleOf(out.isTTY === true && hasColours(process.stdout, colourEnvironment()));
  const width = out.isTTY === true ? widthOf(out) : Number.POSITIVE_INFINITY;
  if (!tableFits(HEADS, rows, width)) return `${rows.map((row) => entryText(row, width, style)).join('\n\n')}\n`;
  return `${listText(HEADS, rows, { width, wide: !Number.isFinite(width), chosen: true, style })}\n`;
}

function entryText([at, what = '', operation, who, detail, action]: string[], width: number, style: Style): string {
  const [head = '', ...more] = prose(`${at} ${what} ${operation}`, width, 2).split('\n');
  const texts = [`by ${who}`, detail ?? '', action ?? ''].filter((text) => text !== '');
  const below = texts.map((text) => prose(`  ${text}`, width));
  return [head.replace(` ${what}`, ` ${style.bold(what)}`), ...more, ...below].join('\n');
}

/** The detail of a step in words. The input of a call is stored as JSON. */
function detailText({ detail, operation, way, reason, known }: AuditEntry): string {
  const shown = objectIn(detail);
  const tool = tools.find(({ id }) => id === operation);
  const { Batch, Operation } = shown ?? {};
  const facts = [
    ...(operation === BATCH_RUN && shown ? [`Batch: ${textOf(Batch)}`, `Operation: ${textOf(Operation)}`] : []),
    ...(shown
      ? askedOf(tool, { operation, shown, known: objectIn(known ?? '') ?? {}, consent: undefined }).rows.map(
          ({ label, value }) => `${label}: ${value.split('\n').join(', ')}`,
        )
      : [detail === way ? '' : detail]),
    reason === null || reason === '' ? '' : `Reason: ${reason}`,
  ];
  return facts.filter((fact) => fact !== '').join('; ');
}

const HEADS = ['At', 'What', 'Operation', 'Who', 'Detail', 'Action'];
