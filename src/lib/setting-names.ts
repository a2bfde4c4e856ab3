import { nearest } from './nearest.ts';

/** A name in the settings file that is no setting, with the setting it was most likely meant to be. */
export interface UnknownSetting {
  name: string;
  nearest: string | undefined;
}

/** Former names of settings that protect something. Ignoring one would silently remove the protection. */
const RENAMED: Readonly<Record<string, string>> = { SLACK_TWO_PERSON: 'CONFIRM_TWO_PERSON' };

/** Settings that restrict who may do what. If such a name is misspelt, more would be allowed than intended. */
const PROTECTIVE = /^(CONFIRM_|MCP_|SLACK_(VIEWERS|OPERATORS|APPROVERS)$)/;

/** Which of these names of a settings file are none of `known`. */
export function unknownSettings(names: readonly string[], known: readonly string[]): UnknownSetting[] {
  return names.filter((name) => !known.includes(name)).map((name) => ({ name, nearest: nearest(name, known) }));
}

/** A name of the environment is a misspelt setting if at most this many of its characters differ. */
const MAX_SLIPS = 2;
/** Shorter names, and names without an underscore, are too often somebody else's. */
const OWN_NAME = /^(?=.{8})[a-z]+(_[a-z]+)+$/i;

/**
 * Names of the environment that look like misspelt settings. Other programs share the environment, so a name counts only
 * if it is nearly that of a setting which is not set.
 */
export function misspeltInEnvironment(env: NodeJS.ProcessEnv, known: readonly string[]): UnknownSetting[] {
  const unset = known.filter((name) => !env[name]);
  return Object.keys(env)
    .filter((name) => OWN_NAME.test(name) && !known.includes(name))
    .map((name) => ({ name, nearest: nearest(name, unset, MAX_SLIPS) }))
    .filter((one) => one.nearest !== undefined);
}

/**
 * Unknown names that stop start-up: former names in the environment or the file, and names in the file that are nearest
 * to a protective setting. One sentence each.
 */
export function nameProblems(
  given: (name: string) => string | undefined,
  unknown: readonly UnknownSetting[],
): string[] {
  const renamed = Object.entries(RENAMED)
    .filter(([former]) => given(former) !== undefined)
    .map(([former, name]) => `${former} is now ${name}; rename it`);
  const misspelt = unknown
    .filter((one) => !Object.hasOwn(RENAMED, one.name) && PROTECTIVE.test(one.nearest ?? ''))
    .map((one) => `${one.name} in the settings file is not a setting; did you mean ${one.nearest}?`);
  return [...renamed, ...misspelt];
}

/** A warning for each name in the settings file that looks like a misspelt setting, one line each. */
export function misspeltWarnings(config: {
  settingsFile: string | undefined;
  unknownSettings: readonly UnknownSetting[];
}): string[] {
  return config.unknownSettings
    .filter((one) => one.nearest !== undefined)
    .map(
      (one) => `${one.name} in ${config.settingsFile} is not a setting and is ignored; did you mean ${one.nearest}?`,
    );
}
