/* Numbers, ids and amounts of an answer, and whether the records of its conversation hold them. */

/** The texts that an answer may rest on. */
export interface Sources {
  /** Results of calls. */
  results: readonly string[];
  /** The model's instructions, and what it has read about operations. */
  rules: readonly string[];
  /** Texts that people wrote. A figure without a unit counts in any unit here: "limit it to 300". */
  people: readonly string[];
  /** Earlier answers, without what was doubted in them. */
  answers: readonly string[];
}

type Unit = 'usd' | 'eur' | 'gbp' | 'data' | 'speed' | 'none';

/** A figure with its unit. `values`: as a thousand and as 1,024 of the next smaller unit, in MB, kbps or the currency. */
interface Figure {
  unit: Unit;
  values: readonly number[];
  /** Half of its last place, by which rounding may have moved it. */
  rounding: number;
  /** The member of the record that holds it. */
  key?: string;
  /** The result that holds it, and the record in it. */
  source?: string;
  row?: string;
}

interface Claimed {
  text: string;
  kind: 'id' | 'digits' | 'amount' | 'number';
  /** The figure of an amount or a number. */
  figure?: Figure;
  /** Counts in the same sentence: "3 numbers at 5 USD each". */
  counts?: readonly number[];
}

/** Numbers below this one may be counts of what was read. */
const COUNTS = 32;
/** With more figures than these, any two of a result would add up to nearly anything. */
const MOST_COMPARED = 6;
/** More different values of one answer are not compared. */
const MOST_CLAIMED = 200;
const SENTENCE = 160;
/** The amounts of an answer that are added up: the nearest ones. */
const MOST_ADDED = 20;
/** The greatest distance of a rounded figure from the one of the record. */
const NEAR: Readonly<Record<Unit, number>> = { usd: 0.01, eur: 0.01, gbp: 0.01, data: 0.05, speed: 0.05, none: 0 };

/** Dates, times and durations are read in the writer's zone and words, so they are not compared. */
const TIMES =
  /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?|\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?|\b\d{1,2}\/\d{1,2}(?:\/\d{2,4})?|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?\b|\b\d{1,2}(?:st|nd|rd|th)?\.?\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:,?\s+\d{4})?\b|\b\d+(?:[.,]\d+)?\s?(?:%|percent|seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?)|(?<!\d,)\b(?:19|20)\d{2}\b(?!\s?(?:usd|eur|dollars?|[kmg]b|[kmg]bps)\b)/gi;
const ID = /\b(?:[A-Z]{2,7}-[A-Za-z0-9][A-Za-z0-9._-]{3,}|(?:act|bat)_[A-Za-z0-9]+)/g;
const PHONE = /\+?\d[\d\s().-]{5,}\d/g;

const NUM = String.raw`\d+(?:[.,]\d+)*`;
const UNIT_AFTER = String.raw`us\$|us dollars?|usd|dollars?|bucks|cents?|eur(?:os?)?|gbp|pounds?|[$€£¢]|[kmgt]i?b(?:ps|\/s|its?\/s)?|(?:kilo|mega|giga|tera)(?:bytes?|bits? per second)|megs?|gigs?`;
const AMOUNT = new RegExp(
  String.raw`(?:us\$|[$€£]|(?<!\w)(?:usd|eur|gbp))\s?(?<behind>${NUM})|(?<![\w.,]|\w-)(?<ahead>${NUM})[\s\u00a0-]?(?<unit>${UNIT_AFTER})(?!\w)`,
  'gi',
);
/** The figure before an amount that has its unit: "12.5 of 20 MB", "from 20 to 40 MB". */
const SHARES_UNIT = new RegExp(
  String.raw`(?:(?<![\w.,+]|\w-)(?<of>${NUM})\s(?:out of|of)\s(?:the\s|its\s)?|(?<![\w.,+]|\w-)(?<arrow>${NUM})\s?(?:→|->)\s?|\bfrom\s(?<from>${NUM})\sto\s)$`,
  'i',
);
const NUMBER = new RegExp(String.raw`(?<![\w.,])${NUM}(?!\w)`, 'g');
/** A number or a text of a JSON record, with its member. */
const MEMBER = /"(?<key>\w+)":(?:(?<number>-?\d+(?:\.\d+)?)|"(?<text>[^"\\]{1,60})")(?=[,}\]])/g;
const WORDS_OF_COUNT = 'two three four five six seven eight nine ten eleven twelve'.split(' ');

