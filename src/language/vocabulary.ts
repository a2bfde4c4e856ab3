import { english } from '../../tools/surfaces/english.ts';
import { everyday } from '../../tools/surfaces/everyday.ts';
import { acts, foreign, things } from '../../tools/surfaces/words.ts';

/* The words that are known: those of the vocabulary with what they mean, and everyday English. */

/** The form of a word. */
export type Form = 'base' | 'ing' | 'ed' | 's';

/** A word of the vocabulary in one of its forms. */
export interface Known {
  acts: readonly string[];
  things: readonly string[];
  form: Form;
  base: string;
}

function index(table: Readonly<Record<string, string>>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [meaning, list] of Object.entries(table))
    for (const word of words(list)) found.set(word, [...(found.get(word) ?? []), meaning]);
  return found;
}

export function words(list: string): Set<string> {
  return new Set(list.split(/\s+/).filter(Boolean));
}

const BY_ACT = index(acts);
const BY_THING = index(things);
export const FOREIGN: ReadonlySet<string> = new Set(foreign);
/** The words of the vocabulary in their base form. */
export const VOCABULARY: readonly string[] = [...new Set([...BY_ACT.keys(), ...BY_THING.keys(), ...FOREIGN])];

export function singular(plain: string): string {
  return plain.length > 4 ? plain.replace(/s$/, '') : plain;
}

/** The meanings of a word in any of its forms; undefined if the vocabulary lacks it. */
export function knownAs(plain: string): Known | undefined {
  if (FOREIGN.has(singular(plain))) return { acts: [], things: [singular(plain)], form: 'base', base: plain };
  for (const { base, form } of basesOf(plain)) {
    const own = { acts: BY_ACT.get(base) ?? [], things: BY_THING.get(base) ?? [] };
    if (own.acts.length + own.things.length > 0) return { ...own, form, base };
  }
  return undefined;
}

/** The word itself, and the words whose form it may be. */
export function basesOf(plain: string): { base: string; form: Form }[] {
  const found: { base: string; form: Form }[] = [{ base: plain, form: 'base' }];
  const add = (ending: RegExp, form: Form, ...ends: string[]) => {
    if (!ending.test(plain)) return;
    const stem = plain.replace(ending, '');
    for (const end of ends) found.push({ base: stem + end, form });
    if (/([^aeiou])\1$/.test(stem)) found.push({ base: stem.slice(0, -1), form });
  };
  add(/ies$/, 's', 'y');
  add(/s$/, 's', '');
  add(/es$/, 's', '');
  add(/ied$/, 'ed', 'y');
  add(/ed$/, 'ed', '', 'e');
  add(/ing$/, 'ing', '', 'e');
  add(/(?:ation|lation)$/, 'ing', '', 'e', 'l');
  return found;
}

const EVERYDAY = words(everyday);
const ENGLISH = words(english);

/** True for an English word that is no slip of a word of the vocabulary. With a capital letter it may be a name. */
export function isEnglish(plain: string): boolean {
  return basesOf(plain).some(({ base }) => ENGLISH.has(base));
}

/** True for a word of everyday English, which is no name. */
export function isEveryday(word: string): boolean {
  const isKnown = (one: string) => COMMON.has(one) || EVERYDAY.has(one);
  // "Actually" and "exactly" are made of "actual" and "exact".
  return isKnown(word) || (/^\p{Ll}{4,}ly$/u.test(word) && isKnown(word.slice(0, -2)));
}

/** The most frequent words that are neither names nor words of the catalogue: a slip of the keyboard may be read as one. */
export const COMMON: ReadonlySet<string> = new Set(
  `a about place placed placing after again among all behind belong belongs between during inside regarding versus vs waits cheap cheaper
  cheapest overview owe owes owed rang received answer answered command commands weekend weekends options summary also already am an and another any anybody anyone anything are as asap ask asked asking at
  lately recently currently
  away back be because been before being best better big both but by bye can cant come coming could day days dear did
  do does doing dont down due each early else end ending ends enough evening ever every everybody everyone everything
  far few fine first following for friday from full further give go goes going gone good got great had has have he
  hear hello help her here hey hi him his hour hours how hows i id if im in instead into is it its ive just keep kid
  know last late later least left less let lets like little long look looks lot lots mail many may maybe me mean mind
  minute minutes mistake moment monday month months more morning most much must my name named need needed needs never
  next nice night no nobody none not nothing now of off ok okay old on once one ones only onto or other our out over
  own pal people person please pls plz possible pretty put question quick quickly quite rather read ready really right
  said same saturday say saying says second seem seems set she should since so some somebody someone something soon
  sorry start started starts still stop sunday sure take takes tell than thank thanks that thats the their them then
  there these they thing things think this those thought through thursday thx time times to today together tomorrow
  tonight too took tried try trying tuesday two type understand until up urgent urgently us very wait want wanted
  wants was way we wednesday week weeks well went were what whats when where whether which while who whole whose why
  will wish with without wont work working works would wrong year years yes yesterday yet you your mum mom dad son
  daughter wife husband boss colleague code area zip gb mb kb usd dollar dollars cost costs price fee fees charge
  charged pay paid refund money expensive free service services contract info information detail details everyone
  digits digit ends pin ported rejected reason happened stolen lost found theft device handset spam robocall scam
  leaving leave left mr mrs ms miss dr sr sra señor señora plug bars reception waiting
  always anytime forever permanently somewhere sometimes often usually sec secs noon midnight oclock hourly daily nightly weekly biweekly monthly yearly january february march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun christmas easter vacation holiday holidays payday yet came come comes coming gone
  use using guy lady man woman different whole half twice percent am pm except besides unlock quote clock black lock catch match tests test falls walls cells sports parts older border games dates chance range power
  tower chose steps shops rise plants planes teams soon near number nolonger anymore caller speed
  three four five six seven eight nine ten twelve non nonpayment prepaid postpaid active inactive alone away under within url link
  request requests pending backup abroad runs keeps qr travelling traveling recoverable iot mvno voip temporarily immediately effective date number's line's thing's account's okay`
    .split(/\s+/)
    .filter(Boolean),
);
