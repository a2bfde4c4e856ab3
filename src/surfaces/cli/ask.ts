import { randomUUID } from 'node:crypto';
import type { Assistant } from '../../assistant/assistant.ts';
import { STOPPED_TEXT, type TurnEnd, type TurnEvent } from '../../assistant/turn-events.ts';
import { besideText, inputsOf, type Meant, meaningOf, notTakenText, TOPICS } from '../../assistant/understood.ts';
import type { Batches } from '../../batches/batches.ts';
import { fieldProblems, fieldsOf } from '../../catalogue/input.ts';
import type { Tool } from '../../catalogue/operation.ts';
import { BATCH_RUN } from '../../gate/confirmation.ts';
import { deciderOf } from '../../gate/decisions.ts';
import { faceOf, failureText } from '../../language/outcome.ts';
import { clean } from '../../language/show.ts';
import { asSwitchboardError, type Failure } from '../../lib/errors.ts';
import { defined, type Fields, jsonText, textOf } from '../../lib/values.ts';
import type { Understood } from '../../nlu/reader.ts';
import { fixCommand } from './answer.ts';
import { readOptions, usage } from './arguments.ts';
import { type BatchDoor, runPlanned } from './batch-command.ts';
import { performCall, withNamedRecords } from './call.ts';
import { readArguments } from './flags.ts';
import { type CallIo, EXIT, exitCode, onEnd, type Terminal, type Write } from './io.ts';
import { errorText, reported, show } from './reporting.ts';
import { onTerminal } from './table.ts';

/** What `switchboard ask` opens. */
type AskDoor = BatchDoor & { assistant: Assistant };

const USAGE = 'switchboard ask [--continue] "…" [--json]';
const OPTIONS = { json: { type: 'boolean' }, continue: { type: 'boolean' } } as const;
const MARKS = { running: '·', done: '✓', waits: '?', failed: '✗', unknown: '?', skipped: '·' } as const;

/**
 * `switchboard ask`: one question in plain words, and what it asks a person to confirm. The answer goes to stdout, steps go
 * to stderr, and the exit status is the outcome, as of `call`.
 */
export function runAsk(args: readonly string[], io: CallIo<AskDoor>): Promise<number> {
  return reported(io, async (terminal) => {
    const { values, positionals } = readArguments(args, USAGE, OPTIONS, true);
    const { json: isJson = false, continue: continues = false } = values;
    const text = positionals.join(' ').trim();
    if (text === '') throw usage(`Write a question. Usage: ${USAGE}`);
    const { assistant, batches } = await terminal.openDoor();
    const { actor } = terminal;
    const own = `terminal/${actor.id}/`;
    const thread = continues ? (await assistant.conversations.under(own, true))[0] : own + randomUUID();
    if (thread === undefined)
      throw usage(`There is no conversation to go on with: ask without --continue. Usage: ${USAGE}`);
    let printed = '';
    const out: Write = async (part) => {
      printed += part;
      if (!isJson) await terminal.out(part);
    };
    // With --json, the texts are a part of the document, and a change becomes the command to run.
    const here = { ...terminal, out, canAsk: terminal.canAsk && !isJson };
    const events: TurnEvent[] = [];
    let thrown: Failure | undefined;
    const unlisten = (io.onInterrupt ?? onEnd)(() => void assistant.stop(thread, actor));
    try {
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const decider = deciderOf(actor, 'terminal');
      await showTurn(assistant.turn({ thread, text, writer: actor, zone, decider }), events, here, isJson);
      unlisten();
      return await after(events, printed !== '', batches, here);
    } catch (error) {
      thrown = asSwitchboardError(error).face;
      throw error;
    } finally {
      unlisten();
      if (isJson) await terminal.out(`${jsonText(document(events, printed, thrown), 2)}\n`);
      // Only the last conversation is kept, for --continue.
      await assistant.conversations.forgetOthers(own, thread).catch(() => undefined);
    }
  });
}

/** The events of one kind. */
function all<K extends TurnEvent['kind']>(events: readonly TurnEvent[], kind: K) {
  return events.filter((event): event is Extract<TurnEvent, { kind: K }> => event.kind === kind);
}

/** What was read from the words without a model. */
function understoodIn(events: readonly TurnEvent[]): Understood | undefined {
  return events.flatMap((event) => ('understood' in event ? [event.understood] : [])).at(-1);
}

