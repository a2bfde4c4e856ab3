import type { Field } from '../../../catalogue/field-types.ts';
import { formatPhone } from '../../../language/show.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { BoundedMap } from '../../../lib/bounded-map.ts';
import { isRecord, textOf } from '../../../lib/json.ts';
import { cut, type Element, plain } from '../blocks/text.ts';

const MAX_ENTRIES = 5_000;
const MAX_OFFERED = 25;
const MAX_DEPTH = 6;
const PHONE = /^\+\d{7,15}$/;
const ID = /^[A-Z]{2,7}-[A-Za-z0-9._-]{4,100}$/;
/** Members that name a record, in order of preference. */
const NAMES = [
  'Name',
  'AccountName',
  'SubscriberName',
  'RouteName',
  'PackageName',
  'Description',
  'Number',
  'PhoneNumber',
];

/** Numbers and ids from answers and from the ledger, offered while people type, without a platform request. */
export class Directory {
  /** Labels by number or id, newest last. */
  readonly #seen = new BoundedMap<string, string>(MAX_ENTRIES);

  /** Learns every number and id in an answer. Each is labelled with the name in the same record. */
  learn(value: unknown, depth = 0): void {
    if (depth > MAX_DEPTH) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 1_000)) {
        if (isKnowable(item)) this.#note(item, '');
        else this.learn(item, depth + 1);
      }
      return;
    }
    if (!isRecord(value)) return;
    const name = NAMES.map((member) => textOf(value[member])).find((text) => text !== '') ?? '';
    for (const member of Object.values(value)) {
      if (isKnowable(member)) this.#note(member, name);
      else this.learn(member, depth + 1);
    }
  }

  learnActions(actions: readonly Action[]): void {
    for (const action of [...actions].reverse()) {
      this.learn(action.shown);
      this.learn(action.result);
    }
  }

  /** Options for a field while it is typed in. The text typed is always an option; numbers and ids need `allowed`. */
  offer(field: Field, typed: string, allowed: boolean): Element[] {
    const text = typed.trim();
    const found = field.known ? knownFor(field.known, text) : allowed ? this.#search(field, text) : [];
    const exact = found.some((entry) => entry.value === text);
    if (text !== '' && text.length <= 150 && !exact) found.unshift(option(text, ''));
    return found;
  }

  #search(field: Field, text: string): Element[] {
    const lower = text.toLowerCase();
    const digits = text.replace(/\D/g, '');
    const found: Element[] = [];
    for (const [value, name] of [...this.#seen].reverse()) {
      if (found.length >= MAX_OFFERED) break;
      if (!fits(field, value)) continue;
      const matches =
        text === '' ||
        value.toLowerCase().includes(lower) ||
        name.toLowerCase().includes(lower) ||
        (digits.length >= 3 && PHONE.test(value) && value.includes(digits));
      if (matches) found.push(option(value, name));
    }
    return found;
  }

  #note(value: string, label: string): void {
    const known = this.#seen.get(value) ?? '';
    this.#seen.set(value, label === '' || label === value ? known : label);
  }
}

function isKnowable(value: unknown): value is string {
  return typeof value === 'string' && (PHONE.test(value) || ID.test(value));
}

function fits(field: Field, value: string): boolean {
  if (field.kind === 'phone') return PHONE.test(value);
  return (field.ids ?? []).some((prefix) => value.toUpperCase().startsWith(`${prefix}-`));
}

function knownFor(known: readonly string[], text: string): Element[] {
  const fitting = known.filter((value) => value.toLowerCase().includes(text.toLowerCase()));
  return fitting.map((value) => option(value, ''));
}

function option(value: string, name: string): Element {
  const shown = PHONE.test(value) ? `${formatPhone(value).national} · ${value}` : value;
  return { text: plain(cut(name === '' ? shown : `${name} · ${shown}`, 75), 75), value: cut(value, 150) };
}
