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
