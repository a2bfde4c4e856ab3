import type { ErrorCode, FieldProblem } from '../lib/errors.ts';
import { type Fields, inQuotes, textsIn, visible, type Words } from '../lib/values.ts';
import type { LocalHistory } from './history.ts';

/*
 * A change describes a call that is not a read, as a person sees it before anything is sent. The gate builds it from the
 * definition and the records, keeps it with the action, and builds it again after the yes. Surfaces show it and add
 * nothing to it.
 */

/** One member that changes, for one target. Values are those of the platform; `Change.names` has the names of ids. */
export interface ChangeRow {
  /** The line, record or person that it concerns. */
  of: string;
  /** The label of the member: "Data limit". */
  what: string;
  /** The input field; left out for an effect that no field names. */
  member?: string;
  /** Left out if there is no value now. */
  before?: unknown;
  /** Left out if the value is removed, or is given by `added` and `taken`. */
  after?: unknown;
  removed?: true;
  /** Entries of a list that are new. */
  added?: readonly string[];
  /** Entries of a list that go. */
  taken?: readonly string[];
  /** A secret: neither value is shown. */
  hidden?: true;
  /** The value is keyword rules: JSON in a text, which people read in words. */
  keywords?: true;
  /** The record refers to nothing now, so a word such as "none" is the value before. */
  empty?: true;
  /** The record could not be read, so the present value is not known. */
  unread?: true;
  /** All fields of a row that shows several as one text. */
  members?: readonly string[];
  /** Fields that it says in words. A question lists their values too, as they are sent. */
  tells?: readonly string[];
}

/** A value that is sent and stays as it is. */
export interface KeptValue extends Required<Pick<ChangeRow, 'of' | 'what' | 'member'>> {
  value: unknown;
  keywords?: true;
}

/** An address or person that traffic, data or control goes to. */
export interface Lead {
  /** "Inbound messages go to". */
  what: string;
  to: string;
}

/** The name of a record, by its id. */
export interface NamedId {
  /** "message route". */
  noun: string;
  name: string;
  /** True if it has no name, and `name` is the number or person that it belongs to. */
  isOf?: boolean;
  leads: readonly Lead[];
}

/** A destination, before and after. */
type LeadChange = Lead & { from?: string };

/** The person whose yes a change needs. `own`: any operator, the requester included. `approver`: an approver. */
export type Level = 'own' | 'approver';

export interface Change {
  operation: string;
  level: Level;
  /** Exactly what leaves, without secrets. */
  sends: Fields;
  /** Customers by name, from the platform's records. */
  concerns: readonly string[];
  rows: readonly ChangeRow[];
  keeps: readonly KeptValue[];
  leads: readonly LeadChange[];
  names: Readonly<Record<string, NamedId>>;
}

/**
 * True for a change that makes something each time it is sent, such as a message or a purchase: nothing has a value
 * before, so that no record shows that it was done already.
 */
export function makesAnew({ rows }: Pick<Change, 'rows'>): boolean {
  return rows.every(({ before, removed, taken }) => before === undefined && !removed && taken === undefined);
}

/** A record that the call changes, and how people know it. */
export interface Target {
  /** "+12015550101 (Ava Stone · Acme Mobile)". */
  of: string;
  /** Undefined if there is none yet, or it could not be read. */
  record: Fields | undefined;
  /** True if its record could not be read. */
  isUnread?: true;
}

/** An effect of a call on a record that is no value of a field: a state, an entry of a list, a removal. */
export type Effect = Omit<ChangeRow, 'of' | 'hidden' | 'keywords' | 'members'> & { of?: string };

/**
 * The destinations of the ids of the rows, before and after: "Inbound messages go to: https://old → https://new". An id
 * that replaces another one of the same kind is compared with it.
 */
export function leadsOf(rows: readonly ChangeRow[], names: Readonly<Record<string, NamedId>>): LeadChange[] {
  const found = rows.flatMap(({ before, after }): LeadChange[] => {
    const next = typeof after === 'string' ? names[after] : undefined;
    const past = typeof before === 'string' ? names[before] : undefined;
    return (next?.leads ?? []).map(({ what, to }) => {
      const from = past?.leads.find((lead) => lead.what === what)?.to;
      return { what, to, ...(from === undefined || from === to ? {} : { from }) };
    });
  });
  return [...new Map(found.map((lead) => [JSON.stringify(lead), lead])).values()];
}

/** A name in a sentence: "“Main SMS route”", or "of +12015550101" for a record that is known by its number. */
export function calledText({ name, isOf }: NamedId): string {
  const text = /^\+\d{7,15}( and \d+ more)?$/.test(name) ? name : inQuotes(visible(name));
  return isOf ? `of ${text}` : text;
}

/** Replaces the ids in a sentence of Switchboard by the names of their records, in quotation marks. */
export function withNames(sentence: string, names: Change['names'] = {}): string {
  return Object.entries(names)
    .filter(([id]) => !id.startsWith('+'))
    .reduce(
      (all, [id, named]) =>
        all.replaceAll(id, (found, at: number, whole: string) => (whole[at - 1] === '“' ? found : calledText(named))),
      sentence,
    );
}

/** Every text in these values that looks like an id, with the name of the innermost member that holds it. */
export function idsIn(values: Fields): { id: string; member: string }[] {
  const found = new Map<string, { id: string; member: string }>();
  for (const { value: id, name: member } of textsIn(values))
    if (ID.test(id) && !found.has(id)) found.set(id, { id, member });
  return [...found.values()];
}

const ID = /^[A-Z]{2,7}-[A-Z0-9._-]{4,100}$/i;

export const MOST_ROWS = 500;

/** The members of an operation that a batch of it needs. */
export interface Batched {
  /** The field that identifies a row. With `list`, a member of the list's entries. */
  row: string;
  /** The field whose entries are the rows, if one request takes several rows. */
  list?: string;
  /** Maximum number of rows in one request; 1 without `list`. */
  most?: number;
  /** True if the rows are numbers of other people, which the call reaches and does not change. */
  reaches?: true;
  /** Other fields that name targets. */
  also?: readonly string[];
  /** The operation that reads the record of a row, if the checks of the operation do not. `by`: its field. */
  reads?: { operation: string; by: string };
  /** Members of a read's result, by path, that assistants get for each row. The table for people has all of them. */
  brief?: readonly string[];
}

/** A list operation whose rows show the same record as a read, so that one request answers many such reads. */
export interface ListedIn {
  operation: string;
  /** The only field of a read that the list can answer. */
  by: string;
  /** The member of a row with the value of `by`. */
  key: string;
  /** The member of the list's answer that has the rows. */
  rows: string;
  /** The member of the list's answer with the number of all rows. */
  total: string;
  /** Members that must read the same in a row as in the record. Otherwise the list is not used. */
  same: readonly string[];
  /** Rows on a full page. */
  size: number;
  /** The input for a page, from 1. */
  page: (n: number) => Fields;
}

/** The rule by which an operation runs over a list of rows, or the reason why it does not. */
export type BatchRule = Batched | { not: string };

/** The rule of an operation that can run as a batch; undefined for any other. */
export function batchedBy(tool: { batch?: BatchRule }): Batched | undefined {
  return tool.batch !== undefined && 'row' in tool.batch ? tool.batch : undefined;
}

/** The fields that are different in each row, so that rows cannot share them. */
export function targetFields({ row, list, also = [] }: Batched): string[] {
  return [list ?? row, ...also];
}

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
