import { promises } from 'node:fs';
import { groups } from '../../../tools/groups.ts';
import { questionText } from '../../cards/card.ts';
import { actLabel, questionCard, takesAway } from '../../cards/question.ts';
import { fieldsOf } from '../../catalogue/input.ts';
import { markedNames, type Parsed, type Tool } from '../../catalogue/operation.ts';
import {
  type Ask,
  decidedByOf,
  errorWithCharge,
  isPaid,
  notConfirmed,
  type Performed,
  type Previewed,
} from '../../gate/confirmation.ts';
import { deciderOf, whileIn } from '../../gate/decisions.ts';
import type { Gate } from '../../gate/gate.ts';
import { factsOf } from '../../gate/question.ts';
import { argumentToken, terminalStyle } from '../../language/help.ts';
import { codesMade, doneOf, faceOf, waitText } from '../../language/outcome.ts';
import { parseTokens } from '../../language/parse.ts';
import { choiceLabel, RecordSearch } from '../../language/records.ts';
import { clean } from '../../language/show.ts';
import { lookupIn, nounOf, parseFields, referencesIn, wantedIn, withValue } from '../../language/typed-values.ts';
import type { Action } from '../../ledger/ledger.ts';
import { changed, type Failure, invalidInput, SwitchboardError } from '../../lib/errors.ts';
import { nearest } from '../../lib/nearest.ts';
import { defined, type Fields, isRecord, joined, objectIn, recordsIn, textOf } from '../../lib/values.ts';
import { withheldIn } from '../../platform/dialect/redact.ts';
import { callHelp, FOLLOW_USAGE, groupHelp, type Options, readOptions, toolHelp, USAGE, usage } from './arguments.ts';
import { readArguments } from './flags.ts';
import {
  askLine,
  askUntil,
  type CallIo,
  EXIT,
  Interrupts,
  onEnd,
  StoppedWaiting,
  type Terminal,
  withdrawn,
} from './io.ts';
import {
  changesText,
  columnsOf,
  createProgress,
  needsAgain,
  needsYes,
  reported,
  requireKnownFields,
  show,
  waitsForApprover,
} from './reporting.ts';
import { fitted, localTime } from './table.ts';

/**
 * `switchboard call`: runs one operation. The answer goes to stdout, errors go to stderr, and the exit status is the
 * outcome.
 */
export function runCall(args: readonly string[], io: CallIo): Promise<number> {
  return reported(io, (terminal) => call(args, terminal));
}

