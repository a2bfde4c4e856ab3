import { relative } from 'node:path';

/**
 * The command as the user invoked it: `switchboard` if it was started by that name, otherwise `node` with the path of
 * the file, which also works in a clone.
 *
 * @param started the path this process was started with (`process.argv[1]`)
 * @param folder the reader's working folder: a file below it is named relative to it; empty if unknown
 */
export function commandName(started = process.argv[1] ?? '', folder = process.cwd()): string {
  const path = started.replaceAll('\\', '/');
  // npm's starter on Windows names the file inside the installed package.
  if (!path.endsWith('/cli.js') || path.includes('/node_modules/switchboard/')) return 'switchboard';
  const near = folder === '' ? '..' : relative(folder, started);
  const shown = near.startsWith('..') ? started : near;
  return `node ${/^[\w@%+=:,./\\-]+$/.test(shown) ? shown : `"${shown}"`}`;
}
