import { BILLING_WORDS } from '../../../../tools/shared/plans.ts';
import { CHILDREN, FAMILY } from '../../../../tools/surfaces/filter-words.ts';
import { TRAFFIC } from '../../../../tools/surfaces/guard.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Word } from '../../../language/sentence.ts';
import { isRecord } from '../../../lib/json.ts';
import { hasWhole } from '../../../lib/text.ts';
import { saidIn } from '../facts/choices.ts';
import type { Volume } from '../facts/facts.ts';
import { detailTexts } from '../facts/named-values.ts';
import { carrierNamed, FURTHER, isRecordNoun, PERSON, peopleIn, RECORDS } from '../facts/names.ts';
import { sinceIn } from '../facts/since.ts';
import { type Asked, type Clause, timesOf } from '../facts/stance.ts';
import { type Time, unmarked } from '../facts/times.ts';
import { isEventWord } from '../facts/webhook-events.ts';
import type { GuidedAnswer } from './answer.ts';
import { leftIn, unansweredIn } from './coverage.ts';
import { takesVolume } from './fill.ts';

/*
 * This file finds the values of a sentence that its answer lacks. It looks for each value in the input, in the search
 * and in the shown words of the answer. One sentence names the missing values.
 */

/** Digits behind a word such as "PIN": "wrong pin, correct one is 8821". They are never shown again. */
export const PIN_DIGITS =
  /(?<=\b(?:pin|passcode|password)s?\b(?:(?!\bzip)[^?\d]){0,40})(?<![\d+-])(?<!\b(?:for|of|on|line|number)\s)\d{4,8}(?![\d-])/gi;

function pinsIn({ said, facts }: Asked): string[] {
  return facts.message === undefined ? (said.match(PIN_DIGITS) ?? []) : [];
}

