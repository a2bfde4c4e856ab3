import { defineOperation, type LocalHistory, type Operation, type RowSentence } from '../../src/catalogue/operation.ts';
import { DAY_MS, dateFormat, KEPT_MS } from '../../src/lib/clock.ts';
import { capital, type Fields, textOf } from '../../src/lib/values.ts';
import { dayText, readFlag } from '../../src/platform/dialect/readings.ts';
import { WITHHELD } from '../../src/platform/dialect/redact.ts';
import { isCompleted } from '../../src/platform/dialect/verdict.ts';
import { CANCELLED, PENDING_DELETE, text } from './before.ts';
import { numberList, out } from './fields.ts';

/*
 * The condition of a line in words: the services that are off, its data usage, what waits or is scheduled, and the time
 * limit for a reactivation. For the lookup, the search and the diagnosis.
 */

/** The state of a number in lower case; empty if the record has none. */
export function stateOf(number: Fields): string {
  return textOf(number.Status).trim().toLowerCase();
}

export function isCancelled(number: Fields): boolean {
  return stateOf(number) === PENDING_DELETE || stateOf(number) === CANCELLED;
}

/**
 * `iot`, `voip` or `mvno`; empty if the record does not say. The platform returns `mobile` for every kind, so it is
 * ignored.
 */
export function kindOf(number: Fields): string {
  const kind = (text(number.Classification) ?? text(number.NumberType) ?? '').trim().toLowerCase();
  return kind === 'mobile' ? '' : kind;
}

/** True if the product of a line includes a service; undefined if the record does not say (PLATFORM.md, Number types). */
export function productHas(number: Fields, service: 'sms' | 'voice' | 'data'): boolean | undefined {
  return text(number.ProductType)?.trim().toLowerCase().includes(service);
}

export function hasData(number: Fields): boolean {
  return readFlag(number.DataEnabled) ?? productHas(number, 'data') ?? kindOf(number) !== 'voip';
}

/** The cause that stops a service of an active line. */
interface ServiceFault {
  service: 'sms' | 'voice';
  /** The cause, for the words and for the fix. */
  cause: 'product' | 'off' | 'route' | 'type';
}

/** Finds the causes in the line's own record that stop its services. */
export function serviceFaults(number: Fields): ServiceFault[] {
  const faults: ServiceFault[] = [];
  if (productHas(number, 'sms') === false) faults.push({ service: 'sms', cause: 'product' });
  else {
    if (readFlag(number.MessageEnabled) === false) faults.push({ service: 'sms', cause: 'off' });
    if (text(number.MessageRouteId) === undefined) faults.push({ service: 'sms', cause: 'route' });
    if (mismatch(number) !== undefined) faults.push({ service: 'sms', cause: 'type' });
  }
  // A line without voice in its product, such as an iot line, has no voice fault.
  if (productHas(number, 'voice') === false) return faults;
  if (readFlag(number.VoiceEnabled) === false) faults.push({ service: 'voice', cause: 'off' });
  else if (text(number.VoiceRouteId) === undefined) faults.push({ service: 'voice', cause: 'route' });
  return faults;
}

/** The message type that this kind of line carries, if the record has another one (PLATFORM.md, Number types). */
export function mismatch(number: Fields): 'p2p' | 'a2p' | undefined {
  const type = textOf(number.MessageType).trim().toLowerCase();
  const kind = kindOf(number);
  if (kind === 'iot' && type === 'a2p') return 'p2p';
  return kind === 'voip' && type === 'p2p' ? 'a2p' : undefined;
}

/** What is said of an eSIM that was ordered, on every surface. */
export const SIM_WAITS = 'waits for a phone to scan its activation code';

/** The SIM of a mobile line: bound, an eSIM whose code no phone has scanned yet, or none. Undefined for other lines. */
export function simState(number: Fields): 'bound' | 'waits' | 'none' | undefined {
  if (text(number.Iccid) !== undefined) return 'bound';
  if (kindOf(number) === 'voip' || kindOf(number) === '') return undefined;
  const codes = [number.QrActivationLink, number.QRCode, number.activation];
  return codes.some((code) => text(code) !== undefined) ? 'waits' : 'none';
}

/** Megabytes in a unit. The platform does not document if a unit is 1,000 or 1,024, so the larger one is assumed. */
const UNITS: Readonly<Record<string, number>> = { B: 1e-6, KB: 1e-3, MB: 1, GB: 1024, TB: 1024 * 1024 };

/** "12.5 MB", "1.2 GB", "0 B" in megabytes; a bare number is in MB already. Undefined if it cannot be read. */
export function megabytes(value: unknown): number | undefined {
  const written = String(value ?? '')
    .replaceAll(',', '')
    .trim();
  const [, amount, unit = 'MB'] = /^(\d{1,12}(?:\.\d{1,9})?)(?:\s*([KMGT]?B))?$/i.exec(written) ?? [];
  const size = UNITS[unit.toUpperCase()];
  return amount === undefined || size === undefined ? undefined : Number(amount) * size;
}

