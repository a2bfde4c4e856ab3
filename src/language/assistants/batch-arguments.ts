import type { GivenList } from '../../batches/rows.ts';
import { invalidInput } from '../../lib/errors.ts';
import { type Fields, isRecord } from '../../lib/json.ts';
import { batchesCreate, batchTools } from './batch-tools.ts';
import type { Offer } from './offer.ts';

/* The arguments of the tools for batches. Each function throws `invalid_input` that names the argument. */

/** Refuses an argument that the tool does not have. */
export function requireArguments(name: string, input: Fields, hasFiles: boolean): void {
  const fields = Object.keys(batchTools.find((one) => one.name === name)?.inputSchema.properties ?? {});
  const ofFile = hasFiles && name === batchesCreate.name ? ['File'] : [];
  const extra = Object.keys(input).find((key) => ![...fields, ...ofFile].includes(key));
  if (extra !== undefined)
    throw invalidInput(extra, `${extra}: is not a field of ${name}; the fields are ${fields.join(', ')}.`);
}

/** The request of `batches_create` without `RestOf`. `file`: the list, if it is not in the input. */
export function requestIn(
  input: Fields,
  offer: Offer,
  file?: GivenList,
): { operation: string; list: GivenList; shared: Fields } {
  const operation = textIn(input, 'Operation');
  requireBatch(operation, offer);
  const shared = input.Fields ?? {};
  if (!isRecord(shared)) throw invalidInput('Fields', `Fields: must be an object of fields${notJson(shared)}.`);
  return { operation, list: file ?? listIn(input), shared };
}

/** The batch whose open rows are asked for again; undefined for a new list. */
export function restIn(input: Fields): string | undefined {
  if (input.RestOf === undefined) return undefined;
  const other = Object.keys(input).find((name) => name !== 'RestOf');
  if (other !== undefined) throw invalidInput(other, `${other}: is part of the batch itself. Give RestOf alone.`);
  return textIn(input, 'RestOf');
}

export function requireBatch(operation: string, offer: Offer): void {
  if (!offer.canBatch(operation)) offer.check(operation);
}

/** The text in a field of a call. Throws `invalid_input` if there is none. */
export function textIn(input: Fields, field: string, mayBeEmpty = false): string {
  const value = input[field];
  if (typeof value === 'string' && (mayBeEmpty || value !== '')) return value;
  throw invalidInput(field, `${field}: is missing; give it as a string.`);
}

function listIn({ Numbers, Rows }: Fields): GivenList {
  if (Array.isArray(Numbers) && Rows === undefined) return { numbers: Numbers };
  if (Array.isArray(Rows) && Numbers === undefined) return { records: Rows };
  const wrong = Rows === undefined && Numbers !== undefined ? 'Numbers' : 'Rows';
  const text = notJson(wrong === 'Rows' ? Rows : Numbers);
  throw invalidInput(wrong, `${wrong}: give either Numbers or Rows, as an array${text}.`);
}

/** The end of a problem: a text is read as JSON, and this one is not JSON of the right kind. */
function notJson(value: unknown): string {
  return typeof value === 'string' ? '; this text is not the JSON of one' : '';
}
