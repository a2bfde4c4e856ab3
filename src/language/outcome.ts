import { mayMakeSim } from '../../tools/surfaces/tasks.ts';
import type { Tool } from '../catalogue/operation.ts';
import { isUndecided, isWithdrawn } from '../gate/approval.ts';
import { type Confirmation, isPaid, type Performed, withCharge } from '../gate/confirmation.ts';
import type { Action } from '../ledger/ledger.ts';
import { type Ended, reportOf, type Standing, standingOf, standsIn } from '../ledger/lookups.ts';
import { type Effect, type Failure, SwitchboardError } from '../lib/errors.ts';
import {
  defined,
  type Fields,
  joined,
  plainText,
  quote,
  quotesIn,
  recordOf,
  type Words,
  words,
} from '../lib/values.ts';
import type { NotDone } from '../platform/dialect/number-lists.ts';
import { withheldIn } from '../platform/dialect/redact.ts';
import { notDoneSentence, orderState, readVerdict, type Verdict } from '../platform/dialect/verdict.ts';

/* Turns a failure into sentences for the surface that shows it. No other file does this. */

export const NOTHING_CHARGED = 'Nothing was charged.';
/**
 * Charges follow the work (PLATFORM.md, Reactivation), so a reader who learns whether the work was done knows the
 * charge.
 */
export const MAYBE_CHARGED = 'It may have been charged: if it was done, it was charged.';

/** The reader's surface decides how to follow a call and how to ask again. */
export type Reader = 'assistant' | 'terminal' | 'slack' | 'page';

/** A failure as programs read it, over MCP and from `switchboard call`. */
export type ErrorFace = { message: string } & Pick<
  Failure,
  'code' | 'outcome' | 'reason' | 'status' | 'field' | 'fields' | 'transactionLogId' | 'retryAfterSeconds'
>;

const EFFECTS: Readonly<Record<Effect, string>> = {
  nothing_sent: 'Nothing was sent.',
  nothing_done: 'Nothing was done.',
  not_read: 'It could not be read.',
  nothing_changed: 'Nothing was changed.',
  nothing_more_sent: 'Nothing more was sent.',
  maybe_done: 'It may have been done: check before trying again.',
  stated: '',
};

/** Says what happened, whether anything was done or charged, and the next step. */
export function failureWords(failure: Failure, reader: Reader): Words {
  const { effect, charge, follow } = failure;
  const { message, next } = forReader(failure, reader);
  return joined([
    message,
    effect && EFFECTS[effect],
    charge && (charge === 'none' ? NOTHING_CHARGED : MAYBE_CHARGED),
    next,
    follow && FOLLOW[reader](follow),
  ]);
}

/** Like `failureWords`, as one text with each quote in “ ”. */
export function failureText(failure: Failure, reader: Reader): string {
  return plainText(failureWords(failure, reader));
}

/** The text of any error for a person at a terminal. An unexpected error has its own text. */
export function errorWords(error: unknown): string {
  if (error instanceof SwitchboardError) return failureText(error.face, 'terminal');
  return error instanceof Error ? error.message : String(error);
}

/** The failure as programs read it. */
export function faceOf(failure: Failure, reader: Reader): ErrorFace {
  const { effect, charge, follow, by, next, ...face } = failure;
  return { ...face, message: failureText(failure, reader) };
}

/** True if the sentences of a failure repeat text of the platform or of a person outside. */
export function isQuoting({ message, next = '' }: Failure): boolean {
  return quotesIn(message).length > 0 || quotesIn(next).length > 0;
}

/** The failure with its effect, which assistants always get. */
export function withEffect(failure: Failure): Failure {
  const { code, outcome, effect, reason } = failure;
  if (effect !== undefined || outcome === 'unknown') return failure;
  if (code === 'not_confirmed')
    return { ...failure, effect: reason === undefined ? 'nothing_more_sent' : 'nothing_sent' };
  const isUnsent = code === 'invalid_input' || code === 'forbidden_by_role';
  return { ...failure, effect: isUnsent ? 'nothing_sent' : 'nothing_done' };
}

/** Says why a call waits before it is sent, or sent again. */
export function waitText(why: 'rate_limit' | 'busy' | 'retry' | 'person', seconds: number): string {
  if (why === 'rate_limit') return `Waiting for the platform's rate limit, about ${seconds} s`;
  if (why === 'person') return `Waiting for a person to confirm, at most ${seconds} s`;
  return `The platform ${why === 'busy' ? 'is busy' : 'did not answer'}, trying again in about ${seconds} s`;
}

