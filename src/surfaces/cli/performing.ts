import { groups } from '../../../tools/groups.ts';
import { questionText } from '../../cards/card.ts';
import { actLabel, questionCard, takesAway } from '../../cards/question.ts';
import { fieldsOf } from '../../catalogue/input.ts';
import { markedNames, type Parsed, type Tool } from '../../catalogue/operation.ts';
import { decidedByOf, errorWithCharge, isPaid, notConfirmed } from '../../gate/confirmation.ts';
import { deciderOf, whileIn } from '../../gate/decisions.ts';
import type { Ask, Gate, Performed, Previewed } from '../../gate/gate.ts';
import { factsOf } from '../../gate/question.ts';
import { argumentToken, terminalStyle } from '../../language/help.ts';
import { codesMade, doneOf, waitText } from '../../language/outcome.ts';
import { parseTokens } from '../../language/parse.ts';
import { clean } from '../../language/show.ts';
import { lookupIn, parseFields, wantedIn } from '../../language/typed-values.ts';
import type { Action } from '../../ledger/ledger.ts';
import { changed, invalidInput, SwitchboardError } from '../../lib/errors.ts';
import { styleOf } from '../../lib/log.ts';
import { nearest } from '../../lib/nearest.ts';
import { defined, type Fields, isRecord } from '../../lib/values.ts';
import { withheldIn } from '../../platform/dialect/redact.ts';
import type { Options } from './arguments.ts';
import { askUntil, type CallIo, Interrupts, onEnd, StoppedWaiting, type Write, withdrawn } from './io.ts';
import { changesText, columnsOf, createProgress, needsAgain, needsYes, waitsForApprover } from './reporting.ts';
import { fitted, localTime } from './table.ts';

type Done = Extract<Performed, { kind: 'done' }>;

/**
 * Runs one call from the terminal to its end: asks the person, shows why the call waits, and handles interrupts. Throws
 * `SwitchboardError`.
 *
 * @param call.canAsk true if a person can be asked on this terminal
 */
export async function performCall(
  { tool, io, asked, canAsk, err }: { tool: Tool; io: CallIo; asked: Options; canAsk: boolean; err: Write },
  input: Fields,
): Promise<Done> {
  /** True if stderr is a terminal. */
  const human = io.stderr.isTTY === true;
  const progress = createProgress(io, err);
  const interrupts = new Interrupts(io.onInterrupt ?? onEnd, (text) => {
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
    return human ? fitted(text, columnsOf(io)) : text;
  };

  /** Keeps the question that nobody can be asked, to be shown with the error that it returns. */
  const refuse = (question: Previewed): SwitchboardError => {
    // A warning is about an earlier call, which may have been charged, so nothing is said about charges then.
    const error =
      asked.yes && factsOf(question).warned.length > 0
        ? needsAgain(question)
        : needsYes(`${question.consent?.title ?? tool.title} must be confirmed by a person`, isPaid(question));
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
    const style = styleOf(io.colours?.err ?? false);
    const paint = takesAway(tool, action) ? style.red : style.bold;
    const answer = await askUntil(`${paint(clean(actLabel(action)))}? [y/N] `, io, signal, (ended) =>
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
    if (ended.state === 'pending') throw waitsForApprover(pending, gate, io.actor, human);
    if (ended.state === 'declined' || ended.state === 'expired') throw notConfirmed(ended);
    if (ended.state === 'confirmed' || ended.state === 'in_flight') throw new StoppedWaiting(id);
    if (human) await err(`Confirmed by ${clean(decidedByOf(ended) ?? 'a person')}.\n`);
    const followed = await gate.follow(id, io.actor);
    if (followed.error !== undefined) throw new SwitchboardError(followed.error);
    return doneOf(followed, ended, tool);
  };

  const perform = async (gate: Gate): Promise<Done> => {
    progress.busy('asking the platform');
    const performed = await gate.perform(tool.id, input, io.actor, {
      // The gate asks on the terminal only if its user may confirm. Otherwise it asks another person.
      ask: (action, signal) => ask(gate, action, signal),
      decider: deciderOf(io.actor, 'terminal'),
      ...(!canAsk && !asked.yes && { unasked: refuse }),
      signal: interrupts.signal,
      again: asked.again,
      ...defined({ reason: asked.reason, startedAt: io.startedAt }),
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
    const value = await gate.reveal(source, io.actor);
    return value ? { ...done, value } : done;
  };

  /** The error for the person who typed the call. */
  const reasonOf = (error: unknown) => {
    if (!(error instanceof SwitchboardError) || error.face.outcome !== 'not_done') return error;
    const isStopped = seen.isWithdrawn || (interrupts.signal.aborted && error.face.code === 'timeout');
    if (!isStopped) return error;
    return tool.risk === 'read' ? changed(error, { message: 'Stopped.', effect: 'nothing_changed' }) : withdrawn();
  };

  const { gate, close } = await open(io);
  let isLeft = false;
  try {
    const done = await interrupts.race(perform(gate));
    // In a pipe, the change is on stderr: as it was asked, or as it was done where nobody is asked.
    const shown = seen.question || (human ? '' : changesText(done));
    if (shown !== '') await err(shown);
    return done;
  } catch (error) {
    isLeft = error instanceof StoppedWaiting;
    if (seen.refused === undefined) throw errorWithCharge(reasonOf(error), tool, undefined);
    progress.stop();
    await err(seen.refused.question);
    throw seen.refused.error;
  } finally {
    progress.stop();
    interrupts.end();
    // The result is reported even if closing fails. After an interrupt the gate stays open, because closing would
    // wait for the request.
    if (!isLeft) await close().catch(() => undefined);
  }
}

/** Opens the gate. A failure of the store or the settings is reported like any other error. */
export async function open<T>({ openDoor }: { openDoor: () => Promise<T> }): Promise<T> {
  try {
    return await openDoor();
  } catch (error) {
    if (error instanceof SwitchboardError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new SwitchboardError({ code: 'unavailable', message, outcome: 'not_done' }, { cause: error });
  }
}

/* Reads the arguments of `switchboard call` as an operation and its input. */

type Problem = Extract<Parsed, { kind: 'problem' }>;

/** Finds the operation by its id or its words, and reads the fields after it. */
export function readOperation(words: readonly string[], tools: readonly Tool[], help: boolean): Parsed {
  const [first = '', ...rest] = words;
  if (!help && rest.length === 0 && shortLookup(words, tools))
    return {
      kind: 'problem',
      message: `Give a number, its last digits or a name, for example: switchboard ${first} 0104`,
    };
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
    return {
      kind: 'problem',
      message: `Name an operation of ${group}. switchboard call ${group} --help lists them.`,
    };
  }
  const near = nearest(
    first,
    tools.map((tool) => tool.id),
  );
  if (joined.length > 0 && near)
    return { kind: 'problem', message: `There is no operation ${first}. Did you mean ${near}?`, suggestion: near };
  const isGroup = [first, `${first}s`].some((name) => Object.hasOwn(groups, name.toLowerCase()));
  return isGroup ? parsed : { ...parsed, message: `${parsed.message} switchboard call --help lists all operations.` };
}

/** The short lookup that these words name, such as `number 0104`; undefined for others. */
export function shortLookup([first = '']: readonly string[], tools: readonly Tool[]) {
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
