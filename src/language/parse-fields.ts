import type { Field, Parsed } from '../catalogue/field-types.ts';
import { fieldsOf, soleMember } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import { defined, type Fields, isRecord } from '../lib/json.ts';
import { nearest } from '../lib/nearest.ts';
import { commandOf } from './command-words.ts';
import { ambiguousWords, hintFor, type Notation, quotesWords, readAsNote } from './help.ts';
import { argumentToken, type Token } from './tokens.ts';
import {
  choiceNamed,
  entryFits,
  fitsIccid,
  fitsId,
  fitsTime,
  isReference,
  readPhone,
  readSerial,
  readValue,
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
  return new FieldReader(
    tool,
    pieces.map((piece) => (typeof piece === 'string' ? argumentToken(piece) : piece)),
    notation,
  ).read();
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

  constructor(tool: Tool, tokens: readonly Token[], notation: Notation) {
    this.#tool = tool;
    this.#notation = notation;
    this.#tokens = tokens;
    this.#fields = fieldsOf(tool);
  }

  read(): Parsed {
    const problem = this.#readNamed() ?? this.#readBare();
    const [tool, input, notes] = [this.#tool, this.#input, this.#notes];
    if (problem) return { kind: 'problem', ...problem, tool, input };
    return { kind: 'call', tool, input, form: false, missing: missingOf(this.#fields, input), notes };
  }

  #readNamed(): Problem | undefined {
    for (const token of this.#tokens) {
      if (token.equals === undefined) continue;
      const problem = this.#setNamed(
        token.text.slice(0, token.equals),
        token.text.slice(token.equals + 1),
        token.quoted,
      );
      if (problem) return problem;
    }
    return undefined;
  }

  #setNamed(name: string, text: string, inQuotes: boolean): Problem | undefined {
    const [head = '', ...tail] = name.split('.');
    const field = fieldNamed(this.#fields, head);
    if (!field) return this.#unknownField(head, this.#fields);
    if (tail.length > 0) return this.#setMember(field, tail, text, inQuotes);
    const holdsMany = field.kind === 'list' || field.kind === 'rows';
    if (!holdsMany && this.#given.has(field.name)) return givenTwice(field.name);
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
        message: `${field.name}: has no parts. ${hintFor(this.#notation, this.#tool, field)}`,
        field: field.name,
      };
    }
    const members = field.fields ?? [];
    const member = names.length === 1 ? fieldNamed(members, names[0] ?? '') : undefined;
    if (!member) return this.#unknownField(names.join('.'), members, `${field.name}.`);
    const path = `${field.name}.${member.name}`;
    if (this.#given.has(path)) return givenTwice(path);
    this.#given.add(path);
    const read = readValue({ tool: this.#tool, field: member, path, notation: this.#notation }, text, inQuotes);
    if ('problem' in read) return { message: read.problem, field: path };
    const current = this.#input[field.name];
    this.#input[field.name] = { ...(isRecord(current) ? current : {}), [member.name]: read.value };
    return undefined;
  }

  #unknownField(name: string, fields: readonly Field[], prefix = ''): Problem {
    const names = fields.map((field) => field.name);
    const near = nearest(name, names);
    const suggestion = near && prefix + near;
    const hint = suggestion
      ? `did you mean ${suggestion}?`
      : names.length > 0
        ? `the fields are ${names.map((one) => prefix + one).join(', ')}.`
        : 'it takes no fields.';
    return {
      message: `${prefix}${name}: is not a field of ${commandOf(this.#tool)}; ${hint}`,
      field: prefix + name,
      ...defined({ suggestion }),
    };
  }

  #readBare(): Problem | undefined {
    const rest = this.#fields.find((field) => field.rest && !this.#given.has(field.name));
    const words = this.#tokens.filter((token) => token.equals === undefined).map(({ text }) => text);
    if (rest && words.length > 0) {
      this.#input[rest.name] = words.join(' ');
      return undefined;
    }
    const left: BareValue[] = [];
    let at = 0;
    while (at < this.#tokens.length) {
      const token = this.#tokens[at];
      if (!token || token.equals !== undefined) {
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
    return this.#placeReferences(left);
  }

  /** Puts last digits and names into the fields of records that are still needed. Words side by side are one name. */
  #placeReferences(left: readonly BareValue[]): Problem | undefined {
    for (const words of wordsTogether(left)) {
      const [first] = words;
      if (!first) continue;
      const text = words.map((word) => word.text).join(' ');
      const field = this.#mayBeReference({ ...first, text }) ? this.#referenceField(text) : undefined;
      if (!field) return this.#cannotPlace(first);
      this.#put(field, text);
    }
    return undefined;
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
    const next = required.find((field) => free(field) && entryFits(field, isPhoneField)) ?? required.find(free);
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
    const [field, ...more] = this.#fields.filter(
      (one) => one.kind === 'choice' && this.#input[one.name] === undefined && choiceNamed(one, text),
    );
    if (!field || more.length > 0) return false;
    this.#input[field.name] = choiceNamed(field, text);
    return true;
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
      message: `"${text}" fits no field of ${commandOf(this.#tool)}. ${field.name}: ${reason ?? `must be one of: ${choices.join(', ')}`}.`,
      field: field.name,
      ...defined({ suggestion: nearest(text, choices) }),
    };
  }

  #fitsNothing(text: string): Problem {
    const free = this.#fields.filter((field) => this.#input[field.name] === undefined);
    const next = free.find((field) => field.required) ?? free[0];
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

function givenTwice(name: string): Problem {
  return { message: `${name}: is given twice; give it once.`, field: name };
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
