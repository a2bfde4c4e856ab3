import { type Fields, isRecord } from '../../lib/json.ts';
import { visible } from '../../lib/text.ts';
import { memberOf, parseJson } from './readings.ts';

/* The content of an error body: the message, the field and the TransactionLogId (PLATFORM.md, Errors). */

/** Maximum length of the platform's message in an error, in characters. */
const MAX_REASON = 500;
/** Maximum part of an error body that is read, in characters. */
const MAX_BODY = 65_536;

/** A field name or an id. Any other text in their place may be a sentence. */
const NAME = /^[\w.[\]$:-]{1,100}$/;

/** The platform's words about a failure, with secrets redacted. */
export interface ErrorBody {
  /** One line; empty if the body has no message. */
  reason: string;
  /** The field that a validation message names. */
  field?: string;
  transactionLogId?: string;
}

/** Reads an error body, which is JSON in several shapes or plain text. HTML and empty bodies have no message. */
export function readErrorBody(given: string, redact: (text: string) => string): ErrorBody {
  const text = given.slice(0, MAX_BODY);
  let body: unknown;
  try {
    body = parseJson(text);
  } catch {
    body = /^\s*</.test(text) ? '' : text;
  }
  if (isRecord(body)) return readErrorMembers(body, redact);
  return plain(typeof body === 'string' ? body : '', redact);
}

/** `{StatusCode, Message}`, or a validation object with StatusMessage and perhaps `errors` by field. */
export function readErrorMembers(body: Fields, redact: (text: string) => string): ErrorBody {
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
  const text = raw.slice(0, MAX_BODY);
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
