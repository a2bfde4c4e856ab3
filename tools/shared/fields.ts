import * as z from 'zod';
import { AHEAD_MS, DAY_MS, HOUR_MS, KEPT_MS, MINUTE_MS, WEEK_MS } from '../../src/lib/clock.ts';
import { nearest } from '../../src/lib/nearest.ts';
import { plainForm } from '../../src/lib/values.ts';
import { isIccid, isPossiblePhone, phoneProblem, readIccid, toE164 } from '../../src/platform/dialect/phone.ts';
import { dayText, readDate } from '../../src/platform/dialect/readings.ts';
import { isUsState, US_STATE, US_ZIP, US_ZIP_TEXT } from './us-addresses.ts';

/*
 * Fields that several operations share, in the platform's own spelling, with the texts that forms and assistants need.
 * `meta` keys: title (label), description (short, because it costs tokens), kind (which form element),
 * ids (identifier prefixes), secret (never shown, logged or stored in the clear), examples.
 */

declare module 'zod' {
  interface GlobalMeta {
    /** Never leaves the process: not in results, errors, logs, Slack or files in the clear. */
    secret?: boolean;
    /** A detail of a person that only the change's own card shows, not the list of what happened. */
    private?: boolean;
    /** Text that was written outside Switchboard. */
    outside?: boolean;
    /** A sentence of Switchboard's own that sets what it quotes apart in “ ”. */
    told?: boolean;
    /** A sentence that a workflow writes itself, without a word from outside. */
    own?: boolean;
    /** A file as base64. Only its size is shown. */
    attachment?: boolean;
    /** Values that are suggested; other values are accepted too. */
    known?: string[];
    /** The kind of form element. A `words` field takes all words of a typed line that are not `Field=value`. */
    kind?:
      | 'phone'
      | 'iccid'
      | 'id'
      | 'date'
      | 'us-date'
      | 'since'
      | 'multiline'
      | 'url'
      | 'email'
      | 'json'
      | 'keywords'
      /** Several of `known`, separated by commas in one text. */
      | 'choices'
      | 'words';
    /** Accepted identifier prefixes, the platform's usual one first. */
    ids?: string[];
  }
}

/** The words of values, by value in lower case. */
type Words = Readonly<Record<string, string>>;

/** A phone number in E.164. It is read from any way to write one. */
export const e164 = z
  .string()
  .trim()
  .min(1, 'give a phone number with + and country code, for example +12015550101')
  .overwrite(toE164)
  .refine(isPossiblePhone, { error: ({ input }) => phoneProblem(String(input)) })
  .meta({ kind: 'phone', examples: ['+12015550101'] });

/** Numbers as the platform's lists want them, in which a number that is given twice is a mistake: `[{Number}]`. */
export const numberRows = numberRowsWith({});

/** The same, with further members. */
export function numberRowsWith<S extends z.ZodRawShape>(more: S) {
  return z
    .array(z.strictObject({ Number: e164, ...more }))
    .min(1, 'give at least one number, for example +12015550101')
    .max(100, 'at most 100 numbers in one call');
}

/** The same, each number once. */
export const numberList = numberRows.overwrite(eachOnce);

/** A list of E.164 strings, each once. */
export const e164List = z
  .array(e164)
  .min(1, 'give at least one number, for example +12015550199')
  .max(100)
  .overwrite(eachOnce);

/** A list of E.164 strings that may be empty, for creating a record. */
export const e164ListOrEmpty = z.array(e164).max(100, 'at most 100 numbers in one call').overwrite(eachOnce);

/** A list with each entry once. */
export function eachOnce<T>(list: T[]): T[] {
  const texts = list.map((entry) => JSON.stringify(entry));
  return list.filter((_, at) => texts.indexOf(texts[at] ?? '') === at);
}

/** A list that an update replaces. `null` empties it, because a list that is left out keeps its entries. */
export const e164ListToReplace = e164ListOrEmpty
  .nullable()
  .overwrite((list) => list ?? [])
  .optional();

/** An identifier with one of the given prefixes (PLATFORM.md, Identifiers). */
export function idOf(...prefixes: [string, ...string[]]) {
  const example = `${prefixes[0]}-00000000-0000-4000-8000-000000000001`;
  // A check added by itself copies the schema, and every start makes these fields.
  return z
    .string()
    .check(
      z.overwrite(plainForm),
      z.maxLength(100),
      // People type the prefix in lower case too.
      z.overwrite((text) => {
        const prefix = prefixes.find((one) => text.toUpperCase().startsWith(`${one}-`)) ?? '';
        return prefix + text.slice(prefix.length);
      }),
      z.refine((text) => prefixes.some((prefix) => new RegExp(`^${prefix}-[A-Za-z0-9._-]+$`, 'i').test(text)), {
        message: `must start with ${prefixes.map((p) => `${p}-`).join(' or ')}, for example ${example}`,
      }),
    )
    .meta({ kind: 'id', ids: [...prefixes], examples: [example] });
}

