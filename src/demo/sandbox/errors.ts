/** An error answer in the platform's one shape, `{StatusCode, Message}` (PLATFORM.md, Errors). */
export class ApiError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** A reactivation's business error: plain text, closed by a TransactionLogId line (PLATFORM.md, Reactivation). */
export class PlainTextError extends ApiError {}

/** A reactivation's validation error: a JSON object with StatusMessage (PLATFORM.md, Reactivation). */
export class ValidationObjectError extends ApiError {}

/** 400 that names the field. */
export function badField(field: string, problem: string): ApiError {
  return new ApiError(400, `${field} ${problem}`);
}

/** 400 for an unknown reference in a body, such as `Invalid AccountId`. */
export function badReference(field: string): ApiError {
  return new ApiError(400, `Invalid ${field}`);
}

/** 404 for the record acted on, or one named in a query. */
export function notFound(what: string): ApiError {
  return new ApiError(404, `${what} not found`);
}
