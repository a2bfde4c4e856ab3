import { linesOf } from '../../cards/card.ts';
import { changedPart } from '../../cards/outcome.ts';
import { secretLabel } from '../../cards/question.ts';
import { jsonSchema, type Tool } from '../../catalogue/operation.ts';
import type { Performed } from '../../gate/confirmation.ts';
import type { Gate } from '../../gate/gate.ts';
import { factsOf } from '../../gate/question.ts';
import { errorOutcome, faceOf, failureText, partlyOutcome } from '../../language/outcome.ts';
import { clean } from '../../language/show.ts';
import { levelOfAction } from '../../ledger/action.ts';
import type { Action } from '../../ledger/ledger.ts';
import type { Actor } from '../../lib/actor.ts';
import { retried, SECOND_MS } from '../../lib/clock.ts';
import { ConfigError } from '../../lib/config.ts';
import { asSwitchboardError, type Failure, invalidInput, SwitchboardError } from '../../lib/errors.ts';
import { styleOf } from '../../lib/log.ts';
import { nearest } from '../../lib/nearest.ts';
import { type Fields, isRecord, jsonText, partsOf, plainText, recordOf, sentence } from '../../lib/values.ts';
import { answerText, bareName, cardOf, pick } from './answer.ts';
import type { Options } from './arguments.ts';
import { type CallIo, type Door, EXIT, exitCode, quietly, StoppedWaiting, type Terminal, unconfirmed } from './io.ts';
import { localTimeText, wrap } from './table.ts';

const LEAST_WIDTH = 40;

/** Columns for help texts and tables; 80 if the width is not known. */
export function widthOf({ columns = 80 }: { columns?: number | undefined }): number {
  return Math.max(LEAST_WIDTH, columns);
}

/** Writes the answer to stdout, and notes for a person to stderr. `input`: that of the call, whose number names a secret. */
export async function show(
  done: Extract<Performed, { kind: 'done' }>,
  tool: Tool | undefined,
  asked: Options,
  { human, style, stdout, out, err, ...terminal }: Terminal,
  input: Fields = {},
): Promise<void> {
  if (done.partly && human) {
    const { mark, headline, detail } = partlyOutcome(done.partly, done.value);
    const lines = [style.yellow(clean(`${mark} ${headline}.`)), clean(plainText(detail))];
    await err(`${lines.filter((text) => text !== '').join('\n')}\n`);
  }
  // A secret goes first, so that it is not missed. A script finds it by its field.
  for (const [name, secret] of Object.entries(done.once ?? {}))
    await err(`${human ? secretLabel(name, tool, input) : name} (shown once): ${secret}\n`);
  // Without a terminal, the question that --yes answered is on stderr. JSON is the answer alone.
  if (human) await err(changesText(done));
  else if (asked.output === 'table') await out(changesText(done));
  // A read shows a code only on request, because a photograph of it is enough to load the customer's SIM.
  const drawsQr = asked.qr || (stdout.isTTY === true && tool !== undefined && tool.risk !== 'read');
  const text = await written(done.value, tool, asked, { ...terminal, stdout }, drawsQr);
  if (text !== '') await out(`${text}\n`);
}

/** Lists the values before and after a call, one member a line. Empty if no member changed. */
export function changesText({ change, from, partly }: Extract<Performed, { kind: 'done' }>): string {
  const [part] = changedPart(change, { title: 'Changed', from, isPart: partly !== undefined });
  return part === undefined ? '' : `${clean(linesOf(part).join('\n')).trimStart()}\n`;
}

/** The answer as text. JSON is escaped too, because the output of a pipe often ends up on a terminal. */
async function written(
  whole: Fields,
  tool: Tool | undefined,
  asked: Options,
  { stdout, width, colours }: Pick<Terminal, 'stdout' | 'width' | 'colours'>,
  drawsQr: boolean,
): Promise<string> {
  const { fields } = asked;
  const absent = new Set(fields);
  const value = fields === undefined ? whole : recordOf(pick(whole, fields, absent));
  const isTerminal = stdout.isTTY === true;
  if ((asked.output ?? (isTerminal ? 'table' : 'json')) === 'json') return jsonText(value, 2);
  // If the answer has none of the chosen members, "Done." would be misleading.
  if (fields !== undefined && absent.size === fields.length) return '';
  const wide = asked.wide || !isTerminal;
  const layout = {
    width: wide ? Number.POSITIVE_INFINITY : width,
    fields,
    style: styleOf(colours?.out ?? false),
    qr: drawsQr ? (await import('../../lib/qr.ts')).qrLines : undefined,
    isPortIn: tool?.kind === 'operation' && tool.lane === 'portin',
  };
  // With --wide, what happened is its whole lists.
  const card = fields !== undefined || (wide && 'Since' in value) ? undefined : await cardOf(value);
  return answerText(value, layout, card);
}