const FOLLOW: Readonly<Record<Reader, (id: string) => string>> = {
  assistant: (id) => `Follow it with confirmations_get, id ${id}.`,
  terminal: (id) => `Follow it with: switchboard call confirmations_get id=${id}`,
  slack: () => 'Its card shows the outcome.',
  page: () => '',
};

/** Rewords a call that was not confirmed, so that an assistant does not ask again on its own. */
function forReader(failure: Failure, reader: Reader): { message: Words; next?: Words | undefined } {
  const { reason, by, message, next } = failure;
  if (reason === undefined || next !== undefined) return { message, next };
  const isAssistant = reader === 'assistant';
  if (reason !== 'declined') {
    const ask = 'Ask the person whether it is still wanted before you call it again.';
    const again = reason === 'replaced' ? 'Answer the newer one instead.' : 'Request it again if it is still needed.';
    return { message, next: isAssistant ? ask : again };
  }
  const declined = `A person declined it: ${by ?? 'name not known'}.`;
  return isAssistant ? { message: declined, next: 'Do not ask for it again unless the person wants it.' } : { message };
}

/* The words for how an action ended, shared by cards, notices, the Home, the page, the terminal and MCP. */

/** The state of an action in words. All plain text; the surfaces escape it. */
export interface Outcome {
  /** One sign, for lists and headers. */
  mark: string;
  /** "Partly done": for lists of actions. */
  word: string;
  /** The headline: "Partly done: 2 of 3 numbers cancelled". */
  headline: string;
  /** The effect in one sentence, such as "Nothing was done." Empty if the headline is enough. */
  effect: string;
  /** The reason and the next step. Empty if there is nothing to add. */
  detail: Words;
  /** The parts of the request that were not done. */
  notDone: readonly NotDone[];
  /** The later day on which what was done takes effect, in words. */
  from?: string;
}

const WORDS: Readonly<Record<Action['state'], { mark: string; word: string; effect: string }>> = {
  pending: { mark: '🔐', word: 'Waiting for a person', effect: 'Nothing has been done yet.' },
  confirmed: { mark: '⏳', word: 'Running', effect: '' },
  in_flight: { mark: '⏳', word: 'Running', effect: '' },
  done: { mark: '✅', word: 'Done', effect: '' },
  partly: { mark: '⚠️', word: 'Partly done', effect: '' },
  failed: { mark: '❌', word: 'Failed', effect: 'Nothing was done.' },
  unknown: { mark: '❓', word: 'Outcome unknown', effect: 'It may have been done.' },
  declined: { mark: '🚫', word: 'Declined', effect: 'Nothing was done.' },
  expired: { mark: '⌛', word: 'Expired', effect: 'Nothing was done.' },
};

/**
 * The words for an action's state, result and error. `tool` is undefined for an operation the catalogue no longer has.
 *
 * @param now epoch ms, for a change that was scheduled; that of the call if left out
 */
export function outcomeOf(
  action: Ended,
  tool: Pick<Tool, 'kind' | 'risk' | 'answer' | 'input'> | undefined,
  now?: number,
): Outcome {
  const { mark, word, effect: own } = WORDS[action.state];
  const isRefused = action.state === 'declined' || action.state === 'expired';
  // An error says itself what was charged.
  const effect = isRefused && isPaid(action) ? `${own} ${NOTHING_CHARGED}` : own;
  const detail = action.error ? failureWords(endedWith(action, action.error), 'page') : '';
  const plain: Outcome = { mark, word, headline: word, effect, detail, notDone: [] };
  const titled = (headline: string, more = detail): Outcome => ({ ...plain, word: headline, headline, detail: more });
  switch (action.state) {
    case 'done':
    case 'partly': {
      const { headline, how, day } = standingOf(action, tool, now);
      if (action.state === 'partly' && how !== 'failed') {
        const { result: answer = {}, shown: input = {}, known = {} } = action;
        const part = partlyOutcome(tool && readVerdict(tool, { answer, input, known }), answer);
        return day === undefined ? part : { ...part, headline: `${part.headline}, from ${day}`, from: day };
      }
      return {
        ...titled(headline),
        mark: tool?.answer?.isLost?.({ ...action.result, ...reportOf(action) })
          ? WORDS.partly.mark
          : (STANDING[how] ?? mark),
        ...(how === 'set' && { word }),
        ...defined({ from: day }),
      };
    }
    case 'failed':
      // Nothing went wrong: the question was out of date, and its reason says so.
      if (action.error?.reason === 'changed')
        return { ...plain, mark: 'ℹ️', word: 'Not sent', headline: 'Not sent: out of date', effect: '' };
      return action.error?.code === 'refused'
        ? { ...plain, word: 'Not done', headline: 'Not done: the platform refused it' }
        : plain;
    case 'declined':
      if (!isUndecided(action)) return declinedOutcome(plain, action);
      return action.decidedVia === 'replaced'
        ? titled('Replaced', 'A newer request replaced it before a person decided.')
        : titled('Withdrawn', 'The question was withdrawn before a person decided.');
    case 'expired':
      return { ...plain, detail: 'Nobody decided in time. Request it again if it is still needed.' };
    default:
      return plain;
  }
}

