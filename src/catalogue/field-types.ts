import type { GlobalMeta } from 'zod';
import type { Fields } from '../lib/values.ts';
import type { Tool } from './operation.ts';

/** Kinds that follow from the type of the value. The others are those that the field itself names (`meta`). */
type PlainKind = 'text' | 'number' | 'boolean' | 'choice';

/** One input field as forms, help texts and the parser see it; derived from the operation's zod input. */
export interface Field {
  /** The platform's spelling. */
  name: string;
  /** The label in a form. */
  label: string;
  description: string;
  required: boolean;
  secret: boolean;
  /** True for a file as base64, which no form takes. */
  attachment?: boolean;
  /** True if it takes all words of a typed line that are not `Field=value`. */
  rest?: boolean;
  /** `rows`: an array of objects (`[{Number}]`). `list`: an array of strings; `items` describes each. */
  kind: Exclude<GlobalMeta['kind'], 'words' | undefined> | PlainKind | 'list' | 'group' | 'rows';
  choices?: readonly string[];
  /** Suggested values; others are accepted too. */
  known?: readonly string[];
  /** Accepted identifier prefixes of an id. */
  ids?: readonly string[];
  example?: string;
  default?: unknown;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  /** Members of a group or of each row. */
  fields?: readonly Field[];
  /** The element of a list. */
  items?: Field;
}

/** The meaning of a typed line. */
export type Parsed =
  /**
   * `form`: a form was asked for. `missing`: required fields that were not given. `notes`: interpretations to report
   * ("+1… was read as PhoneNumber").
   */
  | {
      kind: 'call';
      tool: Tool;
      input: Fields;
      form: boolean;
      missing: readonly string[];
      notes: readonly string[];
    }
  | { kind: 'help'; group?: string; tool?: Tool }
  /**
   * `input` holds what was understood, so that nothing typed is lost. `suggestion` is the nearest operation or field.
   * `tools` are the operations that the words may begin.
   */
  | {
      kind: 'problem';
      message: string;
      field?: string;
      tool?: Tool;
      input?: Fields;
      suggestion?: string;
      tools?: readonly Tool[];
    };
