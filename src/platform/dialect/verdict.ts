import type { Failure } from '../../lib/errors.ts';
import {
  BoundedMap,
  type Fields,
  isRecord,
  joined,
  plainLine,
  plainText,
  quote,
  scalarText,
  sentence,
  textOf,
  textsIn,
  type Words,
  words,
} from '../../lib/values.ts';
import {
  type Answered,
  listNames,
  type NotDone,
  numberKey,
  type Overall,
  rowNames,
  strangeIds,
  strangeNumbers,
  tally,
} from './number-lists.ts';
import { quoted } from './phone.ts';
import {
  type AnswerShape,
  flagsOf,
  isFailedState,
  isSuccess,
  MAX_REASON,
  member,
  memberOf,
  objectionsIn,
  readFlag,
  reasonOf,
  saysBoth,
  saysNo,
  saysYes,
  startsAsFailed,
  statusesOf,
  telling,
  valuesOf,
} from './readings.ts';
import { plain } from './redact.ts';

/*
 * Decides from an answer with status 200 whether the platform did the work, a part of it or none of it, or does not
 * say.
 */

/** The tool whose answer is read. */
interface AnsweringTool {
  /** The answer of a `workflow` is made of answers that were read already. */
  kind: string;
  /** `read` if it changes nothing. */
  risk: string;
  answer?: AnswerShape | undefined;
  /** The fields that it takes. */
  input: { shape: object };
  /** The fields that name the records of the call. */
  keys?: readonly string[] | undefined;
  removes?: string | undefined;
}

/** The next step after a refusal. A carrier's may have no correction, and no document says which one has. */
export const AFTER_REFUSAL = 'Try again only if what it names can be corrected; otherwise ask the platform’s support.';

/** The verdict on an answer: the state of the requested work. */
export interface Verdict {
  state: 'done' | 'partly' | 'refused' | 'unknown';
  /** "2 of 3 numbers cancelled"; empty if the answer has no counts. */
  counts: string;
  notDone: readonly NotDone[];
  /** "cancelled", as in "Not cancelled: …". */
  verb: string;
  /** For `unknown`: the answer's own statement, as the end of a sentence: "has the state “Pending”". */
  doubt?: Words;
  /** For `refused`: the members that say it, if neither a flag nor the state does. */
  by?: Words;
}

/** The doubt about an answer without a flag, a state or a record. */
const SILENT = 'does not say whether it was done';
const PARTLY = /^part(ial|ly)/i;
/**
 * Decides from its answer whether a call was done. Reads are always `done`: their `Status` belongs to the record. The
 * verdict is `refused` if all numbers failed or the state is a failure, `partly` if some numbers failed or were
 * invalid, and `unknown` if the answer says neither that the work was done nor that it was not, or says both.
 */
