import { createSeal, keyFile, storedKeys } from '../../ledger/seal.ts';
import type { Config } from '../../lib/config.ts';
import type { Store } from '../../store/types.ts';
import { hasSameKey, otherKey } from '../installation.ts';
import type { Finding } from './report.ts';

/**
 * Checks that this installation can read what was sealed. Makes no key.
 *
 * @param store left out if it holds no data yet
 */
export async function sealingKeyFinding(config: Config, store: Store | undefined): Promise<Finding> {
  const { SEALING_KEY, DATA_DIR, demo } = config;
  const what = 'sealing key';
  const source = SEALING_KEY === undefined ? keyFile(DATA_DIR) : 'SEALING_KEY';
  const keys = storedKeys(DATA_DIR, SEALING_KEY);
  // For data that was never sealed, any key is right.
  const seal = createSeal(...(keys ?? [new Uint8Array(32)]));
  const isSame = store && (await hasSameKey(store.database('ledger'), seal));
  if (isSame === undefined)
    return ['ok', keys === undefined ? 'is made at the next start' : `is read from ${source}`, what];
  const several = (keys?.length ?? 0) > 1;
  if (isSame && several)
    return ['ok', `${source} holds ${keys?.length} keys: the first one seals, all of them open`, what];
  if (isSame) return ['ok', `${source} is the one that the data was sealed with`, what];
  const problem =
    keys === undefined
      ? `${source} is missing, and the data was sealed with it; put it back from the backup, or set SEALING_KEY to its content`
      : otherKey(config);
  if (demo) return ['warn', `the next start of the demo begins with new data: ${problem}`, what];
  return ['FAIL', problem, what];
}
