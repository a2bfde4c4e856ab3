import type { Parsed } from '../../catalogue/field-types.ts';
import { fieldsOf } from '../../catalogue/fields.ts';
import { parseInput } from '../../catalogue/input.ts';
import { mayAsk } from '../../catalogue/offered.ts';
import { isGated, type Tool } from '../../catalogue/operation.ts';
import { deciderOf } from '../../gate/decisions.ts';
import { factsOf } from '../../gate/facts.ts';
import { followUpOnTerminal } from '../../gate/follow-up.ts';
import type { Ask, Gate, Performed } from '../../gate/gate.ts';
import type { Action } from '../../gate/ledger/ledger.ts';
import { askedOf, askedText } from '../../language/asked.ts';
import type { GroupWords } from '../../language/help.ts';
import { errorOutcome, partlyOutcome } from '../../language/outcome.ts';
import { parseTokens } from '../../language/parse.ts';
import { parseFields } from '../../language/parse-fields.ts';
import { clean, rowsOf } from '../../language/show.ts';
import { argumentToken } from '../../language/tokens.ts';
import type { Actor } from '../../lib/actor.ts';
import { asSwitchboardError, type ErrorFace, invalidInput, SwitchboardError } from '../../lib/errors.ts';
import { type Fields, isRecord } from '../../lib/json.ts';
import { nearest } from '../../lib/nearest.ts';
import { jsonText } from '../../lib/text.ts';
import { follow, readFollow } from './follow.ts';
import { callHelp, groupHelp, toolHelp, USAGE } from './help.ts';
import { type Options, readOptions, usage } from './options.ts';
import { askYes } from './question.ts';
import { page } from './table.ts';

/** The surroundings of the command; tests pass their own streams. */
export interface CallIo {
  tools: readonly Tool[];
  /** Opens the gate. Called only after the input was found valid. */
  openDoor(): Promise<{ gate: Gate; close(): Promise<void> }>;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean | undefined };
  stdout: NodeJS.WritableStream & { isTTY?: boolean | undefined };
  stderr: NodeJS.WritableStream & { isTTY?: boolean | undefined };
  actor: Actor;
  /** Whether the user of the terminal may confirm their own call (`terminalDecides`); true by default. The gate checks it again. */
  confirms?: boolean;
  /** Width of the terminal; 80 by default. */
  columns?: number | undefined;
  /** tools/groups.ts, for the titles in help. */
  groups?: Readonly<Record<string, GroupWords>>;
  /** PLATFORM_ACCOUNT_ID, which the gate fills in too. */
  defaultAccountId?: string | undefined;
  /** Epoch ms, by the gate's clock. */
  now?: () => number;
  /** Calls `run` on an interrupt, and returns a function that stops listening. The first SIGINT by default. */
  onInterrupt?: (run: () => void) => () => void;
}

const EXIT = { done: 0, refused: 1, usage: 2, notConfirmed: 3, unknown: 4, partly: 5 } as const;

/** `switchboard call`: runs one operation. The answer goes to stdout, an error to stderr, the outcome into the exit status. */
export async function runCall(args: readonly string[], io: CallIo): Promise<number> {
  const out = quietly(io.stdout);
  const err = quietly(io.stderr);
  try {
    return await call(args, io, out, err);
  } catch (error) {
    const failure = asSwitchboardError(error);
    const face = { ...failure.face, message: followUpOnTerminal(failure.face.message, 'switchboard') };
    await err(errorText(face, io.stderr.isTTY === true));
    return exitCode(face);
  }
}

type Write = (text: string) => Promise<void>;

