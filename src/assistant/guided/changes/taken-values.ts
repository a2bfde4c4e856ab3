import { isChange, type Tool } from '../../../catalogue/operation.ts';
import type { Fields } from '../../../lib/json.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * Sentences that take a value away from a record: "remove 198.51.100.7 from the whitelist of the voice route". A change sets
 * its fields as a whole, so the value that has to go is never filled in: it would be the only one that stays.
 */

const REMOVES =
  /\b(?:remove|delete|drop|take|kick|strip|pull|clear|erase|throw|get)\s+(?:rid\s+of\s+)?(?<what>[^;!?]{1,80}?)\s+(?:(?:back\s+)?(?:off|out)(?:\s+of)?|from|on)\s+(?=\p{L})/iu;

/** The answer without the values that the sentence takes away, which it names. */
export function withoutTaken(guided: GuidedAnswer, asked: Asked, tool: Tool | undefined): GuidedAnswer {
  const { kind, input, operation = '', words } = guided;
  // The lists of filters have operations that take entries off.
  if (!tool || !isChange(tool) || !/_update$/.test(operation) || /filter/.test(operation) || words) return guided;
  if ((kind !== 'form' && kind !== 'question') || guided.rows) return guided;
  const what = REMOVES.exec(asked.plain ?? asked.said)?.groups?.what;
  if (what === undefined) return guided;
  const gone = Object.entries(input).filter(([, value]) => valuesIn(value).some((one) => names(what, one)));
  if (gone.length === 0) return guided;
  const left: Fields = Object.fromEntries(
    Object.entries(input).filter(([name]) => !gone.some(([own]) => own === name)),
  );
  const told = `; ${gone.flatMap(([, value]) => valuesIn(value)).join(', ')} is not filled in: the form sets a list as a whole, so write the entries that stay. Nothing takes one entry off by itself`;
  const { isReady: _, ...rest } = guided;
  return {
    ...rest,
    ...answer('form', { tool, input: left, understood: `${understood(tool, left)}${told}` }),
    remarks: told,
  };
}

/** The texts of a value, with those of its rows. */
function valuesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(valuesIn);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesIn);
  return typeof value === 'string' ? [value] : [];
}

/** True if words name a value that has digits or a dot. Other words may be the name of the record. */
function names(what: string, value: string): boolean {
  return /[\d.]/.test(value) && what.toLowerCase().includes(value.toLowerCase());
}
