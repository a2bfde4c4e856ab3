import { DIRECT } from '../../tools/surfaces/conversation.ts';
import { asSent } from '../catalogue/input.ts';
import type { Tool } from '../catalogue/operation.ts';
import type { Decider } from '../gate/approval.ts';
import { BATCH_RUN } from '../gate/frozen-batch.ts';
import type { Gate, Performed } from '../gate/gate.ts';
import {
  confirmationAnswer,
  doneAnswer,
  isConfirmationTool,
  pendingAnswer,
  toolInput,
} from '../language/assistants/answers.ts';
import { confirmationsWithdraw } from '../language/assistants/batch-tools.ts';
import { withNextSteps } from '../language/assistants/finders.ts';
import { type ListedTool, REASON } from '../language/assistants/listed.ts';
import type { Offer, ToolResult } from '../language/assistants/offer.ts';
import { reasonedInput } from '../language/assistants/reason.ts';
import { addNotOffered, failure, failureOf, success } from '../language/assistants/results.ts';
import { canonical } from '../ledger/action.ts';
import type { Actor } from '../lib/actor.ts';
import { type Failure, invalidInput, SwitchboardError } from '../lib/errors.ts';
import { defined, type Fields, isRecord, recordOf } from '../lib/json.ts';
import { TurnSteps } from './steps.ts';
import { fitted } from './transcript.ts';
import type { TurnBatches } from './turn-batches.ts';
import type { Effect, ReadRecord, TurnEvent } from './turn-events.ts';
import { formOf, formOpen, type ModelTool } from './turn-forms.ts';

export interface TurnToolsOptions {
  gate: Gate;
  /** Undefined where batches are not offered. */
  batches: TurnBatches | undefined;
  offer: Offer;
  actor: Actor;
  /** The person who would decide, and the way. Needed if CONFIRM_VIA allows only the terminal. */
  decider: Decider | undefined;
  /** Stored with an action that waits. */
  notes: Fields | undefined;
  /** The person who writes. Their role decides which forms they get. */
  writer: Actor;
  /** True if the surface can show forms. */
  opensForms: boolean;
  /** The name of a number or id, as far as the surface has learned it. */
  nameOf: (value: string) => string | undefined;
  /** Maximum number of calls. */
  steps: number;
  /** Characters of the longest result. */
  mostChars: number;
  /** The number of tools that are offered without a search. */
  direct: number;
  now: () => number;
  signal: AbortSignal;
  emit: (event: TurnEvent) => void;
  onError: (error: unknown) => void;
}

const LIMIT: Failure = {
  code: 'rate_limited',
  message: 'The limit of calls for one message is reached.',
  effect: 'nothing_sent',
  next: 'Answer now with what you know, and say what is missing.',
  outcome: 'not_done',
};

/** Questions of one turn. More would bury the approvers in cards. */
const MAX_QUESTIONS = 3;

const NOT_ASKED: Failure = {
  code: 'not_confirmed',
  message: `${MAX_QUESTIONS} calls of this message wait for a person already, so this one was not asked.`,
  effect: 'nothing_sent',
  next: 'Ask for it again after they were decided.',
  outcome: 'not_done',
};

/** Searches, states, forms and repeated reads that a turn may have besides its calls. */
const MOST_FREE = 20;

/** Tools that tell about operations, and read no record. */
const DESCRIBES: readonly string[] = ['search', 'describe'];

/** Tools that reach no platform. */
const FREE: readonly string[] = ['search', 'describe', 'batches_get', formOpen.name];

/** The tools of one turn: it calls the gate for the writer, and keeps what was done, what waits and what was read. */
export class TurnTools {
  readonly records: ReadRecord[] = [];
  readonly done: Effect[] = [];
  readonly waits: (Effect & { expiresAt: string })[] = [];
  readonly unknown: Effect[] = [];
  /** The results as the model got them, which its answer is compared with. */
  readonly results: string[] = [];
  /** What the model has read about operations. */
  readonly described: string[];
  readonly #options: TurnToolsOptions;
  readonly #steps: TurnSteps;
  /** The results of reads, by call, until something is changed. */
  readonly #read = new Map<string, Promise<ToolResult>>();
  readonly #repeated = new Set<string>();
  #running = 0;
  /** Calls that reach the platform, and others. */
  #calls = 0;
  #freeCalls = 0;
  /** Calls that may change something run one after another, in the order of the model. */
  #changes: Promise<unknown> = Promise.resolve();

  constructor(options: TurnToolsOptions) {
    this.#options = options;
    this.#steps = new TurnSteps(options);
    this.described = this.tools.map(({ description }) => description);
  }

  /** The tools for the model. */
  get tools(): ModelTool[] {
    const { offer, opensForms, direct } = this.#options;
    const near = DIRECT.slice(0, direct)
      .map((id) => offer.listed(id))
      .filter((entry): entry is ListedTool => entry !== undefined);
    const own = offer.tools.map((tool) => tool.name);
    const tools = [...near.map(({ tool }) => tool).filter(({ name }) => !own.includes(name)), ...offer.tools];
    return [
      ...tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      ...(opensForms ? [formOpen] : []),
    ];
  }

