import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/types.ts';
import type { Seal } from './seal.ts';

export interface LedgerParts {
  /** The store's area `ledger`. */
  db: Database;
  seal: Seal;
  /** The store's clock: processes compare times in the ledger with it. */
  clock: Clock;
  /** Id under which this process claims actions and jobs. */
  owner: string;
}

/** A part of the ledger, with the other parts that it uses. No surface gets one, because it can write. */
export class LedgerPart<More = unknown> {
  protected readonly parts: LedgerParts & More;

  constructor(parts: LedgerParts & More) {
    this.parts = parts;
  }
}