/**
 * "19.75 of 20 MB used"; undefined if the usage cannot be read. `usage`: with `LimitValue` if it is known. Nothing remains
 * at the limit and beyond it, so without that value the limit follows only from what remains.
 */
export function usedText(usage: Fields | undefined): string | undefined {
  const [used, remaining] = [megabytes(usage?.Used), megabytes(usage?.Remaining)];
  if (used === undefined) return undefined;
  const limit = megabytes(usage?.LimitValue) ?? (remaining ? used + remaining : undefined);
  const shown = (value: number) => String(Number(value.toFixed(2)));
  if (limit !== undefined) return `${shown(used)} of ${shown(limit)} MB used`;
  return `${shown(used)} MB used${remaining === 0 ? ', none left' : ''}`;
}

/** True if more than nine tenths of the data of a line are used. */
export function isNearlyUsedUp(usage: Fields | undefined): boolean {
  const [used, remaining] = [megabytes(usage?.Used), megabytes(usage?.Remaining)];
  return used !== undefined && remaining !== undefined && used > 0 && remaining < (used + remaining) / 10;
}

/** The platform's current treatment of a line's data. */
export function dataState(usage: Fields | undefined): 'normal' | 'slowed' | 'stopped' {
  const behaviour = textOf(usage?.CurrentBehavior).trim().toLowerCase();
  if (/throttl|slow/.test(behaviour)) return 'slowed';
  return /limit|stop|block|suspend/.test(behaviour) && !/no limit/.test(behaviour) ? 'stopped' : 'normal';
}

/** "until 2026-12-22 (3 days left)": the last day for a reactivation, or the rule if the cancellation was not recorded here. */
export function reactivatedWhen(until: string | undefined, now: Date): string {
  if (until === undefined) return 'within 30 days of its cancellation (not made here, so its day is not known)';
  const days = Math.ceil((Date.parse(until) - now.getTime()) / DAY_MS);
  return `until ${dayText(until)} (${days <= 1 ? 'the last day' : `${days} days left`})`;
}

/** The facts that were read about a line, for its headline. */
export interface Condition {
  usage: Fields | undefined;
  /** The last moment for a reactivation, if it is known. */
  until: string | undefined;
  now: Date;
}

/**
 * One line about a number, with what needs attention first: "SMS and voice are off; data nearly used up, 19.75 of 20
 * MB". It names no person and quotes nothing from outside.
 */
export function headline(number: Fields, { usage, until, now }: Condition): string {
  const state = stateOf(number);
  if (state === PENDING_DELETE)
    return `Cancelled, no service. It can be reactivated ${reactivatedWhen(until, now)}, for 5 USD`;
  if (state === CANCELLED) return 'Cancelled and released, no service. It cannot be reactivated';
  if (state === 'parked') return 'Parked, no calls, messages or data until it is activated';
  const [faults, sim] = [serviceFaults(number), simState(number)];
  const has = (service: string, cause: string) => faults.some((one) => one.service === service && one.cause === cause);
  const troubles = [
    ...(state === 'active' ? [] : [state === '' ? 'state not known' : 'in another state than Active']),
    ...(sim === 'none' ? ['no SIM is bound to it'] : sim === 'waits' ? [`its eSIM ${SIM_WAITS}`] : []),
    ...offWords(faults),
    ...(has('sms', 'route') ? ['texts do not work (no message route)'] : []),
    ...(has('voice', 'route') ? ['calls do not work (no voice route)'] : []),
    ...(has('sms', 'type') ? ['its message type does not fit its kind of line'] : []),
    ...(text(number.AssignedSubscriberId) === undefined ? ['no subscriber holds it'] : []),
  ];
  const [used, data] = [usedText(usage), dataState(usage)];
  const dataWords = !hasData(number)
    ? ['no data on this line']
    : used === undefined
      ? []
      : [
          data === 'normal'
            ? `${isNearlyUsedUp(usage) ? 'data nearly used up, ' : ''}${used}`
            : `data is ${data}, ${used}`,
        ];
  const isSound = troubles.length === 0 && !dataWords.some((one) => one.startsWith('data '));
  return capital([...(isSound ? ['active'] : troubles), ...dataWords].join('; '));
}

/** "SMS and voice are off"; nothing if all services are on. */
function offWords(faults: readonly ServiceFault[]): string[] {
  const off = faults.filter(({ cause }) => cause === 'off').map(({ service }) => (service === 'sms' ? 'SMS' : service));
  return off.length === 0 ? [] : [`${off.join(' and ')} ${off.length === 1 ? 'is' : 'are'} off`];
}