  /** True once every call is used: the next response has to be the answer. */
  get isSpent(): boolean {
    return this.#calls >= this.#options.steps;
  }

  /** Counts a call. False if it is above the limit. Those that reach no platform are free, up to a number that ends a loop. */
  take(isFree = false): boolean {
    if (isFree && this.#freeCalls < MOST_FREE) this.#freeCalls += 1;
    else this.#calls += 1;
    return this.#calls <= this.#options.steps;
  }

  /** True while a call is under way. */
  get isBusy(): boolean {
    return this.#running > 0;
  }

  /** Runs a call of the model. Its errors are results too, so that the model reads them. */
  async call(name: string, given: unknown, id: string): Promise<string> {
    const { onError, signal, gate, offer } = this.#options;
    this.#running += 1;
    let input: Fields = {};
    try {
      signal.throwIfAborted();
      input = argumentsIn(given);
      return this.#told(await this.#result(name, input, id), name);
    } catch (error) {
      const operation = name === 'call' ? String(input.operation ?? '') : name;
      const members = name === 'call' ? recordOf(asSent({ type: 'object' }, input.input)) : input;
      const known = {
        tool: gate.tool(operation),
        input: members,
        has: (one: string) => offer.has(one),
        exists: (one: string) => gate.tool(one) !== undefined,
      };
      return this.#told(failure(withNextSteps(failureOf(error, onError), known)), name);
    } finally {
      this.#running -= 1;
    }
  }

  #told(result: ToolResult, name: string): string {
    const text = fitted(result, this.#options.mostChars);
    (DESCRIBES.includes(name) ? this.described : this.results).push(text);
    return text;
  }

  async #result(name: string, given: Fields, id: string): Promise<ToolResult> {
    const { offer, gate, batches, emit } = this.#options;
    const input = toolInput(name, given);
    if (name === 'call') return this.#called(input, id);
    const isFree = FREE.includes(name) || isConfirmationTool(name) || this.#isRepeat(name, input);
    if (!this.take(isFree)) throw new SwitchboardError(LIMIT);
    if (isConfirmationTool(name)) return this.#confirmation(name, input, id);
    if (batches?.has(name)) return this.#batch(batches, name, input, id);
    if (name === formOpen.name) return this.#form(input);
    if (offer.has(name)) return this.#perform(name, input, id);
    if (name === 'search') {
      emit({ kind: 'status', text: 'Searching the operations' });
      return success(await offer.search(typeof input.query === 'string' ? input.query : ''));
    }
    if (name === 'describe') return success(offer.describe(String(input.operation ?? ''), gate));
    offer.check(name);
    throw invalidInput(undefined, `There is no tool ${name}.`);
  }

