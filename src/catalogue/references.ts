import type { Fields } from '../lib/json.ts';
import type { Lead } from './change.ts';

/** How a record is named for people by its id, and where it leads. */
export interface RecordReference {
  /** "message route". */
  noun: string;
  /** Prefixes of its ids, in capitals. */
  ids: readonly string[];
  /** Members that hold its id. They tell apart kinds that share a prefix. */
  id: readonly string[];
  /** The read of one record. */
  read?: { operation: string; input: (id: string) => Fields };
  /** The name that people know; undefined if the record has none. */
  nameOf: (record: Fields) => string | undefined;
  /** Where traffic, money or control goes through this record. */
  leads?: (record: Fields) => readonly Lead[];
}
