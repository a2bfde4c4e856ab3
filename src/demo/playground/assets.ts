import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../lib/config.ts';

/** Files that the build makes of the folder `page/`. */
type Asset = 'playground.js' | 'playground.css';

/** Reads a built file. It is read again each time, so a page that is reloaded shows a new build. */
export function readAsset(name: Asset): string {
  return readFileSync(join(packageFolder(), 'dist', name), 'utf8');
}
