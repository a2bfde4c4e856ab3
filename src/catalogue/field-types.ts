import type { Fields } from '../lib/values.ts';
import type { Tool } from './operation.ts';

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
  kind:
    | 'text'
    | 'multiline'
    | 'number'
    | 'boolean'
    | 'choice'
    | 'phone'
    /** The serial of a SIM. */
    | 'iccid'
    | 'id'
    | 'date'
    | 'us-date'
    /** A span of time before now (8h), or a moment. */
    | 'since'
    | 'url'
    | 'email'
    | 'json'
    /** Keyword rules: a JSON object in a string. A form shows them as lines. */
    | 'keywords'
    /** Several of `known`, separated by commas in one text. */
    | 'choices'
    /** An array of strings; `items` describes each. */
    | 'list'
    /** An object of fields (an address). */
    | 'group'
    /** An array of objects (`[{Number}]`). */
    | 'rows';
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
