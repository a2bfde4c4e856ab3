import type { Tool } from '../../../catalogue/operation.ts';
import { answer, type GuidedAnswer } from '../answers/answer.ts';

/* "What's in Starter and what do we charge": the products of a package, and beside them the price of the package itself. */

const ITEMS = 'packages_items_get';
const LIST = 'account_packages_get';
const PRICE =
  /\b(?:and|plus|,)\s+(?:also\s+)?(?:what|how\s+much|its|the|whats|what['’]s)\b[^.;!?]*\b(?:charge[sd]?|price[sd]?|costs?|pay|fees?|much)\b|\bhow\s+much\b/iu;

const CONTENTS = /\b(?:what(?:['’]?s|\s+is|\s+are)\s+in|includes?|inside|contents?|contains?)\b/iu;

/** The products of a package with its price, or its price with its products, where the question asks for both. */
export function withPackagePrice(
  guided: GuidedAnswer,
  said: string,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  const isLookup = guided.kind === 'lookup' && guided.also === undefined;
  const name = guided.operation === ITEMS ? guided.input.PackageId : guided.narrow?.name;
  if (!isLookup || typeof name !== 'string') return guided;
  const [list, items] = [toolOf(LIST), toolOf(ITEMS)];
  if (guided.operation === ITEMS && list && PRICE.test(said)) {
    const price = answer('lookup', { tool: list, input: {}, understood: `Packages and their prices, for “${name}”` });
    return { ...guided, also: [{ ...price, narrow: { name, kinds: [], said: `“${name}”` } }] };
  }
  if (guided.operation !== LIST || !items || !CONTENTS.test(said)) return guided;
  const input = { PackageId: name };
  return {
    ...guided,
    also: [answer('lookup', { tool: items, input, understood: `Products in the package “${name}”` })],
  };
}
