import { WAYS, type Way } from '../lib/actor.ts';
import { isRecord, textOf } from '../lib/json.ts';

/** A person's yes to an action that needs several. */
export interface Yes {
  /** Identity (`personOf`). */
  person: string;
  name: string;
  way: Way;
  /** Epoch ms. */
  at: number;
}

/** The yeses that a row holds. They count only together with the row's proof. */
export function yesesIn({ yeses }: { yeses: string | null }): Yes[] {
  const stored: unknown = yeses === null ? [] : JSON.parse(yeses);
  return Array.isArray(stored) ? stored.filter(isRecord).map(yesOf) : [];
}

function yesOf({ person, name, way, at }: Record<string, unknown>): Yes {
  const known = WAYS.find((one) => one === way) ?? 'page';
  return { person: textOf(person), name: textOf(name), way: known, at: Number(at) };
}
