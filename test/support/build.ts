import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The program that the process tests start. */
export const CLI = join(ROOT, 'dist', 'cli.js');
