import type { BatchControl } from '../../batches/batches.ts';
import type { GivenList } from '../../batches/rows.ts';
import { asSwitchboardError, invalidInput } from '../../lib/errors.ts';
import { type Fields, isRecord } from '../../lib/json.ts';
import { joined } from '../../lib/words.ts';
import { batchesCreate, batchTools } from './batch-tools.ts';
import type { Offer } from './offer.ts';

/* Reads the arguments of the tools for batches. Each function throws `invalid_input` that names the argument. */

/** Refuses an argument that the tool does not have. */
export function requireArguments(name: string, input: Fields): void {
  const fields = Object.keys(batchTools.find((one) => one.name === name)?.inputSchema.properties ?? {});
  const extra = Object.keys(input).find((key) => !fields.includes(key));
  if (extra !== undefined)
    throw invalidInput(extra, `${extra}: is not a field of ${name}; the fields are ${fields.join(', ')}.`);
}

/**
 * The request of `batches_create` without `Again`. Refuses an operation that this assistant may not call.
 *
 * @param file the list, if it is not in the input
 */
export function requestIn(
  input: Fields,
  offer: Offer,
  file?: GivenList,
): { operation: string; list: GivenList; shared: Fields } {
  const operation = textIn(input, 'Operation');
  requireBatch(operation, offer);
  const shared = input.Fields ?? {};
  if (!isRecord(shared)) throw invalidInput('Fields', 'Fields: must be an object of fields.');
  return { operation, list: file ?? listIn(input), shared };
}

/** The batch whose open rows are asked for again; undefined for a new list. */
export function againIn(input: Fields): string | undefined {
  if (input.Again === undefined) return undefined;
  const other = Object.keys(input).find((name) => name !== 'Again');
  if (other !== undefined) throw invalidInput(other, `${other}: is part of the batch itself. Give Again alone.`);
  return textIn(input, 'Again');
}

/** For a request that was refused: names a field of the operation as a member of `Fields`. */
export function inFields(error: unknown): never {
  const { face } = asSwitchboardError(error);
  const { field } = face;
  if (face.code !== 'invalid_input' || field === undefined || field in (batchesCreate.inputSchema.properties ?? {}))
    throw error;
  throw invalidInput(`Fields.${field}`, joined(['Fields.', face.message], ''));
}

/** Refuses an operation that this assistant may not run as a batch. */
export function requireBatch(operation: string, offer: Offer): void {
  if (!offer.canBatch(operation)) offer.check(operation);
}

export function controlIn(input: Fields): BatchControl {
  const action = textIn(input, 'Action');
  if (action === 'pause' || action === 'resume' || action === 'stop') return action;
  throw invalidInput('Action', 'Action: must be pause, resume or stop.');
}

export function textIn(input: Fields, field: string): string {
  const value = input[field];
  if (typeof value === 'string' && value !== '') return value;
  throw invalidInput(field, `${field}: is missing; give it as a string.`);
}

function listIn({ Numbers, Rows }: Fields): GivenList {
  if (Array.isArray(Numbers) && Rows === undefined) return { numbers: Numbers };
  if (Array.isArray(Rows) && Numbers === undefined) return { records: Rows };
  throw invalidInput('Rows', 'Rows: give either Numbers or Rows, as an array.');
}
