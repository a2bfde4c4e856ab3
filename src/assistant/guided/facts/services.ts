import { knownAs } from '../../../language/vocabulary.ts';

/*
 * The services of a new line that a sentence lists: "voice and data", "calls, texts and data". A product that joins
 * services is the one with all of them, and the smallest.
 */

const WORD = String.raw`(?<![\p{L}\d'’-])\p{L}+(?![\p{L}\d'’-])`;
const JOINT = String.raw`(?:\s*[,/+&]\s*(?:and\s+|&\s*)?|\s+(?:and|plus|n|with)\s+)`;
const JOINED = new RegExp(`^${JOINT}$`, 'iu');
/** The words of services, as things of the vocabulary. */
const THINGS: ReadonlySet<string> = new Set(['text', 'call', 'data']);
const FULL =
  /\bfull(?:\s+service\b|(?=\s+(?:line|number)\b))|\bwith\s+(?:everything|all\s+(?:three|services))\b|\ball\s+three\b/iu;
/** Leaves a service out. */
const WITHOUT = /\b(?:no|not|without|except|w\/o)\b/iu;

export interface Services {
  /** As the sentence says them. */
  words: string;
  things: readonly string[];
}

function thingOf(word: string): string | undefined {
  return knownAs(word.toLowerCase())?.things.find((thing) => THINGS.has(thing));
}

/** The services that a sentence lists, at least two of them. */
export function servicesIn(text: string): Services | undefined {
  if (WITHOUT.test(text)) return undefined;
  const [full] = FULL.exec(text) ?? [];
  let run: { thing: string; start: number; end: number }[] = [];
  for (const { 0: word, index } of text.matchAll(new RegExp(WORD, 'giu'))) {
    const thing = thingOf(word);
    const last = run.at(-1);
    // A word such as "and" is between two services.
    if (thing === undefined && /^(?:and|plus|n|with)$/iu.test(word)) continue;
    const goesOn = last !== undefined && JOINED.test(text.slice(last.end, index));
    if (thing !== undefined) run = [...(goesOn ? run : []), { thing, start: index, end: index + word.length }];
    else if (run.length > 1) break;
    else run = [];
  }
  const things = [...new Set(run.map(({ thing }) => thing))];
  if (things.length > 1)
    return { words: text.slice(run[0]?.start, run.at(-1)?.end), things: full === undefined ? things : [...THINGS] };
  return full === undefined ? undefined : { words: full, things: [...THINGS] };
}

/** The product among the choices that has these services, and as few others as there are. */
export function productOf({ things }: Services, choices: readonly string[]): string | undefined {
  const joined = choices.map((choice) => ({ choice, parts: choice.split('+').map(thingOf) }));
  return joined
    .filter(({ parts }) => things.every((thing) => parts.includes(thing)))
    .toSorted((a, b) => a.parts.length - b.parts.length)[0]?.choice;
}
