import { tables } from './0001-tables.ts';
import { names } from './0002-names.ts';
import { installation } from './0005-installation.ts';
import type { Migration } from './migration.ts';

/** All migrations, in order. A released one is never changed. */
export const migrations: readonly Migration[] = [tables, names, installation];
