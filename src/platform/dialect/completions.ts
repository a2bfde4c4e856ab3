import { BoundedMap } from '../../lib/bounded-map.ts';
import { isRecord } from '../../lib/json.ts';

/** Ids and phone numbers seen in answers. Forms and clients complete them without a platform request. */
export interface Completions {
  learn(value: unknown): void;
  /** Values of one kind (an id prefix such as `JNUOID`, or `phone`) that contain the typed text, newest first. */
  complete(kind: string, typed: string, limit?: number): string[];
}

const ID = /^([A-Z]{2,6})-[A-Za-z0-9._-]{4,}$/;
const PHONE = /^\+[1-9]\d{6,14}$/;
const MAX = 2000;

export function createCompletions(): Completions {
  const seen = new Map<string, BoundedMap<string, true>>();
  const add = (kind: string, text: string) => {
    const values = seen.get(kind) ?? new BoundedMap<string, true>(MAX);
    seen.set(kind, values.set(text, true));
  };
  const learn = (value: unknown): void => {
    if (typeof value === 'string') {
      const id = ID.exec(value);
      if (id?.[1]) add(id[1], value);
      else if (PHONE.test(value)) add('phone', value);
    } else if (Array.isArray(value)) value.forEach(learn);
    else if (isRecord(value)) Object.values(value).forEach(learn);
  };
  return {
    learn,
    complete: (kind, typed, limit = 100) => {
      const needle = typed.trim().toLowerCase();
      return [...(seen.get(kind)?.keys() ?? [])]
        .reverse()
        .filter((text) => text.toLowerCase().includes(needle))
        .slice(0, limit);
    },
  };
}
