import type { ErrorCode, FieldProblem } from '../lib/errors.ts';
import type { Fields, Words } from '../lib/values.ts';
import type { Effect, KeptValue, NamedId } from './change.ts';
import type { LocalHistory } from './history.ts';

/** The text that a person reads before confirming. All plain text; surfaces escape it. */
export interface Consent {
  /** The effect, and the number or record that it concerns: "Reactivate +12015550107". */
  title: string;
  /** The cost or loss, in one or two sentences. */
  consequence: string;
  /** Says whether the effect can be undone, and until when. */
  undo: string;
  /** The label of the confirming button, naming the act: "Reactivate for 5 USD". At most 30 characters. */
  confirm: string;
  /** The cost, if the call costs money or reaches a person: "5 USD". */
  cost?: string;
  /** The outcome gives this reason why the change has no effect yet. */
  remains?: string;
  /** The change that people often ask for after it, filled in: such as what `remains` needs. The question waits for no other. */
  next?: { operation: string; label: string; input: Fields };
  /** A statement the platform wants shown word for word (a cancellation's ConsentStatement). */
  statement?: string;
  /** Every number of a stored order that this call acts on. The input names the order only. */
  orderNumbers?: readonly string[];
}

const UNDO: Readonly<Record<string, string>> = {
  Create: 'It can be changed or deleted.',
  Change: 'Another update can change it back.',
  Delete: 'Permanent.',
};

/**
 * The question of a change that its values before and after describe: "Change package PKID-…", where surfaces write the
 * record's name in place of its id.
 *
 * @param field the field with the id, or with the name of a new record
 * @param more.hazard one sentence on what is dangerous, if anything is
 * @param more.undo what the sentence about undoing says beside the usual, or of a new record in its place
 */
export function asks(
  verb: string,
  noun: string,
  field: string,
  more: { hazard?: string | ((input: Fields, known: Fields) => string); undo?: string } = {},
): (input: Fields, known: Fields, reasons?: string) => Consent {
  const { hazard = '', undo = '' } = more;
  return (input, known, reasons = '') => ({
    title: `${verb} ${verb === 'Create' ? `the ${noun}` : noun} ${String(input[field])}`,
    consequence: `${typeof hazard === 'string' ? hazard : hazard(input, known)} ${reasons}`.trim(),
    undo: verb === 'Create' && undo !== '' ? undo : `${UNDO[verb] ?? ''} ${undo}`.trim(),
    confirm: `${verb} this ${noun}`,
  });
}

/** The result of one read before asking: the answer, or why there is none. */
type Reading = { found: Fields } | { found: undefined; message: Words; code: ErrorCode };

/** The input of a check before a person is asked. */
export interface Look {
  /**
   * Calls a reading operation. Never rejects: a failure of the platform comes back as `message`, and the question warns
   * of it. `purpose`: the record only gives a name, without which the call can be asked about and sent.
   */
  read: (operation: string, input: Fields, purpose?: 'name') => Promise<Reading>;
  /** The record of a stored secret (for an operation with `takes`); otherwise empty. */
  known: Fields;
  /** The present moment. */
  now: Date;
  /** True for a row of a batch, of which there may be hundreds: names that cost a request for each are left out. */
  isRow?: true;
  /** Earlier events and actions of this installation. Costs no platform request. */
  history: LocalHistory;
}

/** The result of a check before a person is asked. */
export interface Checked {
  /** Fields the caller left out, filled in from the platform's records. */
  fill?: Fields;
  /** The customer concerned: name and account. */
  customer?: string;
  /** The customers of several lines, by phone number. */
  customers?: Readonly<Record<string, string>>;
  /** Effects that the check found, for the question. */
  effects?: readonly Effect[];
  /** Values that are sent and stay, beside those of the input. */
  keeps?: readonly KeptValue[];
  /** Names of records that the check found, by id. */
  names?: Readonly<Record<string, NamedId>>;
  /** For conditions, hazards, `consent` and the steps after it. No secrets. */
  known?: Fields;
  /** Owner, state and account of the records that were read, by record. They are compared before the call is sent. */
  rests?: Readonly<Record<string, Fields>>;
  /** Warnings for the person who confirms. Reads that failed need none. */
  warnings?: readonly string[];
  /**
   * True if a person is asked although changes of this level need no yes (CONFIRM_OWN=false). False if the call needs none
   * because it concerns Switchboard alone.
   */
  asks?: boolean;
  /** The call cannot work as it is. `code`: `invalid_input`, or the code of the platform's own refusal. */
  problem?: RecordProblem;
}

/** A problem found in a record of the platform. The record's text is a quote in the message. */
export interface RecordProblem {
  field: string;
  message: Words;
  code?: 'bad_request' | 'unavailable' | 'not_found' | 'rate_limited';
  /** The next step for the reader. */
  next?: Words;
  /** Set for `rate_limited`. */
  retryAfterSeconds?: number;
}

/** A field that is wrong and how to correct it. */
export interface Problem extends FieldProblem {
  /** True if it only holds for an input whose fields are all correct by themselves. */
  ofWhole?: true;
}

/** The rows of an answer in words. */
export interface Sentences<I = Fields> {
  /** The member of the answer with the rows. */
  of: string;
  /** The member with the number of all rows, if the answer has one page of them. */
  total?: string;
  /** A title for a count of rows; it is 0 if there are none. */
  title: (count: number, input: I, answer: Fields) => string;
  /** `nameOf`: the name of a record or of the customer of a line, by id or number, as far as it is known. */
  row: (row: Fields, input: I, nameOf: (id: string) => string | undefined) => RowSentence;
  /** Sentences on the whole answer, below the rows. */
  remarks?: (answer: Fields) => readonly string[];
}

/** One row in words. */
export interface RowSentence {
  says: string;
  /** When it happened, in epoch ms. */
  at?: number;
  /** A record of data used, which follows as a bar. */
  usage?: Fields;
  /** A text that a person wrote. */
  quote?: string;
  /** Operations on this row, with what is known of their input. */
  next?: readonly { tool: string; title: string; input: Fields }[];
}
