import type { Tool } from './operation.ts';

/** One input field as forms, help texts and the parser see it; derived from the operation's zod input. */
export interface Field {
  /** The platform's spelling. */
  name: string;
  /** What a form writes above it. */
  label: string;
  description: string;
  required: boolean;
  secret: boolean;
  kind:
    | 'text'
    | 'multiline'
    | 'number'
    | 'boolean'
    | 'choice'
    | 'phone'
    | 'id'
    | 'date'
    | 'us-date'
    /** So long ago, or a moment. */
    | 'since'
    | 'url'
    | 'email'
    | 'json'
    /** An array of strings (`items` says of which kind). */
    | 'list'
    /** An object of fields (an address). */
    | 'group'
    /** An array of objects (`[{Number}]`). */
    | 'rows';
  choices?: readonly string[];
  /** Values that are offered where others are taken too. */
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
  /** What a list holds. */
  items?: Field;
}

/** What a typed line means. */
export type Parsed =
  /** `form`: a form was asked for. `missing`: required fields that were not given. `notes`: readings worth telling ("+1… was read as PhoneNumber"). */
  | {
      kind: 'call';
      tool: Tool;
      input: Record<string, unknown>;
      form: boolean;
      missing: readonly string[];
      notes: readonly string[];
    }
  | { kind: 'help'; group?: string; tool?: Tool }
  /** `input` is what was understood, so that nothing typed is lost. `suggestion` is the nearest operation or field. */
  | {
      kind: 'problem';
      message: string;
      field?: string;
      tool?: Tool;
      input?: Record<string, unknown>;
      suggestion?: string;
    };
