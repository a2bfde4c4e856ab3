import { groups } from '../../tools/groups.ts';
import { type RecordKind, recordKinds } from '../../tools/surfaces/records.ts';
import { fieldsOf, insteadOf, nearFields, soleMember, takesNull } from '../catalogue/input.ts';
import type { Field, Parsed, Tool } from '../catalogue/operation.ts';
import { type Fields, isRecord, plainForm, textOf } from '../lib/values.ts';
import { isIccid, isPossiblePhone, readPhones, toE164 } from '../platform/dialect/phone.ts';
import { argumentToken, commandOf, entryOf, hintFor, type Token } from './help.ts';

/** A field to read a text for. `path` is its name as typed, such as "BillingAddress.City". */
type Place = { tool: Tool; field: Field; path: string };

/** The value of a typed text, or the reason why it cannot be read. */
type TypedValue = { value: unknown } | { problem: string };

/** Kinds of values that are never an empty text. */
const FILLED: readonly string[] = ['phone', 'id', 'choice', 'date', 'us-date', 'url', 'email', 'iccid', 'number'];

/** Reads the text of `Field=value` as the value its field holds. Text stays text; the definition validates it later. */
function readValue(place: Place, text: string, inQuotes: boolean): TypedValue {
  const { tool, field, path } = place;
  // `Field=` with nothing behind it removes the value.
  if ((text === 'null' || text === '') && !inQuotes && takesNull(tool, path)) return { value: null };
  if (text === '' && !inQuotes && FILLED.includes(field.kind))
    return { problem: `${path}: cannot be empty. Give a value${field.required ? '' : ', or leave it out'}.` };
  switch (field.kind) {
    case 'boolean': {
      const word = plainForm(text).toLowerCase();
      if (['true', 'yes', 'on'].includes(word)) return { value: true };
      if (['false', 'no', 'off'].includes(word)) return { value: false };
      return { problem: `${path}: must be yes or no, for example ${path}=yes.` };
    }
    case 'number': {
      const digits = plainForm(text);
      if (/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(digits)) return { value: Number(digits) };
      return { problem: `${path}: must be a number, for example ${path}=${field.example ?? field.minimum ?? 1}.` };
    }
    case 'choice':
      return { value: choiceNamed(field, text) ?? text };
    case 'list':
    case 'rows':
    case 'group':
      return readMembers(place, text.trim());
    case 'json':
    case 'keywords':
      return { value: tool.input.shape[path]?.safeParse(text).success ? text : jsonOrText(text) };
    default:
      return { value: text };
  }
}

/** Reads a list, rows or a group from JSON. Lists and rows of one value are written with commas too. */
function readMembers({ tool, field, path }: Place, text: string): TypedValue {
  const { kind } = field;
  if (text.startsWith('[') ? kind !== 'group' : text.startsWith('{') && kind !== 'list') {
    const value = jsonOrText(text);
    if (typeof value === 'object') return { value: kind === 'rows' ? [value].flat() : value };
    // The problem does not repeat the text, which may be secret.
    return { problem: `${path}: could not be read. ${hintFor(tool, field, path)}` };
  }
  if (kind === 'group')
    return { problem: `${path}: has several parts; write each, for example ${path}.${field.fields?.[0]?.name}=….` };
  const entry = entryOf(field);
  if (kind === 'rows' && !entry)
    return { problem: `${path}: each entry has several values. ${hintFor(tool, field, path)}` };
  // A comma inside a URL is part of the URL.
  const pieces = text.split(entry?.kind === 'url' ? /,(?=\s*https?:\/\/)/i : ',');
  const values = pieces.flatMap((piece) => piece.trim() || []);
  return { value: kind === 'rows' && entry ? values.map((value) => ({ [entry.name]: value })) : values };
}

/** The value of a text in JSON. Malformed JSON stays text, so that validation can explain what is wrong with it. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The choice that the text names in any letter case. */
function choiceNamed(field: Field, text: string): string | undefined {
  const word = plainForm(text).toLowerCase();
  return (field.choices ?? field.known)?.find((choice) => choice.toLowerCase() === word);
}

