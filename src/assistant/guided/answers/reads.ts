import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { isSpecific } from '../../../language/sentence.ts';
import { kindOf } from '../../../language/typed-values.ts';
import { detailsIn, NO_DETAILS } from '../facts/named-values.ts';
import { peopleIn } from '../facts/names.ts';
import { type Asked, aboutOf, type Clause, type Fit, takesArea, withoutOthers } from '../facts/stance.ts';
import { accountField } from './account-scope.ts';
import { answer, found, type GuidedAnswer, missingOf, understood } from './answer.ts';
import { eachOf, forEach } from './each.ts';
import { filled, isComplete, takesNumbers } from './fill.ts';
import { filterRead, filtersOf } from './filters.ts';
import { nameIn } from './finder.ts';
import { orderOf } from './numbers.ts';
import type { Reader } from './readings.ts';

/** The answer with an operation that reads, or with the lookup of what the sentence names besides. */
export function readOf(first: Fit, asked: Asked, reader: Reader): GuidedAnswer {
  const { byId, finder, lookup, events } = reader;
  const texts = byId.get('account_message_routes_get');
  // "Texts do not arrive, what is the route": the route of texts.
  const isOfTexts =
    first.tool.id === 'account_voice_routes_get' && OF_TEXTS.test(asked.said) && !OF_CALLS.test(asked.said);
  const fit = isOfTexts && texts ? { ...first, tool: texts } : first;
  const { facts, clauses, since, mayUse } = asked;
  const [person] = peopleIn(...clauses.map(({ words }) => words));
  const filters = filterRead(fit.tool.id, facts, person);
  if (filters) return filtersOf(fit.tool, filters);
  const read = withoutOthers(facts);
  const named = { ...NO_DETAILS, records: facts.details.records };
  const given = {
    ...detailsIn(fit.tool, named),
    ...fit.family.given,
    ...aboutOf(fit, clauses),
    ...orderOf(fit.tool, facts),
  };
  const input = filled(fit.tool, read, given);
  // A customer is found by name, also with several lines.
  const missing = missingOf(fit.tool, input);
  const holder =
    missing && kindOf(missing)?.noun === 'subscriber' ? (facts.mentions[0]?.text ?? nameIn(facts, clauses)) : undefined;
  const own = missing && holder !== undefined ? { ...input, [missing.name]: holder } : undefined;
  if (own && missingOf(fit.tool, own) === undefined) {
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
  const whom = isWhole ? finder.find(read, clauses) : undefined;
  const whose = isWhole && fit.tool.id === 'numbers_inventory_get' ? nameIn(facts, clauses) : undefined;
  if (lookup?.find && whose !== undefined && facts.mentions.length === 0) {
    const search = { [lookup.find.field]: whose };
    return { ...answer('lookup', { tool: lookup.find.tool, input: search, understood: found(search) }), isList: true };
  }
  const all = facts.isOneList ? facts.numbers : [];
  const each = fit.tool === lookup?.tool ? undefined : eachOf(fit.tool, all, given);
  if (each) return forEach(fit.tool, { ...each, all, remarks: '', isLater: false });
  if (isList && !whom && (facts.numbers.length > 0 || facts.ids.length > 0)) return finder.plainLookup(facts, clauses);
  // A list of everything becomes the list of one number, where the operation takes one.
  if (whom && fieldsOf(fit.tool).some(takesNumbers))
    return answer('lookup', { tool: fit.tool, input, understood: understood(fit.tool, input, whom) }, whom);
  const account = accountField(fit.tool);
  const [name] = whom ? Object.values(whom.input) : [];
  if (account && typeof name === 'string') {
    const ofAccount = { [account.name]: name };
    return answer('lookup', { tool: fit.tool, input: ofAccount, understood: `${fit.tool.title}: “${name}”` });
  }
  if (whom) return finder.plainLookup(facts, clauses);
  const other = texts;
  if (other && fit.tool.id === 'account_voice_routes_get' && !OF_CALLS.test(facts.rest)) {
    const text = `${understood(fit.tool, input)}. Those of messages are a list of their own: ${other.title}`;
    const nearest = mayUse(other.id) ? [{ operation: other.id, input: {} }] : [];
    return { ...answer('lookup', { tool: fit.tool, input, understood: text }), nearest };
  }
  const isNamed = Object.keys({ ...orderOf(fit.tool, facts), ...detailsIn(fit.tool, named) }).length > 0;
  if (isComplete(fit.tool, input) || isNamed)
    return answer('lookup', { tool: fit.tool, input, understood: understood(fit.tool, input) });
  const find = finder.findFor(fit.tool, input, facts, clauses, true);
  if (find) return answer('lookup', { tool: fit.tool, input, understood: understood(fit.tool, input, find) }, find);
  // A number says more than a phrase whose input is missing.
  if (facts.numbers.length > 0 || facts.ids.length > 0) return finder.plainLookup(facts, clauses);
  // "Anything rejected overnight?" names no order.
  const happened = since === undefined ? undefined : events(undefined, asked);
  if (happened) return happened;
  const list = wholeList(fit, clauses);
  if (list && mayUse(list.id))
    return answer('lookup', { tool: list, input: {}, understood: `${list.title}: the whole list` });
  return answer('form', { tool: fit.tool, input, understood: understood(fit.tool, input) });
}

const OF_TEXTS = /\b(?:sms|mms|texts?|messages?)\b/i;
const OF_CALLS = /\b(?:call|voice|sip|trunk)/i;

/** "Which products are in no package" names no package: the list of the things themselves, which needs no record. */
function wholeList({ tool, family }: Fit, clauses: readonly Clause[]): Tool | undefined {
  const things = family.things.split(' ').filter((thing) => isSpecific(thing));
  const isSame = (one: Fit) => one.family.things.split(' ').some((thing) => things.includes(thing));
  const others = clauses.flatMap(({ fits }) => fits.filter((one) => one.tool !== tool && isSame(one)));
  return others.find((one) => one.tool.risk === 'read' && fieldsOf(one.tool).every(({ required }) => !required))?.tool;
}