export function readVerdict(tool: AnsweringTool, answered: Answered): Verdict {
  const { answer, input, known } = answered;
  const shape = tool.answer ?? {};
  const verb = typeof shape.verb === 'function' ? shape.verb(input) : (shape.verb ?? 'done');
  const nothing: Verdict = { state: 'done', counts: '', notDone: [], verb };
  if (tool.risk === 'read') return nothing;
  const stated = { ...nothing, ...statedIn(tool, answered, verb) };
  const unknown = (doubt: Words): Verdict => ({ ...nothing, state: 'unknown', doubt });
  const yes = successesIn(answer, shape);
  /** The answer shows both sides. */
  const contradicts = (no: readonly Words[]) =>
    unknown(words`contradicts itself. It says ${joined(yes, ', ')}, and also ${joined(no, ', ')}`);
  if (stated.state === 'refused' && yes.length > 0 && saysBoth(answer)) {
    const no = flagsOf(answer).filter(([, value]) => readFlag(value) === false);
    return contradicts(no.map(([name, value]) => member(name, value)));
  }
  if (stated.state === 'refused' || (stated.state === 'unknown' && stated.doubt !== SILENT)) return stated;
  if (tool.kind === 'workflow') return stated;
  const keys = [...(tool.keys ?? []), tool.removes ?? ''];
  const strange = [...strangeNumbers(answer, input, known, shape), ...strangeIds(answer, input, keys)];
  if (strange.length > 0 && stated.state !== 'unknown')
    return unknown(words`names ${listed(strange)}, which the call did not ask for`);
  // A report of a failure fits an answer that lists what was not done.
  if (stated.state === 'partly') return stated;
  const no = objectionsIn(answer, { shape, fields: Object.keys(tool.input.shape), counted: listNames(shape) });
  if (no.length > 0 && yes.length > 0) return contradicts(no);
  if (stated.state === 'unknown') return stated;
  if (no.length > 0) return { ...stated, state: 'refused', by: joined(no, ', ') };
  // It may name some of the numbers that the call was about, and not the others.
  const lists = Object.values(input).filter(Array.isArray).flat();
  const asked = new Set(lists.map((row) => textOf(isRecord(row) ? row.Number : row)));
  const numbers = [...asked].filter((number) => /^\+\d{7,15}$/.test(number));
  const text = JSON.stringify(answer);
  const left = numbers.filter((number) => !text.includes(number));
  if (left.length === 0 || left.length === numbers.length) return stated;
  return unknown(words`names some of the numbers, and not ${listed(left.slice(0, 5))}`);
}

/** Values of an answer, separated by commas. */
const listed = (values: readonly string[]) =>
  joined(
    values.map((value) => words`${quoted(value)}`),
    ', ',
  );

/** The verdict by the flags, the state and the lists of an answer. */
function statedIn(tool: AnsweringTool, { answer, input, known }: Answered, verb: string): Partial<Verdict> {
  const shape = tool.answer ?? {};
  const overall = overallOf(answer, shape);
  const doubt = (text: Words): Partial<Verdict> => ({ state: 'unknown', doubt: text });
  if (overall !== 'failed' && isSilent(answer, tool)) return doubt(SILENT);
  const counted = tally({ answer, input, known }, shape, overall);
  if (counted.unreadable !== undefined) return doubt(`has a list ${counted.unreadable} that cannot be read`);
  const { done, notDone, unmentioned, total } = counted;
  const failed = notDone.length - unmentioned;
  if (overall === 'other') return doubt(words`has the state ${quote(stateOf(answer, shape))}`);
  if (overall === 'failed') {
    if (!counted.lists || done === 0) {
      const mixed = !counted.byList && unmentioned > 0 && failed > 0;
      return mixed
        ? doubt('does not say what became of every number')
        : { state: 'refused', notDone: notDone.slice(0, failed) };
    }
    if (notDone.length === 0) return doubt('reports a failure but lists every number as done');
  }
  if (notDone.length === 0) {
    return { state: overall === 'partly' ? 'partly' : 'done' };
  }
  if (done === 0) {
    return unmentioned > 0 ? doubt('does not say what became of every number') : { state: 'refused', notDone };
  }
  const noun = `${total} ${shape.noun ?? 'number'}${total === 1 ? '' : 's'}`;
  return { state: 'partly', counts: `${done} of ${noun} ${verb}`, notDone };
}

/** A member that identifies the record of the work. */
const IDENTITY = /(id|number|numbers|numbersvalid|numberschange)$/i;

/** The members of an answer that identify the record of the work. */
function identitiesIn(answer: Fields): [string, unknown][] {
  const isFilled = (value: unknown) => (Array.isArray(value) ? value.length > 0 : scalarText(value).trim() !== '');
  return telling(answer).filter(([name, value]) => IDENTITY.test(name) && isFilled(value));
}

