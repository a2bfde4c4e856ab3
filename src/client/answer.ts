import { type ErrorCode, type ErrorFace, SwitchboardError } from '../errors.ts';
import type { Answer } from '../platform/types.ts';

/** What came back, before anybody judged it. */
export interface Raw {
  status: number;
  body: string;
  retryAfter: string | undefined;
}

const NEXT_STEP: Partial<Record<ErrorCode, string>> = {
  bad_request: 'Correct it and try again.',
  unauthorized:
    'The platform did not accept our token; an administrator should check PLATFORM_ACCOUNT_KEY and PLATFORM_ACCOUNT_SECRET.',
  not_found: 'It does not exist or belongs to another account.',
  method_not_allowed: 'This is a fault of Switchboard; please report it.',
  timeout: 'The platform did not answer in time.',
  rate_limited: 'The request limit is used up; try again later.',
  server_error: 'The platform failed.',
  unavailable: 'The platform is not available at the moment; try again later.',
  network: 'The platform could not be reached or the connection was cut.',
};

/** platform.md, Errors. */
export function codeOf(status: number): ErrorCode {
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
      return 'not_found';
    case 405:
      return 'method_not_allowed';
    case 408:
    case 504:
      return 'timeout';
    case 429:
      return 'rate_limited';
    case 503:
      return 'unavailable';
    default:
      return status >= 500 ? 'server_error' : 'bad_request';
  }
}

/** `Retry-After` as seconds from now; it comes as seconds or as an HTTP date. */
export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

export interface Told {
  /** Was it a call that changes something, and may it have been done? */
  outcome: ErrorFace['outcome'];
  /** The URL the token was for, to explain a 403. */
  endpoint: string;
  redact: (text: string) => string;
  now: number;
}

/** An answer that is no success, as the one clear error. */
export function refusal(raw: Raw, told: Told): SwitchboardError {
  const code = codeOf(raw.status);
  const said = platformWords(raw.body);
  const seconds = retryAfterSeconds(raw.retryAfter, told.now);
  const next =
    code === 'forbidden'
      ? `The token is scoped to ${told.endpoint}, and the platform refuses it there: a scope mismatch, or the account may not use this endpoint.`
      : (NEXT_STEP[code] ?? '');
  return new SwitchboardError(
    {
      code,
      message: told.redact(compose(said.message, next, told.outcome)),
      outcome: told.outcome,
      status: raw.status,
      ...(said.field === undefined ? {} : { field: said.field }),
      ...(said.transactionLogId === undefined ? {} : { transactionLogId: said.transactionLogId }),
      ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    },
    { detail: told.redact(`${raw.status} ${raw.body.slice(0, 1000)}`) },
  );
}

/** A connection that failed, or an answer that never came. */
export function noAnswer(code: 'network' | 'timeout', detail: string, told: Told): SwitchboardError {
  return new SwitchboardError(
    { code, message: compose('', NEXT_STEP[code] ?? '', told.outcome), outcome: told.outcome },
    { detail: told.redact(detail) },
  );
}

/**
 * A 2xx body as the record it holds: `{Successful, Data}` is unwrapped, a bare array becomes `{ Results }`,
 * `Successful: false` is a failure (gaps.md, Successful). What cannot be read of a change is an unknown outcome.
 */
export function success(raw: Raw, told: Told): Answer {
  if (raw.body.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(raw.body, (key, member) => (key === '__proto__' ? undefined : member));
  } catch (error) {
    throw new SwitchboardError(
      {
        code: 'server_error',
        message: compose('', 'The platform answered with something that is not JSON.', told.outcome),
        outcome: told.outcome,
        status: raw.status,
      },
      { detail: told.redact(raw.body.slice(0, 500)), cause: error },
    );
  }
  if (Array.isArray(value)) return { Results: value };
  if (value === null || typeof value !== 'object') return { Result: value };
  const record = value as Record<string, unknown>;
  const flag = record.Successful ?? record.successful;
  if (flag === false || flag === 'false') {
    const said = platformWords(raw.body);
    throw new SwitchboardError({
      code: 'bad_request',
      message: told.redact(compose(said.message, 'The platform says it was not successful.', 'not_done')),
      outcome: 'not_done',
      status: raw.status,
      ...(said.transactionLogId === undefined ? {} : { transactionLogId: said.transactionLogId }),
    });
  }
  const data = record.Data;
  const envelope = Object.keys(record).every((key) => ['Successful', 'successful', 'Data', 'Message'].includes(key));
  if (envelope && flag !== undefined && data !== undefined) {
    if (Array.isArray(data)) return { Results: data };
    if (data !== null && typeof data === 'object') return data as Answer;
  }
  return record;
}

interface Words {
  message: string;
  field?: string;
  transactionLogId?: string;
}

/** The sentence in an error body, whichever of the platform's shapes it has (platform.md, Errors; Reactivation rules). */
export function platformWords(body: string): Words {
  const words = /^\s*[{["]/.test(body) ? fromJson(body) : undefined;
  const text = words?.message ?? (/^\s*</.test(body) ? '' : body);
  const log = /^\s*TransactionLogId\s*[:=]?\s*(\S+)\s*$/im.exec(text);
  const message = (log ? text.replace(log[0], ' ') : text)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .slice(0, 500);
  const id = log?.[1] ?? words?.transactionLogId;
  const field = words?.field ?? /\b(?:The )?['"`]?([A-Z][A-Za-z0-9]+)['"`]? (?:field )?is required/.exec(message)?.[1];
  return { message, ...(field === undefined ? {} : { field }), ...(id === undefined ? {} : { transactionLogId: id }) };
}

function fromJson(body: string): Words | undefined {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'string') return { message: value };
    if (value === null || typeof value !== 'object') return undefined;
    const record = value as Record<string, unknown>;
    const said = [record.Message, record.StatusMessage, record.message, record.title, record.ErrorMessage].find(
      (member) => typeof member === 'string' && member !== '',
    );
    const [field, problems] =
      Object.entries((record.errors ?? record.Errors ?? {}) as Record<string, unknown>)[0] ?? [];
    const detail = Array.isArray(problems) ? String(problems[0]) : '';
    const id = record.TransactionLogId;
    return {
      message: [typeof said === 'string' ? said : '', detail].filter(Boolean).join(' '),
      ...(field === undefined ? {} : { field }),
      ...(typeof id === 'string' ? { transactionLogId: id } : {}),
    };
  } catch {
    // Not JSON after all: it is read as plain text.
    return undefined;
  }
}

function compose(said: string, next: string, outcome: ErrorFace['outcome']): string {
  const first = said === '' || /[.!?]$/.test(said) ? said : `${said}.`;
  const last = outcome === 'unknown' ? 'It may have been done: check before trying again.' : '';
  return [first, next, last].filter(Boolean).join(' ');
}