  /** A call of an operation, or of another tool, by its name. */
  #called({ operation, input = {}, [REASON]: reason }: Fields, id: string): Promise<ToolResult> {
    if (typeof operation !== 'string' || operation === 'call')
      throw invalidInput('operation', 'operation: is missing; give it as a string.');
    if (!isRecord(input)) throw invalidInput('input', "input: is missing; give the operation's fields as an object.");
    const takes = reason !== undefined && this.#options.offer.takesReason(operation);
    return this.#result(operation, { ...(takes && { [REASON]: reason }), ...input }, id);
  }

  async #confirmation(name: string, input: Fields, id: string): Promise<ToolResult> {
    const { gate, actor, emit } = this.#options;
    if (name !== confirmationsWithdraw.name) return confirmationAnswer(name, input, { gate, actor });
    return this.#inOrder(async () => {
      const step = { kind: 'step', id, operation: name } as const;
      const result = await confirmationAnswer(name, input, { gate, actor });
      const action = await gate.actions.get(String(input.id));
      const title = `Withdrawn: ${action?.consent?.title ?? action?.operation ?? 'a request'}`;
      emit({ ...step, state: 'done', title });
      this.#changed({ operation: action?.operation ?? name, title, action: String(input.id) });
      return result;
    });
  }

  /** Keeps the effect, and drops earlier reads, which may be out of date now. */
  #changed(effect: Effect): void {
    this.done.push(effect);
    this.#read.clear();
  }

  #form(input: Fields): ToolResult {
    const { gate, writer, opensForms, emit } = this.#options;
    if (!opensForms) throw invalidInput(undefined, 'Forms cannot be shown here. Tell the person the command instead.');
    const { operation, values, isAllowed } = formOf(input, { gate, writer });
    emit({ kind: 'form', operation: operation.id, input: values, isAllowed });
    return success(
      isAllowed
        ? { shown: true, note: 'The form is below your answer. Nothing is sent until the person sends it.' }
        : {
            shown: false,
            note: 'This person may not make the change. Below your answer it says who can. Nothing was done.',
          },
    );
  }

  async #perform(operation: string, input: Fields, id: string): Promise<ToolResult> {
    const { offer, gate } = this.#options;
    offer.check(operation);
    const tool = gate.tool(operation);
    if (!tool) throw invalidInput('operation', `There is no operation ${operation}.`);
    if (tool.risk !== 'read') return this.#inOrder(() => this.#run(tool, input, id));
    const key = readKey(operation, input);
    const result = this.#read.get(key) ?? this.#run(tool, input, id);
    this.#read.set(key, result);
    // A read that failed may be tried again.
    result.catch(() => this.#read.delete(key));
    return result;
  }

  /** True for the first repeat of a read that this turn has made already. A model that repeats itself again is stopped. */
  #isRepeat(operation: string, input: Fields): boolean {
    const key = readKey(operation, input);
    if (!this.#read.has(key) || this.#repeated.has(key)) return false;
    this.#repeated.add(key);
    return true;
  }

  /** A call of a tool for batches, in order with the other calls that may change something. */
  #batch(batches: TurnBatches, name: string, input: Fields, id: string): Promise<ToolResult> {
    const { signal, emit } = this.#options;
    const step = { kind: 'step', id, operation: name } as const;
    return this.#inOrder(async () => {
      signal.throwIfAborted();
      emit({ ...step, state: 'running', title: 'Reading the records of a batch' });
      const answer = await batches.call(name, input).catch((error: unknown) => {
        emit({ ...step, state: 'failed', title: 'The batch was refused' });
        throw error;
      });
      const waits = answer.pending?.confirmation;
      emit({
        ...step,
        state: waits ? 'waits' : 'done',
        title: waits ? `Waits for a person: ${waits.summary}` : (answer.done ?? 'Read the batch'),
      });
      if (answer.done !== undefined) this.#changed({ operation: name, title: answer.done });
      if (answer.pending) this.#asked(BATCH_RUN, answer.pending);
      if (answer.runs !== undefined) emit({ kind: 'batch', id: answer.runs });
      return answer.result;
    });
  }

  /** Runs calls that may change something one after another. Too many questions are refused. */
  #inOrder(run: () => Promise<ToolResult>): Promise<ToolResult> {
    const result = this.#changes.then(() => {
      if (this.waits.length >= MAX_QUESTIONS) throw new SwitchboardError(NOT_ASKED);
      return run();
    });
    this.#changes = result.catch(() => undefined);
    return result;
  }

  async #run(tool: Tool, given: Fields, id: string): Promise<ToolResult> {
    const { gate, actor, decider, notes, signal } = this.#options;
    signal.throwIfAborted();
    const { input, reason } = reasonedInput(tool, given);
    const step = this.#steps.begin(tool, input, id);
    try {
      const performed = await gate.perform(tool.id, input, actor, {
        signal,
        ...defined({ notes, reason }),
        // The gate keeps the question open. The surface asks after the turn, and the model never learns the answer.
        ...(decider && { decider, ask: async () => 'unavailable' as const }),
      });
      if (performed.kind === 'pending') {
        step.waits(performed.confirmation.summary);
        return await this.#pending(tool, input, performed);
      }
      step.done(performed.value, performed.already !== undefined);
      return await this.#done(tool, input, performed);
    } catch (error) {
      const face = failureOf(error, undefined);
      const { outcome, follow } = face;
      const isUnknown = outcome === 'unknown' && tool.risk !== 'read';
      const effect = {
        operation: tool.id,
        title: this.#steps.subjectTitle(tool, input),
        ...defined({ action: follow }),
      };
      if (isUnknown) this.unknown.push(effect);
      step.failed(face, isUnknown);
      throw error;
    }
  }

  async #done(tool: Tool, input: Fields, done: Extract<Performed, { kind: 'done' }>): Promise<ToolResult> {
    const { gate, offer, now, emit } = this.#options;
    const title = this.#steps.subjectTitle(tool, input);
    if (tool.risk === 'read') this.records.push({ operation: tool.id, title, at: now() });
    else if (done.already === undefined)
      this.#changed({ operation: tool.id, title, ...defined({ action: done.actionId }) });
    emit({ kind: 'card', operation: tool.id, input, done });
    const result = await doneAnswer(tool.id, done, gate);
    addNotOffered(result, (id) => offer.has(id));
    return result;
  }

  #pending(tool: Tool, input: Fields, pending: Extract<Performed, { kind: 'pending' }>): Promise<ToolResult> {
    this.#asked(tool.id, pending, input);
    return pendingAnswer(pending.confirmation, this.#options.gate);
  }

  #asked(
    operation: string,
    { action, confirmation }: Extract<Performed, { kind: 'pending' }>,
    input: Fields = action.shown,
  ): void {
    const { id, summary, expiresAt } = confirmation;
    this.waits.push({ operation, title: summary, action: id, expiresAt });
    this.#options.emit({ kind: 'question', operation, input, confirmation });
  }
}

/** The arguments of a call. Some models write them as JSON in a text. */
function argumentsIn(given: unknown): Fields {
  const read = asSent({ type: 'object' }, given ?? {});
  if (isRecord(read)) return read;
  throw invalidInput(undefined, 'The arguments must be one JSON object.');
}

function readKey(operation: string, input: Fields): string {
  return `${operation} ${canonical(input)}`;
}
