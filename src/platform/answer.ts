import { type ErrorCode, type Failure, SwitchboardError } from '../lib/errors.ts';
import { type Fields, isRecord, MAX_JSON_DEPTH, tooDeep } from '../lib/json.ts';
import { errorStatus, isSuccessWord, memberOf, namesErrors, saysNo, telling } from '../lib/members.ts';
import { numbersIn } from '../lib/number-lists.ts';

import { sentence, visible } from '../lib/text.ts';
import { mapWords, quote, type Words, words } from '../lib/words.ts';

import { isCertain, isRetried, readRetryAfter } from './retry.ts';
import type { Answer } from './types.ts';
import type { Reply } from './wire.ts';

/** Maximum length of the platform's message in an error, in characters. */
const MAX_REASON = 500;
/** Maximum part of an error body that is read, in characters. */
const MAX_ERROR_BODY = 65_536;

/** The call that an error message is about. */
export interface CallContext {
  method: string;
  path: string;
  /** The full URL its token was for. */
  url: string;
  read: boolean;
  /** True for a token request: nothing of the call itself has been sent. */
  forToken?: boolean;
  redact: (text: string, token?: string) => string;
}

/** One attempt that did not succeed. */
export interface FailedAttempt {
  code: ErrorCode;
  /** A description of the failure, as sentences with secrets redacted. Empty if only the status is known. */
  reason: string;
  /** True if `reason` is text of the platform. */
  quoted?: boolean;
  status?: number;
  field?: string;
  transactionLogId?: string;
  retryAfterMs?: number;
  /** True if the platform certainly did nothing. */
  certain: boolean;
  /** True if another attempt may succeed, provided the call may be sent again. */
  again: boolean;
  /** For the log, with secrets redacted. */
  detail: string;
}

export type Result = { answer: Answer } | { failure: FailedAttempt };

/**
 * Turns a reply into an answer or a failure (PLATFORM.md, Errors). `now`: epoch ms.
 * @param read true if the call changes nothing
 */
export function readReply(reply: Reply, now: number, redact: (text: string) => string, read: boolean): Result {
  if (reply.status < 200 || reply.status > 299) return { failure: statusFailure(reply, now, redact) };
  const broken = (reason: string, again = false): Result => ({
    failure: { code: 'server_error', reason, status: reply.status, certain: false, again, detail: reason },
  });
  if (reply.end === 'oversized') return broken('The platform’s answer is larger than 8 MiB and was not read.');
  if (reply.end === 'cut') return broken('The platform’s answer was cut off.', true);
  if (reply.end === 'timeout') {
    const reason = 'The platform’s answer did not end in time.';
    return {
      failure: { code: 'timeout', reason, status: reply.status, certain: false, again: true, detail: reason },
    };
  }
  let body: unknown;
  try {
    body = isSuccessWord(reply.body) ? reply.body.trim() : reply.body.trim() === '' ? {} : parse(reply.body);
  } catch (error) {
    const result = broken(
      tooDeep(reply.body)
        ? `The platform’s answer is nested more than ${MAX_JSON_DEPTH} levels deep and was not read.`
        : 'The platform’s answer is not valid JSON.',
    );
    const start = redact(reply.body.slice(0, 1000)).slice(0, 200);
    if ('failure' in result) result.failure.detail = `${String(error).slice(0, 100)}: ${JSON.stringify(start)}`;
    return result;
  }
  const answer = shape(body, read);
  const failure = failureIn(answer, read, redact);
  return failure === undefined ? { answer } : { failure };
}

/** Lists whose rows have their own state. Answers with one are evaluated per number (gate/verdict.ts). */
const LISTS = ['NumbersChange', 'FailedChange', 'NumbersValid', 'NumbersInvalid', 'Numbers', 'PhoneNumbers', 'To'];

/** The failure in a 200 whose body has a failure flag or is an error body (PLATFORM.md, Errors). */
function failureIn(answer: Answer, read: boolean, redact: (text: string) => string): FailedAttempt | undefined {
  const refused = saysNo(answer);
  const status = errorStatus(answer);
  if (!refused && status === undefined && !namesErrors(answer)) return undefined;
  const records = telling(answer).length > 0;
  // A record returned by a read may have members with these names.
  if (read && !refused && records) return undefined;
  if (!read && LISTS.some((name) => numbersIn(memberOf(answer, name)).length > 0)) return undefined;
  const words = readWords(answer, redact);
  const quoted = words.reason !== '';
  const reason = quoted ? words.reason : 'The platform reported that the call did not succeed.';
  // With both an error and a record, either may be true.
  const certain = refused || (!records && (status === undefined || isCertain(status)));
  const unnamed = refused ? 'refused' : 'bad_request';
  const code = status === undefined ? unnamed : codeOf(status);
  return { ...words, reason, quoted, code, status: 200, certain, again: false, detail: reason };
}

