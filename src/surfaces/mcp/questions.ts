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
import { isRecord, type Part, partsOf, recordOf, scalarText } from '../../lib/values.ts';
import {
  type ClientInfo,
  INVALID_PARAMS,
  type LiveQuestions,
  type McpOptions,
  ProtocolError,
  type Question,
  type QuestionAnswer,
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

const YES = /^(?:yes|y|true|on|1|ok|okay|accept(?:ed)?|approved?|confirm(?:ed)?|agreed?)[.!]?$/i;
const NO =
  /^(?:no|n|nope|not|false|off|0|never|decline[ds]?|den(?:y|ied)|refused?|reject(?:ed)?|cancel(?:led|ed)?|stop|abort(?:ed)?|disagreed?)\b/i;
/** Names of members that say no if they are set. */
const NO_NAME =
  /(?:^| )(?:(?:no|not|dont|don t|never)\b|decline|deny|denied|refuse|reject|cancel|stop|abort|skip|disagree|disapprove)/i;
/** Names of members in which a yes answers the question. In any other it may answer something else: `dryRun`, `later`. */
const YES_NAME =
  /^(?:i |is )?(?:yes|ok|okay|accept(?:ed)?|approved?|approval|confirm(?:ed|ation)?|agreed?|consent|proceed|continue|answer|response|reply|decision|choice|selection|value|result)$/i;

/**
 * The answer in a client's result. The question has no members, so an accept should have no content. Where it has some,
 * it counts only if each value is a yes in a member that is named for one; a value that says no is a no, because the user
 * saw a form of the client's own.
 *
 * @param result as the client sent it
 * @returns `unavailable` if it cannot be read, so that the question goes on waiting
 */
export function answerIn(result: unknown): QuestionAnswer {
  const { action, content } = recordOf(result);
  if (action === 'decline' || action === 'cancel') return action;
  if (action !== 'accept') return 'unavailable';
  if (content === undefined || content === null) return 'accept';
  if (!isRecord(content)) return 'unavailable';
  const [, ...parts] = partsOf(content);
  const values = parts
    .filter(({ value }) => typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    .map((part) => ({ text: scalarText(part.value).trim(), names: namesOf(part) }));
  const isOfNo = (names: readonly string[]) => names.some((name) => NO_NAME.test(name));
  if (values.some(({ text, names }) => NO.test(text) || (isOfNo(names) && YES.test(text)))) return 'decline';
  const isYes = values.every(({ text, names }) => YES.test(text) && names.every((name) => YES_NAME.test(name)));
  return isYes ? 'accept' : 'unavailable';
}

/** The words of the names of a member and of those around it. */
function namesOf({ name, around }: Part): string[] {
  if (around === undefined) return [];
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' ');
  return [words.trim(), ...namesOf(around)];
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