/**
 * The services of a line that are switched off: "SMS is off". Members that a list leaves out say nothing, so a missing SIM
 * or route is not reported here.
 */
export function offText(number: Fields): string | undefined {
  return isCancelled(number) ? undefined : offWords(serviceFaults(number))[0];
}

/* The records of this installation about a line. */

/** Entries about a number that are read. */
const MOST = 50;
/** A number can be reactivated for this long (PLATFORM.md, Reactivation). */
const RECOVERY_MS = 30 * DAY_MS;
const CANCELS: readonly string[] = ['numbers_cancel', 'numbers_cancel_order_submit'];

/** The last moment for a reactivation, from the moment of the cancellation. ISO 8601. */
export function reactivateUntil(cancelledAt: string): string {
  return new Date(Date.parse(cancelledAt) + RECOVERY_MS).toISOString();
}

/** The last 30 days of a history, for entries about a number, or about anything. */
export function keptAbout(phone: string | undefined, history: LocalHistory) {
  const now = history.now().getTime();
  const about = phone === undefined ? [] : [phone];
  return { since: new Date(now - KEPT_MS), until: new Date(now + 1), about, limit: MOST };
}

/** A status change of a number that takes effect on a later day. */
type ScheduledChange = Record<'StatusChange' | 'EffectiveDate', string>;

/**
 * True if a day (MM/DD/YYYY) is in the future. It is compared by its noon in UTC, when it has begun in every time zone
 * of the US.
 */
export function isAhead(date: unknown, now: Date): boolean {
  const [month, day, year] = String(date).split('/');
  return Date.parse(`${year}-${month}-${day}T12:00:00Z`) > now.getTime();
}

/** Today (MM/DD/YYYY) where the writer is; without a zone, in the east of the US, where people work first. */
export function todayIn(now: Date, timeZone = 'America/New_York'): string {
  return dateFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now);
}

/** The state that a change leads to. */
const STATES: Readonly<Record<string, string>> = { park: 'parked', activate: 'active' };

/** True if a day (MM/DD/YYYY) has begun in UTC. */
function hasBegun(day: string, now: Date): boolean {
  const [month, date, year] = day.split('/');
  return `${year}-${month}-${date}` <= now.toISOString().slice(0, 10);
}

/** True if a number has the state of a change whose day has begun in UTC, so that it has taken effect. */
export function hasTakenEffect({ StatusChange, EffectiveDate }: ScheduledChange, status: unknown, now: Date): boolean {
  const state = STATES[StatusChange];
  return hasBegun(EffectiveDate, now) && state !== undefined && state === text(status)?.toLowerCase();
}

/** True if the platform answered a change whose day has begun in UTC with a completed order. A new SIM has no state to see. */
export function isCarriedOut({ EffectiveDate }: Pick<ScheduledChange, 'EffectiveDate'>, order: string, now: Date) {
  return hasBegun(EffectiveDate, now) && isCompleted(order);
}

/** The members of an answer with the dates of a line. Those of a cancellation are ISO 8601. */
export const datesShape = {
  ...out.members('CancelledAt ReactivateUntil ReleasedAfter'),
  Scheduled: out.rows({ StatusChange: out.plain, EffectiveDate: out.plain }),
} as const;

/** The dates of a line, as far as its changes were made through this installation. */
export interface LineDates {
  CancelledAt?: string;
  /** The last moment for a reactivation of a number that is cancelled and not released. */
  ReactivateUntil?: string;
  ReleasedAfter?: string;
  /** The changes that were ordered for a later day, the latest order first. */
  Scheduled?: ScheduledChange[];
}

export async function datesOf(number: Fields, history: LocalHistory): Promise<LineDates> {
  const now = history.now();
  const sent = await history.sentAbout(textOf(number.Number));
  if (isCancelled(number)) {
    const cancelled = sent.find(({ operation }) => CANCELS.includes(operation))?.at;
    if (cancelled === undefined) return {};
    const until = reactivateUntil(cancelled);
    return {
      CancelledAt: cancelled,
      ...(stateOf(number) === CANCELLED ? { ReleasedAfter: until } : { ReactivateUntil: until }),
    };
  }
  const open = sent.flatMap(({ operation, shown, order, isOver }) => {
    const change = { StatusChange: textOf(shown.StatusChange), EffectiveDate: textOf(shown.EffectiveDate) };
    // A parked or active number shows whether the last of its changes holds.
    const isDone = isOver || (STATES[change.StatusChange] === undefined && isCarriedOut(change, order, now));
    const isOpen = isAhead(change.EffectiveDate, now) && !isDone;
    return operation === 'numbers_status' && change.StatusChange !== '' && isOpen ? [change] : [];
  });
  // What the record shows already is not to come, unless another change is before it.
  const state = text(number.Status)?.toLowerCase();
  const leadsElsewhere = open.some(({ StatusChange }) => STATES[StatusChange] !== state);
  const Scheduled = open.filter(({ StatusChange }) => leadsElsewhere || STATES[StatusChange] !== state);
  return Scheduled.length === 0 ? {} : { Scheduled };
}

