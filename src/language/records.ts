import { listedKinds, type RecordKind, recordKinds } from '../../tools/surfaces/records.ts';
import type { Field, Tool } from '../catalogue/operation.ts';
import type { Gate } from '../gate/gate.ts';
import type { Actor } from '../lib/actor.ts';
import { SwitchboardError } from '../lib/errors.ts';
import { similarTexts } from '../lib/nearest.ts';
import {
  BoundedMap,
  type Fields,
  isRecord,
  memberAt,
  oneLine,
  partsOf,
  recordOf,
  recordsIn,
  searchForm,
  textOf,
  withPlainDigits,
} from '../lib/values.ts';
import { bareNumberId } from '../platform/dialect/number-lists.ts';
import { clean, formatPhone, memberText } from './show.ts';
import { isSameId, kindOf, lookupIn, type Reference, referencesIn, wantedIn, withValue } from './typed-values.ts';

/** A record that a text may mean. */
export interface Hit {
  /** The number or id. */
  value: string;
  /** "Ava Stone · (201) 555-0101 · Acme Mobile". */
  label: string;
  /** The state of a number when it was found: "Active". It is not part of the label, because labels are kept. */
  state?: string;
}

/** The text of a hit in a choice: its label, and the state of a number. */
export function choiceLabel({ label, state }: Hit): string {
  return state === undefined ? label : `${label} · ${state}`;
}

/** A record that a number uses. */
export interface UsedRecord {
  /** "message route". */
  noun: string;
  id: string;
  name: string;
}

interface Hits {
  hits: readonly Hit[];
  /** False if only a part of a long list was searched, or more match than are listed. */
  isWhole: boolean;
  /** True if no name has exactly the words of the search, and these are spelled alike. */
  areSimilar?: boolean;
  /** True if the text names lines, and these are what they use. */
  isOfLine?: true;
}

/** A name or last digits, and the record for which they were taken. */
export interface TakenName {
  text: string;
  label: string;
  value: string;
  /** True if the record is only spelled alike. */
  isSimilar?: true;
}

/** An input whose references are replaced by numbers and ids, or the first one that is not clear. */
export type Resolution =
  | { kind: 'clear'; input: Fields; taken: readonly TakenName[] }
  | { kind: 'unclear'; reference: Reference; input: Fields; found: Hits };

const NOTHING: Hits = { hits: [], isWhole: true };
const PHONE = /^\+\d{7,15}$/;
const LINE = kindNamed('line');
const SUBSCRIBER = kindNamed('subscriber');
const HOLDER = 'SubscriberId';
/** Pages of a long list that one search reads. */
const PAGES = 4;
const ROWS = 100;
/** Numbers whose records are looked up to find what they use. */
const MOST_NUMBERS = 3;
/** Kinds of records that no other line has. */
const OF_ONE_LINE: ReadonlySet<string> = new Set(['line', 'number', 'subscription', 'subscriber']);
/** Answers are used again while a person types, for this long. */
const KEEP_MS = 60_000;
const MAX_KEPT = 200;
/** Characters of a number's state in a choice. */
const MAX_STATE = 30;

/** Finds records by last digits, names and account names, with the role and priority of the person who asks. */
export class RecordSearch {
  readonly #gate: Pick<Gate, 'perform'>;
  readonly #tools: readonly Tool[];
  readonly #now: () => number;
  readonly #kept = noneKept();

  constructor(gate: Pick<Gate, 'perform'>, tools: readonly Tool[], now: () => number) {
    this.#gate = gate;
    this.#tools = tools;
    this.#now = now;
  }

  /** Replaces each reference of an input that means exactly one record. Rejects as `gate.perform`. */
  async resolve(tool: Tool, input: Fields, actor: Actor): Promise<Resolution> {
    let clear = input;
    const taken: TakenName[] = [];
    for (const reference of referencesIn(tool, input)) {
      const found = await this.search(reference.field, reference.text, actor);
      const [hit, ...others] = found.hits;
      // A change is not made to a record whose name was only spelled alike, unless a person chooses it.
      const isGuess =
        // Other lines have it, too: "delete ben's voice route" names none that may go.
        (found.isOfLine === true && tool.risk === 'destroy' && !OF_ONE_LINE.has(kindOf(reference.field)?.noun ?? '')) ||
        (found.areSimilar === true && tool.risk !== 'read');
      if (hit === undefined || others.length > 0 || !found.isWhole || isGuess)
        return { kind: 'unclear', reference, input: clear, found };
      clear = withValue(clear, reference.path, hit.value);
      const { value, label } = hit;
      taken.push({ text: reference.text, label, value, ...(found.areSimilar === true && { isSimilar: true }) });
    }
    return { kind: 'clear', input: clear, taken };
  }

