import type { Field, Parsed } from '../catalogue/field-types.ts';
import { fieldsOf, insteadOf, nearFields, soleMember } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import { nearest } from '../lib/nearest.ts';
import { defined, type Fields, isRecord, textOf } from '../lib/values.ts';
import { isIccid } from '../platform/dialect/phone.ts';
import { commandOf, hintFor } from './help.ts';
import { argumentToken, type Token } from './tokens.ts';
import {
  choiceNamed,
  entryFits,
  fitsId,
  fitsTime,
  isOfLine,
  isReference,
  nounOf,
  readPhone,
  readValue,
  takesReference,
} from './typed-values.ts';

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
    if (tail.length > 0 && whole.kind !== 'group')
      return { message: `${whole.name}: has no parts. ${hintFor(this.#tool, whole)}`, field: whole.name };
    const members = whole.fields ?? [];
    const field = tail.length === 0 ? whole : fieldNamed(members, tail.join('.'));
    if (!field) return this.#unknownField(tail.join('.'), members, `${whole.name}.`);
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
    const [near, ...others] = nearFields(name, fields);
    const hint = fields.length === 0 ? 'it takes no fields' : insteadOf(name, fields, (one) => prefix + one);
    return {
      message: `${prefix}${name}: is not a field of ${commandOf(this.#tool)}; ${hint}${hint.endsWith('?') ? '' : '.'}`,
      field: prefix + name,
      ...defined({ suggestion: others.length === 0 && near !== undefined ? prefix + near : undefined }),
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
      const isNamed = this.#mayBeReference(value);
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

  /** False for a part of the text before it, for a misspelt choice, and for a number too many. */
  #mayBeReference(value: BareValue): boolean {
    const { text } = value;
    const isNearChoice = this.#freeChoices().some(
      ({ required, choices = [] }) => required && nearest(text, choices, text.length < 5 ? 1 : 2) !== undefined,
    );
    if (isNearChoice || this.#missingQuotes(value)) return false;
    return value.looksLike !== 'phone' || !this.#fields.some((field) => entryFits(field, isPhoneField));
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
    const [only, ...others] = this.#tool.risk === 'read' ? fitting : [];
    return fitting.find((field) => entryFits(field, isPhoneField)) ?? (others.length === 0 ? only : undefined);
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

  /** Puts a value into the field it fits; false if no field fits, or several do. */
  #place({ text, looksLike, fits }: BareValue): boolean {
    if (this.#addToPlural(text, fits)) return true;
    const target = this.#targetFor(fits, this.#placed.has(looksLike));
    if (!target) return false;
    const { field, other } = target;
    this.#put(field, text);
    this.#placed.add(looksLike);
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

  /**
   * The field for a value without a name, and another one that it fits: a required field, then a required list, then an
   * optional field.
   */
  #targetFor(fits: BareValue['fits'], placedBefore: boolean): { field: Field; other?: Field | undefined } | undefined {
    const fitting = this.#fields
      .filter((field) => entryFits(field, fits))
      .sort((a, b) => Number(b.name === 'PhoneNumber') - Number(a.name === 'PhoneNumber'));
    const free = fitting.filter((field) => this.#isFree(field));
    const begun = fitting.filter((field) => holdsMany(field) && Array.isArray(this.#input[field.name]));
    const required = free.find((field) => field.required);
    const list = required ? undefined : begun.find((field) => field.required);
    if (list) return { field: list };
    const [open, ...more] = begun;
    if (placedBefore && !required) return open && more.length === 0 && free.length === 0 ? { field: open } : undefined;
    // Two optional lists are often opposites (allowed, blocked), so neither is chosen.
    const field = required ?? free.find((field) => !holdsMany(field)) ?? (free.length === 1 ? free[0] : undefined);
    return field && { field, other: free.find((one) => one !== field && one !== this.#pluralOf(field)) };
  }

  /** Sets the only free choice field that has this choice. */
  #choose(text: string): boolean {
    const isChoice = (one: Field) => one.kind === 'choice' && this.#isFree(one) && choiceNamed(one, text);
    const [field, ...more] = this.#fields.filter(isChoice);
    if (!field || more.length > 0) return false;
    this.#input[field.name] = choiceNamed(field, text);
    return true;
  }

  /** The reason why a value without a name has no field, and what to write instead. */
  #cannotPlace(value: BareValue): Problem {
    const { text, fits } = value;
    const taking = this.#fields.filter(
      (field) => entryFits(field, fits) && (this.#isFree(field) || Array.isArray(this.#input[field.name])),
    );
    const choosing = this.#freeChoices().filter((field) => choiceNamed(field, text));
    const several = (taking.length > 0 ? taking : choosing).map(({ name }) => name);
    if (taking.length > 0 || choosing.length > 1)
      return { message: `${text} could be ${several.join(' or ')}: write ${several[0]}=${text}.` };
    return this.#missingQuotes(value) ?? this.#notAChoice(text) ?? this.#fitsNothing(text);
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

  #notAChoice(text: string): Problem | undefined {
    const [field, ...more] = this.#freeChoices().filter((choice) => choice.required && choice.kind === 'choice');
    if (!field || more.length > 0 || !/^[A-Za-z][\w-]*$/.test(text)) return undefined;
    const { choices = [] } = field;
    const reason = this.#tool.input.shape[field.name]?.safeParse(text).error?.issues[0]?.message;
    return {
      message: `"${text}" fits no field of ${commandOf(this.#tool)}. ${field.name}: ${reason ?? `must be one of: ${choices.join(', ')}`}.`,
      field: field.name,
      ...defined({ suggestion: nearest(text, choices) }),
    };
  }

  #fitsNothing(text: string): Problem {
    const free = this.#fields.filter((field) => this.#isFree(field));
    const next = free.find((field) => field.required) ?? free[0];
    const hint = next ? hintFor(this.#tool, next) : 'It takes no more fields.';
    const isNumber = /^\d{3,10}$/.test(text) && this.#fields.some((field) => isOfLine(field) && !this.#isFree(field));
    if (isNumber) return { message: `"${text}" is a number too many: ${commandOf(this.#tool)} takes one.` };
    const message =
      text.replace('+', '').length < 2 && next && takesReference(next)
        ? `“${text}” is too short to find a ${nounOf(next)} by: give at least two characters of its name.`
        : `"${text}" fits no field of ${commandOf(this.#tool)}. ${hint}`;
    return { message };
  }

  #freeChoices(): Field[] {
    return this.#fields.filter(
      (field) => this.#isFree(field) && (field.kind === 'choice' || field.known !== undefined),
    );
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

function holdsMany({ kind }: Field): boolean {
  return kind === 'list' || kind === 'rows';
}
