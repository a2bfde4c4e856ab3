import { badField } from './errors.ts';
import { isLoopback, parseUrl } from './http.ts';
import { isObject, type JsonObject } from './json.ts';
import type { Address, Scalar } from './records.ts';

const E164 = /^\+[1-9]\d{7,14}$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
/** An ICCID has 18 to 22 characters. The last may be a hexadecimal filler: 8901240397190557414F. */
const ICCID = /^\d{17,21}[0-9A-F]$/i;
const ADDRESS_FIELDS = ['Street1', 'Street2', 'City', 'State', 'Zip', 'Country'] as const;

/** The way a field is read. A list allows one of its values. */
type Kind = 'text' | 'flag' | 'integer' | 'url' | 'method' | readonly string[];

/**
 * A request body, read field by field. A missing or wrong field throws 400 with its name. `null` is the same as absent,
 * and an empty string counts as missing if the field is required.
 */
export class Fields {
  readonly #body: Readonly<JsonObject>;
  readonly #prefix: string;

  constructor(body: Readonly<JsonObject>, prefix = '') {
    this.#body = body;
    this.#prefix = prefix;
  }

  raw(name: string): unknown {
    return this.#body[name];
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#body, name) && this.#body[name] !== undefined;
  }

  given(name: string): boolean {
    return this.#body[name] !== undefined && this.#body[name] !== null;
  }

  /** The name as the answer shows it: `PackageItems[0].Price` inside a list. */
  label(name: string): string {
    return `${this.#prefix}${name}`;
  }

  wrong(name: string, problem: string) {
    return badField(this.label(name), problem);
  }

  text(name: string): string {
    const value = this.optionalText(name);
    if (value === null || value.trim() === '') throw this.wrong(name, 'required');
    return value;
  }

  optionalText(name: string, max?: number): string | null {
    if (!this.given(name)) return null;
    const value = this.#body[name];
    if (typeof value !== 'string') throw this.wrong(name, 'must be a string');
    if (max !== undefined && value.length > max) throw this.wrong(name, `must have at most ${max} characters`);
    return value;
  }

  /** Reads a text as optionalText does, with null for an empty string. */
  filledText(name: string): string | null {
    const value = this.optionalText(name);
    return value === null || value.trim() === '' ? null : value;
  }

  flag(name: string): boolean {
    const value = this.optionalFlag(name);
    if (value === null) throw this.wrong(name, 'required');
    return value;
  }

  optionalFlag(name: string): boolean | null {
    if (!this.given(name)) return null;
    const value = this.#body[name];
    if (typeof value !== 'boolean') throw this.wrong(name, 'must be a boolean');
    return value;
  }

  amount(name: string): number {
    const value = this.optionalAmount(name);
    if (value === null) throw this.wrong(name, 'required');
    return value;
  }

  optionalAmount(name: string): number | null {
    if (!this.given(name)) return null;
    const value = this.#body[name];
    if (typeof value !== 'number' || !Number.isFinite(value)) throw this.wrong(name, 'must be a number');
    if (value < 0) throw this.wrong(name, 'must not be negative');
    return value;
  }

  optionalInteger(name: string): number | null {
    const value = this.optionalAmount(name);
    if (value !== null && !Number.isInteger(value)) throw this.wrong(name, 'must be an integer');
    return value;
  }

  /**
   * Reads a price, sent as a decimal string and returned as a number (PLATFORM.md, Package). Numbers are accepted too.
   */
  optionalPrice(name: string): number | null {
    const value = this.#body[name];
    if (typeof value !== 'string') return this.optionalAmount(name);
    if (!/^\d+(\.\d+)?$/.test(value)) throw this.wrong(name, 'must be a decimal number');
    return Number(value);
  }

  /** Reads one of the values, in any letter case. Returns the listed spelling. */
  choice<T extends string>(name: string, values: readonly T[]): T {
    const value = this.optionalChoice(name, values);
    if (value === null) throw this.wrong(name, 'required');
    return value;
  }

  optionalChoice<T extends string>(name: string, values: readonly T[]): T | null {
    const value = this.filledText(name);
    if (value === null) return null;
    const found = values.find((known) => known.toLowerCase() === value.toLowerCase());
    if (found === undefined) throw this.wrong(name, `must be one of ${values.join(', ')}`);
    return found;
  }

