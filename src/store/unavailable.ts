import { SwitchboardError } from '../lib/errors.ts';

/** The database is away, full or too slow. Callers that had already sent something say so in their own error. */
export function storeUnavailable(cause: unknown): SwitchboardError {
  return new SwitchboardError(
    {
      code: 'unavailable',
      message: 'The database of Switchboard is not available right now.',
      effect: 'nothing_done',
      next: 'Try again in a moment.',
      outcome: 'not_done',
    },
    { detail: `database: ${cause instanceof Error ? cause.message : String(cause)}`, cause },
  );
}

/** True for an error made by `storeUnavailable`. */
export function isStoreUnavailable(error: unknown): error is SwitchboardError {
  return (
    error instanceof SwitchboardError &&
    error.face.code === 'unavailable' &&
    (error.detail ?? '').startsWith('database: ')
  );
}

/** Reads records that only add to an answer. Resolves to `otherwise` while the database is away. */
export async function readOrElse<T, O>(reading: Promise<T>, otherwise: O): Promise<T | O> {
  try {
    return await reading;
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    return otherwise;
  }
}

/** The log level of a failure. The store logs once that the database is away, so that what fails with it need not. */
export function levelOf<L>(error: unknown, level: L): L | 'debug' {
  return isStoreUnavailable(error) ? 'debug' : level;
}