/** Prints the turn while it runs, and keeps its events. */
async function showTurn(
  turn: AsyncIterable<TurnEvent>,
  events: TurnEvent[],
  { out, err, human, canAsk }: Terminal,
  isJson: boolean,
): Promise<void> {
  /** True while the answer's last line has no end. */
  let inLine = false;
  const endLine = async () => {
    if (inLine) await out('\n');
    inLine = false;
  };
  for await (const event of turn) {
    events.push(event);
    if (event.kind === 'text') {
      // The model's paragraphs are separated already, and the line that a step ended needs no second end.
      const part: string = isJson || inLine ? event.text : event.text.replace(/^\n/, '');
      await out(isJson ? part : clean(part));
      inLine = !isJson && !part.endsWith('\n');
    } else if (event.kind === 'step') {
      await endLine();
      if (human || event.state !== 'running') await err(`${MARKS[event.state]} ${clean(event.title)}\n`);
    } else if (event.kind === 'notice') await err(`${event.text}\n`);
    else if (event.kind === 'failure') await err(`${clean(failureText(event.failure, 'terminal'))}\n`);
  }
  if (isJson) return;
  await endLine();
  const [end] = all(events, 'end');
  if (end === undefined) return;
  const [first] = end.records;
  if (first) {
    const titles = [...new Set(end.records.map(({ title }) => title))].map(clean).join('; ');
    await out(`Read at ${new Date(first.at).toISOString().slice(0, 16).replace('T', ' ')} UTC: ${titles}\n`);
  }
  // A question that is asked next on this terminal needs no line.
  await err(endText(end, canAsk));
}

/** Shows the answer without a model, and asks the questions. */
async function after(events: readonly TurnEvent[], hasText: boolean, batches: Batches, here: Terminal) {
  const [end] = all(events, 'end');
  const understood = understoodIn(events);
  const questions = all(events, 'question');
  // A turn that read a record ends with what the model said of it.
  const isRead = (end?.records.length ?? 0) > 0;
  if (understood && !isRead && !hasText) {
    const question = await answerPlain(understood, here);
    if (question === 'not asked') return EXIT.notConfirmed;
    if (question) return askAgain(question, batches, here);
  }
  if (questions.length > 0 && !here.canAsk) {
    // The question stays open.
    for (const { confirmation } of questions) {
      const { summary, url } = confirmation;
      const where = url === undefined ? 'Run the same command on a terminal to decide' : `Open ${url} to decide`;
      await here.err(`${clean(`${where}: ${summary}.`)}\n`);
    }
    return EXIT.notConfirmed;
  }
  for (const question of questions) {
    const code = await askAgain(question, batches, here);
    if (code !== EXIT.done) return code;
  }
  // Reads of the model as a batch, which run only while this process does.
  for (const id of new Set(all(events, 'batch').map((batch) => batch.id))) {
    const code = await runPlanned(id, batches, here);
    if (code !== EXIT.done) return code;
  }
  if (end && end.unknown.length > 0) return EXIT.unknown;
  return all(events, 'failure').length > 0 || end?.stopped !== undefined ? EXIT.refused : EXIT.done;
}

/** Performs the call again on a terminal, as `call` does: the gate finds its open question, which is asked here. */
async function askAgain(
  { operation, input }: { operation: string; input: Fields },
  batches: Batches,
  here: Terminal,
): Promise<number> {
  if (operation === BATCH_RUN) return runPlanned(textOf(input.Batch), batches, here);
  const tool = here.tools.find(({ id }) => id === operation);
  if (!tool) return EXIT.refused;
  const asked = readOptions([]);
  try {
    const done = await performCall(tool, input, asked, here);
    await show(done, tool, asked, here);
    return done.partly ? EXIT.partly : EXIT.done;
  } catch (error) {
    const { face } = asSwitchboardError(error);
    await here.err(errorText(face, here));
    return exitCode(face);
  }
}

/**
 * The answer to plain words without a model: reads are performed, and a change is the call to ask, or its command was
 * printed (`not asked`). Throws what a read throws, after the other offers were printed.
 */
async function answerPlain(understood: Understood, here: Terminal) {
  const { tools, actor } = here;
  const { kind, operation, beside = [], about = 'not_here' } = understood;
  const { meant, read, offered } = meaningOf(understood, tools);
  const note = async (line: string) => {
    if (line !== '') await here.err(`${onTerminal(clean(line), here.stderr)}\n`);
  };
  /** The input with the records that it names, after they were noted. */
  const named = async (tool: Tool, input: Fields) => {
    const found = await withNamedRecords(tool, input, here);
    for (const one of [...found.notes, besideText(beside, found.labels)]) await note(one);
    return found.input;
  };
  await note(notTakenText(understood.notTaken));
  if (kind === 'form' && meant) {
    if (meant.each.length > 0) return sayInstead(meant, here);
    const whole = await named(meant.tool, meant.input);
    // A whole change is asked on a terminal.
    const isWhole = problems(meant.tool, whole, here).length === 0;
    return here.canAsk && isWhole
      ? { operation: meant.tool.id, input: whole }
      : sayInstead({ ...meant, input: whole }, here);
  }
  const { gate } = await here.openDoor();
  if (kind === 'told' || (kind === 'read' && !read)) {
    const tool = tools.find(({ id }) => id === operation);
    if (about === 'consequence' && tool) await say(`${tool.title}: ${tool.description}`, here);
    const isAboutOwn = about === 'waiting' || about === 'withdraw';
    const own = isAboutOwn ? await gate.actions.list({ actorId: actor.id, states: ['pending'], limit: 20 }) : [];
    await say(own.length === 0 ? TOPICS[about] : 'Your open requests. Words confirm and withdraw nothing:', here);
    for (const { id, consent, operation } of own) await say(`${id}  ${consent?.title ?? operation}`, here);
    if (about === 'not_here') await sayCommands(offered, here);
    return undefined;
  }
  const inputs = read ? inputsOf(read) : [];
  const isMissing = (one: Fields, field: string) => one[field.split('.')[0] ?? field] === undefined;
  if (read && inputs.some((one) => problems(read.tool, one, here).some(({ field }) => isMissing(one, field))))
    return sayInstead(read, here);
  try {
    for (const one of read ? inputs : []) {
      const tool = read?.tool as Tool;
      const whole = await named(tool, one);
      const performed = await gate.perform(tool.id, whole, actor);
      if (performed.kind === 'done') await show(performed, tool, readOptions([]), here, whole);
    }
  } catch (error) {
    if (asSwitchboardError(error).face.code === 'invalid_input') await sayCommands(offered, here, read);
    throw error;
  }
  if (kind === 'choose') await sayCommands(offered, here, read);
  return undefined;
}