  phone(name: string): string {
    const value = this.optionalPhone(name);
    if (value === null) throw this.wrong(name, 'required');
    return value;
  }

  optionalPhone(name: string): string | null {
    const value = this.filledText(name);
    if (value !== null && !E164.test(value)) throw this.wrong(name, 'must be an E.164 number');
    return value;
  }

  /** Reads a list of E.164 strings. */
  phones(name: string): string[] {
    if (!this.given(name)) throw this.wrong(name, 'required');
    return this.optionalPhones(name);
  }

  optionalPhones(name: string): string[] {
    return this.#list(name).map((value, index) => {
      if (typeof value !== 'string' || !E164.test(value))
        throw this.wrong(`${name}[${index}]`, 'must be an E.164 number');
      return value;
    });
  }

  /** Reads a list in the `[{Number}]` form, which must have at least one row. */
  numberRows(name: string): { number: string; row: Fields }[] {
    const rows = this.rows(name);
    if (rows.length === 0) throw this.wrong(name, 'required');
    return rows.map((row) => ({ number: row.phone('Number'), row }));
  }

  /** Reads a list of objects; empty when absent. */
  rows(name: string): Fields[] {
    return this.#list(name).map((value, index) => {
      if (!isObject(value)) throw this.wrong(`${name}[${index}]`, 'must be an object');
      return new Fields(value, this.label(`${name}[${index}].`));
    });
  }

  #list(name: string): readonly unknown[] {
    if (!this.given(name)) return [];
    const value = this.#body[name];
    if (!Array.isArray(value)) throw this.wrong(name, 'must be an array');
    return value;
  }

  email(name: string): string {
    const value = this.text(name);
    if (!EMAIL.test(value)) throw this.wrong(name, 'must be an e-mail address');
    return value;
  }

  optionalIccid(name: string): string | null {
    const value = this.filledText(name);
    if (value !== null && !ICCID.test(value)) throw this.wrong(name, 'must be 18 to 22 digits');
    return value;
  }

  address(name: string, required: readonly string[] = []): Address {
    const value = this.optionalAddress(name, required);
    if (value === null) throw this.wrong(name, 'required');
    return value;
  }

  optionalAddress(name: string, required: readonly string[] = []): Address | null {
    if (!this.given(name)) return null;
    const value = this.#body[name];
    if (!isObject(value)) throw this.wrong(name, 'must be an object');
    const inner = new Fields(value, this.label(`${name}.`));
    for (const field of required) inner.text(field);
    return Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, inner.optionalText(field)]));
  }

  /** Reads a callback URL. It must be HTTPS, or http on loopback, which the sandbox accepts for local receivers. */
  optionalUrl(name: string, max?: number): string | null {
    const value = this.optionalText(name, max);
    if (value === null || value === '') return null;
    const url = parseUrl(value);
    const reachable = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
    if (url === undefined || !reachable) throw this.wrong(name, 'must be an HTTPS URL');
    if (url.username !== '' || url.password !== '') throw this.wrong(name, 'must not carry credentials');
    return value;
  }

  /** Reads an HTTP method. The specification names POST as an example, so others are accepted. */
  optionalMethod(name: string): string | null {
    const value = this.filledText(name);
    if (value !== null && !/^[A-Za-z]{1,10}$/.test(value)) throw this.wrong(name, 'must be an HTTP method');
    return value;
  }

  /** Reads those of the listed fields that were sent, each by its kind. */
  bag(kinds: Readonly<Record<string, Kind>>): Record<string, Scalar> {
    const out: Record<string, Scalar> = {};
    for (const [name, kind] of Object.entries(kinds)) if (this.has(name)) out[name] = this.#scalar(name, kind);
    return out;
  }

  #scalar(name: string, kind: Kind): Scalar {
    switch (kind) {
      case 'text':
        return this.optionalText(name);
      case 'flag':
        return this.flag(name);
      case 'integer':
        return this.optionalInteger(name);
      case 'url':
        return this.optionalUrl(name);
      case 'method':
        return this.optionalMethod(name);
      default:
        return this.optionalChoice(name, kind as readonly string[]);
    }
  }
}
