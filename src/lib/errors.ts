import { defined } from './json.ts';

/** The codes of failures, the same on every surface. */
export type ErrorCode =
  | 'invalid_input'
  | 'not_confirmed'
  | 'forbidden_by_role'
  | 'bad_request'
  | 'refused'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'timeout'
  | 'rate_limited'
  | 'server_error'
  | 'unavailable'
  | 'network';

/** A failure as every surface shows it. `outcome` says whether the platform may have done the work. */
export interface ErrorFace {
  code: ErrorCode;
  message: string;
  outcome: 'not_done' | 'unknown';
  /** Of `not_confirmed`: a person said no, nobody decided in time, or the question was withdrawn. */
  reason?: 'declined' | 'expired' | 'cancelled';
  status?: number;
  field?: string;
  transactionLogId?: string;
  retryAfterSeconds?: number;
}

/**
 * The error that all modules share. `message` is a sentence for the reader, with the next step. `detail` is for the log
 * only. Neither holds a secret: texts are redacted before an error is created.
 */
export class SwitchboardError extends Error {
  override readonly name = 'SwitchboardError';
  readonly face: ErrorFace;
  readonly detail: string | undefined;

  constructor(face: ErrorFace, options: { detail?: string; cause?: unknown } = {}) {
    super(face.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.face = face;
    this.detail = options.detail;
  }
}

const ORDINARY: readonly ErrorFace['code'][] = [
  'invalid_input',
  'not_confirmed',
  'forbidden_by_role',
  'bad_request',
  'refused',
  'not_found',
];

/** The log level of a failure: a refusal by the platform is ordinary, everything else is an error. */
export function severity({ code, outcome }: ErrorFace): 'info' | 'error' {
  return outcome === 'not_done' && ORDINARY.includes(code) ? 'info' : 'error';
}

/** An invalid input: nothing was sent. */
export function invalidInput(field: string | undefined, message: string): SwitchboardError {
  return new SwitchboardError({
    code: 'invalid_input',
    message,
    outcome: 'not_done',
    ...defined({ field }),
  });
}

/** Turns any thrown value into a `SwitchboardError`. An unexpected one keeps its detail for the log. */
export function asSwitchboardError(error: unknown): SwitchboardError {
  if (error instanceof SwitchboardError) return error;
  return new SwitchboardError(
    {
      code: 'server_error',
      message: 'Something failed inside Switchboard; the log has the details. Nothing more was sent.',
      outcome: 'unknown',
    },
    { detail: error instanceof Error ? (error.stack ?? error.message) : String(error), cause: error },
  );
}

/** Thrown by an event feed whose other side is down: the event waits, and the attempt does not count. */
export class Unavailable extends Error {}

/**
 * Thrown by an event feed that cannot show any event for a reason that a person can fix, such as an archived channel. No
 * event is handled until a probe succeeds, and none is given up.
 */
export class Blocked extends Error {
  override readonly name = 'Blocked';
}

/** Thrown when trying again would do harm or cannot help: the event goes to the dead-letter list at once. */
export class NeedsPerson extends Error {
  override readonly name = 'NeedsPerson';
}
