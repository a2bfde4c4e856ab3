import { aside, deeds, phrases, subjects } from '../../tools/surfaces/wish-words.ts';
import { asked, besides } from '../../tools/surfaces/wishes.ts';
import { patternOf } from './sentence.ts';
import { basesOf, words } from './vocabulary.ts';

/* Reads a wish of an assistant, "remove a caller from the blocklist", into deeds and subjects, and the operations for it. */

/** An operation that a wish asks for. */
export interface Asked {
  operation: string;
  score: number;
}

/** A word of a wish. */
interface Part {
  deeds: readonly string[];
  subjects: readonly string[];
}

const PHRASES = phrases.map(([template, word]) => ({ pattern: patternOf(template), word }));
const DEEDS = index(deeds);
const SUBJECTS = index(subjects);
const ASIDE = new Set(aside);
const ROWS = asked.map(([operation, doing, needs, fits = '']) => ({
  operation,
  deeds: words(doing),
  needs: needs
    .split(' ')
    .filter(Boolean)
    .map((one) => one.split('/')),
  fits: words(`${fits} ${needs.replaceAll('/', ' ')}`),
}));

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/’/g, "'"],
  [/\bat&t\b/g, 'att'],
  [/\b(?:can\s*not|can'?t|cant)\b/g, 'cannot'],
  [/\b(does|do|did|is|are|has|have|was|were|would|could|should|must|wo)n'?t\b/g, '$1 not'],
  [/\b(what|who|where|how|that|it|he|she)'s\b/g, '$1 is'],
  [/'s?(?=\s|$)/g, ''],
];
/** Beginnings that say nothing of what is asked for. */
const POLITE =
  /^(?:(?:please|pls|kindly|hey|hi|ok|can you|could you|would you|i want to|i need to|we want to|we need to|i would like to|we would like to|id like to|how do i|how do we|how can i|how can we|how to|help me|help|i have to|(?:the |a |my |our )?(?:customer|subscriber|client|user|caller) (?:wants|needs|would like|asks|asked|has asked) (?:us )?to)\s+)+/;
const READING = words('read find list count trouble happen watch get');
/** Words with which a question begins: it asks for a read. */
const QUESTION = words(
  'what which who whose whom where when why how is are was were has have had does did do can could may show list find see view check read display tell look lookup search describe explain determine identify verify retrieve fetch usage count test validate locate inspect examine review',
);
/** Words after which a word that may be a noun is a verb. */
const BEFORE_VERB = words('to please and or then also never not always you us we');

const WEIGHT = {
  deed: 2,
  weak: 1.6,
  subject: 1,
  aside: 0.3,
  otherDeed: 1.2,
  askedDeed: 0.3,
  otherSubject: 0.8,
  otherAside: 0.1,
} as const;
const MIN_SCORE = 1.5;

/** The operations that a wish asks for, the best first; none if it names too little. `reads`: true for a read. */
export function askedIn(wish: string, reads: (operation: string) => boolean): Asked[] {
  const { parts, asks, isOrder, isMany } = partsOf(wish);
  const isRead = (operation: string) => besides[operation] ?? reads(operation);
  const found = ROWS.flatMap(({ operation, ...row }): Asked[] => {
    if (asks ? !isRead(operation) : isOrder && isRead(operation)) return [];
    const score = scoreOf(parts, row, asks ? WEIGHT.askedDeed : WEIGHT.otherDeed);
    return score >= MIN_SCORE ? [{ operation, score }] : [];
  });
  const best = found.sort((a, b) => b.score - a.score || Number(isRead(b.operation)) - Number(isRead(a.operation)));
  const [first] = best;
  const isBatch = isMany && first !== undefined && !isRead(first.operation) && besides[first.operation] === undefined;
  return isBatch ? [{ operation: 'batches_create', score: first.score }, ...best] : best;
}

/** True if a wish says what an operation does. A question says what no change does. */
export function isActOf(wish: string): (operation: string) => boolean {
  const { parts, asks } = partsOf(wish);
  const doing = new Set(asks ? [] : parts.flatMap(({ deeds: own }) => own));
  return (operation) => ROWS.some((row) => row.operation === operation && [...row.deeds].some((one) => doing.has(one)));
}

function scoreOf(parts: readonly Part[], row: Omit<(typeof ROWS)[number], 'operation'>, otherDeed: number): number {
  const doing = parts.filter(({ deeds: own }) => own.some((one) => row.deeds.has(one)));
  if (row.deeds.size > 0 && doing.length === 0) return 0;
  const named = new Set(parts.flatMap(({ subjects: own }) => own));
  const met = row.needs.map((either) => either.find((one) => named.has(one)));
  if (met.includes(undefined)) return 0;
  const isClear = doing.some(({ deeds: own }) => own.some((one) => one !== 'read' && row.deeds.has(one)));
  let score = row.deeds.size === 0 ? 0 : isClear ? WEIGHT.deed : WEIGHT.weak;
  for (const one of met) score += ASIDE.has(one ?? '') ? WEIGHT.aside : WEIGHT.subject;
  const rest = parts.filter((part) => !doing.includes(part) && !part.subjects.some((subject) => row.fits.has(subject)));
  const others = new Set(rest.filter(({ deeds: own }) => own.length === 0).map(({ subjects: own }) => own[0] ?? ''));
  for (const one of others) score -= ASIDE.has(one) ? WEIGHT.otherAside : WEIGHT.otherSubject;
  const acts = rest.filter(({ deeds: own }) => own.length > 0 && !own.includes('read'));
  return score - (acts.length > 0 ? otherDeed : 0);
}

interface Wish {
  parts: Part[];
  /** True for a question, which asks for a read. */
  asks: boolean;
  /** True if it begins with something to do, so that it asks for no read. */
  isOrder: boolean;
  /** True if it is about more than one target. */
  isMany: boolean;
}

function partsOf(wish: string): Wish {
  let text = ` ${wish.toLowerCase()} `;
  for (const [pattern, to] of CONTRACTIONS) text = text.replace(pattern, to);
  text = text.trim().replace(POLITE, '');
  const begin = text.match(/^\p{L}+/u)?.[0] ?? '';
  text = text
    .replace(/\b(\d+(?:\.\d+)?)\s*(gb|gigs?|gigabytes?|mb)\b/g, ' data ')
    .replace(/\+?\d[\d()-]{3,}/g, ' number ');
  for (const { pattern, word } of PHRASES)
    text = text.replace(pattern, (_, kept?: unknown) => `${word} ${typeof kept === 'string' ? kept : ''} `);
  const plain = affirmed(text.split(/[^\p{L}-]+/u).filter(Boolean));
  const parts = plain.map((word, at) => partOf(word, at === 0 || BEFORE_VERB.has(plain[at - 1] ?? '')));
  const isTrouble = parts.some(({ deeds: own }) => own.includes('trouble') || own.includes('happen'));
  const first = plain[0] ?? '';
  const isQuestion = QUESTION.has(first) || (QUESTION.has(begin) && !doesIn(first));
  const isName = parts.every(({ deeds: own }) => own.length === 0);
  const asks =
    isQuestion ||
    isName ||
    RECORD.test(text) ||
    (isTrouble && !(doesIn(first) && lookedUp(SUBJECTS, first).length === 0));
  // A question may have no word that says so any more.
  if (asks) parts.push({ deeds: ['read'], subjects: [] });
  const isMany = plain.includes('together') || MANY.test(wish.toLowerCase());
  return {
    parts: parts.filter((part) => part.deeds.length + part.subjects.length > 0),
    asks,
    isOrder: doesIn(first),
    isMany,
  };
}

/** The words without those that a wish speaks against: "request it without submitting", "suspend, do not cancel". */
function affirmed(plain: readonly string[]): string[] {
  const end = plain.findIndex((word, at) => at > 0 && EXCLUDING.has(word));
  const kept = end < 0 ? plain : plain.slice(0, end);
  return kept.filter((_, at) => !kept.slice(Math.max(0, at - REACH), at).some((word) => NEGATIONS.has(word)));
}

const EXCLUDING = words('without instead rather except unless');
/** Words between a negation and what it negates, and one. */
const REACH = 3;
const NEGATIONS = words('not never dont');
/** "Get the details of a customer". */
const RECORD =
  /^(?:get|give|fetch|pull|retrieve|need)\b.*\b(?:details|info|information|status|history|usage|list|record|log)\b/;
/** More than one target: "40 lines", "all these numbers". */
const MANY =
  /\b(?:[2-9]|\d{2,3}|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|several|multiple|many|dozens of|hundreds of|all(?: of)?(?: these| those| the| our| my)?|a list of) (?:\w+ )?(?:lines|numbers|phones|sims|customers|subscribers|users|people)\b|\b(?:bulk|mass|csv|spreadsheet|everyone|everybody|(?:this|the|my) list)\b/;
/** A word with its deeds and subjects. A word that is both is a subject unless its place makes it a verb. */
function partOf(word: string, isVerb: boolean): Part {
  const own = lookedUp(SUBJECTS, word);
  const doing = lookedUp(DEEDS, word);
  if (isPast(word)) return { subjects: own, deeds: own.length > 0 || isVerb ? [] : doing };
  return { subjects: own, deeds: own.length > 0 && !isVerb ? doing.filter((deed) => deed === word) : doing };
}

function lookedUp(table: ReadonlyMap<string, readonly string[]>, word: string): readonly string[] {
  for (const { base } of basesOf(word)) {
    const found = table.get(base);
    if (found) return found;
  }
  return [];
}

/** "Paused numbers" are numbers, and nothing to do. */
function isPast(word: string): boolean {
  return word.endsWith('ed') && !DEEDS.has(word);
}

/** True for a word of something that is done, and not read. */
function doesIn(word: string): boolean {
  if (isPast(word)) return false;
  const doing = lookedUp(DEEDS, word);
  return doing.length > 0 && !doing.some((deed) => READING.has(deed));
}

/** Concepts by word. The name of a concept is a word for it. */
function index(table: Readonly<Record<string, string>>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [concept, list] of Object.entries(table))
    for (const word of words(`${concept} ${list}`)) found.set(word, [...(found.get(word) ?? []), concept]);
  return found;
}
