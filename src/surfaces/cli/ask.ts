import { randomUUID } from 'node:crypto';
import type { Assistant } from '../../assistant/assistant.ts';
import { outcomeNote } from '../../assistant/claims.ts';
import type { Guide } from '../../assistant/guided/guide.ts';
import type { TurnEnd, TurnEvent, TurnQuestion } from '../../assistant/turn-events.ts';
import type { Batches } from '../../batches/batches.ts';
import type { Confirmation } from '../../gate/confirmation.ts';
import { deciderOf } from '../../gate/decisions.ts';
import { BATCH_RUN } from '../../gate/frozen-batch.ts';
import type { Gate } from '../../gate/gate.ts';
import { batchesCreate } from '../../language/assistants/batch-tools.ts';
import { faceOf, failureText } from '../../language/failure.ts';
import { clean } from '../../language/show.ts';
import type { Clock } from '../../lib/clock.ts';
import { asSwitchboardError, type Failure } from '../../lib/errors.ts';
import { type Fields, textOf } from '../../lib/json.ts';
import { jsonText } from '../../lib/text.ts';
import { unknownFlag } from './arguments.ts';
import { withdrawn } from './ask-withdrawal.ts';
import { runPlanned } from './batch-command.ts';
import { GuidedReply } from './guided-reply.ts';
import { onEnd } from './interrupts.ts';
import { type CallIo, EXIT, exitCode, type Write } from './io.ts';
import { readOptions, usage } from './options.ts';
import { open, Performing } from './performing.ts';
import { errorText, reported, show } from './reporting.ts';

/** The environment of `switchboard ask`. */
export interface AskIo extends CallIo {
  /** `clock`: the one by which batches are written. */
  openConversation(): Promise<{
    assistant: Assistant;
    gate: Gate;
    batches: Batches;
    clock: Clock;
    close(): Promise<void>;
  }>;
}

interface Asked {
  text: string;
  isJson: boolean;
  /** True if it goes on with the last conversation. */
  continues: boolean;
}

const USAGE = 'switchboard ask [--continue] "…" [--json]';
const OWN_FLAGS = ['--json', '--continue'];
const FLAGS = [...OWN_FLAGS, '--settings', '--help'];
const MARKS = { running: '·', done: '✓', waits: '?', failed: '✗', unknown: '?', skipped: '·' } as const;

/** The events of the turn, for `--json` and for the questions after it. */
interface Report {
  text: string;
  steps: { title: string; state: string }[];
  questions: TurnQuestion[];
  failure?: Failure;
  guided?: Extract<TurnEvent, { kind: 'guided' | 'failure' }>['guided'];
  end?: TurnEnd;
}

/**
 * `switchboard ask`: one question in plain words. The answer goes to stdout, steps go to stderr, and the exit status is
 * the outcome, as of `call`.
 */
export function runAsk(args: readonly string[], io: AskIo): Promise<number> {
  return reported(io, (out, err) => new Asking(readAsked(args), io, { out, err }).run());
}

function readAsked(args: readonly string[]): Asked {
  const words = args.filter((arg) => !arg.startsWith('--'));
  const wrong = args.find((arg) => arg.startsWith('--') && !OWN_FLAGS.includes(arg));
  if (wrong !== undefined) throw usage(`${unknownFlag(wrong.split('=')[0] ?? wrong, FLAGS)} Usage: ${USAGE}`);
  const text = words.join(' ').trim();
  if (text === '') throw usage(`Write a question. Usage: ${USAGE}`);
  return { text, isJson: args.includes('--json'), continues: args.includes('--continue') };
}

interface Opened {
  gate: Gate;
  batches: Batches;
  guide: Guide;
  /** Epoch ms. */
  startedAt: number;
}

/** One question, its answer, and what it asks a person to confirm. */
class Asking {
  readonly #asked: Asked;
  readonly #io: AskIo;
  readonly #out: Write;
  readonly #err: Write;
  readonly #report: Report = { text: '', steps: [], questions: [] };
  /** True while the answer's last line has no end. */
  #inLine = false;
  /** True if the model made a batch. */
  #madeBatch = false;

  constructor(asked: Asked, io: AskIo, { out, err }: { out: Write; err: Write }) {
    this.#asked = asked;
    this.#io = io;
    this.#out = out;
    this.#err = err;
  }