  /**
   * The records that a text may mean in a field.
   *
   * @param options.isTyping answers of the last minute are used again, because a person is still typing
   */
  async search(field: Field, typed: string, actor: Actor, options: { isTyping?: boolean } = {}): Promise<Hits> {
    const read = this.#reader(actor, options.isTyping === true ? this.#kept : noneKept());
    const kind = kindOf(field);
    const text = withPlainDigits(typed);
    if (field.kind === 'phone') return this.#numbers(text, read);
    if (!kind) return NOTHING;
    // A record is named by its own name, by that of its customer, or by a line that uses it.
    const lines = kind === LINE ? await this.#lines(text, read) : NOTHING;
    if (lines.hits.length > 0) return lines;
    const listed = await this.#listed(kind, text, read);
    if (listed.hits.length > 0 || text === '') return listed;
    const owner = kind.holder ?? kind.refers?.find((name) => name === HOLDER);
    const owned = owner === undefined ? NOTHING : await this.#ofHolder(kind, owner, text, read);
    // An account is never taken for a customer of it.
    const isNamed = kind === SUBSCRIBER && /\p{L}/u.test(text);
    const isOwned = owned.hits.length > 0 || kind.holder !== undefined || isNamed;
    return isOwned ? owned : this.#throughNumbers(kind, text, read);
  }

