import type * as z from 'zod';
import { defineWorkflow, type Shape, type Strict, type Tool } from '../../../src/catalogue/operation.ts';
import type { Fields } from '../../../src/lib/values.ts';

/*
 * A guide leads through several operations that are hard to use one by one. It is a list of steps as data, from which
 * surfaces derive forms and texts. Its functions are pure.
 */

export interface Guide {
  /** Also the name of the prompt for the same flow, if there is one. */
  name: string;
  title: string;
  description: string;
  /** Group of the command that starts it. */
  group: string;
  /** The words after that command. */
  words: string;
  steps: readonly GuideStep[];
  /** The values that a text after the command means, beside a number: an area code. Undefined for a name. */
  reads?: (text: string) => Fields | undefined;
  /** The field that a name after the command is searched for, and the form that has it. */
  names: { form: Tool | string; field: string };
  end: GuideEnd;
  /** The fields that it has in place of those of operations that plain words mean. */
  from: Readonly<Record<string, string>>;
  /** It begins with numbers that are not in this inventory. */
  takesOthers?: true;
}

/** A step that shows a form, runs an operation, or both. */
export interface GuideStep {
  /** Unique in the guide. */
  name: string;
  /** In the line of steps. */
  title: string;
  /** The step is left out while this is false. */
  when?: (known: Fields) => boolean;
  form?: GuideForm;
  run?: GuideRun;
}

interface GuideForm {
  /** An operation, or a form of the guide's own. */
  of: Tool | string;
  /** "Ask for approval" if left out. */
  submit?: string;
  /** Shown above the fields. */
  text: string;
  /** The results of earlier steps that the form rests on: a sentence and its facts. */
  found?: (known: Fields) => { text: string; facts: readonly string[] };
  /** Further sentences; `field` is then required. */
  hints?: (known: Fields) => readonly { text: string; field?: string }[];
  /** The problem of the entered values by what earlier steps found, shown at its field. */
  problem?: (entered: Fields, known: Fields, now: Date) => { field: string; message: string } | undefined;
  /** The values that the form begins with, under those that are known. `timeZone`: IANA zone of the writer. */
  given?: (known: Fields, now: Date, timeZone?: string) => Fields;
  /** Values that are sent and have no input. */
  carries?: (known: Fields) => Fields;
  /** The form is left out if this is known, unless its step failed. */
  unless?: string;
}

export interface GuideRun {
  operation: string;
  /** By default the known values that are fields of the operation. */
  input?: (known: Fields) => Fields;
  /** The reason why the guide cannot go on after this answer. `quoted`: the platform's own words. */
  stops?: (answer: Fields, known: Fields) => { problem: string; quoted?: string } | undefined;
  /** The change that the guide asks for after this one, for those who decide about this one. `nameOf`: a record's name. */
  follows?: (known: Fields, nameOf: (id: string) => string) => string | undefined;
  /** The values of the answer that later steps need. */
  keeps?: (answer: Fields, known: Fields) => Fields;
}

/** The guide ends with what was done. */
interface GuideEnd {
  title: string;
  /** The operation that places the order `OrderId`, which has a button. */
  places?: string;
  headline: (known: Fields) => string;
  /** True if the activation code is for the customer's phone. */
  hasCode: (known: Fields) => boolean;
  /** The next step of the customer. */
  next: (known: Fields) => string;
}

/** The field that holds the number which a guide is about. */
export const LINE = 'PhoneNumber';

/** A form of a guide's own. It is drawn and checked as the form of an operation, and is sent nowhere. */
export function guideForm<S extends Shape>(form: {
  id: string;
  title: string;
  input: () => S;
  example: z.input<Strict<S>>;
}): Tool {
  const { example, ...rest } = form;
  return defineWorkflow({
    ...rest,
    output: () => ({}),
    group: 'guides',
    description: form.title,
    risk: 'read',
    examples: [example],
    run: () => Promise.reject(new Error(`${form.id} is a form and cannot be run`)),
  });
}

/** A phone number as people write it, in E.164; undefined for other texts. */
export function phoneIn(text: string): string | undefined {
  const digits = text.replace(/\D/g, '');
  if (digits.length < 7 || /[a-z]/i.test(text)) return undefined;
  return digits.length === 10 && !text.startsWith('+') ? `+1${digits}` : `+${digits}`;
}
