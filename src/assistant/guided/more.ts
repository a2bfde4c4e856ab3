import type { Tool } from '../../catalogue/operation.ts';
import type { Fields } from '../../lib/json.ts';
import type { Volume } from './facts.ts';

/* An amount that is added to a limit: "200 MB more". Limits are set as a whole, so the present one is read first. */

/** An amount in MB that is added to the present value of a field. */
export interface Added {
  field: string;
  amount: number;
}

/** The amount that a sentence adds, if it adds one alone. `fields`: the field of each part of a limit. */
export function addedIn(
  volumes: readonly Volume[],
  fields: Readonly<Record<Volume['part'], string>>,
): Added | undefined {
  const [only, ...others] = volumes.filter(({ isMore, isUnclear }) => isMore && isUnclear !== true);
  return only && others.length === 0 ? { field: fields[only.part], amount: only.mb } : undefined;
}

/** What a person does about an amount that is added, where the present one is not known. */
export function toldToAdd(amount: number): string {
  return `a limit is set as a whole: add ${amount} MB to the present one`;
}

/** The input with the sum of the present value and what is added, and a sentence about it. */
export function withMore(
  tool: Tool,
  { field, amount }: Added,
  input: Fields,
  present: Fields | undefined,
): { input: Fields; note: string } {
  const now = present?.[field];
  const unit = String(present?.ValueUnit ?? 'MB');
  if (typeof now !== 'number' || unit !== 'MB') return { input, note: toldToAdd(amount) };
  const sum = now + amount;
  const shape = tool.input.shape[field] as { safeParse(value: unknown): { success: boolean } } | undefined;
  const told = `${now} MB now, and ${amount} MB more: ${sum} MB`;
  if (shape?.safeParse(sum).success !== true) return { input, note: `${told}, which is more than the platform takes` };
  return { input: { ...input, [field]: sum }, note: told };
}