const KEYS: readonly (readonly [RegExp, Unit])[] = [
  [/price|cost|fee|charge|amount|usd|balance/i, 'usd'],
  [/speed|kbps|mbps/i, 'speed'],
  [/limit|notify|throttle|used|usage|remaining|mb$|data/i, 'data'],
];

const CURRENCIES: readonly (readonly [RegExp, Unit])[] = [
  [/^(?:us\$|\$|¢|usd|us dollar|dollar|buck|cent)/, 'usd'],
  [/^(?:€|eur)/, 'eur'],
  [/^(?:£|gbp|pound)/, 'gbp'],
];
const POWERS: Readonly<Record<string, number>> = { k: -1, m: 0, g: 1, t: 2 };

function figureOf(number: string, unitText: string): Figure {
  const value = numberOf(number);
  const decimals = /[.,](\d+)$/.exec(number.replace(/,(?=\d{3}(?:\D|$))/g, ''))?.[1]?.length ?? 0;
  const rounding = 0.5 * 10 ** -decimals;
  const unit = unitText.toLowerCase();
  const currency = CURRENCIES.find(([pattern]) => pattern.test(unit))?.[1];
  if (currency) {
    const scale = /^(?:¢|cent)/.test(unit) ? 0.01 : 1;
    return { unit: currency, values: [value * scale], rounding: rounding * scale };
  }
  const power = POWERS[unit.charAt(0)] ?? 0;
  const isSpeed = /ps$|\/s$|second$/.test(unit);
  const steps = isSpeed ? power + 1 : power;
  return {
    unit: isSpeed ? 'speed' : 'data',
    values: isSpeed ? [value * 1000 ** steps] : [value * 1000 ** steps, value * 1024 ** steps],
    rounding: rounding * 1000 ** steps,
  };
}

const plain = (number: string): Figure => ({ unit: 'none', values: [numberOf(number)], rounding: 0 });

/** The amounts of a text with their places. */
function amountsIn(text: string): { figure: Figure; start: number; end: number }[] {
  return [...text.matchAll(AMOUNT)].flatMap(({ 0: whole, index, groups = {} }) => {
    const unit = groups.unit ?? whole.slice(0, whole.length - (groups.behind?.length ?? 0));
    const own = {
      figure: figureOf(groups.behind ?? groups.ahead ?? '', unit),
      start: index,
      end: index + whole.length,
    };
    const shared = SHARES_UNIT.exec(text.slice(Math.max(0, index - 40), index))?.groups;
    const before = shared?.of ?? shared?.arrow ?? shared?.from;
    // The last digits of a line are no amount: "0105 → 40 MB".
    if (before === undefined || /^0\d/.test(before)) return [own];
    const start = text.lastIndexOf(before, index);
    return [{ figure: figureOf(before, unit), start, end: start + before.length }, own];
  });
}

/** The values of an answer that have to be in a record. */
export function valuesIn(answer: string): Claimed[] {
  const found: Claimed[] = [];
  const take = (text: string, pattern: RegExp, claimed: (match: string) => Claimed | undefined): string =>
    text.replace(pattern, (match: string) => {
      const value = claimed(match);
      if (value) found.push(value);
      return ' '.repeat(match.length);
    });
  let left = take(answer, ID, (match) => ({ text: match.replace(/[.-]+$/, ''), kind: 'id' }));
  left = take(left, TIMES, () => undefined);
  for (const { figure, start, end } of amountsIn(left)) {
    const counts = countsIn(sentenceAt(answer, start));
    found.push({ text: answer.slice(start, end).trim(), kind: 'amount', figure, counts });
    left = left.slice(0, start) + ' '.repeat(end - start) + left.slice(end);
  }
  left = take(left, PHONE, (match) =>
    digitsOf(match).length >= 7 ? { text: match.trim(), kind: 'digits' } : undefined,
  );
  take(left, NUMBER, (match) => {
    const digits = match.replace(/,(?=\d{3}(?:\D|$))/g, '');
    const isCount = !/^\d+$/.test(digits) || (Number(digits) < COUNTS && digits.length < 4);
    return isCount ? undefined : { text: match, kind: 'number', figure: plain(match) };
  });
  return found;
}

