import { questionText } from '../../cards/card.ts';
import { questionCard, REASON_OF_ASSISTANT } from '../../cards/question.ts';
import type { Decider } from '../../gate/approval.ts';
import { type Ask, BATCH_RUN } from '../../gate/confirmation.ts';
import { whileIn } from '../../gate/decisions.ts';
import type { Gate } from '../../gate/gate.ts';
import { calledBy, doneAnswer, failedCall, pendingAnswer, runCall } from '../../language/assistants/calls.ts';
import type { GatedCall, Offer, ToolCall, ToolResult } from '../../language/assistants/offer.ts';
import { isConfirmationTool } from '../../language/assistants/own-tools.ts';
import { failure, withSlackBlocks } from '../../language/assistants/results.ts';
import { doneOf, waitText } from '../../language/outcome.ts';
import { canonical } from '../../ledger/action.ts';
import type { Action } from '../../ledger/ledger.ts';
import type { Seal } from '../../ledger/seal.ts';
import { type Actor, hasRole, personOf } from '../../lib/actor.ts';
import { PROGRESS_MS } from '../../lib/clock.ts';
import { invalidInput } from '../../lib/errors.ts';
import { defined, type Fields, isRecord } from '../../lib/values.ts';
import {
  type ClientInfo,
  INVALID_PARAMS,
  type InputNeeded,
  type LiveQuestions,
  type McpOptions,
  ProtocolError,
  type Question,
  type RequestContext,
  type SlackbotOutcome,
} from './protocol.ts';

/** Largest number of times that a client is asked to call again while its user decides. Clients give up after ten. */
const MAX_ROUNDS = 8;

type Answer = ToolResult | InputNeeded;

/** Stored with what Slackbot asks in the name of a person: the words about it are the assistant's. */
const ASSISTANT_NOTES: Fields = { [REASON_OF_ASSISTANT]: true };

