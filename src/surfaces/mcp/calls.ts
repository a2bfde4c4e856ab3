import { asSent, outsideIn } from '../../catalogue/input.ts';
import { whileIn } from '../../gate/decisions.ts';
import type { Confirmation, Gate, PerformOptions } from '../../gate/gate.ts';
import {
  confirmationAnswer,
  doneAnswer,
  isConfirmationTool,
  pendingAnswer,
  toolInput,
} from '../../language/assistants/answers.ts';
import { withNextSteps } from '../../language/assistants/finders.ts';
import { REASON } from '../../language/assistants/listed.ts';
import type { Offer } from '../../language/assistants/offer.ts';
import { reasonedInput, withoutReason } from '../../language/assistants/reason.ts';
import {
  actionOf,
  addConfirmed,
  addNotOffered,
  addPartly,
  failure,
  failureOf,
  markOutside,
  success,
  withSlackBlocks,
} from '../../language/assistants/results.ts';
import { shortened } from '../../language/assistants/size.ts';
import { outcomeOf } from '../../language/outcome.ts';
import { PROGRESS_MS } from '../../lib/durations.ts';
import { type Failure, invalidInput } from '../../lib/errors.ts';
import { defined, type Fields, isRecord } from '../../lib/json.ts';
import { ASSISTANT_NOTES, BatchCalls, type GatedCall } from './batch-calls.ts';
import type { Backend, McpOptions } from './options.ts';
import { type InputNeeded, ProtocolError, type RequestContext, type ToolResult } from './protocol.ts';
import { type Call, CallQuestion, type CallState, openState, sealState } from './questions.ts';
import type { SlackbotOutcome } from './slackbot.ts';

/** Largest number of times that a client is asked to call again while its user decides. Clients give up after ten. */
const MAX_ROUNDS = 8;

/** Explains why a call waits although the client states that it can ask its user. */
const NOT_ASKED = {
  type: 'text',
  text: 'Your client answered the question with an error, or with what could not be read as an answer. It waits elsewhere instead.',
} as const;

type Answer = ToolResult | InputNeeded;

/** Runs the tool calls of one client. */
export class ToolCalls {
  readonly #options: McpOptions;
  readonly #offer: Offer;
  readonly #batches: BatchCalls;

  constructor(options: McpOptions, offer: Offer) {
    this.#options = options;
    this.#offer = offer;
    this.#batches = new BatchCalls(options, offer, (asked, call, context) => this.#performGated(asked, call, context));
  }

