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
  /** What people copy, as it is sent. */
  | { code: string }
  /** A person by their identity. */
  | { person: string; name?: string | undefined }
  /** A share of 1 as a bar, and the same in words. */
  | { bar: number; words: string }
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
}

export type Part =
  /**
   * Labelled values. `brief`: the same in one line, for a surface on which a card is short. `repeats`: the values stand
   * in another part too. `folded`: the values are read only on demand, and this is the title under which they are found.
   */
  | { kind: 'facts'; title?: string; brief?: Text; repeats?: true; folded?: string; rows: readonly Fact[] }
  /** `brief`: the rows as lines of text. */
  | {
      kind: 'table';
      title: string;
      brief?: readonly string[];
      columns: readonly string[];
      rows: readonly (readonly string[])[];
    }
  | { kind: 'note'; title?: string; lines: readonly Text[] }
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
      if ('words' in piece) return piece.words;
      if ('steps' in piece) return piece.steps.map(({ label }) => label).join(' › ');
      return piece.name === undefined ? piece.person : `${piece.person} (${piece.name})`;
    })
    .join('');
}
