import { tools } from '../../../tools/index.ts';
import { sinceTime } from '../../../tools/shared/fields.ts';
import { askedOf } from '../../cards/question.ts';
import { BATCH_RUN } from '../../gate/batch.ts';
import { clean } from '../../language/show.ts';
import { type AuditLine, auditLines } from '../../ledger/audit.ts';
import { systemClock } from '../../lib/clock.ts';
import { ConfigError, colourEnvironment } from '../../lib/config.ts';
import { objectIn, textOf } from '../../lib/json.ts';
import { hasColours, type Style, styleOf } from '../../lib/style.ts';
import { readDate, type Span } from '../../platform/dialect/dates.ts';
import { readArguments } from '../../surfaces/cli/arguments.ts';
import { listText, tableFits } from '../../surfaces/cli/columns.ts';
import { localTime } from '../../surfaces/cli/local-time.ts';
import { prose } from '../../surfaces/cli/prose.ts';
import { widthOf } from '../../surfaces/cli/reporting.ts';
import { openInstallation } from '../installation.ts';
import { readSettings } from '../settings.ts';

const USAGE = 'switchboard audit [--since WHEN] [--until WHEN] [--output json|table]';

/**
 * `switchboard audit`: writes the audit trail, the oldest first: a table on a terminal, otherwise JSON lines. A day means the whole day in UTC, and
 * `8h` means eight hours ago. Returns the exit code.
 */
export async function runAudit(args: readonly string[], out: Terminal = process.stdout): Promise<number> {
  const { values } = readArguments(args, USAGE, {
    since: { type: 'string' },
    until: { type: 'string' },
    output: { type: 'string' },
  });
  const output = values.output ?? (out.isTTY === true ? 'table' : 'json');
  if (output !== 'json' && output !== 'table')
    throw new ConfigError(`--output must be json or table.\nUsage: ${USAGE}`);
  const from = spanOf('--since', values.since)?.from ?? 0;
  const until = spanOf('--until', values.until)?.until ?? Number.MAX_SAFE_INTEGER;
  const store = await openInstallation(readSettings(), { clock: systemClock, log: () => undefined });
  try {
    let isFirst = true;
    for await (const lines of auditLines(store.database('ledger'), { from, until })) {
      const table = isFirst && lines.length === 0 ? 'Nothing is recorded for this time.\n' : tableText(lines, out);
      isFirst = false;
      const text = output === 'json' ? lines.map(jsonLine).join('') : table;
      if (!(await send(text, out))) break;
    }
    return 0;
  } finally {
    await store.close();
  }
}

function spanOf(option: string, text: string | undefined): Span | undefined {
  if (text === undefined) return undefined;
  const span = readDate(text, 'UTC');
  if (span !== undefined) return span;
  const ago = sinceTime(text, systemClock.now());
  if (Number.isNaN(ago))
    throw new ConfigError(
      `${option} ${text} is not a time such as 8h, 2026-11-21 or 2026-11-21T14:00:00Z.\nUsage: ${USAGE}`,
    );
  return { from: ago, until: ago };
}

/** The stream that the audit trail is written to. */
type Terminal = NodeJS.WritableStream & { isTTY?: boolean | undefined; columns?: number | undefined };

/** Writes a text. Resolves to false if the reader has closed the stream, as `head` does. */
function send(text: string, out: Terminal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    out.write(text, (error?: NodeJS.ErrnoException | null) => {
      if (!error) resolve(true);
      else if (error.code === 'EPIPE') resolve(false);
      else reject(error);
    });
  });
}

/** One table for each part of the trail that is read at once. On a terminal that it does not fit, one entry a step. */
function tableText(lines: readonly AuditLine[], out: Terminal): string {
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

/** The detail of a step in words: what changes, before and after, and the input of the call, both stored as JSON. */
function detailText({ detail, operation, way, reason, change }: AuditLine): string {
  const shown = objectIn(detail);
  const known = change === null ? {} : { change: objectIn(change) };
  const tool = tools.find(({ id }) => id === operation);
  const { Batch, Operation } = shown ?? {};
  const facts = [
    ...(operation === BATCH_RUN && shown ? [`Batch: ${textOf(Batch)}`, `Operation: ${textOf(Operation)}`] : []),
    ...(shown
      ? askedOf(tool, { operation, shown, known, consent: undefined }).rows.map(
          ({ label, value }) => `${label}: ${value.split('\n').join(', ')}`,
        )
      : [detail === way ? '' : detail]),
    reason === null || reason === '' ? '' : `Reason: ${reason}`,
  ];
  return facts.filter((fact) => fact !== '').join('; ');
}

const HEADS = ['At', 'What', 'Operation', 'Who', 'Detail', 'Action'];

function jsonLine({ at, change, ...line }: AuditLine): string {
  const changed = change === null ? {} : { change: objectIn(change) };
  return `${JSON.stringify({ at: new Date(at).toISOString(), ...line, ...changed })}\n`;
}