/**
 * Refuses a member in --fields that neither the definitions of the answer nor the answer itself has, at any depth. A change
 * is refused before it is made, and a read after its answer, because the platform returns members that are not documented.
 *
 * @throws SwitchboardError `invalid_input`
 */
export function requireKnownFields(tools: readonly Tool[], { fields }: Options, answer: Fields = {}): void {
  if (fields === undefined) return;
  const schemas = tools.flatMap((tool) => partsOf(jsonSchema(tool.output, 'output')));
  const documented = schemas.flatMap(({ key, value }) =>
    key === 'properties' && isRecord(value) ? Object.keys(value) : [],
  );
  const names = [...documented, ...partsOf(answer).map(({ name }) => name)];
  const known = new Set(names.map(bareName));
  const unknown = fields.find((name) => !known.has(bareName(name)));
  if (unknown === undefined) return;
  const near = nearest(unknown, names);
  const hint = near === undefined ? `It has ${[...new Set(names)].slice(0, 20).join(', ')}.` : `Did you mean ${near}?`;
  throw invalidInput('--fields', `The answer has no member ${clean(unknown)}. ${clean(hint)}`);
}

/** One sentence on a terminal, a JSON document in a pipe. */
export function errorText(face: Failure, { human, style }: Pick<Terminal, 'human' | 'style'>, detail?: string): string {
  if (!human) return `${jsonText({ error: faceOf(face, 'terminal') }, 2)}\n`;
  const { mark, headline } = errorOutcome(face);
  const head = face.code === 'refused' || face.outcome === 'unknown' ? `${mark} ${headline}.\n` : '';
  // The log is quiet on a terminal, so its reason is added to the error.
  const why = detail === undefined ? '' : `${style.dim(clean(detail.split('\n')[0] ?? ''))}\n`;
  // Several wrong fields have one line each, so that they can be read on a narrow terminal too.
  const { fields = [], code } = face;
  const lines = fields.map(({ field, message }) => `${field}: ${message}`).join('\n');
  const text = clean(failureText(fields.length < 2 ? face : { ...face, message: lines }, 'terminal'));
  // An unconfirmed call or a wrong input is not a failure.
  const isCalm = face.outcome === 'unknown' || code === 'not_confirmed' || code === 'invalid_input';
  return `${(isCalm ? style.yellow : style.red)(`${head}${text}`)}\n${why}`;
}

/**
 * Runs a command. Resolves to its exit status. An error goes to stderr, as a sentence or in a pipe as JSON. The door is
 * opened when the command first needs it, and closed at its end.
 */
export async function reported<D extends Door>(
  io: CallIo<D>,
  run: (terminal: Terminal<D>) => Promise<number>,
): Promise<number> {
  let isLost = false;
  io.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    isLost ||= code !== 'EPIPE';
  });
  const openDoor = retried(() =>
    io.openDoor().catch((error: unknown) => {
      if (error instanceof SwitchboardError) throw error;
      // A failure of the store or the settings is reported like any other error.
      const message = error instanceof Error ? error.message : String(error);
      throw new SwitchboardError({ code: 'unavailable', message, outcome: 'not_done' }, { cause: error });
    }),
  );
  const [out, err] = [quietly(io.stdout), quietly(io.stderr)];
  const human = io.stderr.isTTY === true;
  const canAsk = human && io.stdin.isTTY === true;
  const style = styleOf(io.colours?.err ?? false);
  const terminal = { ...io, openDoor, out, err, human, canAsk, style, width: widthOf(io) };
  let isLeft = false;
  try {
    const status = await run(terminal);
    if (!isLost) return status;
    await err('The output could not be written. A change that was made stands: switchboard audit shows it.\n');
    return status === EXIT.done ? EXIT.partly : status;
  } catch (error) {
    const failure = error instanceof ConfigError ? invalidInput(undefined, error.message) : asSwitchboardError(error);
    // An unexpected failure has its reason in the detail.
    const isExpected = failure === error && failure.face.code !== 'server_error';
    await err(errorText(failure.face, terminal, isExpected ? undefined : failure.detail));
    isLeft = error instanceof StoppedWaiting;
    return exitCode(failure.face);
  } finally {
    // The outcome counts even if closing fails. Closing would wait for a request that the person no longer waits for.
    if (!isLeft) await openDoor.opened?.then(({ close }) => close()).catch(() => undefined);
  }
}

