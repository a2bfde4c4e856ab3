import { fieldsOf } from '../../../catalogue/fields.ts';
import { keysOf } from '../../../gate/change.ts';
import { type Word, wordsOf } from '../../../language/sentence.ts';
import { keepsValue } from '../answers/kept-values.ts';
import { FURTHER, PERSON } from '../facts/names.ts';
import type { Clause, Fit } from '../facts/stance.ts';

/* One order whose words would be several: "new voip number, assign to Ben" makes one number, which is Ben's. */

interface Change {
  clause: Clause;
  fit: Fit;
}

const MAKES = /_(?:create|provision|add)$/;
const UPDATES = /_update$/;
/** Orders that are written as lists of values. */
const LISTED: ReadonlySet<string> = new Set(['numbers_portin', 'subscribers_create', 'account_create']);
/** Names a record, perhaps one that was named before. */
const NAMES_RECORD = /\d{4}|\bnumber\b|\b(?:it|him|her|them|their|his|its)\b|\b[A-Z]{2,7}-\d/u;

/** True for a change whose record has a name, as people and accounts have. Lines have none. */
function isNamed({ tool }: Fit): boolean {
  return fieldsOf(tool).some(({ name, kind }) => keysOf(tool).includes(name) && kind === 'id');
}

/** True for a name of a person, and not for an abbreviation such as "TLS". */
function isPerson({ things, typed }: Word): boolean {
  return (things.includes(PERSON) || things.includes(FURTHER)) && !/^\p{Lu}{2,4}$/u.test(typed);
}

/** The changes without those that name no record and only describe the one that another change makes. */
export function withoutParts<T extends Change>(changes: readonly T[]): T[] {
  const made = changes.find(({ fit }) => MAKES.test(fit.tool.id));
  const isPart = ({ clause, fit }: T) =>
    made !== undefined &&
    clause !== made.clause &&
    UPDATES.test(fit.tool.id) &&
    fit.tool.group === made.fit.tool.group &&
    !NAMES_RECORD.test(clause.text) &&
    !(isNamed(fit) && clause.words.some(isPerson));
  const isKept = ({ clause }: T) => changes.length > 1 && keepsValue(clause.text);
  return changes.filter(
    (change) =>
      !isPart(change) &&
      !isKept(change) &&
      !isValue(change, changes) &&
      !isPartOfPackage(change, made) &&
      !isSameRoute(change, made),
  );
}

/** "Port +1…, account number 100200", "add Ava Stone, pin 4471, number +1…": a part without a verb says more of the order. */
function isValue({ clause }: Change, changes: readonly Change[]): boolean {
  const [first] = changes;
  if (first === undefined || first.clause === clause || !LISTED.has(first.fit.tool.id)) return false;
  return wordsOf(clause.text).every(({ acts }) => acts.length === 0);
}

/** "A package with the eSIM product": the product is a part of the order for the package. */
function isPartOfPackage({ fit }: Change, made: Change | undefined): boolean {
  const makes = made?.fit.tool.id;
  // "Create the product VOICE-01, unlimited calls": what it is.
  if (makes === 'products_create') return fit.tool.id === 'packages_update';
  return makes === 'packages_create' && /^(?:products|packages_items)_/.test(fit.tool.id);
}

/** "Calls should forward to +1…, set up a voice route for that": the route that is made does it. */
function isSameRoute({ fit }: Change, made: Change | undefined): boolean {
  const routes = made && /^(?:message|voice)_routes_create$/.test(made.fit.tool.id);
  return routes === true && fit.tool.group === made?.fit.tool.group && UPDATES.test(fit.tool.id);
}
