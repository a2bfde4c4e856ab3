import { DAY_MS, dateFormat, MINUTE_MS } from '../../lib/clock.ts';
import {
  type Fields,
  isRecord,
  type Part,
  parseExact,
  partsOf,
  pathOf,
  plainLine,
  scalarText,
  tooDeep,
  visible,
  type Words,
  words,
} from '../../lib/values.ts';
import { quoted } from './phone.ts';

/*
 * Reads the values and the members of the platform's answers, which come in several spellings: first single values, then
 * members by name, then the reason of a failure, then a whole body.
 *
 * Values are compared before a person is asked, so one that cannot be read is undefined instead of a guess.
 */

const ON = new Set(['true', '1', 'y', 'yes', 'on']);
const OFF = new Set(['false', '0', 'n', 'no', 'off']);

/** True or false in any spelling; undefined if it cannot be read. */
export function readFlag(value: unknown): boolean | undefined {
  if (typeof value !== 'boolean' && typeof value !== 'number' && typeof value !== 'string') return undefined;
  const word = String(value).trim().toLowerCase();
  return ON.has(word) ? true : OFF.has(word) ? false : undefined;
}

/**
 * A list of texts, also as JSON or separated by commas in one text. Null and '' are empty. Undefined if it is missing
 * or cannot be read.
 */
