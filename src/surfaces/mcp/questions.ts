import { questionText } from '../../cards/card.ts';
import { questionCard } from '../../cards/question.ts';
import type { Decider } from '../../gate/approval.ts';
import { whileIn } from '../../gate/decisions.ts';
import type { Ask, Gate } from '../../gate/gate.ts';
import type { ToolCall } from '../../language/assistants/offer.ts';
import { canonical } from '../../ledger/action.ts';
import type { Action } from '../../ledger/ledger.ts';
import type { Seal } from '../../ledger/seal.ts';
import { type Actor, hasRole, personOf } from '../../lib/actor.ts';
import { isRecord } from '../../lib/values.ts';
import {
  type ClientInfo,
  INVALID_PARAMS,
  type LiveQuestions,
  type McpOptions,
  ProtocolError,
  type Question,
  type RequestContext,
} from './protocol.ts';

/**
 * Longest wait of one call for the page before the client calls again. It is less than the timeouts of clients and
 * proxies.
 */
const PAGE_WAIT_MS = 40_000;

/** `stopping` fires when the process stops. The question then waits elsewhere. */
type QuestionOptions = Pick<McpOptions, 'actor' | 'userRole' | 'pageRole' | 'stopping'>;

/**
 * The question of one call to the client's user. It is asked on the page if the client opens addresses, otherwise by a
 * form.
 */
export class CallQuestion {
  readonly #options: QuestionOptions;
  readonly #gate: Gate;
  readonly #client: ClientInfo;
  /** `url`: the user is sent to the page, on which the gate runs the confirmed action. */
  readonly mode: Question['mode'] | undefined;
  /** The action about which the gate asked the user; undefined if it did not ask. */
  asked: Action | undefined;
  /** True if the client answered with an error, or with what is no answer, so that its user may not have seen the question. */
  hasFailed = false;

  constructor(options: QuestionOptions, gate: Gate, client: ClientInfo) {
    this.#options = options;
    this.#gate = gate;
    this.#client = client;
    const { elicitation } = client;
    // The page has priority if the client opens addresses and its user may decide there. `{}` means form, because it was
    // defined before URL mode existed (MCP 2025-06-18).
    const mayOpen =
      gate.decidesBy('client') && gate.decidesBy('page') && hasRole({ role: options.pageRole }, 'approver');
    const showsForm = elicitation && (elicitation.form !== undefined || elicitation.url === undefined);
    this.mode = elicitation?.url !== undefined && mayOpen ? 'url' : showsForm ? 'form' : undefined;
  }

  /**
   * The ask and the decider for the gate; undefined if this client cannot ask its user.
   *
   * @param earlier the action that the client's answer belongs to; undefined on the first call
   */
  options(
    questions: RequestContext['questions'],
    earlier: string | undefined,
  ): { ask: Ask; decider: Decider } | undefined {
    if (this.mode === undefined || questions === undefined) return undefined;
    const { actor, userRole, pageRole, stopping } = this.#options;
    const ask: Ask = async (action, late) => {
      this.asked = action;
      const signal = stopping ? AbortSignal.any([late, stopping]) : late;
      if (questions.kind === 'live') {
        const answer = await this.#askNow(questions, action, signal);
        return answer === 'cancel' && stopping?.aborted ? 'unavailable' : answer;
      }
      // An answer belongs to one action. Another action needs a new question.
      if (earlier !== action.id) return 'unavailable';
      const { answer } = questions;
      if (answer === 'cancel') return stopping?.aborted ? 'unavailable' : 'cancel';
      if (this.mode === 'form') return answer ?? 'unavailable';
      if (answer === 'decline') await this.#decline(action);
      else await whileIn(['pending'], action.id, this.#gate, { signal, ms: PAGE_WAIT_MS });
      return 'unavailable';
    };
    // The person at the client. The assistant never decides.
    const person = { person: personOf(actor), name: this.#userName() };
    const isPage = this.mode === 'url';
    return { ask, decider: { ...person, role: isPage ? pageRole : userRole, way: isPage ? 'page' : 'client' } };
  }

  /** The question as the client shows it; undefined if there is no page to show. */
  question(action: Action): Question | undefined {
    const asked = questionText(questionCard(this.#gate.tool(action.operation), action));
    const until = new Date(action.expiresAt).toISOString();
    if (this.mode !== 'url') {
      const accept = `Accept: ${action.consent?.confirm ?? 'do it'}. Anything else does nothing. Waits until ${until}.`;
      return { mode: 'form', message: [asked, '', accept].join('\n') };
    }
    const url = this.#gate.pageUrl(action.id);
    if (url === undefined) return undefined;
    const open = `Open the page to decide. Nothing is done before that. Waits until ${until}.`;
    return { mode: 'url', message: [asked, '', open].join('\n'), url };
  }

  async #askNow(questions: LiveQuestions, action: Action, signal: AbortSignal): ReturnType<Ask> {
    const question = this.question(action);
    if (!question) return 'unavailable';
    const ended = new AbortController();
    const both = AbortSignal.any([signal, ended.signal]);
    // The gate ends the question when the action expires. This timeout only bounds the request itself.
    const timeout = Math.max(1000, action.expiresAt - Date.now() + 1000);
    const answered = questions.ask(question, { signal: both, timeout }).then((answer) => {
      this.hasFailed = answer === 'unavailable';
      return answer;
    });
    // A client that gives up cancels the call and so withdraws the question, which its user may still be reading.
    const wait = { signal: both, ...(question.mode === 'url' && { ms: PAGE_WAIT_MS }) };
    const decided = whileIn(['pending'], action.id, this.#gate, wait);
    try {
      const answer = await Promise.race([answered, decided.then(() => 'decided' as const)]);
      // The dialog is withdrawn if another person decides elsewhere.
      if (question.mode === 'form') return answer !== 'decided' ? answer : signal.aborted ? answered : 'unavailable';
      if (answer === 'cancel' || answer === 'unavailable') return answer;
      // A client may answer when the page is opened, or only when it is notified that the user has decided.
      if (answer === 'decline') await this.#decline(action);
      else await decided;
      const isOpen = (await this.#gate.actions.get(action.id))?.state === 'pending';
      if (!signal.aborted && !isOpen) questions.decided();
      return 'unavailable';
    } finally {
      ended.abort();
    }
  }

  /** The user said no in the client instead of opening the page. */
  async #decline(action: Action): Promise<void> {
    const { actor, userRole } = this.#options;
    await this.#gate.decline(action.id, { ...actor, name: this.#userName(), role: userRole }, 'client');
  }

  /** The user's name for the ledger, with the name that the client gives itself. */
  #userName(): string {
    return `the user of ${this.#client.name ?? 'an unnamed client'}`;
  }
}

/** The state that a client returns when it repeats a call that needed its user. */
export interface CallState {
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