/** The error of a call that failed for good. `maybeDone`: this or an earlier attempt may have done the work. */
export function errorOf(failure: FailedAttempt, call: CallContext, maybeDone: boolean): SwitchboardError {
  const unknown = maybeDone && !call.read && !call.forToken;
  const seconds = failure.retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(failure.retryAfterMs / 1000));
  const isChange = !call.read && !call.forToken;
  const face: Failure = {
    code: failure.code,
    outcome: unknown ? 'unknown' : 'not_done',
    message: mapWords(messageOf(failure, call), call.redact),
    ...(isChange && { effect: unknown ? 'maybe_done' : 'nothing_done' }),
    ...(!unknown && { next: call.redact(nextStep(failure, call, seconds)) }),
    ...(failure.status !== undefined && { status: failure.status }),
    ...(failure.field !== undefined && { field: failure.field }),
    ...(failure.transactionLogId !== undefined && { transactionLogId: failure.transactionLogId }),
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  };
  return new SwitchboardError(face, { detail: call.redact(`${call.method} ${call.path}: ${failure.detail}`) });
}

function messageOf(failure: FailedAttempt, call: CallContext): Words {
  if (failure.reason === '') return generic(failure, call);
  if (failure.quoted !== true) return sentence(failure.reason);
  return words`The platform said: ${quote(sentence(failure.reason))}`;
}

/** JSON.parse without `__proto__` members, which would be dangerous wherever the answer is copied. */
function parse(text: string): unknown {
  if (tooDeep(text)) throw new SyntaxError('nested too deeply');
  if (!/__proto__|\\u00/i.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value));
}

/** Members of an envelope that carry no information if the call succeeded. */
const PLAIN: ReadonlySet<string> = new Set(['message', 'messages', 'statuscode', 'errors', 'error', 'timestamp']);
const FLAGS: ReadonlySet<string> = new Set(['successful', 'success']);

/**
 * Normalises a body: an array becomes `Results`, an envelope its content, null `{}`, and any other scalar `Result`. The
 * envelope of a change keeps its flag, because the content may not say whether the work was done.
 */
function shape(body: unknown, read: boolean): Answer {
  if (body === null || body === undefined) return {};
  if (Array.isArray(body)) return { Results: body };
  if (!isRecord(body)) return { Result: body };
  const keys = Object.keys(body).map((key) => key.toLowerCase());
  if (!keys.includes('data') || !keys.some((key) => key === 'successful' || key === 'success')) return body;
  const data = body.Data ?? body.data ?? memberOf(body, 'Data');
  const failed = saysNo(body) || errorStatus(body) !== undefined || namesErrors(body);
  const others = Object.entries(body).filter(([key]) => {
    const name = key.toLowerCase();
    if (name === 'data') return false;
    return failed || !(PLAIN.has(name) || (read && FLAGS.has(name)));
  });
  const told = others.filter(([key]) => !FLAGS.has(key.toLowerCase()));
  const scalar = data !== null && data !== undefined && typeof data !== 'object';
  if (scalar && told.length > 0) return body;
  // The content of an envelope cannot override the envelope's failure.
  return { ...Object.fromEntries(others), ...shape(data, read), ...(saysNo(body) && { Successful: false }) };
}

function statusFailure(reply: Reply, now: number, redact: (text: string) => string): FailedAttempt {
  const { status } = reply;
  const words = readBody(reply.body.slice(0, MAX_ERROR_BODY), redact);
  const { field, ...others } = words;
  const retryAfterMs = readRetryAfter(reply.headers['retry-after'], now);
  return {
    ...(status === 400 ? words : others),
    quoted: words.reason !== '',
    code: codeOf(status),
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    certain: isCertain(status),
    again: isRetried(status),
    detail: `HTTP ${status} ${words.reason}`,
  };
}

function codeOf(status: number): ErrorCode {
  const codes: Readonly<Record<number, ErrorCode>> = {
    401: 'unauthorized',
    403: 'forbidden',
    404: 'not_found',
    405: 'method_not_allowed',
    408: 'timeout',
    429: 'rate_limited',
    503: 'unavailable',
    504: 'timeout',
  };
  return codes[status] ?? (status >= 400 && status < 500 ? 'bad_request' : 'server_error');
}

/** A field name or an id. Any other text in their place may be a sentence. */
const NAME = /^[\w.[\]$:-]{1,100}$/;

type ErrorBody = Pick<FailedAttempt, 'reason' | 'field' | 'transactionLogId'>;

/** Reads an error body, which is JSON in several shapes or plain text. HTML and empty bodies have no message. */
function readBody(text: string, redact: (text: string) => string): ErrorBody {
  let body: unknown;
  try {
    body = parse(text);
  } catch {
    body = /^\s*</.test(text) ? '' : text;
  }
  if (isRecord(body)) return readWords(body, redact);
  return plain(typeof body === 'string' ? body : '', redact);
}

/** `{StatusCode, Message}`, or a validation object with StatusMessage and perhaps `errors` by field. */
function readWords(body: Fields, redact: (text: string) => string): ErrorBody {
  const texts = ['Message', 'StatusMessage', 'ErrorMessage', 'title'].map((name) => memberOf(body, name));
  const text = texts.find((one) => typeof one === 'string' && one.trim() !== '');
  const words = plain(typeof text === 'string' ? text : '', redact);
  const id = memberOf(body, 'TransactionLogId');
  const errors = memberOf(body, 'Errors');
  const field = words.field ?? (isRecord(errors) ? Object.keys(errors).find((name) => NAME.test(name)) : undefined);
  return {
    ...words,
    ...(field !== undefined && { field: redact(field) }),
    ...(typeof id === 'string' && NAME.test(id) && { transactionLogId: redact(id) }),
  };
}

