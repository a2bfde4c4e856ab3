import type { Fields } from '../../src/lib/json.ts';
import { text } from './before.ts';
import { dataState } from './line.ts';

/* Lines in sentences, for the answers about data used, limits and watches. */

/** "Ava Stone · +12015550101"; the number alone if its customer is not known. */
export function lineSaid(phone: string, nameOf: (id: string) => string | undefined): string {
  const customer = nameOf(phone);
  return customer === undefined ? phone : `${customer} · ${phone}`;
}

/** Why the platform has no values for a line; undefined if it has them. */
export function notRead({ Status, StatusMessage }: Fields): string | undefined {
  if (!/^(?:fail|error|not)/i.test(text(Status) ?? '')) return undefined;
  return `not read${text(StatusMessage) === undefined ? '' : `: ${text(StatusMessage)}`}`;
}

/** "data stops at 20 MB; slowed to 1 Mbps from 15 MB; notice at 10 MB". */
export function limitsSaid({ LimitValue, ThrottleValue, ThrottleSpeed, NotifyValue, ValueUnit }: Fields): string {
  const isSet = (value: unknown) => value !== undefined && value !== null && value !== '';
  const amount = (value: unknown) => `${String(value)} ${text(ValueUnit) ?? 'MB'}`;
  const speed = (text(ThrottleSpeed) ?? '').replace(/-([kmg])bps$/i, (_, unit: string) => ` ${unit.toUpperCase()}bps`);
  const limits = [
    isSet(LimitValue) ? `data stops at ${amount(LimitValue)}` : '',
    isSet(ThrottleValue) ? `slowed${speed === '' ? '' : ` to ${speed}`} from ${amount(ThrottleValue)}` : '',
    isSet(NotifyValue) ? `notice at ${amount(NotifyValue)}` : '',
  ].filter((limit) => limit !== '');
  return limits.length === 0 ? 'no limits' : limits.join('; ');
}

/** "data is slowed" for data that does not run as usual; empty otherwise. */
export function behaviourSaid(usage: Fields): string {
  const state = dataState(usage);
  return state === 'normal' ? '' : `data is ${state}`;
}

/** "of +12015550101" or "of 3 lines". */
export function ofLines(numbers: readonly { Number: string }[], count: number): string {
  const [only, ...others] = numbers;
  return only !== undefined && others.length === 0 ? `of ${only.Number}` : `of ${count} lines`;
}