/** Changes that wait for a person, in an answer. */
const MOST_WAITING = 5;

/** The members of an answer with the dates of a line and the changes of it that wait. */
export const aheadShape = {
  ...datesShape,
  Waiting: out.rows({ Id: out.own, What: out.told, AskedBy: out.said, AskedAt: out.plain, AlsoCovers: out.texts }),
} as const;

/**
 * The dates of a line and the changes that wait for a person. `words`: what is ahead, for a summary. `known`: the record,
 * with the mark of an eSIM that was ordered here: the platform's own record names no SIM before a phone has it.
 */
export async function aheadOf(number: Fields, history: LocalHistory) {
  const dates = await datesOf(number, history);
  const isOrdered =
    simState(number) === 'none' && (await history.sentAbout(textOf(number.Number))).some(({ madeSim }) => madeSim);
  const waiting = await history.waitingFor(textOf(number.Number));
  const days = dates.Scheduled?.map((one) => `${one.StatusChange} on ${dayText(one.EffectiveDate)}`);
  const rows = waiting.slice(0, MOST_WAITING).map(({ id, what, askedBy, at, others }) => ({
    Id: id,
    What: what,
    AskedBy: askedBy,
    AskedAt: at,
    ...(others.length > 0 && { AlsoCovers: others }),
  }));
  const waits = waiting.length === 1 ? 'a change waits' : `${waiting.length} changes wait`;
  return {
    known: isOrdered ? { ...number, activation: WITHHELD } : number,
    dates,
    rows: { ...dates, ...(rows.length > 0 && { Waiting: rows }) },
    words: `${days ? `; scheduled: ${days.join(', ')}` : ''}${rows.length === 0 ? '' : `; ${waits} for a person`}`,
  };
}

/* Lines in sentences, and the reads of data used and of limits, whose answers are lists of lines. */

/** "Ava Stone · +12015550101"; the number alone if its customer is not known. */
export function lineSaid(phone: string, nameOf: (id: string) => string | undefined): string {
  const customer = nameOf(phone);
  return customer === undefined ? phone : `${customer} · ${phone}`;
}

/** "data is slowed" for data that does not run as usual; empty otherwise. */
export function behaviourSaid(usage: Fields): string {
  const state = dataState(usage);
  return state === 'normal' ? '' : `data is ${state}`;
}

/**
 * A read of the data of up to 100 lines (PLATFORM.md, Data usage).
 *
 * @param part the last part of its path
 * @param row the members of a line in the answer
 * @param says a line in words
 * @param next the operations offered for a line, with the texts of their buttons
 */
export function dataUsageRead(
  part: 'info' | 'settings',
  { title, description }: { title: string; description: string },
  row: Fields & Parameters<typeof out.rows>[0],
  says: (line: Fields) => Pick<RowSentence, 'says' | 'usage'>,
  next: readonly { tool: string; title: string }[],
): Operation {
  return defineOperation({
    endpoint: `POST /v1.0/numbers/data-usage/${part}`,
    title,
    description,
    risk: 'read',
    batch: { row: 'Number', list: 'PhoneNumbers', most: 100 },
    source: 'S+I',
    notes: 'PLATFORM.md, Data usage; assumed: lists have at most 100 entries',
    input: () => ({ PhoneNumbers: numberList }),
    output: () => ({
      Status: out.plain,
      PhoneNumbers: out.rows({ Number: out.plain, Status: out.plain, StatusMessage: out.plain, ...row }),
    }),
    sentences: {
      of: 'PhoneNumbers',
      title: (count, { PhoneNumbers }) =>
        `${title} of ${PhoneNumbers.length === 1 ? PhoneNumbers[0]?.Number : `${count} lines`}`,
      row: (line, _input, nameOf) => {
        const phone = text(line.Number) ?? '';
        const said = says(line);
        // The platform has no values for some lines, and says why.
        const isUnread = /^(?:fail|error|not)/i.test(text(line.Status) ?? '');
        const why = text(line.StatusMessage);
        const values = isUnread ? `not read${why === undefined ? '' : `: ${why}`}` : said.says;
        const words = [lineSaid(phone, nameOf), values].filter((one) => one !== '');
        const input = { PhoneNumbers: [{ Number: phone }] };
        return { ...said, says: words.join(': '), next: next.map((one) => ({ ...one, input })) };
      },
    },
    examples: [{ PhoneNumbers: [{ Number: '+12015550101' }] }],
  });
}
