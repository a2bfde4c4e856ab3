import { type Family, families } from '../../tools/surfaces/families.ts';
import { foreign } from '../../tools/surfaces/words.ts';
import { jsonText } from '../lib/text.ts';
import { isSpecific, type Word } from './sentence.ts';

/** A family that a clause belongs to. */
export interface Fit {
  family: Family;
  score: number;
  /** The words that ask for it. */
  asking: readonly Word[];
  /** True if a word of the clause speaks of something else that is done, or of something that Switchboard does not hold. */
  isDoubtful: boolean;
}

/** Acts that say little: a sentence may have them beside what it asks for. */
const WEAK_ACTS = new Set(['show', 'find', 'count', 'trouble', 'decide', 'happen', 'spend', 'need']);
/** Words that many sentences have beside what they ask for. */
const WEAK_WORDS = new Set(
  'need needs want wants get give put set new open leave leaves have more extra another fresh start right write'.split(
    ' ',
  ),
);
/** A read is asked for by words that say little, such as "what". */
const WEIGHT = {
  act: 2,
  negated: 0.8,
  weakAct: 1,
  thing: 1,
  common: 0.3,
  target: 0.2,
  also: 1,
  otherAct: 0.9,
  otherThing: 0.6,
  first: 0.25,
} as const;
/** Things to which nearly everything is done. */
const TARGETS = new Set(['number', 'subscriber', 'person']);
/** Things that may come between an act and its object: "tell 0104", "what it costs". */
const ASIDE = new Set([...TARGETS, 'newnumber', 'spend', 'time']);
const FOREIGN = new Set(foreign);

const READ = families.map((family) => ({
  family,
  acts: listed(family.acts),
  things: listed(family.things),
  also: listed(family.also ?? ''),
}));

/** The families of a clause, the best first. `isChange`: true for an operation that is no read. */
export function familiesOf(words: readonly Word[], isChange: (operation: string) => boolean): Fit[] {
  return READ.flatMap((row): Fit[] => {
    const fit = fitOf(words, row, isChange(row.family.operation));
    return fit ? [fit] : [];
  }).sort((a, b) => b.score - a.score || Number(isChange(a.family.operation)) - Number(isChange(b.family.operation)));
}

function fitOf(
  words: readonly Word[],
  { family, acts, things, also }: (typeof READ)[number],
  isChange: boolean,
): Fit | undefined {
  const doing = words.filter((word) => !(isChange && word.isPast) && word.acts.some((act) => acts.has(act)));
  if (acts.size > 0 && doing.length === 0) return undefined;
  const about = words.filter((word) => word.things.some((thing) => things.has(thing)));
  if (things.size > 0 && about.length === 0) return undefined;
  const further = words.filter((word) => word.things.some((thing) => also.has(thing)));
  if (also.size > 0 && further.length === 0) return undefined;
  const explained = new Set([...doing, ...about, ...further]);
  const others = words.filter((word) => !explained.has(word));
  const otherActs = others.filter((word) => isStrong(word) && !word.isNegated);
  const otherThings = others.filter(({ things: own }) => own.some((one) => isSpecific(one) && !ASIDE.has(one)));
  const first = words.find(isStrong);
  const doubt = isChange && otherThings.length > 0 ? WEIGHT.otherThing : 0;
  const score =
    -doubt +
    weightOfActs(doing, acts) +
    weightOf(about, things) +
    (further.length === 0 ? 0 : weightOf(further, also)) +
    (first && doing.includes(first) ? WEIGHT.first : 0) -
    otherActs.length * WEIGHT.otherAct -
    otherThings.length * WEIGHT.otherThing;
  const isDoubtful =
    (isChange && isOther(objectOf(words, doing), explained)) ||
    others.some((word) => isStrong(word) && !word.isPast && isChange) ||
    otherThings.some(({ things: own }) => isChange || own.some((one) => FOREIGN.has(one)));
  return { family, score, asking: doing.length > 0 ? doing : about, isDoubtful };
}

/** The object of an act: the first things in a row after it, before a preposition. */
function objectOf(words: readonly Word[], doing: readonly Word[]): readonly Word[] {
  const start = words.findIndex((word) => doing.includes(word));
  if (start < 0) return [];
  const after = words.slice(start + 1);
  const end = after.findIndex(({ plain }) => PREPOSITIONS.has(plain));
  const near = after.slice(0, end < 0 ? undefined : end);
  const first = near.findIndex(({ things }) => things.length > 0);
  if (first < 0) return [];
  const rest = near.slice(first);
  const stop = rest.findIndex(({ things }) => things.length === 0);
  return rest.slice(0, stop < 0 ? undefined : stop);
}

const PREPOSITIONS = new Set('for of on to from with in into at about because by until when if'.split(' '));

/** True if an object is something else than what a family explains. */
function isOther(object: readonly Word[], explained: ReadonlySet<Word>): boolean {
  const telling = object.filter(({ things }) => !things.some((thing) => ASIDE.has(thing)));
  return telling.length > 0 && !object.some((word) => explained.has(word));
}

function weightOfActs(doing: readonly Word[], wanted: ReadonlySet<string>): number {
  if (doing.length === 0) return 0;
  if (doing.every(({ isNegated }) => isNegated)) return WEIGHT.negated;
  const isClear = (word: Word) =>
    !WEAK_WORDS.has(word.plain) && word.acts.some((act) => wanted.has(act) && !WEAK_ACTS.has(act));
  return doing.some(isClear) ? WEIGHT.act : WEIGHT.weakAct;
}

function weightOf(words: readonly Word[], wanted: ReadonlySet<string>): number {
  const found = words.flatMap(({ things }) => things.filter((thing) => wanted.has(thing)));
  if (found.length === 0) return 0;
  if (found.some(isSpecific)) return WEIGHT.thing;
  return found.every((thing) => TARGETS.has(thing)) ? WEIGHT.target : WEIGHT.common;
}

/** True if a word says by itself that something is done. */
function isStrong(word: Word): boolean {
  return !WEAK_WORDS.has(word.plain) && word.acts.some((act) => !WEAK_ACTS.has(act));
}

/** The values that all families of an operation give. Undefined if they differ. */
export function givenOf(operation: string): Family['given'] {
  const [first, ...others] = families.filter((one) => one.operation === operation).map(({ given }) => given);
  return others.every((one) => jsonText(one) === jsonText(first)) ? first : undefined;
}

function listed(text: string): ReadonlySet<string> {
  return new Set(text.split(' ').filter(Boolean));
}