export const accountId = idOf('AID');
export const subscriberId = idOf('TSUID');
export const messageRouteId = idOf('MRID');
export const voiceRouteId = idOf('CRID').meta({ title: 'Voice route' });
/** PRID- or PID- (PLATFORM.md, Identifiers). */
export const productId = idOf('PRID', 'PID');
/** The glossary says PKID and the create answer PID. Both are accepted. */
export const packageId = idOf('PKID', 'PID');
export const packageItemId = idOf('PIID');
/** NID- or TNID- (PLATFORM.md, Identifiers). */
export const numberId = idOf('NID', 'TNID');
export const subscriptionId = idOf('SUB');
export const callFilterId = idOf('CFID');
export const messageFilterId = idOf('MFID');
/** JNUOID-, or JNOID- as some answers show it (PLATFORM.md, Identifiers). */
export const orderId = idOf('JNUOID', 'JNOID');
export const messageId = idOf('TMID');
export const campaignId = idOf('JCID', 'TCID');
export const webhookId = idOf('WID');
export const featureId = idOf('FEID');
/** WID-, or WG- as lists show it (PLATFORM.md, Workgroups). */
export const workgroupId = idOf('WID', 'WG');
export const workgroupActivityId = idOf('WAID');

/** Serial of a SIM or eSIM profile: 18 to 22 digits. A trailing F is the platform's padding. */
export const iccid = z
  .string()
  .overwrite(readIccid)
  .refine(isIccid, { message: 'a SIM serial has 18 to 22 digits, for example 8901240397190195850' })
  .meta({ kind: 'iccid', title: 'SIM serial (ICCID)', examples: ['8901240397190195850'] });

/** A text that may be given as a number too. */
export function orNumber(schema: z.ZodString) {
  return z.preprocess((value) => (typeof value === 'number' ? String(value) : value), schema);
}

/** numbers_availability returns area codes as numbers, so numbers are accepted. */
export const areaCode = orNumber(
  z
    .string()
    .overwrite(plainForm)
    .regex(/^[2-9](?!11)\d{2}$/, 'an area code has three digits and begins with 2 to 9, for example 201'),
).meta({ title: 'Area code', examples: ['201'] });

export const zipCode = z
  .string()
  .overwrite(plainForm)
  .regex(/^\d{5}$/, 'a ZIP code has five digits, for example 84043')
  .meta({ title: 'ZIP code', examples: ['84043'] });

/** The number of a page of a list. */
export const page = z.int('must be a whole number').min(1, 'pages start at 1');

/** The number of rows in an answer. */
export const rowsUpTo = (most: number) =>
  z
    .int('must be a whole number')
    .min(1, 'at least 1')
    .max(most, `at most ${most}`)
    .optional()
    .describe(`at most ${most}`);

/** The rows of a page. `more`: the field for further pages. */
export function rowsAPage(more: string) {
  return z
    .int('must be a whole number')
    .min(1, 'ask for at least 1')
    .max(100, `at most 100 rows a page: use ${more} for more`);
}

/** Free text with a length the platform can store. */
export function text(max = 255) {
  return z.string().check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(max));
}

export const email = z
  .email('not an e-mail address, for example pat@example.com')
  .max(255)
  .meta({ kind: 'email', examples: ['pat@example.com'] });

/** A secret that a caller gives. It is never echoed. */
export function secretText() {
  return z.string().min(1, 'must not be empty').max(255).meta({ secret: true });
}

/** The values of a choice, and the one that was probably meant. */
export function notAmong(input: unknown, values: readonly string[], words?: Words): string {
  const near = typeof input === 'string' ? nearest(input, values) : undefined;
  const all = values.map((value) => withWords(value, words)).join(', ');
  return `must be one of: ${all}${near === undefined ? '' : `; did you mean ${near}?`}`;
}

/** A value with its words: "a new SIM (swap-sim)". */
function withWords(value: string, words: Words = {}): string {
  const own = words[value.toLowerCase()];
  return own === undefined || own === value ? value : `${own} (${value})`;
}

