import type { Field, Parsed } from '../catalogue/field-types.ts';
import { fieldsOf, soleMember } from '../catalogue/fields.ts';
import { insteadOf, nearFields } from '../catalogue/near-fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import { defined, type Fields, isRecord } from '../lib/json.ts';
import { nearest } from '../lib/nearest.ts';
import { plainForm } from '../lib/text.ts';
import { commandOf } from './command-words.ts';
import { ambiguousWords, hintFor, type Notation, placeName, quotesWords, readAsNote } from './help.ts';
import { argumentToken, type Token } from './tokens.ts';
import {
  choiceMeant,
  choiceNamed,
  entryFits,
  fitsIccid,
  fitsId,
  fitsTime,
  isFreeText,
  isOfLine,
  isReference,
  nounOf,
  readPhone,
  readSerial,
  readValue,
  takesReference,
} from './typed-values.ts';

/** The reason why a token cannot be read, with the field and the nearest name if they are known. */
interface Problem {
  message: string;
  field?: string;
  suggestion?: string;
}

/** A value without a name: the token's text, what it looks like, and which fields it fits. */
interface BareValue {
  text: string;
  looksLike: 'phone' | 'since' | 'id';
  fits: (field: Field) => boolean;
  /** The index of its last token. */
  at: number;
}

