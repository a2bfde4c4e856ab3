import type { Message } from './conversations.ts';

/*
 * Compares an answer with the records of its conversation: results of calls, and what people wrote. A number, an id or
 * an amount that none of them holds, and an outcome that no call had, are marked for the reader.
 */

/** Statements of an answer that no record of its conversation supports. */
export interface Unproven {
  /** Numbers, ids and amounts, as the answer has them. */
  values: readonly string[];
  /** The sentence that claims an outcome. */
  outcome?: string;
}

/** The texts that an answer may rest on. */
export interface Records {
  /** Results of this turn, and the rules of the model. */
  results: readonly string[];
  /** The earlier messages, and the message itself. */
  messages: readonly Message[];
  /** True if a call of this turn did something, waits or has an unknown outcome. */
  hasEffect: boolean;
}

const MOST_NAMED = 5;
/** Numbers below this one may be counts of what was read. */
const COUNTS = 32;
/** More figures than these are not added up in pairs. */
const MOST_PAIRED = 200;
/** Kilo, mega: a figure in another unit of data is rounded. */
const UNITS = [1_000, 1_024, 1_000_000, 1_048_576];
const CENTS = 100;

/** Dates, times and durations are read in the writer's zone and words, so they are not compared. */
const TIMES =
  /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?|\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?|\b\d{1,2}\/\d{1,2}(?:\/\d{2,4})?|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?|\b\d{1,2}(?:st|nd|rd|th)?\.?\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:,?\s+\d{4})?|\b\d+(?:[.,]\d+)?\s?(?:%|percent|seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?)|\b(?:19|20)\d{2}\b/gi;
const ID = /\b(?:[A-Z]{2,7}-[A-Za-z0-9][A-Za-z0-9._-]{3,}|(?:act|bat)_[A-Za-z0-9]+)/g;
const PHONE = /\+?\d[\d\s().-]{5,}\d/g;
const NUMBER = /(?<![\w.,])\d+(?:[.,]\d+)*(?![\w])/g;
const UNIT = /^\s?(?:usd|eur|dollars?|cents?|mb|gb|kb|tb|kbps|mbps|megabytes?|gigabytes?)\b|^\s?[$€]/i;

/** A figure of a text, with or without a unit. Digits inside an id are none: by chance, two of them add up to anything. */
const FIGURE = /(?<![\w.,]|\w-)\d+(?:[.,]\d+)*(?=[^\w]|[kmgt]?b(?:ps)?\b|$)/g;

/** Nor are the hours, minutes and seconds of a moment. */
const MOMENT = /\b\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?z?/g;

const ACTS =
  'cancel+ed|sent|set|changed|added|removed|blocked|unblocked|allowed|parked|reactivated|activated|updated|deleted|created|assigned|moved|ported|ordered|submitted|approved|confirmed|withdrawn|stopped|paused|resumed';

/**
 * An outcome in the past, as an answer reports its own acts: "Done.", "Withdrawn.", "I have cancelled it", "it is now
 * blocked". One word that is also the state of a line, an order or a message is no claim.
 */
const DONE = new RegExp(
  [
    String.raw`^(?:all )?done\b`,
    '^(?:withdrawn|set|changed|added|removed|unblocked|reactivated|updated|deleted|created|assigned|renamed|restored|resumed)[.!]?$',
    String.raw`\b(?:I|we)(?:['’]ve| have|['’]ve just| have just| just)?\s+(?:now |already |successfully |also )*(?:${ACTS}|renamed|limited|throttled|restored|withdrew)\b`,
    String.raw`\b(?:has|have) (?:now |just |successfully )*been (?:${ACTS})\b`,
    String.raw`\b(?:is|are) now (?:cancel+ed|blocked|unblocked|allowed|parked|reactivated|activated|updated|deleted|set)\b`,
    String.raw`\b(?:is|are) (?:now )?withdrawn\b`,
  ].join('|'),
  'i',
);

/** Finds the statements of an answer that no record supports. Undefined if there are none. */
export function unprovenIn(answer: string, { results, messages, hasEffect }: Records): Unproven | undefined {
  // A claim of an earlier answer is no record.
  const said = messages.map(({ text, doubted = [] }) => doubted.reduce((left, one) => left.replaceAll(one, ''), text));
  const held = new Held([...results, ...said]);
  const values = valuesIn(answer).filter((value) => !held.has(value));
  const outcome = hasEffect ? undefined : claimIn(answer, messages, results);
  if (values.length === 0 && outcome === undefined) return undefined;
  const named = [...new Set(values.map(({ text }) => text))].slice(0, MOST_NAMED);
  return { values: named, ...(outcome !== undefined && { outcome }) };
}