/** The value that a text names: itself, its words, or both. */
function choiceNamed(text: string, values: readonly string[], words: Words = {}): string | undefined {
  const named = text.trim().toLowerCase();
  const isNamed = (value: string) =>
    [words[value.toLowerCase()], withWords(value, words)].some((one) => one?.toLowerCase() === named);
  return values.find((value) => value.toLowerCase() === named) ?? values.find(isNamed);
}

/**
 * A choice in any letter case, or in the words that people know it by. The platform's spelling is sent.
 *
 * @param words of values that people know by other words
 */
export function choice<const V extends readonly [string, ...string[]]>(values: V, words?: Words) {
  return z.preprocess(
    (value) => (typeof value === 'string' ? (choiceNamed(value, values, words) ?? value) : value),
    z.enum(values, { error: ({ input }) => notAmong(input, values, words) }),
  );
}

/**
 * Text with values the platform names as examples ("e.g.", "typically"): other values are accepted too. The
 * named ones appear in help and forms, and their letter case does not matter.
 */
export function openChoice<const V extends readonly [string, ...string[]]>(values: V, max: number) {
  return z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(max, `at most ${max} characters`)
    .overwrite((text) => values.find((value) => value.toLowerCase() === text.toLowerCase()) ?? text)
    .describe(`e.g. ${values.join(', ')}`)
    .meta({ known: [...values], examples: [values[0]] });
}

/** The kind of line in a port-in. I names these two as examples (PLATFORM.md, Port-in). */
export const lineKind = openChoice(['Mobile', 'Landline'], 50);

/** The type of a product (PLATFORM.md, Product), and its type inside a package. */
export const productType = openChoice(['esim', 'data', 'sms', 'feature'], 50);
export const itemType = openChoice(['esim', 'data', 'sms', 'addon'], 50);

/** An HTTP method such as POST (PLATFORM.md, Message route); 10 characters, as in a webhook. */
export const httpMethod = openChoice(['POST', 'GET'], 10);

/** The platform's authentication at a route's URL (PLATFORM.md, Message route). */
export const routeAuthentication = choice(['None', 'Basic', 'Bearer']);

/** A price in a package. A decimal string is sent (PLATFORM.md, Package), of each amount the same one: 9, "9" and "9.0" are "9.00". */
export const decimal = orNumber(
  z
    .string()
    .trim()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a decimal number in a string, for example "4.50"')
    .overwrite((text) => String(Number(text)).replace(/^\d+$/, '$&.00').replace(/\.\d$/, '$&0')),
);

export const amount = z.number('must be a number, for example 4.5').min(0, 'must not be below 0');

const addressFields = {
  Street1: text().optional(),
  Street2: text().optional(),
  City: text().optional(),
  State: text().optional(),
  Zip: text(20).optional(),
  Country: text(60).optional(),
};

/** An address of an account. State and ZIP are checked unless it names another country. */
export const address = z.strictObject(addressFields).superRefine(usAddress);

/** A mailing address: its fields may be null (PLATFORM.md, Account). */
export const mailingAddress = z.strictObject(emptied(addressFields, [])).superRefine(usAddress);

/** The losing carrier's billing address: street, city, state and ZIP are required (PLATFORM.md, Port-in). */
export const carrierAddress = z.strictObject({
  Street1: text(),
  Street2: text().optional(),
  City: text(),
  State: text().refine(isUsState, { message: US_STATE }),
  Zip: text(20).overwrite(plainForm).regex(US_ZIP, US_ZIP_TEXT),
});

function usAddress(
  { Country, State, Zip }: { [field in 'Country' | 'State' | 'Zip']?: string | null | undefined },
  context: z.RefinementCtx,
) {
  if (!/^(u\.?s\.?(a\.?)?|united states( of america)?)?$/i.test(Country ?? '')) return;
  if (State && !isUsState(State)) context.addIssue({ code: 'custom', path: ['State'], message: US_STATE });
  if (Zip && !US_ZIP.test(Zip)) context.addIssue({ code: 'custom', path: ['Zip'], message: US_ZIP_TEXT });
}

/** Why a text is no day: there is no such day, a time stands beside it, or it has another form. */
function notADay(text: unknown, form: string): string {
  const [, day, time] = /^(\d{2}\/\d{2}\/\d{4}|\d{4}-\d{2}-\d{2})([T ]\d.*)?$/.exec(String(text)) ?? [];
  if (time !== undefined) return `takes a day without a time: give ${form}`;
  return day === undefined ? `must be a real date as ${form}` : `there is no day ${day}: give ${form}`;
}

