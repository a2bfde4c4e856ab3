import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { isChange, type Tool } from '../../../catalogue/operation.ts';
import { choiceText } from '../../../language/member-words.ts';
import { hasWhole } from '../../../lib/text.ts';

/*
 * Two values of one list in a sentence: "0104 should be mvno, not voip", "switch 0104 from voip to mvno". One of them is
 * the old or the refused one, and is left out. The lists are those of the operations' own fields.
 */

const REFUSED =
  /[\s,;(–-]+(?:(?:and|but)\s+)?(?:not|instead\s+of|rather\s+than)\s+(?:(?:an?|the|as|on|to)\s+)?(?<other>\p{L}[\p{L}\d+-]*(?:\s+\p{L}+)?)\)?(?=\s*(?:$|[,.;!]|\b(?:please|pls|plz|thanks|anymore|any\s+more|now)\b))/iu;
const FROM =
  /\s+from\s+(?:(?:an?|the|being)\s+)?(?<other>\p{L}[\p{L}\d+-]*(?:\s+\p{L}+)?)(?=\s+(?:over\s+)?(?:to|into)\s)/iu;

/** The words for each value of each list. */
type Lists = readonly (readonly (readonly string[])[])[];

const known = new WeakMap<readonly Tool[], Lists>();

function listsOf(tools: readonly Tool[]): Lists {
  const lists =
    known.get(tools) ??
    tools.filter(isChange).flatMap((tool) =>
      fieldsOf(tool).flatMap((field) => {
        const choices = field.choices ?? (field.kind === 'text' ? field.known : undefined) ?? [];
        return choices.length > 1 ? [choices.map((choice) => wordsFor(field, choice))] : [];
      }),
    );
  known.set(tools, lists);
  return lists;
}

/** A value of a list in the words of the platform and of people, in lower case. */
export function wordsFor({ name }: Field, choice: string): string[] {
  const text = choiceText(name, choice) ?? '';
  const own = text.slice(0, Math.max(0, text.lastIndexOf(' (')));
  const others = /^mvno$/i.test(choice) ? ['mobile'] : [];
  return [choice.replace(/[_-]/g, ' '), choice, own, ...others].filter(Boolean).map((word) => word.toLowerCase());
}

/** The sentence without the value that is not meant, and what is told of it. */
export function withoutOtherChoice(text: string, tools: readonly Tool[]): { text: string; told: readonly string[] } {
  const refused = REFUSED.exec(text);
  const found = refused ?? FROM.exec(text);
  const other = found?.groups?.other?.toLowerCase();
  if (!found || other === undefined || /["“„?]/u.test(text)) return { text, told: [] };
  const rest = text.replace(found[0], '');
  const lower = rest.toLowerCase();
  const isOne = listsOf(tools).some(
    (list) =>
      list.some((words) => words.includes(other)) &&
      list.some((words) => !words.includes(other) && words.some((word) => hasWhole(lower, word))),
  );
  if (!isOne) return { text, told: [] };
  // What it was is no part of what it gets.
  return {
    text: rest,
    told: refused === null ? [] : [`; left out, as you say: “${found[0].replace(/^[\s,;(–-]+/, '').trim()}”`],
  };
}
