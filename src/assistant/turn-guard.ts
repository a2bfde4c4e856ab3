import {
  callsFor,
  GUARD_READS,
  type GuardCall,
  type Guarded,
  type Protection,
  protectionOf,
  protectionWords,
  TRAFFIC,
  type Traffic,
} from '../../tools/surfaces/guard.ts';
import type { Offer, ToolResult } from '../language/assistants/offer.ts';
import { success } from '../language/assistants/results.ts';
import { type Guardee, guardedOf, guardeeOf, type Read } from '../language/families.ts';
import { invalidInput } from '../lib/errors.ts';
import { defined, type Fields } from '../lib/json.ts';
import { isPossiblePhone, toE164 } from '../platform/dialect/phone.ts';
import { guard } from './conversation-tools.ts';

/* Guardian filters as one tool of a conversation. */

/** True if every operation of the tool is offered. Its changes need operators. */
export function offersGuard(offer: Offer): boolean {
  const needed = [...Object.values(GUARD_READS), ...TRAFFIC.map(({ list }) => list)];
  return needed.every((id) => offer.has(id)) && changing(offer);
}

function changing(offer: Offer): boolean {
  return TRAFFIC.every(({ create, update }) => offer.has(create) && offer.has(update));
}

/** The result of a call of the tool: the filters that it found, and the operations that it asks for. */
export interface GuardPlan {
  ward: Guardee;
  now: Guarded;
  calls: GuardCall[];
}

/** Reads what is in force, and finds the operations that make it as wanted. */
export async function planGuard(input: Fields, read: Read): Promise<GuardPlan> {
  const known = Object.keys(guard.inputSchema.properties ?? {});
  const extra = Object.keys(input).find((name) => !known.includes(name));
  if (extra !== undefined)
    throw invalidInput(extra, `${extra}: is not a field of guard; the fields are ${known.join(', ')}.`);
  const phone = toE164(String(input.PhoneNumber ?? ''));
  if (!isPossiblePhone(phone))
    throw invalidInput(
      'PhoneNumber',
      'PhoneNumber: must be a whole number (E.164). numbers_find finds numbers by name or last digits.',
    );
  const ward = await guardeeOf(read, phone);
  if (ward === undefined)
    throw invalidInput('PhoneNumber', `PhoneNumber: ${phone} has no subscriber, so it cannot have filters.`);
  const now = await guardedOf(read, ward);
  const wanted = {} as Record<Traffic['name'], Protection>;
  for (const traffic of TRAFFIC)
    wanted[traffic.name] = wantedOf(traffic, protectionOf(traffic, now.filters[traffic.name]), input);
  return { ward, now, calls: callsFor(ward, now, wanted) };
}

/** Describes the filters in force, for the model. */
export function guardAnswer({ ward, now }: GuardPlan): ToolResult {
  const inForce = TRAFFIC.map(
    (traffic) => [traffic.name, protectionWords(traffic, protectionOf(traffic, now.filters[traffic.name]))] as const,
  );
  const { Phone, SubscriberId, name } = ward;
  return success({ PhoneNumber: Phone, Subscriber: name, SubscriberId, ...Object.fromEntries(inForce) });
}

/** The mode of a filter that blocks only the numbers on its list. */
const ONLY_LISTED: Readonly<Record<Traffic['name'], string>> = { messages: 'ACTIVE', calls: 'BLACKLIST' };

function wantedOf(traffic: Traffic, before: Protection, input: Fields): Protection {
  if (input.Of !== undefined && input.Of !== traffic.name) return before;
  const list = (name: string) => numbersIn(input, name);
  const blocked = changed(before.blocked, { add: list('Block'), remove: [...list('Unblock'), ...list('Allow')] });
  const allowed = changed(before.allowed, { add: list('Allow'), remove: [...list('Disallow'), ...list('Block')] });
  const level = input[traffic.name === 'messages' ? 'MessageLevel' : 'CallLevel'];
  const rules = Array.isArray(input.Rules)
    ? traffic.rules.flatMap(([flag]) => ((input.Rules as unknown[]).includes(flag) ? [flag] : []))
    : before.rules;
  const after = {
    ...before,
    blocked,
    allowed,
    rules,
    ...defined({ level: level === undefined ? undefined : String(level) }),
  };
  // A number without a filter gets one only if something is wanted of this kind of traffic.
  const isWanted = level !== undefined || blocked.length > 0 || allowed.length > 0 || rules.length > 0;
  return before.level === '' && isWanted && after.level === '' ? { ...after, level: ONLY_LISTED[traffic.name] } : after;
}

function numbersIn(input: Fields, name: string): string[] {
  const given = input[name] ?? [];
  const values = Array.isArray(given) ? given : [given];
  return values.map((value) => toE164(String(value)));
}

function changed(
  before: readonly string[],
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): string[] {
  return [...new Set([...before.filter((one) => !remove.includes(one)), ...add])];
}

/** Searches, states, forms and repeated reads that a turn may have besides its calls. */
const MOST_FREE = 20;

/** Counts the calls of one turn. Those that reach no platform are free, up to a number that ends a loop. */
export class CallLimit {
  readonly #most: number;
  #calls = 0;
  #free = 0;
  /** The number of the response that is being read. The model may call several tools in one. */
  #step = 0;
  /** The response in which the first call above the limit was. */
  #refusedIn: number | undefined;
  #isOver = false;

  /** @param most maximum number of calls */
  constructor(most: number) {
    this.#most = most;
  }

  /** Called before each response of the model. */
  beginStep(): void {
    this.#step += 1;
  }

  /** True once every call is used: the next response has to be the answer. */
  get isReached(): boolean {
    return this.#calls >= this.#most;
  }

  /** True if the model went on to call after it had been told of the limit. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Counts a call. False if it is above the limit. */
  take(): boolean {
    this.#calls += 1;
    if (this.#calls <= this.#most) return true;
    this.#refusedIn ??= this.#step;
    if (this.#step > this.#refusedIn) this.#isOver = true;
    return false;
  }

  /** Counts a call that reaches no platform. False if it is above the limit. */
  takeFree(): boolean {
    this.#free += 1;
    return this.#free <= MOST_FREE || this.take();
  }
}
