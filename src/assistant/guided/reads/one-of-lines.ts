import { answer, type GuidedAnswer } from '../answers/answer.ts';
import { nameIn } from '../answers/finder.ts';
import type { Reader } from '../answers/readings.ts';
import { type Asked, asksToSee, beginsDeed } from '../facts/stance.ts';

/* A kind of line picks one of a customer's lines: "is the iot one of ava online", "which of ben's lines is the voip one". */

const KINDS: readonly (readonly [kind: RegExp, product: string])[] = [
  [/\b(?:voip|internet\s+phone)\b/i, 'voip'],
  [/\biot\b/i, 'iot'],
  [/\b(?:mvno|mobile|cell)\b/i, 'mvno'],
];
const ONE = /\b(?<kind>voip|internet\s+phone|iot|mvno|mobile|cell)\s+(?:ones?|lines?|numbers?|sims?)\b(?!\s+or\b)/iu;
const ASKS =
  /^\W*(?:(?:hi|hey|so|and|ok|please|pls|can|could|you|u|tell|me|us|check|see|if|whether)[\s,:]+)*(?:is|are|which|what|whats|where|does|do|has|have|show|list|find|look\s+up|give|how)\b/i;
const ONLINE = /\b(?:online|active|live|up|alive|working|in\s+service)\b/i;
const OTHERS =
  /\b(?:why|how\s+many|count|used|usage|limit|data|texts?|calls?|messages?|filters?|who|port\w*|plan|package|or)\b/i;

/** The lines of a customer that are of the kind which a question names. Undefined for any other sentence. */
export function ofOneOfLines({ facts, said, clauses, mayUse }: Asked, { byId }: Reader): GuidedAnswer | undefined {
  const tool = byId.get('numbers_find');
  const kind = ONE.exec(said)?.groups?.kind;
  if (!tool || !mayUse(tool.id) || kind === undefined || facts.mentions.length + facts.ids.length > 0) return undefined;
  if (!(ASKS.test(said) || clauses.some(asksToSee)) || OTHERS.test(said) || clauses.some(beginsDeed)) return undefined;
  const Query = nameIn(facts, clauses);
  const Product = KINDS.find(([pattern]) => pattern.test(kind))?.[1];
  if (Query === undefined || Product === undefined) return undefined;
  const found = answer('lookup', {
    tool,
    input: { Query, Product },
    understood: `Find numbers by "${Query}"; product: ${Product}`,
  });
  return ONLINE.test(said) ? { ...found, facts: ['active'] } : found;
}
