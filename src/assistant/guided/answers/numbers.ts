import { fieldsOf } from '../../../catalogue/fields.ts';
import { isGated, type Tool } from '../../../catalogue/operation.ts';
import { kindOf } from '../../../language/typed-values.ts';
import { type Actor, personOf } from '../../../lib/actor.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { type Facts, readFacts } from '../facts/facts.ts';
import type { Fit } from '../facts/stance.ts';
import type { Time } from '../facts/times.ts';
import { answer, flagged, type GuidedAnswer, understood } from './answer.ts';
import { filled, isComplete, isWhole } from './fill.ts';

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

/** The first of several numbers, for an operation that takes one and cannot run over a list. Undefined for others. */
export function oneOf(tool: Tool, { numbers, isOneList }: Facts): { input: Fields; remark: string } | undefined {
  const [field, ...more] = fieldsOf(tool).filter(({ kind, required }) => kind === 'phone' && required);
  const why = tool.batch !== undefined && 'not' in tool.batch ? tool.batch.not : undefined;
  const [first, ...others] = numbers;
  if (!field || more.length > 0 || why === undefined || !isOneList || others.length === 0) return undefined;
  const remark = `; one number at a time, because ${why}: repeat it for ${others.join(', ')}`;
  return { input: { [field.name]: first }, remark };
}

/** The answer of an operation once the number is known that its `find` looked for. */
export function withNumber(tool: Tool, guided: GuidedAnswer, number: string): GuidedAnswer {
  const { find: _found, ...rest } = guided;
  // A day that the sentence left open stays open.
  const times: Time[] = [{ kind: 'unread', text: '' }];
  const input = filled(tool, { ...readFacts('', 0), times, numbers: [number] }, guided.input);
  const { remarks = '', isLater = false } = guided;
  const isAsked = isGated(tool) && isComplete(tool, input) && !isLater;
  const isReady = guided.kind === 'form' && !isAsked && !isLater && isWhole(tool, input);
  const kind = isAsked ? 'question' : guided.kind;
  const text = kind === 'events' ? guided.understood : `${understood(tool, input)}${remarks}.`;
  return { ...rest, input, kind, understood: text, ...flagged({ isReady }) };
}

/** The events of the writer alone, where a sentence asks for those. */
export function ofWriter(guided: GuidedAnswer, writer: Actor): GuidedAnswer {
  const By = personOf(writer).split(/[/:]/).at(-1);
  return guided.isOwn ? { ...guided, input: { ...guided.input, ...defined({ By }) } } : guided;
}
