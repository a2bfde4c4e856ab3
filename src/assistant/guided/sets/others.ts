import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { jsonText } from '../../../lib/text.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { takesNumbers } from '../answers/fill.ts';
import { peopleIn } from '../facts/names.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * An operation may take one line or customer where a sentence names several. The answer is then about the first, and each
 * further one gets a button.
 */

/** Most further lines or customers that get a button. */
const MOST = 3;

/** The answer, with the same for each other line or customer of the sentence. */
export function withOthers(guided: GuidedAnswer, asked: Asked, tool: Tool | undefined): GuidedAnswer {
  const { facts, clauses } = asked;
  const isOpen = guided.kind === 'lookup' || guided.kind === 'form' || guided.kind === 'question';
  if (!tool || !isOpen || guided.isInstead || guided.isRefused || guided.isUnclear || guided.isList || guided.each)
    return guided;
  // The other number of a conversation is none of ours.
  if (guided.narrow?.contact !== undefined) return guided;
  // Several new customers have their buttons already.
  if (guided.nearest?.some(({ operation }) => operation === tool.id)) return guided;
  const people = peopleIn(...clauses.map(({ words }) => words));
  const names = facts.mentions.every(({ isWhole }) => isWhole) && people.length > 1 ? people : [];
  const lines = facts.isOneList ? facts.mentions.map(({ text }) => text) : [];
  for (const all of [names, lines]) {
    const told = others(guided, tool, [...new Set(all)]);
    if (told) return told;
  }
  return guided;
}

/** The answer about one of these, with buttons for the others. Undefined if it is about none or all of them. */
function others(guided: GuidedAnswer, tool: Tool, all: readonly string[]): GuidedAnswer | undefined {
  const carried = jsonText([guided.input, guided.find?.input ?? {}]).toLowerCase();
  const has = (text: string) => carried.includes(`"${text.toLowerCase()}"`);
  const [first, ...more] = all.filter(has);
  const left = all.filter((text) => !has(text));
  if (first === undefined || more.length > 0 || left.length === 0) return undefined;
  if (guided.kind === 'lookup' && guided.find && guided.also === undefined && left.length <= MOST)
    return withFurther({ ...guided, find: guided.find }, first, left);
  const nearest = left.slice(0, MOST).flatMap((text) => {
    const input = inputFor(guided, tool, first, text);
    return input === undefined ? [] : [{ operation: tool.id, input, label: `${tool.title}: ${text}` }];
  });
  if (nearest.length < left.length) return undefined;
  const told = `; it is for one at a time, and this is ${first}. ${left.join(', ')} still ${left.length === 1 ? 'needs' : 'need'} the same`;
  return {
    ...guided,
    understood: `${guided.understood.replace(/\.$/, '')}${told}.`,
    ...defined({ remarks: `${guided.remarks ?? ''}${told}` }),
    nearest: [...nearest, ...(guided.nearest ?? [])],
  };
}

/** A read whose line is searched for first is answered for each of the names. */
function withFurther(
  guided: GuidedAnswer & { find: NonNullable<GuidedAnswer['find']> },
  first: string,
  left: readonly string[],
): GuidedAnswer {
  const { find } = guided;
  const also = left.map((text) => {
    const input = Object.fromEntries(
      Object.entries(find.input).map(([name, value]) => [
        name,
        String(value).toLowerCase() === first.toLowerCase() ? text : value,
      ]),
    );
    const understood = guided.understood.replace(`"${first}"`, () => `"${text}"`);
    return { ...guided, find: { ...find, input }, understood };
  });
  return { ...guided, also };
}

/** The input with another line or customer in place of the one that it has. */
function inputFor({ input, find }: GuidedAnswer, tool: Tool, first: string, text: string): Fields | undefined {
  const own = Object.entries(input).find(([, value]) => String(value).toLowerCase() === first.toLowerCase());
  if (own) {
    const replaced = Object.entries(input).map(([name, value]) =>
      String(value).toLowerCase() === first.toLowerCase() ? [name, text] : [name, value],
    );
    return Object.fromEntries(replaced);
  }
  if (find === undefined) return undefined;
  const phones = fieldsOf(tool).filter((field) => field.kind === 'phone' && takesNumbers(field));
  const field = phones.find(({ required }) => required) ?? phones[0];
  return field && { ...input, [field.name]: text };
}
