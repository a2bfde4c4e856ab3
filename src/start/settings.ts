import { groups, presets } from '../../tools/groups.ts';
import { type Config, loadConfig } from '../lib/config.ts';
import { cutWarning, nameWarnings } from '../lib/setting-names.ts';

/** The names that MCP_TOOLSETS may contain. */
const TOOLSETS: readonly string[] = [...new Set(['core', 'all', ...Object.keys(presets), ...Object.keys(groups)])];

/**
 * Reads the settings of this process and checks them against the catalogue's toolsets. Warnings about misspelt names
 * and cut values are written to stderr.
 *
 * @throws ConfigError as `loadConfig`
 */
export function readSettings(): Config {
  const config = readSettingsQuietly();
  const cut = config.cutSettings.map((name) => cutWarning(name, config.settingsFile));
  for (const line of [...nameWarnings(config.unknownSettings), ...cut]) process.stderr.write(`${line}\n`);
  return config;
}

/** Reads the settings without warnings, for a command that reports misspelt names itself. */
export function readSettingsQuietly(): Config {
  return loadConfig(undefined, undefined, { toolsets: TOOLSETS });
}