/** The members of an answer that say that the work was done. */
function successesIn(answer: Fields, shape: AnswerShape): Words[] {
  const flags = flagsOf(answer).filter(([, value]) => readFlag(value) === true);
  const good = (shape.success ?? []).map((word) => word.toLowerCase());
  const states = telling(answer).filter(
    ([, value]) => isSuccess(value) || (typeof value === 'string' && good.includes(value.trim().toLowerCase())),
  );
  const [most = []] = [flags, states, identitiesIn(answer)].filter((some) => some.length > 0);
  return most.slice(0, 2).map(([name, value]) => member(name, value));
}

/**
 * A warning about an answer whose flag does not say whether the work was done, although the rest of it does; undefined
 * if there is nothing to warn of (PLATFORM.md, Errors: every body has the flag).
 */
export function flagWarning(answer: Fields): Words | undefined {
  const flags = flagsOf(answer);
  if (saysNo(answer) || flags.some(([, value]) => value === true)) return undefined;
  const read = flags.find(([, value]) => readFlag(value) === true);
  if (read) return words`The platform’s answer has ${member(...read)}, which is no boolean. It was read as true.`;
  if (saysYes(answer)) return undefined;
  const [first] = flags;
  const reading = 'It was read as done by the rest of it.';
  if (first === undefined) return `The platform’s answer leaves out Successful. ${reading}`;
  return words`The platform’s answer has ${member(...first)}, which is neither true nor false. ${reading}`;
}

/** True if the answer says that the work was not done for this number. */
export function isNotDoneFor(number: string, tool: AnsweringTool, answered: Answered): boolean {
  const key = numberKey(number);
  if (key === '') return false;
  return readVerdict(tool, answered).notDone.some(({ what }) => numberKey(plainText(what)) === key);
}

/** "Not cancelled: +12015550107 (Number is Parked)."; empty if nothing is named. */
export function notDoneSentence({ notDone, verb }: Verdict): Words {
  if (notDone.length === 0) return '';
  // Numbers with the same reason are grouped.
  const byReason = new Map(notDone.map(({ why }) => [plainText(why), why]));
  const named = [...byReason].map(([text, why]) => {
    const group = notDone.filter((one) => plainText(one.why) === text).map(({ what }) => what);
    return why === '' ? joined(group, ', ') : words`${joined(group, ', ')} (${why})`;
  });
  return words`Not ${verb}: ${joined(named, '; ')}.`;
}

/** The warning in the result of a partly done call: the work that was not done, and the reasons. */
export function partlyWarning(verdict: Verdict): Words {
  const head = verdict.counts === '' ? 'The platform did only a part of it.' : `Only ${verdict.counts}.`;
  return joined([head, notDoneSentence(verdict)]);
}

/**
 * The failure for an answer that refuses the work or is unclear; undefined if the work was done, in whole or in part.
 */
export function verdictFailure(
  tool: Pick<AnsweringTool, 'answer'>,
  answer: Fields,
  verdict: Verdict,
): Failure | undefined {
  if (verdict.state !== 'refused' && verdict.state !== 'unknown') return undefined;
  const why = reasonOf(answer);
  if (verdict.state === 'unknown') {
    const { doubt = '' } = verdict;
    const isShown = why === '' || plainText(doubt).includes(why);
    const message = joined([
      words`The platform’s answer ${doubt}.`,
      isShown ? '' : words`It said: ${quote(sentence(why))}`,
    ]);
    return { code: 'server_error', outcome: 'unknown', message, effect: 'maybe_done' };
  }
  const state = stateOf(answer, tool.answer ?? {});
  const by = verdict.by ?? (state === '' ? '' : words`${quoted(state)}`);
  const head = words`The platform answered that it did not do it${by === '' ? '' : words` (${by})`}`;
  return {
    code: 'refused',
    outcome: 'not_done',
    message: joined([why === '' ? words`${head}.` : words`${head}: ${quote(sentence(why))}`, notDoneSentence(verdict)]),
    effect: 'nothing_done',
    next: AFTER_REFUSAL,
  };
}