  /**
   * Finds numbers that a longer text names, by last digits or by a customer's whole name: "Ava Stone says 0104 is dead".
   * A number has to fit both if the text has both.
   */
  async mentionedIn(message: string, actor: Actor): Promise<Hits> {
    const text = withPlainDigits(message);
    const wanted = wantedIn(text);
    const read = this.#reader(actor);
    if (wanted && 'query' in wanted) return this.#numbers(wanted.query, read);
    const byName = await holdersIn(text, read);
    // Four digits that are not part of a longer number, a date, a time or an amount.
    const digitsIn = text.match(/(?<![\d.,:/$€£+-])\d{4}(?![.,:/-]?\d|\s*(?:%|USD|MB|GB))/g);
    const ends = [...new Set(digitsIn)].slice(0, MOST_NUMBERS);
    const byDigits = await Promise.all(ends.map((digits) => this.#numbers(digits, read)));
    const ending = byDigits.flatMap(({ hits }) => hits);
    const both = ending.filter(({ value }) => byName.hits.some((hit) => hit.value === value));
    const named = both.length > 0 ? both : [...ending, ...byName.hits];
    const hits = [...new Map(named.map((hit) => [hit.value, hit])).values()];
    return { hits, isWhole: byName.isWhole && byDigits.every(({ isWhole }) => isWhole) };
  }

  /** The name of a record for people; undefined if no list that was read shows it. */
  async nameOf(field: Field, id: string, actor: Actor): Promise<string | undefined> {
    const kind = kindOf(field);
    if (!kind) return undefined;
    const row = rowWith(kind, id, (await rowsOf(kind, this.#reader(actor))).rows);
    return row && nameIn(kind, row);
  }

  /**
   * The records that a looked-up number uses, by name: account, routes, package. A record whose list cannot be read is
   * left out.
   *
   * @param answer the answer of the lookup
   */
  async usedBy(answer: Fields, actor: Actor): Promise<UsedRecord[]> {
    const read = this.#reader(actor);
    const naming = recordKinds
      .filter((kind) => kind.onCard === true)
      .map((kind) => usedRecord(kind, answer, read).catch(() => undefined));
    return (await Promise.all(naming)).filter((record) => record !== undefined);
  }

  async #numbers(text: string, read: Read): Promise<Hits> {
    const find = lookupIn(this.#tools)?.find;
    if (!find || text.length < 2) return NOTHING;
    const answer = await read(find.tool.id, { [find.field]: text });
    const rows = recordsIn(answer.Numbers);
    const hits = rows.filter((row) => PHONE.test(textOf(row.Number))).map(numberHit);
    const isWhole = answer.Unseen === undefined && answer.NextPage === undefined;
    return { hits, isWhole, ...(answer.Similar === true ? { areSimilar: true } : {}) };
  }

  /** The lines that a text names, and all of them without one, as their numbers are shown: with customer and state. */
  async #lines(text: string, read: Read): Promise<Hits> {
    if (text !== '') {
      const numbers = await this.#numbers(text, read);
      const { uses, isWhole } = await this.#usesOf(LINE, numbers.hits, read);
      const hits = uses.map(({ line, id }) => ({ ...line, value: id }));
      return { ...numbers, hits, isWhole: numbers.isWhole && isWhole };
    }
    const [lines, holders] = await Promise.all([rowsOf(LINE, read), rowsOf(SUBSCRIBER, read)]);
    const names = new Map(holders.rows.map((row) => [idIn(SUBSCRIBER, row), nameIn(SUBSCRIBER, row)]));
    const hits = lines.rows.map((row) => ({
      ...numberHit({ ...row, Customer: names.get(textOf(row.AssignedSubscriberId)) }),
      value: idIn(LINE, row),
    }));
    return { hits, isWhole: lines.isWhole };
  }

  async #listed(kind: RecordKind, text: string, read: Read): Promise<Hits> {
    const { rows, isWhole } = await rowsOf(kind, read);
    const matching = rows.filter((row) => matches(kind, row, text));
    const namesOf = (row: Fields) => kind.names.map((name) => textOf(memberAt(row, name)));
    const alike = matching.length === 0 ? similarTexts(text, rows.flatMap(namesOf)) : [];
    const similar = rows.filter((row) => namesOf(row).some((name) => alike.includes(name)));
    const named = [...matching, ...similar].map((row) => recordHit(kind, row)).filter(({ value }) => value !== '');
    const exact = named.filter(({ label }) => searchForm(label) === searchForm(text.trim()));
    return { hits: exact.length === 1 ? exact : named, isWhole, ...(similar.length > 0 ? { areSimilar: true } : {}) };
  }

  /** The records of the customers whom this text names: the filters of "ava". */
  async #ofHolder(kind: RecordKind, member: string, text: string, read: Read): Promise<Hits> {
    // Digits are those of a line, and no customer has a filter for all of their lines.
    if (!/\p{L}/u.test(text)) return NOTHING;
    const found = await this.#listed(SUBSCRIBER, text, read);
    const { rows } = await rowsOf(kind, read);
    const hits = rows.flatMap((row): Hit[] => {
      const owner = found.hits.find(({ value }) => isSameId(SUBSCRIBER, value, textOf(row[member])));
      if (!owner) return [];
      const [name = text] = owner.label.split(' · ');
      const hit = recordHit(kind, row);
      return [nameIn(kind, row) === undefined ? { ...hit, label: `${kind.noun} of ${name}` } : hit];
    });
    return { ...found, hits };
  }

  /** The records that the numbers found by this text use: the route of "0104", the account of "ava stone". */
  async #throughNumbers(kind: RecordKind, text: string, read: Read): Promise<Hits> {
    if (kind.ofNumber === undefined && kind.through === undefined) return NOTHING;
    const wanted = wantedIn(text);
    // A number that is being ported in is in no list of numbers.
    const numbers: Hits =
      wanted && 'number' in wanted
        ? { hits: [{ value: wanted.number, label: '' }], isWhole: true }
        : await this.#numbers(text, read);
    const { rows } = await rowsOf(kind, read);
    const { uses, isWhole } = await this.#usesOf(kind, numbers.hits, read);
    const found = new Map<string, Hit>();
    for (const { line, id } of uses) {
      const row = rowWith(kind, id, rows);
      const label = `${kind.noun} of ${formatPhone(line.value).national}`;
      found.set(id, row && nameIn(kind, row) !== undefined ? recordHit(kind, row) : { value: id, label });
    }
    return { ...numbers, hits: [...found.values()], isWhole: numbers.isWhole && isWhole, isOfLine: true };
  }

  /**
   * The record of a kind that each of these lines uses. The inventory says it for all of them in one answer; only lines
   * that it does not list are looked up.
   */
  async #usesOf(kind: RecordKind, lines: readonly Hit[], read: Read) {
    const rows = lines.length > 1 || kind === LINE ? (await rowsOf(LINE, read)).rows : [];
    const isSaid = (row: Fields) => kind.through !== undefined || kind.id.some((member) => member in row);
    const inventory = new Map(rows.filter(isSaid).map((row) => [textOf(row.Number), row]));
    const left = lines.filter(({ value }) => !inventory.has(value)).slice(MOST_NUMBERS);
    const using = lines
      .filter((line) => !left.includes(line))
      .map(async (line) => {
        const row = inventory.get(line.value);
        const answer = row ? { Number: row } : await this.#lookUp(line.value, read);
        return { line, id: await usedId(kind, answer, read) };
      });
    const uses = (await Promise.all(using)).filter(({ id }) => id !== '');
    return { uses, isWhole: left.length === 0 };
  }

