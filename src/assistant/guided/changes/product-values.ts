import type { Tool } from '../../../catalogue/operation.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { COURTESY } from '../facts/beginnings.ts';

/*
 * The billing period of a product, and the cost of one that is called by its description: "make ESIM-01 a one time
 * charge", "bill DATA-05 monthly", "the esim profile costs 5 dollars now".
 */

const CODE = String.raw`(?:the\s+|product\s+)*(?<code>\p{L}{2,10}-\d{1,4}\p{L}?)(?:\s+product)?`;
const NAME = String.raw`(?:(?:the|our)\s+)?(?:product\s+(?<name>(?!(?:is|to|costs?|should|billing)\b)[\p{L}\d]+(?:\s+(?!(?:is|to|costs?|should|a|as|once|monthly|goes|now)\b)[\p{L}\d]+){0,3}?)|(?<called>(?:(?!(?:the|our|make|set|bill|charge|of|for|his|her|new|a|an)\b)[\p{L}\d]+\s+){1,3}?(?:profile|pack|add-?on))(?:\s+product)?|(?<before>(?:(?!(?:the|our|make|set|bill|charge|of|for|a|an|new|list|show)\b)[\p{L}\d]+\s+){1,3}?)product)`;
const ONCE = String.raw`one[\s-]?(?:time|off)|once(?:\s+only)?|nrc|non[\s-]?recurring`;
const MONTHLY = String.raw`monthly|(?:every|each|per|a)\s+month|mrc|recurring`;
const PERIOD = String.raw`(?:(?<once>${ONCE})|(?<monthly>${MONTHLY}))(?:[\s-]+(?:charge|billing|billed|fee|product|item|payment|thing|only))*`;
const TAIL = String.raw`(?:[\s,]+(?:please|pls|plz|now|from\s+now\s+on|instead(?:\s+of\s+(?:${ONCE}|${MONTHLY}))?|only|going\s+forward|not\s+(?:${ONCE}|${MONTHLY})))*[\s.!]*$`;
const AMOUNT = String.raw`[$€£]?(?<amount>\d{1,4}(?:[.,]\d{1,2})?)\s*(?:usd|dollars?|bucks|\$|€)?(?:\s+(?:a\s+month|monthly|each))?`;

const BILLED = [CODE, NAME]
  .flatMap((product) => [
    String.raw`(?:(?:make|bill|charge|set|switch|change|turn|move|put|mark)\s+)?${product}\s+(?:(?:to|as|an?|into|be|is|on|for|should|must|has\s+to|needs\s+to|gets?|billed|bills?|charged|billing)\s+)*${PERIOD}`,
    String.raw`(?:(?:set|change|switch|make)\s+)?(?:the\s+)?billing(?:\s+(?:frequency|period|cycle))?\s+(?:of|for|on)\s+${product}\s+(?:(?:to|is|should|be|must)\s+)*${PERIOD}`,
    String.raw`${product}\s+billing(?:\s+(?:frequency|period|cycle))?\s+(?:(?:to|is|should|be|must)\s+)*${PERIOD}`,
  ])
  .map((one) => new RegExp(String.raw`^\W*${COURTESY}${one}${TAIL}`, 'iu'));
const PRICED = [
  String.raw`(?=.*\b(?:now|from|today|should|must|change|set|goes)\b)${NAME}\s+(?:(?:now|should|must|has\s+to)\s+)*costs?\s+(?:(?:us|now)\s+)*${AMOUNT}`,
  String.raw`${NAME}\s+(?:goes|went|is\s+going|should\s+go|moves|dropped|rose)\s+(?:(?:up|down)\s+)?to\s+${AMOUNT}`,
  String.raw`(?:set|change|put|raise|lower|update)\s+(?:the\s+)?(?:cost|price)\s+(?:of|for)\s+${NAME}\s+(?:to|at)\s+${AMOUNT}`,
].map((one) => new RegExp(String.raw`^\W*${COURTESY}${one}${TAIL}`, 'iu'));
const OTHER =
  /\?\s*$|["“”„]|\d{4}|^\W*(?:is|are|was|does|do|did|has|what|which|who|where|when|why|how|if|create|add|new|list|show)\b|\b(?:never|unless|dont|don['’]t|package|plan|bundle|tariff|customer|line|to\s+the\s+\p{L}+\s+package)\b/iu;

/** The change of the product. Undefined for any other sentence. */
export function ofProductValue(said: string, toolOf: (id: string) => Tool | undefined): GuidedAnswer | undefined {
  const tool = OTHER.test(said) || said.length > 140 ? undefined : toolOf('products_update');
  if (!tool) return undefined;
  const first = (patterns: readonly RegExp[]) => patterns.map((one) => one.exec(said)?.groups).find(Boolean);
  const billed = first(BILLED);
  const found = billed ?? first(PRICED);
  if (!found) return undefined;
  const ProductId = found.code?.toUpperCase() ?? (found.name ?? found.called ?? found.before ?? '').trim();
  const value = billed
    ? { BillingFrequency: billed.once === undefined ? 'MRC' : 'NRC' }
    : { Cost: Number(found.amount?.replace(',', '.')) };
  const input = { ProductId, ...value };
  return answer('form', { tool, input, understood: understood(tool, input) });
}
