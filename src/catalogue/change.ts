import { type Fields, inQuotes, textsIn, visible } from '../lib/values.ts';

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
export interface KeptValue {
  of: string;
  what: string;
  member: string;
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
export interface LeadChange {
  what: string;
  from?: string;
  to: string;
}

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
export type Effect = Pick<
  ChangeRow,
  'what' | 'member' | 'before' | 'after' | 'removed' | 'added' | 'taken' | 'unread' | 'empty' | 'tells'
> & {
  of?: string;
};

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
  const seen = new Set<string>();
  return found.filter((lead) => {
    const key = JSON.stringify(lead);
    return seen.has(key) ? false : seen.add(key);
  });
}

/** An id in a value, and the name of the innermost member that holds it. */
export interface FoundId {
  id: string;
  member: string;
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

/** Every text in these values that looks like an id, so that its record can be named. */
export function idsIn(values: Fields): FoundId[] {
  const found = new Map<string, FoundId>();
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