export function readTexts(value: unknown): string[] | undefined {
  if (value === null || value === '') return [];
  if (typeof value === 'string')
    return /^\s*\[/.test(value) ? readTexts(jsonIn(value) ?? {}) : value.split(/[\s,;]+/).filter((one) => one !== '');
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((one: unknown) => (isRecord(one) ? one.Number : one));
  return texts.every((one) => typeof one === 'string' || typeof one === 'number') ? texts.map(String) : undefined;
}

/** The value of a JSON text; undefined if it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * True if `given` leaves `now` as it is. Members that an object leaves out keep their values. A value that the record
 * does not show is never the same.
 */
export function isSame(given: unknown, now: unknown): boolean {
  if (given === null || given === '') return now === null || now === '';
  if (typeof given === 'boolean') return readFlag(now) === given;
  if (Array.isArray(given)) {
    // A list whose entries are not texts, such as rows, never counts as the same.
    const [next, present] = [readTexts(given), readTexts(now)].map((texts) => texts && new Set(texts));
    return next !== undefined && next.size === present?.size && [...next].every((one) => present.has(one));
  }
  if (isRecord(given))
    return (
      isRecord(now) && Object.entries(given).every(([name, value]) => value === undefined || isSame(value, now[name]))
    );
  if (now === undefined) return false;
  // A letter with its accent is the same text as the two characters.
  const [a = '', b = ''] = [given, now].map((value) => String(value).normalize('NFC'));
  if (a === b) return true;
  // Prices are sent as strings and returned as numbers. A code with a leading zero is no number.
  const isNumber = [typeof given, typeof now].includes('number') && !/^\s*0\d/.test(a);
  return isNumber && a.trim() !== '' && b.trim() !== '' && Number(a) === Number(b);
}

/** Prefixes of one kind of record in one field, by the one that calls are compared with (tools/PLATFORM.md, Identifiers). */
const ONE_PREFIX: Readonly<Record<string, string>> = {
  TNID: 'NID',
  PKID: 'PID',
  PRID: 'PID',
  JNOID: 'JNUOID',
  TNOID: 'JNUOID',
  TCID: 'JCID',
  WG: 'WID',
};

/** An id without letter case and with one prefix, and the serial of a SIM without filling: two spellings are compared so. */
export function oneSpelling(text: string): string {
  const [, prefix = '', id] = /^([a-z]{2,7})-([\w.-]+)$/i.exec(text.trim()) ?? [];
  const kind = prefix.toUpperCase();
  return id === undefined ? text.replace(/^(\d{18,20})f$/i, '$1') : `${ONE_PREFIX[kind] ?? kind}-${id.toLowerCase()}`;
}

/** An id with each prefix of its kind of record, as it may have been written. Any other text is the only spelling. */
export function spellings(text: string): string[] {
  const [prefix = '', ...rest] = text.split('-');
  const one = ONE_PREFIX[prefix] ?? prefix;
  const others = Object.keys(ONE_PREFIX).filter((other) => ONE_PREFIX[other] === one);
  return [...new Set([text, ...[one, ...others].map((other) => [other, ...rest].join('-'))])];
}

/* Reads members of a platform response by name, in any letter case, and the members that report success or failure. */

/** Members that say whether a call succeeded, beside a state in words (PLATFORM.md, Errors). */
const FLAGS: readonly string[] = ['successful', 'success', 'issuccess', 'issuccessful'];

/** The values of every member with this name in any letter case; null counts as absent. */
export function valuesOf(record: Fields, name: string): unknown[] {
  const wanted = name.toLowerCase();
  const keys = Object.keys(record).filter((key) => key.length === wanted.length && key.toLowerCase() === wanted);
  return keys.map((key) => record[key]).filter((value) => value !== null && value !== undefined);
}

/** The member with this name in any letter case, the exact spelling first; undefined where it is absent or null. */
export function memberOf(record: Fields, name: string): unknown {
  return record[name] ?? valuesOf(record, name)[0];
}

/** True if a flag reports failure. */
export function saysNo(record: Fields): boolean {
  return hasFlag(record, false);
}

/** True if a flag reports failure, and another flag or a status reports success. */
export function saysBoth(record: Fields): boolean {
  if (!saysNo(record)) return false;
  return hasFlag(record, true) || statusesOf(record).some((status) => isSuccess(status));
}

/** True for a state that means success in every operation. */
export function isSuccess(state: unknown): boolean {
  return typeof state === 'string' && /^(success(ful)?|succeeded|completed?|done|ok)[.!]?$/i.test(state.trim());
}

/** The flags of an answer, as they are: `{ Successful: true }`. */
export function flagsOf(record: Fields): [string, unknown][] {
  return Object.entries(record).filter(([key]) => FLAGS.includes(key.toLowerCase()));
}

/** True if a flag, or the plain word `success`, reports success and no flag reports failure. */
export function saysYes(record: Fields): boolean {
  if (saysNo(record)) return false;
  return isSuccessWord(record.Result) || hasFlag(record, true);
}

function hasFlag(record: Fields, meaning: boolean): boolean {
  return flagsOf(record).some(([, value]) => readFlag(value) === meaning);
}

/** True for a body that is only the word `success` (PLATFORM.md, Message route; Workgroups). */
function isSuccessWord(body: unknown): boolean {
  return typeof body === 'string' && body.length < 100 && /^(success|successful)[.!]?$/i.test(body.trim());
}

/**
 * The values of every member that is a status by its name (`Status`, `CancelStatus`). A previous status does not count.
 */
export function statusesOf(record: Fields): unknown[] {
  return Object.entries(record).flatMap(([key, value]) => (STATUS.test(key) ? [value] : []));
}

/** The name of a value that a record had before. */
const PREVIOUS = /^(previous|former|prior|old|last)/i;
const STATUS = /^(?!previous|former|prior|old|last).*status$/i;

/** The status of an error body (PLATFORM.md, Errors: `StatusCode`), 400 or more; undefined if it is not an error. */
export function errorStatus(record: Fields): number | undefined {
  return valuesOf(record, 'StatusCode')
    .map((value) => Number(value))
    .find((status) => status >= 400 && status <= 599);
}

/** True if `Errors` is not empty, as in a validation error (PLATFORM.md, Errors). */
export function namesErrors(record: Fields): boolean {
  return valuesOf(record, 'Errors').some((errors) => {
    if (Array.isArray(errors)) return errors.length > 0;
    if (isRecord(errors)) return Object.keys(errors).length > 0;
    return typeof errors === 'string' ? errors.trim() !== '' : typeof errors === 'number' && errors > 0;
  });
}

/** Members of the envelope around a record. They do not show that work was done. */
const AROUND: ReadonlySet<string> = new Set(
  [...FLAGS, 'StatusCode', 'Message', 'Messages', 'StatusMessage', 'Error', 'Errors', 'ErrorMessage', 'ErrorCode']
    .concat(['Type', 'Title', 'Detail', 'TraceId', 'Instance', 'TransactionLogId', 'Timestamp', 'Data', 'Warning'])
    .map((name) => name.toLowerCase()),
);

/** The members that have a value and are not part of the envelope. */
export function telling(record: Fields): [string, unknown][] {
  const isTold = (value: unknown) => value !== null && value !== undefined;
  return Object.entries(record).filter(([key, value]) => isTold(value) && !AROUND.has(key.toLowerCase()));
}

/* The states that mean that work was not done, and the reason that the platform gives. */

/** Maximum length of a reason, a state or a name in a result, in characters. A card can show this much. */
export const MAX_REASON = 300;
/**
 * Prefixes of states that mean that the work was not done, in any letter case (PLATFORM.md, Cancellation: `Failed`;
 * Orders: `Rejected`; assumed: the other words, and that more text may follow).
 */
const FAILED =
  /^(fail(?!over)|error|unsuccess|refus|reject|declin|den(y|ied)\b|not\b|unable|invalid|abort|undeliver|exception|expired|timed? ?out|incomplete|ineligible|unprocess|impossible|cannot|can.?t\b|could ?n|forbidden|unauthori|void(ed)?\b|(no|ko|nok)[.!]?$)/i;
/** States of a message that the carrier did not deliver. */
export const NOT_DELIVERED = /fail|undeliver|reject|expired/i;
/** Words that mean a failure wherever they are in a text (assumed). */
const FAILURE_WORD =
  /\b(fail(s|ed|ures?|ing)?|errors?|reject(s|ed|ion)?|refus(es|ed|al)|declin(es|ed)|denied|unable|unsuccessful(ly)?|invalid|could ?n.?t|could not|cannot|can.t|exception|abort(s|ed)?|ineligible|impossible|not found|no changes? (was|were) made|nothing (was|has been) (changed|updated|done)|insufficient|not (permitted|allowed|authori[sz]ed)|(was|were|is|are|been|did|does|has|have) not (?!yet|charged|been charged|billed|needed|required|affected))\b/i;
/** Phrases that begin or read like a failure and report none. */
const HARMLESS =
  /\bnot (throttled|limited|set|applicable|required|charged|billed)\b|\b(no|without|without any|zero|0) (limits?|errors?|failures?|issues?|problems?|rejections?)\b|\b(not|never|not have) failed\b/gi;

/** True for a state that begins like a failure. */
export function startsAsFailed(state: string): boolean {
  return FAILED.test(spaced(state));
}

/** True for a text that reports a failure: a state, or a sentence about one. */
function isFailureText(text: string): boolean {
  const plain = spaced(text.slice(0, MAX_TEXT));
  return FAILED.test(plain) || FAILURE_WORD.test(plain);
}

/** The words of a text without its harmless phrases: `NOT_DONE` and `NotDone` are "NOT DONE" and "Not Done". */
function spaced(text: string): string {
  const parts = text.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[\s_-]+/g, ' ');
  return parts.replace(HARMLESS, '').trim();
}