/** The sentence around a place, as far as counts in it are near. */
function sentenceAt(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - SENTENCE), at);
  const behind = text.slice(at, at + SENTENCE);
  const start = Math.max(before.lastIndexOf('. '), before.lastIndexOf('\n')) + 1;
  return before.slice(start) + behind.slice(0, /\.\s|\n|$/.exec(behind)?.index ?? 0);
}

function countsIn(sentence: string): number[] {
  const digits = (sentence.match(NUMBER) ?? []).filter((one) => /^[1-9]\d{0,2}$/.test(one)).map(Number);
  const words = (sentence.toLowerCase().match(/[a-z]+/g) ?? []).flatMap((one) =>
    one === 'both' ? [2] : WORDS_OF_COUNT.includes(one) ? [WORDS_OF_COUNT.indexOf(one) + 2] : [],
  );
  return [...digits, ...words];
}

/** The values that the sources hold. */
export class Held {
  readonly #texts: string;
  readonly #digits: readonly string[];
  readonly #figures: readonly Figure[];
  /** Figures that were added up or subtracted, of results. */
  readonly #derived: readonly Figure[];

  constructor({ results, rules, people, answers }: Sources) {
    const said = rules.map((text) => text.replace(/^\d+\. /gm, ''));
    this.#texts = [...results, ...said, ...people, ...answers].join('\n').toLowerCase();
    this.#digits = (this.#texts.match(/\d[\d\s().-]*\d|\d/g) ?? []).map(digitsOf);
    const read = results.flatMap((text, at) =>
      text
        .split(/[{}]/)
        .flatMap((row, of) => recordFigures(`${row},`).map((one) => ({ ...one, source: `${at}`, row: `${at} ${of}` }))),
    );
    const written = [...results, ...said, ...people, ...answers].flatMap((text) => [
      ...amountsIn(text).map(({ figure }) => figure),
      ...plainIn(text),
    ]);
    this.#figures = [...read, ...written, ...people.flatMap(inAnyUnit)];
    this.#derived = derivedOf(read);
  }