/** A real calendar day, which people may enter in either form. */
function dayAs(form: 'MM/DD/YYYY' | 'YYYY-MM-DD') {
  const isUs = form === 'MM/DD/YYYY';
  const [other, example] = isUs ? ['YYYY-MM-DD', '12/31/2026'] : ['MM/DD/YYYY', '2026-12-31'];
  return z
    .string()
    .overwrite(plainForm)
    .overwrite((value) => {
      const day = dateOf(value)?.toISOString().slice(0, 10);
      return isUs ? (day?.replace(/(\d+)-(.*)-(.*)/, '$2/$3/$1') ?? value) : (day ?? value);
    })
    .refine((value) => dateOf(value) !== undefined, {
      error: ({ input }) => notADay(input, `${form} or ${other}, for example ${example}`),
    })
    .meta({ kind: isUs ? 'us-date' : 'date', examples: [example] });
}

/** PLATFORM.md, Number status. */
export const usDate = dayAs('MM/DD/YYYY');
export const day = dayAs('YYYY-MM-DD');
export const portInDate = day.meta({ kind: 'date', title: 'Port-in date', examples: ['2026-12-31'] });

/** The problem with a day (in either form) that is over everywhere; undefined for any other. */
export function passed(field: string, value: string | undefined, now: Date) {
  const date = dateOf(value);
  // A day is over in every time zone half a day after its end in UTC.
  if (date === undefined || date.getTime() + 1.5 * DAY_MS > now.getTime()) return undefined;
  return { field, message: `${dayText(value ?? '')} has passed: give today or a later day` };
}

/** A day in either form; undefined if there is no such day. */
function dateOf(value = ''): Date | undefined {
  const from = /^(\d{2}\/\d{2}\/\d{4}|\d{4}-\d{2}-\d{2})$/.test(value) ? readDate(value, 'UTC')?.from : undefined;
  return from === undefined ? undefined : new Date(from);
}

const SPANS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: WEEK_MS };