/** The first sentence that claims an outcome, if nothing of this conversation was done, read as done or reported. */
function claimIn(answer: string, messages: readonly Message[], results: readonly string[]): string | undefined {
  const sentence = answer
    .split(/(?<=[.!?])\s+|\n+/)
    .map((one) => one.replace(/^[\s*_>#✅-]+/u, ''))
    .find((one) => DONE.test(one) && !one.trim().endsWith('?'));
  if (sentence === undefined) return undefined;
  const wasDone = messages.some(({ from, text }) => from === 'assistant' && /\[(?:.* )?Done: /.test(text));
  const isRead = results.some((text) => /"status":"(?:done|partly)"|"(?:state|Outcome)":"(?:done|partly)"/.test(text));
  return wasDone || isRead ? undefined : sentence.slice(0, 160);
}

interface Value {
  text: string;
  kind: 'id' | 'digits' | 'amount' | 'number';
}

function valuesIn(answer: string): Value[] {
  const values: Value[] = [];
  const take = (text: string, pattern: RegExp, kind: (match: string, rest: string) => Value | undefined): string =>
    text.replace(pattern, (match: string, ...rest: unknown[]) => {
      const offset = rest.find((one): one is number => typeof one === 'number') ?? 0;
      const value = kind(match, text.slice(offset + match.length));
      if (value) values.push(value);
      return ' '.repeat(match.length);
    });
  let left = take(answer, ID, (match) => ({ text: match.replace(/[.-]+$/, ''), kind: 'id' }));
  left = take(left, TIMES, () => undefined);
  left = take(left, PHONE, (match) =>
    digitsOf(match).length >= 7 ? { text: match.trim(), kind: 'digits' } : undefined,
  );
  take(left, NUMBER, (match, rest) => {
    if (UNIT.test(rest) || /[$€]\s?$/.test(left.slice(0, Math.max(0, left.length - rest.length - match.length))))
      return { text: `${match}${/^\s?[A-Za-z]+/.exec(rest)?.[0] ?? ''}`, kind: 'amount' };
    return /^\d+$/.test(match) && (Number(match) >= COUNTS || match.length >= 4)
      ? { text: match, kind: 'number' }
      : undefined;
  });
  return values;
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** The values that texts hold. */
class Held {
  readonly #texts: string;
  readonly #digits: readonly string[];
  readonly #numbers: ReadonlySet<number>;

  constructor(texts: readonly string[]) {
    this.#texts = texts.join('\n').toLowerCase();
    this.#digits = (this.#texts.match(/\d[\d\s().-]*\d|\d/g) ?? []).map(digitsOf);
    const numbers = this.#texts.replace(MOMENT, ' ').match(FIGURE) ?? [];
    this.#numbers = new Set(numbers.map(numberOf));
  }

  has({ text, kind }: Value): boolean {
    if (kind === 'id') return this.#texts.includes(text.toLowerCase());
    const digits = digitsOf(text);
    // Last digits name a line, and a national number an international one.
    const isEnd = (length: number) =>
      digits.length >= length &&
      this.#digits.some((one) => one.endsWith(digits) || (one.length >= 7 && digits.endsWith(one)));
    if (kind === 'digits') return isEnd(7);
    const value = numberOf(text);
    return this.#holds(value) || (kind === 'number' && isEnd(4));
  }

  /** True for a figure of the texts, in another unit of data, or the sum or difference of two. */
  #holds(value: number): boolean {
    if (this.#numbers.has(value)) return true;
    const all = [...this.#numbers];
    const isNear = (one: number) => Math.abs(one - value) <= Math.max(0.005, value * 0.006);
    if (UNITS.some((unit) => all.some((one) => isNear(one * unit) || isNear(one / unit)))) return true;
    if (all.some((one) => one * CENTS === value || one === value * CENTS)) return true;
    if (all.length > MOST_PAIRED) return false;
    return all.some((one) => all.some((other) => one + other === value || one - other === value));
  }
}

/** The number in a text such as "1,500", "1.5 GB" or "5 USD". */
function numberOf(text: string): number {
  const [found = ''] = /\d+(?:[.,]\d+)*/.exec(text) ?? [];
  return Number(
    /,\d{3}(?:\D|$)/.test(found) || found.split(',').length > 2 ? found.replaceAll(',', '') : found.replace(',', '.'),
  );
}