async function call(args: readonly string[], terminal: Terminal): Promise<number> {
  const { tools, out, err, human, width } = terminal;
  const asked = readOptions(args);
  // `call help numbers_cancel` is `call numbers_cancel --help`.
  if (asked.words[0] === 'help') return call([...asked.words.slice(1), '--help'], terminal);
  if (asked.words.length === 0) {
    if (!asked.help) throw usage(`Name an operation. Usage: ${USAGE}. switchboard call --help lists them.`);
    await out(callHelp(tools, width));
    return EXIT.done;
  }
  const follows = asked.help ? null : /^confirmations[_/ -](get|withdraw)(?: (.*))?$/i.exec(asked.words.join(' '));
  if (follows) {
    const [, verb = '', given = ''] = follows;
    const like = FOLLOW_USAGE.replace('get', verb.toLowerCase());
    const action = /^(?:id=)?(act_[\w-]+)$/i.exec(given)?.[1];
    if (action === undefined || asked.json !== undefined)
      throw invalidInput('id', `id: give the id that a call returned, and nothing else: ${like}.`);
    if (verb.toLowerCase() === 'withdraw') await (await terminal.openDoor()).gate.withdraw(action, terminal.actor);
    await showAction(action, asked, terminal);
    return EXIT.done;
  }
  const parsed = readOperation(asked.words, tools, asked.help);
  if (parsed.kind === 'problem') throw invalidInput(parsed.field, parsed.message);
  if (parsed.kind === 'help') {
    if (parsed.tool) await out(toolHelp(parsed.tool, width));
    else if (parsed.group === undefined) await out(callHelp(tools, width));
    else await out(groupHelp(parsed.group, tools, width));
    return EXIT.done;
  }

  const { tool } = parsed;
  const fromStdin = asked.json === '-';
  const isArgument = !fromStdin && asked.json?.startsWith('@') !== true;
  const { json = '{}' } = asked;
  const base = objectIn(
    isArgument ? json : String(await readInput(`--json ${json}`, fromStdin ? undefined : json.slice(1), terminal)),
  );
  if (base === undefined)
    // The error does not repeat the text, which may be secret.
    throw usage('--json must be a JSON object of fields, for example --json \'{"PhoneNumber":"+12015550101"}\'.');
  requireNoSecrets(tool, isArgument ? [parsed.input, base] : [parsed.input]);
  const merged = merge(tool, base, parsed.input, asked.words);
  const here = { ...terminal, canAsk: terminal.canAsk && !fromStdin };
  // `number 0104` goes on to the lookup of the only number found; `numbers find` shows what was found.
  const short = shortLookup(asked.words, tools);
  const lookup = short?.find?.tool.id === tool.id ? short : undefined;
  let notes = parsed.notes;
  let input = merged;
  try {
    if (tool.risk !== 'read') requireKnownFields([tool], asked);
    // Only what a person types may be a name. JSON comes from programs.
    if (asked.json === undefined) {
      const named = await withNamedRecords(tool, merged, { ...here, canAsk: here.canAsk && !asked.yes });
      input = named.input;
      notes = [...notes, ...named.notes];
    }
  } catch (error) {
    throw errorWithCharge(error, tool, undefined);
  }
  if (human) for (const note of notes) await err(`${clean(note)}\n`);

  let done = await performCall(tool, input, asked, here);
  const [only, ...others] = recordsIn(done.value.Numbers);
  const isOnly = lookup && only && others.length === 0 && done.value.Unseen === undefined;
  if (isOnly) done = await performCall(lookup.tool, { [lookup.field]: textOf(only.Number) }, asked, here);
  const shown = isOnly ? lookup.tool : tool;
  if (tool.risk === 'read') requireKnownFields([shown], asked, done.value);
  await show(done, shown, asked, terminal, input);
  if (tool.risk === 'read' && done.value.Found === 0) return EXIT.refused;
  return done.partly ? EXIT.partly : EXIT.done;
}

/** The content of a file, or of standard input without one. `flag`: where it was named. */
export async function readInput(
  flag: string,
  path: string | undefined,
  { stdin }: Pick<CallIo, 'stdin'>,
): Promise<Buffer> {
  if (path === undefined) return (await import('node:stream/consumers')).buffer(stdin);
  return promises.readFile(path).catch((error: Error) => {
    throw usage(`${flag} cannot be read: ${error.message}`);
  });
}

const MAX_NAMED = 10;

/**
 * The input with the records that it names by last digits or a name, a note on each, and their names. If several match,
 * the person at the terminal chooses one. Throws `invalid_input` if nothing matches, or nobody can choose.
 */