async function call(args: readonly string[], io: CallIo, out: Write, err: Write): Promise<number> {
  const asked = readOptions(args);
  const width = Math.max(40, io.columns ?? 80);
  if (asked.words.length === 0 || asked.words[0] === 'help') {
    if (asked.help || asked.words[0] === 'help') {
      await out(callHelp(io.tools, width, io.groups));
      return EXIT.done;
    }
    throw usage(`Name an operation. Usage: ${USAGE}. switchboard call --help lists them.`);
  }
  const output = asked.output ?? (io.stdout.isTTY === true ? 'table' : 'json');
  const followed = asked.help ? undefined : readFollow(asked.words, asked.json);
  if (followed !== undefined) {
    const { gate, close } = await open(io);
    const found = await follow(gate, followed, io.actor).finally(() => close().catch(() => undefined));
    await out(`${written(found, output, width)}\n`);
    return EXIT.done;
  }
  const parsed = readOperation(asked.words, io.tools, asked.help);
  if (parsed.kind === 'problem') throw invalidInput(parsed.field, parsed.message);
  if (parsed.kind === 'help') {
    if (parsed.tool) await out(toolHelp(parsed.tool, width));
    else if (parsed.group === undefined) await out(callHelp(io.tools, width, io.groups));
    else await out(groupHelp(parsed.group, io.tools, width, io.groups?.[parsed.group]));
    return EXIT.done;
  }

  const { tool } = parsed;
  const fromStdin = asked.json === '-';
  const base = asked.json === undefined ? {} : readJson(fromStdin ? await readAll(io.stdin) : asked.json);
  const input = merge(tool, base, parsed.input, asked.words);
  check(tool, input, io);

  const human = io.stderr.isTTY === true;
  const canAsk = io.stdin.isTTY === true && human && !fromStdin;
  if (isGated(tool) && !asked.yes && !canAsk && io.confirms !== false)
    throw needsYes(`${tool.title} must be confirmed by a person`);
  if (human) for (const note of parsed.notes) await err(`${clean(note)}\n`);

  const stop = new AbortController();
  const deaf = (io.onInterrupt ?? onSigint)(() => stop.abort());
  try {
    const done = await perform(tool, input, io, { asked, canAsk, human, signal: stop.signal }, err);
    await show(done, output, io, width, out, err);
    return done.partly ? EXIT.partly : EXIT.done;
  } finally {
    deaf();
  }
}

/** Finds the operation by its id, or by its words, and reads the fields after it. */
function readOperation(words: readonly string[], tools: readonly Tool[], help: boolean): Parsed {
  const [first = '', ...rest] = words;
  const exact = tools.find((tool) => tool.id === first.toLowerCase());
  if (exact) {
    return help || rest.at(-1) === 'help'
      ? { kind: 'help', group: exact.group, tool: exact }
      : parseFields(exact, rest);
  }
  const [group = '', ...joined] = first.split(/[_/-]+/);
  const pieces = [...(joined.length > 0 ? [joined.join('-')] : []), ...rest, ...(help ? ['--help'] : [])];
  const parsed = parseTokens(group, pieces.map(argumentToken), tools);
  if (parsed.kind !== 'problem' || parsed.tool) {
    const bare = parsed.kind === 'help' && !help && !rest.includes('help');
    if (!bare) return parsed;
    return {
      kind: 'problem',
      message: `Name an operation of ${group}. switchboard call ${group} --help lists them.`,
    };
  }
  const near = nearest(
    first,
    tools.map((tool) => tool.id),
  );
  if (joined.length === 0 || !near) return parsed;
  return { kind: 'problem', message: `There is no operation ${first}. Did you mean ${near}?`, suggestion: near };
}

function readJson(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Reported below, without repeating the text, which may be secret.
  }
  throw usage('--json must be a JSON object of fields, for example --json \'{"PhoneNumber":"+12015550101"}\'.');
}

/** Typed fields override --json. A member typed with a dot is added to the object in --json. */
function merge(tool: Tool, base: Fields, typed: Fields, words: readonly string[]): Fields {
  const merged = { ...base, ...typed };
  for (const field of fieldsOf(tool)) {
    const [under, over] = [base[field.name], typed[field.name]];
    const dotted = words.some((word) => word.toLowerCase().startsWith(`${field.name.toLowerCase()}.`));
    if (field.kind === 'group' && dotted && isRecord(under) && isRecord(over))
      merged[field.name] = { ...under, ...over };
  }
  return merged;
}

