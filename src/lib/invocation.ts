import { relative } from 'node:path';

/**
 * The command as the user invoked it: `switchboard` where it was started by that name, otherwise `node` with the path of
 * the file, which is what works on a clone.
 *
 * @param started the path this process was started with (`process.argv[1]`)
 * @param folder the reader's working folder: a file below it is named relative to it; empty where it is not known
 */
export function commandName(started = process.argv[1] ?? '', folder = process.cwd()): string {
  const path = started.replaceAll('\\', '/');
  // npm's starter on Windows names the file inside the installed package.
  if (!path.endsWith('/cli.js') || path.includes('/node_modules/switchboard/')) return 'switchboard';
  const near = folder === '' ? '..' : relative(folder, started);
  const shown = near.startsWith('..') ? started : near;
  return `node ${/^[\w@%+=:,./\\-]+$/.test(shown) ? shown : `"${shown}"`}`;
}

/** Commands in a text ("switchboard key") as the user has to type them. */
export function asInvoked(text: string, command = commandName()): string {
  if (command === 'switchboard') return text;
  return text.replace(
    /\bswitchboard(?= (?:start|mcp|sandbox|call|key|manifest|webhooks|events|doctor)\b)/g,
    () => command,
  );
}