export async function withNamedRecords(
  tool: Tool,
  input: Fields,
  terminal: Terminal,
): Promise<{ input: Fields; notes: readonly string[]; labels: readonly string[] }> {
  if (referencesIn(tool, input).length === 0) return { input, notes: [], labels: [] };
  const { tools, canAsk, actor, now = Date.now } = terminal;
  const { gate } = await terminal.openDoor();
  const resolution = await new RecordSearch(gate, tools, now).resolve(tool, input, actor);
  if (resolution.kind === 'clear')
    return {
      input: resolution.input,
      notes: resolution.taken.map(({ text, label }) => `"${text}" was taken for ${label}.`),
      labels: resolution.taken.map(({ label }) => label),
    };
  const { reference, found } = resolution;
  const field = reference.path.join('.');
  const noun = nounOf(reference.field);
  const said = reference.text;
  if (found.hits.length === 0) throw invalidInput(field, `No ${noun} matches "${said}". Nothing was done.`);
  const shown = found.hits.slice(0, MAX_NAMED);
  const listed = shown.map((hit, at) => `  ${canAsk ? `${at + 1}  ` : ''}${hit.value}  ${clean(choiceLabel(hit))}`);
  const list = [...listed, ...(found.hits.length > MAX_NAMED || !found.isWhole ? ['  …'] : [])].join('\n');
  if (!canAsk) throw invalidInput(field, `Which ${noun} is "${said}"? Write one of these in its place:\n${list}`);
  const typed = await askLine(`Which ${noun} is "${said}"?\n${list}\n[1-${shown.length}] `, terminal);
  const chosen = shown[Number(typed) - 1];
  if (chosen === undefined) throw withdrawn();
  return withNamedRecords(tool, withValue(resolution.input, reference.path, chosen.value), terminal);
}

/**
 * Shows the state and the result of a call, as `confirmations_get` returns them over MCP. With `--qr`, the result includes
 * the activation code of an eSIM.
 */
async function showAction(id: string, asked: Options, terminal: Terminal): Promise<void> {
  const { gate } = await terminal.openDoor();
  const { status, headline, decidedBy, result: shown, error } = await gate.follow(id, terminal.actor);
  const isAsked = asked.qr && withheldIn(shown).length > 0;
  const result = (isAsked ? await gate.reveal({ action: id }, terminal.actor) : undefined) ?? shown;
  const more = defined({ headline, decidedBy, result, error: error && faceOf(error, 'terminal') });
  await show({ kind: 'done', value: { id, status, ...more } }, undefined, asked, terminal);
}

const SETTLE_USAGE = 'switchboard settle ID [--done | --not-done] [--output json|table]';

const SETTLE_OPTIONS = {
  done: { type: 'boolean' },
  'not-done': { type: 'boolean' },
  output: { type: 'string' },
} as const;

/**
 * Runs `switchboard settle`. It reads an action of unknown outcome now. If the reading does not show the outcome, it
 * takes the word of the person at the terminal. The exit status is the outcome.
 */
export function runSettle(args: readonly string[], io: CallIo): Promise<number> {
  return reported(io, async (terminal) => {
    const { values, positionals } = readArguments(args, SETTLE_USAGE, SETTLE_OPTIONS, true);
    const { done: wasDone = false, 'not-done': wasNot = false, output } = values;
    const [id = ''] = positionals.map((one) => one.replace(/^id=/i, ''));
    if (positionals.length !== 1 || !/^act_[\w-]+$/.test(id))
      throw invalidInput('ID', `ID: give the id that a call returned, and nothing else: ${SETTLE_USAGE}.`);
    if (wasDone && wasNot) throw invalidInput('--done', `--done: give either --done or --not-done: ${SETTLE_USAGE}.`);
    const asked = readOptions(output === undefined ? [] : ['--output', output]);
    const { actor } = terminal;
    const { gate } = await terminal.openDoor();
    // The reading of the platform comes first: a person's word counts only where it shows nothing.
    const { status, error } = await gate.follow(id, actor);
    const isUnknown = status === 'unknown';
    const hasWord = wasDone || wasNot;
    if (isUnknown && !hasWord) {
      const until = (await gate.workedUntil(id)) ?? 0;
      const wait =
        until > Date.now() &&
        `The platform may still be working on it until ${new Date(until).toISOString()}, and it is read again by itself.`;
      const word = `Look on the platform, then say what you saw: switchboard settle ${id} --done, or --not-done.`;
      const message = 'The outcome is unknown.';
      const failure: Failure = error ?? { code: 'server_error', outcome: 'unknown', message };
      throw new SwitchboardError({ ...failure, outcome: 'unknown', next: joined([failure.next, wait || '', word]) });
    }
    if (isUnknown) await gate.settle(id, actor, wasDone ? 'done' : 'not_done', 'terminal');
    await showAction(id, asked, terminal);
    if (isUnknown) return EXIT.done;
    const word = `--${wasDone ? 'done' : 'not-done'}`;
    if (hasWord) await terminal.err(`It is ${status}, not unknown, so ${word} changed nothing.\n`);
    return { done: EXIT.done, partly: EXIT.partly, failed: EXIT.refused }[status as string] ?? EXIT.notConfirmed;
  });
}

