import { withoutTrailingReasons } from '../answers/context-clauses.ts';
import { withLinesWith } from './lines-with.ts';
import { withNameFact } from './name-facts.ts';
import { withPlanWish } from './plan-wishes.ts';
import { withProductWish, withStockCodes } from './product-wishes.ts';

/* Facts and wishes about plans, products, names and lines as the orders that they mean. */

/** The sentence in the words of an order. Any other sentence as it is. */
export function withWishes(typed: string): string {
  const text = withStockCodes(typed);
  const order = (said: string) => withLinesWith(withNameFact(withPlanWish(withProductWish(said))));
  const whole = order(text);
  if (whole !== text) return whole;
  // "0103 to starter pls, customer agreed": a reason behind the wish is none of it.
  const plain = withoutTrailingReasons(text);
  const own = order(plain);
  return own === plain ? text : own;
}
