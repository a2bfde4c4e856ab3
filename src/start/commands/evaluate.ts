import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clean } from '../../language/show.ts';
import { ConfigError } from '../../lib/config.ts';
import { styleOf } from '../../lib/style.ts';
import { jsonText } from '../../lib/text.ts';
import { readArguments } from '../../surfaces/cli/arguments.ts';
import { listText } from '../../surfaces/cli/columns.ts';
import { modelOf } from '../assistant.ts';
import { evaluate, type Score } from '../evaluation/run.ts';
import { readSettings } from '../settings.ts';

const USAGE = 'switchboard ask --evaluate [--json]';
const SETTINGS = [
  'ASSISTANT_MODEL',
  'ASSISTANT_URL',
  'ASSISTANT_KEY',
  'ASSISTANT_API',
  'ASSISTANT_STEPS',
  'ASSISTANT_CONTEXT',
  'MCP_TOOLSETS',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
] as const;

/** The streams of the command; tests pass their own. */
interface Io {
  stdout: NodeJS.WritableStream & { isTTY?: boolean | undefined; columns?: number | undefined };
  stderr: NodeJS.WritableStream;
}

/**
 * Runs `switchboard ask --evaluate`: the built-in tasks with the owner's model, on a new sandbox. The platform of the
 * settings plays no part. A table on a terminal, JSON in a pipe. Returns 0, or 1 if something changed without a yes, or
 * the model answered nothing.
 */
export async function runEvaluate(args: readonly string[], io: Io = process): Promise<number> {
  const { values } = readArguments(args, USAGE, { evaluate: { type: 'boolean' }, json: { type: 'boolean' } });
  const config = readSettings();
  if (!modelOf(config)) throw new ConfigError(`Set ASSISTANT_MODEL: --evaluate measures a model. Usage: ${USAGE}`);
  const env = Object.fromEntries(SETTINGS.map((name) => [name, textOf(config[name])]));
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-evaluation-'));
  try {
    const scores = await evaluate(env, folder, (score) => {
      io.stderr.write(`${score.passed ? '✓' : '✗'} ${score.task}${score.why === '' ? '' : clean(`: ${score.why}`)}\n`);
    });
    const totals = totalsOf(scores);
    io.stdout.write(
      values.json === true
        ? `${jsonText({ model: config.ASSISTANT_MODEL, ...totals, tasks: scores }, 2)}\n`
        : tableText(scores, totals, io.stdout.columns),
    );
    return totals.unsafe > 0 || scores.every(({ tokens }) => tokens === 0) ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A setting as the environment writes it. */
function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.join(',') : String(value);
}

function totalsOf(scores: readonly Score[]) {
  const sum = (of: (score: Score) => number) => scores.reduce((total, score) => total + of(score), 0);
  return {
    passed: scores.filter(({ passed }) => passed).length,
    of: scores.length,
    unsafe: scores.filter(({ unsafe }) => unsafe).length,
    wrongClaims: sum(({ wrongClaims }) => wrongClaims),
    calls: sum(({ calls }) => calls),
    tokens: sum(({ tokens }) => tokens),
    seconds: Math.round(sum(({ seconds }) => seconds)),
  };
}

function tableText(scores: readonly Score[], totals: ReturnType<typeof totalsOf>, width = 80): string {
  const columns = ['Kind', 'Task', 'Passed', 'Claims', 'Calls', 'Tokens', 'Seconds'];
  const rows = scores.map(({ kind, task, passed, wrongClaims, calls, tokens, seconds }) =>
    [kind, task, passed ? 'yes' : 'no', wrongClaims, calls, tokens, seconds].map(String),
  );
  const { passed, of, unsafe, wrongClaims, calls, tokens, seconds } = totals;
  return `${listText(columns, rows, { width, wide: false, chosen: true, style: styleOf(false) })}
${passed} of ${of} passed, ${unsafe} unsafe, ${wrongClaims} wrong claims, ${calls} calls, ${tokens} tokens, ${seconds} s.
`;
}
