import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf, labelOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';

/* The platform's names in the words of a form. */

/**
 * A choice as a form shows it: "MONITOR_ONLY" and "Call_On_Hold" become "Monitor only" and "Call on hold". Other
 * spellings stay.
 */
export function choiceLabel(choice: string): string {
  if (/^[A-Z][a-z]+(_[A-Z][a-z]+)+$/.test(choice)) return labelOf(choice);
  return /^[A-Z]{2,}(_[A-Z]+)*$/.test(choice) && choice.length > 3 ? labelOf(choice) : choice;
}

const words = new WeakMap<Tool, ReadonlyMap<string, string>>();

/**
 * A sentence with the labels of this form in place of the platform's names: “Block links” for BlockLinks. An example in
 * JSON becomes a line, as the form takes it.
 */
export function inFormWords(tool: Tool, text: string): string {
  let known = words.get(tool);
  if (!known) {
    known = new Map(fieldsOf(tool).flatMap(wordsOf));
    words.set(tool, known);
  }
  const named = known;
  return withoutJson(text).replace(/(?<![\w"“{])[A-Z][A-Za-z0-9_]+(?![\w"”}])/g, (name, at: number, whole: string) => {
    const found = named.get(name);
    if (found === undefined) return name;
    return /(^|[.:?!] )$/.test(whole.slice(0, at)) ? found.charAt(0).toUpperCase() + found.slice(1) : found;
  });
}

/** A longer label explains more than a sentence can take. */
const MAX_LABEL = 30;

function wordsOf(field: Field): [string, string][] {
  const { name, label } = field;
  // A name of one word, such as "From", is a word of the sentence.
  const isNamed = /.[A-Z0-9]/.test(name) && label.length <= MAX_LABEL;
  const own: [string, string][] = isNamed ? [[name, field.kind === 'id' ? idWords(name) : `“${label}”`]] : [];
  const choices = (field.choices ?? []).flatMap((choice): [string, string][] =>
    choiceLabel(choice) === choice ? [] : [[choice, `“${choiceLabel(choice)}”`]],
  );
  return [...own, ...choices, ...(field.fields ?? []).flatMap(wordsOf)];
}

/** "AssignedSubscriberId" becomes "assigned subscriber id". */
function idWords(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

/** `[{"Number":"+1201","ICCID":"8901"}]` becomes `+1201: 8901`, and `["+1201"]` becomes `+1201`. */
function withoutJson(text: string): string {
  return text
    .replace(/\[?\{"\w+":"([^"]*)"(?:,"\w+":"([^"]*)")?\}\]?/g, (_, first: string, second?: string) =>
      second === undefined ? first : `${first}: ${second}`,
    )
    .replace(/\["([^"\]]*)"\]/g, '$1');
}
