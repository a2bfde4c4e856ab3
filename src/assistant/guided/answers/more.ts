import type { Tool } from '../../../catalogue/operation.ts';
import type { Fields } from '../../../lib/json.ts';
import type { Volume } from '../facts/facts.ts';

/*
 * An amount that is added to a limit, or a part or a multiple of it: "200 MB more", "double it". Limits are set as a whole,
 * so the present one is read first.
 */

/** A change of the present value of a field: an amount that is added to it, or a factor. */
export interface Added {
  field: string;
  amount: number;
  /** MB if left out. */
  unit?: 'USD';
  /** The words for it, where the answer repeats them. */
  said?: string;
  /** In place of `amount`. */
  factor?: { by: number; said: string };
  /** The field of which the value is a share: a notice at 80% of the limit. */
  of?: string;
}

const FACTORS: readonly (readonly [said: RegExp, by: number])[] = [
  [/^(?:halv|half)/i, 0.5],
  [/^(?:doubl|twice)/i, 2],
  [/^tripl/i, 3],
];

/** The amount that a sentence adds, if it adds one alone. `fields`: the field of each part of a limit. */
export function addedIn(
  volumes: readonly Volume[],
  fields: Readonly<Record<Volume['part'], string>>,
): Added | undefined {
  const [share, ...more] = volumes;
  const by = FACTORS.find(([said]) => said.test(share?.text ?? ''))?.[1];
  const percent = /^(?<percent>\d{1,3}(?:\.\d+)?)\s*(?:%|percent)/iu.exec(share?.text ?? '')?.groups?.percent;
  if (share && percent !== undefined && share.part !== 'limit' && more.length === 0)
    return {
      ...{ field: fields[share.part], amount: 0, of: fields.limit },
      factor: { by: Number(percent) / 100, said: share.text },
    };
  if (share && by !== undefined && more.length === 0)
    return { field: fields[share.part], amount: 0, factor: { by, said: share.text } };
  const [only, ...others] = volumes.filter(({ isMore, isUnclear }) => isMore && isUnclear !== true);
  return only && others.length === 0 ? { field: fields[only.part], amount: only.mb } : undefined;
}

/** Tells a person how to add an amount where the present one is not known. */
export function toldToAdd({ amount, factor, unit, said }: Omit<Added, 'field' | 'of'>): string {
  const what = unit === 'USD' ? 'price' : 'limit';
  if (factor !== undefined)
    return `a ${what} is set as a whole: give the new value${said === undefined ? '' : ` for “${said}”`}`;
  const step =
    amount < 0
      ? `take ${-amount} ${unit ?? 'MB'} off the present one`
      : `add ${amount} ${unit ?? 'MB'} to the present one`;
  return `a ${what} is set as a whole: ${said === undefined ? '' : `for “${said}”, `}${step}`;
}

/** The input with the sum of the present value and what is added, and a sentence about it. */
export function withMore(
  tool: Tool,
  added: Added,
  input: Fields,
  present: Fields | undefined,
): { input: Fields; note: string } {
  const { field, amount, factor, of = field, unit = 'MB' } = added;
  const value = present?.[of];
  const now = typeof value === 'string' && unit === 'USD' ? Number.parseFloat(value) : value;
  if (typeof now !== 'number' || Number.isNaN(now) || String(present?.ValueUnit ?? unit) !== unit)
    return { input, note: toldToAdd(added) };
  const sum = factor === undefined ? now + amount : now * factor.by;
  const whole = unit === 'MB' ? Math.round(sum) : Math.round(sum * 100) / 100;
  const step =
    factor === undefined
      ? `${Math.abs(amount)} ${unit} ${amount < 0 ? 'less' : 'more'}`
      : `${factor.said}${of === field ? '' : ' of it'}`;
  const told = `${now} ${unit} now, and ${step}: ${whole} ${unit}`;
  const shape = tool.input.shape[field] as { safeParse(value: unknown): { success: boolean } } | undefined;
  if (shape?.safeParse(whole).success !== true)
    return { input, note: `${told}, which is ${whole < now ? 'less' : 'more'} than the platform takes` };
  return { input: { ...input, [field]: whole }, note: told };
}
