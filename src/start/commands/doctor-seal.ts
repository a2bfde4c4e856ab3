import { existsSync } from 'node:fs';
import { createSeal, keyFile, storedKey } from '../../ledger/seal.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { dataFile, UnsafeData } from '../../lib/data-dir.ts';
import { isStoreUnavailable } from '../../store/unavailable.ts';
import { DATA_FILE, hasSameKey, openInstallation, otherKey } from '../installation.ts';

/**
 * Compares the sealing key with the one that the stored data was sealed with, and makes no key. Undefined if the data
 * cannot be read, which other checks report.
 */
export async function sealHealth(config: Config): Promise<{ ok: boolean; line: string } | undefined> {
  const { SEALING_KEY, DATABASE_URL, DATA_DIR } = config;
  const name = SEALING_KEY === undefined ? keyFile(DATA_DIR) : 'SEALING_KEY';
  let key: Uint8Array | undefined;
  try {
    key = SEALING_KEY === undefined ? storedKey(DATA_DIR) : Buffer.from(SEALING_KEY, 'base64');
  } catch (error) {
    if (error instanceof UnsafeData) return { ok: false, line: error.message };
    throw error;
  }
  // For data that was never sealed, any key is right.
  const seal = createSeal(key ?? new Uint8Array(32));
  const isNew = { ok: true, line: key === undefined ? `${name} is made at the first start` : `${name} is used` };
  if (DATABASE_URL === undefined && !existsSync(dataFile(config, DATA_FILE))) return isNew;
  const store = await openInstallation(config, { clock: systemClock, log: () => undefined });
  try {
    if ((await store.health()).tables !== 'current') return isNew;
    const same = await hasSameKey(store.database('ledger'), seal);
    if (same === undefined) return isNew;
    if (same) return { ok: true, line: `${name} is the key of the stored data` };
    if (key !== undefined) return { ok: false, line: otherKey(config) };
    return { ok: false, line: `${name} is missing, and the stored data is sealed: put it back, or set SEALING_KEY` };
  } catch (error) {
    if (isStoreUnavailable(error)) return undefined;
    throw error;
  } finally {
    await store.close();
  }
}
