import { dirname } from 'node:path';
import { createSeal, type Seal, sealingKeys } from '../ledger/seal.ts';
import { type Config, ConfigError } from '../lib/config.ts';
import { dataFile, openDataDir, UnsafeData } from '../lib/data-dir.ts';
import { DATA_FILE } from './installation.ts';

/**
 * Opens the data folder and the seal of this installation.
 *
 * @throws ConfigError when the folder or the key may have been put there by another user
 */
export function openSeal(config: Config): Seal {
  try {
    openDataDir(config.DATA_DIR);
    if (config.demo) openDataDir(dirname(dataFile(config, DATA_FILE)));
    return createSeal(...sealingKeys(config.DATA_DIR, config.SEALING_KEY));
  } catch (error) {
    if (error instanceof UnsafeData) throw new ConfigError(error.message);
    throw error;
  }
}
