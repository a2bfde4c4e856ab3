import { randomUUID } from 'node:crypto';
import { groups } from '../../../tools/groups.ts';
import type { Assistant } from '../../assistant/assistant.ts';
import { STOPPED_TEXT, type TurnEnd, type TurnEvent, type TurnQuestion } from '../../assistant/turn-events.ts';
import {
  besideText,
  inputsOf,
  lookupOf,
  type Meant,
  meantBy,
  notTakenText,
  TOPICS,
} from '../../assistant/understood.ts';
import type { Batches } from '../../batches/batches.ts';
import { fieldsOf } from '../../catalogue/fields.ts';
import { fieldProblems } from '../../catalogue/input.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { Confirmation } from '../../gate/confirmation.ts';
import { deciderOf } from '../../gate/decisions.ts';
import { BATCH_RUN } from '../../gate/frozen-batch.ts';
import type { Gate } from '../../gate/gate.ts';
import { faceOf, failureText } from '../../language/outcome.ts';
import { clean } from '../../language/show.ts';
import { asSwitchboardError, type Failure, type FieldProblem } from '../../lib/errors.ts';
import { defined, type Fields, jsonText, textOf } from '../../lib/values.ts';
import type { Offer, Understood } from '../../nlu/reader.ts';
import { fixCommand } from './answer.ts';
import { readArguments, readOptions, usage } from './arguments.ts';
import { runPlanned } from './batch-command.ts';
import { withNamedRecords } from './call.ts';
import { type CallIo, EXIT, exitCode, onEnd, type Write } from './io.ts';
import { open, Performing } from './performing.ts';
import { errorText, reported, show } from './reporting.ts';
import { onTerminal } from './table.ts';

/** The environment of `switchboard ask`. */
export interface AskIo extends CallIo {
  openConversation(): Promise<{ assistant: Assistant; gate: Gate; batches: Batches; close(): Promise<void> }>;
}

const USAGE = 'switchboard ask [--continue] "…" [--json]';
const OPTIONS = { json: { type: 'boolean' }, continue: { type: 'boolean' } } as const;
const MARKS = { running: '·', done: '✓', waits: '?', failed: '✗', unknown: '?', skipped: '·' } as const;

/** The events of the turn, for `--json` and for the questions after it. */
interface Report {
  text: string;
  steps: { title: string; state: string }[];
  questions: TurnQuestion[];
  /** Ids of the batches of reads that the model made. */
  batches: string[];
  failure?: Failure;
  understood?: Understood;
  end?: TurnEnd;
}

/**
 * `switchboard ask`: one question in plain words. The answer goes to stdout, steps go to stderr, and the exit status is
 * the outcome, as of `call`.
 */
export function runAsk(args: readonly string[], io: AskIo): Promise<number> {
  return reported(io, (out, err) => {
    const { values, positionals } = readArguments(args, USAGE, OPTIONS, true);
    const text = positionals.join(' ').trim();
    if (text === '') throw usage(`Write a question. Usage: ${USAGE}`);
    return new Asking(text, values, io, { out, err }).run();
  });
}

/** A call that has to be asked, or `not asked` if its command was printed instead. */
type Question = { operation: string; input: Fields } | 'not asked' | undefined;

/** One question, its answer, and what it asks a person to confirm. */
class Asking {
  readonly #text: string;
  /** True if the answer is one JSON document. */
  readonly #isJson: boolean;
  /** True if it goes on with the last conversation. */
  readonly #continues: boolean;
  /** True if a person can be asked here. Otherwise a change becomes the command to run. */
  readonly #canAsk: boolean;
  #io: AskIo;
  readonly #out: Write;
  readonly #err: Write;
  readonly #report: Report = { text: '', steps: [], questions: [], batches: [] };
  /** True while the answer's last line has no end. */
  #inLine = false;

  constructor(
    text: string,
    { json = false, continue: continues = false }: { json?: boolean; continue?: boolean },
    io: AskIo,
    { out, err }: { out: Write; err: Write },
  ) {
    this.#text = text;
    this.#isJson = json;
    this.#continues = continues;
    this.#canAsk = io.stdin.isTTY === true && io.stderr.isTTY === true && !json;
    this.#io = io;
    this.#out = out;
    this.#err = err;
  }

