import type { Failure } from '../lib/errors.ts';
import { OversizedAnswer } from '../lib/proxies.ts';

/** Thrown when the model sends nothing for too long. */
export class Silence extends Error {
  override readonly name = 'Silence';
}

/** Thrown when an answer ends without its end mark. */
export class CutAnswer extends Error {
  override readonly name = 'CutAnswer';
}

const ADMINISTRATOR = 'An administrator can check the ASSISTANT_ settings with switchboard doctor.';

/**
 * The failure of a model for the writer, in one sentence. The texts of the endpoint are left out, because they may repeat
 * the key or the conversation.
 */
export function modelFailure(error: unknown): Failure {
  const status = statusOf(error);
  if (error instanceof Silence) return failure('timeout', 'The model did not answer in time.');
  if (isOversized(error))
    return failure('server_error', "The model's endpoint sent more than can be read.", ADMINISTRATOR);
  if (error instanceof CutAnswer) return failure('network', "The model's answer was cut off.");
  if (status === 401 || status === 403)
    return failure('unauthorized', "The model's endpoint does not accept the key.", ADMINISTRATOR);
  if (status === 404) return failure('not_found', "The model's endpoint does not have this model.", ADMINISTRATOR);
  if (status === 429)
    return failure('rate_limited', "The model's endpoint takes no more requests at the moment.", 'Try again later.');
  if (status !== undefined && status >= 500)
    return failure('server_error', "The model's endpoint failed.", 'Try again later.');
  if (status !== undefined && status >= 400)
    return failure('bad_request', "The model's endpoint refused the request.", ADMINISTRATOR);
  if (nameOf(error) === 'AI_TypeValidationError' || nameOf(error) === 'AI_JSONParseError')
    return failure('server_error', "The model's endpoint sent something that is not an answer.");
  return failure('network', 'The model cannot be reached.', ADMINISTRATOR);
}

/** Names the kind of failure in the metrics and the log, without any text of the endpoint. */
export function failureKind({ code }: Failure): string {
  return code;
}

function failure(code: Failure['code'], message: string, next?: string): Failure {
  return { code, message, outcome: 'not_done', ...(next !== undefined && { next }) };
}

/** The HTTP status that an error of the library carries; undefined if no answer came. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('statusCode' in error && typeof error.statusCode === 'number')
    return error.statusCode === 200 ? undefined : error.statusCode;
  // An error inside a stream that began well.
  if ('type' in error && error.type === 'overloaded_error') return 529;
  return undefined;
}

/** The library wraps an error that ends an answer. */
function isOversized(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof OversizedAnswer || isOversized(error.cause);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}