/** Maximum part of a text that is searched for a failure, in characters. */
const MAX_TEXT = 2000;

/** True for a state in which nothing was done, by its words or because the operation lists it. */
export function isFailedState(word: string, shape: AnswerShape): boolean {
  return (
    startsAsFailed(word) || (shape.refusedStates ?? []).some((state) => state.toLowerCase() === word.toLowerCase())
  );
}

/** The reason in an answer or in a row of it; empty if there is none. */
export function reasonOf(row: Fields): string {
  const text = ['Reason', 'ErrorMessage', 'Error', 'StatusMessage', 'OrderStatusMessage', 'Message']
    .map((name) => memberOf(row, name))
    .find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof text === 'string' ? plainLine(text, MAX_REASON) : '';
}

/* The body of an answer: its JSON, and the record inside the envelope (PLATFORM.md, Errors). */

/**
 * The value of a body. An empty one is undefined, and the plain word `success` stays a text. Throws for any other text.
 */
export function parseBody(text: string): unknown {
  if (isSuccessWord(text)) return text.trim();
  return text.trim() === '' ? undefined : parseJson(text);
}

/**
 * Parses JSON without `__proto__` members, which would be dangerous wherever the answer is copied, and with every digit of
 * long integers.
 */
function parseJson(text: string): unknown {
  if (tooDeep(text)) throw new SyntaxError('nested too deeply');
  if (!/__proto__|\\u00/i.test(text)) return parseExact(text);
  return parseExact(text, (key, value) => (key === '__proto__' ? undefined : value));
}

/** Members of an envelope that carry no information if the call succeeded. */
const PLAIN: ReadonlySet<string> = new Set(['message', 'messages', 'statuscode', 'errors', 'error', 'timestamp']);
const ENVELOPE_FLAGS: ReadonlySet<string> = new Set(['successful', 'success']);

