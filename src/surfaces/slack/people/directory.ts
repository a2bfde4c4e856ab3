import type { Field } from '../../../catalogue/field-types.ts';
import type { Action } from '../../../gate/ledger/ledger.ts';
import { formatPhone } from '../../../language/show.ts';
import { cut, type Element, plain } from '../blocks/text.ts';

export type Directory = ReturnType<typeof createDirectory>;

const MAX_ENTRIES = 5_000;
const MAX_OFFERED = 25;
const PHONE = /^\+\d{7,15}$/;
const ID = /^[A-Z]{2,7}-[A-Za-z0-9._-]{4,100}$/;
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

/** Numbers and ids seen in answers and in the ledger, for typeahead: never a platform request per key press. */
export function createDirectory() {
  /** Newest last. */
  const seen = new Map<string, string>();

  function note(value: string, label: string): void {
    const known = seen.get(value) ?? '';
    seen.delete(value);
    seen.set(value, label === '' || label === value ? known : label);
    if (seen.size > MAX_ENTRIES) {
      const [oldest] = seen.keys();
      if (oldest !== undefined) seen.delete(oldest);
    }
  }

  /** Learns every number and id of an answer, named by what stands beside it. */
  function learn(value: unknown, depth = 0): void {
    if (depth > 6 || value === null || typeof value !== 'object') return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 1_000)) {
        if (typeof item === 'string' && (PHONE.test(item) || ID.test(item))) note(item, '');
        else learn(item, depth + 1);
      }
      return;
    }
    const record = value as Record<string, unknown>;
    const named = NAMES.map((name) => record[name]).find((text) => typeof text === 'string' && text !== '');
    for (const member of Object.values(record)) {
      if (typeof member === 'string') {
        if (PHONE.test(member) || ID.test(member)) note(member, typeof named === 'string' ? named : '');
      } else learn(member, depth + 1);
    }
  }

  return {
    learn,
    learnActions(actions: readonly Action[]): void {
      for (const action of [...actions].reverse()) {
        learn(action.shown);
        learn(action.result);
      }
    },
    /** Options for a field and what was typed so far; what was typed can always be taken as it is. */
    offer(field: Field, typed: string, known: boolean): Element[] {
      const text = typed.trim();
      const digits = text.replace(/\D/g, '');
      const fits = (value: string) =>
        field.kind === 'phone'
          ? PHONE.test(value)
          : (field.ids ?? []).some((prefix) => value.toUpperCase().startsWith(`${prefix}-`));
      const found: Element[] = [];
      const lower = text.toLowerCase();
      for (const [value, name] of known ? [...seen].reverse() : []) {
        if (found.length >= MAX_OFFERED) break;
        if (!fits(value)) continue;
        const hit =
          value.toLowerCase().includes(lower) ||
          name.toLowerCase().includes(lower) ||
          (digits.length >= 3 && PHONE.test(value) && value.includes(digits));
        if (text !== '' && !hit) continue;
        found.push(option(value, name));
      }
      const exact = found.some((entry) => entry.value === text);
      if (text !== '' && text.length <= 150 && !exact) found.unshift(option(text, ''));
      return found;
    },
  };
}

function option(value: string, name: string): Element {
  const shown = PHONE.test(value) ? `${formatPhone(value).national} · ${value}` : value;
  return { text: plain(cut(name === '' ? shown : `${name} · ${shown}`, 75), 75), value: cut(value, 150) };
}