  /** The values of an answer that are in no source, and follow from none. */
  missing(all: readonly Claimed[]): Claimed[] {
    const claimed = all
      .filter(({ text }, at) => all.findIndex((one) => one.text === text) === at)
      .slice(0, MOST_CLAIMED);
    const missing = claimed.filter((one) => !this.#has(one));
    const listed = claimed.filter((one) => !missing.includes(one)).flatMap(({ figure }) => figure ?? []);
    return missing.filter((one) => !this.#follows(one, claimed, listed));
  }

  #has({ text, kind, figure }: Claimed): boolean {
    if (kind === 'id') return this.#texts.includes(text.toLowerCase());
    const digits = digitsOf(text);
    // Last digits name a line, and a national number an international one.
    const isEnd = (length: number) =>
      digits.length >= length &&
      this.#digits.some((one) => one.endsWith(digits) || (one.length >= 7 && digits.endsWith(one)));
    if (kind === 'digits') return isEnd(7);
    if (figure === undefined) return false;
    return [...this.#figures, ...this.#derived].some((one) => isSame(one, figure)) || (kind === 'number' && isEnd(4));
  }

  /** True for the sum or difference of amounts that the answer lists, and for an amount times a count beside it. */
  #follows({ figure, counts = [] }: Claimed, all: readonly Claimed[], listed: readonly Figure[]): boolean {
    if (figure === undefined) return false;
    const before = all
      .slice(
        0,
        all.findIndex((one) => one.figure === figure),
      )
      .flatMap((one) => one.figure ?? []);
    const addends = (figures: readonly Figure[]) =>
      figures.filter((one) => one.unit === figure.unit && listed.includes(one)).slice(-MOST_ADDED);
    const whole = addends(all.flatMap((one) => one.figure ?? []));
    const lists = [addends(before), whole];
    const sums = lists.flatMap((list) => list.map((_, at) => list.slice(at)).filter(({ length }) => length > 1));
    if (sums.some((list) => isSame(summed(list), figure))) return true;
    if (whole.some((one) => whole.some((other) => isSame(difference(one, other), figure)))) return true;
    return (
      figure.unit !== 'none' &&
      this.#figures.some((one) => counts.some((count) => count > 1 && isSame(times(one, count), figure)))
    );
  }
}

/** The figures of a record, with the unit that their member has. */
function recordFigures(text: string): Figure[] {
  return [...text.matchAll(MEMBER)].flatMap(({ groups = {} }) => {
    const { key = '', number, text: value = '' } = groups;
    const digits = number ?? (/^\d+(?:\.\d+)?$/.test(value) ? value : undefined);
    if (digits === undefined) return amountsIn(value).map(({ figure }) => ({ ...figure, key }));
    if (digits.length > 9 || /^0\d/.test(digits)) return [];
    const unit = KEYS.find(([pattern]) => pattern.test(key))?.[1];
    const own = { ...plain(digits), key };
    return unit === undefined ? [own] : [own, { ...own, unit }];
  });
}

/** Figures of a text in any unit. The hours and minutes of a moment are none, nor are digits inside an id. */
function plainIn(text: string): Figure[] {
  const figures = text.replace(/\b\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?z?/gi, ' ');
  const found = figures.match(/(?<![\w.,]|\w-)\d+(?:[.,]\d+)*(?=[^\w]|[kmgt]?b(?:ps)?\b|$)/gi) ?? [];
  return found.map(plain);
}

/** Figures without a unit that a person wrote, without dates and the digits of lines. */
function inAnyUnit(text: string): Figure[] {
  const left = text.replace(TIMES, ' ').replace(PHONE, ' ');
  const found = (left.match(NUMBER) ?? []).filter((one) => !/^0\d/.test(one) && digitsOf(one).length < 7);
  const without = found.filter(
    (one) => !amountsIn(left).some(({ start, end }) => left.slice(start, end).includes(one)),
  );
  return without.flatMap((one) =>
    (['usd', 'eur', 'gbp', 'data', 'speed'] as const).map((unit) => ({ ...plain(one), unit })),
  );
}

/** Sums and differences of figures that belong together: of one member in all rows, of one row, or of a small result. */
function derivedOf(read: readonly Figure[]): Figure[] {
  const groupsBy = (name: (one: Figure) => string) => {
    const groups = new Map<string, Figure[]>();
    for (const one of read) {
      const key = `${one.unit} ${name(one)}`;
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
    return [...groups.values()].filter(({ length }) => length > 1);
  };
  const isSmall = ({ length }: readonly Figure[]) => length <= MOST_COMPARED;
  const alike = groupsBy(({ key = '' }) => key);
  const rows = groupsBy(({ row = '' }) => row).filter(isSmall);
  const whole = groupsBy(({ source = '' }) => source).filter((list) => isSmall(list) && list[0]?.unit !== 'none');
  const pairs = [...alike, ...rows, ...whole].flatMap((list) =>
    list.slice(0, 60).flatMap((one, at) => list.slice(at + 1, 60).map((other) => [one, other] as const)),
  );
  return [...alike.map(summed), ...pairs.flatMap(([one, other]) => [summed([one, other]), difference(one, other)])];
}

function summed(list: readonly Figure[]): Figure {
  const first = list[0] ?? plain('0');
  const total = list.reduce((sum, { values }) => sum + (values[0] ?? 0), 0);
  return { unit: first.unit, values: [total], rounding: 0 };
}

function difference(one: Figure, other: Figure): Figure {
  const left = Math.abs((one.values[0] ?? 0) - (other.values[0] ?? 0));
  return { unit: one.unit, values: [left], rounding: 0 };
}

const times = (one: Figure, count: number): Figure => ({
  ...one,
  values: one.values.map((value) => value * count),
});

/** True if the figure of an answer is the one of a record, in another unit or rounded. */
function isSame(held: Figure, claimed: Figure): boolean {
  if (held.unit !== claimed.unit) return false;
  return held.values.some((value) =>
    claimed.values.some((one) => {
      const near = Math.min(claimed.rounding, Math.abs(value) * NEAR[held.unit]);
      return Math.abs(one - value) <= near + 1e-9 * Math.max(1, Math.abs(value));
    }),
  );
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** The number in a text such as "1,500" or "1.5". */
function numberOf(text: string): number {
  const isGrouped = /,\d{3}(?:\D|$)/.test(text) || text.split(',').length > 2;
  return Number(isGrouped ? text.replaceAll(',', '') : text.replace(',', '.'));
}
