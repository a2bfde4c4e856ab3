import { textsIn } from '../../lib/json.ts';
import { BoundedMap } from '../../lib/lists.ts';

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
    for (const { value: text } of textsIn(value)) {
      const id = ID.exec(text);
      if (id?.[1]) add(id[1], text);
      else if (PHONE.test(text)) add('phone', text);
    }
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
