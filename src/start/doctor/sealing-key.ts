import { createSeal, keyFile, type SealingKeys, storedKeys } from '../../ledger/seal.ts';
import type { Config } from '../../lib/config.ts';
import { UnsafeData } from '../../lib/data-dir.ts';
import type { Store } from '../../store/types.ts';
import { hasSameKey, otherKey } from '../installation.ts';
import type { Say } from './report.ts';

/**
 * Checks that this installation can read what was sealed. Makes no key.
 *
 * @param store left out if it holds no data yet
 */
export async function checkSealingKey(config: Config, store: Store | undefined, say: Say): Promise<void> {
  const { SEALING_KEY, DATA_DIR, demo } = config;
  const source = SEALING_KEY === undefined ? keyFile(DATA_DIR) : 'SEALING_KEY';
  let keys: SealingKeys | undefined;
  try {
    keys = storedKeys(DATA_DIR, SEALING_KEY);
  } catch (error) {
    if (error instanceof UnsafeData) return say('FAIL', 'sealing key', error.message);
    throw error;
  }
  // For data that was never sealed, any key is right.
  const seal = createSeal(...(keys ?? [new Uint8Array(32)]));
  const isSame = store && (await hasSameKey(store.database('ledger'), seal));
  if (isSame === undefined)
    return say('ok', 'sealing key', keys === undefined ? 'is made at the next start' : `is read from ${source}`);
  if (isSame)
    return say(
      'ok',
      'sealing key',
      keys !== undefined && keys.length > 1
        ? `${source} holds ${keys.length} keys: the first one seals, all of them open`
        : `${source} is the one that the data was sealed with`,
    );
  const problem =
    keys === undefined
      ? `${source} is missing, and the data was sealed with it; put it back from the backup, or set SEALING_KEY to its content`
      : otherKey(config);
  return demo
    ? say('warn', 'sealing key', `the next start of the demo begins with new data: ${problem}`)
    : say('FAIL', 'sealing key', problem);
}