/**
 * Normalises a body: an array becomes `Results`, an envelope its content, null `{}`, and any other scalar `Result`. The
 * envelope of a change keeps its flag, because the content may not say whether the work was done.
 */
export function unwrapped(body: unknown, read: boolean): Fields {
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
    return failed || !(PLAIN.has(name) || (read && ENVELOPE_FLAGS.has(name)));
  });
  const told = others.filter(([key]) => !ENVELOPE_FLAGS.has(key.toLowerCase()));
  const scalar = data !== null && data !== undefined && typeof data !== 'object';
  if (scalar && told.length > 0) return body;
  // The content of an envelope cannot override the envelope's failure.
  return { ...Object.fromEntries(others), ...unwrapped(data, read), ...(saysNo(body) && { Successful: false }) };
}

/**
 * The members of an answer that say whether the work was done; the defaults are those of the cancel flow (PLATFORM.md,
 * Cancellation). Lists whose rows have a state (`Numbers`, `PhoneNumbers`, `To`) are read even if they are not named.
 */
export interface AnswerShape {
  /** The member with the state of the work; `Status` by default. */
  status?: string;
  /** States other than `Failed` and similar words in which nothing was done. */
  refusedStates?: readonly string[];
  /** The states that mean success, if the documents name them: any other state leaves the outcome open. */
  success?: readonly string[];
  /** The documents show a success without a body. */
  bare?: true;
  /** Every number asked for is in one of the two lists. */
  listed?: true;
  /** Members of the answer that the card of a done call leaves out; the answer itself has them. */
  aside?: readonly string[];
  /** The member with the last day on which what was done can be undone, and the sentence about it. */
  undo?: { until: string; says: (day: string) => string };
  /** The member that lists the completed work; `NumbersChange` by default. */
  changed?: string;
  /** The member that lists the failed work; `FailedChange` by default. `NumbersInvalid` is always read. */
  failed?: string;
  /** The member with one row for each number. */
  rows?: string;
  /** True if the answer of this call names new numbers: a swap. */
  renumbers?: (input: Fields) => boolean;
  /** The date on which a success takes effect, in the spelling of the input; undefined if the answer shows its effect. */
  scheduled?: (input: Fields, now: Date, answer: Fields) => string | undefined;
  /** The work that a success leaves undone, for the first stage of a change: "nothing is cancelled yet". */
  leaves?: string;
  /** The word for a success that only starts work which goes on: "Started". */
  begins?: string;
  /**
   * The state of what a done call set, in words: "The PIN is in force". It replaces the state of the answer, which is
   * that of the platform's own order.
   */
  stands?: (answer: Fields) => string;
  /** True if it came to nothing, such as a text that the carrier did not deliver. */
  isLost?: (answer: Fields) => boolean;
  /** "cancelled" in "2 of 3 numbers cancelled". */
  verb?: string | ((input: Fields) => string);
  /** "number" in "2 of 3 numbers cancelled". */
  noun?: string;
}

/*
 * Finds the members of an answer to a change that say that the work was not done, under any name. The members that the
 * caller sent are data, so their texts do not count.
 */

/** A member whose name says that it describes a failure: `ErrorMessage`, `RejectedNumbers`, `FailedCount`. */
const FAILURE_NAME =
  /fail(?!over)|error|reject|refus|declin|denied|invalid|unsuccess|exception|problem|^(not|un)(changed|updated|done|processed|applied|found|sent)|^skipped/i;
/** A flag that says whether the work was done, beside those that every body has (`Successful`). */
const DONE_FLAG = /^(is|was)?(ok|okay|done|completed?|processed|accepted|executed|applied|performed|valid|succeeded)$/i;
/** The flags of every body, in a row of it. */
const ROW_FLAG = /^(is|was)?success(ful|ful?ly)?$/i;
/** A count of what was done. */
const DONE_COUNT = /^(updated|changed|affected|processed|created|applied|sent)(count|rows|records|numbers)?$/i;
/** A code in place of `StatusCode`. */
const CODE = /^(result|response|http|status)?_?code$/i;
/** A member whose value names the result, like a status. */
const RESULT = /(state|result|outcome)$/i;
/** The text of names, addresses and statements is data. `Warning` and `Resolved` are written by the gate. */
const DATA = /(name|e-?mail|url|uri|street\d?|city|body|statement)$|^(warning|resolved|transactionlogid)$/i;
/** Addresses and codes without a space. */
const ADDRESS = /^\S*[/@$]\S*$/;
/** Values of a member with such a name that report no failure. */
const NOTHING = /^\s*(none|null|nil|n\/?a|no|false|0+|0x0|-|ok|success\w*|no[\s_-]?(errors?|failures?))?\s*[.!]?\s*$/i;
const MAX_DEPTH = 8;
/** Maximum number of members that are named in a message. */
const MAX_NAMED = 5;

