import { unsaying } from '../../../../tools/surfaces/everyday.ts';
import { families } from '../../../../tools/surfaces/families.ts';
import { type Word, wordsOf } from '../../../language/sentence.ts';
import { words } from '../../../language/vocabulary.ts';
import { isLevelWord } from '../facts/levels.ts';
import type { Asked, Clause } from '../facts/stance.ts';
import { keepsValue } from './kept-values.ts';

/*
 * Finds the words of a request that its answer neither carries nor explains: "the cheapest plan", "for a couple of weeks".
 * A word is explained if a family of the operation names what it means, or if it asks for nothing by itself.
 */

/** The acts and things that the families of an operation name. */
const MEANT: ReadonlyMap<string, ReadonlySet<string>> = meant();

function meant(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { operation, acts, things, also = '' } of families) {
    const own = found.get(operation) ?? new Set();
    for (const one of words(`${acts} ${things} ${also}`)) own.add(one);
    found.set(operation, own);
  }
  return found;
}

/** Acts and things that go with every request. */
const GENERAL = words('number subscriber person newnumber show find change need time want tell trouble stop');
const UNSAYING = words(unsaying);
/** Begin a report, which gives a reason. */
const REPORTS = words('she he they shes hes theyre because cause since as cos cuz who customer client so');
/** Begin a report of how something is: "it is on hold anyway". */
const OF_THINGS = words('it its thats');
/** Words before a left word that belong to it: "for portins", "in the evening". */
const BEFORE = words('for with in on by at under to until till during within via the a an her his their my our');
/** Words before the verb of an order, such as "can you please". */
const MOST_BEFORE_VERB = 4;
/** The words for the owner of a number that the answer carries: "Ben's school +1…", "his coach 312…". */
const OF_NUMBER = /\b(?:['’]s|his|her|their|my|our)\s+(\p{L}+)\s+(?=\+?\(?\d[\d\s().-]{8,})/giu;
/** Words after a count that belong to it: "a couple of weeks". */
const AFTER = words('of day days week weeks month months hour hours year years plan plans');

/**
 * The parts of a request that its answer leaves out, as they were typed.
 *
 * @param isCarried true for a word that the answer has
 */
export function leftIn(
  operation: string,
  { clauses, said, facts }: Pick<Asked, 'clauses' | 'said' | 'facts'>,
  isCarried: (word: string) => boolean,
): string[] {
  const own = MEANT.get(operation) ?? new Set();
  const isMeant = ({ acts, things }: Word) => [...acts, ...things].some((one) => own.has(one) || GENERAL.has(one));
  const asked = clauses.filter(({ text }) => !(/_update$/.test(operation) && keepsValue(text)));
  const left = asked.flatMap((clause) => asking(clause, own).filter((word) => !isMeant(word) && !word.isNegated));
  const whose = new Set([...said.matchAll(OF_NUMBER)].map(([, word = '']) => word.toLowerCase()));
  const isOwner = ({ typed, acts }: Word) => acts.length === 0 && whose.has(typed.toLowerCase());
  const open = new Set(
    left.flatMap((word) => (isOwner(word) ? [] : [word.typed.toLowerCase()])).filter((one) => !UNSAYING.has(one)),
  );
  const accounted = facts.message === undefined ? said : said.replace(facts.message, ' ');
  const times = facts.times.map(({ text }) => text.toLowerCase()).join(' ');
  const tokens = accounted.match(/[^\s,;.!?()"“”:]+/g) ?? [];
  const isLeft = (token: string | undefined): boolean => {
    const plain = (token ?? '').toLowerCase().replace(/['’]s$/, '');
    // "Alert at 1 gb" has the word in the field of its amount.
    if (facts.volumes.length > 0 && isLevelWord(plain)) return false;
    return open.has(plain) && !isCarried(plain) && !times.split(/\s+/).includes(plain);
  };
  const address = tokens.findIndex(
    (token, at) => /^https?$/iu.test(token) && /^(?:to|at)$/iu.test(tokens[at - 1] ?? ''),
  );
  const runs: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    // "Point the route at https://…": the verb says what the address is for.
    const isCarriedTo = at < address && at < MOST_BEFORE_VERB;
    if (!isLeft(tokens[at]) || isCarriedTo) continue;
    let start = at;
    const isBefore = () => BEFORE.has((tokens[start - 1] ?? '').toLowerCase()) && !isParticle(tokens, start - 1);
    while (at - start < 2 && isBefore()) start--;
    let end = at + 1;
    while (isLeft(tokens[end]) || AFTER.has((tokens[end] ?? '').toLowerCase())) end++;
    runs.push(tokens.slice(start, end).join(' '));
    at = end - 1;
  }
  return runs;
}

/** True for the end of a verb of two words: "turn on". */
function isParticle(tokens: readonly string[], at: number): boolean {
  const verb = tokens[at - 1];
  return verb !== undefined && /^\p{L}+$/u.test(verb) && wordsOf(`${verb} ${tokens[at] ?? ''}`).length === 1;
}

/** The words of a part of a sentence, without those that report why. */
function asking({ words: all }: Clause, own: ReadonlySet<string>): readonly Word[] {
  const act = all.findIndex(({ acts, isPast }) => !isPast && acts.some((one) => own.has(one)));
  const report = all.findIndex(({ plain }, at) => at > act && REPORTS.has(plain.replace(/['’]/g, '')));
  if (act < 0 && OF_THINGS.has(all[0]?.plain.replace(/['’]/g, '') ?? '')) return [];
  if (report < 0) return all;
  return act < 0 ? [] : all.slice(0, report);
}

/** Reads of one line, whose card shows more than the sentence has to name. */
const CARDS = words('numbers_find numbers_lookup');
/** Acts and things that the card of a line shows. */
const SHOWN = words(
  'account sim package subscription route namedroute namedtextroute namedcallroute usage data limit cnam name email role ' +
    'park cancel cancelledlines activate reactivate count get watch',
);
/** Words that every card answers: the holder of the line and its state. */
const ANSWERED = words(
  'active live own owns owner belong belongs ends ending state status back caller got here even last travelling',
);
/** Begins the second part of a question: "… and when does it renew". */
const SECOND = /(?:\band\b|\bplus\b|\balso\b|\bwith\b|[,;](?=\s))/i;

/** True for words that the card of a line answers, or that ask for nothing by themselves. */
function isAnswered({ acts, things, plain }: Word): boolean {
  return (
    UNSAYING.has(plain) || ANSWERED.has(plain) || [...acts, ...things].some((one) => SHOWN.has(one) || GENERAL.has(one))
  );
}

/** True for words that the card of a line has something for. */
export function isOnCard(text: string): boolean {
  return wordsOf(text).every((word) => word.isNegated || isAnswered(word));
}

/** The further parts of a question that the card of a line does not answer, as they were typed. */
export function unansweredIn(operation: string, said: string, isCarried: (word: string) => boolean): string[] {
  if (!CARDS.has(operation)) return [];
  const [, ...parts] = said.split(SECOND).map((part) => part.trim());
  return parts.filter((part) =>
    wordsOf(part).some((word) => !word.isNegated && !isCarried(word.plain) && !isAnswered(word)),
  );
}