/** A clock time from which a sentence asks for a list. */
const FROM_CLOCK =
  /\b(?:since|after|before)\s+(?:noon|midnight|lunch|breakfast|midday|\d{1,2}(?::\d{2})?\s*(?:am|pm|o['’]?clock)?)(?![\d:])/i;

/**
 * The answer, with a sentence about the values and words that it does not carry.
 *
 * @param clause the part that names its change
 * @param told sentences that the answer gets besides
 */
export function withUntaken(
  answered: GuidedAnswer,
  asked: Asked,
  {
    tool,
    clause,
    told: already,
    typed,
  }: {
    tool: Tool | undefined;
    clause: Clause | undefined;
    told: readonly string[];
    /** A part of the corrected text as it was written. */
    typed: (part: string) => string;
  },
): GuidedAnswer {
  let guided = answered;
  const values = guided.isRefused ? [] : [...new Set(untaken(guided, asked, tool, clause))];
  const words = guided.isRefused ? [] : wordsLeft(guided, asked, [...values, ...already], tool);
  const left = [...values, ...words];
  const [beside, ...others] = peopleOf(asked.clauses);
  const isPorted = tool !== undefined && takesOthers(tool);
  const isBeside = !isPorted && beside !== undefined && others.length === 0 && asked.facts.mentions.length > 0;
  if (isBeside && !new Carried(guided).has(beside) && !left.includes(beside)) guided = { ...guided, beside };
  if (left.length === 0) return guided;
  // A dated change opens its form instead of asking, because its day may be among the words that were not taken.
  const isDated = tool !== undefined && fieldsOf(tool).some(({ kind }) => kind === 'us-date');
  if (isDated && tool.risk !== 'read') {
    const kind = guided.kind === 'question' ? 'form' : guided.kind;
    guided = { ...guided, kind, isLater: true };
  }
  const written = left.map((one) => one.replace(/[^“”]+/u, typed));
  const told = `. Not taken: ${written.join(', ')}`;
  return {
    ...guided,
    ...(words.length > 0 && { wordsLeft: words }),
    understood: `${guided.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${guided.remarks ?? ''}${told}`,
  };
}

/** Answers that no money is moved here, so that no amount was lost. */
const NO_MONEY = /\bcharges, bills and refunds nobody\b/;

function untaken(guided: GuidedAnswer, asked: Asked, tool: Tool | undefined, clause: Clause | undefined): string[] {
  const { facts, clauses } = asked;
  const carried = new Carried(guided);
  const isHelp = guided.kind === 'help';
  const isChange = tool !== undefined && tool.risk !== 'read' && !isHelp;
  const people = peopleOf(clauses);
  // A person beside a number is whom the number belongs to, unless it is a number of another carrier.
  const isPorted = isChange && takesOthers(tool);
  const isBeside = !isPorted && facts.mentions.length > 0 && people.length < 2 && !isListed(facts.rest, people[0]);
  // A question about an operation in general is answered for any name in it.
  const isGeneral = isHelp && guided.operation !== undefined;
  // "Turn bens filter back on" is about Ben.
  const isOwning = (name: string) => carried.has(name.replace(/(?<=\p{Ll}{2})s$/u, ''));
  const { used, unclear } = isChange ? saidIn(tool, asked) : { used: [], unclear: [] };
  // "A regular user" is a role.
  const isUsed = (name: string) => used.some((one) => hasWord(one, name.toLowerCase()));
  const names = isBeside || isGeneral ? [] : people.filter((name) => !isUsed(name) && !isOwning(name));
  const message = facts.message === undefined ? [] : [facts.message];
  // "3 numbers: …" counts those that follow.
  const count = facts.numbers.length > 1 ? String(facts.numbers.length) : '';
  const digits = digitsIn(asked, carried).filter((value) => value !== count && !carried.hasAmount(value));
  const mentioned = guided.isUnclear || isGeneral ? [] : facts.mentions.map(({ text }) => text);
  const pins = pinsIn(asked).filter((value) => !carried.has(value));
  const isPin = (value: string) => pins.some((pin) => value.includes(pin));
  const isOpen = guided.operation === 'message_search_get' && guided.narrow?.since === undefined;
  const clock = isOpen ? FROM_CLOCK.exec(asked.said)?.[0] : undefined;
  const left = [
    ...[...mentioned, ...names, ...facts.ids, facts.email, facts.url, facts.iccid, facts.speed, facts.areaCode].filter(
      (value) => value !== undefined && !carried.has(value),
    ),
    ...(isGeneral || NO_MONEY.test(guided.understood) ? [] : detailTexts(facts.details)).filter(
      (value) => !carried.hasAmount(value),
    ),
    ...recordsIn(asked, people).filter((value) => !carried.has(value) && !digits.some((one) => one.includes(value))),
    ...facts.volumes
      .filter((volume) => !takesAmount(volume, facts.volumes, carried, isChange, tool))
      .map(({ text }) => text),
    ...[...message, ...facts.quoted].filter((value) => !carried.has(value)).map((value) => quoted(short(value))),
    ...timesLeft(guided, asked, carried, isChange ? clause : undefined).map(quoted),
    ...[facts.account].filter((value) => value !== undefined && !carried.has(value)),
    ...unclear.filter((value) => !carried.has(value)),
    ...digits,
    ...(isChange ? readsBeside(asked).map(quoted) : []),
    ...(clock === undefined || carried.has(clock) ? [] : [quoted(clock)]),
    ...pronounsLeft(guided, asked, people).map(quoted),
    ...(guided.guide === 'swap_sim' ? [WANTS_ESIM.exec(asked.said)?.groups?.kind] : []),
  ].filter((value): value is string => value !== undefined && !isPin(value));
  return facts.hasPin || pins.length > 0 ? [...left, 'the PIN (a secret: type it into the form alone)'] : left;
}

/** A part that asks to see something, behind the change that the answer offers: "… and check its data after". */
const READ_BESIDE =
  /(?:[,;.](?=\s)|\band\b|\bthen\b|\bafter(?:wards)?\b)[\s,]*(?:(?:and|then|also|after(?:wards)?|please|pls|plz|can\s+you|could\s+you)[\s,]+)*((?:check|show|look|find\s+out|list|see|view|verify|make\s+sure|test|tell\s+(?:me|us)|let\s+(?:me|us)\s+know|(?:give|send|get)\s+(?:me|us))\b[^,.;!?]*)/giu;

function readsBeside({ facts, said }: Asked): string[] {
  const order = facts.message === undefined ? said : said.replace(facts.message, ' ');
  return [...order.matchAll(READ_BESIDE)].map(([, part = '']) => short(part.trim()));
}

/** True for an operation about a number that is not in service here. */
function takesOthers(tool: Tool): boolean {
  return tool.risk !== 'read' && fieldsOf(tool).some(({ name }) => name === 'PortInNumber');
}

/** Words that a filled field stands for, by its kind. */
const DEEDS_OF: Readonly<Record<string, string>> = {
  email: 'email mail',
  boolean: 'enable enables enabled disable disables disabled start starts stop stops',
  phone: 'ring rings',
  url: 'post posts posting deliver delivers delivering delivery hit hits point points receipt receipts callback callbacks',
};

/** Words of people for what a field holds, beside its label. */
const WORDS_OF: Readonly<Record<string, string>> = { CurrentCarrierName: 'provider operator network telco' };
/** Words of people for a notification. */
const NOTICES = 'notice notices alert alerts mail mails text texts texting';

/** The words of a request that its form neither carries nor explains. `told`: values that the answer names already. */
function wordsLeft(guided: GuidedAnswer, asked: Asked, told: readonly string[], tool: Tool | undefined): string[] {
  if (tool === undefined || (guided.kind !== 'form' && guided.kind !== 'question' && guided.kind !== 'lookup'))
    return [];
  // The words of a setting are not those of its field.
  if (
    guided.words ||
    guided.softer ||
    guided.rows ||
    Object.keys(guided.input).some((name) => FILTER_SETTINGS.has(name))
  )
    return [];
  const carried = new Carried(guided);
  const known = [...told, ...peopleOf(asked.clauses)];
  // "Name Blue Harbor": the word is that of the field.
  const labels = fieldsOf(tool).flatMap(({ name, label, kind, fields = [] }) =>
    guided.input[name] === undefined
      ? []
      : [`${label} ${DEEDS_OF[kind] ?? ''} ${WORDS_OF[name] ?? ''}`, ...fields.map((member) => member.label)],
  );
  // "4.20 monthly": people have words of their own for a billing period.
  if ('BillingFrequency' in guided.input) labels.push(Object.keys(BILLING_WORDS).join(' '));
  if (labels.some((label) => /\bnotification\b/i.test(label))) labels.push(NOTICES);
  const used = tool.risk === 'read' ? [] : saidIn(tool, asked).used;
  const isTold = (word: string) =>
    carried.has(word) ||
    ('SubscribedEvents' in guided.input && isEventWord(asked.said, word)) ||
    [...known, ...used].some((one) => hasWord(one, word)) ||
    labels.some((one) => isOf(one, word));
  if (guided.kind === 'lookup') return guided.isInstead ? [] : unansweredIn(tool.id, asked.said, isTold).map(quoted);
  return leftIn(tool.id, asked, isTold).map(quoted);
}

const FILTER_SETTINGS: ReadonlySet<string> = new Set([
  ...['FilterMode', 'NotificationPhones', 'RecordFlaggedCalls', 'ApplyToInbound', 'ApplyToOutbound'],
  ...TRAFFIC.flatMap(({ rules }) => rules.map(([flag]) => flag)),
]);

/** True for a word of a label, or its beginning: "auth", "assign". */
function isOf(label: string, word: string): boolean {
  const words = label.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const isLike = (one: string) => one.length >= 4 && word.startsWith(one) && word.length - one.length < 3;
  return words.some((one) => one === word || (word.length >= 4 && one.startsWith(word)) || isLike(one));
}

function hasWord(text: string, word: string): boolean {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}'’@.-]+/u)
    .includes(word);
}

/** The content of an answer: the values of its input and its search, and its words. */
class Carried {
  readonly #leaves: readonly string[];
  readonly #text: string;

  constructor({ input, guideInput, find, understood, asks = [], also = [] }: GuidedAnswer) {
    const further = also.map((one) => one.find?.input);
    this.#leaves = [input, guideInput, find?.input, ...further].flatMap(leavesOf).concat(asks);
    this.#text = [...this.#leaves, understood].join('\n').toLowerCase();
  }

  /** True for a value that is carried as a whole, or word by word, such as a caller name. */
  has(value: string): boolean {
    const words = value.split(/[\s&]+/).filter((word) => word !== '');
    return this.#hasText(value) || (words.length > 1 && words.every((word) => this.#hasText(word)));
  }

  #hasText(value: string): boolean {
    return hasWhole(this.#text, value.toLowerCase());
  }

  hasAmount(value: string): boolean {
    const amount = Number(/\d[\d,]*(?:\.\d+)?/.exec(value)?.[0].replaceAll(',', ''));
    return this.has(value) || this.#leaves.some((leaf) => leaf !== '' && Number(leaf) === amount);
  }
}

function leavesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (isRecord(value)) return Object.values(value).flatMap(leavesOf);
  return value === undefined || value === null ? [] : [String(value)];
}

function peopleOf(clauses: readonly Clause[]): string[] {
  return [...new Set(clauses.flatMap(({ words }) => peopleIn(words)))];
}

/** True for a name that is one of a list with a number: "Ben and 0101". */
function isListed(rest: string, name: string | undefined): boolean {
  if (name === undefined) return false;
  const plain = name.replace(/[^\p{L}\p{M} ]/gu, '.');
  return new RegExp(`\\b${plain}\\s+and\\s+(?:number|[#…*\\d])|(?:number|\\d)\\s+and\\s+${plain}\\b`, 'iu').test(rest);
}

/** True for an amount of data that the operation takes, or about which the answer says why it does not. */
function takesAmount(
  volume: Volume,
  volumes: readonly Volume[],
  carried: Carried,
  isChange: boolean,
  tool: Tool | undefined,
): boolean {
  if (carried.has(volume.text) || (!isChange && carried.hasAmount(String(volume.mb)))) return true;
  if (!isChange || tool === undefined || !takesVolume(tool)) return false;
  const isTold = volume.isMore || volume.isUnclear === true;
  return isTold ? volumes.find((one) => one.isMore || one.isUnclear) === volume : carried.hasAmount(String(volume.mb));
}

/** Names of people and of records that an answer leaves out, and the kind of record where the sentence says it. */
export function namesLeft(guided: GuidedAnswer, asked: Asked): { name: string; noun?: string }[] {
  const carried = new Carried(guided);
  const people = peopleOf(asked.clauses);
  const { records } = asked.facts.details;
  const names = [...people, ...recordsIn(asked, people)].filter((name) => !records.some((one) => one.name === name));
  return [...records, ...names.map((name) => ({ name }))].filter(({ name }) => !carried.has(name));
}

/** Names of carriers and of records: "Lakeside Wireless", "Main SIP trunk", "starter" before "plan". */
function recordsIn({ clauses }: Asked, people: readonly string[]): string[] {
  return clauses.flatMap(({ words }) => {
    const carrier = words.some(({ acts }) => acts.includes('portin')) ? carrierNamed(words) : undefined;
    const runs: string[][] = carrier === undefined ? [] : [[carrier]];
    let isOpen = false;
    for (const [at, word] of words.entries()) {
      const isCapital = /^\p{Lu}/u.test(word.typed);
      const isUnknown = word.isUnknown && !isPerson(word);
      const isNamed = isUnknown && ((isCapital && at > 0) || (word.plain.length > 1 && isRecordNoun(words[at + 1])));
      const goesOn: boolean = isOpen && isCapital && !isPerson(word);
      if (isNamed && !isOpen) runs.push([]);
      isOpen = isNamed || goesOn;
      if (isOpen) runs.at(-1)?.push(word.typed);
    }
    const names = [...new Set(runs.map((run) => run.join(' ').replace(/['’]s$/, '')))];
    const known = people.join(' ').toLowerCase();
    const isPart = (name: string) => names.some((one) => one !== name && one.includes(name));
    return names.filter((name) => !known.includes(name.toLowerCase()) && !isPart(name));
  });
}

function isPerson({ things }: Word): boolean {
  return things.includes(PERSON) || things.includes(FURTHER);
}

/** Amounts of money and other digits that no other value has: a price, a count, a stock code. */
function digitsIn({ facts, since }: Asked, carried: Carried): string[] {
  const taken = [...facts.times, ...facts.mentions, ...facts.volumes].map(({ text }) => text);
  // In words, the marks of times are spaces.
  const left = taken.reduce((text, one) => text.replaceAll(one, ' '), unmarked(facts.rest));
  const rest = since !== undefined && carried.has(since.value) ? left.replace(SPAN, ' ') : left;
  return [...rest.replace(SECRET, ' ').replace(CLOCK, ' ').replace(AGE, ' ').matchAll(DIGITS)].map(([found]) =>
    found.trim().replace(/[.,:;!?)]+$/, ''),
  );
}

/** The count of a period: an answer says "in the last 21 days" for "since 3 weeks". */
const SPAN =
  /\b(?:since|last|past|previous)\s+\d{1,3}\s*(?:minutes?|mins?|hours?|hrs?|h|days?|d|weeks?|wks?|w|months?)\b/gi;
const SECRET = /\b(?:pin|passcode|password)\b\s*(?:code\s*)?(?:is|:|=|#)?\s*\S*\d\S*/gi;
/** "She turns 18 today", "he's 15" */
const AGE =
  /(?:\b(?:(?:(?:he|she)\s*(?:['’]s|\s+is)|hes|shes|turn(?:s|ed)|aged?)\s+(?:now\s+|only\s+|just\s+|already\s+)?))(?:[1-9]|1\d|2[01])(?:\s*(?:years?|yrs?|yo)(?:\s+old)?)?(?=\s*(?:$|[,.;!?]|now\b|today\b|tomorrow\b|soon\b|already\b|and\b))/gi;
/** "Since 6 this morning" */
const CLOCK =
  /\b(?:since|after|before|until|till|from|at|around)\s+\d{1,2}(?::\d{2})?(?=\s*(?:$|[ap]m\b|o['’]?clock\b|this\b|in\s+the\b|last\b|today\b|yesterday\b|tonight\b|on\b))/gi;
const DIGITS =
  /(?:\$|€|£|\busd\s?)\s?\d[\d,]*(?:\.\d+)?|\b\d[\d,]*(?:\.\d+)?\s?(?:\$|€|£|usd|dollars?|bucks?|cents?|euros?)|[^\s“”"(),;]*\d[^\s“”"(),;]*/gi;

/** The times that the answer does not carry. `clause`: the one that asks for the change. */
function timesLeft(guided: GuidedAnswer, asked: Asked, carried: Carried, clause: Clause | undefined): string[] {
  const { clauses, facts, since } = asked;
  const times = clause ? timesOf(clause, clauses) : clauses.flatMap((one) => one.times);
  const own = guided.input.Since;
  const isCarried = ({ text, day, kind }: Time) => {
    // A list that is narrowed to a time says “today” for “from today”.
    const isNarrowed = guided.narrow?.since !== undefined && carried.has(text.replace(/^(?:from|for|of)\s+/i, ''));
    if (isNarrowed || carried.has(text)) return true;
    if (day && [day.iso, day.iso.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1')].some((one) => carried.has(one)))
      return true;
    if (clause && day?.iso === facts.today && !day.isEnd) return true;
    // A history begins at the time that the sentence names first.
    if (own !== undefined && own === since?.value && since?.until !== undefined && day) return true;
    const begins = own !== undefined && since !== undefined && own === since.value && day?.isEnd !== true;
    return (
      begins && kind !== 'often' && (kind !== 'end' || guided.kind === 'events') && isStart(text, asked, since.value)
    );
  };
  return times
    .filter((time) => !isCarried(time) && !SAYS_NO_TIME.test(time.text) && guided.about === undefined)
    .map(({ text }) => text);
}

/** "Until when" asks for a day, and "right now" narrows nothing. */
const SAYS_NO_TIME = /^(?:(?:until|till|til|by)\s+when\b|(?:right\s+)?now$)/i;

function isStart(text: string, { now, zone, clauses }: Asked, value: string): boolean {
  const times = clauses.flatMap((clause) => clause.times);
  if (times.length === 1) return true;
  // "After 5pm yesterday" is one time in two parts.
  const all = times.map((time) => time.text).join(' ');
  return [text, `since ${text}`, all, `since ${all}`].some((one) => sinceIn(one, now, zone)?.value === value);
}

const PRONOUNS: ReadonlySet<string> = new Set('it its him his her them em their'.split(' '));
/** Words that stand for a line if no other noun follows. */
const POINTING: ReadonlySet<string> = new Set('that this these those'.split(' '));
const OF_LINES: ReadonlySet<string> = new Set('line number one sim phone customer'.split(' '));

/** A relative of a customer. */
const RELATIVE = new RegExp(`^(?:${FAMILY})$`, 'iu');

/** A word such as "it" that names no line here, in an answer that needs one. */
function pronounsLeft(
  { kind, find, operation, isList }: GuidedAnswer,
  { facts, clauses }: Asked,
  people: readonly string[],
): string[] {
  // In a question for a list, "their" means the lines of the list.
  if (kind === 'help' || kind === 'events' || operation === undefined || find || isList) return [];
  if (facts.mentions.length > 0 || facts.ids.length > 0 || people.length > 0) return [];
  for (const { words } of clauses)
    for (const [at, { plain, typed }] of words.entries()) {
      // "The webhook is dead, delete it" names what it is.
      if (plain === 'it' && namesRecord(clauses)) continue;
      const next = words[at + 1]?.plain ?? '';
      // "His dad doesn't want it" names nobody whose line it is.
      if (RELATIVE.test(next)) continue;
      const isLine = POINTING.has(plain) ? OF_LINES.has(next) || next === '' : PRONOUNS.has(plain);
      if (isLine) return [OF_LINES.has(next) ? `${typed} ${next}` : typed];
    }
  const [kids] = CHILDREN_OF.exec(facts.rest) ?? [];
  return kids === undefined ? [] : [kids];
}

/** People whom a sentence means without their names: "both kids". */
const CHILDREN_OF = new RegExp(
  String.raw`\b(?:both|all|each|the|her|his|their|my|our|two|three)\s+(?:(?:of\s+)?(?:the|her|his|their|my|our)\s+)?(?:${CHILDREN})\b`,
  'iu',
);

/** "She wants an eSIM instead": the form for a new SIM asks for its number alone. */
const WANTS_ESIM = /\b(?:an?|to|into|for|want|wants|need|needs|his|her|new)\s+(?<kind>e-?sim)\b/iu;

function namesRecord(clauses: readonly Clause[]): boolean {
  return clauses.some(({ words }) => words.some(({ things }) => things.some((thing) => RECORDS.has(thing))));
}

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function quoted(text: string): string {
  return `“${text}”`;
}
