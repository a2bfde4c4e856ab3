import { tables } from './0001-tables.ts';
import { names } from './0002-names.ts';
import { claims } from './0003-claims.ts';
import { sharedBudget } from './0004-budget.ts';
import { installation } from './0005-installation.ts';
import { ended } from './0006-ended.ts';
import { pictures } from './0007-pictures.ts';
import { jobs } from './0008-jobs.ts';
import type { Migration } from './migration.ts';

/** All migrations, in order. A released one is never changed. */
export const migrations: readonly Migration[] = [
  tables,
  names,
  claims,
  sharedBudget,
  installation,
  ended,
  pictures,
  jobs,
];
