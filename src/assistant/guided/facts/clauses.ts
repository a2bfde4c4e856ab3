import { eventOperations } from '../../../../tools/surfaces/events.ts';
import type { Family } from '../../../../tools/surfaces/families.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { CatalogueSearch } from '../../../language/catalogue-search.ts';
import { MAKES_NUMBER } from '../../../language/families.ts';
import { type Word, wordsOf } from '../../../language/sentence.ts';
import type { Facts } from './facts.ts';
import { newNameIn, withPeople } from './names.ts';
import {
  asksForFacts,
  type Clause,
  type Fit,
  isClearRead,
  partsIn,
  topicOf,
  withNames,
  withOneNumber,
  withoutReason,
  withTopic,
} from './stance.ts';
import { withSet, withVerb } from './verbless.ts';

/** "What happens if" asks about the change, not about events. */
export const HAPPENS = /\bhappens?\s+(?:if|when)\b/i;

/** A customer's wish or state. */
const WANTS =
  /^\W*(?:(?:so|and|hi|hey|the|our|my|this)\s+)*(?:customer|subscriber|client|user|he|she|they|it|\p{Lu}\p{L}+|[a-z]+)(?:\s+(?:is|are|was|has|had|just|now))*\s+(?:wants?|needs?|leav(?:es|ing)|left|moved|moving|switch(?:ed|ing)|going|gone|quit|decided)\b/iu;
/** "Cancel all parked lines": the state of the lines is none of what is done to them. */
const STATED =
  /(?<=\b(?:cancel|delete|remove|stop|end|terminate|disconnect|kill|drop|close|deactivate|all|every|each|any)\b[^,.;!?]*)\b(?:parked|suspended|paused|frozen)\s+(?=(?:\p{L}+\s+)?(?:lines?|numbers?|sims?|ones?)\b)/giu;

function withoutState(text: string): string {
  return text.replace(STATED, '');
}

/** Drops the things of a subject: "Customer wants a transfer PIN" asks for a PIN. */
function withoutSubject(word: Word, at: number, all: readonly Word[]): Word {
  const [before, next] = [all[at - 1]?.plain ?? '', all[at + 1]?.plain ?? ''];
  const isSubject = CUSTOMERS.test(word.plain) && WANTING.test(next) && !/^(?:new|another|fresh)$/.test(before);
  return isSubject ? { ...word, things: [] } : word;
}

/** "The roaming product", "the product esim": the words beside the noun are its name, also if the vocabulary has them. */
function asProductName(word: Word, at: number, all: readonly Word[]): Word {
  if (word.acts.length > 0 || word.things.length === 0 || PRODUCT.test(word.plain)) return word;
  const isName = [all[at - 1], all[at + 1]].some((beside) => beside !== undefined && PRODUCT.test(beside.plain));
  return isName && !OF_PRODUCT.test(word.plain) ? { ...word, things: [], isUnknown: true } : word;
}

const PRODUCT = /^(?:products?|items?)$/;
const OF_PRODUCT = /^(?:packages?|plans?|bundles?|tariffs?|amount|sku|all)$/;
const CUSTOMERS = /^(?:customer|subscriber|client|user|caller)s?$/;
const WANTING = /^(?:wants?|needs?|wanted|asks?|asked|would|requests?|requested|is|has|says?|said)$/;

const NAMES_LINE = /number|\d{4}/;

/** True for what a customer wants, did or has broken, without a line: it is the reason for what else is asked for. */
export function isWish(text: string): boolean {
  return IS_DOING.test(text) || IS_BROKEN.test(text) || (WANTS.test(text) && !NAMES_LINE.test(text));
}