interface ReadFor {
  shape: AnswerShape;
  /** The fields that the operation takes. */
  fields: readonly string[];
  /** The lists of numbers, which are counted elsewhere. */
  counted: readonly string[];
}

/** The members of an answer that report a failure, each as `Result: “Failed”`. */
export function objectionsIn(answer: Fields, options: ReadFor): Words[] {
  const { shape } = options;
  const [counted, fields] = [options.counted, options.fields].map((names) => new Set(names.map(lower)));
  const found: Part[] = [];
  const isFailureName = (part: Part) => FAILURE_NAME.test(part.name) && !isWithin(part, fields);
  const into = (part: Part) =>
    part.depth <= MAX_DEPTH && !isFailureName(part) && !(part.depth === 1 && counted?.has(lower(part.name)));
  for (const part of partsOf(answer, into)) {
    const { value, name, depth } = part;
    if (depth === 0 || value === null || value === undefined || (depth === 1 && counted?.has(lower(name)))) continue;
    const isNo = (flag: RegExp) => flag.test(name) && readFlag(value) === false;
    const objects = isFailureName(part)
      ? isFilled(value)
      : isNo(DONE_FLAG) ||
        (depth > 1 && isNo(ROW_FLAG)) ||
        // A count of nothing, or the code of an error.
        (typeof value === 'number' &&
          ((DONE_COUNT.test(name) && value === 0) || (CODE.test(name) && value >= 400 && value <= 599)) &&
          !isWithin(part, fields)) ||
        (typeof value === 'string' && saysFailure(name, value, { isData: isWithin(part, fields), shape }));
    if (objects) found.push(part);
  }
  const objections = found.map((part) => member(pathOf(part, true), part.value));
  const status = errorStatus(answer);
  if (status !== undefined) objections.push(member('StatusCode', status));
  return objections.slice(0, MAX_NAMED);
}

/** True for a part of what the caller sent. */
function isWithin(part: Part, fields: ReadonlySet<string> | undefined): boolean {
  for (let at: Part | undefined = part; at?.around !== undefined; at = at.around)
    if (typeof at.key === 'string' && fields?.has(lower(at.key))) return true;
  return false;
}

function saysFailure(name: string, text: string, { isData, shape }: { isData: boolean; shape: AnswerShape }): boolean {
  if (STATUS.test(name)) return isFailureText(text);
  if (isData || DATA.test(name) || PREVIOUS.test(name) || ADDRESS.test(text)) return false;
  return isFailureText(text) || (RESULT.test(name) && isFailedState(text.trim(), shape));
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return !NOTHING.test(value);
  if (typeof value === 'number') return value !== 0;
  if (Array.isArray(value)) return value.some((one) => one !== null && isFilled(one));
  // Also an error by field whose text is empty.
  return isRecord(value) ? Object.keys(value).length > 0 : value === true;
}

/** A member as a message shows it: `Result: “Failed”`. */
export function member(path: string, value: unknown): Words {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return words`${MEMBER_PATH.test(path) ? path : 'a member'}: ${quoted(plainLine(text, MAX_REASON))}`;
}

/** A member's name as the platform writes it. Any other name may be a sentence. */
const MEMBER_PATH = /^[A-Za-z][\w.]{0,80}$/;

const lower = (name: string) => name.toLowerCase();

/* The content of an error body: the message, the field and the TransactionLogId (PLATFORM.md, Errors). */

/** Maximum length of the platform's message in an error, in characters. */
const MAX_ERROR_REASON = 500;
/** Maximum part of an error body that is read, in characters. */
const MAX_BODY = 65_536;

/** A field name or an id. Any other text in their place may be a sentence. */
const FIELD_NAME = /^[\w.[\]$:-]{1,100}$/;

