import { groups, presets } from '../../tools/groups.ts';
import { type Config, loadConfig } from '../lib/config.ts';
import { misspeltWarnings } from '../lib/setting-names.ts';

/** The names that MCP_TOOLSETS may contain. */
const TOOLSETS: readonly string[] = ['core', 'all', ...Object.keys(presets), ...Object.keys(groups)];

/**
 * The settings of this process, checked against the catalogue's toolsets.
 *
 * @throws ConfigError as `loadConfig`
 */
export function readSettings(): Config {
  return loadConfig(undefined, undefined, { toolsets: TOOLSETS });
}

/** The same, for a command that runs or serves calls: warnings about misspelt names in the settings file are written to stderr. */
export function readSettingsAloud(): Config {
  const config = readSettings();
  for (const line of misspeltWarnings(config)) process.stderr.write(`${line}\n`);
  return config;
}