function plain(raw: string, redact: (text: string) => string): ErrorBody {
  const text = raw.slice(0, MAX_ERROR_BODY);
  const found = logIdIn(text);
  const rest = found === undefined ? text : text.slice(0, found.at);
  const reason = redact(clean(redact(rest)));
  const field = fieldIn(reason);
  return {
    reason: reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON - 1)}…` : reason,
    ...(field !== undefined && { field }),
    ...(found !== undefined && found.id !== '' && { transactionLogId: redact(found.id) }),
  };
}

const LOG_ID = 'TransactionLogId';

/**
 * The TransactionLogId line at the end of business errors (PLATFORM.md, Reactivation), and where it begins. Only the
 * last one counts. It is searched from the end, without a pattern that could backtrack over the spaces of a long body.
 */
function logIdIn(text: string): { at: number; id: string } | undefined {
  const body = text.trimEnd();
  let last = -1;
  for (const { index } of body.matchAll(/TransactionLogId/gi)) last = index;
  if (last < 0 || (last > 0 && /\S/.test(body.charAt(last - 1)))) return undefined;
  const id = /^[:=]?\s*([\w.-]{0,100})$/.exec(body.slice(last + LOG_ID.length).trim())?.[1];
  return id === undefined ? undefined : { at: last, id };
}

/** The field a validation message names: `The X field is required`, "X" in quotes, `X required`, `Invalid X`. */
function fieldIn(reason: string): string | undefined {
  const forms = [
    /\bthe ['"]?([A-Za-z][\w.]{0,60})['"]? field\b/i,
    /(?:^|[\s(:])['"‘“]([A-Za-z][\w.]{0,60})['"’”]/,
    /\b([A-Z][a-z]+[A-Z]\w{0,60}) (?:is )?required\b/,
    /\bInvalid ([A-Z][a-z]+[A-Z]\w{0,60})\b/,
  ];
  for (const form of forms) {
    const name = form.exec(reason)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** One line: control and direction characters become spaces, and other invisible characters are made visible. */
function clean(text: string): string {
  return visible(text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069\s]+/gu, ' ').trim());
}

function generic(failure: FailedAttempt, call: CallContext): string {
  switch (failure.code) {
    case 'bad_request':
      return `The platform refused the request (HTTP ${failure.status}).`;
    case 'unauthorized':
      return 'The platform did not accept the access token.';
    case 'forbidden':
      return 'The platform did not permit the call.';
    case 'not_found':
      return 'The platform did not find what was asked for.';
    case 'method_not_allowed':
      return `The platform does not accept ${call.method} at ${call.path}.`;
    case 'rate_limited':
      return 'The platform’s rate limit is exceeded.';
    case 'unavailable':
      return 'The platform is temporarily unavailable.';
    case 'timeout':
      return `The platform did not finish in time${failure.status === undefined ? '' : ` (HTTP ${failure.status})`}.`;
    default:
      return `The platform failed (HTTP ${failure.status}).`;
  }
}

/** The next step after a refusal. A carrier's may have no correction, and no document says which one has. */
export const AFTER_REFUSAL = 'Try again only if what it names can be corrected; otherwise ask the platform’s support.';

/** The next step for the reader, after a call that did nothing. */
function nextStep(failure: FailedAttempt, call: CallContext, seconds: number | undefined): string {
  switch (failure.code) {
    case 'bad_request':
    case 'refused':
      if (call.forToken)
        return 'No access token was given: check PLATFORM_ACCOUNT_KEY, PLATFORM_ACCOUNT_SECRET and PLATFORM_BASE_URL.';
      return failure.code === 'refused' ? AFTER_REFUSAL : 'Correct the input and try again.';
    case 'unauthorized':
      return call.forToken
        ? 'The platform does not know these credentials: check PLATFORM_ACCOUNT_KEY and PLATFORM_ACCOUNT_SECRET.'
        : 'Check the credentials, and that the account may use the platform.';
    case 'forbidden':
      return call.forToken
        ? 'No access token was given: ask the platform which permissions the account has.'
        : `The token was for ${call.url}; usually its scope does not match the address called. Check PLATFORM_BASE_URL and the account’s permissions.`;
    case 'not_found':
      return call.forToken ? 'Check PLATFORM_BASE_URL.' : 'It does not exist or belongs to another account.';
    case 'method_not_allowed':
      return 'Check PLATFORM_BASE_URL and the version of Switchboard.';
    case 'rate_limited':
      return `Try again in ${seconds === undefined ? 'a minute' : `${seconds} s`}.`;
    case 'network':
      return 'Check PLATFORM_BASE_URL and the network, then try again.';
    default:
      return `Try again${seconds === undefined ? ' later' : ` in ${seconds} s`}.`;
  }
}
