import * as z from 'zod';
import { nearest } from '../../src/lib/nearest.ts';
import { inQuotes, isRecord, recordOf, visible } from '../../src/lib/values.ts';
import { jsonIn, readTexts } from '../../src/platform/dialect/readings.ts';

/* Keyword rules of filters: a JSON object in a text (PLATFORM.md, Guardian filtering). */

const EXAMPLE = '{"CustomKeywords":["word"],"SeverityMap":{"word":"HIGH"}}';
const SEVERITY = z.enum(['HIGH', 'MEDIUM', 'LOW'], 'must be one of: HIGH, MEDIUM, LOW');
const RULES = z.looseObject(
  {
    CustomKeywords: z.array(z.string('must be a word'), 'must be a list of words').optional(),
    SystemKeywords: z.record(z.string(), z.unknown(), 'must have a list of words for each category').optional(),
    SeverityMap: z.record(z.string(), SEVERITY, 'must have a severity such as HIGH for each word').optional(),
  },
  'cannot be read: CustomKeywords lists the words, and SeverityMap has a severity such as HIGH for each of them',
);

/** Keyword rules: a JSON object inside a string (PLATFORM.md, Guardian filtering). */
export const keywordFilter = z
  .string()
  .trim()
  .max(10_000)
  .overwrite(severitiesAsListed)
  .superRefine((text, context) => {
    const rules = jsonIn(text);
    const [issue] = RULES.safeParse(rules).error?.issues ?? [];
    const at = issue?.path.map((part) => String(part).slice(0, 40)).join('.');
    if (issue) context.addIssue({ code: 'custom', message: `${at} ${issue.message}`.trim() });
    // The platform would ignore a misspelt member, and the words in it with it.
    for (const name of Object.keys(recordOf(rules))) {
      const meant = nearest(name, Object.keys(RULES.shape)) ?? name;
      if (meant !== name)
        context.addIssue({ code: 'custom', message: `${name} is not part of keyword rules; did you mean ${meant}?` });
    }
  })
  .meta({ kind: 'keywords', examples: [EXAMPLE] });

/** Keyword rules with their severities in capital letters. Other texts stay unchanged. */
function severitiesAsListed(text: string): string {
  const rules = jsonIn(text);
  if (!isRecord(rules) || !isRecord(rules.SeverityMap)) return text;
  const listed = Object.entries(rules.SeverityMap).map(([word, one]) => [word, String(one).trim().toUpperCase()]);
  const whole = JSON.stringify({ ...rules, SeverityMap: Object.fromEntries(listed) });
  return whole === JSON.stringify(rules) ? text : whole;
}

/** Keyword rules as a text that an update sends; undefined if they are neither a text nor an object. */
export function rulesIn(value: unknown): string | undefined {
  return isRecord(value) ? JSON.stringify(value) : typeof value === 'string' ? wrapped(value) : undefined;
}

/** Further words are counted, but not named. */
const MOST_WORDS = 5;
/** A single word cannot be an instruction, so it may appear in a question that assistants read too. */
const SINGLE_WORD = /^[\p{L}\p{N}'-]{1,30}$/u;

/** The words that keyword rules flag, in a sentence; undefined if they flag none. */
export function flaggedWords(rules: string): string | undefined {
  const read = jsonIn(wrapped(rules));
  if (!isRecord(read)) return 'what its keyword rules name';
  const lists = isRecord(read.SystemKeywords) ? Object.values(read.SystemKeywords) : [];
  const words = [...new Set([...customWords(read), ...lists.flatMap((list) => readTexts(list) ?? [])])];
  if (words.length === 0) return undefined;
  const plural = words.length === 1 ? 'keyword' : 'keywords';
  const shown = words.filter((word) => SINGLE_WORD.test(word)).slice(0, MOST_WORDS);
  const more = words.length - shown.length;
  if (shown.length === 0) return `${words.length} ${plural}`;
  return `the ${plural} ${shown.map((word) => inQuotes(word)).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * Keyword rules as people read them: "flags giveaway, crypto (high)". Rules and members that have no words here are shown
 * as they are, so that nothing is sent that is not shown.
 */
export function keywordsText(value: unknown): string {
  const raw = rulesIn(value) ?? String(value);
  const read = jsonIn(raw);
  if (!isRecord(read) || !RULES.safeParse(read).success) return inQuotes(visible(raw));
  const { CustomKeywords: _words, SystemKeywords: lists, SeverityMap, ...others } = read;
  const severities = isRecord(SeverityMap) ? SeverityMap : {};
  const custom = [...new Set([...customWords(read), ...Object.keys(severities)])].map((word) => {
    const severity = Object.hasOwn(severities, word) ? ` (${String(severities[word]).toLowerCase()})` : '';
    return `${SINGLE_WORD.test(word) ? word : inQuotes(visible(word))}${severity}`;
  });
  const system = Object.entries(isRecord(lists) ? lists : {}).map(([name, list]) => {
    const words = (readTexts(list) ?? [JSON.stringify(list)]).map((word) => inQuotes(visible(word)));
    return `the list ${inQuotes(visible(name))}${words.length === 0 ? '' : ` (${words.join(', ')})`}`;
  });
  const rest = Object.keys(others).length === 0 ? [] : [inQuotes(visible(JSON.stringify(others)))];
  const words = [...custom, ...system, ...rest];
  return words.length === 0 ? 'flags no word' : `flags ${words.join(', ')}`;
}

function customWords(rules: unknown): string[] {
  return isRecord(rules) ? (readTexts(rules.CustomKeywords) ?? []) : [];
}

/**
 * Adds the outer braces to keyword rules, because the interface's examples return them without. Other texts stay
 * unchanged.
 */
function wrapped(json: string): string {
  const object = `{${json}}`;
  return isRecord(jsonIn(json)) || !isRecord(jsonIn(object)) ? json : object;
}