/** The error of a call that needs a yes where no person can be asked. `isPaid`: it would cost money. */
export function needsYes(why: string, isPaid: boolean): SwitchboardError {
  const next = 'Run it on a terminal, or add --yes.';
  return unconfirmed({ message: sentence(why), next, ...(isPaid && { charge: 'none' }) });
}

/**
 * The error for a call that was made before, by anybody, and may be done. `--yes` alone does not confirm such a call.
 */
export function needsAgain(action: Pick<Action, 'operation' | 'known' | 'consent'>): SwitchboardError {
  const { warned } = factsOf(action);
  const checks = warned.map((id) => `switchboard call confirmations_get id=${id}`).join(', ');
  return unconfirmed({
    message: `${action.consent?.title ?? action.operation}: the same call was made before (${warned.join(', ')}) and may already be done or still running.`,
    next: `Check its outcome with: ${checks}, or with numbers lookup. To send it anyway, use --yes --again.`,
  });
}

/** The error for a call that waits for others, who can confirm it. A person gets times in their zone. */
export function waitsForApprover(
  { action, confirmation }: Extract<Performed, { kind: 'pending' }>,
  gate: Gate,
  actor: Actor,
  human: boolean,
): SwitchboardError {
  const level = levelOfAction(action);
  const who = gate.whoCan(actor, level);
  // How they confirm on the page, which another process serves.
  const page = gate.pageWay(actor, level);
  const { id, summary, url, expiresAt, requestedBy, isRepeat, requestedAt = '' } = confirmation;
  const time = human ? localTimeText : (text: string) => text;
  const asked = requestedBy === undefined ? '' : `, asked by ${requestedBy} at ${time(requestedAt)},`;
  const signIn =
    page === 'paired'
      ? '"switchboard key" prints the link that signs this browser in'
      : 'whoever confirms signs in there';
  const hasPage = page !== undefined;
  return unconfirmed({
    ...(hasPage && url === undefined && { next: `Its page is /confirm/${id} of "switchboard start"; ${signIn}.` }),
    message: `${summary}${asked} ${isRepeat ? `already waits, asked at ${time(requestedAt)},` : 'waits'} for ${who} until ${time(expiresAt)}${url === undefined || !hasPage ? '' : `, on ${url}`} (${id}).`,
    follow: id,
  });
}

const REDRAW_MS = 200;
/** Work that takes longer than this is reported, in seconds. */
const SLOW_S = 5;
/** Returns to the start of the line and clears it. */
const CLEAR = '\r\u001b[2K';

/** Tells the person at the terminal why the command waits, in a line that is redrawn. In a pipe it says nothing. */
export function createProgress(terminal: Terminal) {
  const { human, redraws, err, now = Date.now } = terminal;
  let timer: NodeJS.Timeout | undefined;
  let isDrawn = false;
  let textNow = () => '';

  function start(text: () => string): void {
    textNow = text;
    if (!human || redraws !== true) return;
    // The line is first drawn by the timer, so a command that ends at once shows none.
    timer ??= setInterval(() => {
      isDrawn = true;
      // A wrapped line cannot be cleared, and some terminals wrap a line that fills them.
      void err(CLEAR + (wrap(textNow(), columnsOf(terminal) - 1)[0] ?? ''));
    }, REDRAW_MS);
  }

  return {
    /** Shows that work goes on, and after five seconds for how long. */
    busy: (text: string) => {
      const begun = now();
      start(() => {
        const seconds = Math.round((now() - begun) / SECOND_MS);
        return seconds < SLOW_S ? text : `${text}: still waiting after ${seconds} s; Ctrl-C stops`;
      });
    },
    /** Shows the reason for waiting. `text` receives the remaining seconds, at least 1. */
    wait: (text: (secondsLeft: number) => string, seconds: number) => {
      const until = now() + seconds * SECOND_MS;
      const told = () => text(Math.max(1, Math.round((until - now()) / SECOND_MS)));
      start(told);
      if (human && redraws !== true) void err(`${told()}\n`);
    },
    /** Removes the line. Call it before anything else is written to the terminal. */
    stop: () => {
      clearInterval(timer);
      timer = undefined;
      if (isDrawn) void err(CLEAR);
      isDrawn = false;
    },
  };
}

/** Columns of stderr now. */
export function columnsOf(io: Pick<CallIo, 'stderr' | 'columns'>): number {
  return io.stderr.columns || io.columns || 80;
}