/** Checks role and input first, so that nothing is opened or asked for a wrong input. The gate checks them again. */
function check(tool: Tool, input: Fields, io: CallIo): void {
  if (!mayAsk(io.actor.role, tool)) {
    throw new SwitchboardError({
      code: 'forbidden_by_role',
      message: `${tool.title} needs the role operator; ${io.actor.name} has ${io.actor.role}.`,
      outcome: 'not_done',
    });
  }
  const filled =
    io.defaultAccountId !== undefined && 'AccountId' in tool.input.shape && !('AccountId' in input)
      ? { ...input, AccountId: io.defaultAccountId }
      : input;
  parseInput(tool, filled, new Date(io.now?.() ?? Date.now()));
}

interface How {
  asked: Options;
  canAsk: boolean;
  human: boolean;
  signal: AbortSignal;
}

async function perform(tool: Tool, input: Fields, io: CallIo, how: How, err: Write) {
  const { gate, close } = await open(io);
  let unasked: Action | undefined;
  let repeats: Action | undefined;
  const ask: Ask = async (action, signal) => {
    const { yes, again } = how.asked;
    // --yes was typed without knowing of the earlier call, so the warning that it may be done twice comes first.
    if (yes && (again || factsOf(action).warned.length === 0)) return 'accept';
    if (yes && !how.canAsk) {
      repeats = action;
      return 'cancel';
    }
    if (how.canAsk) return question(tool, action, signal, io, err);
    unasked = action;
    return 'decline';
  };
  try {
    const performed = await gate.perform(tool.id, input, io.actor, {
      // The gate asks here only if the user of the terminal may confirm. Otherwise another person is asked.
      ask,
      decider: deciderOf(io.actor, 'terminal'),
      signal: how.signal,
      // In a pipe, stderr has one JSON document or nothing.
      onWait: (why, seconds) => {
        if (how.human && why !== 'person') void err(`${waiting(why, seconds)}\n`);
      },
    });
    if (performed.kind === 'done') return performed;
    throw waitsForApprover(performed, gate.whoCan(io.actor));
  } catch (error) {
    if (repeats) throw needsAgain(repeats);
    if (unasked) throw needsYes(unasked.consent?.consequence ?? tool.title);
    throw error;
  } finally {
    // The result is reported whether or not closing works.
    await close().catch(() => undefined);
  }
}

