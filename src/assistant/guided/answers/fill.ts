import { guides } from '../../../../tools/surfaces/tasks.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf, soleMember } from '../../../catalogue/fields.ts';
import { isChange, type Tool } from '../../../catalogue/operation.ts';
import { keysOf } from '../../../gate/change.ts';
import { fitsIccid, fitsId, kindOf } from '../../../language/typed-values.ts';
import { DAY_MS } from '../../../lib/clock.ts';
import type { Fields } from '../../../lib/json.ts';
import type { Facts } from '../facts/facts.ts';
import { hasSeveralOwners, ownLine } from '../facts/parties.ts';
import type { Time } from '../facts/times.ts';

/** The input of an operation, filled in as far as the values of a sentence say without doubt. */
export function filled(tool: Tool, facts: Facts, given: Fields = {}): Fields {
  const fields = fieldsOf(tool);
  const input: Fields = { ...given };
  const references = partsOf(fields, facts) ?? holderOf(fields, facts.numbers);
  if (!references) fillNumbers(fields, facts, input);
  const ids = [...facts.ids];
  for (const field of fields) {
    if (field.kind !== 'id' || input[field.name] !== undefined) continue;
    const at = ids.findIndex((id) => fitsId(field, id));
    if (at >= 0) input[field.name] = ids.splice(at, 1)[0];
  }
  const one = (kind: Field['kind'], value: unknown) => {
    const [only, ...others] = fields.filter((field) => field.kind === kind && (field.required || kind !== 'multiline'));
    if (value !== undefined && only && others.length === 0) input[only.name] ??= value;
  };
  fillDays(fields, facts, input);
  one('multiline', facts.message);
  one('email', facts.email);
  const isOfReceipts = CALLBACK.test(facts.rest);
  const address =
    (isOfReceipts ? fields.find(({ name }) => CALLBACK_FIELDS.includes(name)) : undefined) ??
    fields.find(({ name }) => URL_FIELDS.includes(name));
  const isKnown = facts.details.records.some(({ name }) => name === facts.url);
  if (facts.url !== undefined && address && !isKnown) input[address.name] ??= facts.url;
  // A picture is sent by its link.
  const media = fields.find(({ name, kind }) => name === 'MmsMedia' && kind === 'rows');
  if (media && facts.url !== undefined && PICTURE.test(facts.rest)) input[media.name] ??= [{ MediaUrl: facts.url }];
  fillVolumes(fields, facts, input);
  if (facts.iccid !== undefined) {
    const serial = fields.find((field) => fitsIccid(field, facts.iccid ?? ''));
    if (serial) input[serial.name] ??= facts.iccid;
  }
  if (facts.account !== undefined && fields.some(({ name }) => name === 'CurrentAccountNumber'))
    input.CurrentAccountNumber ??= facts.account;
  // A route that forwards calls has their number, and is no line's.
  const isForward =
    fields.some(({ name }) => name === FORWARDED) && facts.numbers.length === 1 && FORWARDS.test(facts.rest);
  if (isForward) Object.assign(input, { RouteType: 'Forward', [FORWARDED]: facts.numbers[0] });
  if (facts.areaCode !== undefined && fields.some(({ name }) => name === 'AreaCode')) input.AreaCode ??= facts.areaCode;
  const fitting = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => name in given || fits(tool, name, value)),
  );
  return { ...references, ...fitting };
}

const PICTURE =
  /\b(?:mms|pictures?|pics?|photos?|images?|videos?|clip|gif|screenshot|attachments?|attach(?:ed)?|files?|map|logo|qr(?:\s+code)?|media)\b/iu;

/**
 * The day on which something takes effect: today if an operation needs one and the sentence names none. A day up to which
 * it holds is none of an operation that begins it.
 */
function fillDays(fields: readonly Field[], { days, today, times }: Facts, input: Fields): void {
  const [only, ...others] = fields.filter(({ kind }) => kind === 'date' || kind === 'us-date');
  if (!only || others.length > 0) return;
  const named = days.find(({ isEnd }) => !isEnd)?.iso;
  const start = named ?? (only.required && !times.some(isOtherDay) ? today : undefined);
  // "Tuesday nov 31" names two days, and one of them is none.
  if (times.some(({ kind }) => kind === 'unread')) return;
  // Nothing begins on a day that is over.
  if (start === undefined || start < today || wasJust(start, today, times)) return;
  const [year, month, day] = start.split('-');
  input[only.name] ??= only.kind === 'date' ? start : `${month}/${day}/${year}`;
}

/** True for a day without a year that was in the last month: it may mean that one or the next one. */
function wasJust(start: string, today: string, times: readonly Time[]): boolean {
  const text = times.find(({ day }) => day?.iso === start)?.text ?? '';
  return Date.parse(start) - Date.parse(today) > 335 * DAY_MS && !/\b\d{4}\b|\/\d{1,2}\/\d{2}$/.test(text);
}

