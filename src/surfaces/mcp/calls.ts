import { REASON_OF_ASSISTANT } from '../../cards/question.ts';
import { outsideIn } from '../../catalogue/input.ts';
import { whileIn } from '../../gate/decisions.ts';
import { BATCH_RUN } from '../../gate/frozen-batch.ts';
import type { Gate } from '../../gate/gate.ts';
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
import { invalidInput } from '../../lib/errors.ts';
import { defined, type Fields } from '../../lib/values.ts';
import {
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

/** Runs a tool call of one client: its name and arguments, and the request. */
export type RunToolCall = (name: string, given: Fields, context: RequestContext) => Promise<Answer>;

/** The tool calls of one client. */
export function toolCallsOf(options: McpOptions, offer: Offer): RunToolCall {
  const { actor, backend, slackbot, discover, onError } = options;
  /** Batches about which this client's user was asked. */
  const asked = new Set<string>();

  /**
   * Adds Slack's blocks to a result for Slackbot. The result is complete without them, so a failure to make them is
   * only reported.
   */
  const withBlocks = async (result: ToolResult, outcome: SlackbotOutcome): Promise<ToolResult> => {
    if (!slackbot) return result;
    try {
      const { blocks, text } = await slackbot.present(outcome);
      if (text !== undefined) result.content.push({ type: 'text', text });
      return withSlackBlocks(result, blocks);
    } catch (error) {
      onError?.(error);
      return result;
    }
  };

  /** The result of a call that a person decided elsewhere; undefined while it waits for a person. */
  const ended = async (id: string, gate: Gate, signal: AbortSignal): Promise<ToolResult | undefined> => {
    let confirmation = await gate.follow(id, actor);
    if (confirmation.status === 'running') {
      await whileIn(['confirmed', 'in_flight'], id, gate, { signal });
      confirmation = await gate.follow(id, actor);
    }
    if (confirmation.status === 'pending') return undefined;
    const action = await gate.actions.get(id);
    // An action that started longer work is done, even if that work has failed.
    if (action?.state !== 'done' && action?.state !== 'partly')
      return failure(
        confirmation.error ?? {
          code: 'unavailable',
          message: 'It was confirmed and is still running.',
          follow: id,
          outcome: 'unknown',
        },
      );
    const tool = gate.tool(action.operation);
    const result = shortened(confirmation.result ?? {});
    const found = success(result);
    if (action.state === 'partly') addPartly(found, outcomeOf(action, tool));
    addConfirmed(found, action, tool);
    return markOutside(outsideIn(tool, result), found);
  };

  const perform = async (
    { id, input, reason, repeats }: GatedCall,
    { call, context, earlier }: { call: ToolCall; context: RequestContext; earlier: CallState | undefined },
  ): Promise<Answer> => {
    const { gate, seal } = await backend();
    const { questions, signal, client } = context;
    const progress = progressOf(context);
    try {
      // If the call was decided in the meantime, its result is returned and it does not run again.
      const before = earlier && (await ended(earlier.action, gate, signal));
      if (before) return before;
      const question = new CallQuestion(options, gate, client);
      const done = await gate.perform(id, input, actor, {
        signal,
        onWait: progress.waiting,
        // A permission given in Slack's assistant is not a confirmation, so no question is asked there.
        ...(slackbot
          ? { notes: { ...slackbot.notes, ...ASSISTANT_NOTES } }
          : question.options(questions, earlier?.action)),
        ...defined({ reason }),
      });
      if (done.kind === 'done') {
        const answer = await doneAnswer(id, done, gate);
        addNotOffered(answer, (tool) => offer.has(tool));
        return withBlocks(answer, { kind: 'done', operation: id, input, done });
      }
      if (question.asked) {
        const decided = await ended(done.action.id, gate, signal);
        if (decided) return decided;
        const rounds = (earlier?.rounds ?? 0) + 1;
        if (questions?.kind === 'returned' && rounds <= MAX_ROUNDS) {
          const state = sealState(seal, { action: question.asked.id, rounds }, actor, call);
          // The user was already sent to the page and has not decided yet.
          if (question.mode === 'url' && earlier?.action === question.asked.id) return { state };
          const put = question.question(question.asked);
          if (put) return { question: put, state };
        }
      }
      await options.onPending?.(done.confirmation.id);
      const pending = await pendingAnswer({ ...done.confirmation, ...repeats }, gate);
      const waits = await withBlocks(pending, { kind: 'pending', action: done.confirmation.id });
      if (question.hasFailed) waits.content.push(NOT_ASKED);
      return waits;
    } finally {
      progress.stop();
    }
  };

  const run = async (given: ToolCall, context: RequestContext): Promise<Answer> => {
    // Where `call` runs the operations, none is called as a tool.
    if (discover && !offer.lists(given.name)) {
      offer.check(given.name);
      const tools = offer.tools.map((tool) => tool.name).join(', ');
      throw invalidInput(
        undefined,
        `${given.name} is an operation and no tool. Run it with call: {"operation":"${given.name}","input":{…}}. The tools are ${tools}.`,
      );
    }
    const call = calledBy(given.name, given.input, offer);
    const { questions, signal } = context;
    const state = questions?.kind === 'returned' ? questions.state : undefined;
    const earlier = state === undefined ? undefined : openState((await backend()).seal, state, actor, given);
    const before = earlier && (await (await backend()).gate.actions.get(earlier.action));
    const answer = await runCall<InputNeeded>(call, {
      ...{ offer, actor, backend, signal, asked },
      ...(slackbot && { notes: ASSISTANT_NOTES }),
      repeated: before && before.operation === BATCH_RUN ? String(before.shown.Batch) : undefined,
      perform: (gated) => perform(gated, { call: given, context, earlier }),
    });
    if (!isConfirmationTool(call.name) || typeof call.input.id !== 'string' || !('content' in answer)) return answer;
    return withBlocks(answer, { kind: 'action', action: call.input.id });
  };

  /**
   * The result of a call, or the question that the client's user must answer first. Errors are results too, so that the
   * assistant reads them. Throws `ProtocolError` for a repeated call whose state does not belong to it.
   */
  return async (name, given, context) => {
    // `action` is only the host's beside its others: filters have such a field.
    const isFromHost = HOST_FIELDS.some((field) => field in given);
    const dropped = isFromHost ? Object.keys(given).filter((field) => [...HOST_FIELDS, 'action'].includes(field)) : [];
    const own = Object.fromEntries(Object.entries(given).filter(([field]) => !dropped.includes(field)));
    const input = toolInput(name, own);
    try {
      const answer = await run({ name, input }, context);
      if (dropped.length > 0 && 'content' in answer)
        answer.content.push({ type: 'text', text: `Not used, because the client adds it: ${dropped.join(', ')}.` });
      return answer;
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const { operation, face } = await failedCall(error, { name, input }, { offer, backend, onError });
      const known = typeof operation === 'string' ? { operation } : {};
      return withBlocks(failure(face), { kind: 'failed', error: face, ...known });
    }
  };
}

/** What one host (n8n) adds to the arguments of every call, whatever the tool takes. */
const HOST_FIELDS = ['sessionId', 'chatInput', 'toolCallId'];

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
