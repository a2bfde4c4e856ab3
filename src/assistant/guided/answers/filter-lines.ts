import { FILTER_FIELDS } from '../../../../tools/surfaces/guard.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Fields } from '../../../lib/json.ts';
import type { Facts } from '../facts/facts.ts';
import { partiesOf } from '../facts/parties.ts';
import { namedFilter } from './filter-owners.ts';

/**
 * The input with the filter that the words name, by the line that it covers or by its customer. Each line has
 * another filter, so that the customer alone does not say which is meant. Surfaces find it, as they find a customer by name.
 */
export function withNamedFilter(tool: Tool, input: Fields, facts: Facts, person: string | undefined): Fields {
  const field = FILTER_FIELDS[tool.id];
  if (field === undefined || input[field] !== undefined) return input;
  const owner = ownerIn(tool, input, facts, person);
  if (owner === undefined || owner.includes('-')) return input;
  const holder = 'SubscriberId' in tool.input.shape ? { SubscriberId: input.SubscriberId ?? owner } : {};
  return { ...input, ...holder, [field]: owner };
}

/** The line or the customer whose filter is meant. A number beside a list is none of them. */
function ownerIn(tool: Tool, input: Fields, facts: Facts, person: string | undefined): string | undefined {
  if (typeof input.SubscriberId === 'string') return input.SubscriberId;
  if (/_(?:add|remove)$/.test(tool.id)) return undefined;
  const [only, ...others] = facts.mentions;
  return partiesOf(facts, person).owner ?? (others.length === 0 ? only?.text : undefined) ?? namedFilter(facts.rest);
}
