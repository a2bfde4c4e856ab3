import type { Field } from '../catalogue/field-types.ts';
import { soleMember } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import { commandOf } from './command-words.ts';
import { quoted } from './tokens.ts';

/*
 * Problems of a typed line in words. Slack offers a form beside the problem (`form`), so its words name no notation. A
 * terminal has the line alone (`line`), so its words show what to add.
 */

/** The two ways to give a field: in a form, or on the typed line alone. */
export type Notation = 'form' | 'line';

/** `Field=value` as it may be typed on a line; undefined for values that need more than one word. */
function typed(field: Field, path = field.name): string | undefined {
  const [value] = examplesOf(field);
  return value === undefined ? undefined : `${path}=${quoted(value)}`;
}

/** Values that a field takes, as people write them. */
function examplesOf(field: Field): string[] {
  if (['group', 'json', 'keywords'].includes(field.kind)) return [];
  if (field.kind === 'list') return field.items ? examplesOf(field.items) : [];
  if (field.kind === 'rows') {
    const member = soleMember(field);
    return member ? examplesOf(member) : [];
  }
  const value = field.example ?? field.choices?.[0] ?? (field.kind === 'boolean' ? 'yes' : undefined);
  return value === undefined ? [] : [value];
}

/** Returns the next step: "For example OrderId=…" on a line, "Give Order in the form" beside a form. */
export function hintFor(notation: Notation, tool: Tool, field: Field, path = field.name): string {
  if (notation === 'form') return `Give ${field.label} in the form.`;
  const example = typed(field, path);
  return example === undefined ? `${commandOf(tool)} --help shows how to give ${path}.` : `For example ${example}.`;
}

/** A word that may belong to several fields. */
export function ambiguousWords(notation: Notation, text: string, fields: readonly Field[]): string {
  const [first] = fields;
  if (notation === 'form') return `“${text}” could be ${joined(fields.map(({ label }) => label))}: choose in the form.`;
  return `${text} could be ${joined(fields.map(({ name }) => name))}: write ${first?.name ?? ''}=${text}.`;
}

/** A value that was read as one of several fields. */
export function readAsNote(notation: Notation, text: string, field: Field, other: string | undefined): string {
  const instead = notation === 'form' ? 'use the form' : `write ${other}=…`;
  return `${text} was read as ${notation === 'form' ? field.label : field.name}; ${instead} if you meant another field.`;
}

/** A text with spaces that has no quotes. */
export function quotesWords(notation: Notation, field: Field, text: { word: string; whole: string }): string {
  const lead = `"${text.word}" stands alone after ${field.name}; put text with spaces in quotes`;
  return notation === 'form' ? `${lead}, or use the form.` : `${lead}: ${field.name}="${text.whole}".`;
}

function joined(names: readonly string[]): string {
  return names.join(' or ');
}
