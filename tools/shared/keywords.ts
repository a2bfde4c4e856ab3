import { isRecord } from '../../src/lib/json.ts';
import { missingFrom } from '../../src/lib/lists.ts';
import { readTexts } from '../../src/platform/dialect/readings.ts';

/* Keyword rules of filters: a JSON object in a text (PLATFORM.md, Guardian filtering). */

/** Keyword rules as a text that an update sends; undefined if they are neither a text nor an object. */
export function rulesIn(value: unknown): string | undefined {
  return isRecord(value) ? JSON.stringify(value) : typeof value === 'string' ? wrapped(value) : undefined;
}

/** Further words are counted, but not named. */
const MOST_WORDS = 5;
/** A single word cannot be an instruction, so it may appear in a question that assistants read too. */
const SINGLE_WORD = /^[\p{L}\p{N}'-]{1,30}$/u;

/** The words that are no longer flagged, such as `casino is no longer flagged`; a general sentence if other rules change. */
export function lostWords(present: unknown, next: unknown): string {
  const lost = missingFrom(customWords(present), customWords(next));
  const list = quotedWords(lost);
  if (list === undefined) return 'not all of the present ones stay';
  return `${list} ${lost.length === 1 ? 'is' : 'are'} no longer flagged`;
}

/** `"casino", "bet" and 2 more`; undefined if none is a single word. */
function quotedWords(words: readonly string[]): string | undefined {
  const shown = words.filter((word) => SINGLE_WORD.test(word)).slice(0, MOST_WORDS);
  if (shown.length === 0) return undefined;
  const more = words.length - shown.length;
  return `${shown.map((word) => `"${word}"`).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The words that keyword rules flag, in a sentence; undefined if they flag none. */
export function flaggedWords(rules: string): string | undefined {
  const read = parsed(wrapped(rules));
  if (!isRecord(read)) return 'what its keyword rules name';
  const lists = isRecord(read.SystemKeywords) ? Object.values(read.SystemKeywords) : [];
  const system = lists.flatMap((list) => readTexts(list) ?? []);
  const words = [...new Set([...customWords(read), ...system])];
  if (words.length === 0) return undefined;
  const plural = words.length === 1 ? 'keyword' : 'keywords';
  const list = quotedWords(words);
  return list === undefined ? `${words.length} ${plural}` : `the ${plural} ${list}`;
}

function customWords(rules: unknown): string[] {
  return isRecord(rules) ? (readTexts(rules.CustomKeywords) ?? []) : [];
}

/** True if everything in `now` is in `next` too: members of objects, entries of lists, and values. */
export function extendsRules(now: unknown, next: unknown): boolean {
  if (Array.isArray(now)) return Array.isArray(next) && missingFrom(now, next).length === 0;
  if (isRecord(now)) return isRecord(next) && Object.keys(now).every((key) => extendsRules(now[key], next[key]));
  return now !== undefined && now === next;
}

/**
 * Adds the outer braces to keyword rules, because the interface's examples return them without. Other texts stay
 * unchanged.
 */
function wrapped(json: string): string {
  const object = `{${json}}`;
  return isRecord(parsed(json)) || !isRecord(parsed(object)) ? json : object;
}

export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
