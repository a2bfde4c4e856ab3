import { randomUUID } from 'node:crypto';
import type { Assistant } from '../../assistant/assistant.ts';
import { STOPPED_TEXT, type TurnEnd, type TurnEvent, type TurnQuestion } from '../../assistant/turn-events.ts';
import { besideText, inputsOf, type Meant, meaningOf, notTakenText, TOPICS } from '../../assistant/understood.ts';
import type { Batches } from '../../batches/batches.ts';
import { fieldProblems, fieldsOf } from '../../catalogue/input.ts';
import type { Tool } from '../../catalogue/operation.ts';
import { BATCH_RUN } from '../../gate/confirmation.ts';
import { deciderOf } from '../../gate/decisions.ts';
import type { Gate } from '../../gate/gate.ts';
import { faceOf, failureText } from '../../language/outcome.ts';
import { clean } from '../../language/show.ts';
import { asSwitchboardError, type Failure } from '../../lib/errors.ts';
import { defined, type Fields, jsonText, textOf } from '../../lib/values.ts';
import type { Understood } from '../../nlu/reader.ts';
import { fixCommand } from './answer.ts';
import { readOptions, usage } from './arguments.ts';
import { runPlanned } from './batch-command.ts';
import { withNamedRecords } from './call.ts';
import { readArguments } from './flags.ts';
import { type CallIo, EXIT, exitCode, onEnd, type Write } from './io.ts';
import { open, performCall } from './performing.ts';
import { errorText, reported, show } from './reporting.ts';
import { onTerminal } from './table.ts';

/** The environment of `switchboard ask`. */
export interface AskIo extends CallIo {
  openConversation(): Promise<{ assistant: Assistant; gate: Gate; batches: Batches; close(): Promise<void> }>;
}

const USAGE = 'switchboard ask [--continue] "…" [--json]';
const OPTIONS = { json: { type: 'boolean' }, continue: { type: 'boolean' } } as const;
const MARKS = { running: '·', done: '✓', waits: '?', failed: '✗', unknown: '?', skipped: '·' } as const;

/** A call that has to be asked, or `not asked` if its command was printed instead. */
type Question = { operation: string; input: Fields } | 'not asked' | undefined;

/**
 * `switchboard ask`: one question in plain words. The answer goes to stdout, steps go to stderr, and the exit status is
 * the outcome, as of `call`.
 */
export function runAsk(args: readonly string[], io: AskIo): Promise<number> {
  return reported(io, (out, err) => {
    const { values, positionals } = readArguments(args, USAGE, OPTIONS, true);
    const text = positionals.join(' ').trim();
    if (text === '') throw usage(`Write a question. Usage: ${USAGE}`);
    return ask(text, values, io, { out, err });
  });
}

