import { defined, plainText, type Words } from './values.ts';

/** The codes of failures, the same on every surface, with the log level of a failure that did nothing. */
const CODES = {
  invalid_input: 'info',
  not_confirmed: 'info',
  forbidden_by_role: 'info',
  bad_request: 'info',
  refused: 'info',
  unauthorized: 'error',
  forbidden: 'error',
  not_found: 'info',
  method_not_allowed: 'error',
  timeout: 'error',
  rate_limited: 'error',
  server_error: 'error',
  unavailable: 'error',
  network: 'error',
} as const;
export type ErrorCode = keyof typeof CODES;

/** Says whether a failed call left anything behind. `stated`: the message itself says it. */
export type Effect =
  | 'nothing_sent'
  | 'nothing_done'
  | 'not_read'
  | 'nothing_changed'
  | 'nothing_more_sent'
  | 'maybe_done'
  | 'stated';

/** A wrong field, by its path, and how to correct it. */
export interface FieldProblem {
  field: string;
  message: string;
}

/**
 * A failure as data. language/outcome.ts turns it into sentences for the surface that shows it. `outcome` says whether
 * the platform may have done the work.
 */
export interface Failure {
  code: ErrorCode;
  outcome: 'not_done' | 'unknown';
  /** Says what happened. Text of the platform or of a person outside is a quote in it. */
  message: Words;
  /** If it is left out, assistants get the effect that fits code and outcome, and people get none. */
  effect?: Effect;
  /** The next step for the reader. */
  next?: Words;
  /** Set for a call that costs money. */
  charge?: 'none' | 'maybe';
  /** The action by which the caller can follow an unknown outcome. */
  follow?: string;
  /** Set for `not_confirmed`: a person declined, no person decided in time, or the question was withdrawn. */
  reason?: 'declined' | 'expired' | 'withdrawn' | 'replaced' | 'changed';
  /** The person who declined. */
  by?: string;
  status?: number;
  field?: string;
  /** Set for `invalid_input`: every wrong field, if the input was checked against its definition. */
  fields?: readonly FieldProblem[];
  transactionLogId?: string;
  retryAfterSeconds?: number;
}

/**
 * The error that all modules share. `message` says what happened, for the log; the reader's sentence comes from `face`.
 * `detail` is for the log only. None of them holds a secret: texts are redacted before an error is created.
 */
export class SwitchboardError extends Error {
  override readonly name = 'SwitchboardError';
  readonly face: Failure;
  readonly detail: string | undefined;

  constructor(face: Failure, options: { detail?: string; cause?: unknown } = {}) {
    super(plainText(face.message), options.cause === undefined ? undefined : { cause: options.cause });
    this.face = face;
    this.detail = options.detail;
  }
}

/** The error with other words or data, and the same detail. */
export function changed(error: SwitchboardError, changes: Partial<Failure>): SwitchboardError {
  return new SwitchboardError({ ...error.face, ...changes }, { ...defined({ detail: error.detail }), cause: error });
}

/** The log level of a failure: a refusal by the platform is ordinary, everything else is an error. */
export function severity({ code, outcome }: Failure): 'info' | 'error' {
  return outcome === 'not_done' ? CODES[code] : 'error';
}

/** An invalid input: nothing was sent. `fields`: every wrong field. */
export function invalidInput(
  field: string | undefined,
  message: Words,
  fields?: readonly FieldProblem[],
): SwitchboardError {
  return new SwitchboardError({ code: 'invalid_input', message, outcome: 'not_done', ...defined({ field, fields }) });
}

/** Turns any thrown value into a `SwitchboardError`. An unexpected one keeps its detail for the log. */
export function asSwitchboardError(error: unknown): SwitchboardError {
  if (error instanceof SwitchboardError) return error;
  return new SwitchboardError(
    {
      code: 'server_error',
      message: 'Something failed inside Switchboard; the log has the details.',
      effect: 'nothing_more_sent',
      outcome: 'unknown',
    },
    { detail: error instanceof Error ? (error.stack ?? error.message) : String(error), cause: error },
  );
}

/** Thrown by an event feed whose receiving system is down: the event waits, and the attempt does not count. */
export class Unavailable extends Error {}

/**
 * Thrown by the handler of a job that cannot do any job of its kind for a reason that a person can fix, such as an
 * archived channel. No other job of the kind runs until one succeeds, and none is given up.
 */
export class Blocked extends Unavailable {
  override readonly name = 'Blocked';
}

/** Thrown when trying again would do harm or cannot help: the job goes to the dead list at once. */
export class NeedsPerson extends Error {
  override readonly name = 'NeedsPerson';
}

/** The reason of a failure in words: that of its cause, which `fetch` wraps, otherwise its own. */
export function causeOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