  async run(): Promise<number> {
    const { assistant, gate, batches, clock, close } = await this.#open();
    const startedAt = clock.now();
    const own = `terminal/${this.#io.actor.id}/`;
    const thread = await this.#threadIn(assistant, own).catch(async (error: unknown) => {
      await close().catch(() => undefined);
      throw error;
    });
    const unlisten = (this.#io.onInterrupt ?? onEnd)(() => void assistant.stop(thread, this.#io.actor));
    try {
      const isTakenBack = await this.#takenBack(assistant, gate, thread, startedAt);
      if (!isTakenBack) await this.#turn(assistant, thread);
      unlisten();
      const code = await this.#after(
        { ...this.#io, openDoor: async () => ({ gate, close: async () => undefined }) },
        { gate, batches, guide: assistant.guide, startedAt },
      );
      if (this.#asked.isJson) await this.#out(`${jsonText(this.#json(), 2)}\n`);
      return code;
    } finally {
      unlisten();
      // Only the last conversation is kept, for --continue.
      await assistant.forgetOthers(own, thread).catch(() => undefined);
      await close().catch(() => undefined);
    }
  }

  /** A new conversation, or the last one of this person's terminal. */
  async #threadIn(assistant: Assistant, own: string): Promise<string> {
    if (!this.#asked.continues) return own + randomUUID();
    const last = await assistant.latest(own);
    if (last === undefined)
      throw usage(`There is no conversation to go on with: ask without --continue. Usage: ${USAGE}`);
    return last;
  }

  async #open(): ReturnType<AskIo['openConversation']> {
    let opened: Awaited<ReturnType<AskIo['openConversation']>> | undefined;
    await open({
      ...this.#io,
      openDoor: async () => {
        opened = await this.#io.openConversation();
        return opened;
      },
    });
    if (!opened) throw new Error('the conversation was not opened');
    return opened;
  }

  /** Without a model: takes a request of this conversation back, if the words say so. With one, the model does. */
  async #takenBack(assistant: Assistant, gate: Gate, thread: string, now: number): Promise<boolean> {
    if (assistant.hasModel || !this.#asked.continues) return false;
    const { actor } = this.#io;
    const taken = await withdrawn(this.#asked.text, { assistant, gate, thread, actor, now });
    if (!taken) return false;
    const { gone, left } = taken;
    const text = [`${gone.title}. Nothing was sent.`, ...left.map((title) => `This still waits: ${title}.`)].join('\n');
    this.#report.end = { kind: 'end', text, done: [gone], waits: [], unknown: [], records: [] };
    if (!this.#asked.isJson) await this.#out(`${clean(text)}\n`);
    return true;
  }

  async #turn(assistant: Assistant, thread: string): Promise<void> {
    const { actor, confirms } = this.#io;
    const decider = confirms === false ? undefined : deciderOf(actor, 'terminal');
    for await (const event of assistant.turn({
      thread,
      text: this.#asked.text,
      writer: actor,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...(decider && { decider }),
    }))
      await this.#show(event);
    const { text, end } = this.#report;
    if (this.#asked.isJson) return;
    if (text !== '') await this.#endLine();
    else if (end && end.text !== '') await this.#out(`${clean(end.text)}\n`);
    await this.#out(recordsText(end));
    const { stdin, stderr } = this.#io;
    // A question that is asked next on this terminal needs no line.
    const asksHere = confirms !== false && stdin.isTTY === true && stderr.isTTY === true;
    await this.#err(endText(end, { asksHere }));
  }

  async #show(event: TurnEvent): Promise<void> {
    const report = this.#report;
    const human = this.#io.stderr.isTTY === true;
    if (event.kind === 'text') {
      report.text += event.text;
      if (this.#asked.isJson) return;
      // The model's paragraphs are separated already, and the line that a step ended needs no second end.
      const text = this.#inLine ? event.text : event.text.replace(/^\n/, '');
      await this.#out(clean(text));
      this.#inLine = !text.endsWith('\n');
    } else if (event.kind === 'step') {
      await this.#endLine();
      if (event.operation === batchesCreate.name) this.#madeBatch = true;
      if (event.state !== 'running') report.steps.push({ title: event.title, state: event.state });
      if (human || event.state !== 'running') await this.#err(`${MARKS[event.state]} ${clean(event.title)}\n`);
    } else if (event.kind === 'notice') await this.#err(`${event.text}\n`);
    else if (event.kind === 'question') report.questions.push(event);
    else if (event.kind === 'guided') report.guided = event.guided;
    else if (event.kind === 'failure') {
      report.failure = event.failure;
      report.guided = event.guided;
      await this.#err(`${clean(failureText(event.failure, 'terminal'))}\n`);
    } else if (event.kind === 'end') report.end = event;
  }

  /** Ends the line of the answer before something else is shown. */
  async #endLine(): Promise<void> {
    if (this.#inLine) await this.#out('\n');
    this.#inLine = false;
  }

  /** Answers from the catalogue where there was no model, and asks the questions. */
  async #after(io: AskIo, { gate, batches, guide, startedAt }: Opened): Promise<number> {
    const { guided, failure, questions, end } = this.#report;
    const [out, err] = [this.#asked.isJson ? async () => undefined : this.#out, this.#err];
    const canAsk = io.stdin.isTTY === true && io.stderr.isTTY === true;
    // Below a record that was read, "that names no number" would be false.
    const isRead = guided?.kind === 'help' && (end?.records.length ?? 0) > 0;
    if (guided && !isRead && this.#report.text === '') {
      const question = await new GuidedReply({ io, gate, guide, out, err, canAsk }).show(guided);
      if (question === 'not asked') return EXIT.notConfirmed;
      if (question) return this.#ask(question, io, batches);
    }
    if (questions.length > 0 && !canAsk) {
      await err(questions.map(({ confirmation }) => decideText(confirmation)).join(''));
      return EXIT.notConfirmed;
    }
    for (const question of questions) {
      const code = await this.#ask(question, io, batches);
      if (code !== EXIT.done) return code;
    }
    const followed = await this.#followBatches(io, batches, startedAt);
    if (followed !== EXIT.done) return followed;
    if (end && end.unknown.length > 0) return EXIT.unknown;
    if (failure || end?.stopped !== undefined) return EXIT.refused;
    return EXIT.done;
  }

  /**
   * Waits for the batches of reads that the model made in this turn, because they run only while this process does, and
   * reports them.
   */
  async #followBatches(io: AskIo, batches: Batches, startedAt: number): Promise<number> {
    if (!this.#madeBatch) return EXIT.done;
    const out = this.#asked.isJson ? async () => undefined : this.#out;
    const made = (await batches.list(io.actor)).filter(
      ({ plan, actorId, createdAt }) => plan?.risk === 'read' && actorId === io.actor.id && createdAt >= startedAt,
    );
    for (const { id } of made) {
      const code = await runPlanned(id, batches, { io, out, err: this.#err });
      if (code !== EXIT.done) return code;
    }
    return EXIT.done;
  }

  /** Performs the call again on a terminal, as `call` does: the gate finds its open question, which is asked here. */
  async #ask({ operation, input }: { operation: string; input: Fields }, io: AskIo, batches: Batches): Promise<number> {
    const out = this.#asked.isJson ? async () => undefined : this.#out;
    if (operation === BATCH_RUN) return runPlanned(textOf(input.Batch), batches, { io, out, err: this.#err });
    const tool = io.tools.find(({ id }) => id === operation);
    if (!tool) return EXIT.refused;
    const human = io.stderr.isTTY === true;
    const asked = readOptions([]);
    try {
      const done = await new Performing({ tool, io, asked, canAsk: true, human, err: this.#err }).run(input);
      await show(done, tool, { asked, io, out, err: this.#err });
      return done.partly ? EXIT.partly : EXIT.done;
    } catch (error) {
      const { face } = asSwitchboardError(error);
      await this.#err(errorText(face, io));
      return exitCode(face);
    }
  }

  #json(): Fields {
    const { text, steps, questions, failure, guided, end } = this.#report;
    const { done = [], waits = [], unknown = [], records = [], stopped } = end ?? {};
    return {
      text: text || (end?.text ?? ''),
      ...{ steps, done, waits, unknown },
      records: records.map(({ title, at }) => ({ title, at: new Date(at).toISOString() })),
      questions: questions.map(({ operation, input, confirmation }) => ({ operation, input, confirmation })),
      ...(failure && { error: faceOf(failure, 'terminal') }),
      ...(guided && { guided }),
      ...(stopped && { stopped }),
    };
  }
}

/** The records that an answer rests on, and when they were read. */
function recordsText(end: TurnEnd | undefined): string {
  const records = end?.records ?? [];
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
function endText(end: TurnEnd | undefined, { asksHere }: { asksHere: boolean }): string {
  const { done = [], waits = [], unknown = [], stopped } = end ?? {};
  const lines = [
    ...done.map(({ title }) => `Done: ${title}.`),
    ...(asksHere ? [] : waits).map(
      ({ title, expiresAt }) => `Waits for a person until ${expiresAt}, nothing was done: ${title}.`,
    ),
    ...unknown.map(({ title, action }) => `Outcome unknown: ${title}${action === undefined ? '' : ` (${action})`}.`),
    ...(stopped === undefined ? [] : [STOPPED[stopped]]),
    ...doubtsOf(end),
  ];
  return lines.map((line) => `${clean(line)}\n`).join('');
}

/** Notes on the statements of an answer that no record supports. */
function doubtsOf(end: TurnEnd | undefined): string[] {
  const { values = [] } = end?.unproven ?? {};
  const note = end && outcomeNote(end);
  return [
    ...(note === undefined ? [] : [note]),
    ...(values.length === 0 ? [] : [`In no record of this conversation: ${values.join(', ')}.`]),
  ];
}

const STOPPED = {
  stopped: 'Stopped.',
  retracted: 'Stopped because the message was deleted or changed.',
  shutdown: 'Stopped because Switchboard is shutting down.',
  too_long: 'Stopped because the answer took too long or was too long.',
  forgotten: 'Stopped because the conversation was forgotten.',
  too_many_calls: 'Stopped because one message may make no more calls. Ask for a part of it.',
  taken_over: 'Stopped because another process answers in this thread.',
  cut: 'The answer ends here because it reached the model’s limit of length. Ask for the rest, or for a part of it.',
  withheld: 'The model’s endpoint withheld the rest of the answer. Ask in other words.',
  empty: 'The model gave no answer. Ask again, or in other words.',
} as const;