/** "The customer at 0105 is leaving us" reports an intention, and orders nothing. */
const IS_DOING =
  /^(?!\W*(?:please|pls|plz|can|could)\b)[^,.;!?]*\b(?:is|are|was|were|he['’]s|she['’]s|they['’]re)\s+(?:(?:now|also|just|about\s+to|going\s+to|thinking\s+(?:of|about))\s+)*(?!nothing\b|anything\b|something\b)\p{L}{3,}ing\b/iu;

/** "Her SIM is broken and she waits for a new one": a state, and no order for another SIM. */
const IS_BROKEN =
  /^(?!\W*(?:please|pls|can|could)\b)[^,.;!?]*\b(?:e?sim|phone|handset|device|card)(?:\s+card)?(?:['’]s)?\s+(?:(?:is|was|has|got|just|been)\s+)*(?:broken?|broke|dead|died|lost|stolen|damaged|faulty|fried|gone|cracked|ruined|kaput|missing|snapped)\b(?![^,.;!?]*\b(?:swap|replace|change)\b)/iu;

/** Operations whose record is made of no line. */
const MAKES_RECORD: ReadonlySet<string> = new Set(['packages_create', 'products_create']);

const FORWARDS = /\bforward/i;

/** "0101 can text", of a line of which something else fails. */
const ABLE =
  /^\W*(?:number|[#…*]*\d{4}|he|she|they|it|\p{Lu}\p{L}+)\s+can\s+(?:still\s+)?(?:text|call|sms|message|phone|ring|browse|surf)s?\s*$/iu;

/** "It is on hold since August" reports a state. */
const IS_HELD =
  /^\W*(?:it|he|she|they|(?:the\s+|her\s+|his\s+)?(?:line|number))(?:\s+is|\s+was|\s+are|\s+has\s+been|['’]?s)\s+(?:(?:still|already|anyway|just|now)\s+)*(?:on\s+(?:hold|pause|ice)|parked|suspended|paused|frozen)\b(?!.*\b(?:please|pls)\b)/iu;

/** "It was put on hold by mistake", "someone put 0103 on hold", "0107 must stay cancelled": nothing is asked for. */
const IS_REPORT = new RegExp(
  [
    String.raw`\b(?:was|were|got|been|is|are|being)\s+(?:(?:just|already|wrongly|accidentally|mistakenly|also|even|then)\s+)*(?:put|placed|set)\s+on\s+(?:hold|pause|ice)\b`,
    String.raw`^\W*(?:(?:so|and|but|hi|hey|well)\s+)*(?:somebody|someone|some\s+\p{L}+|(?:a|my|the|our)\s+colleague|i|we|he|she|they)\s+(?:(?:has|had|have|just|already|accidentally|mistakenly)\s+)*put\s(?!.*\b(?:please|pls|plz)\b).*\bon\s+(?:hold|pause|ice)\b`,
    // "Sms to Acme's numbers is not reaching our server" reports a fault.
    String.raw`^\W*(?:the\s+|our\s+|incoming\s+|inbound\s+)?(?:texts?|sms|mms|messages?|calls?)\s+(?:to|from|of|for)\s+[^,;.]{1,60}?\b(?:not|never|stopped|no\s+longer|fails?|failing)\b`,
    // "The nurse tells me her texts never arrive", "grandma wants to know when her number comes over"
    String.raw`^\W*(?:(?:the|our|my|an?|his|her|their|this)\s+)?(?:\p{L}+\s+){1,3}?(?:tells|told|says\s+to|said\s+to|claims|complains|complained)\s+(?:me|us|that)\b`,
    String.raw`\b(?:wants?|wanted|would\s+like|likes?|needs?)\s+to\s+(?:know|hear|learn)\s+(?:when|if|whether|how|why|what|where|who)\b`,
    String.raw`^\W*(?:(?:the|our|my|an?|his|her|their|this)\s+)?\p{L}+\s+(?:asks|asked|wonders|wondered|is\s+asking)\s+(?:me\s+|us\s+)?(?:when|how|why|what|where|who)\b`,
    String.raw`\b(?:stays?|remains?|(?:be|is|was)\s+(?:kept|left))\s+(?:cancell?ed|parked|suspended|blocked|disconnected|deactivated|paused|frozen|on\s+(?:hold|pause|ice))\b`,
  ].join('|'),
  'iu',
);

/**
 * True if a change that costs or takes away is only needed, by a noun that says whose part is meant: "they need the serial
 * number of the sim".
 */
function isPartNoun({ words }: Pick<Clause, 'words'>, { tool, family, asking }: Fit): boolean {
  const isCostly = tool.risk === 'spend' || tool.risk === 'destroy' || family.guide !== undefined;
  if (!isCostly || !asking.every(({ acts }) => acts.every((act) => act === 'need'))) return false;
  const object = words.findIndex(({ things }) => family.things.split(' ').some((thing) => things.includes(thing)));
  const before = words.slice(0, Math.max(object, 0)).map(({ plain }) => plain);
  while (PART_ARTICLES.has(before.at(-1) ?? '')) before.pop();
  return PART_OF.has(before.at(-1) ?? '');
}

const PART_ARTICLES: ReadonlySet<string> = new Set('the a an his her their its this that'.split(' '));
const PART_OF: ReadonlySet<string> = new Set('of in on'.split(' '));

/** True for a part of a message that tells how something is or what was done, and asks for nothing. */
export function isReport(text: string): boolean {
  return [ABLE, IS_HELD, IS_REPORT].some((pattern) => pattern.test(text));
}

/** Says that what an order has is wrong. */
const CORRECTS =
  /\b(?:wrong|incorrect|mistyped|typo|mistake|rejected|bounced|should\s+(?:be|read|have)|must\s+be|correct|fix|actually|instead|not\s+\d)/i;
/** "The zip on the port was wrong, should be 07030". */
const RIGHT_ONE =
  /\b(?:zip|name|address|carrier|pin)\b.*\b(?:wrong|incorrect|typo|mistyped)\b.*\b(?:(?:should|must|has\s+to)\s+(?:be|read|say)|it['’]?s|it\s+is|correct\s+one\s+is)\b/is;
const WRONG_ONE = /\b(?:zip|name|address|carrier|pin|account)\b.*\b(?:wrong|incorrect|typo|mistyped)\b/is;
const CORRECTION: Family = { operation: 'numbers_portin_update', acts: 'change', things: 'portin order' };

/** Reads the parts of sentences, and finds the families that they belong to. */
export class Clauses {
  readonly #byId: ReadonlyMap<string, Tool>;
  readonly #search: () => CatalogueSearch;

  constructor(byId: ReadonlyMap<string, Tool>, search: () => CatalogueSearch) {
    this.#byId = byId;
    this.#search = search;
  }

  /** The parts of a sentence, each with the families that it belongs to. */
  of(facts: Facts): Clause[] {
    // A route by name, beside a number, is where that number's calls or texts go.
    const isRoute = facts.details.routes.length > 0 || facts.ids.some((id) => /^[CM]RID-/i.test(id));
    const isRouted = isRoute && facts.mentions.length > 0;
    // "A voice route that forwards to +1…" is made for that number, and is not a line's.
    const lines = facts.mentions.filter(({ before }) => before !== 'to' || !FORWARDS.test(facts.rest));
    const isOfLine = lines.length > 0 && /\b(?:routes?|trunks?)\b/i.test(facts.rest);
    const sees = (id: string) =>
      !(facts.numbers.length > 0 && MAKES_NUMBER.has(id)) &&
      // "Move 0102's texts to the other route" changes no route.
      !(isOfLine && /^(?:message|voice)_routes_(?:update|create|delete)$/.test(id)) &&
      // "0102 moved to a new plan" makes no plan.
      !(facts.mentions.length > 0 && MAKES_RECORD.has(id)) &&
      !(isRouted && (id.includes('_routes_') || id.startsWith('message_')));
    let topic: string | undefined;
    return partsIn(facts).map((part) => {
      const clause = { ...part, ...this.#fitsOf(part.text, sees, { topic, facts: part.isAsked ? undefined : facts }) };
      topic = topicOf(clause.words) ?? topic;
      return clause;
    });
  }

  /**
   * @param given.topic what "it" means in the text, if an earlier part says so
   * @param given.facts the values of the sentence, which make a clause without a verb a request
   */
  #fitsOf(
    text: string,
    sees: (id: string) => boolean,
    { topic, facts }: { topic?: string | undefined; facts?: Facts | undefined } = {},
  ) {
    const plain = withNames(withOneNumber(withoutReason(withoutState(text))));
    const read = withPeople(wordsOf(facts ? withVerb(plain) : plain), newNameIn(text))
      .map(withoutSubject)
      .map(asProductName);
    const topical = topic === undefined ? read : withTopic(read, topic);
    const words = facts ? withSet(topical, text, facts) : topical;
    const fits = this.#search()
      .fits(words, sees)
      .flatMap((fit): Fit[] => {
        const tool = this.#byId.get(fit.family.operation);
        return tool ? [{ ...fit, tool }] : [];
      });
    return { words, fits };
  }

  /** The changes that a clause names: one, or one in each part that "and" joins. */
  changesIn(clause: Clause, said: string, facts: Facts): { clause: Clause; fit: Fit }[] {
    const correction = this.#correctionIn(clause, said, facts);
    if (correction) return [{ clause, fit: correction }];
    if (!clause.isAsked && isReport(clause.text)) return [];
    const isRead = asksForFacts(said, clause.text) && clause.fits.some(isClearRead);
    const best = (fits: readonly Fit[]) => {
      // "What happens if" asks about the change, not about events.
      const fit = HAPPENS.test(clause.text) ? fits.find(({ tool }) => tool.id !== eventOperations.since) : fits[0];
      return fit && fit.tool.risk !== 'read' && !fit.isDoubtful && !isRead && !isPartNoun(clause, fit)
        ? fit
        : undefined;
    };
    const parts = withOneNumber(clause.text).split(/\s+(?:and|or)\s+/i);
    const seen = new Set(clause.fits.map(({ tool }) => tool.id));
    const each = parts.length < 2 ? [] : parts.map((text) => best(this.#fitsOf(text, (id) => seen.has(id)).fits));
    const several = each.filter((fit): fit is Fit => fit !== undefined);
    const whole = best(clause.fits);
    if (several.length === each.length && new Set(several.map(({ tool }) => tool.id)).size > 1)
      return several.map((fit) => ({ clause, fit }));
    return whole ? [{ clause, fit: whole }] : [];
  }

  /** The correction of a port-in order whose account number was wrong: "the carrier says it is wrong, it's 46519999". */
  #correctionIn(clause: Clause, said: string, { account, ids }: Facts): Fit | undefined {
    const isOrder = ids.some((id) => /^JNUOID-/i.test(id)) && WRONG_ONE.test(said);
    const tool = this.#byId.get(CORRECTION.operation);
    const asking = clause.words.filter(({ things }) => things.includes('portin') || things.includes('order'));
    if (
      !tool ||
      (account === undefined && !RIGHT_ONE.test(said) && !isOrder) ||
      asking.length === 0 ||
      !CORRECTS.test(said) ||
      clause.isAsked
    )
      return undefined;
    const told = asking.map((word) => ({ ...word, isNegated: false }));
    return { family: CORRECTION, tool, score: 3, asking: told, isDoubtful: false };
  }
}