/** Reads the fields of an operation: first `Field=value` tokens, then values without a name. */
export function parseFields(tool: Tool, pieces: readonly (Token | string)[], notation: Notation): Parsed {
  const tokens = pieces.map((piece) => (typeof piece === 'string' ? argumentToken(piece) : piece));
  return new FieldReader(tool, tokens, notation).read();
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
  readonly #notation: Notation;
  readonly #tokens: readonly Token[];
  readonly #fields: readonly Field[];
  readonly #input: Fields = {};
  readonly #notes: string[] = [];
  /** Paths that were given by name. */
  readonly #given = new Set<string>();
  /** Kinds of values without a name that already have a field. */
  readonly #placed = new Set<BareValue['looksLike']>();
  /** Fields whose names have no name of a field before them. */
  readonly #loose: string[] = [];
  /** Places of tokens that are read already. */
  readonly #used = new Set<number>();

  constructor(tool: Tool, tokens: readonly Token[], notation: Notation) {
    this.#tool = tool;
    this.#notation = notation;
    this.#tokens = tokens;
    this.#fields = fieldsOf(tool);
  }

  read(): Parsed {
    // What follows a problem is read too, so that the form offered with it has all that was typed.
    const [named, bare] = [this.#readNamed(), this.#readBare()];
    const problem = named ?? bare;
    const [tool, input, notes] = [this.#tool, this.#input, this.#notes];
    if (problem) return { kind: 'problem', ...problem, tool, input };
    return {
      kind: 'call',
      tool,
      input,
      form: false,
      missing: missingOf(this.#fields, input),
      notes,
      loose: this.#loose,
    };
  }

  #readNamed(): Problem | undefined {
    let first: Problem | undefined;
    for (const token of this.#tokens) {
      if (token.equals === undefined) continue;
      const [name, value] = [token.text.slice(0, token.equals), token.text.slice(token.equals + 1)];
      const problem = this.#setNamed(name, value, token.quoted);
      // The value of a misspelt field is offered in the field that was probably meant.
      if (
        problem?.suggestion !== undefined &&
        !problem.suggestion.includes('.') &&
        !this.#given.has(problem.suggestion)
      )
        this.#setNamed(problem.suggestion, value, token.quoted);
      first ??= problem;
    }
    return first;
  }

  #setNamed(name: string, text: string, inQuotes: boolean): Problem | undefined {
    const [head = '', ...tail] = name.split('.');
    const field = fieldNamed(this.#fields, head);
    if (!field) return this.#unknownField(head, this.#fields);
    if (tail.length > 0) return this.#setMember(field, tail, text, inQuotes);
    const holdsMany = field.kind === 'list' || field.kind === 'rows';
    if (!holdsMany && this.#given.has(field.name)) return this.#givenTwice(field, field.name);
    this.#given.add(field.name);
    const read = readValue({ tool: this.#tool, field, path: field.name, notation: this.#notation }, text, inQuotes);
    if ('problem' in read) return { message: read.problem, field: field.name };
    const current = this.#input[field.name];
    if (holdsMany && Array.isArray(current) && Array.isArray(read.value)) {
      for (const entry of read.value) current.push(entry);
    } else if (field.kind === 'group' && isRecord(current) && isRecord(read.value)) {
      this.#input[field.name] = { ...read.value, ...current };
    } else this.#input[field.name] = read.value;
    return undefined;
  }

  /** Reads `Field.Member=value`. */
  #setMember(field: Field, names: readonly string[], text: string, inQuotes: boolean): Problem | undefined {
    if (field.kind !== 'group') {
      return {
        message: `${placeName(this.#notation, field)}: has no parts. ${hintFor(this.#notation, this.#tool, field)}`,
        field: field.name,
      };
    }
    const members = field.fields ?? [];
    const member = names.length === 1 ? fieldNamed(members, names[0] ?? '') : undefined;
    if (!member) return this.#unknownField(names.join('.'), members, `${field.name}.`);
    const path = `${field.name}.${member.name}`;
    if (this.#given.has(path)) return this.#givenTwice(member, path);
    this.#given.add(path);
    const read = readValue({ tool: this.#tool, field: member, path, notation: this.#notation }, text, inQuotes);
    if ('problem' in read) return { message: read.problem, field: path };
    const current = this.#input[field.name];
    this.#input[field.name] = { ...(isRecord(current) ? current : {}), [member.name]: read.value };
    return undefined;
  }

  #unknownField(name: string, fields: readonly Field[], prefix = ''): Problem {
    const [near, ...others] = nearFields(name, fields);
    const isForm = this.#notation === 'form';
    // A person types the name, and knows the label from forms and cards.
    const shown = (one: string, isTyped: boolean) => {
      const label = isForm ? fields.find((field) => field.name === one)?.label : undefined;
      const typed = prefix + one;
      if (label === undefined || label === typed) return typed;
      return isTyped ? `${label} (${typed})` : label;
    };
    const hint = fields.length === 0 ? 'it takes no fields' : insteadOf(name, fields, shown);
    const what = `${isForm ? `“${prefix}${name}”` : `${prefix}${name}:`} is not a field of ${commandOf(this.#tool)}`;
    return {
      message: `${what}; ${hint}${hint.endsWith('?') ? '' : '.'}`,
      field: prefix + name,
      ...defined({ suggestion: others.length === 0 && near !== undefined ? prefix + near : undefined }),
    };
  }

  #givenTwice(field: Field, path: string): Problem {
    return { message: `${placeName(this.#notation, field, path)}: is given twice; give it once.`, field: path };
  }

  #readBare(): Problem | undefined {
    const rest = this.#fields.find((field) => field.rest && !this.#given.has(field.name));
    const words = this.#tokens.filter((token) => token.equals === undefined).map(({ text }) => text);
    if (rest && words.length > 0) {
      this.#input[rest.name] = words.join(' ');
      return undefined;
    }
    this.#readLabelled();
    const left: BareValue[] = [];
    let at = 0;
    while (at < this.#tokens.length) {
      const token = this.#tokens[at];
      if (!token || token.equals !== undefined || this.#used.has(at)) {
        at += 1;
        continue;
      }
      const serial = readSerial(this.#tokens, at);
      const phone = serial ? undefined : readPhone(this.#tokens, at);
      at += (serial ?? phone)?.used ?? 1;
      for (const value of phone
        ? phonesAt(phone.numbers, at - 1)
        : [this.#bareValue(serial?.text ?? token.text, at - 1)]) {
        if (this.#place(value)) continue;
        if (value.looksLike !== 'phone' && this.#choose(value.text)) continue;
        left.push(value);
      }
    }
    return this.#placeReferences(this.#withoutOtherParty(left));
  }

  /** In a read of one line, last digits are those of our line, and a whole number beside them is the other party's. */
  #withoutOtherParty(left: readonly BareValue[]): readonly BareValue[] {
    const [field, ...others] = this.#fields.filter(isPhoneField);
    const [line, ...more] = left;
    const isOne = field?.required === true && others.length === 0 && line !== undefined && more.length === 0;
    const given = field === undefined ? undefined : this.#input[field.name];
    if (this.#tool.risk !== 'read' || !isOne || typeof given !== 'string') return left;
    if (!/^[.…*x]*\d{3,6}$/i.test(line.text) || !isReference(field, line.text)) return left;
    this.#input[field.name] = line.text;
    this.#notes.push(`${given} was not looked at: this is about ${line.text}.`);
    return [];
  }

  /** Reads a word of a field's label with the value behind it: "limit 10", "name Family". */
  #readLabelled(): void {
    const isBare = (at: number) => this.#tokens[at]?.equals === undefined && this.#tokens[at]?.quoted !== true;
    for (const [at, { text }] of this.#tokens.entries()) {
      const value = this.#tokens[at + 1];
      if (!isBare(at) || !/^\p{L}{3,}$/u.test(text) || value?.equals !== undefined || value === undefined) continue;
      if (this.#used.has(at)) continue;
      const isNumber = /^\d+(?:\.\d+)?$/.test(plainForm(value.text));
      const [field, ...more] = this.#fields.filter(
        (one) =>
          (isNumber ? one.kind === 'number' : one.kind === 'text' && one.required && !one.secret) &&
          this.#input[one.name] === undefined &&
          one.label.toLowerCase().split(' ').includes(text.toLowerCase()),
      );
      if (!field || more.length > 0) continue;
      let end = at + 2;
      while (!isNumber && end < this.#tokens.length && isBare(end)) end += 1;
      const words = this.#tokens.slice(at + 1, end).map((token) => token.text);
      this.#input[field.name] = isNumber ? Number(plainForm(value.text)) : words.join(' ');
      for (let one = at; one < end; one += 1) this.#used.add(one);
    }
  }

  /** Puts last digits and names into the fields of records that are still needed. Words side by side are one name. */
  #placeReferences(left: readonly BareValue[]): Problem | undefined {
    for (const words of wordsTogether(left)) {
      const [first] = words;
      if (!first) continue;
      const text = words.map((word) => word.text).join(' ');
      if (this.#placeInText(text)) continue;
      const field = this.#mayBeReference({ ...first, text }) ? this.#referenceField(text) : undefined;
      const isOfLines = field?.kind === 'list' || field?.kind === 'rows';
      const written = field === undefined || isOfLines ? this.#textField(text) : undefined;
      const taking = written ?? field;
      if (!taking) return this.#cannotPlace(first);
      this.#put(taking, text);
      if (taking === field && field?.required && this.#input[field.name] === text) this.#loose.push(field.name);
    }
    return undefined;
  }

  /** Puts the digits of an area or ZIP code into its field, in an operation that needs no line. */
  #placeInText(text: string): boolean {
    if (!/^(?:\d{3}|\d{5})$/.test(text) || this.#fields.some((one) => one.required && entryFits(one, isPhoneField)))
      return false;
    const [field] = this.#fields.filter(
      ({ name, kind, example }) =>
        kind === 'text' &&
        this.#input[name] === undefined &&
        example?.length === text.length &&
        /^\d+$/.test(example) &&
        this.#tool.input.shape[name]?.safeParse(text).success === true,
    );
    if (field) this.#put(field, text);
    return field !== undefined;
  }

  /** The only text that is still needed, for words that are no name of a record. */
  #textField(text: string): Field | undefined {
    const [field, ...more] = this.#fields.filter(
      (one) => isFreeText(one) && one.required && this.#input[one.name] === undefined,
    );
    return more.length === 0 && /\p{L}/u.test(text) && !this.#isNearChoice(text) ? field : undefined;
  }

  /** False for a part of the text before it, for a misspelt choice, and for a number too many. */
  #mayBeReference(value: BareValue): boolean {
    if (this.#missingQuotes(value) || this.#isNearChoice(value.text)) return false;
    return value.looksLike !== 'phone' || !this.#fields.some((field) => entryFits(field, isPhoneField));
  }

  /** Returns the required field that takes this name. An operation without required fields takes it as its first number, and a read as its only record. */
  #referenceField(text: string): Field | undefined {
    const fitting = this.#fields.filter((field) => entryFits(field, (entry) => isReference(entry, text)));
    const free = (field: Field) => this.#input[field.name] === undefined;
    const required = fitting.filter((field) => field.required);
    // Last digits are those of our lines: the sender of a message, rather than who gets it.
    const ofLine = required.filter((field) => free(field) && entryFits(field, isOfLine));
    const next = ofLine.find(({ kind }) => kind === 'phone') ?? ofLine[0] ?? required.find(free);
    if (next) return next;
    // A word after numbers is rather a misspelt choice than the name of a further number.
    const begun = /\d/.test(text) ? required.find((field) => Array.isArray(this.#input[field.name])) : undefined;
    if (begun) return begun;
    if (this.#fields.some((field) => field.required) || !this.#fields.every(free)) return undefined;
    // The list of an account takes the name of one.
    const [only, ...others] = this.#tool.risk === 'read' ? fitting : [];
    return fitting.find((field) => entryFits(field, isPhoneField)) ?? (others.length === 0 ? only : undefined);
  }

  /** True if a needed choice is not made yet and the text is a misspelt one. */
  #isNearChoice(text: string): boolean {
    return this.#freeChoices().some(
      ({ required, choices = [] }) => required && nearest(text, choices, text.length < 5 ? 1 : 2) !== undefined,
    );
  }

  #bareValue(text: string, at: number): BareValue {
    return {
      text,
      looksLike: this.#fields.some((field) => fitsTime(field, text)) ? 'since' : 'id',
      fits: (field) => fitsId(field, text) || fitsIccid(field, text) || fitsTime(field, text),
      at,
    };
  }

  /** Puts a value into the field it fits; false if no field fits, or several do. */
  #place({ text, looksLike, fits }: BareValue): boolean {
    if (this.#addToPlural(text, fits)) return true;
    const target = this.#targetFor(fits, this.#placed.has(looksLike));
    if (!target) return false;
    const { field, others } = target;
    this.#put(field, text);
    this.#placed.add(looksLike);
    if (others.length > 0) this.#notes.push(readAsNote(this.#notation, text, field, others[0]));
    return true;
  }

  /** Sets a field, or adds to its list. */
  #put(field: Field, text: string): void {
    if (field.kind === 'list' || field.kind === 'rows') {
      const current = this.#input[field.name];
      const list: unknown[] = Array.isArray(current) ? current : [];
      list.push(field.kind === 'list' ? text : { [soleMember(field)?.name ?? 'Number']: text });
      this.#input[field.name] = list;
    } else this.#input[field.name] = text;
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

  /** The field for a value without a name: a required field, then a required list, then an optional field. */
  #targetFor(fits: BareValue['fits'], placedBefore: boolean): { field: Field; others: readonly string[] } | undefined {
    const fitting = this.#fields
      .filter((field) => entryFits(field, fits))
      .sort((a, b) => Number(b.name === 'PhoneNumber') - Number(a.name === 'PhoneNumber'));
    const free = fitting.filter((field) => this.#input[field.name] === undefined);
    const holdsMany = (field: Field) => field.kind === 'list' || field.kind === 'rows';
    const isBegun = (field: Field) => holdsMany(field) && Array.isArray(this.#input[field.name]);
    const choice = (field: Field) => ({
      field,
      others: free.filter((other) => other !== field && other !== this.#pluralOf(field)).map((other) => other.name),
    });
    const required = free.find((field) => field.required);
    if (required) return choice(required);
    const requiredList = fitting.find((field) => field.required && isBegun(field));
    if (requiredList) return { field: requiredList, others: [] };
    if (placedBefore) {
      const [begun, ...more] = fitting.filter(isBegun);
      return begun && more.length === 0 && free.length === 0 ? { field: begun, others: [] } : undefined;
    }
    const single = free.find((field) => !holdsMany(field));
    if (single) return choice(single);
    // Two optional lists are often opposites (allowed, blocked), so neither is chosen.
    return free.length === 1 && free[0] ? choice(free[0]) : undefined;
  }

  /** Sets the only free choice field that has this choice. */
  #choose(text: string): boolean {
    for (const meant of [choiceNamed, choiceMeant]) {
      const [field, ...more] = this.#fields.filter(
        (one) => one.kind === 'choice' && this.#input[one.name] === undefined && meant(one, text),
      );
      if (field && more.length > 0) return false;
      if (!field || (meant === choiceMeant && !field.required)) continue;
      this.#input[field.name] = meant(field, text);
      return true;
    }
    return false;
  }

  /** The reason why a value without a name has no field, and what to write instead. */
  #cannotPlace(value: BareValue): Problem {
    return (
      this.#ambiguous(value) ??
      this.#missingQuotes(value) ??
      this.#notAChoice(value.text) ??
      this.#fitsNothing(value.text)
    );
  }

  #ambiguous({ text, fits }: BareValue): Problem | undefined {
    const taking = this.#fields
      .filter((field) => entryFits(field, fits))
      .filter(({ name }) => this.#input[name] === undefined || Array.isArray(this.#input[name]));
    if (taking.length > 0) return { message: ambiguousWords(this.#notation, text, taking) };
    const choosing = this.#freeChoices().filter((field) => choiceNamed(field, text));
    return choosing.length < 2 ? undefined : { message: ambiguousWords(this.#notation, text, choosing) };
  }

  /** The problem of a word right after `Field=text`, which was meant to be part of the text. */
  #missingQuotes({ text, at }: BareValue): Problem | undefined {
    const before = this.#tokens[at - 1];
    if (before?.equals === undefined) return undefined;
    const field = fieldNamed(this.#fields, before.text.slice(0, before.equals));
    if (!field || (field.kind !== 'text' && field.kind !== 'multiline')) return undefined;
    const whole = field.secret ? '…' : `${before.text.slice(before.equals + 1)} ${text}`;
    return {
      message: quotesWords(this.#notation, field, { word: field.secret ? '…' : text, whole }),
      field: field.name,
    };
  }

  #notAChoice(text: string): Problem | undefined {
    const [field, ...more] = this.#freeChoices().filter((choice) => choice.required && choice.kind === 'choice');
    if (!field || more.length > 0 || !/^[A-Za-z][\w-]*$/.test(text)) return undefined;
    const choices = field.choices ?? [];
    const parsed = this.#tool.input.shape[field.name]?.safeParse(text);
    const reason = parsed && !parsed.success ? parsed.error?.issues[0]?.message : undefined;
    return {
      message: `"${text}" fits no field of ${commandOf(this.#tool)}. ${placeName(this.#notation, field)}: ${reason ?? `must be one of: ${choices.join(', ')}`}.`,
      field: field.name,
      ...defined({ suggestion: nearest(text, choices) }),
    };
  }

  #fitsNothing(text: string): Problem {
    const free = this.#fields.filter((field) => this.#input[field.name] === undefined);
    const next = free.find((field) => field.required) ?? free[0];
    if (text.length < 2 && next && takesReference(next))
      return {
        message: `“${text}” is too short to find a ${nounOf(next)} by: give at least two characters of its name.`,
      };
    const hint = next ? hintFor(this.#notation, this.#tool, next) : 'It takes no more fields.';
    return { message: `"${text}" fits no field of ${commandOf(this.#tool)}. ${hint}` };
  }

  #freeChoices(): Field[] {
    return this.#fields.filter(
      (field) => (field.kind === 'choice' || field.known !== undefined) && this.#input[field.name] === undefined,
    );
  }
}

function fieldNamed(fields: readonly Field[], name: string): Field | undefined {
  return fields.find((field) => field.name.toLowerCase() === name.toLowerCase());
}

/** Groups adjacent words into names. Digits are separate values. */
function wordsTogether(left: readonly BareValue[]): BareValue[][] {
  const isWord = (value: BareValue) => /\p{L}|^&$/u.test(value.text);
  const together: BareValue[][] = [];
  for (const value of left) {
    const words = together.at(-1);
    const before = words?.at(-1);
    if (words && before?.at === value.at - 1 && isWord(before) && isWord(value)) words.push(value);
    else together.push([value]);
  }
  return together;
}

function phonesAt(numbers: readonly string[], at: number): BareValue[] {
  return numbers.map((text) => ({ text, looksLike: 'phone', fits: isPhoneField, at }));
}

function isPhoneField(field: Field): boolean {
  return field.kind === 'phone';
}
