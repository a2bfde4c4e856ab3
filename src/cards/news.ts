import { isBlank } from '../language/member-words.ts';
import { changeOf } from '../ledger/action.ts';
import type { Action } from '../ledger/ledger.ts';
import { type Fields, recordOf, textsIn } from '../lib/json.ts';
import { isSame } from '../platform/dialect/readings.ts';

/**
 * An answer without the values that it repeats: those of the input, those that were so before, and those that the title
 * or the rows of the change say. A list is left out if all that is in it is said.
 */
export function unsaid(answer: Fields, action: Action, title: string): Fields {
  const change = changeOf(action);
  if (change === undefined) return answer;
  const { shown, known } = action;
  const before = recordOf(known.Record);
  const rows = change.rows.flatMap(({ of, after }) => [of, after]);
  const sims = textsIn(recordOf(known.Sims)).map(({ value }) => value);
  const said = textsIn({ title: title.split(/[\s,]+/), rows, shown, sims, names: Object.keys(change.names) });
  const told = new Set(said.flatMap(({ value }) => [value, ...value.split(',')].map(wordOf)));
  const isNew = ([name, value]: [string, unknown]) => {
    if (isBlank(value)) return true;
    if (isSame(shown[name], value) || isSame(before[name], value)) return false;
    const texts = textsIn({ value }).flatMap((one) => one.value.split(','));
    return texts.length === 0 || !texts.every((text) => told.has(wordOf(text)));
  };
  return Object.fromEntries(Object.entries(answer).filter(isNew));
}

/** A text for comparison. A change says a cancelled number's state in other words than the platform. */
function wordOf(text: string): string {
  const word = text.trim().toLowerCase();
  return word.startsWith('cancelled') ? 'cancelled' : word;
}