/** Asks one question, and answers what it asks a person to confirm. */
async function ask(
  text: string,
  { json: isJson = false, continue: continues = false }: { json?: boolean; continue?: boolean },
  given: AskIo,
  { out, err }: { out: Write; err: Write },
): Promise<number> {
  let io: CallIo = given;
  const { tools, actor } = io;
  const human = io.stderr.isTTY === true;
  /** True if a person can be asked here. Otherwise a change becomes the command to run. */
  const canAsk = io.stdin.isTTY === true && human && !isJson;
  /** The events of the turn, for `--json` and for the questions after it. `batches`: of reads that the model made. */
  const report: {
    text: string;
    steps: { title: string; state: string }[];
    questions: TurnQuestion[];
    batches: string[];
    failure?: Failure;
    understood?: Understood;
    end?: TurnEnd;
  } = { text: '', steps: [], questions: [], batches: [] };
  /** True while the answer's last line has no end. */
  let inLine = false;

  /** Ends the line of the answer before something else is shown. */
  const endLine = async () => {
    if (inLine) await out('\n');
    inLine = false;
  };

  /** Prints a text, or keeps it for `--json`. */
  const shown: Write = async (part) => {
    if (isJson) report.text += part;
    else await out(part);
  };
  const say = (line: string) => shown(`${onTerminal(clean(line), io.stdout)}\n`);
  const note = async (line: string) => {
    if (line !== '') await err(`${onTerminal(clean(line), io.stderr)}\n`);
  };

  const showEvent = async (event: TurnEvent) => {
    if (event.kind === 'text') {
      report.text += event.text;
      if (isJson) return;
      // The model's paragraphs are separated already, and the line that a step ended needs no second end.
      const part = inLine ? event.text : event.text.replace(/^\n/, '');
      await out(clean(part));
      inLine = !part.endsWith('\n');
    } else if (event.kind === 'step') {
      await endLine();
      if (event.state !== 'running') report.steps.push({ title: event.title, state: event.state });
      if (human || event.state !== 'running') await err(`${MARKS[event.state]} ${clean(event.title)}\n`);
    } else if (event.kind === 'notice') await err(`${event.text}\n`);
    else if (event.kind === 'question') report.questions.push(event);
    else if (event.kind === 'batch') report.batches.push(event.id);
    else if (event.kind === 'understood') report.understood = event.understood;
    else if (event.kind === 'failure') {
      report.failure = event.failure;
      report.understood = event.understood;
      await err(`${clean(failureText(event.failure, 'terminal'))}\n`);
    } else if (event.kind === 'end') report.end = event;
  };

  const turn = async (assistant: Assistant, thread: string) => {
    const decider = deciderOf(actor, 'terminal');
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    for await (const event of assistant.turn({ thread, text, writer: actor, zone, decider })) await showEvent(event);
    const { end } = report;
    if (isJson) return;
    if (report.text !== '') await endLine();
    if (end === undefined) return;
    const [first] = end.records;
    if (first) {
      const titles = [...new Set(end.records.map(({ title }) => title))].map(clean).join('; ');
      await out(`Read at ${new Date(first.at).toISOString().slice(0, 16).replace('T', ' ')} UTC: ${titles}\n`);
    }
    // A question that is asked next on this terminal needs no line.
    await err(endText(end, canAsk));
  };

  const problems = (tool: Tool, input: Fields) => fieldProblems(tool, input, new Date(io.now?.() ?? Date.now()));

  /** Prints a command, and what it needs beside the values that a message said. */
  const sayCommand = async (tool: Tool, input: Fields) => {
    const fields = fieldsOf(tool).filter(({ name, secret }) => !secret && input[name] === undefined);
    const needs = fields.flatMap(({ name, required }) => (required ? [name] : []));
    const others = fields.flatMap(({ name, required }) => (required ? [] : [name]));
    // A change of nothing lacks one of the fields that may be left out.
    const isOpen = problems(tool, input).some(({ field }) => others.includes(field));
    await shown(`  ${fixCommand({ operation: tool.id, input, needs: isOpen ? [...needs, 'Field'] : needs })}\n`);
    if (isOpen) await shown(`    Field is one of: ${others.join(', ')}\n`);
  };

  /** The commands of what may be meant. */
  const sayCommands = async (offered: readonly Meant[], but?: Meant) => {
    const others = offered.filter(({ tool }) => tool.id !== but?.tool.id);
    if (others.length > 0) await say('It may ask for:');
    for (const one of others) await sayCommand(one.tool, inputsOf(one)[0] ?? {});
  };

  /** Prints the command of what is not performed here. */
  const sayInstead = async (meant: Meant): Promise<'not asked'> => {
    await say(meant.each.length === 0 ? 'To do it, run:' : 'To do it, run one for each:');
    for (const one of inputsOf(meant)) await sayCommand(meant.tool, one);
    return 'not asked';
  };

  /** The input with the records that it names, after they were noted. */
  const named = async (tool: Tool, input: Fields, beside: readonly string[]) => {
    const found = await withNamedRecords({ tool, input }, io, canAsk);
    for (const one of [...found.notes, besideText(beside, found.labels)]) await note(one);
    return found.input;
  };

  /**
   * The answer to plain words without a model: reads are performed, a change is asked or becomes its command. Throws what a
   * read throws, after the other offers were printed.
   */
  const answerPlain = async (understood: Understood): Promise<Question> => {
    const { kind, operation, beside = [], about = 'not_here' } = understood;
    const { meant, read, offered } = meaningOf(understood, tools);
    await note(notTakenText(understood.notTaken));
    if (kind === 'form' && meant) {
      if (meant.each.length > 0) return sayInstead(meant);
      const whole = await named(meant.tool, meant.input, beside);
      // A whole change is asked on a terminal.
      const isWhole = problems(meant.tool, whole).length === 0;
      return canAsk && isWhole ? { operation: meant.tool.id, input: whole } : sayInstead({ ...meant, input: whole });
    }
    if (kind === 'told' || (kind === 'read' && !read)) {
      const tool = tools.find(({ id }) => id === operation);
      if (about === 'consequence' && tool) await say(`${tool.title}: ${tool.description}`);
      const waiting = async () =>
        (await io.openDoor()).gate.actions.list({ actorId: actor.id, states: ['pending'], limit: 20 });
      const own = about === 'waiting' || about === 'withdraw' ? await waiting() : [];
      await say(own.length === 0 ? TOPICS[about] : 'Your open requests. Words confirm and withdraw nothing:');
      for (const { id, consent, operation } of own) await say(`${id}  ${consent?.title ?? operation}`);
      if (about === 'not_here') await sayCommands(offered);
      return undefined;
    }
    const inputs = read ? inputsOf(read) : [];
    const isMissing = (one: Fields, field: string) => one[field.split('.')[0] ?? field] === undefined;
    if (read && inputs.some((one) => problems(read.tool, one).some(({ field }) => isMissing(one, field))))
      return sayInstead(read);
    try {
      for (const one of read ? inputs : []) {
        const tool = read?.tool as Tool;
        const whole = await named(tool, one, beside);
        const performed = await (await io.openDoor()).gate.perform(tool.id, whole, actor);
        if (performed.kind === 'done')
          await show(performed, tool, { asked: readOptions([]), input: whole, io, out: shown, err });
      }
    } catch (error) {
      if (asSwitchboardError(error).face.code === 'invalid_input') await sayCommands(offered, read);
      throw error;
    }
    if (kind === 'choose') await sayCommands(offered, read);
    return undefined;
  };

  /** Performs the call again on a terminal, as `call` does: the gate finds its open question, which is asked here. */
  const askAgain = async ({ operation, input }: { operation: string; input: Fields }, batches: Batches) => {
    if (operation === BATCH_RUN) return runPlanned(textOf(input.Batch), batches, { io, out: shown, err });
    const tool = tools.find(({ id }) => id === operation);
    if (!tool) return EXIT.refused;
    const asked = readOptions([]);
    try {
      const done = await performCall({ tool, io, asked, canAsk: true, err }, input);
      await show(done, tool, { asked, io, out: shown, err });
      return done.partly ? EXIT.partly : EXIT.done;
    } catch (error) {
      const { face } = asSwitchboardError(error);
      await err(errorText(face, io));
      return exitCode(face);
    }
  };

  /** Shows the answer without a model, and asks the questions. */
  const after = async (batches: Batches): Promise<number> => {
    const { understood, failure, questions, end } = report;
    // A turn that read a record ends with what the model said of it.
    const isRead = (end?.records.length ?? 0) > 0;
    if (understood && !isRead && report.text === '') {
      const question = await answerPlain(understood);
      if (question === 'not asked') return EXIT.notConfirmed;
      if (question) return askAgain(question, batches);
    }
    if (questions.length > 0 && !canAsk) {
      // The question stays open.
      for (const { confirmation } of questions) {
        const { summary, url } = confirmation;
        const where = url === undefined ? 'Run the same command on a terminal to decide' : `Open ${url} to decide`;
        await err(`${clean(`${where}: ${summary}.`)}\n`);
      }
      return EXIT.notConfirmed;
    }
    for (const question of questions) {
      const code = await askAgain(question, batches);
      if (code !== EXIT.done) return code;
    }
    // They run only while this process does.
    for (const id of new Set(report.batches)) {
      const code = await runPlanned(id, batches, { io, out: shown, err });
      if (code !== EXIT.done) return code;
    }
    if (end && end.unknown.length > 0) return EXIT.unknown;
    return failure || end?.stopped !== undefined ? EXIT.refused : EXIT.done;
  };

  const document = (): Fields => {
    const { steps, questions, failure, understood, end } = report;
    const error = failure && { error: faceOf(failure, 'terminal') };
    const { kind, operation, input, find, offers, notTaken } = understood ?? {};
    const read = understood && { kind, ...defined({ operation, find }), input, offers, notTaken };
    if (!end) return { ...read, text: report.text, ...error };
    const { done, waits, unknown, records, stopped } = end;
    return {
      ...read,
      ...{ text: report.text, steps, done, waits, unknown },
      records: records.map(({ title, at }) => ({ title, at: new Date(at).toISOString() })),
      questions: questions.map(({ operation, input, confirmation }) => ({ operation, input, confirmation })),
      ...defined({ stopped }),
      ...error,
    };
  };

  const { assistant, gate, batches, close } = await open({ openDoor: () => given.openConversation() });
  const own = `terminal/${actor.id}/`;
  let thread = '';
  const unlisten = (io.onInterrupt ?? onEnd)(() => void assistant.stop(thread, actor));
  try {
    const last = continues ? (await assistant.conversations.under(own, true))[0] : own + randomUUID();
    if (last === undefined)
      throw usage(`There is no conversation to go on with: ask without --continue. Usage: ${USAGE}`);
    thread = last;
    await turn(assistant, thread);
    unlisten();
    io = { ...io, openDoor: async () => ({ gate, close: async () => undefined }) };
    return await after(batches);
  } catch (error) {
    report.failure ??= asSwitchboardError(error).face;
    throw error;
  } finally {
    unlisten();
    if (isJson && thread !== '') await out(`${jsonText(document(), 2)}\n`);
    // Only the last conversation is kept, for --continue.
    if (thread !== '') await assistant.conversations.forgetOthers(own, thread).catch(() => undefined);
    await close().catch(() => undefined);
  }
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