/** The states of an answer: the member its operation declares, `Status`, and every other status that is a failure. */
function statesIn(answer: Fields, shape: AnswerShape): string[] {
  const declared = [...new Set([shape.status ?? 'Status', 'Status'])].flatMap((name) => valuesOf(answer, name));
  const failed = statusesOf(answer).filter((value) => startsAsFailed(textOf(value)));
  return [...declared, ...failed].map((value) => textOf(value).trim()).filter((word) => word !== '');
}

/** The state to quote: a failed one before others; empty if there is none. */
function stateOf(answer: Fields, shape: AnswerShape): string {
  const states = statesIn(answer, shape);
  return plainLine(states.find((state) => isFailedState(state, shape)) ?? states[0] ?? '', MAX_REASON);
}

function overallOf(answer: Fields, shape: AnswerShape): Overall {
  const states = statesIn(answer, shape);
  if (states.some((state) => isFailedState(state, shape)) || saysNo(answer)) return 'failed';
  const [word = ''] = states;
  if (PARTLY.test(word)) return 'partly';
  if (shape.success === undefined) return 'done';
  if (word === '') return 'silent';
  return shape.success.some((good) => good.toLowerCase() === word.toLowerCase()) ? 'done' : 'other';
}

/**
 * True if an answer neither says that the work was done (PLATFORM.md, Errors) nor shows the record of the work: its
 * state, or a member that identifies it.
 */
function isSilent(answer: Fields, { kind, answer: shape = {} }: AnsweringTool): boolean {
  if (saysYes(answer)) return false;
  const hasState =
    statesIn(answer, shape).length > 0 || rowNames(shape).some((name) => memberOf(answer, name) !== undefined);
  if (shape.success !== undefined) return !hasState;
  if (telling(answer).length === 0) return shape.bare === undefined;
  return kind !== 'workflow' && !hasState && identitiesIn(answer).length === 0;
}

/*
 * Orders as the platform reports them: their states, the steps of a port-in, and the order that an answer names
 * (PLATFORM.md, Orders). Surfaces and events use these functions instead of comparing states themselves.
 */

/** The states a port-in passes through, in order, each with its label. */
const PORT_IN_STEPS: readonly { status: string; label: string }[] = [
  { status: 'Submitted', label: 'Submitted' },
  { status: 'Pending Carrier Approval', label: 'Carrier approval' },
  { status: 'Scheduled', label: 'Scheduled' },
  { status: 'Completed', label: 'Completed' },
];

/** The step at which a carrier rejects a port-in. */
const REJECTED_AT = 'Pending Carrier Approval';

/** Position of each state; the last three share one because none of them follows another. */
const RANKS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(PORT_IN_STEPS.map(({ status }, i) => [status, i + 1])),
  Rejected: PORT_IN_STEPS.length,
  Cancelled: PORT_IN_STEPS.length,
};

const SPELLINGS = new Map([
  ...Object.keys(RANKS).map((status) => [plain(status), status] as const),
  ['complete', 'Completed'] as const,
  ['canceled', 'Cancelled'] as const,
]);

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** One spelling for each state of an order. Unknown states stay as written. */
export function orderStatus(given: string): string {
  return SPELLINGS.get(plain(given)) ?? given.trim();
}

/**
 * The state of an order by its record, in one spelling; empty if the record has none. The member has several names
 * (PLATFORM.md, Orders). `OrderStatus`, or `UpdateOrderStatus`, is the order's state, and a `Status` beside it may be that
 * of a request about it.
 */
export function orderState(record: Readonly<Fields> | undefined): string {
  return orderStatus(namedState(record) ?? text(record?.Status) ?? '');
}

function namedState(record: Readonly<Fields> | undefined): string | undefined {
  return text(record?.OrderStatus) ?? text(record?.UpdateOrderStatus);
}

