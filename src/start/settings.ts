import { groups, presets } from '../../tools/groups.ts';
import { type Config, loadConfig } from '../lib/config.ts';
import { nameWarnings } from '../lib/setting-names.ts';

/** The names that MCP_TOOLSETS may contain. */
const TOOLSETS: readonly string[] = [...new Set(['core', 'all', ...Object.keys(presets), ...Object.keys(groups)])];

/**
 * Reads the settings of this process and checks them against the catalogue's toolsets. Warnings about misspelt names are
 * written to stderr.
 *
 * @throws ConfigError as `loadConfig`
 */
export function readSettings(): Config {
  const config = readSettingsQuietly();
  warnOfNames(config);
  return config;
}

/** Writes the warnings about misspelt names to stderr. */
export function warnOfNames({ unknownSettings }: Config): void {
  for (const line of nameWarnings(unknownSettings)) process.stderr.write(`${line}\n`);
}

/** Reads the settings without warnings, for a command that reports misspelt names itself. */
export function readSettingsQuietly(): Config {
  return loadConfig(undefined, undefined, { toolsets: TOOLSETS });
}
