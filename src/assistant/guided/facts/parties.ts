import type { Facts, Mention } from './facts.ts';

/* The roles in a sentence about two parties: the customer or line that has a filter, and the numbers on its lists. */

export interface Parties {
  /** The customer by name, or their line. Undefined if the sentence does not say. */
  owner: string | undefined;
  /** True if `owner` is a name. */
  isPerson: boolean;
  /** The other numbers, in order. */
  others: readonly string[];
}

/** Words before the line of a customer for whom others are blocked or allowed, and who they reach. */
const OWN_LINE: ReadonlySet<string> = new Set(
  'for calling texting bothering reaching spamming harassing pestering annoying scamming harasses spams bothers pesters to messaging call text reach through'.split(
    ' ',
  ),
);
/** Words before a customer's line only where another number is named: "the block on +1…", "block +1… on 0101". */
const PERHAPS_OWN: ReadonlySet<string> = new Set(['on', 'of']);
/** Words before the number on a list: "0101 has blocked +1…". */
const ON_LIST = /^(?:un)?(?:block|bar|bann?|blacklist|whitelist|allow|permit)(?:s|ed|ing)?$/;

/**
 * The parties by the roles that the words give them. A person owns the list, unless a line is named in that role.
 *
 * @param person the name in the sentence
 */
export function partiesOf(
  { mentions, isOneList }: Pick<Facts, 'mentions' | 'isOneList'>,
  person: string | undefined,
): Parties {
  // "Ben only gets texts from 0101 and +1…": a list beside a customer is that of the others.
  const isList = person !== undefined && isOneList && mentions.length > 1;
  const line = isList ? undefined : ownLine(mentions, person === undefined);
  const owned = person === undefined || (line !== undefined && mentions.length > 1);
  const others = mentions.filter((mention) => !owned || mention !== line).map(({ text }) => text);
  return owned ? { owner: line?.text, isPerson: false, others } : { owner: person, isPerson: true, others };
}

/** The only mention with the role of a customer's line; undefined if there is none, or several. */
export function ownLine(mentions: readonly Mention[], mayGuess = true): Mention | undefined {
  const only = (found: readonly Mention[]) => (found.length === 1 ? found[0] : undefined);
  const sure = mentions.filter(({ before }) => OWN_LINE.has(before));
  // Last digits mean a line here, because no stranger is known by them.
  const here = mentions.filter(({ isWhole }) => !isWhole);
  const isSaid = mentions.some(({ before }) => before === 'for');
  if (here.length === 1 && mentions.length > 1 && !isSaid) return here[0];
  if (sure.length > 0) return only(sure);
  if (mentions.length < 2) return undefined;
  const owners = mentions.filter(({ isOwner }) => isOwner);
  if (owners.length > 0) return only(owners);
  const perhaps = mentions.filter(({ before }) => PERHAPS_OWN.has(before));
  if (perhaps.length > 0 || !mayGuess) return only(perhaps);
  const listed = mentions.filter(({ before }) => ON_LIST.test(before));
  return listed.length === 0 ? undefined : only(mentions.filter((mention) => !listed.includes(mention)));
}

/** True for a number that the words before it, or after it, make the line whose list is meant. */
export function isLinePart({ before, isOwner }: Mention): boolean {
  return isOwner || OWN_LINE.has(before) || PERHAPS_OWN.has(before);
}

/** True if a sentence names more than one customer's line. */
export function hasSeveralOwners(mentions: readonly Mention[]): boolean {
  return mentions.filter(({ before }) => OWN_LINE.has(before)).length > 1;
}