/** True if this text is an id that the field, or an entry of its list, takes. */
export function fitsId(field: Field, text: string): boolean {
  const { kind, ids = [] } = (field.kind === 'list' && field.items) || field;
  const typed = text.toLowerCase();
  return kind === 'id' && ids.some((id) => typed.startsWith(`${id.toLowerCase()}-`) && text.length > id.length + 1);
}

/** True if this text is a time such as 8h or a day, and the field is a time. */
function fitsTime(field: Field, text: string): boolean {
  if (field.kind === 'date' || field.kind === 'us-date')
    return /^(\d{1,2}\/\d{1,2}\/\d{4}|\d{4}-\d{2}-\d{2})$/.test(text);
  return field.kind === 'since' && /^(\d{1,5}[mhdw]$|\d{4}-\d{2}-\d{2})/i.test(text);
}

/** Most tokens that a number with spaces takes: "+44 (0) 20 79 46 00 18". */
const MAX_PARTS = 8;

/** A part of a number with the signs around it, a bullet, or a word between two numbers. */
const PART = /^(?:and|(?:tel:)?[\d\s+().\-/,;|&`*_~"'“”„‘’«»‹›<>[\]{}•‣◦▪●·:#]+)$/i;

/**
 * Reads the phone numbers that begin at this token. One number may span several tokens ("+1 201 555 0101"), and one
 * token may have several numbers.
 */
export function readPhone(tokens: readonly Token[], at: number): { numbers: string[]; used: number } | undefined {
  let joined = '';
  let longest: { numbers: string[]; used: number } | undefined;
  for (let used = 1; used <= MAX_PARTS; used += 1) {
    const next = tokens[at + used - 1];
    if (!next || next.equals !== undefined || !PART.test(plainForm(next.text))) break;
    joined = used === 1 ? next.text : `${joined} ${next.text}`;
    const numbers = readPhones(joined) ?? [];
    // A typed number has a country code, or as many digits as a US number. Fewer are the end of one.
    const hasCode = /\+|(?<!\d)0[01]/.test(plainForm(joined));
    const areWhole = numbers.every((one) => isPossiblePhone(one) && (hasCode || /^\+1\d{10}$/.test(one)));
    const areMany = longest === undefined && numbers.length > 1 && areWhole;
    if (areMany || (numbers.length === 1 && areWhole)) longest = { numbers, used };
    if (areMany) break;
  }
  return longest;
}

/** True if the value fits the field itself, or an entry of its list. */
function entryFits(field: Field, fits: (field: Field) => boolean): boolean {
  const entry = entryOf(field);
  return entry !== undefined && fits(entry);
}

/* Texts in an input that name a record instead of giving its number or id, such as "0104" or "ava stone". */

/** A text in an input that has to be found. */
export interface Reference {
  /** The path in the input: "PhoneNumbers", 0, "Number". */
  path: readonly (string | number)[];
  /** The phone or id field that it was given for. */
  field: Field;
  text: string;
}

/** Longer texts are no names. */
const MAX_TEXT = 100;
const ID = /^[A-Za-z]{2,7}-[\w.-]{4,}$/;

/** The kind of record whose id a field takes; undefined if people cannot name it. */
export function kindOf(field: Field): RecordKind | undefined {
  if (field.kind !== 'id') return undefined;
  const fitting = recordKinds.filter(({ ids }) => ids.some((prefix) => field.ids?.includes(prefix) === true));
  return fitting.find(({ id }) => id.includes(field.name)) ?? onlyOne(fitting);
}

/** True if two ids name the same record of a kind, whose prefix is spelled in several ways (PLATFORM.md, Identifiers). */
export function isSameId({ ids }: RecordKind, one: string, other: string): boolean {
  const bare = (id: string) => id.toLowerCase().replace(new RegExp(`^(${ids.join('|').toLowerCase()})-`), '');
  return bare(one) === bare(other);
}

/** Names the kind of record that a field takes: "number", "message route". */
export function nounOf(field: Field): string {
  return field.kind === 'phone' ? 'number' : (kindOf(field)?.noun ?? 'record');
}

/** The placeholder of the field of a record: "Choose, or type a part of its name". */
export function waysToName(field: Field): string {
  if (field.kind === 'phone')
    return `A number, its last digits or a name${field.example === undefined ? '' : `, for example ${field.example}`}`;
  return kindOf(field) ? 'Choose, or type a part of its name' : 'Paste its id';
}

/** True for the field of a line: its number, or its id. */
export function isOfLine(field: Field): boolean {
  return field.kind === 'phone' || kindOf(field)?.noun === 'line';
}

/** True if a field takes a record that people can name. */
export function takesReference(field: Field): boolean {
  return field.kind === 'phone' || kindOf(field) !== undefined;
}

/** True if a text given for this field is a name or digits to search, and no number or id. */
export function isReference(field: Field, text: string): boolean {
  const term = text.trim();
  if (term.length < 2 || term.length > MAX_TEXT || !takesReference(field)) return false;
  // An id of the field's own kind may be short: only the platform knows how long its ids are.
  if (ID.test(term) || fitsId(field, term)) return false;
  const wanted = wantedIn(term);
  if (field.kind !== 'phone') return wanted !== undefined || /\p{L}/u.test(term);
  return !term.startsWith('+') && !isPossiblePhone(toE164(term)) && wanted !== undefined && 'query' in wanted;
}

/** Every text in an input that has to be found, in the order of the fields. */
export function referencesIn(tool: Tool, input: Fields): Reference[] {
  return inFields(fieldsOf(tool), input, []);
}

function inFields(fields: readonly Field[] = [], values: Fields, path: Reference['path']): Reference[] {
  return fields.flatMap((field) => inValue(field, values[field.name], [...path, field.name]));
}

function inValue(field: Field | undefined, value: unknown, path: Reference['path']): Reference[] {
  if (!field) return [];
  if (typeof value === 'string') return isReference(field, value) ? [{ path, field, text: value.trim() }] : [];
  if (isRecord(value)) return inFields(field.fields, value, path);
  const entries: unknown[] = Array.isArray(value) ? value : [];
  return entries.flatMap((entry, i) => inValue(isRecord(entry) ? field : field.items, entry, [...path, i]));
}

/** The input with another value at this path. */
export function withValue(input: Fields, path: Reference['path'], value: string): Fields {
  const copy = structuredClone(input);
  path.reduce<unknown>((inner, key, i) => {
    const at = inner as Record<string | number, unknown>;
    if (i === path.length - 1) at[key] = value;
    return at[key];
  }, copy);
  return copy;
}

/** The short command that looks a number up (`/number`), and the tool behind it. */
export interface Lookup {
  tool: Tool;
  /** The field for the number. */
  field: string;
  word: string;
  /** Finds numbers by last digits or a name, which are this field's. */
  find: { tool: Tool; field: string } | undefined;
}

/** The lookup of a number, if these tools have it. */
export function lookupIn(tools: readonly Tool[]): Lookup | undefined {
  const { lookup, find } = groups.numbers ?? {};
  const found = withMainField(tools, lookup);
  return found && { ...found, word: 'number', find: withMainField(tools, find) };
}

function withMainField(tools: readonly Tool[], id: string | undefined): { tool: Tool; field: string } | undefined {
  const tool = tools.find((candidate) => candidate.id === id);
  const fields = tool === undefined ? [] : fieldsOf(tool);
  const field = fields.find(({ required }) => required) ?? fields[0];
  return tool && field ? { tool, field: field.name } : undefined;
}

/**
 * Finds the lookup that a person's text asks for: one number, or a search term for `find` (last digits, a name of up to
 * four words, an id of a subscriber or an account). Undefined if it is neither.
 */
export function wantedIn(text: string): { number: string } | { query: string } | undefined {
  const asked = plainForm(unquoted(text));
  const [number, ...others] = (readPhones(asked) ?? []).filter(isPossiblePhone);
  if (number !== undefined) return others.length === 0 ? { number } : undefined;
  if (/^(\+|…|\.{2,3}|\*|x+)?\d{3,10}$/i.test(asked.replace(/[\s().-]/g, ''))) return { query: asked };
  if (/^(T?SUID|AID)-[\w-]+$/i.test(asked)) return { query: asked };
  const words = asked.split(/\s+/);
  const isName = words.length <= 4 && words.every((word) => /^[\p{L}][\p{L}\p{M}'’.-]*$/u.test(word));
  return isName && asked.length > 1 && asked.length <= 60 ? { query: asked } : undefined;
}

/** A text without the quotation marks around all of it, as they are typed around a name. */
export function unquoted(text: string): string {
  return text.trim().replace(/^["“”„]([^"“”„]*)["“”]$/, (_, inner: string) => inner.trim());
}

/** The reason why a token cannot be read, with the field and the nearest name if they are known. */
type Problem = { message: string } & Partial<Record<'field' | 'suggestion', string>>;

/** A value without a name: its text, what it looks like, which fields it fits, and the index of its last token. */
interface BareValue {
  text: string;
  looksLike: 'phone' | 'since' | 'id';
  fits: (field: Field) => boolean;
  at: number;
}

/** Reads the fields of an operation: first `Field=value` tokens, then values without a name. */
export function parseFields(tool: Tool, pieces: readonly (Token | string)[]): Parsed {
  const tokens = pieces.map((piece) => (typeof piece === 'string' ? argumentToken(piece) : piece));
  return new FieldReader(tool, tokens).read();
}

/** Required fields that were not given; and the missing members of an address that was begun ("BillingAddress.Zip"). */
function missingOf(fields: readonly Field[], input: Fields): string[] {
  return fields.flatMap((field) => {
    const value = input[field.name];
    if (value === undefined) return field.required ? [field.name] : [];
    if (field.kind !== 'group' || !isRecord(value)) return [];
    return missingOf(field.fields ?? [], value).map((member) => `${field.name}.${member}`);
  });
}

/** Reads the tokens of one line into the input of one operation. */
class FieldReader {
  readonly #tool: Tool;
  readonly #tokens: readonly Token[];
  readonly #fields: readonly Field[];
  readonly #input: Fields = {};
  readonly #notes: string[] = [];
  /** Paths that were given by name. */
  readonly #given = new Set<string>();
  /** Kinds of values without a name that already have a field. */
  readonly #placed = new Set<BareValue['looksLike']>();

  constructor(tool: Tool, tokens: readonly Token[]) {
    this.#tool = tool;
    this.#tokens = tokens;
    this.#fields = fieldsOf(tool);
  }

  read(): Parsed {
    // What follows a problem is read too, so that the form offered with it has all that was typed.
    const [named, bare] = [this.#readNamed(), this.#readBare()];
    const problem = named ?? bare;
    const [tool, input, notes] = [this.#tool, this.#input, this.#notes];
    if (problem) return { kind: 'problem', ...problem, tool, input };
    return { kind: 'call', tool, input, form: false, missing: missingOf(this.#fields, input), notes };
  }

  #readNamed(): Problem | undefined {
    let first: Problem | undefined;
    for (const { text, equals, quoted } of this.#tokens) {
      if (equals === undefined) continue;
      const [name, value] = [text.slice(0, equals), text.slice(equals + 1)];
      const problem = this.#setNamed(name, value, quoted);
      // The value of a misspelt field is offered in the field that was probably meant.
      const meant = problem?.suggestion;
      if (meant !== undefined && !meant.includes('.') && !this.#given.has(meant)) this.#setNamed(meant, value, quoted);
      first ??= problem;
    }
    return first;
  }

  /** Reads `Field=value` or `Field.Member=value`. */
  #setNamed(name: string, text: string, inQuotes: boolean): Problem | undefined {
    const [head = '', ...tail] = name.split('.');
    const whole = fieldNamed(this.#fields, head);
    if (!whole) return this.#unknownField(head, this.#fields);
    const [member, members = []] = [tail.join('.'), whole.fields];
    if (member !== '' && whole.kind !== 'group')
      return { message: `${whole.name}: has no parts. ${hintFor(this.#tool, whole)}`, field: whole.name };
    const field = member === '' ? whole : fieldNamed(members, member);
    if (!field) return this.#unknownField(member, members, `${whole.name}.`);
    const path = field === whole ? field.name : `${whole.name}.${field.name}`;
    if (!holdsMany(field) && this.#given.has(path))
      return { message: `${path}: is given twice; give it once.`, field: path };
    this.#given.add(path);
    const read = readValue({ tool: this.#tool, field, path }, text, inQuotes);
    if ('problem' in read) return { message: read.problem, field: path };
    const current = this.#input[whole.name];
    const value = field === whole ? read.value : { [field.name]: read.value };
    if (Array.isArray(current) && Array.isArray(value)) this.#input[whole.name] = [...current, ...value];
    else if (isRecord(current) && isRecord(value))
      this.#input[whole.name] = field === whole ? { ...value, ...current } : { ...current, ...value };
    else this.#input[whole.name] = value;
    return undefined;
  }

  #unknownField(name: string, fields: readonly Field[], prefix = ''): Problem {
    const near = onlyOne(nearFields(name, fields));
    const hint = fields.length === 0 ? 'it takes no fields' : insteadOf(name, fields, (one) => prefix + one);
    return {
      message: `${prefix}${name}: is not a field of ${commandOf(this.#tool)}; ${hint}${hint.endsWith('?') ? '' : '.'}`,
      field: prefix + name,
      ...(near !== undefined && { suggestion: prefix + near }),
    };
  }

  #readBare(): Problem | undefined {
    const rest = this.#fields.find((field) => field.rest && !this.#given.has(field.name));
    const words = this.#tokens.filter((token) => token.equals === undefined).map(({ text }) => text);
    if (rest && words.length > 0) this.#input[rest.name] = words.join(' ');
    const left = (rest ? [] : this.#bareValues()).filter(
      (value) => !this.#place(value) && (value.looksLike === 'phone' || !this.#choose(value.text)),
    );
    for (const value of namesIn(left)) {
      const { text } = value;
      // A part of the text before it and a number too many name nothing.
      const isTooMany = value.looksLike === 'phone' && this.#fields.some((field) => entryFits(field, isPhoneField));
      const isNamed = !isTooMany && !this.#missingQuotes(value);
      // "0104 0105" are two lines, and "555 0104" are the last digits of one.
      const areEnds = (field: Field) =>
        [this.#input[field.name] ?? text, text].every((end) => /\d{4}/.test(textOf(end)));
      if (isNamed && this.#addToPlural(text, (field) => isReference(field, text) && areEnds(field))) continue;
      const field = isNamed ? this.#referenceField(text) : undefined;
      const amount = this.#amount(value, field);
      if (amount === 'taken') continue;
      if (amount) return amount;
      if (!field) return this.#cannotPlace(left.find(({ at }) => at === value.at) ?? value);
      this.#put(field, text);
    }
    return undefined;
  }

  /** The values without a name. A phone number may span several tokens. */
  #bareValues(): BareValue[] {
    const values: BareValue[] = [];
    for (let at = 0; at < this.#tokens.length; at += 1) {
      const token = this.#tokens[at];
      if (!token || token.equals !== undefined) continue;
      const isTime = this.#fields.some((field) => fitsTime(field, token.text));
      const clock = isTime && this.#tokens[at + 1]?.equals === undefined ? this.#tokens[at + 1]?.text : undefined;
      const hasClock = /^\d{4}-/.test(token.text) && /^\d{1,2}:\d{2}(:\d{2})?$/.test(clock ?? '');
      const text = hasClock ? `${token.text}T${clock?.padStart(5, '0')}` : token.text;
      const phone = isTime ? undefined : readPhone(this.#tokens, at);
      at += (hasClock ? 2 : (phone?.used ?? 1)) - 1;
      const fits = (field: Field) =>
        fitsId(field, text) || (field.kind === 'iccid' && isIccid(text)) || fitsTime(field, text);
      const end = at;
      if (!phone) values.push({ text, looksLike: isTime ? 'since' : 'id', fits, at });
      for (const number of phone?.numbers ?? [])
        values.push({ text: number, looksLike: 'phone', fits: isPhoneField, at: end });
    }
    return values;
  }

  /** Returns the required field that takes this name. An operation without required fields takes it as its first number, and a read as its only record. */
  #referenceField(text: string): Field | undefined {
    const fitting = this.#fields.filter((field) => entryFits(field, (entry) => isReference(entry, text)));
    const required = fitting.filter((field) => field.required);
    const free = required.filter((field) => this.#isFree(field));
    // Last digits are those of our lines: the sender of a message, rather than who gets it.
    const ofLine = free.filter((field) => entryFits(field, isOfLine));
    const next = ofLine.find(isPhoneField) ?? ofLine[0] ?? free[0];
    // A word after numbers is rather a misspelt choice than the name of a further number.
    const begun = /\d/.test(text) ? required.find((field) => Array.isArray(this.#input[field.name])) : undefined;
    if (next ?? begun) return next ?? begun;
    if (this.#fields.some((field) => field.required || !this.#isFree(field))) return undefined;
    // The list of an account takes the name of one.
    const only = this.#tool.risk === 'read' ? onlyOne(fitting) : undefined;
    return fitting.find((field) => entryFits(field, isPhoneField)) ?? only;
  }

  /**
   * Reads a bare amount into the only field that takes one. With several, the first has it in the form that is offered, and
   * the problem says what to write. Undefined for another value, and for the last digits of a line that nothing precedes.
   *
   * @param line the field that it fits as last digits
   */
  #amount({ text }: BareValue, line: Field | undefined): Problem | 'taken' | undefined {
    const amounts = this.#fields.filter(({ kind }) => kind === 'number');
    const [first] = amounts;
    const isSaid = amounts.some(({ name }) => this.#given.has(name));
    if (!first || isSaid || (line && this.#isFree(line)) || !/^[1-9]\d*(\.\d+)?$/.test(text)) return undefined;
    const names = [...amounts.map(({ name }) => name), ...(line ? ['the last digits of a line'] : [])];
    const either = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
    const problem = this.#setNamed(first.name, text, false);
    if (problem || names.length === 1) return problem ?? 'taken';
    return { message: `${text} could be ${either}: write ${first.name}=${text}.`, field: first.name };
  }

  /**
   * Puts a value into the field that it fits: a required field, then a required list, then an optional field. False if no
   * field fits, or several do.
   */
  #place({ text, looksLike, fits }: BareValue): boolean {
    if (this.#addToPlural(text, fits)) return true;
    const fitting = this.#fields
      .filter((field) => entryFits(field, fits))
      .sort((a, b) => Number(b.name === 'PhoneNumber') - Number(a.name === 'PhoneNumber'));
    const free = fitting.filter((field) => this.#isFree(field));
    const begun = fitting.filter((field) => holdsMany(field) && Array.isArray(this.#input[field.name]));
    const isFurther = this.#placed.has(looksLike);
    const required = free.find((field) => field.required);
    const list = begun.find((field) => field.required) ?? (isFurther && free.length === 0 ? onlyOne(begun) : undefined);
    // Two optional lists are often opposites (allowed, blocked), so neither is chosen.
    const optional = isFurther ? undefined : (free.find((field) => !holdsMany(field)) ?? onlyOne(free));
    const field = required ?? list ?? optional;
    if (!field) return false;
    this.#put(field, text);
    this.#placed.add(looksLike);
    const other = field !== list && free.find((one) => one !== field && one !== this.#pluralOf(field));
    if (other) this.#notes.push(`${text} was read as ${field.name}; write ${other.name}=… if you meant another field.`);
    return true;
  }

  /** Sets a field, or adds to its list. */
  #put(field: Field, text: string): void {
    const current = this.#input[field.name];
    const entry = field.kind === 'rows' ? { [soleMember(field)?.name ?? 'Number']: text } : text;
    this.#input[field.name] = holdsMany(field) ? [...(Array.isArray(current) ? current : []), entry] : entry;
  }

  /**
   * Adds a further value to the list of a field that takes one: the second number of `PhoneNumber` makes it
   * `PhoneNumbers`. False if the operation has no such list.
   */
  #addToPlural(text: string, fits: BareValue['fits']): boolean {
    for (const single of this.#fields) {
      const plural = this.#pluralOf(single);
      if (plural === undefined || !fits(single)) continue;
      const [one, list] = [this.#input[single.name], this.#input[plural.name]];
      if (one === undefined && !Array.isArray(list)) continue;
      this.#input[plural.name] = [...(Array.isArray(list) ? list : [one]), text];
      delete this.#input[single.name];
      return true;
    }
    return false;
  }

  #pluralOf({ name }: Field): Field | undefined {
    return this.#fields.find((field) => field.kind === 'list' && field.name === `${name}s`);
  }

  /** Sets the only free choice field that has this choice. */
  #choose(text: string): boolean {
    const isChoice = (one: Field) => one.kind === 'choice' && this.#isFree(one) && choiceNamed(one, text);
    const field = onlyOne(this.#fields.filter(isChoice));
    if (!field) return false;
    this.#input[field.name] = choiceNamed(field, text);
    return true;
  }

  /** The reason why a value without a name has no field, and what to write instead. */
  #cannotPlace(value: BareValue): Problem {
    const { text, fits } = value;
    const takes = (field: Field) =>
      entryFits(field, fits)
        ? this.#isFree(field) || holdsMany(field)
        : this.#isFree(field) && choiceNamed(field, text);
    const names = this.#fields.filter(takes).map(({ name }) => name);
    if (names.length > 0) return { message: `${text} could be ${names.join(' or ')}: write ${names[0]}=${text}.` };
    const free = this.#fields.filter((field) => this.#isFree(field));
    const next = free.find((field) => field.required) ?? free[0];
    const why = next?.kind === 'choice' && this.#tool.input.shape[next.name]?.safeParse(text).error?.issues[0]?.message;
    const hint = next && (why ? `${next.name}: ${why}.` : hintFor(this.#tool, next));
    const none = `"${text}" fits no field of ${commandOf(this.#tool)}. ${hint ?? 'It takes no more fields.'}`;
    return this.#missingQuotes(value) ?? { message: none };
  }

  /** The problem of a word right after `Field=text`, which was meant to be part of the text. */
  #missingQuotes({ text, at }: BareValue): Problem | undefined {
    const before = this.#tokens[at - 1];
    if (before?.equals === undefined) return undefined;
    const field = fieldNamed(this.#fields, before.text.slice(0, before.equals));
    if (!field || (field.kind !== 'text' && field.kind !== 'multiline')) return undefined;
    const [word, whole] = field.secret ? ['…', '…'] : [text, `${before.text.slice(before.equals + 1)} ${text}`];
    return {
      message: `"${word}" stands alone after ${field.name}; put text with spaces in quotes: ${field.name}="${whole}".`,
      field: field.name,
    };
  }

  #isFree({ name }: Field): boolean {
    return this.#input[name] === undefined;
  }
}

function fieldNamed(fields: readonly Field[], name: string): Field | undefined {
  return fields.find((field) => field.name.toLowerCase() === name.toLowerCase());
}

/** Adjacent words as one name. Digits are separate values. The place of a name is that of its first word. */
function namesIn(left: readonly BareValue[]): BareValue[] {
  const isWord = ({ text }: BareValue) => /\p{L}|^&$/u.test(text);
  const names: BareValue[] = [];
  let before: BareValue | undefined;
  for (const value of left) {
    const name = names.at(-1);
    if (name && before?.at === value.at - 1 && isWord(before) && isWord(value))
      names[names.length - 1] = { ...name, text: `${name.text} ${value.text}` };
    else names.push(value);
    before = value;
  }
  return names;
}

function isPhoneField(field: Field): boolean {
  return field.kind === 'phone';
}

function onlyOne<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function holdsMany({ kind }: Field): boolean {
  return kind === 'list' || kind === 'rows';
}
