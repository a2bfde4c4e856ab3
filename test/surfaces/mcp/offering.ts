import { select } from '../../../src/catalogue/operation.ts';
import { listed } from '../../../src/start/derive.ts';
import { presets } from '../../../tools/groups.ts';
import type { World } from '../../support/world.ts';

/* The names of what a server offers. */

/** Offered with every operation that can run over a list. */
export const BATCHES = ['batches_create', 'batches_get', 'batches_stop'];
/** The same where only reads are offered. */
export const BATCH_READS = ['batches_create', 'batches_get'];
export const WAITING = ['confirmations_get', 'confirmations_withdraw'];

/** The operations of these toolsets. */
export const offeredOf = (toolsets: string[]) =>
  select(listed(), presets, { toolsets, readOnly: false, role: 'operator' }).map((entry) => entry.id);

/** The tools that a new client lists. */
export const names = async (world: World) => (await (await world.client()).listTools()).tools.map((tool) => tool.name);