/**
 * True for a time that begins on another day than today, and that no field takes: "yesterday", "feb 30", "next weekend",
 * "for august".
 */
export function isOtherDay({ kind, text }: Time): boolean {
  if (kind === 'end') return LATER_PERIOD.test(text);
  if (kind === 'later') return /\b(?:weekend|years?|months?)\b/i.test(text);
  return kind === 'past' ? !/\bago\b.*\b(?:min|h(?:ou)?r)|\btoday\b/i.test(text) : kind === 'unread';
}

/** A period that has a place in the calendar: "for august", "over the holidays", "for next week". */
const LATER_PERIOD =
  /\b(?:january|february|march|april|may|june|july|august|september|october|november|december|christmas|thanksgiving|easter|new\s+year|winter|summer|spring|fall|autumn|holidays?|weekends?)\b|^(?:for|over|during)\s+(?:just\s+|only\s+)?(?:the\s+)?(?:next|coming)\s+(?:week|month|year)$/iu;

/** The day of a sentence in the field of a guide that asks for one; empty if there is none. */
export function guideDay(name: string | undefined, { days, today }: Pick<Facts, 'days' | 'today'>): Fields {
  const field = guides.find((guide) => guide.name === name)?.day;
  const start = days.find(({ isEnd }) => !isEnd)?.iso;
  if (field === undefined || start === undefined || start < today) return {};
  return { [field]: start.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1') };
}

/** Volumes of data in the fields of data limits. An increase needs the present limit, so it is left to the form. */
function fillVolumes(fields: readonly Field[], { volumes, speed }: Facts, input: Fields): void {
  for (const { mb, part, isMore, isUnclear } of volumes) {
    const name = VOLUME_FIELDS[part];
    if (!isMore && isUnclear !== true && fields.some((field) => field.name === name)) input[name] ??= mb;
  }
  if (speed !== undefined && fields.some(({ name }) => name === 'ThrottleSpeed')) input.ThrottleSpeed ??= speed;
}

const FORWARDED = 'TransferCallerId';
const FORWARDS = /\bforward(?:s|ed|ing)?\b/i;

/** Says where the number is, to which calls are to be forwarded: no member is documented for it. Empty for other orders. */
export function forwardText(tool: Tool, { numbers, rest }: Pick<Facts, 'numbers' | 'rest'>): string {
  const field = fieldsOf(tool).find(({ name }) => name === FORWARDED);
  if (!field || numbers.length !== 1 || !FORWARDS.test(rest)) return '';
  return `; “${field.label}” has the number, because no member is documented for the one that calls go to: check that it rings there`;
}

/** The field for an address in a sentence, other than that of a callback. */
const URL_FIELDS: readonly string[] = ['WebhookUrl', 'MessageUrl', 'VoiceUrl'];
/** The addresses that get receipts and the events of calls, and words for them. */
const CALLBACK_FIELDS: readonly string[] = ['CallbackMessageUrl', 'CallbackVoiceUrl'];
const CALLBACK =
  /\bcall[\s-]?backs?\b|\bdlrs?\b|\breceipts?\b|\b(?:delivery|status|call)\s+(?:reports?|updates?|events?|notifications?|confirmations?|status|statuses)\b/iu;

/** True for words about the address that gets receipts and the events of calls, and no inbound traffic. */
export function isOfCallback(said: string): boolean {
  return CALLBACK.test(said);
}

/** True if an operation takes a volume of data. */
export function takesVolume(tool: Tool): boolean {
  return fieldsOf(tool).some(({ name }) => name === VOLUME_FIELDS.limit);
}

/** The fields of the parts of a data limit. */
export const VOLUME_FIELDS = { limit: 'LimitValue', notify: 'NotifyValue', throttle: 'ThrottleValue' } as const;

/** Words before a number that sends. */
const SENDER: ReadonlySet<string> = new Set(['from', 'via', 'using']);

/**
 * The numbers of an operation that takes them in two parts: sender and receiver, or others' numbers and the customer's
 * line. Undefined if the operation or the sentence has no two parts.
 */
function partsOf(fields: readonly Field[], { mentions, isOneList }: Facts): Fields | undefined {
  const has = (name: string) => fields.find((field) => field.name === name);
  const split = (words: ReadonlySet<string>) =>
    [mentions.filter(({ before }) => words.has(before)), mentions.filter(({ before }) => !words.has(before))] as const;
  const [to, from] = [has('To'), has('From')];
  const others = has('Numbers') ?? has('Contacts');
  if (to && from && (mentions.length > 1 || mentions.some(({ before }) => SENDER.has(before)))) {
    const [[sender, ...more], receivers] = split(SENDER);
    if (sender === undefined && !isOneList) return {};
    const texts = receivers.map(({ text }) => text);
    return more.length > 0
      ? {}
      : { ...(texts.length === 0 ? {} : { To: listed(to, texts) }), ...(sender && { From: sender.text }) };
  }
  if (others && has('SubscriberId')) {
    const line = ownLine(mentions);
    if (line === undefined) return hasSeveralOwners(mentions) ? {} : undefined;
    const texts = mentions.filter((mention) => mention !== line).map(({ text }) => text);
    return { ...(texts.length === 0 ? {} : { [others.name]: listed(others, texts) }), SubscriberId: line.text };
  }
  return undefined;
}

/**
 * The customer and the line of a number, for an operation that needs a customer and at most their line: "change the name on
 * 0104". Undefined for other operations, and if the sentence does not name exactly one number.
 */
function holderOf(fields: readonly Field[], numbers: readonly string[]): Fields | undefined {
  const [number, ...others] = numbers;
  const required = fields.filter((field) => field.required);
  const [phone, ...more] = required.filter(takesNumbers);
  const isOther = more.length > 0 || (phone !== undefined && phone.kind !== 'phone');
  if (number === undefined || others.length > 0 || isOther) return undefined;
  const holder = required.find((field) => kindOf(field)?.noun === 'subscriber');
  const line = phone ?? required.find((field) => kindOf(field)?.noun === 'line');
  return holder && { [holder.name]: number, ...(line && { [line.name]: number }) };
}

/** True if the operation takes the numbers of the sentence in two parts. */
export function takesParts(tool: Tool, facts: Facts): boolean {
  return partsOf(fieldsOf(tool), facts) !== undefined;
}

/**
 * The input with the last digits of several numbers in its list of numbers, which surfaces find. One alone is searched
 * before.
 */
export function withDigits(tool: Tool, digits: readonly string[], input: Fields): Fields {
  const list = fieldsOf(tool).find((field) => field.required && field.kind !== 'phone' && takesNumbers(field));
  if (!list || digits.length < 2 || input[list.name] !== undefined) return input;
  return { ...input, [list.name]: listed(list, digits) };
}

/** The input with the only last digits of a sentence in its field for a number, which surfaces find. */
export function withMention(tool: Tool, input: Fields, { mentions }: Facts): Fields {
  const [only, ...others] = mentions;
  const phones = fieldsOf(tool).filter(({ kind }) => kind === 'phone');
  const field = phones.find(({ required }) => required) ?? (tool.risk === 'read' ? phones[0] : undefined);
  if (!only || others.length > 0 || !field || input[field.name] !== undefined) return input;
  return { ...input, [field.name]: only.text };
}

/** True if nothing is missing. */
export function isComplete(tool: Tool, input: Fields): boolean {
  return tool.input.safeParse(input).success;
}

/** Puts the numbers into the first field for numbers. The other fields stay empty unless each gets exactly one. */
function fillNumbers(fields: readonly Field[], { numbers }: Facts, input: Fields): void {
  if (numbers.length === 0) return;
  const places = fields.filter(takesNumbers);
  const required = places.filter(({ required }) => required);
  const [first, ...others] = required.length > 0 ? required : places;
  if (!first) return;
  // If several fields take a number, such as sender and receiver, the order in the sentence does not tell them apart.
  if (others.length > 0 && numbers.length > 1) return;
  if (first.kind === 'phone') {
    if (numbers.length === 1) input[first.name] = numbers[0];
  } else input[first.name] = listed(first, numbers);
}

/** Numbers as the rows or members of a list field. */
function listed(field: Field, numbers: readonly string[]): unknown[] {
  return numbers.map((number) => (field.kind === 'rows' ? { [soleMember(field)?.name ?? 'Number']: number } : number));
}

/** True if a field holds a phone number or a list of them. */
export function takesNumbers(field: Field): boolean {
  if (field.kind === 'phone') return true;
  if (field.kind === 'list') return field.items?.kind === 'phone';
  return field.kind === 'rows' && soleMember(field)?.kind === 'phone';
}

/** True if the operation takes this value. A value that it refuses is left to the form. */
function fits(tool: Tool, name: string, value: unknown): boolean {
  const type = tool.input.shape[name] as { safeParse(value: unknown): { success: boolean } } | undefined;
  return value !== undefined && type?.safeParse(value).success === true;
}

/** True for a change in which nothing is missing, and which says more than what it is about. */
export function isWhole(tool: Tool, input: Fields): boolean {
  const about = keysOf(tool);
  return isChange(tool) && isComplete(tool, input) && Object.keys(input).some((name) => !about.includes(name));
}
