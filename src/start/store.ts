import { join } from 'node:path';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import { dataFile } from '../lib/data-dir.ts';
import type { Log } from '../lib/log.ts';
import { openStore } from '../store/open.ts';
import type { Area, Store } from '../store/types.ts';

/** The demo's schema in the database of DATABASE_URL. */
const DEMO_SCHEMA = 'switchboard_demo';

export interface ConfiguredStoreOptions {
  /** Left out: the system's. */
  clock?: Clock | undefined;
  /** Left out: nothing is logged. */
  log?: Log;
}

/** The store that the settings name: SQLite files in DATA_DIR, or the database of DATABASE_URL. */
export function openConfiguredStore(config: Config, { clock, log }: ConfiguredStoreOptions = {}): Store {
  return openStore({
    url: config.DATABASE_URL,
    // The demo's data stay apart from the real ones.
    ...(config.demo && { schema: DEMO_SCHEMA }),
    file: (area) => areaFile(config, area),
    clock: clock ?? systemClock,
    log: log ?? (() => undefined),
    ownClock: clock !== undefined,
  });
}

/** The file of an area on SQLite. Browsers are paired with an installation, whether it runs as a demo or not. */
export function areaFile(config: Config, area: Area): string {
  const name = `${area}.db`;
  return area === 'pairing' ? join(config.DATA_DIR, name) : dataFile(config, name);
}
