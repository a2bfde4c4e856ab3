import { fieldsOf } from '../../catalogue/fields.ts';
import { kindOf } from '../../language/typed-values.ts';
import { answer, found, type GuidedAnswer, missingOf, understood } from './answer.ts';
import { filled, isComplete, takesNumbers } from './fill.ts';
import { filterRead, filtersOf } from './filters.ts';
import { nameIn } from './finder.ts';
import { peopleIn } from './names.ts';
import { orderOf } from './numbers.ts';
import type { Reader } from './readings.ts';
import { type Asked, aboutOf, type Fit, takesArea, withoutOthers } from './stance.ts';

/** The answer with an operation that reads, or with the lookup of what the sentence names besides. */
export function readOf(fit: Fit, asked: Asked, { byId, finder, lookup, events }: Reader): GuidedAnswer {
  const { facts, clauses, since, mayUse } = asked;
  const [person] = peopleIn(...clauses.map(({ words }) => words));
  const filters = filterRead(fit.tool.id, facts, person);
  if (filters) return filtersOf(fit.tool, filters);
  const read = withoutOthers(facts);
  const given = { ...fit.family.given, ...aboutOf(fit, clauses), ...orderOf(fit.tool, facts) };
  const input = filled(fit.tool, read, given);
  // A customer is found by name, whatever the number of their lines.
  const missing = missingOf(fit.tool, input);
  const holder =
    missing && kindOf(missing)?.noun === 'subscriber' ? (facts.mentions[0]?.text ?? nameIn(facts, clauses)) : undefined;
  if (missing && holder !== undefined) {
    const own = { ...input, [missing.name]: holder };
    return answer('lookup', { tool: fit.tool, input: own, understood: `${understood(fit.tool, own)} of “${holder}”` });
  }
  if (fit.family.given && facts.mentions.length === 0 && fit.tool.id === lookup?.find?.tool.id) {
    const whose = { ...input, ...(person === undefined ? {} : { [lookup.find.field]: person }) };
    return answer('lookup', { tool: fit.tool, input: whose, understood: understood(fit.tool, whose) });
  }
  // A list of everything is no answer about one number, one id or one person.
  const isList = Object.keys(input).length === 0;
  if (fit.tool.id === lookup?.find?.tool.id) return finder.plainLookup(facts, clauses);
  const isWhole = isList && isComplete(fit.tool, input) && !takesArea(fit.tool);
  const named = isWhole ? finder.find(read, clauses) : undefined;
  const whose = isWhole && fit.tool.id === 'numbers_inventory_get' ? nameIn(facts, clauses) : undefined;
  if (lookup?.find && whose !== undefined && facts.mentions.length === 0) {
    const search = { [lookup.find.field]: whose };
    return { ...answer('lookup', { tool: lookup.find.tool, input: search, understood: found(search) }), isList: true };
  }
  if (isList && !named && (facts.numbers.length > 0 || facts.ids.length > 0)) return finder.plainLookup(facts, clauses);
  // A list of everything becomes the list of one number, where the operation takes one.
  if (named && fieldsOf(fit.tool).some(takesNumbers))
    return answer('lookup', { tool: fit.tool, input, understood: understood(fit.tool, input, named) }, named);
  if (named) return finder.plainLookup(facts, clauses);
  const other = byId.get('account_message_routes_get');
  if (other && fit.tool.id === 'account_voice_routes_get' && !/\b(?:call|voice|sip|trunk)/i.test(facts.rest)) {
    const text = `${understood(fit.tool, input)}. Those of messages are a list of their own: ${other.title}`;
    const nearest = mayUse(other.id) ? [{ operation: other.id, input: {} }] : [];
    return { ...answer('lookup', { tool: fit.tool, input, understood: text }), nearest };
  }
  if (isComplete(fit.tool, input) || Object.keys(orderOf(fit.tool, facts)).length > 0)
    return answer('lookup', { tool: fit.tool, input, understood: understood(fit.tool, input) });
  const find = finder.findFor(fit.tool, input, facts, clauses, true);
  if (find) return answer('lookup', { tool: fit.tool, input, understood: understood(fit.tool, input, find) }, find);
  // A number says more than a phrase whose input is missing.
  if (facts.numbers.length > 0 || facts.ids.length > 0) return finder.plainLookup(facts, clauses);
  // "Anything rejected overnight?" names no order.
  const happened = since === undefined ? undefined : events(undefined, asked);
  if (happened) return happened;
  return answer('form', { tool: fit.tool, input, understood: understood(fit.tool, input) });
}