async function open(io: CallIo) {
  try {
    return await io.openDoor();
  } catch (error) {
    if (error instanceof SwitchboardError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new SwitchboardError({ code: 'unavailable', message, outcome: 'not_done' }, { cause: error });
  }
}

function waiting(why: 'rate_limit' | 'retry', seconds: number): string {
  const time = `about ${Math.max(1, Math.round(seconds))} s`;
  return why === 'rate_limit' ? `waiting for the rate limit, ${time}` : `the platform is busy, trying again in ${time}`;
}

/** Asks the person at the terminal for consent. Any answer but yes declines. */
async function question(
  tool: Tool,
  action: Action,
  signal: AbortSignal,
  io: CallIo,
  err: Write,
): Promise<'accept' | 'decline'> {
  if (signal.aborted) return 'decline';
  const now = io.now?.() ?? Date.now();
  await err(consentText(tool, action, now));
  const yes = await askYes(`${clean(action.consent?.confirm ?? 'Go on')}? [y/N] `, io, signal);
  return yes ? 'accept' : 'decline';
}

function consentText(tool: Tool, action: Action, now: number): string {
  const left = Math.max(0, Math.round((action.expiresAt - now) / 1000));
  const lines = [
    askedText(askedOf(tool, action)),
    '',
    `Expires ${new Date(action.expiresAt).toISOString()} (in ${left < 120 ? `${left} s` : `${Math.round(left / 60)} min`}).`,
    '',
  ];
  return `${lines.map(clean).join('\n')}`;
}

async function show(
  done: Extract<Performed, { kind: 'done' }>,
  output: 'json' | 'table',
  io: CallIo,
  width: number,
  out: Write,
  err: Write,
): Promise<void> {
  if (done.partly && io.stderr.isTTY === true) {
    const { mark, headline, detail } = partlyOutcome(done.partly, done.value);
    await err(`${clean([`${mark} ${headline}.`, detail].filter((text) => text !== '').join('\n'))}\n`);
  }
  await out(`${written(done.value, output, width)}\n`);
  if (io.stderr.isTTY === true && done.mismatched.length > 0) {
    await err(`The platform's response differs from its documentation: ${clean(done.mismatched.join(', '))}.\n`);
  }
  for (const [name, secret] of Object.entries(done.once ?? {})) await err(`${name} (shown once): ${secret}\n`);
}

/** JSON is escaped too, because the output of a pipe often ends up on a terminal. */
function written(value: Fields, output: 'json' | 'table', width: number): string {
  return output === 'json' ? jsonText(value, 2) : page(rowsOf(value), width);
}

/** A sentence on a terminal, a JSON document in a pipe. */
function errorText(face: ErrorFace, onTerminal: boolean): string {
  if (!onTerminal) return `${jsonText({ error: face }, 2)}\n`;
  const { mark, headline } = errorOutcome(face);
  const head = face.code === 'refused' || face.outcome === 'unknown' ? `${mark} ${headline}.\n` : '';
  return `${head}${clean(face.message)}\n`;
}

function exitCode(face: ErrorFace): number {
  if (face.code === 'not_confirmed') return EXIT.notConfirmed;
  if (face.outcome === 'unknown') return EXIT.unknown;
  return face.code === 'invalid_input' || face.code === 'forbidden_by_role' ? EXIT.usage : EXIT.refused;
}

function needsYes(why: string): SwitchboardError {
  return new SwitchboardError({
    code: 'not_confirmed',
    message: `${why.replace(/\.$/, '')}. Nothing was sent: run it on a terminal, or add --yes to confirm it.`,
    outcome: 'not_done',
    reason: 'cancelled',
  });
}

/** The same call was made before and may be done, or was made by somebody else. `--yes` alone does not confirm that. */
function needsAgain(action: Action): SwitchboardError {
  const { warned } = factsOf(action);
  const [title, ids] = [action.consent?.title ?? action.operation, warned.join(', ')];
  return new SwitchboardError({
    code: 'not_confirmed',
    message: `${title}: the same call was made before (${ids}) and may already be done or still running. Nothing was sent. Check its outcome with confirmations_get ${ids} or numbers lookup. To send it anyway, use --yes --again.`,
    outcome: 'not_done',
    reason: 'cancelled',
  });
}

/** `who`: who can confirm it, as part of a sentence. */
function waitsForApprover(pending: Extract<Performed, { kind: 'pending' }>, who: string): SwitchboardError {
  const { id, summary, url, expiresAt } = pending.confirmation;
  return new SwitchboardError({
    code: 'not_confirmed',
    message: `${summary} waits for ${who} until ${expiresAt}${url === undefined ? '' : `, on ${url}`} (${id}). Nothing was sent.`,
    outcome: 'not_done',
  });
}

/** Writes in order. If the reader is gone (EPIPE), writing stops and the command goes on. */
function quietly(stream: NodeJS.WritableStream): Write {
  let gone = false;
  stream.on('error', () => {
    gone = true;
  });
  return (text) =>
    new Promise((resolve) => {
      if (gone) resolve();
      else stream.write(text, () => resolve());
    });
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** The first Ctrl-C cancels; a second one ends the process as usual. */
function onSigint(run: () => void): () => void {
  process.once('SIGINT', run);
  return () => process.removeListener('SIGINT', run);
}