  /**
   * The result of a call, or the question that the client's user must answer first. Errors are results too, so that the
   * assistant reads them. Throws `ProtocolError` for a repeated call whose state does not belong to it.
   */
  async call(name: string, given: Fields, context: RequestContext): Promise<Answer> {
    const input = toolInput(name, given);
    try {
      return await this.#call({ name, input }, context);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const operation = this.#options.discover ? input.operation : name;
      const failed = await this.#withNextSteps(failureOf(error, this.#options.onError), String(operation), input);
      return this.#withBlocks(failure(failed), {
        kind: 'failed',
        error: failed,
        ...(typeof operation === 'string' && { operation }),
      });
    }
  }

  /** Names the tools that find what a call lacks. Without an operation there is none. */
  async #withNextSteps(failed: Failure, operation: string, given: Fields): Promise<Failure> {
    if (failed.code === 'forbidden_by_role') return failed;
    // A backend that cannot be opened is what failed, so there is nothing to name.
    const gate = await this.#options.backend().then(
      (backend) => backend.gate,
      () => undefined,
    );
    if (!gate) return failed;
    const input = this.#options.discover && isRecord(given.input) ? given.input : given;
    return withNextSteps(failed, {
      tool: gate.tool(operation),
      input,
      has: (id) => this.#offer.has(id),
      exists: (id) => gate.tool(id) !== undefined,
    });
  }

  /**
   * Adds Slack's blocks to a result for Slackbot. The result is complete without them, so a failure to make them is
   * only reported.
   */
  async #withBlocks(result: ToolResult, outcome: SlackbotOutcome): Promise<ToolResult> {
    const { slackbot, onError } = this.#options;
    if (!slackbot) return result;
    try {
      const { blocks, text } = await slackbot.present(outcome);
      if (text !== undefined) result.content.push({ type: 'text', text });
      return withSlackBlocks(result, blocks);
    } catch (error) {
      onError?.(error);
      return result;
    }
  }

  async #call(call: Call, context: RequestContext): Promise<Answer> {
    const { name, input } = call;
    if (isConfirmationTool(name) && this.#offer.canWait) return this.#confirmation(name, input);
    if (this.#batches.has(name)) return this.#batches.call(call, context);
    if (!this.#options.discover) return this.#perform(name, input, call, context);
    switch (name) {
      case 'search':
        return success(await this.#offer.search(textIn(input, 'query', true)));
      case 'describe': {
        const { gate } = await this.#options.backend();
        return success(this.#offer.describe(textIn(input, 'operation'), gate));
      }
      case 'call': {
        const operation = textIn(input, 'operation');
        // The tools about waiting calls and those for batches are separate tools, but `call` accepts them too.
        const members = toolInput(operation, { ...this.#reasonBeside(operation, input), ...membersIn(input) });
        if (isConfirmationTool(operation) && this.#offer.canWait) return this.#confirmation(operation, members);
        if (this.#batches.has(operation)) return this.#batches.call({ name: operation, input: members }, context);
        return this.#perform(operation, members, call, context);
      }
      default:
        this.#offer.check(name);
        throw invalidInput(
          undefined,
          `${name} is an operation and no tool. Run it with call: {"operation":"${name}","input":{…}}. The tools are ${this.#offer.tools.map((tool) => tool.name).join(', ')}.`,
        );
    }
  }

  async #perform(id: string, input: Fields, call: Call, context: RequestContext): Promise<Answer> {
    this.#offer.check(id);
    const { gate } = await this.#options.backend();
    return this.#performGated({ id, ...reasonedInput(gate.tool(id), input) }, call, context);
  }

  /** The reason of `call` as an argument of its operation. An operation that changes nothing takes none. */
  #reasonBeside(operation: string, input: Fields): Fields {
    const { reason } = withoutReason(input);
    return reason === undefined || !this.#offer.takesReason(operation) ? {} : { [REASON]: reason };
  }

  async #performGated({ id, input, reason, repeats }: GatedCall, call: Call, context: RequestContext): Promise<Answer> {
    const backend = await this.#options.backend();
    const { gate, seal } = backend;
    const { slackbot } = this.#options;
    const { questions } = context;
    const sealed = questions?.kind === 'returned' ? questions.state : undefined;
    const earlier = sealed === undefined ? undefined : openState(seal, sealed, this.#options.actor, call);
    const progress = progressOf(context);
    try {
      // If the call was decided in the meantime, its result is returned and it does not run again.
      const ended = earlier && (await this.#ended(earlier.action, gate, context.signal));
      if (ended) return ended;
      const question = new CallQuestion(this.#options, gate, context.client);
      const options: PerformOptions = {
        signal: context.signal,
        onWait: progress.waiting,
        // A permission given in Slack's assistant is not a confirmation, so no question is asked there.
        ...(slackbot
          ? { notes: { ...slackbot.notes, ...ASSISTANT_NOTES } }
          : question.options(questions, earlier?.action)),
        ...defined({ reason }),
      };
      const done = await gate.perform(id, input, this.#options.actor, options);
      if (done.kind === 'done') {
        const answer = await doneAnswer(id, done, gate);
        addNotOffered(answer, (tool) => this.#offer.has(tool));
        return this.#withBlocks(answer, { kind: 'done', operation: id, input, done });
      }
      if (question.asked) {
        const decided = await this.#ended(done.action.id, gate, context.signal);
        if (decided) return decided;
        const needed = questions?.kind === 'returned' && this.#needed(question, { earlier, call, backend });
        if (needed) return needed;
      }
      const waits = await this.#pending({ ...done.confirmation, ...repeats });
      if (question.hasFailed) waits.content.push(NOT_ASKED);
      return waits;
    } finally {
      progress.stop();
    }
  }

  /** The question for the client's user and the state to repeat the call with; undefined if it was repeated too often. */
  #needed(
    question: CallQuestion,
    { earlier, call, backend }: { earlier: CallState | undefined; call: Call; backend: Backend },
  ): InputNeeded | undefined {
    const { asked } = question;
    const rounds = (earlier?.rounds ?? 0) + 1;
    if (!asked || rounds > MAX_ROUNDS) return undefined;
    const state = sealState(backend.seal, { action: asked.id, rounds }, this.#options.actor, call);
    // The user was already sent to the page and has not decided yet.
    if (question.isOnPage && earlier?.action === asked.id) return { state };
    const put = question.question(asked);
    return put && { question: put, state };
  }

  async #pending(confirmation: Confirmation): Promise<ToolResult> {
    await this.#options.onPending?.(confirmation.id);
    const { gate } = await this.#options.backend();
    const result = await pendingAnswer(confirmation, gate);
    return this.#withBlocks(result, { kind: 'pending', action: confirmation.id });
  }

  /** The result of a call that a person decided elsewhere; undefined while it waits for a person. */
  async #ended(id: string, gate: Gate, signal: AbortSignal): Promise<ToolResult | undefined> {
    let confirmation = await gate.follow(id, this.#options.actor);
    if (confirmation.status === 'running') {
      await whileIn(['confirmed', 'in_flight'], id, gate, { signal });
      confirmation = await gate.follow(id, this.#options.actor);
    }
    if (confirmation.status === 'pending') return undefined;
    const { error } = confirmation;
    const action = await actionOf(gate, id);
    // An action that started longer work is done, even if that work has failed.
    if (action?.state !== 'done' && action?.state !== 'partly') return failure(error ?? stillRunning(id));
    const result = shortened(confirmation.result ?? {});
    const found = success(result);
    if (action.state === 'partly') addPartly(found, outcomeOf(action, gate.tool(action.operation)));
    addConfirmed(found, action, gate.tool(action.operation));
    return markOutside(outsideIn(gate.tool(action?.operation ?? ''), result), found);
  }

  /** The state of calls that waited for a person, or the withdrawal of one. */
  async #confirmation(name: string, input: Fields): Promise<ToolResult> {
    const { gate } = await this.#options.backend();
    const result = await confirmationAnswer(name, input, { gate, actor: this.#options.actor });
    return typeof input.id === 'string' ? this.#withBlocks(result, { kind: 'action', action: input.id }) : result;
  }
}

function stillRunning(id: string): Failure {
  return {
    code: 'unavailable',
    message: 'It was confirmed and is still running.',
    follow: id,
    outcome: 'unknown',
  };
}

function textIn(input: Fields, field: string, mayBeEmpty = false): string {
  const value = input[field];
  if (typeof value === 'string' && (mayBeEmpty || value !== '')) return value;
  throw invalidInput(field, `${field}: is missing; give it as a string.`);
}

/** The operation's fields in a call. Some models name them as the protocol does. */
function membersIn(input: Fields): Fields {
  const value = input.input ?? asSent({ type: 'object' }, input.arguments ?? undefined);
  if (isRecord(value)) return value;
  const wrong =
    value === undefined
      ? 'is missing'
      : typeof value === 'string'
        ? 'is a text that is not the JSON of an object'
        : 'is no object';
  throw invalidInput('input', `input: ${wrong}; give the operation's fields as an object.`);
}

/**
 * Reports to a waiting client why its call waits now, and repeats the report until `stop`. Several requests of one call
 * that wait for the same reason and time are reported once. The protocol requires the number to grow.
 */
function progressOf({ notifyProgress }: RequestContext) {
  let sent = 0;
  let message = '';
  let timer: NodeJS.Timeout | undefined;
  const notify = () => notifyProgress(++sent, message);
  return {
    waiting: (why: 'rate_limit' | 'retry' | 'person', seconds: number) => {
      const now = describe(why, seconds);
      if (now === message) return;
      message = now;
      notify();
      timer ??= setInterval(notify, PROGRESS_MS);
    },
    stop: () => clearInterval(timer),
  };
}

function describe(why: 'rate_limit' | 'retry' | 'person', seconds: number): string {
  if (why === 'person') return `waiting for a person to confirm, at most ${seconds} s`;
  if (why === 'retry') return `the platform failed, trying again in about ${Math.ceil(seconds)} s`;
  return `waiting for the rate limit, about ${Math.ceil(seconds)} s`;
}