/** The tool calls of one client. */
export function toolCallsOf(options: McpOptions, offer: Offer) {
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
    return tool && doneAnswer(action.operation, doneOf(confirmation, action, tool), gate, offer);
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
      const question = questionOf(options, gate, client);
      const done = await gate.perform(id, input, actor, {
        signal,
        onWait: progress.waiting,
        // A permission given in Slack's assistant is not a confirmation, so no question is asked there.
        ...(slackbot
          ? { notes: { ...slackbot.notes, ...ASSISTANT_NOTES } }
          : question.forGate(questions, earlier?.action)),
        ...defined({ reason }),
      });
      if (done.kind === 'done') {
        const answer = await doneAnswer(id, done, gate, offer);
        return withBlocks(answer, { kind: 'done', operation: id, input, done });
      }
      const asked = question.asked();
      if (asked) {
        const decided = await ended(done.action.id, gate, signal);
        if (decided) return decided;
        const rounds = (earlier?.rounds ?? 0) + 1;
        if (questions?.kind === 'returned' && rounds <= MAX_ROUNDS) {
          const state = sealState(seal, { action: asked.id, rounds }, actor, call);
          // The user was already sent to the page and has not decided yet.
          if (question.mode === 'url' && earlier?.action === asked.id) return { state };
          const put = question.shown(asked);
          if (put) return { question: put, state };
        }
      }
      await options.onPending?.(done.confirmation.id);
      const pending = await pendingAnswer({ ...done.confirmation, ...repeats }, gate);
      return withBlocks(pending, { kind: 'pending', action: done.confirmation.id });
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
  return async (name: string, given: Fields, context: RequestContext): Promise<Answer> => {
    // `action` is only the host's beside its others: filters have such a field.
    const isFromHost = HOST_FIELDS.some((field) => field in given);
    const dropped = isFromHost ? Object.keys(given).filter((field) => [...HOST_FIELDS, 'action'].includes(field)) : [];
    const input = Object.fromEntries(Object.entries(given).filter(([field]) => !dropped.includes(field)));
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

/**
 * Longest wait of one call for the page before the client calls again. It is less than the timeouts of clients and
 * proxies.
 */
const PAGE_WAIT_MS = 40_000;

/**
 * The question of one call to the client's user. It is asked on the page if the client opens addresses, otherwise by a
 * form.
 */
function questionOf(options: McpOptions, gate: Gate, { name, elicitation }: ClientInfo) {
  const { actor, userRole, pageRole, stopping } = options;
  // The page has priority if the client opens addresses and its user may decide there. `{}` means form, because it was
  // defined before URL mode existed (MCP 2025-06-18).
  const mayOpen = gate.decidesBy('client') && gate.decidesBy('page') && hasRole({ role: pageRole }, 'approver');
  const showsForm = elicitation && (elicitation.form !== undefined || elicitation.url === undefined);
  /** `url`: the user is sent to the page, on which the gate runs the confirmed action. */
  const mode = elicitation?.url !== undefined && mayOpen ? 'url' : showsForm ? 'form' : undefined;
  // The person at the client. The assistant never decides.
  const userName = `the user of ${name ?? 'an unnamed client'}`;
  /** The action about which the gate asked the user; undefined if it did not ask. */
  let asked: Action | undefined;

  /** The user said no in the client instead of opening the page. */
  const decline = ({ id }: Action) => gate.decline(id, { ...actor, name: userName, role: userRole }, 'client');

  /** The question as the client shows it; undefined if there is no page to show. */
  const shown = (action: Action): Question | undefined => {
    const text = questionText(questionCard(gate.tool(action.operation), action));
    const until = new Date(action.expiresAt).toISOString();
    if (mode !== 'url') {
      const accept = `Accept: ${action.consent?.confirm ?? 'do it'}. Anything else does nothing. Waits until ${until}.`;
      return { mode: 'form', message: [text, '', accept].join('\n') };
    }
    const url = gate.pageUrl(action.id);
    if (url === undefined) return undefined;
    const open = `Open the page to decide. Nothing is done before that. Waits until ${until}.`;
    return { mode, message: [text, '', open].join('\n'), url };
  };

  const askNow = async (questions: LiveQuestions, action: Action, signal: AbortSignal): ReturnType<Ask> => {
    const question = shown(action);
    if (!question) return 'unavailable';
    const ended = new AbortController();
    const both = AbortSignal.any([signal, ended.signal]);
    // The gate ends the question when the action expires. This timeout only bounds the request itself.
    const timeout = Math.max(1000, action.expiresAt - Date.now() + 1000);
    const answered = questions.ask(question, { signal: both, timeout });
    // A client that gives up cancels the call and so withdraws the question, which its user may still be reading.
    const wait = { signal: both, ...(question.mode === 'url' && { ms: PAGE_WAIT_MS }) };
    const decided = whileIn(['pending'], action.id, gate, wait);
    try {
      const answer = await Promise.race([answered, decided.then(() => 'decided' as const)]);
      // The dialog is withdrawn if another person decides elsewhere.
      if (question.mode === 'form') return answer !== 'decided' ? answer : signal.aborted ? answered : 'unavailable';
      if (answer === 'cancel' || answer === 'unavailable') return answer;
      // A client may answer when the page is opened, or only when it is notified that the user has decided.
      if (answer === 'decline') await decline(action);
      else await decided;
      const isOpen = (await gate.actions.get(action.id))?.state === 'pending';
      if (!signal.aborted && !isOpen) questions.decided();
      return 'unavailable';
    } finally {
      ended.abort();
    }
  };

  /**
   * The ask and the decider for the gate; undefined if this client cannot ask its user.
   *
   * @param earlier the action that the client's answer belongs to; undefined on the first call
   */
  const forGate = (
    questions: RequestContext['questions'],
    earlier: string | undefined,
  ): { ask: Ask; decider: Decider } | undefined => {
    if (mode === undefined || questions === undefined) return undefined;
    const ask: Ask = async (action, late) => {
      asked = action;
      const signal = stopping ? AbortSignal.any([late, stopping]) : late;
      // An answer belongs to one action. Another action needs a new question.
      if (questions.kind === 'returned' && earlier !== action.id) return 'unavailable';
      const answer = questions.kind === 'live' ? await askNow(questions, action, signal) : questions.answer;
      if (answer === 'cancel') return stopping?.aborted ? 'unavailable' : 'cancel';
      if (questions.kind === 'live' || mode === 'form') return answer ?? 'unavailable';
      if (answer === 'decline') await decline(action);
      else await whileIn(['pending'], action.id, gate, { signal, ms: PAGE_WAIT_MS });
      return 'unavailable';
    };
    const isPage = mode === 'url';
    const person = { person: personOf(actor), name: userName };
    return { ask, decider: { ...person, role: isPage ? pageRole : userRole, way: isPage ? 'page' : 'client' } };
  };
  return { mode, shown, forGate, asked: () => asked };
}

/** The state that a client returns when it repeats a call that needed its user. */
interface CallState {
  /** The action that the user was asked about. */
  action: string;
  /** Number of calls so far. */
  rounds: number;
}

/** Seals the state for one identity and one exact call. The client can neither read nor change it. */
export function sealState(seal: Seal, state: CallState, actor: Actor, call: ToolCall): string {
  return Buffer.from(seal.seal(state, boundTo(actor, call))).toString('base64url');
}

/** Opens a state. Throws `ProtocolError` if it was made for another identity or call, or not by this installation. */
export function openState(seal: Seal, sealed: string, actor: Actor, call: ToolCall): CallState {
  try {
    const bytes = Buffer.from(sealed, 'base64url');
    // Decoding ignores an extra character, so the text is compared as well.
    const asGiven = bytes.toString('base64url') === sealed;
    const state = asGiven ? seal.open(bytes, boundTo(actor, call)) : undefined;
    if (isRecord(state) && typeof state.action === 'string' && typeof state.rounds === 'number')
      return { action: state.action, rounds: state.rounds };
  } catch {
    // A state that cannot be opened is refused below.
  }
  throw new ProtocolError(
    INVALID_PARAMS,
    'requestState: does not belong to this call. Repeat the call with the same arguments and the state as it was given, or call anew without it. Nothing was sent.',
  );
}

/** The identity and the exact call that a state is bound to. */
function boundTo(actor: Actor, { name, input }: ToolCall): string {
  return canonical(['mcp call', actor.id, personOf(actor), name, input]);
}
