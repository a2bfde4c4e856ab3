import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groups, presets } from '../../tools/groups.ts';
import type { ListedTool } from '../language/assistants/own-tools.ts';
import { type Config, loadConfig, nameWarnings, packageFolder } from '../lib/config.ts';
import type { memberNames } from './derive.ts';

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

/** A file that the build derives from the catalogue and writes beside the bundle. */
const derived = (name: string): unknown => JSON.parse(readFileSync(join(packageFolder(), 'dist', name), 'utf8'));

let listed: ListedTool[] | undefined;

/** What assistants may call: the list of MCP tools, which is read once, and the settings that choose from it. */
export function offeringOf({ MCP_TOOLSETS: toolsets, MCP_READ_ONLY: readOnly, MCP_DISCOVER: discover }: Config) {
  listed ??= derived('listed.json') as ListedTool[];
  return { listed, toolsets, readOnly, discover };
}

/** The names of members that the redactor needs. Finding them in every schema takes longer than the rest of a start. */
export const readMemberNames = () => derived('member-names.json') as ReturnType<typeof memberNames>;