/** The marks of done actions that are not simply done. */
const STANDING: Partial<Record<Standing['how'], string>> = {
  requested: '🔹',
  begun: '▶️',
  without_effect: WORDS.partly.mark,
  partly: WORDS.partly.mark,
  failed: WORDS.failed.mark,
};

/** The words for an action that a person declined, or that its requester withdrew. */
function declinedOutcome(plain: Outcome, action: Ended): Outcome {
  const { decidedBy, decidedReason } = action;
  const word = isWithdrawn(action) ? 'Withdrawn' : plain.word;
  const by = decidedBy ? `${word} by ${decidedBy}` : '';
  const detail = decidedReason === undefined ? by && `${by}.` : words`${by || word}: ${quote(decidedReason)}`;
  return { ...plain, word, headline: word, detail };
}

/** A result as people read it: without the state of an order of the platform's own that says nothing about the change. */
export function settledResult(result: Fields, tool: Pick<Tool, 'answer'> | undefined): Fields {
  const stands = standsIn(result, tool);
  if (stands === undefined) return result;
  const { OrderStatus: _, Status: __, ...rest } = result;
  return { Status: stands, ...rest };
}

/**
 * The state of the order of a done action, by its last report or the answer. `stands`: the words for what an order set
 * that makes no progress of its own, such as a PIN; they replace the state until the order has ended.
 */
export function orderNow(
  action: Pick<Action, 'shown' | 'result' | 'notes'>,
  tool: Pick<Tool, 'answer'> | undefined,
): { status: string | undefined; stands?: string } {
  const status = orderState(reportOf(action)) || orderState(action.result) || undefined;
  return { status, ...defined({ stands: standsIn({ ...action.result, ...reportOf(action) }, tool) }) };
}

/**
 * The failure of an action, with its charge. The state of an unknown outcome says already that it may have been done.
 */
function endedWith(action: Ended, error: Failure): Failure {
  const { effect, ...rest } = isPaid(action) ? withCharge(error) : error;
  return effect === undefined || effect === 'maybe_done' ? rest : { ...rest, effect };
}

/** The words for a call that was partly done. */
export function partlyOutcome(verdict: Verdict | undefined, result: Fields = {}): Outcome {
  const { mark, word } = WORDS.partly;
  const counts = verdict?.counts ?? '';
  const rest = verdict ? notDoneSentence(verdict) : '';
  const warning = typeof result.Warning === 'string' ? result.Warning : '';
  return {
    mark,
    word,
    headline: counts === '' ? word : `${word}: ${counts}`,
    effect: '',
    detail: rest === '' && warning !== '' ? words`${quote(warning)}` : rest,
    notDone: verdict?.notDone ?? [],
  };
}

/** A call that is done. */
export type Done = Extract<Performed, { kind: 'done' }>;

/** A call that was decided elsewhere and is done, as `gate.perform` returns one. */
export function doneOf({ id, status, result = {} }: Confirmation, { shown, known }: Action, tool: Tool): Done {
  const partly = status === 'partly' ? readVerdict(tool, { answer: result, input: shown, known }) : undefined;
  return { kind: 'done', value: result, actionId: id, ...defined({ partly }) };
}

/** The words for an error of a change, without an action: a failed call, or one whose outcome is unknown. */
export function errorOutcome(error: Failure): Outcome {
  return outcomeOf({ state: error.outcome === 'unknown' ? 'unknown' : 'failed', error }, undefined);
}

/**
 * The withheld activation codes in the answer to a change that may have made an eSIM. Empty for any other change: its
 * answer repeats the code of the SIM in use, which the card of the line offers.
 */
export function codesMade(
  action: Pick<Action, 'operation' | 'shown' | 'result'> & Partial<Pick<Action, 'notes'>>,
): ReturnType<typeof withheldIn> {
  const { operation, shown, result, notes } = action;
  return mayMakeSim(operation, shown, recordOf(notes?.guide)) ? withheldIn(result) : [];
}
