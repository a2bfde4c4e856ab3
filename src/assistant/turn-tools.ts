import { DIRECT } from '../../tools/surfaces/conversation.ts';
import type { Tool } from '../catalogue/operation.ts';
import type { Decider } from '../gate/approval.ts';
import { BATCH_RUN } from '../gate/batch.ts';
import type { Gate, Performed } from '../gate/gate.ts';
import { confirmationAnswer, doneAnswer, pendingAnswer } from '../language/assistants/answers.ts';
import type { ToolResult } from '../language/assistants/content.ts';
import { withFinders } from '../language/assistants/finders.ts';
import { confirmationsGet, type ListedTool, type ObjectSchema } from '../language/assistants/listed.ts';
import type { Offer } from '../language/assistants/offer.ts';
import { addActivationNote, addNotOffered, failure, failureOf, success } from '../language/assistants/results.ts';
import { toolInput } from '../language/assistants/tool-input.ts';
import type { Actor } from '../lib/actor.ts';
import { type Failure, invalidInput, SwitchboardError } from '../lib/errors.ts';
import { type Fields, isRecord, recordOf } from '../lib/json.ts';
import { doneTitle, runningTitle, subjectTitle } from './steps.ts';
import { fitted } from './tool-text.ts';
import type { TurnBatches } from './turn-batches.ts';
import type { Effect, ReadRecord, TurnEvent } from './turn-events.ts';

/** A tool as the model gets it. */
export interface ModelTool {
  name: string;
  description: string;
  inputSchema: ObjectSchema;
}

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
  /** Maximum number of calls. */
  steps: number;
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

/** The tools of one turn: it calls the gate for the writer, and keeps what was done, what waits and what was read. */
export class TurnTools {
  readonly records: ReadRecord[] = [];
  readonly done: Effect[] = [];
  readonly waits: (Effect & { expiresAt: string })[] = [];
  readonly unknown: Effect[] = [];
  readonly #options: TurnToolsOptions;
  #calls = 0;
  /** The number of the response that is being read. The model may call several tools in one. */
  #step = 0;
  /** The response in which the first call above the limit was. */
  #refusedIn: number | undefined;
  #isOverLimit = false;
  #running = 0;
  /** Calls that may change something run one after another, in the order of the model. */
  #changes: Promise<unknown> = Promise.resolve();

  constructor(options: TurnToolsOptions) {
    this.#options = options;
  }

  /** The tools for the model. */
  get tools(): ModelTool[] {
    const { offer } = this.#options;
    const near = DIRECT.map((id) => offer.listed(id)).filter((entry): entry is ListedTool => entry !== undefined);
    const own = offer.tools.map((tool) => tool.name);
    const tools = [...near.map(({ tool }) => tool).filter(({ name }) => !own.includes(name)), ...offer.tools];
    return tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  }

  /** True if the turn has to end: a call waits for a person, or the model goes on after the limit. */
  get isOver(): boolean {
    return this.waits.length > 0 || this.isOverLimit;
  }

  /** True if the model went on to call after it had been told of the limit. */
  get isOverLimit(): boolean {
    return this.#isOverLimit;
  }

  /** Called before each response of the model. */
  beginStep(): void {
    this.#step += 1;
  }

  /** True while a call is under way. */
  get isBusy(): boolean {
    return this.#running > 0;
  }