  /** The answer of the lookup of a number; empty for one that the platform does not know. */
  async #lookUp(number: string, read: Read): Promise<Fields> {
    const lookup = lookupIn(this.#tools);
    if (!lookup) return {};
    return read(lookup.tool.id, { [lookup.field]: number }).catch((error: unknown): Fields => {
      if (error instanceof SwitchboardError && error.face.code === 'not_found') return {};
      throw error;
    });
  }

  /** Reads through the gate as one person. Answers of the last minute are used again, by default of any search. */
  #reader(actor: Actor, kept = this.#kept): Read {
    return (operation, input) => {
      const key = `${operation} ${JSON.stringify(input)}`;
      const before = kept.get(key);
      if (before && this.#now() - before.at < KEEP_MS) return before.answer;
      const answer = this.#gate
        .perform(operation, input, actor)
        .then((performed) => (performed.kind === 'done' ? performed.value : {}));
      kept.set(key, { at: this.#now(), answer });
      answer.catch(() => kept.delete(key));
      return answer;
    };
  }
}

const noneKept = (): BoundedMap<string, { at: number; answer: Promise<Fields> }> => new BoundedMap(MAX_KEPT);

function kindNamed(noun: string): RecordKind {
  const kind = recordKinds.find((one) => one.noun === noun);
  if (!kind) throw new Error(`no kind of record is called ${noun}`);
  return kind;
}

/** Finds the numbers of each customer whose whole name is in a text. */
async function holdersIn(text: string, read: Read): Promise<Hits> {
  const kind = SUBSCRIBER;
  if (!/\p{L}{2}/u.test(text)) return NOTHING;
  const words = wordsIn(text);
  const { rows, isWhole } = await rowsOf(kind, read);
  const hits = rows.flatMap((row): Hit[] => {
    const [name, numbers] = [nameIn(kind, row), row[kind.numbers ?? '']];
    if (name === undefined || !words.includes(wordsIn(name)) || !Array.isArray(numbers)) return [];
    return numbers.map(textOf).map((value) => ({ value, label: `${name} · ${formatPhone(value).national}` }));
  });
  return { hits, isWhole };
}

/** The words of a text in lower case, with a space before and after each. */
function wordsIn(text: string): string {
  return ` ${(searchForm(text).match(/[\p{L}\p{M}\p{N}'’.-]+/gu) ?? []).map((word) => word.replace(/[.'’-]+$/, '')).join(' ')} `;
}

/** Reads as one person. */
type Read = (operation: string, input: Fields) => Promise<Fields>;

/** Reads the list of a kind, and only the first pages of a long one. */
async function rowsOf(kind: RecordKind, read: Read): Promise<{ rows: Fields[]; isWhole: boolean }> {
  const { operation, input = {}, rows: member, page } = kind.list;
  const rowsIn = (answer: Fields) => recordsIn(answer[member]);
  if (!page) return { rows: rowsIn(await read(operation, input)), isWhole: true };
  const rows: Fields[] = [];
  for (let number = 1; number <= PAGES; number += 1) {
    const answer = await read(operation, { [page.number]: number, [page.size]: ROWS });
    const more = rowsIn(answer);
    rows.push(...more);
    if (more.length < ROWS || rows.length >= Number(answer[page.total])) return { rows, isWhole: true };
  }
  return { rows, isWhole: false };
}

async function usedRecord(kind: RecordKind, answer: Fields, read: Read): Promise<UsedRecord | undefined> {
  const id = await usedId(kind, answer, read);
  if (id === '') return undefined;
  const nested = partsOf(answer, (part) => isRecord(part.value)).map((part) => recordOf(part.value));
  const named = nested.filter((one) => nameIn(kind, one) !== undefined);
  const row = rowWith(kind, id, named) ?? rowWith(kind, id, (await rowsOf(kind, read)).rows);
  const name = row && nameIn(kind, row);
  return name === undefined ? undefined : { noun: kind.noun, id, name };
}

function rowWith(kind: RecordKind, id: string, rows: readonly Fields[]): Fields | undefined {
  return rows.find((row) => isSameId(kind, idIn(kind, row), id));
}

/** The id of the record that a looked-up number uses, or the line of a list says that it does; empty if it uses none. */
async function usedId(kind: RecordKind, answer: Fields, read: Read): Promise<string> {
  const { through, ofNumber = [] } = kind;
  const [main = {}] = Object.values(answer).filter(isRecord);
  if (!through) return textOf(memberAt(answer, ofNumber.join('.'))) || idIn(kind, main);
  const number = bareNumberId(idIn(LINE, main));
  if (number === '') return '';
  const rows = recordsIn((await read(through.operation, through.input))[through.rows]);
  return idIn(kind, rows.find((row) => bareNumberId(textOf(row[through.number])) === number) ?? {});
}

function matches(kind: RecordKind, row: Fields, text: string): boolean {
  const words = searchForm(text.trim()).split(/\s+/);
  const digits = text.replace(/\D/g, '');
  const isDigits = digits.length >= 3 && /^[\s\d().+…x*-]+$/i.test(text);
  const numbers = isDigits && kind.numbers !== undefined ? [row[kind.numbers]].flat() : [];
  if (numbers.some((number) => textOf(number).endsWith(digits))) return true;
  return kind.names.some((name) => {
    const value = searchForm(textOf(memberAt(row, name)));
    const parts = [value, ...value.split(/[\s./:_-]+/)];
    return value !== '' && words.every((word) => parts.some((part) => part.startsWith(word)));
  });
}

function idIn(kind: RecordKind, row: Fields): string {
  return kind.id.map((name) => textOf(row[name])).find((id) => id !== '') ?? '';
}

function nameIn(kind: RecordKind, row: Fields): string | undefined {
  const names = kind.names.flatMap((member) => memberAt(row, member)).map(textOf);
  const name = names.find((text) => text !== '');
  return name === undefined ? undefined : PHONE.test(name) ? formatPhone(name).national : clean(name);
}

/** The kind of records that an operation lists, and the rows of its answer. Undefined for other operations. */
export function listedIn(operation: string, answer: Fields): { kind: RecordKind; rows: Fields[] } | undefined {
  const kind = [...recordKinds, ...listedKinds].find(({ list }) => list.operation === operation && list.rows in answer);
  const rows = kind && answer[kind.list.rows];
  return kind && Array.isArray(rows) && rows.every(isRecord) ? { kind, rows } : undefined;
}

/** A record as people know it: its id, and its name with what tells it apart. */
export function recordHit(kind: RecordKind, row: Fields): Hit {
  const name = nameIn(kind, row) ?? `${kind.noun} without a name`;
  const textIn = (member: string) => (member === 'Type' ? memberText(member, row.Type, row) : memberAt(row, member));
  const beside = kind.beside.map((one) => besideText(typeof one === 'string' ? textIn(one) : one(row)));
  return { value: idIn(kind, row), label: [name, ...beside].filter((text) => text !== '').join(' · ') };
}

/** A member beside a name: one number, or how many there are. */
function besideText(value: unknown): string {
  if (!Array.isArray(value)) return clean(typeof value === 'number' ? String(value) : textOf(value));
  const [only, ...others] = value.map(textOf);
  if (only === undefined) return '';
  return others.length > 0 ? `${value.length} numbers` : formatPhone(only).national;
}

function numberHit(row: Fields): Hit {
  const phone = textOf(row.Number);
  const parts = [textOf(row.Customer) || textOf(row.CallerName), formatPhone(phone).national, textOf(row.Account)];
  const shown = parts.filter((part) => part !== '' && !/^[A-Z]+-/.test(part)).map((part) => oneLine(clean(part)));
  const state = clean(textOf(row.Status)).slice(0, MAX_STATE);
  return { value: phone, ...(state === '' ? {} : { state }), label: shown.join(' · ') };
}
