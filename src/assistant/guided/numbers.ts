import { fieldsOf } from '../../catalogue/fields.ts';
import type { Tool } from '../../catalogue/operation.ts';
import { kindOf } from '../../language/typed-values.ts';
import type { Fields } from '../../lib/json.ts';
import { answer, type GuidedAnswer, understood } from './answer.ts';
import type { Facts } from './facts.ts';
import { filled } from './fill.ts';
import type { Fit } from './stance.ts';

/** A change of a sentence that names numbers in more than one role: the form asks which are meant. */
export function withoutNumbers({ tool, family }: Fit, facts: Facts): GuidedAnswer {
  const input = filled(tool, { ...facts, numbers: [], mentions: [] }, family.given);
  const why = 'hich of the numbers are meant is unclear, so none is filled in';
  return {
    ...answer('form', { tool, input, understood: `${understood(tool, input)}. W${why}` }),
    remarks: `; w${why}`,
    isUnclear: true,
  };
}

/** The order of the only number of a sentence: people know an order by its number. */
export function orderOf(tool: Tool, { mentions, ids }: Facts): Fields {
  const [only, ...others] = mentions;
  const field = fieldsOf(tool).find((one) => one.required && kindOf(one)?.noun === 'order');
  return only && field && others.length === 0 && ids.length === 0 ? { [field.name]: only.text } : {};
}
