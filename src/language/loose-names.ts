import type { Field } from '../catalogue/field-types.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import type { Actor } from '../lib/actor.ts';
import type { Fields } from '../lib/json.ts';
import type { Hit, RecordSearch, Resolution } from './records.ts';
import { isFreeText, isOfLine, isReference, kindOf } from './typed-values.ts';

/* Names on a line that stand without the name of a field: "subscriptions create 0101 starter". */

/** An input with names, and the fields whose names had no name of a field before them. */
export interface TypedInput {
  tool: Tool;
  input: Fields;
  loose?: readonly string[] | undefined;
}

/** Like `RecordSearch.resolve`. A name without the name of a field goes to the field whose record has it. */
export async function resolveTyped(search: RecordSearch, typed: TypedInput, actor: Actor): Promise<Resolution> {
  const { input, taken } = await new Placing(search, typed, actor).placed();
  const resolution = await search.resolve(typed.tool, input, actor);
  return resolution.kind === 'clear' ? { ...resolution, taken: [...taken, ...resolution.taken] } : resolution;
}

type Taken = { text: string; label: string; value: string }[];

class Placing {
  readonly #search: RecordSearch;
  readonly #actor: Actor;
  readonly #input: Fields;
  readonly #names: readonly { field: string; text: string }[];
  readonly #fields: readonly Field[];
  readonly #taken: Taken = [];

  constructor(search: RecordSearch, { tool, input, loose = [] }: TypedInput, actor: Actor) {
    this.#search = search;
    this.#actor = actor;
    this.#input = { ...input };
    this.#names = loose.flatMap((field) => {
      const text = input[field];
      return typeof text === 'string' ? [{ field, text }] : [];
    });
    for (const { field } of this.#names) delete this.#input[field];
    this.#fields = fieldsOf(tool).filter(({ required, kind }) => required && kind !== 'list' && kind !== 'rows');
  }

  async placed(): Promise<{ input: Fields; taken: Taken }> {
    const free = this.#fields.filter((field) => this.#isFree(field) && (kindOf(field) || isFreeText(field)));
    const isDecided = free.length < 2;
    for (const { field, text } of this.#names) {
      if (isDecided || !((await this.#fit(text)) || (await this.#fitParts(text)) || this.#fitText(text)))
        this.#input[field] = text;
    }
    if (!isDecided) await this.#withHolder();
    return { input: this.#input, taken: this.#taken };
  }

  #isFree({ name }: Field): boolean {
    return this.#input[name] === undefined;
  }

  /** Puts a name into the field that has a record of it; into one that has several if none has only one. */
  async #fit(text: string): Promise<boolean> {
    const isDigits = !/\p{L}/u.test(text);
    const fitting = this.#fields
      .filter((field) => this.#isFree(field) && isReference(field, text))
      .sort((a, b) => (isDigits ? Number(isOfLine(b)) - Number(isOfLine(a)) : 0));
    let several: Field | undefined;
    for (const field of fitting) {
      const hits = await this.#hits(field, text);
      const [only] = hits;
      if (only && hits.length === 1) {
        this.#take(field, text, only);
        return true;
      }
      if (only) several ??= field;
    }
    if (several) this.#input[several.name] = text;
    return several !== undefined;
  }

  /** Reads words side by side as two names: "ava starter". */
  async #fitParts(text: string): Promise<boolean> {
    const words = text.split(/\s+/);
    const before = { ...this.#input };
    const known = this.#taken.length;
    for (let at = words.length - 1; at > 0; at -= 1) {
      const parts = [words.slice(0, at), words.slice(at)].map((part) => part.join(' '));
      const [first = '', second = ''] = parts;
      if ((await this.#fit(first)) && (await this.#fit(second))) return true;
      for (const { name } of this.#fields) if (before[name] === undefined) delete this.#input[name];
      this.#taken.length = known;
    }
    return false;
  }

  /** Puts words that are no name of a record into the text that is still needed. */
  #fitText(text: string): boolean {
    const [field] = this.#fields.filter((one) => isFreeText(one) && this.#isFree(one));
    if (!field || !/\p{L}/u.test(text)) return false;
    this.#input[field.name] = text;
    return true;
  }

  /** The customer whom a line belongs to, where the operation needs both. */
  async #withHolder(): Promise<void> {
    const holder = this.#fields.find((field) => kindOf(field)?.noun === 'subscriber' && this.#isFree(field));
    const line = this.#taken.find(({ text }) => !/\p{L}/u.test(text));
    if (!holder || !line) return;
    const hits = await this.#hits(holder, line.text);
    const [only] = hits;
    if (only && hits.length === 1) this.#take(holder, line.text, only);
  }

  #take({ name }: Field, text: string, { value, label }: Hit): void {
    this.#input[name] = value;
    this.#taken.push({ text, label, value });
  }

  /** The records that certainly have this name. */
  async #hits(field: Field, text: string): Promise<readonly Hit[]> {
    const found = await this.#search.search(field, text, this.#actor, { isTyping: true, input: this.#input });
    return found.isWhole && found.areSimilar !== true && found.notNarrowed === undefined ? found.hits : [];
  }
}
