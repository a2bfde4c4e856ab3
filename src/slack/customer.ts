import type { Actor } from '../actor.ts';
import { asSwitchboardError, severity } from '../errors.ts';
import type { Action } from '../ledger/ledger.ts';
import type { Desk } from './types.ts';

const MOST = 3;
const PHONE = /^\+\d{7,15}$/;
const ASKER: Actor = { id: 'cards', name: 'cards', role: 'viewer', surface: 'background', priority: 'assistant' };

/** Whom an action concerns, in words: the people behind our numbers in it. Undefined where none can be found. */
export async function customerOf(desk: Pick<Desk, 'door' | 'groups' | 'tools' | 'log'>, action: Action) {
  const rule = Object.values(desk.groups).find(({ customer }) => customer)?.customer;
  if (!rule?.steps.every(({ operation }) => desk.tools.some(({ id }) => id === operation))) return undefined;
  const phones = rule.fields.flatMap((field) => numbersIn(action.shown[field])).slice(0, MOST);
  const names = await Promise.all(phones.map((phone) => behind(desk, rule.steps, phone)));
  const found = [...new Set(names.filter((name) => name !== ''))];
  return found.length === 0 ? undefined : found.join('; ');
}

async function behind(
  desk: Pick<Desk, 'door' | 'log'>,
  steps: NonNullable<Desk['groups'][string]['customer']>['steps'],
  phone: string,
): Promise<string> {
  let value: unknown = phone;
  for (const { operation, field, next, names } of steps) {
    try {
      const read = await desk.door.perform(operation, { [field]: value }, ASKER);
      const answer = read.kind === 'done' ? read.value : {};
      if (names) {
        const parts = names.map((path) =>
          path.reduce<unknown>((at, key) => (at as Record<string, unknown> | null)?.[key], answer),
        );
        return parts.filter((part) => typeof part === 'string' && part !== '').join(' · ');
      }
      value = answer[next ?? ''];
      if (typeof value !== 'string' || value === '') return '';
    } catch (error) {
      // A card without the name is a card all the same.
      const { face } = asSwitchboardError(error);
      desk.log(
        severity(face) === 'error' ? 'warn' : 'debug',
        { operation, code: face.code },
        'the customer of a card is not known',
      );
      return '';
    }
  }
  return '';
}

function numbersIn(value: unknown): string[] {
  if (typeof value === 'string') return PHONE.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(numbersIn);
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(numbersIn) : [];
}