/** States of an order that the platform has taken and not carried out. */
const TAKEN = /^(submitted|accepted|received|queued|pending|scheduled|processing|in[\s_-]?progress)\b/i;

/** The state of an order in an answer that the platform goes on processing, in one word of its own; undefined if it has none. */
export function openOrder(answer: Readonly<Fields> | undefined): string | undefined {
  const isOrder = namedState(answer) !== undefined || text(answer?.OrderId) !== undefined;
  return isOrder ? TAKEN.exec(orderState(answer))?.[0].toLowerCase() : undefined;
}

/** Position of a state; undefined for unknown states. */
export function orderRank(status: string): number | undefined {
  return Object.hasOwn(RANKS, status) ? RANKS[status] : undefined;
}

export function isCompleted(status: string): boolean {
  return status === 'Completed';
}

/** True if the carrier refused the order. A correction submits it again. */
export function isRejected(status: string): boolean {
  return status === 'Rejected';
}

/** True if the order can no longer change. A rejected order has not ended, because it can be corrected. */
export function hasEnded(status: string): boolean {
  return status === 'Completed' || status === 'Cancelled';
}

export type StepState = 'done' | 'current' | 'rejected' | 'ahead';

/**
 * The steps of a port-in with their progress. Empty for a state that does not show the progress, such as a
 * cancellation.
 */
export function portInProgress(status: string): { label: string; state: StepState }[] {
  const rejected = isRejected(status);
  const current = PORT_IN_STEPS.findIndex((step) => step.status === (rejected ? REJECTED_AT : status));
  if (current < 0) return [];
  return PORT_IN_STEPS.map(({ label }, i) => {
    if (i < current || isCompleted(status)) return { label, state: 'done' };
    if (i > current) return { label, state: 'ahead' };
    return { label, state: rejected ? 'rejected' : 'current' };
  });
}

export type OrderOutlook = 'open' | 'partly' | 'completed' | 'failed' | 'cancelled';

/**
 * The meaning of a state for the reader. States are matched by their words, because orders of every kind are covered,
 * not only port-ins.
 */
export function orderOutlook(status: string): OrderOutlook {
  if (/^part/i.test(status)) return 'partly';
  if (/complet/i.test(status)) return 'completed';
  if (/reject|fail|declin/i.test(status)) return 'failed';
  return /cancel/i.test(status) ? 'cancelled' : 'open';
}

/** The part of a recorded call that this file reads. */
interface OrderCall {
  shown: Readonly<Fields>;
  result?: Readonly<Fields> | undefined;
}

/** The order that a call started. A call that names an existing order in its input changes that order instead. */
export function startedOrder({ shown, result }: OrderCall): string | undefined {
  return shown.OrderId === undefined ? (text(result?.OrderId) ?? text(result?.UpdateOrderId)) : undefined;
}

/** The order that a call started or changed. */
export function orderOf({ shown, result }: OrderCall): string | undefined {
  return text(result?.OrderId) ?? text(result?.UpdateOrderId) ?? text(shown.OrderId);
}

/*
 * PLATFORM.md, Orders: US carriers answer a port request with a code and a name, such as
 * `8A-ACCOUNT_NUM_REQ_OR_INCORRECT`. The names are those used between carriers. The set that this platform passes on is
 * assumed. Names are matched by their words, so that other spellings are recognized too. The first match counts.
 */
