import type { Card } from '../../cards/card.ts';
import { digestCard } from '../../cards/digest.ts';
import { diagnosisCard } from '../../cards/list.ts';
import type { Fields } from '../../lib/json.ts';

/* The cards of lists that a terminal draws. Loaded only for an answer that has one, because a lookup starts without them. */

/** Returns the card of a digest. Undefined for other answers. */
export function happened(value: Fields): Card | undefined {
  return digestCard(value, 'What happened since');
}

/** The findings of a diagnosis. Undefined for any other answer. */
export function diagnosed(value: Fields): Card | undefined {
  return diagnosisCard(value, () => undefined);
}
