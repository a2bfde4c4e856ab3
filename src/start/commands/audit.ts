import { once } from 'node:events';
import { sinceTime } from '../../../tools/shared/fields.ts';
import { clean } from '../../language/show.ts';
import { type AuditLine, auditLines } from '../../ledger/audit.ts';
import { systemClock } from '../../lib/clock.ts';
import { ConfigError, colourEnvironment } from '../../lib/config.ts';
import { hasColours, styleOf } from '../../lib/style.ts';
import { readDate, type Span } from '../../platform/dialect/dates.ts';
import { readArguments } from '../../surfaces/cli/arguments.ts';
import { listText } from '../../surfaces/cli/columns.ts';
import { widthOf } from '../../surfaces/cli/reporting.ts';
import { openInstallation } from '../installation.ts';
import { readSettings } from '../settings.ts';

const USAGE = 'switchboard audit [--since WHEN] [--until WHEN] [--output json|table]';

/**
 * `switchboard audit`: writes the audit trail, the oldest first: a table on a terminal, otherwise JSON lines. A day
 * means the whole day in UTC, and `8h` means eight hours ago. Returns the exit code.
 */
export async function runAudit(args: readonly string[]): Promise<number> {
  const { values } = readArguments(args, USAGE, {
    since: { type: 'string' },
    until: { type: 'string' },
    output: { type: 'string' },
  });
  const out = process.stdout;
  const output = values.output ?? (out.isTTY ? 'table' : 'json');
  if (output !== 'json' && output !== 'table')
    throw new ConfigError(`--output must be json or table.\nUsage: ${USAGE}`);
  const from = spanOf('--since', values.since)?.from ?? 0;
  const until = spanOf('--until', values.until)?.until ?? Number.MAX_SAFE_INTEGER;
  const store = await openInstallation(readSettings(), { clock: systemClock, log: () => undefined });
  try {
    let isFirst = true;
    for await (const lines of auditLines(store.database('ledger'), { from, until })) {
      const table = isFirst && lines.length === 0 ? 'Nothing is recorded for this time.\n' : tableText(lines);
      isFirst = false;
      const text = output === 'json' ? lines.map(jsonLine).join('') : table;
      if (!out.write(text)) await once(out, 'drain');
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

/** One table for each part of the trail that is read at once. */
function tableText(lines: readonly AuditLine[]): string {
  const out = process.stdout;
  const rows = lines.map(({ at, what, operation, who, way, detail, action }) => [
    new Date(at).toISOString().slice(0, 19).replace('T', ' '),
    what,
    operation,
    way === null ? who : `${who} (${way})`,
    detail,
    action,
  ]);
  const style = styleOf(out.isTTY && hasColours(out, colourEnvironment()));
  const width = out.isTTY ? widthOf(out) : Number.POSITIVE_INFINITY;
  const cells = rows.map((row) => row.map(clean));
  return `${listText(HEADS, cells, { width, wide: !Number.isFinite(width), chosen: true, style })}\n`;
}

const HEADS = ['At (UTC)', 'What', 'Operation', 'Who', 'Detail', 'Action'];

function jsonLine({ at, ...line }: AuditLine): string {
  return `${JSON.stringify({ at: new Date(at).toISOString(), ...line })}\n`;
}
