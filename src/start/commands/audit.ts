import { tools } from '../../../tools/index.ts';
import { sinceTime } from '../../../tools/shared/fields.ts';
import { changeData } from '../../cards/card.ts';
import { filesOf } from '../../cards/question.ts';
import { clean } from '../../language/show.ts';
import { type AuditEntry, auditEntries, changeOf, verifyTrail } from '../../ledger/action.ts';
import { systemClock } from '../../lib/clock.ts';
import type { ConfigError } from '../../lib/config.ts';
import { jsonText, objectIn, visible } from '../../lib/values.ts';
import { readDate, type Span } from '../../platform/dialect/readings.ts';
import { readArguments, wrongUsage } from '../../surfaces/cli/flags.ts';
import { closing, openInstallation, openSeal } from '../installation.ts';
import { readSettings } from '../settings.ts';

const USAGE = 'switchboard audit [--since WHEN] [--until WHEN], or switchboard audit --verify [--end "SEQ HASH"]';

/**
 * `switchboard audit`: writes the audit trail as JSON lines, the oldest first. `--verify` checks its chain instead.
 *
 * @returns the exit code: 1 if `--verify` finds a flaw
 * @throws ConfigError for wrong usage
 */
export async function runAudit(args: readonly string[], out: NodeJS.WritableStream = process.stdout): Promise<number> {
  const { values } = readArguments(args, USAGE, {
    since: { type: 'string' },
    until: { type: 'string' },
    verify: { type: 'boolean' },
    end: { type: 'string' },
  });
  const { verify, end, ...times } = values;
  if (verify && Object.keys(times).length > 0)
    throw usage('--verify checks the whole trail, without --since and --until');
  if (!verify && end !== undefined) throw usage('--end is for --verify');
  // The end of a trail, as `--verify` prints it.
  const [, seq, hash = ''] = /^(\d{1,15}) ([\w-]{43})$/.exec(end?.trim() ?? '') ?? [];
  if (end !== undefined && seq === undefined)
    throw usage(`--end ${end} is not an end that --verify printed, such as "10 kM2…"`);
  const known = seq === undefined ? undefined : { seq: Number(seq), hash };
  const from = spanOf('--since', times.since)?.from ?? 0;
  const until = spanOf('--until', times.until)?.until ?? Number.MAX_SAFE_INTEGER;
  if (until < from) throw usage(`--until ${times.until} is before ${from === 0 ? '1970' : `--since ${times.since}`}`);
  const config = readSettings();
  const seal = verify ? await openSeal(config) : undefined;
  return closing(await openInstallation(config, { seal }), async (store) => {
    const db = store.database('ledger');
    if (seal) {
      const { entries, end: last, flaws } = await verifyTrail(db, { seal, known });
      const found = flaws.map((flaw) => `FAIL  ${clean(flaw)}\n`);
      const whole = flaws.length === 0 ? ', all as they were written' : '';
      const at = last === undefined ? '' : ` The end is ${last.seq} ${last.hash}`;
      await send(`${found.join('')}${entries} entries${whole}.${at}\n`, out);
      return flaws.length === 0 ? 0 : 1;
    }
    for await (const entries of auditEntries(db, { from, until }))
      if (!(await send(entries.map(lineOf).join(''), out))) break;
    return 0;
  });
}

function usage(problem: string): ConfigError {
  return wrongUsage(`${problem}.`, USAGE);
}

/** A day means the whole day in UTC, and `8h` means eight hours ago. */
function spanOf(option: string, text: string | undefined): Span | undefined {
  if (text === undefined) return undefined;
  const span = readDate(text, 'UTC');
  if (span !== undefined) return span;
  const ago = sinceTime(text, systemClock.now());
  if (Number.isNaN(ago))
    throw usage(`${option} ${text} is not a time such as 8h, a real day such as 2026-11-21, or 2026-11-21T14:00:00Z`);
  return { from: ago, until: ago };
}

/**
 * An entry in one line, whatever the texts in it are. The change stands in the entry by which it was requested. Records
 * are named by number or id, as the platform does.
 */
function lineOf(entry: AuditEntry): string {
  const { at, known, change_digest, prev, hash, ...rest } = entry;
  const change = changeOf({ known: objectIn(known ?? '') ?? {} });
  const files = filesOf(tools.find(({ id }) => id === entry.operation));
  const changes = change?.rows.map((row) => ({
    ...changeData(row, {}, files),
    ...(row.member !== undefined && { member: row.member }),
  }));
  const leads = change?.leads.map(({ what, from = '', to }) => ({
    what: visible(what),
    before: visible(from),
    after: visible(to),
  }));
  const shown = { changes: changes ?? null, leads: leads ?? null };
  return `${jsonText({ at: new Date(at).toISOString(), ...rest, ...shown, change_digest, prev, hash })}\n`;
}

/** Writes a text. Resolves to false if the reader has closed the stream, as `head` does. */
function send(text: string, stream: NodeJS.WritableStream): Promise<boolean> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error?: NodeJS.ErrnoException | null) => {
      if (!error) resolve(true);
      else if (error.code === 'EPIPE') resolve(false);
      else reject(error);
    });
  });
}
