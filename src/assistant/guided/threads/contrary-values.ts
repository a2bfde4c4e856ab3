import type { Fields } from '../../../lib/json.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';

/*
 * "Too early, Monday": a correction that says in which direction it goes. One that would go the other way was misread, and
 * is asked about instead of offered.
 */

const LATER = /\b(?:too|bit|little)\s+(?:early|soon)\b|\blater\b/iu;
const EARLIER = /\btoo\s+late\b|\b(?:earlier|sooner)\b/iu;
const MORE = /\b(?:too\s+(?:little|low|small|few|tight)|not\s+enough|(?:raise|increase|higher)\b)/iu;
const LESS = /\b(?:too\s+(?:much|high|big|large|many|generous|expensive)|(?:reduce|decrease|lower|cheaper)\b)/iu;
const NEGATED = /\b(?:not|never)\b|n['’]t\b/iu;

/** The direction of each kind of value: 1 for a later day or a larger amount. */
function directionIn(text: string): { day: number; amount: number } {
  const of = (up: RegExp, down: RegExp) => Number(up.test(text)) - Number(down.test(text));
  return { day: of(LATER, EARLIER), amount: of(MORE, LESS) };
}

/** A day as text that sorts, also of a field with the month first. */
function dayIn(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$1-$2') : '';
  return /^\d{4}-\d{2}-\d{2}/.test(text) ? text : undefined;
}

/** The value of a field that moved against the words. */
function contraryIn(text: string, old: Fields, next: Fields): string | undefined {
  const { day, amount } = directionIn(text);
  const moved = Object.entries(next).find(([name, value]) => {
    const before = old[name];
    const [to, from] = [dayIn(value), dayIn(before)];
    if (to !== undefined && from !== undefined) return to !== from && day === (to < from ? 1 : -1);
    if (typeof value !== 'number' || typeof before !== 'number') return false;
    return amount !== 0 && Math.sign(value - before) === -amount;
  });
  return moved === undefined ? undefined : `${String(moved[1])} in place of ${String(old[moved[0]])}`;
}

/** The meaning of a message, unless it would change a value against what the message says. */
export function withoutContraryValue(said: string, meant: Meant, reading: Reading): Meant {
  const { kind, before, text } = meant;
  if ((kind !== 'corrects' && kind !== 'adds') || before === undefined || NEGATED.test(said)) return meant;
  const [old, next] = [reading.of(before), reading.of(text)];
  if (old.operation !== next.operation || !isOffer(old, reading)) return meant;
  const contrary = contraryIn(said, { ...old.input, ...old.guideInput }, { ...next.input, ...next.guideInput });
  if (contrary === undefined) return meant;
  const note = `“${said}” would set ${contrary}, which is the contrary of what it says: write the value in full. What was offered is as it was`;
  return { text: said, kind: 'unclear', note };
}
