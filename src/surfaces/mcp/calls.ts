import { REASON_OF_ASSISTANT } from '../../cards/question.ts';
import { outsideIn } from '../../catalogue/input.ts';
import { whileIn } from '../../gate/decisions.ts';
import { BATCH_RUN } from '../../gate/frozen-batch.ts';
import type { Confirmation, Gate, PerformOptions } from '../../gate/gate.ts';
import {
  calledBy,
  doneAnswer,
  failedCall,
  isConfirmationTool,
  pendingAnswer,
  runCall,
  toolInput,
} from '../../language/assistants/calls.ts';
import type { GatedCall, Offer, ToolCall } from '../../language/assistants/offer.ts';
import {
  addConfirmed,
  addNotOffered,
  addPartly,
  failure,
  markOutside,
  shortened,
  success,
  withSlackBlocks,
} from '../../language/assistants/results.ts';
import { outcomeOf, waitText } from '../../language/outcome.ts';
import { PROGRESS_MS } from '../../lib/clock.ts';
import { type Failure, invalidInput } from '../../lib/errors.ts';
import { defined, type Fields } from '../../lib/values.ts';
import {
  type Backend,
  type InputNeeded,
  type McpOptions,
  ProtocolError,
  type RequestContext,
  type SlackbotOutcome,
  type ToolResult,
} from './protocol.ts';
import { CallQuestion, type CallState, openState, sealState } from './questions.ts';

/** Largest number of times that a client is asked to call again while its user decides. Clients give up after ten. */
const MAX_ROUNDS = 8;

/** Explains why a call waits although the client states that it can ask its user. */
const NOT_ASKED = {
  type: 'text',
  text: 'Your client answered the question with an error, or with what could not be read as an answer. It waits elsewhere instead.',
} as const;

type Answer = ToolResult | InputNeeded;

/** Stored with what Slackbot asks in the name of a person: the words about it are the assistant's. */
const ASSISTANT_NOTES: Fields = { [REASON_OF_ASSISTANT]: true };

/** Runs the tool calls of one client. */
export class ToolCalls {
  readonly #options: McpOptions;
  readonly #offer: Offer;
  /** Batches about which this client's user was asked. */
  readonly #asked = new Set<string>();

  constructor(options: McpOptions, offer: Offer) {
    this.#options = options;
    this.#offer = offer;
  }

  /**
   * The result of a call, or the question that the client's user must answer first. Errors are results too, so that the
   * assistant reads them. Throws `ProtocolError` for a repeated call whose state does not belong to it.
   */
  async call(name: string, given: Fields, context: RequestContext): Promise<Answer> {
    const { backend, onError } = this.#options;
    const { own, dropped } = withoutHostFields(given);
    const input = toolInput(name, own);
    try {
      const answer = await this.#call({ name, input }, context);
      if (dropped.length > 0 && 'content' in answer)
        answer.content.push({ type: 'text', text: `Not used, because the client adds it: ${dropped.join(', ')}.` });
      return answer;
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const { operation, face } = await failedCall(error, { name, input }, { offer: this.#offer, backend, onError });
      return this.#withBlocks(failure(face), {
        kind: 'failed',
        error: face,
        ...(typeof operation === 'string' && { operation }),
      });
    }
  }

  async #call(given: ToolCall, context: RequestContext): Promise<Answer> {
    const { actor, backend, slackbot, discover } = this.#options;
    if (discover) this.#requireListed(given.name);
    const call = calledBy(given.name, given.input, this.#offer);
    const { questions, signal } = context;
    const state = questions?.kind === 'returned' ? questions.state : undefined;
    const earlier = state === undefined ? undefined : openState((await backend()).seal, state, actor, given);
    const asked = earlier && (await (await backend()).gate.actions.get(earlier.action));
    const answer = await runCall<InputNeeded>(call, {
      ...{ offer: this.#offer, actor, backend, signal, asked: this.#asked },
      ...(slackbot && { notes: ASSISTANT_NOTES }),
      repeated: asked && asked.operation === BATCH_RUN ? String(asked.shown.Batch) : undefined,
      perform: (gated) => this.#perform(gated, { call: given, context, earlier }),
    });
    if (!isConfirmationTool(call.name) || typeof call.input.id !== 'string' || !('content' in answer)) return answer;
    return this.#withBlocks(answer, { kind: 'action', action: call.input.id });
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

  /** Refuses an operation that is called as a tool, where `call` runs the operations. */
  #requireListed(name: string): void {
    if (this.#offer.lists(name)) return;
    this.#offer.check(name);
    const tools = this.#offer.tools.map((tool) => tool.name).join(', ');
    throw invalidInput(
      undefined,
      `${name} is an operation and no tool. Run it with call: {"operation":"${name}","input":{…}}. The tools are ${tools}.`,
    );
  }

  async #perform(
    { id, input, reason, repeats }: GatedCall,
    { call, context, earlier }: { call: ToolCall; context: RequestContext; earlier: CallState | undefined },
  ): Promise<Answer> {
    const backend = await this.#options.backend();
    const { gate } = backend;
    const { slackbot } = this.#options;
    const { questions } = context;
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
    { earlier, call, backend }: { earlier: CallState | undefined; call: ToolCall; backend: Backend },
  ): InputNeeded | undefined {
    const { asked } = question;
    const rounds = (earlier?.rounds ?? 0) + 1;
    if (!asked || rounds > MAX_ROUNDS) return undefined;
    const state = sealState(backend.seal, { action: asked.id, rounds }, this.#options.actor, call);
    // The user was already sent to the page and has not decided yet.
    if (question.mode === 'url' && earlier?.action === asked.id) return { state };
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
    const action = await gate.actions.get(id);
    // An action that started longer work is done, even if that work has failed.
    if (action?.state !== 'done' && action?.state !== 'partly') return failure(error ?? stillRunning(id));
    const result = shortened(confirmation.result ?? {});
    const found = success(result);
    if (action.state === 'partly') addPartly(found, outcomeOf(action, gate.tool(action.operation)));
    addConfirmed(found, action, gate.tool(action.operation));
    return markOutside(outsideIn(gate.tool(action?.operation ?? ''), result), found);
  }
}

/** What one host (n8n) adds to the arguments of every call, whatever the tool takes. */
const HOST_FIELDS = ['sessionId', 'chatInput', 'toolCallId'];

/** The arguments without those of the host. `action` is only the host's beside the others: filters have such a field. */
function withoutHostFields(given: Fields): { own: Fields; dropped: string[] } {
  const isFromHost = HOST_FIELDS.some((name) => name in given);
  const dropped = isFromHost ? Object.keys(given).filter((name) => [...HOST_FIELDS, 'action'].includes(name)) : [];
  return { own: Object.fromEntries(Object.entries(given).filter(([name]) => !dropped.includes(name))), dropped };
}

function stillRunning(id: string): Failure {
  return {
    code: 'unavailable',
    message: 'It was confirmed and is still running.',
    follow: id,
    outcome: 'unknown',
  };
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
    waiting: (why: Parameters<typeof waitText>[0], seconds: number) => {
      const now = waitText(why, Math.ceil(seconds));
      if (now === message) return;
      message = now;
      notify();
      timer ??= setInterval(notify, PROGRESS_MS);
    },
    stop: () => clearInterval(timer),
  };
}