/** The platform's words about a failure, with secrets redacted. */
interface ErrorBody {
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
  const field =
    words.field ?? (isRecord(errors) ? Object.keys(errors).find((name) => FIELD_NAME.test(name)) : undefined);
  return {
    ...words,
    ...(field !== undefined && { field: redact(field) }),
    ...(typeof id === 'string' && FIELD_NAME.test(id) && { transactionLogId: redact(id) }),
  };
}

function plain(raw: string, redact: (text: string) => string): ErrorBody {
  const text = raw.slice(0, MAX_BODY);
  const found = logIdIn(text);
  const rest = found === undefined ? text : text.slice(0, found.at);
  // One line: control and direction characters become spaces, and other invisible characters are made visible.
  const line = redact(rest).replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069\s]+/gu, ' ');
  const reason = redact(visible(line.trim()));
  const field = FIELDS.map((form) => form.exec(reason)?.[1]).find((name) => name !== undefined);
  return {
    reason: reason.length > MAX_ERROR_REASON ? `${reason.slice(0, MAX_ERROR_REASON - 1)}…` : reason,
    ...(field !== undefined && { field }),
    ...(found !== undefined && found.id !== '' && { transactionLogId: redact(found.id) }),
  };
}

/**
 * The TransactionLogId line at the end of business errors (PLATFORM.md, Reactivation), and where it begins. Only the end of
 * a long body is searched.
 */
function logIdIn(text: string): { at: number; id: string } | undefined {
  const body = text.trimEnd();
  const from = Math.max(0, body.length - MAX_LOG_ID);
  const found = /(?<!\S)TransactionLogId\s*[:=]?\s*([\w.-]{0,100})$/i.exec(body.slice(from));
  return found === null ? undefined : { at: from + found.index, id: found[1] ?? '' };
}

/** Maximum length of that line with the spaces in it, in characters. */
const MAX_LOG_ID = 300;