  async run(): Promise<number> {
    const { assistant, gate, batches, close } = await open({ openDoor: () => this.#io.openConversation() });
    const own = `terminal/${this.#io.actor.id}/`;
    let thread = '';
    const unlisten = (this.#io.onInterrupt ?? onEnd)(() => void assistant.stop(thread, this.#io.actor));
    try {
      thread = await this.#threadIn(assistant, own);
      await this.#turn(assistant, thread);
      unlisten();
      this.#io = { ...this.#io, openDoor: async () => ({ gate, close: async () => undefined }) };
      return await this.#after(batches);
    } catch (error) {
      this.#report.failure ??= asSwitchboardError(error).face;
      throw error;
    } finally {
      unlisten();
      if (this.#isJson && thread !== '') await this.#out(`${jsonText(this.#json(), 2)}\n`);
      // Only the last conversation is kept, for --continue.
      if (thread !== '') await assistant.conversations.forgetOthers(own, thread).catch(() => undefined);
      await close().catch(() => undefined);
    }
  }

  /** A new conversation, or the last one of this person's terminal. */
  async #threadIn(assistant: Assistant, own: string): Promise<string> {
    if (!this.#continues) return own + randomUUID();
    const [last] = await assistant.conversations.under(own, true);
    if (last === undefined)
      throw usage(`There is no conversation to go on with: ask without --continue. Usage: ${USAGE}`);
    return last;
  }

  async #turn(assistant: Assistant, thread: string): Promise<void> {
    const { actor, confirms } = this.#io;
    const decider = confirms === false ? undefined : deciderOf(actor, 'terminal');
    for await (const event of assistant.turn({
      thread,
      text: this.#text,
      writer: actor,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...(decider && { decider }),
    }))
      await this.#show(event);
    const { text, end } = this.#report;
    if (this.#isJson) return;
    if (text !== '') await this.#endLine();
    if (end === undefined) return;
    await this.#out(recordsText(end));
    // A question that is asked next on this terminal needs no line.
    await this.#err(endText(end, { asksHere: confirms !== false && this.#canAsk }));
  }

  async #show(event: TurnEvent): Promise<void> {
    const report = this.#report;
    const human = this.#io.stderr.isTTY === true;
    if (event.kind === 'text') {
      report.text += event.text;
      if (this.#isJson) return;
      // The model's paragraphs are separated already, and the line that a step ended needs no second end.
      const text = this.#inLine ? event.text : event.text.replace(/^\n/, '');
      await this.#out(clean(text));
      this.#inLine = !text.endsWith('\n');
    } else if (event.kind === 'step') {
      await this.#endLine();
      if (event.state !== 'running') report.steps.push({ title: event.title, state: event.state });
      if (human || event.state !== 'running') await this.#err(`${MARKS[event.state]} ${clean(event.title)}\n`);
    } else if (event.kind === 'notice') await this.#err(`${event.text}\n`);
    else if (event.kind === 'question') report.questions.push(event);
    else if (event.kind === 'batch') report.batches.push(event.id);
    else if (event.kind === 'understood') report.understood = event.understood;
    else if (event.kind === 'failure') {
      report.failure = event.failure;
      report.understood = event.understood;
      await this.#err(`${clean(failureText(event.failure, 'terminal'))}\n`);
    } else if (event.kind === 'end') report.end = event;
  }

  /** Ends the line of the answer before something else is shown. */
  async #endLine(): Promise<void> {
    if (this.#inLine) await this.#out('\n');
    this.#inLine = false;
  }

  /** Shows the answer without a model, and asks the questions. */
  async #after(batches: Batches): Promise<number> {
    const { understood, failure, questions, end } = this.#report;
    // A turn that read a record ends with what the model said of it.
    const isRead = (end?.records.length ?? 0) > 0;
    if (understood && !isRead && this.#report.text === '') {
      const question = await this.#answerPlain(understood);
      if (question === 'not asked') return EXIT.notConfirmed;
      if (question) return this.#ask(question, batches);
    }
    if (questions.length > 0 && !this.#canAsk) {
      await this.#err(questions.map(({ confirmation }) => decideText(confirmation)).join(''));
      return EXIT.notConfirmed;
    }
    for (const question of questions) {
      const code = await this.#ask(question, batches);
      if (code !== EXIT.done) return code;
    }
    // They run only while this process does.
    for (const id of new Set(this.#report.batches)) {
      const code = await runPlanned(id, batches, { io: this.#io, out: this.#shown, err: this.#err });
      if (code !== EXIT.done) return code;
    }
    if (end && end.unknown.length > 0) return EXIT.unknown;
    if (failure || end?.stopped !== undefined) return EXIT.refused;
    return EXIT.done;
  }

  /** Performs the call again on a terminal, as `call` does: the gate finds its open question, which is asked here. */
  async #ask({ operation, input }: { operation: string; input: Fields }, batches: Batches): Promise<number> {
    const [io, out, err] = [this.#io, this.#shown, this.#err];
    if (operation === BATCH_RUN) return runPlanned(textOf(input.Batch), batches, { io, out, err });
    const tool = io.tools.find(({ id }) => id === operation);
    if (!tool) return EXIT.refused;
    const asked = readOptions([]);
    try {
      const done = await new Performing({ tool, io, asked, canAsk: true, err }).run(input);
      await show(done, tool, { asked, io, out, err });
      return done.partly ? EXIT.partly : EXIT.done;
    } catch (error) {
      const { face } = asSwitchboardError(error);
      await err(errorText(face, io));
      return exitCode(face);
    }
  }

  /**
   * The answer to plain words without a model: reads are performed, a change is asked or becomes its command. Throws what a
   * read throws, after the other offers were printed.
   */
  async #answerPlain(understood: Understood): Promise<Question> {
    const { kind, operation, input, find, offers, beside = [], about = 'not_here' } = understood;
    const { tools } = this.#io;
    const meant =
      operation === undefined ? undefined : meantBy({ operation, input, ...defined({ find }) }, tools, groups);
    await this.#note(notTakenText(understood.notTaken));
    if (kind === 'form' && meant) return this.#change(meant, beside);
    const shown = meant ?? (find === undefined ? undefined : lookupOf(find, tools, groups));
    if (kind === 'told' || (kind === 'read' && !shown)) {
      const tool = tools.find(({ id }) => id === operation);
      if (about === 'consequence' && tool) await this.#say(`${tool.title}: ${tool.description}`);
      await this.#say(TOPICS[about]);
      if (about === 'waiting' || about === 'withdraw') await this.#waiting();
      if (about === 'not_here') await this.#commands(offers);
      return undefined;
    }
    if (shown && inputsOf(shown).some((one) => this.#problems(shown.tool, one).some(isMissing(one))))
      return this.#instead(shown);
    try {
      for (const one of shown ? inputsOf(shown) : []) if (shown) await this.#read(shown.tool, one, beside);
    } catch (error) {
      if (asSwitchboardError(error).face.code === 'invalid_input') await this.#commands(offers, shown);
      throw error;
    }
    if (kind === 'choose') await this.#commands(offers, shown);
    return undefined;
  }

  async #read(tool: Tool, given: Fields, beside: readonly string[]): Promise<void> {
    const [io, out, err] = [this.#io, this.#shown, this.#err];
    const input = await this.#named(tool, given, beside);
    const performed = await (await io.openDoor()).gate.perform(tool.id, input, io.actor);
    if (performed.kind === 'done') await show(performed, tool, { asked: readOptions([]), input, io, out, err });
  }

  /** A whole change is asked on a terminal. Otherwise its command is printed. */
  async #change(meant: Meant, beside: readonly string[]): Promise<Question> {
    const { tool, each } = meant;
    if (each.length > 0) return this.#instead(meant);
    const input = await this.#named(tool, meant.input, beside);
    const isWhole = this.#problems(tool, input).length === 0;
    return this.#canAsk && isWhole ? { operation: tool.id, input } : this.#instead({ ...meant, input });
  }

  /** Prints the command of what is not performed here. */
  async #instead(meant: Meant): Promise<'not asked'> {
    await this.#say(meant.each.length === 0 ? 'To do it, run:' : 'To do it, run one for each:');
    for (const one of inputsOf(meant)) await this.#command(meant.tool, one);
    return 'not asked';
  }

  /** The input with the records that it names, after they were noted. */
  async #named(tool: Tool, given: Fields, beside: readonly string[]): Promise<Fields> {
    const { input, notes, labels } = await withNamedRecords({ tool, input: given }, this.#io, this.#canAsk);
    for (const note of [...notes, besideText(beside, labels)]) await this.#note(note);
    return input;
  }

  #problems(tool: Tool, input: Fields): FieldProblem[] {
    return fieldProblems(tool, input, new Date(this.#io.now?.() ?? Date.now()));
  }

  /** The commands of what may be meant. */
  async #commands(offers: readonly Offer[], shown?: Meant): Promise<void> {
    const { tools } = this.#io;
    const all = offers.flatMap((offer) => meantBy(offer, tools, groups) ?? []);
    const others = all.filter(({ tool }) => tool.id !== shown?.tool.id);
    if (others.length > 0) await this.#say('It may ask for:');
    for (const one of others) await this.#command(one.tool, inputsOf(one)[0] ?? {});
  }

  /** Prints a command, and what it needs beside the values that a message said. */
  async #command(tool: Tool, input: Fields): Promise<void> {
    const fields = fieldsOf(tool).filter(({ name, secret }) => !secret && input[name] === undefined);
    const needs = fields.flatMap(({ name, required }) => (required ? [name] : []));
    const others = fields.flatMap(({ name, required }) => (required ? [] : [name]));
    // A change of nothing lacks one of the fields that may be left out.
    const isOpen = this.#problems(tool, input).some(({ field }) => others.includes(field));
    const command = fixCommand({ operation: tool.id, input, needs: isOpen ? [...needs, 'Field'] : needs });
    await this.#shown(`  ${command}\n`);
    if (isOpen) await this.#shown(`    Field is one of: ${others.join(', ')}\n`);
  }

  /** The requests of this person that wait. */
  async #waiting(): Promise<void> {
    const { gate } = await this.#io.openDoor();
    const own = await gate.actions.list({ actorId: this.#io.actor.id, states: ['pending'], limit: 20 });
    for (const { id, consent, operation } of own) await this.#say(`${id}  ${consent?.title ?? operation}`);
  }

  #say(text: string): Promise<void> {
    return this.#shown(`${onTerminal(clean(text), this.#io.stdout)}\n`);
  }

  async #note(text: string): Promise<void> {
    if (text !== '') await this.#err(`${onTerminal(clean(text), this.#io.stderr)}\n`);
  }

  /** Prints a text, or keeps it for `--json`. */
  readonly #shown: Write = async (text) => {
    if (this.#isJson) this.#report.text += text;
    else await this.#out(text);
  };

  #json(): Fields {
    const { text, steps, questions, failure, understood, end } = this.#report;
    const error = failure && { error: faceOf(failure, 'terminal') };
    const { kind, operation, input, find, offers, notTaken } = understood ?? {};
    const read = understood && { kind, ...defined({ operation, find }), input, offers, notTaken };
    if (!end) return { ...read, text, ...error };
    const { done, waits, unknown, records, stopped } = end;
    return {
      ...read,
      ...{ text, steps, done, waits, unknown },
      records: records.map(({ title, at }) => ({ title, at: new Date(at).toISOString() })),
      questions: questions.map(({ operation, input, confirmation }) => ({ operation, input, confirmation })),
      ...defined({ stopped }),
      ...error,
    };
  }
}

/** The records that an answer rests on, and when they were read. */
function recordsText({ records }: TurnEnd): string {
  const [first] = records;
  if (!first) return '';
  const titles = [...new Set(records.map(({ title }) => title))].map(clean);
  return `Read at ${new Date(first.at).toISOString().slice(0, 16).replace('T', ' ')} UTC: ${titles.join('; ')}\n`;
}

/** Says how to decide a question that cannot be asked on this terminal. It stays open. */
function decideText({ summary, url }: Confirmation): string {
  const where = url === undefined ? 'Run the same command on a terminal to decide' : `Open ${url} to decide`;
  return `${clean(`${where}: ${summary}.`)}\n`;
}

/** The effects of the turn, independent of the words of the model. */
function endText(end: TurnEnd, { asksHere }: { asksHere: boolean }): string {
  const { done, waits, unknown, stopped, doubted } = end;
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

/** True for a problem of a field that an input leaves out. */
function isMissing(input: Fields): (problem: FieldProblem) => boolean {
  return ({ field }) => input[field.split('.')[0] ?? field] === undefined;
}
