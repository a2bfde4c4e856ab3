import { type Effect, type ErrorCode, type Failure, SwitchboardError } from '../lib/errors.ts';
import { defined } from '../lib/json.ts';
import { joined, plainText, quotesIn, type Words } from '../lib/words.ts';

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
export interface ErrorFace {
  code: ErrorCode;
  message: string;
  outcome: Failure['outcome'];
  reason?: Failure['reason'];
  status?: number;
  field?: string;
  fields?: Failure['fields'];
  transactionLogId?: string;
  retryAfterSeconds?: number;
}

const EFFECTS: Readonly<Record<Effect, string>> = {
  nothing_sent: 'Nothing was sent.',
  nothing_done: 'Nothing was done.',
  nothing_changed: 'Nothing was changed.',
  nothing_more_sent: 'Nothing more was sent.',
  maybe_done: 'It may have been done: check before trying again.',
  stated: '',
};

/** Says what happened, whether anything was done or charged, and the next step. */
export function failureWords(failure: Failure, reader: Reader): Words {
  const { effect, charge, follow } = failure;
  const { message, next } = forReader(named(failure, reader), reader);
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
  const { code, outcome, reason, status, field, fields, transactionLogId, retryAfterSeconds } = failure;
  const message = failureText(failure, reader);
  return { code, message, outcome, ...defined({ reason, status, field, fields, transactionLogId, retryAfterSeconds }) };
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

const FOLLOW: Readonly<Record<Reader, (id: string) => string>> = {
  assistant: (id) => `Follow it with confirmations_get, id ${id}.`,
  terminal: (id) => `Follow it with: switchboard call confirmations_get id=${id}`,
  slack: () => 'Its card shows the outcome.',
  page: () => '',
};

/** Fields of tools for assistants alone, which no person fills in. */
const UNSEEN = /^(id|Action|Batch|Operation|Page|Rows)$/;

/** The failure without the name of a field that no person ever sees. */
function named(failure: Failure, reader: Reader): Failure {
  const { field, message } = failure;
  const isWorded = reader === 'slack' || reader === 'page';
  if (field === undefined || !isWorded || !UNSEEN.test(field) || typeof message !== 'string') return failure;
  if (!message.startsWith(`${field}: `)) return failure;
  const rest = message.slice(field.length + 2);
  return { ...failure, message: rest.charAt(0).toUpperCase() + rest.slice(1) };
}

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
  if (!isAssistant) return { message };
  return {
    message: `A person declined it: ${by ?? 'name not known'}.`,
    next: 'Do not ask for it again unless the person wants it.',
  };
}
