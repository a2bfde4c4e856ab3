import { once } from 'node:events';
import { sinceTime } from '../../../tools/shared/fields.ts';
import { type AuditLine, auditLines } from '../../ledger/audit.ts';
import { systemClock } from '../../lib/clock.ts';
import { ConfigError } from '../../lib/config.ts';
import { readDate, type Span } from '../../lib/dates.ts';
import { readArguments } from '../../surfaces/cli/arguments.ts';
import { openInstallation } from '../installation.ts';
import { readSettings } from '../settings.ts';

const USAGE = 'switchboard audit [--since WHEN] [--until WHEN]';

/**
 * `switchboard audit`: writes the audit trail as JSON lines, the oldest first. A day means the whole day in UTC, and
 * `8h` means eight hours ago. Returns the exit code.
 */
export async function runAudit(args: readonly string[], out: NodeJS.WritableStream = process.stdout): Promise<number> {
  const { values } = readArguments(args, USAGE, { since: { type: 'string' }, until: { type: 'string' } });
  const from = spanOf('--since', values.since)?.from ?? 0;
  const until = spanOf('--until', values.until)?.until ?? Number.MAX_SAFE_INTEGER;
  const store = await openInstallation(readSettings(), { clock: systemClock, log: () => undefined });
  try {
    for await (const lines of auditLines(store.database('ledger'), { from, until }))
      if (!out.write(lines.map(jsonLine).join(''))) await once(out, 'drain');
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

function jsonLine({ at, ...line }: AuditLine): string {
  return `${JSON.stringify({ at: new Date(at).toISOString(), ...line })}\n`;
}