const REASONS: readonly (readonly [pattern: RegExp, words: string, ...fields: string[]])[] = [
  [
    /(?<![a-z])account[ _-]?(num(ber)?|no)(?![a-z])/i,
    'The account number at the losing carrier is missing or wrong. It is on the bill, and is often not the phone number.',
    'CurrentAccountNumber',
  ],
  [
    /(?<![a-z])(pass[ _-]?(word|code|pin)|pin)(?![a-z])/i,
    'The transfer PIN or account password is missing or wrong. Some carriers issue one for the transfer, which expires within days.',
    'CurrentAccountPassword',
  ],
  [
    /(?<![a-z])(ssn|tax[ _-]?id)(?![a-z])/i,
    'The carrier wants the last digits of the social security or tax number; many accept them instead of the account PIN.',
    'CurrentAccountPassword',
  ],
  [
    /(?<![a-z])(zip|postal)(?![a-z])/i,
    'The ZIP code does not match the billing address at the losing carrier.',
    'CurrentBillingAddress',
  ],
  [
    /(?<![a-z])(address|street|city)(?![a-z])/i,
    'The billing address does not match the one that the losing carrier has.',
    'CurrentBillingAddress',
  ],
  [
    /(?<![a-z])(first|last|business|auth(orized)?|subscriber|customer|end[ _-]?user)[ _-]?name(?![a-z])/i,
    'The name does not match the account at the losing carrier. It must match letter by letter.',
    'SubscriberName',
  ],
  [
    /(?<![a-z])cust(omer)?[ _-]?info/i,
    'Name, address or account do not match what the losing carrier has.',
    'SubscriberName',
    'CurrentBillingAddress',
    'CurrentAccountNumber',
  ],
  [
    /(?<![a-z])(due[ _-]?date|date[ _-]?and[ _-]?time|req[ _-]?date)(?![a-z])/i,
    'The carrier does not accept this date. Choose another one.',
    'PortInDate',
  ],
  [
    /(mdn|number|tn|line)[ _-]?not[ _-]?active|inactive|disconnected/i,
    'The number is not active at the losing carrier. The customer must have it reactivated there first.',
  ],
  [
    /(mdn|number|tn)[ _-]?not[ _-]?found|wrong carrier/i,
    'The losing carrier does not know this number. Ask which carrier it is with; a reseller may use another carrier’s network.',
    'CurrentCarrierName',
  ],
  [
    /(?<![a-z])(port[ _-]?protect|protect(ed|ion)?|locked|freeze|frozen)(?![a-z])/i,
    'The number is locked against porting. The customer must lift the lock at the losing carrier first.',
  ],
  [
    /(?<![a-z])(pend(ing)?|duplicate)(?![a-z])/i,
    'Another port request for this number is open. It must end or be withdrawn first.',
  ],
];

/**
 * A losing carrier's reason in plain words, and the fields to correct, empty if a correction does not help. Undefined if the
 * carrier gave no reason or an unknown one.
 */
export function carrierReason(message: string): { words: string; fields: readonly string[] } | undefined {
  const [, words, ...fields] = REASONS.find(([pattern]) => pattern.test(message)) ?? [];
  return words === undefined ? undefined : { words, fields };
}

const ID = /^([A-Z]{2,6})-[A-Za-z0-9._-]{4,}$/;
const PHONE = /^\+[1-9]\d{6,14}$/;
const MAX = 2000;

/** Ids and phone numbers seen in answers. Forms and clients complete them without a platform request. */
export type Completions = ReturnType<typeof createCompletions>;

export function createCompletions() {
  const seen = new Map<string, BoundedMap<string, true>>();
  return {
    learn: (value: unknown) => {
      for (const { value: text } of textsIn(value)) {
        const kind = ID.exec(text)?.[1] ?? (PHONE.test(text) ? 'phone' : undefined);
        if (kind) seen.set(kind, (seen.get(kind) ?? new BoundedMap<string, true>(MAX)).set(text, true));
      }
    },
    /** Values of one kind (an id prefix such as `JNUOID`, or `phone`) that contain the typed text, newest first. */
    complete: (kind: string, typed: string, limit = 100): string[] => {
      const needle = typed.trim().toLowerCase();
      return [...(seen.get(kind)?.keys() ?? [])]
        .reverse()
        .filter((text) => text.toLowerCase().includes(needle))
        .slice(0, limit);
    },
  };
}
