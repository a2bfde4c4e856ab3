import { identified } from '../lib/actor.ts';
import { plainText, type Words } from '../lib/words.ts';
import type { StepState } from '../platform/dialect/orders.ts';

/*
 * A card is what people are shown about one thing: a question, an outcome, a line, a list, an event. It is data. The
 * functions of this folder say what stands on it and in which words; a renderer of each surface draws it and knows no
 * operation.
 */

/** A part of a text. Times in ISO 8601 within a string are written for the reader. */
export type Piece =
  | string
  | { strong: string }
  /** What somebody wrote, such as the text of a message. */
  | { said: string }
  /** A value of a record: a number, an id, a state, a time or a name. */
  | { value: string }
  /** What people copy. */
  | { code: string }
  /** A value exactly as it is sent, or what a person wrote about it. A surface writes nothing of it in other words. */
  | { sent: string }
  /** A sentence of Switchboard with quotes from outside. */
  | { words: Words }
  /** A person by their identity. */
  | { person: string; name?: string | undefined }
  /** A share of 1 as a bar, and the same in words. */
  | { bar: number; of: string }
  /** The steps of an order. */
  | { steps: readonly Step[] };

/** A string in the rows of `facts` is a value of a record; elsewhere it is a sentence of Switchboard. */
export type Text = string | readonly Piece[];

export interface Step {
  label: string;
  state: StepState;
}

export interface Fact {
  label: string;
  value: Text;
  /** An id or another value that people read only if they want to. */
  detail?: true;
  /** A part of the list of a batch, which a page shows as a table. */
  list?: true;
}

export type Part =
  /**
   * Labelled values. `brief`: the same in one line, for a surface on which a card is short. `repeats`: the values stand
   * in another part too. `folded`: the values are read only on demand, and this is the title under which they are found.
   * `small`: who did what and when, which is read last.
   */
  | {
      kind: 'facts';
      title?: string;
      brief?: Text;
      repeats?: true;
      folded?: string;
      small?: true;
      rows: readonly Fact[];
    }
  /** `brief`: the rows as lines of text. */
  | {
      kind: 'table';
      title: string;
      brief?: readonly string[];
      columns: readonly string[];
      rows: readonly (readonly string[])[];
    }
  /** Sentences. `warns`: they are about something that may be wrong. */
  | { kind: 'note'; title?: string; warns?: true; lines: readonly Text[] }
  /** What somebody wrote, word for word. */
  | { kind: 'quote'; title: string; text: string }
  | { kind: 'small'; text: string }
  /** The place of the actions. */
  | { kind: 'actions' };

/** Something that a reader can do, by what it means. */
export interface Open {
  /** What it does, in a sentence. */
  does: string;
  operation: string;
  input: Readonly<Record<string, unknown>>;
  /** Fields that a person has to choose. */
  needs: readonly string[];
}

export interface Card {
  /** A sign for lists and headers; empty for none. */
  mark: string;
  title: string;
  /** What matters first, in a sentence without a full stop. Empty if nothing is known. */
  state: string;
  /** What the state means for the customer: "Nothing was done." Empty if the state says it. */
  effect?: string;
  parts: readonly Part[];
  /** The step that puts right what is wrong. */
  open?: Open | undefined;
}

/** "⚠️ Ava Stone · (201) 555-0105: data nearly used up, 19.75 of 20 MB". */
export function headlineOf({ mark, title, state }: Pick<Card, 'mark' | 'title' | 'state'>): string {
  // A word such as "SMS" keeps its capitals.
  const what = /^[A-Z][a-z]/.test(state) ? state.charAt(0).toLowerCase() + state.slice(1) : state;
  return [mark, [title, what].filter((text) => text !== '').join(': ')].filter((text) => text !== '').join(' ');
}

/** A text without emphasis, for a surface that has plain text alone. */
export function plainOf(text: Text): string {
  if (typeof text === 'string') return text;
  return text
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      if ('strong' in piece) return piece.strong;
      if ('said' in piece) return piece.said;
      if ('value' in piece) return piece.value;
      if ('code' in piece) return piece.code;
      if ('sent' in piece) return piece.sent;
      if ('words' in piece) return plainText(piece.words);
      if ('bar' in piece) return piece.of;
      if ('steps' in piece) return piece.steps.map(({ label }) => label).join(' › ');
      return identified(piece.person, piece.name);
    })
    .join('');
}

/** A part with values, if there are any. */
export function factsPart(rows: readonly Fact[], more: Partial<Part & { kind: 'facts' }> = {}): Part[] {
  return rows.length === 0 ? [] : [{ ...more, kind: 'facts', rows }];
}

/**
 * A question as lines of text, for a terminal and for a client's dialog: title, facts, warnings, what changes, what is
 * sent, consent.
 */
export function questionText({ title, parts }: Pick<Card, 'title' | 'parts'>): string {
  return [title, '', ...parts.flatMap(linesOf)].join('\n');
}

function linesOf(part: Part): string[] {
  switch (part.kind) {
    case 'facts': {
      const rows = part.rows.map(({ label, value }) => pair(label, plainOf(value)));
      return part.title === undefined ? rows : ['', `${part.title}:`, ...rows.map((row) => `  ${row}`)];
    }
    case 'note':
      return part.lines.map((line) => (part.warns ? pair('Note', plainOf(line)) : plainOf(line)));
    case 'quote':
      return ['', `${part.title}:`, quotedLines(part.text)];
    case 'small':
      return ['', part.text];
    default:
      return [];
  }
}

/** Marks a text of others: each of its lines begins with a mark that no line of the question has. */
function quotedLines(text: string): string {
  // Many spaces would push a part of the text to the start of the next line of a terminal.
  return text.replace(/[ \t]{2,}/g, ' ').replace(/^/gm, '> ');
}

/** Indents lines after the first, so that a value cannot imitate another row. */
function pair(label: string, value: string): string {
  return `${label}: ${value.split('\n').join('\n      ')}`;
}