type Done = Extract<Performed, { kind: 'done' }>;

/**
 * Runs one call from the terminal to its end: asks the person, shows why the call waits, and handles interrupts. Throws
 * `SwitchboardError`.
 */
export async function performCall(tool: Tool, input: Fields, asked: Options, terminal: Terminal): Promise<Done> {
  const { human, canAsk, err, actor, style } = terminal;
  const progress = createProgress(terminal);
  const interrupts = new Interrupts(terminal.onInterrupt ?? onEnd, (text) => {
    progress.stop();
    if (human) void err(`${text}\n`);
  });
  const seen: {
    /** The question that --yes answered, while it is not shown. */
    question: string;
    /** The question of a call that was refused because nobody can be asked, and the error. */
    refused?: { question: string; error: SwitchboardError };
    /** True once the question was taken up on this terminal. */
    isAsked: boolean;
    isWithdrawn: boolean;
  } = { question: '', isAsked: false, isWithdrawn: false };

  /** The question as it is shown on the terminal, or in a pipe. */
  const textOf = (question: Previewed) => {
    const text = `${clean(questionText(questionCard(tool, question)))}\n\n`;
    return human ? fitted(text, columnsOf(terminal)) : text;
  };

  /** Keeps the question that nobody can be asked, to be shown with the error that it returns. */
  const refuse = (question: Previewed): SwitchboardError => {
    const why = `${question.consent?.title ?? tool.title} must be confirmed by a person`;
    // A warning is about an earlier call, which may have been charged, so nothing is said about charges then.
    const isWarned = asked.yes && factsOf(question).warned.length > 0;
    const error = isWarned ? needsAgain(question) : needsYes(why, isPaid(question));
    seen.refused = { question: textOf(question), error };
    return error;
  };

  const ask = async (gate: Gate, action: Action, signal: AbortSignal): ReturnType<Ask> => {
    interrupts.actionId ??= action.id;
    seen.isAsked = true;
    // The person typed --yes without knowing of the earlier call, so --yes alone does not confirm a possible
    // repetition.
    if (asked.yes && (asked.again || factsOf(action).warned.length === 0)) {
      progress.stop();
      // In a pipe, a call that fails has only the error document on stderr.
      if (human) await err(textOf(action));
      else seen.question = textOf(action);
      return 'accept';
    }
    // Nobody is asked, so the question is withdrawn, not declined.
    if (!canAsk) refuse(action);
    if (!canAsk || signal.aborted) return 'cancel';
    progress.stop();
    await err(`${textOf(action)}Expires ${localTime(action.expiresAt)}.\n`);
    const paint = takesAway(tool, action) ? style.red : style.bold;
    const answer = await askUntil(`${paint(clean(actLabel(action)))}? [y/N] `, terminal, signal, (ended) =>
      whileIn(['pending'], action.id, gate, { signal: ended }),
    );
    if (answer === 'accept') progress.busy('asking the platform');
    // The gate withdraws a question that has expired.
    seen.isWithdrawn = answer === 'cancel' && (!signal.aborted || interrupts.signal.aborted);
    return answer;
  };

  /** The result of a call that others may decide, or have decided, elsewhere. Throws if it waits for them. */
  const ofOthers = async (gate: Gate, pending: Extract<Performed, { kind: 'pending' }>): Promise<Done> => {
    const { id } = pending.confirmation;
    await whileIn(['confirmed', 'in_flight'], id, gate, { signal: interrupts.signal });
    const ended = await gate.refresh(id);
    if (ended.state === 'pending') throw waitsForApprover(pending, gate, actor, human);
    if (ended.state === 'declined' || ended.state === 'expired') throw notConfirmed(ended);
    if (ended.state === 'confirmed' || ended.state === 'in_flight') throw new StoppedWaiting(id);
    if (human) await err(`Confirmed by ${clean(decidedByOf(ended) ?? 'a person')}.\n`);
    const followed = await gate.follow(id, actor);
    if (followed.error !== undefined) throw new SwitchboardError(followed.error);
    return doneOf(followed, ended, tool);
  };

  const perform = async (gate: Gate): Promise<Done> => {
    progress.busy('asking the platform');
    const performed = await gate.perform(tool.id, input, actor, {
      // The gate asks on the terminal only if its user may confirm. Otherwise it asks another person.
      ask: (action, signal) => ask(gate, action, signal),
      decider: deciderOf(actor, 'terminal'),
      ...(!canAsk && !asked.yes && { unasked: refuse }),
      signal: interrupts.signal,
      again: asked.again,
      ...defined({ reason: asked.reason, startedAt: terminal.startedAt }),
      onStage: (id) => {
        interrupts.actionId ??= id;
      },
      onWritten: () => {
        interrupts.isSent = true;
      },
      onWait: (why, seconds) => {
        if (why !== 'person') progress.wait((left) => waitText(why, left), seconds);
      },
    });
    progress.stop();
    if (performed.kind === 'pending' && !seen.isAsked) await err(textOf(performed.action));
    const done = performed.kind === 'done' ? performed : await ofOthers(gate, performed);
    // The activation code of an eSIM is shown after a change that may have made it, and with `--qr`.
    const codes = asked.qr
      ? withheldIn(done.value)
      : codesMade({ operation: tool.id, shown: input, result: done.value });
    if (codes.length === 0) return done;
    const source = tool.risk === 'read' ? { operation: tool.id, input } : { action: done.actionId ?? '' };
    const value = await gate.reveal(source, actor);
    return value ? { ...done, value } : done;
  };

  /** The error for the person who typed the call. */
  const reasonOf = (error: unknown) => {
    if (!(error instanceof SwitchboardError) || error.face.outcome !== 'not_done') return error;
    const isStopped = seen.isWithdrawn || (interrupts.signal.aborted && error.face.code === 'timeout');
    if (!isStopped) return error;
    return tool.risk === 'read' ? changed(error, { message: 'Stopped.', effect: 'nothing_changed' }) : withdrawn();
  };

  try {
    const done = await interrupts.race(perform((await terminal.openDoor()).gate));
    // In a pipe, the change is on stderr: as it was asked, or as it was done where nobody is asked.
    const shown = seen.question || (human ? '' : changesText(done));
    if (shown !== '') await err(shown);
    return done;
  } catch (error) {
    if (seen.refused === undefined) throw errorWithCharge(reasonOf(error), tool, undefined);
    progress.stop();
    await err(seen.refused.question);
    throw seen.refused.error;
  } finally {
    progress.stop();
    interrupts.end();
  }
}

