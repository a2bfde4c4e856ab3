import type { Migration } from '../migrate.ts';
import { tables } from './0001-tables.ts';

/** All migrations, in order. A released one is never changed. */
export const migrations: readonly Migration[] = [tables];