  /** Runs a call of the model. Resolves to the text for the model; errors are texts too. */
  async call(name: string, input: unknown, id: string): Promise<string> {
    this.#calls += 1;
    const { steps, onError, signal } = this.#options;
    if (this.#calls > steps) {
      this.#refuse();
      return fitted(failure(LIMIT));
    }
    this.#running += 1;
    try {
      signal.throwIfAborted();
      return fitted(await this.#result(name, isRecord(input) ? input : {}, id));
    } catch (error) {
      const { gate, offer } = this.#options;
      const given = { tool: gate.tool(name), input: recordOf(input), has: (one: string) => offer.has(one) };
      return fitted(failure(withFinders(failureOf(error, onError), given)));
    } finally {
      this.#running -= 1;
    }
  }

  /** Counts a call that is no call of a tool: an unknown name, or an input that is no JSON. */
  malformed(): void {
    this.#calls += 1;
    if (this.#calls > this.#options.steps) this.#refuse();
  }

  #refuse(): void {
    this.#refusedIn ??= this.#step;
    if (this.#step > this.#refusedIn) this.#isOverLimit = true;
  }

  async #result(name: string, given: Fields, id: string): Promise<ToolResult> {
    const { offer, gate, actor, emit } = this.#options;
    const input = toolInput(name, given);
    if (name === confirmationsGet.name) return confirmationAnswer(input, { gate, actor });
    const { batches } = this.#options;
    if (batches?.has(name)) return this.#batch(batches, name, input, id);
    if (offer.has(name)) return this.#perform(name, input, id);
    if (name === 'search') {
      emit({ kind: 'status', text: 'Searching the operations' });
      return success(offer.search(typeof input.query === 'string' ? input.query : ''));
    }
    if (name === 'describe') return success(offer.describe(String(input.operation ?? ''), gate));
    if (name === 'call') return this.#called(input, id);
    offer.check(name);
    throw invalidInput(undefined, `There is no tool ${name}.`);
  }

  #called({ operation, input }: Fields, id: string): Promise<ToolResult> {
    const { gate, actor } = this.#options;
    if (typeof operation !== 'string') throw invalidInput('operation', 'operation: is missing; give it as a string.');
    if (!isRecord(input)) throw invalidInput('input', "input: is missing; give the operation's fields as an object.");
    if (operation === confirmationsGet.name) return confirmationAnswer(input, { gate, actor });
    return this.#perform(operation, input, id);
  }

  async #perform(operation: string, input: Fields, id: string): Promise<ToolResult> {
    const { offer, gate } = this.#options;
    offer.check(operation);
    const tool = gate.tool(operation);
    if (!tool) throw invalidInput('operation', `There is no operation ${operation}.`);
    if (tool.risk === 'read') return this.#run(tool, input, id);
    return this.#inOrder(() => this.#run(tool, input, id));
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
      if (answer.done !== undefined) this.done.push({ operation: name, title: answer.done });
      if (answer.pending) this.#asked(BATCH_RUN, answer.pending);
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

  async #run(tool: Tool, input: Fields, id: string): Promise<ToolResult> {
    const { gate, actor, decider, notes, signal, emit } = this.#options;
    const operation = tool.id;
    signal.throwIfAborted();
    const step = { kind: 'step', id, operation } as const;
    emit({ ...step, state: 'running', title: runningTitle(tool, input) });
    try {
      const performed = await gate.perform(operation, input, actor, {
        signal,
        ...(notes && { notes }),
        // The gate keeps the question open. The surface asks after the turn, and the model never learns the answer.
        ...(decider && { decider, ask: async () => 'unavailable' as const }),
      });
      const state = performed.kind === 'pending' ? 'waits' : 'done';
      const title =
        state === 'waits'
          ? `Waits for a person: ${performed.kind === 'pending' ? performed.confirmation.summary : ''}`
          : doneTitle(tool, input);
      emit({ ...step, state, title });
      return performed.kind === 'done' ? this.#done(tool, input, performed) : this.#pending(tool, input, performed);
    } catch (error) {
      const { outcome, follow } = failureOf(error, undefined);
      const isUnknown = outcome === 'unknown' && tool.risk !== 'read';
      const effect = { operation, title: subjectTitle(tool, input), ...(follow !== undefined && { action: follow }) };
      if (isUnknown) this.unknown.push(effect);
      const title = `${isUnknown ? 'Outcome unknown' : 'Not done'}: ${subjectTitle(tool, input)}`;
      emit({ ...step, state: isUnknown ? 'unknown' : 'failed', title });
      throw error;
    }
  }

  async #done(tool: Tool, input: Fields, done: Extract<Performed, { kind: 'done' }>): Promise<ToolResult> {
    const { gate, offer, now, emit } = this.#options;
    const title = subjectTitle(tool, input);
    if (tool.risk === 'read') this.records.push({ operation: tool.id, title, at: now() });
    else this.done.push({ operation: tool.id, title, ...(done.actionId !== undefined && { action: done.actionId }) });
    emit({ kind: 'card', operation: tool.id, input, done });
    const result = await doneAnswer(tool.id, done, gate);
    addActivationNote(result);
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