/* Reads the arguments of `switchboard call` as an operation and its input. */

type Problem = Extract<Parsed, { kind: 'problem' }>;

/** Finds the operation by its id or its words, and reads the fields after it. */
export function readOperation(words: readonly string[], tools: readonly Tool[], help: boolean): Parsed {
  const [first = '', ...rest] = words;
  const problem = (message: string): Problem => ({ kind: 'problem', message });
  if (!help && rest.length === 0 && shortLookup(words, tools))
    return problem(`Give a number, its last digits or a name, for example: switchboard ${first} 0104`);
  const exact = tools.find((tool) => tool.id === first.toLowerCase());
  if (exact) {
    return help || rest.at(-1) === 'help'
      ? { kind: 'help', group: exact.group, tool: exact }
      : parseFields(exact, rest);
  }
  const [group = '', ...joined] = first.split(/[_/-]+/);
  const pieces = [...(joined.length > 0 ? [joined.join('-')] : []), ...rest, ...(help ? ['--help'] : [])];
  const parsed = parseTokens(group, pieces.map(argumentToken), tools, terminalStyle.command);
  if (parsed.kind === 'problem' && !help) {
    const lookup = readLookup(words, parsed, tools);
    if (lookup !== undefined) return lookup;
  }
  if (parsed.kind !== 'problem' || parsed.tool) {
    if (parsed.kind !== 'help' || help || rest.includes('help')) return parsed;
    return problem(`Name an operation of ${group}. switchboard call ${group} --help lists them.`);
  }
  const ids = tools.map((tool) => tool.id);
  const near = nearest(first, ids);
  if (joined.length > 0 && near)
    return { ...problem(`There is no operation ${first}. Did you mean ${near}?`), suggestion: near };
  const isGroup = [first, `${first}s`].some((name) => Object.hasOwn(groups, name.toLowerCase()));
  return isGroup ? parsed : { ...parsed, message: `${parsed.message} switchboard call --help lists all operations.` };
}