function problems(tool: Tool, input: Fields, { now = Date.now }: Terminal) {
  return fieldProblems(tool, input, new Date(now()));
}

function say(line: string, { out, stdout }: Terminal): Promise<void> {
  return out(`${onTerminal(clean(line), stdout)}\n`);
}

/** Prints a command, and what it needs beside the values that a message said. */
async function sayCommand(tool: Tool, input: Fields, here: Terminal): Promise<void> {
  const fields = fieldsOf(tool).filter(({ name, secret }) => !secret && input[name] === undefined);
  const needs = fields.flatMap(({ name, required }) => (required ? [name] : []));
  const others = fields.flatMap(({ name, required }) => (required ? [] : [name]));
  // A change of nothing lacks one of the fields that may be left out.
  const isOpen = problems(tool, input, here).some(({ field }) => others.includes(field));
  await here.out(`  ${fixCommand({ operation: tool.id, input, needs: isOpen ? [...needs, 'Field'] : needs })}\n`);
  if (isOpen) await here.out(`    Field is one of: ${others.join(', ')}\n`);
}

/** Prints the commands of what may be meant. */
async function sayCommands(offered: readonly Meant[], here: Terminal, but?: Meant): Promise<void> {
  const others = offered.filter(({ tool }) => tool.id !== but?.tool.id);
  if (others.length > 0) await say('It may ask for:', here);
  for (const one of others) await sayCommand(one.tool, inputsOf(one)[0] ?? {}, here);
}

/** Prints the command of what is not performed here. */
async function sayInstead(meant: Meant, here: Terminal): Promise<'not asked'> {
  await say(meant.each.length === 0 ? 'To do it, run:' : 'To do it, run one for each:', here);
  for (const one of inputsOf(meant)) await sayCommand(meant.tool, one, here);
  return 'not asked';
}

/** What `--json` prints: what was understood, and the whole turn. */
function document(events: readonly TurnEvent[], text: string, thrown: Failure | undefined): Fields {
  const [end] = all(events, 'end');
  const failure = all(events, 'failure').at(-1)?.failure ?? thrown;
  const error = failure && { error: faceOf(failure, 'terminal') };
  const understood = understoodIn(events);
  const { kind, operation, input, find, offers, notTaken } = understood ?? {};
  const read = understood && { kind, ...defined({ operation, find }), input, offers, notTaken };
  if (!end) return { ...read, text, ...error };
  const { done, waits, unknown, records, stopped } = end;
  const ended = all(events, 'step').filter(({ state }) => state !== 'running');
  return {
    ...read,
    ...{ text, steps: ended.map(({ title, state }) => ({ title, state })), done, waits, unknown },
    records: records.map(({ title, at }) => ({ title, at: new Date(at).toISOString() })),
    questions: all(events, 'question').map(({ operation, input, confirmation }) => ({
      operation,
      input,
      confirmation,
    })),
    ...defined({ stopped }),
    ...error,
  };
}

/** The effects of the turn, independent of the words of the model. */
function endText({ done, waits, unknown, stopped, doubted }: TurnEnd, asksHere: boolean): string {
  const lines = [
    ...done.map(({ title }) => `Done: ${title}.`),
    ...(asksHere ? [] : waits).map(
      ({ title, expiresAt }) => `Waits for a person until ${expiresAt}, nothing was done: ${title}.`,
    ),
    ...unknown.map(({ title, action }) => `Outcome unknown: ${title}${action === undefined ? '' : ` (${action})`}.`),
    ...(stopped === undefined ? [] : [STOPPED_TEXT[stopped]]),
    ...(doubted.length === 0 ? [] : [`In no record of this conversation: ${doubted.join(', ')}.`]),
  ];
  return lines.map((line) => `${clean(line)}\n`).join('');
}