/** The id of a record that the sandbox has from the start, for examples: `seeded('TSUID')` is its first subscriber. */
export const seeded = (prefix: string, n = 1) => `${prefix}-00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** A time in the past: a duration before now, or an ISO time. */
export const moment = z
  .string()
  .trim()
  .refine((value) => !Number.isNaN(sinceTime(value, 0)), {
    error: ({ input }) =>
      `${/^\d{4}-\d\d-\d\d$/.test(String(input)) ? `there is no day ${input}: give` : 'must be'} a duration such as 30m, 8h or 2d, or a real day or time such as 2026-11-20T08:00:00Z`,
  })
  .describe('8h, 2d, or a time such as 2026-11-20T08:00Z')
  .meta({ examples: ['8h'] });

/** The field that receives a time typed without a field name. */
export const since = moment.meta({ kind: 'since' });

/** The time in epoch ms, UTC if it has no zone; NaN if there is no such day or time. */
export function sinceTime(value: string, now: number): number {
  const span = /^(\d{1,5})\s*([mhdw])$/i.exec(value);
  const unit = SPANS[span?.[2]?.toLowerCase() ?? ''];
  if (span && unit !== undefined) return now - Number(span[1]) * unit;
  return readDate(value, 'UTC')?.from ?? Number.NaN;
}

/** Rule for a period in the past: events are kept for 30 days. */
export function withinKept(input: { Since?: string | undefined; Until?: string | undefined }, now: Date) {
  const at = sinceTime(input.Since ?? '24h', now.getTime());
  if (input.Until !== undefined && sinceTime(input.Until, now.getTime()) < at)
    return { field: 'Until', message: `${input.Until} is before Since. Give a later time, or leave it out for now` };
  if (at > now.getTime() + AHEAD_MS)
    return { field: 'Since', message: `${input.Since} is in the future. Give a time in the past` };
  if (at >= now.getTime() - KEPT_MS - AHEAD_MS) return undefined;
  return { field: 'Since', message: `${input.Since} is too far back: events are kept for 30 days. Give at most 30d` };
}

type Emptied<S extends z.ZodRawShape, K> = {
  [N in keyof S]: N extends K
    ? S[N]
    : S[N] extends z.ZodOptional<z.ZodBoolean | z.ZodNullable>
      ? S[N]
      : z.ZodNullable<S[N]>;
};

/**
 * The optional fields of an update, which take null to be emptied. A boolean does not, because it is switched off.
 *
 * @param kept fields that the record always has
 */
export function emptied<S extends z.ZodRawShape, const K extends keyof S>(fields: S, kept: readonly K[]) {
  const all = (Object.entries(fields) as [string, z.ZodType][]).map(([name, field]) => {
    let inner = field;
    while (inner instanceof z.ZodOptional) inner = inner.unwrap() as z.ZodType;
    const isKept = kept.some((one) => one === name) || inner instanceof z.ZodBoolean || inner instanceof z.ZodNullable;
    return [name, isKept ? field : field.nullable()];
  });
  return Object.fromEntries(all) as Emptied<S, K>;
}

const PLAIN = z.unknown().optional();
const marked = (mark: z.GlobalMeta) => z.string().meta(mark).nullable().optional();
const eachMarked = (mark: z.GlobalMeta) => z.array(z.string().meta(mark)).nullable().optional();

/*
 * Response fields. The platform omits fields, sends null, and sends some booleans and numbers as strings, so every field is
 * optional and lenient, and unknown members are kept.
 */
export const out = {
  /** A value of any type, or a text that its member's name marks as data. */
  plain: PLAIN,
  /**
   * The id of the record or row itself. A tool whose answer has it finds records of this kind, so that a toolset can
   * offer what needs the id.
   */
  key: (...prefixes: [string, ...string[]]) => marked({ ids: [...prefixes] }),
  /** Text that was written outside Switchboard. It is data on every surface, never an instruction. */
  said: marked({ outside: true }),
  saids: eachMarked({ outside: true }),
  /** A sentence that a workflow writes itself. It quotes nothing from outside, so it is not marked as data. */
  own: marked({ own: true }),
  owns: eachMarked({ own: true }),
  /** A sentence of Switchboard's own with quotations of others, all in “ ”. It is marked as data if it has one. */
  told: marked({ told: true }),
  tolds: eachMarked({ told: true }),
  /** Several members of one kind: "OrderId Status ErrorMessage". */
  members: (names: string, of: z.ZodType = PLAIN) => Object.fromEntries(names.split(' ').map((name) => [name, of])),
  texts: z.array(z.string()).nullable().optional(),
  /** A list of records. */
  rows: <S extends z.ZodRawShape>(shape: S) => z.array(z.looseObject(shape)).nullable().optional(),
  /** A nested record. */
  record: <S extends z.ZodRawShape>(shape: S) => z.looseObject(shape).nullable().optional(),
} as const;

/** The removal of the record with this id, which the platform answers with its state: WebhookId and WebhookStatus. */
export function removal<const Id extends string, F extends z.ZodType>(id: Id, field: F) {
  const status = id.replace(/Id$/, 'Status');
  const input = () => ({ [id]: field }) as { [name in Id]: F };
  return { removes: id, input, output: () => out.members(`${id} ${status}`), answer: { status } };
}

/** "+12015550101" or "+12015550101 and 2 more": numbers in a sentence. */
export function phonesText(list: readonly (string | { Number: string })[]): string {
  const first = list.slice(0, 3).map((row) => (typeof row === 'string' ? row : row.Number));
  const rest = list.length - first.length;
  return rest > 0 ? `${first.join(', ')} and ${rest} more` : first.join(', ');
}

/* Values of the platform that people know by other words. Cards and forms have the words, errors both. */

/** The kinds of lines in the words of cards. */
export const KIND_WORDS: Words = {
  mvno: 'mobile',
  voip: 'internet phone',
  iot: 'data SIM',
};

/** Changes of a number's status. The platform does not document swap versus replace. */
const STATUS_CHANGES: Words = {
  park: 'park',
  activate: 'activate',
  swap: 'another phone number',
  'swap-sim': 'a new SIM',
  replace: 'a replacement phone number',
};

const PRODUCTS = {
  'sms+data+voice': 'texts, data and calls',
  'sms+data': 'texts and data',
  'sms-only': 'texts only',
  'data-only': 'data only',
};

/** By the name of the field, then by the value in lower case. */
export const CHOICE_WORDS = {
  FilterMode: {
    blacklist: 'block list',
    whitelist: 'allow list',
    active: 'only its rules',
    monitor_only: 'only reports',
    inactive: 'paused',
  },
  ProductType: PRODUCTS,
  Product: PRODUCTS,
  MessageType: { a2p: 'from a business', p2p: 'between people' },
  OrderType: { portin: 'port-in', portout: 'port-out', provision: 'new numbers' },
  StatusChange: STATUS_CHANGES,
  ChangeType: STATUS_CHANGES,
} as const satisfies Readonly<Record<string, Words>>;
