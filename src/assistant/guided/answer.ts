import type { Field } from '../../catalogue/field-types.ts';
import { fieldsOf } from '../../catalogue/fields.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { Fields } from '../../lib/json.ts';

/**
 * The answer of the catalogue to plain words. Nothing was performed: the surface performs a `lookup` and `events`, which
 * are reads, draws the form, or asks the question.
 */
export interface GuidedAnswer {
  /**
   * - `lookup`: a read with a complete input, or one whose number `find` looks for.
   * - `form`: an operation with the values that the words give.
   * - `question`: a gated operation with a complete input. Performing it asks a person.
   * - `events`: the read of events since a time.
   * - `help`: nothing fits, or the words only ask about an operation.
   */
  kind: 'lookup' | 'form' | 'question' | 'events' | 'help';
  /** Undefined for general help. */
  operation: string | undefined;
  input: Fields;
  /** One sentence that says how the words were read. */
  understood: string;
  /** A read that finds the number of a person whom the words name. */
  find?: { operation: string; input: Fields };
  /** The guide that leads through the change, where surfaces have one. */
  guide?: string;
  /** True for a form in which nothing is missing, so that a terminal can ask at once. */
  isReady?: true;
  /** The parts of the sentence that are not filled in, as the end of `understood`. */
  remarks?: string;
  /** True if the sentence names a day on which the operation cannot be done. It is then not asked at once. */
  isLater?: true;
  /** The numbers of which a read of filters says whether they are blocked. */
  asks?: readonly string[];
  /** True for a change that is only offered if the record's state leaves something to do. */
  isChecked?: true;
  /** Operations that may be meant where the words were not understood, filled in as far as the words say. */
  nearest?: readonly { operation: string; input: Fields }[];
}

export function answer(
  kind: GuidedAnswer['kind'],
  { tool, input, understood: text }: { tool: Tool; input: Fields; understood: string },
  find?: { tool: Tool; input: Fields },
): GuidedAnswer {
  const whole = { kind, operation: tool.id, input, understood: `${text}.` };
  return find ? { ...whole, find: { operation: find.tool.id, input: find.input } } : whole;
}

/** Several changes in one message: none is started, because the order may matter. */
export function several(tools: readonly Tool[]): GuidedAnswer {
  const titles = [...new Set(tools.map(({ title }) => title))];
  return help(`You asked for several changes (${titles.join('; ')}). Send them one by one`);
}

export function help(why: string | undefined): GuidedAnswer {
  return { kind: 'help', operation: undefined, input: {}, understood: why === undefined ? '' : `${why}.` };
}

export function missingOf(tool: Tool, input: Fields): Field | undefined {
  return fieldsOf(tool).find((field) => field.required && input[field.name] === undefined);
}

/** Names the operation and the values that are missing. */
export function understood(tool: Tool, input: Fields, find?: { input: Fields }): string {
  const fields = fieldsOf(tool);
  const missing = fields.filter((field) => field.required && input[field.name] === undefined).map(({ label }) => label);
  const isMissing = missing.length > 0 && tool.risk !== 'read';
  const who = find ? `; ${found(find.input).replace(/^F/, 'f')} first` : '';
  return `${tool.title}${isMissing ? `; still needed: ${missing.join(', ')}` : ''}${who}`;
}

export function found(input: Fields): string {
  return `Find numbers by "${String(Object.values(input)[0])}"`;
}