/** The field a validation message names: `The X field is required`, "X" in quotes, `X required`, `Invalid X`. */
const FIELDS = [
  /\bthe ['"]?([A-Za-z][\w.]{0,60})['"]? field\b/i,
  /(?:^|[\s(:])['"‘“]([A-Za-z][\w.]{0,60})['"’”]/,
  /\b([A-Z][a-z]+[A-Z]\w{0,60}) (?:is )?required\b/,
  /\bInvalid ([A-Z][a-z]+[A-Z]\w{0,60})\b/,
];

/*
 * Dates in answers of the platform. Most carry no zone (PLATFORM.md, Message). They are read in PLATFORM_TIME_ZONE,
 * never in the zone of this process.
 */

/** The time that a date text means, in epoch ms, both ends included. `from` equals `until` for an exact moment. */
export interface Span {
  from: number;
  until: number;
}

const TIME = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?\s*`;
const ISO = new RegExp(
  String.raw`^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ](?=\d\d)${TIME}(?<offset>Z|[+-]\d{2}:?\d{2})?)?$`,
  'i',
);
const US = new RegExp(
  String.raw`^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})(?:,?\s+${TIME}(?:(?<half>[AP])\.?M\.?)?)?$`,
  'i',
);

/**
 * Reads a date of an answer: ISO 8601 with or without a zone, `MM/DD/YYYY`, and `MM/DD/YYYY hh:mm:ss AM`.
 * A day alone is the whole day. A wall-clock time that occurs twice (end of summer time) spans both.
 * @param text any value of a response; anything but a string is not a date
 * @param timeZone IANA zone for texts without one
 * @returns undefined if the text has none of these forms or is not a real date
 */
export function readDate(text: unknown, timeZone: string): Span | undefined {
  if (typeof text !== 'string') return undefined;
  const parts = dateParts(text.trim());
  if (parts === undefined) return undefined;
  const { wall, zone, dayOnly } = parts;
  if (dayOnly) {
    return { from: Math.min(...momentsOf(wall, timeZone)), until: Math.max(...momentsOf(wall + DAY_MS, timeZone)) - 1 };
  }
  if (zone !== undefined) return { from: wall - zone, until: wall - zone };
  const moments = momentsOf(wall, timeZone);
  return { from: Math.min(...moments), until: Math.max(...moments) };
}

/**
 * The moment that a date means, in epoch ms: the earliest if it is ambiguous, the beginning of a day. Undefined if it
 * cannot be read.
 */
export function readMoment(text: unknown, timeZone: string): number | undefined {
  return readDate(text, timeZone)?.from;
}

/**
 * A day as `2026-12-05`, from `12/05/2026`, `2026-12-05` or a moment, whose day is that of UTC. Any other text stays as it
 * is. Slack and the pages write it in words (`withDaysInWords`).
 *
 * @param options.weekday with the name of its day, by which a reader notices a wrong one
 */
export function dayText(text: string, { weekday = false }: { weekday?: boolean } = {}): string {
  const from = readDate(text, 'UTC')?.from;
  if (from === undefined) return text;
  const name = weekday ? `${dateFormat('en-US', { timeZone: 'UTC', weekday: 'long' }).format(from)}, ` : '';
  return name + new Date(from).toISOString().slice(0, 10);
}

/** A quotation, which stays as it was written, or a day. */
const DAY = /“[^”]*”|(?<![\w.=-])\d{4}-\d\d-\d\d(?![\w-]|\.\w)/g;
const WORDS = { timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric' } as const;

/**
 * A sentence of ours, or a value that is a day, with days as "Dec 5, 2026".
 * @param shown a day (`2026-12-05`) and its words as they are shown
 */
export function withDaysInWords(text: string, shown = (_day: string, words: string) => words): string {
  return text.replace(DAY, (day) => {
    const from = readDate(day, 'UTC')?.from;
    return from === undefined ? day : shown(day, dateFormat('en-US', WORDS).format(from));
  });
}

/** The moments (one, or two in the hour that occurs twice) at which the clocks of a zone show a wall time. */
export function momentsOf(wall: number, timeZone: string): number[] {
  const candidates = [...new Set([wall - DAY_MS, wall + DAY_MS].map((near) => wall - zoneOffset(near, timeZone)))];
  const real = candidates.filter((at) => at + zoneOffset(at, timeZone) === wall);
  return real.length > 0 ? real : candidates;
}

/** Milliseconds by which the wall clock of a zone is ahead of UTC at a moment (epoch ms). */
export function zoneOffset(at: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  const format = dateFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = Object.fromEntries(format.formatToParts(at).map((part) => [part.type, Number(part.value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

/**
 * The wall time of a date as if it were UTC (`wall`, in ms), and the stated offset from UTC (`zone`, in ms). Undefined if
 * there is no such day or time.
 */
function dateParts(text: string) {
  const found = (ISO.exec(text) ?? US.exec(text))?.groups;
  if (found === undefined) return undefined;
  const numbers = Object.fromEntries(Object.entries(found).map(([name, text]) => [name, Number(text ?? 0)]));
  const { year = 0, month = 0, day = 0, minute = 0, second = 0 } = numbers;
  const { half, offset } = found;
  let { hour = 0 } = numbers;
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  if (half !== undefined) hour = (hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const midnight = new Date(Date.UTC(year, month - 1, day));
  if (midnight.getUTCFullYear() !== year || midnight.getUTCMonth() !== month - 1) return undefined;
  const ms = Math.floor(Number(`0.${found.fraction ?? '0'}`) * 1000);
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset ?? '') ?? [];
  const ahead = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -MINUTE_MS : MINUTE_MS);
  return {
    wall: Date.UTC(year, month - 1, day, hour, minute, second) + ms,
    zone: offset === undefined ? undefined : ahead,
    dayOnly: found.hour === undefined,
  };
}

/** Says that a change takes effect on this later day. */
export function scheduledText(day: string): string {
  return `Scheduled for ${day}. Nothing changes before that day.`;
}

/*
 * Amounts of money in records of the platform, which bills in USD (PLATFORM.md, Package; PLATFORM.md, Message).
 */

/** Members that hold an amount of money. */
const MONEY = /^(?:price|cost|knownusd)$/i;

/** "4.50 USD" for `$4.5`, "4.5" and 4.5, "9 USD" and "0.0045 USD"; undefined for a value that is no amount. */
export function moneyText(value: unknown): string | undefined {
  const [, amount] = /^\s*(?:\$|USD)?\s*(-?\d+(?:\.\d+)?)\s*(?:\$|USD)?\s*$/i.exec(scalarText(value)) ?? [];
  return amount === undefined ? undefined : `${amount.replace(/\.\d$/, '$&0')} USD`;
}

/** The amount in a member of a record; undefined for a member that holds none. */
export function memberMoney(name: string, value: unknown): string | undefined {
  return MONEY.test(name) ? moneyText(value) : undefined;
}
