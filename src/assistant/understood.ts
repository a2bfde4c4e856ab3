import { inputWith } from '../cards/line.ts';
import type { Tool } from '../catalogue/operation.ts';
import { lookupIn } from '../language/typed-values.ts';
import { type Fields, textOf } from '../lib/values.ts';
import type { About, Offer, Understood } from '../nlu/reader.ts';

/* A message as it was understood, for surfaces to show. */

/** One operation of an answer, with its record in the field that takes it. */
export interface Meant {
  tool: Tool;
  input: Fields;
  /** Several lines or customers, for an operation that takes one: a call for each. */
  each: readonly string[];
}

/**
 * The operation of an offer, with the names or last digits that are to be searched in the field of its record. A search by
 * a name alone becomes the lookup of that number. Undefined for an operation that is not here.
 */
function meantBy({ operation, input, find }: Offer | Understood, tools: readonly Tool[]) {
  const tool = tools.find(({ id }) => id === operation);
  const lookup = lookupIn(tools);
  const search = tool && lookup?.find?.tool.id === tool.id ? lookup.find : undefined;
  const query = find ?? textOf(input[search?.field ?? '']);
  const isOnly = Object.keys(input).every((name) => name === search?.field);
  if (search && lookup && query !== '' && isOnly) return withRecords(lookup.tool, {}, query.split(', '));
  return tool && (find ? withRecords(tool, input, find.split(', ')) : { tool, input, each: [] });
}

/**
 * Finds the operations for a message: `meant` is the one that it names, `offered` are those that it may ask for, and `read`
 * is `meant`, or else the lookup of the lines or customers that it names. Undefined members were not named.
 */
export function meaningOf(understood: Understood, tools: readonly Tool[]) {
  const meant = meantBy(understood, tools);
  const lookup = lookupIn(tools);
  const named = understood.find?.split(', ');
  const read = meant ?? (lookup && named && withRecords(lookup.tool, {}, named));
  return { meant, read, offered: understood.offers.flatMap((offer) => meantBy(offer, tools) ?? []) };
}

/** The inputs of the calls of an answer. */
export function inputsOf({ tool, input, each }: Meant): Fields[] {
  return each.length === 0 ? [input] : each.map((text) => ({ ...inputWith(tool, text, input), ...input }));
}

function withRecords(tool: Tool, input: Fields, texts: readonly string[]): Meant {
  const [first = {}, ...others] = texts.map((text) => inputWith(tool, text, input));
  if (others.length === 0) return { tool, input: { ...first, ...input }, each: [] };
  if (!Object.values(first).every(Array.isArray)) return { tool, input, each: texts };
  const all = Object.keys(first).map((name) => [name, [first, ...others].flatMap((one) => one[name])]);
  return { tool, input: { ...Object.fromEntries(all), ...input }, each: [] };
}

/** A time of day: "9 am", "9:30 pm", "14:00", "3 o'clock", "noon", "in 3 hours". */
const CLOCK =
  /(?<![\d:.-])\d{1,2}(?::\d{2}(?!\d)(?:\s*[ap]\.?m\b)?|\s*(?:[ap]\.?m|o['’]?clock|hours?|minutes?)\b)|\b(?<!good )(?:noon|midnight|morning|afternoon|evening)\b/i;
const DAY = /^(?:\d{2}\/\d{2}\/\d{4}|\d{4}-\d{2}-\d{2})$/;

/** An answer that names the time of day beside a day as not taken, because a field of a day has none. */
export function withoutClock(answer: Understood, text: string): Understood {
  const clock = CLOCK.exec(text)?.[0];
  const hasDay = Object.values(answer.input).some((value) => DAY.test(textOf(value)));
  if (clock === undefined || !hasDay || answer.notTaken.some((left) => left.includes(clock))) return answer;
  return { ...answer, notTaken: [...answer.notTaken, clock] };
}

/** Says what no field took. Empty if there is nothing. */
export function notTakenText(notTaken: readonly string[]): string {
  return notTaken.length === 0 ? '' : `Not taken: ${notTaken.map((text) => `“${text}”`).join(', ')}.`;
}

/** Names that were said beside a line and are not in the name of its holder. Empty if there are none. */
export function besideText(beside: readonly string[], labels: readonly string[]): string {
  const held = labels.join(' · ').toLowerCase();
  const others = labels.length === 0 ? [] : beside.filter((name) => !held.includes(name.toLowerCase()));
  if (others.length === 0) return '';
  return `“${others.join('”, “')}” is not the holder of ${labels.join(', ')}: check that it is the right line.`;
}

/** The answers to questions that no operation answers. Each surface adds its lists and buttons. */
export const TOPICS: Readonly<Record<About, string>> = {
  help: 'Send a phone number, its last digits or a name, and it is looked up. Or say what to do with it: “cancel 0103”, “why can’t 0104 text?”, “what happened overnight?”',
  thanks: 'Nothing was asked for. Send a number, its last digits or a name, or say what to do.',
  waiting: 'Nothing waits for your decision, and none of your requests is open.',
  withdraw: 'Nothing is offered here, and no request of yours waits.',
  undo_last: 'Words undo nothing. The card of a change says whether it can be undone, and how.',
  consequence:
    'Each change is shown whole before anybody confirms it: what it changes, what it costs, and what can be undone.',
  who_may:
    'What costs money or takes something away waits for an approver. Other changes are confirmed by the person who asks, or by any operator.',
  health: 'Switchboard runs. Look up a number to see whether the platform answers.',
  batch: 'The same change of several lines or records is one batch, with one confirmation.',
  not_here: 'That was not understood, or it cannot be done here.',
};