/** The short lookup that these words name, such as `number 0104`; undefined for others. */
function shortLookup([first = '']: readonly string[], tools: readonly Tool[]) {
  const lookup = lookupIn(tools);
  return lookup?.word === first.toLowerCase() ? lookup : undefined;
}

/** Reads the short lookup that `/number` has in Slack: `number 0104`, `number ava stone`, `number +1 201 555 0101`. */
function readLookup(words: readonly string[], problem: Problem, tools: readonly Tool[]): Parsed | undefined {
  const lookup = shortLookup(words, tools);
  const rest = words.slice(1);
  const wanted = wantedIn(rest.join(' '));
  if (lookup === undefined || wanted === undefined || rest.some((word) => word.includes('='))) return undefined;
  const { find } = lookup;
  if (!('query' in wanted) || find === undefined || problem.tool !== undefined) return undefined;
  return parseFields(find.tool, [`${find.field}=${wanted.query}`]);
}

/** Typed fields override --json. A member typed with a dot is added to the object in --json. */
export function merge(tool: Tool, base: Fields, typed: Fields, words: readonly string[]): Fields {
  const merged = { ...base, ...typed };
  for (const field of fieldsOf(tool)) {
    const [under, over] = [base[field.name], typed[field.name]];
    const dotted = words.some((word) => word.toLowerCase().startsWith(`${field.name.toLowerCase()}.`));
    if (field.kind === 'group' && dotted && isRecord(under) && isRecord(over))
      merged[field.name] = { ...under, ...over };
  }
  return merged;
}

/**
 * Refuses a secret in an argument, because every user of the computer can read arguments. `given` has the values of the
 * arguments.
 */
export function requireNoSecrets(tool: Tool, given: readonly Fields[]): void {
  const secrets = markedNames(tool.input, 'input', 'secret');
  if (secrets.length === 0) return;
  const typed = new Set<string>();
  // The function is called for each member at any depth.
  JSON.stringify(given, (name, value) => {
    if (secrets.includes(name) && value !== null && value !== '') typed.add(name);
    return value;
  });
  const [field] = typed;
  if (field === undefined) return;
  throw invalidInput(
    field,
    `${field} is secret, and every user of this computer can read the arguments of a process. Nothing was sent. Put the secret fields into a JSON file: switchboard call ${tool.id} … --json @FILE, or --json - < FILE`,
  );
}
