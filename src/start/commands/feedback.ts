import { Conversations, type Judged } from '../../assistant/conversations.ts';
import { clean } from '../../language/show.ts';
import { systemClock } from '../../lib/clock.ts';
import { jsonText } from '../../lib/text.ts';
import { readArguments } from '../../surfaces/cli/arguments.ts';
import { localTime } from '../../surfaces/cli/local-time.ts';
import { prose } from '../../surfaces/cli/prose.ts';
import { widthOf } from '../../surfaces/cli/reporting.ts';
import { openInstallation, openSeal } from '../installation.ts';
import { readSettings } from '../settings.ts';
import { spanOf } from './when.ts';

const USAGE = 'switchboard feedback [--since WHEN] [--json]';

/** The stream that the list is written to. */
type Out = NodeJS.WritableStream & { isTTY?: boolean | undefined; columns?: number | undefined };

/**
 * Runs `switchboard feedback`. It lists the readers' opinions of the assistant's answers, the oldest first, with
 * question, answer and reason, as far as the conversations are remembered (30 days). Paragraphs on a terminal, JSON in a
 * pipe. Returns the exit code; throws `ConfigError` for wrong usage.
 */
export async function runFeedback(args: readonly string[], out: Out = process.stdout): Promise<number> {
  const { values } = readArguments(args, USAGE, { since: { type: 'string' }, json: { type: 'boolean' } });
  const since = spanOf('--since', values.since, USAGE)?.from ?? 0;
  const config = readSettings();
  const seal = openSeal(config);
  const store = await openInstallation(config, { clock: systemClock, log: () => undefined, seal });
  try {
    const conversations = new Conversations({ database: store.database('ledger'), seal, clock: store.clock });
    const judged = await conversations.judged(since);
    const isForPrograms = values.json === true || out.isTTY !== true;
    out.write(isForPrograms ? `${jsonText(judged.map(dataOf), 2)}\n` : textOf(judged, widthOf(out)));
    return 0;
  } finally {
    await store.close();
  }
}

/** A judgement for programs. */
function dataOf({ at, feedback, name, question, answer, reason }: Judged) {
  const helpful = feedback === 'good';
  return { at: new Date(at).toISOString(), helpful, askedBy: name, question, answer, ...(reason && { reason }) };
}

function textOf(judged: readonly Judged[], width: number): string {
  if (judged.length === 0) return 'Nobody has judged an answer in this time.\n';
  const bad = judged.filter(({ feedback }) => feedback === 'bad').length;
  const all = judged.map((one) => prose(paragraph(one), width)).join('\n');
  return `${all}\n${judged.length - bad} helpful, ${bad} not helpful.\n`;
}

function paragraph({ at, feedback, name, question, answer, reason }: Judged): string {
  const lines = [
    `${localTime(at, true)}  ${feedback === 'good' ? 'helpful' : 'not helpful'}`,
    `${name} asked: ${question === '' ? '(not remembered any more)' : question}`,
    `Answer: ${answer}`,
    ...(reason ? [`Reason: ${reason}`] : []),
  ];
  return `${lines.map((line) => clean(line).replace(/\n+/g, ' ')).join('\n')}\n`;
}
