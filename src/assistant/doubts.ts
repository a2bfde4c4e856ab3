/*
 * Compares an answer of the model with what its conversation holds. A number, an id or an amount that none of the texts
 * has is marked for the reader. Numbers are compared exactly, without rounding and sums.
 */

const MOST_NAMED = 5;
/** Dates, times, durations and shares are written in the reader's zone and words, so they are not compared. */
const TIMES =
  /\b\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+Z?)?|\b\d{1,2}(?::\d{2}){1,2}(?:\s?[ap]\.?m\b)?|\b\d{1,2}\/\d{1,2}(?:\/\d{2,4})?|\b(?:19|20)\d{2}\b(?!\s?(?:usd|mb|gb|kbps|mbps))|\b\d+(?:\.\d+)?\s?(?:%|percent|seconds?|minutes?|hours?|days?|weeks?|months?|years?)/gi;
const ID = /\b(?:[A-Z]{2,7}-[A-Za-z0-9][\w.-]{3,}|(?:act|batch)_[\w-]+)/g;
const AMOUNT = /[$€£]\s?(\d[\d,]*(?:\.\d+)?)|\b(\d[\d,]*(?:\.\d+)?)\s?(usd|eur|dollars?|euros?|[kmgt]b|[kmg]bps)\b/gi;
/** A phone number, a part of one, or another figure of at least three digits. Smaller ones may be counts. */
const NUMBER = /\+?\d(?:[\d\s().-]{5,}\d|[\d,]*\.\d+|[\d,]+\d)/g;
/** Figures in a record that may stand for an amount: gigabytes are kept as megabytes. */
const MEGABYTES: Readonly<Record<string, readonly number[]>> = { gb: [1_000, 1_024], tb: [1_000_000, 1_048_576] };

/**
 * The numbers, ids and amounts of an answer that no text has, as the answer has them; at most five.
 *
 * @param texts results of calls, messages, and the instructions of the model
 */
export function doubtfulIn(answer: string, texts: readonly string[]): string[] {
  const held = texts.join('\n');
  const ids = held.toLowerCase();
  const figures = new Set([...held.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([figure]) => amountOf(figure)));
  const digits = [...held.matchAll(NUMBER)].map(([number]) => number.replace(/\D/g, ''));
  const doubtful: string[] = [];
  let rest = answer.replace(TIMES, ' ');
  const take = (pattern: RegExp, isHeld: (match: RegExpMatchArray) => boolean) => {
    for (const match of rest.matchAll(pattern)) if (!isHeld(match)) doubtful.push(match[0].trim());
    rest = rest.replace(pattern, ' ');
  };
  take(ID, ([id]) => ids.includes(id.toLowerCase()));
  take(AMOUNT, ([, money, amount, unit = '']) => {
    const value = amountOf(money ?? amount ?? '');
    return [1, ...(MEGABYTES[unit.toLowerCase()] ?? [])].some((factor) => figures.has(value * factor));
  });
  take(NUMBER, ([number]) => {
    const bare = number.replace(/\D/g, '');
    return bare.length < 3 || figures.has(amountOf(number)) || digits.some((one) => one.endsWith(bare));
  });
  return [...new Set(doubtful)].slice(0, MOST_NAMED);
}

function amountOf(figure: string): number {
  return Number(figure.replaceAll(',', ''));
}
