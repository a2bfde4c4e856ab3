import type { Change } from '../../../catalogue/operation.ts';
import type { Outcome } from '../../../language/outcome.ts';
import type { Fields } from '../../../lib/json.ts';
import type { Message } from './text.ts';

/** An answer that Share, JSON and Next show again. */
export interface StoredResult {
  /** Handle of the stored answer; undefined if it is not stored. */
  id?: string;
  title: string;
  value: Fields;
  /** The operation changed something. */
  changed: boolean;
  /** Set if only a part of the change was done. */
  partly?: Outcome;
  /** Members whose shape is not the documented one. */
  mismatched: readonly string[];
  /** Notes on how ambiguous parts of the typed line were read. */
  notes: readonly string[];
  /** A card that is shown and shared in place of the whole answer. */
  card?: Message;
  /** Time at which it was read, in epoch ms. */
  asOf?: number;
  /** The read that it answers. It is read again before it is shared. */
  read?: { toolId: string; input: Fields };
  /** The input of a change, without secrets. */
  asked?: Fields;
  /** What a change did, before and after. */
  change?: Change;
  /** IANA zone of times that carry none. */
  timeZone?: string;
  /** The reader may ask for the activation codes of eSIMs. */
  mayReveal?: boolean;
}
