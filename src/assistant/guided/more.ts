import type { Tool } from '../../catalogue/operation.ts';
import type { Fields } from '../../lib/json.ts';
import type { Volume } from './facts.ts';

/*
 * An amount that is added to a limit, or a part or a multiple of it: "200 MB more", "double it". Limits are set as a whole,
 * so the present one is read first.
 */

/** A change of the present value of a field: an amount in MB that is added to it, or a factor. */
export interface Added {
  field: string;
  amount: number;
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
export function toldToAdd({ amount, factor }: Pick<Added, 'amount' | 'factor'>): string {
  return factor === undefined
    ? `a limit is set as a whole: add ${amount} MB to the present one`
    : 'a limit is set as a whole: give the new value';
}

/** The input with the sum of the present value and what is added, and a sentence about it. */
export function withMore(
  tool: Tool,
  { field, amount, factor, of = field }: Added,
  input: Fields,
  present: Fields | undefined,
): { input: Fields; note: string } {
  const now = present?.[of];
  const unit = String(present?.ValueUnit ?? 'MB');
  if (typeof now !== 'number' || unit !== 'MB')
    return { input, note: toldToAdd({ amount, ...(factor && { factor }) }) };
  const sum = factor === undefined ? now + amount : Math.round(now * factor.by);
  const shape = tool.input.shape[field] as { safeParse(value: unknown): { success: boolean } } | undefined;
  const told =
    factor === undefined
      ? `${now} MB now, and ${amount} MB more: ${sum} MB`
      : `${now} MB now, and ${factor.said}${of === field ? '' : ' of it'}: ${sum} MB`;
  if (shape?.safeParse(sum).success !== true) return { input, note: `${told}, which is more than the platform takes` };
  return { input: { ...input, [field]: sum }, note: told };
}
