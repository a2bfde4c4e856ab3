import { nearestOf } from './nearest.ts';
import { listSettings, namesOf, restricts } from './settings.ts';
import type { SettingsFile } from './settings-file.ts';

/** A name that is no setting. */
export interface UnknownSetting {
  name: string;
  /** The setting it was most likely meant to be. */
  nearest: string | undefined;
  /** `the environment`, or the path of the settings file. */
  place: string;
  /** True if something may be allowed that this name was meant to restrict, so that start-up stops. */
  stops: boolean;
}

/** Maximum number of differing characters in a misspelt setting of the environment: fewer for a short name. */
const slipsOf = (name: string): number => Math.min(2, Math.floor(name.length / 6));
/** A name that can be a misspelt setting. Shorter ones, and those of one word, often belong to other programs. */
const OWN_NAME = /^(?=.{8})[a-z]+(_[a-z]+)+$/i;
/** Letters that two forms of a word share: APPROVER, APPROVAL. */
const STEM_LENGTH = 4;

/**
 * The names that are no setting: all of the settings file, and those of the environment that look like a misspelt
 * setting. Other programs share the environment, so a name of it counts only if it is nearly that of a setting.
 */
export function unknownSettings(env: NodeJS.ProcessEnv, file: SettingsFile): UnknownSetting[] {
  const known: readonly string[] = listSettings().flatMap(namesOf);
  const restrictive = known.filter(restricts);
  const isKnown = new Set(known);
  const nearRestrictive = nearestOf(restrictive);
  const nearKnown = nearestOf(known);
  const find = (given: NodeJS.ProcessEnv, place: string, near: (name: string) => string | undefined) =>
    Object.keys(given)
      // Windows does not distinguish the case of names in the environment.
      .filter((name) => !isKnown.has(process.platform === 'win32' ? name.toUpperCase() : name))
      .map((name): UnknownSetting => {
        const meant = nearRestrictive(name, 1) ?? restrictive.find((other) => differsByForm(name, other));
        // A blank value restricts nothing.
        const isGiven = (given[name]?.trim() ?? '') !== '';
        const stops = isGiven && (meant !== undefined || /^CONFIRM_/i.test(name));
        return { name, nearest: stops ? meant : near(name), place, stops };
      });
  const inEnvironment = find(env, 'the environment', (name) =>
    OWN_NAME.test(name) ? nearKnown(name, slipsOf(name)) : undefined,
  );
  return [
    ...inEnvironment.filter(({ nearest, stops }) => stops || nearest !== undefined),
    ...find(file.values, file.path ?? 'the settings file', nearKnown),
  ];
}

/** A sentence for each name, and for each line of the settings file, that stops start-up. */
export function nameProblems(unknown: readonly UnknownSetting[], { path, unread }: SettingsFile): string[] {
  return [
    ...unknown.filter(({ stops }) => stops).map((one) => `${notASetting(one)}${hintOf(one)}`),
    // The line itself may hold a secret.
    ...unread.map(
      (line) =>
        `Line ${line} of ${path} is not NAME=value; begin a comment with #, and end a quoted value with its quote`,
    ),
  ];
}

/** A sentence for each other name that looks like a misspelt setting. */
export function nameWarnings(unknown: readonly UnknownSetting[]): string[] {
  return unknown
    .filter((one) => !one.stops && one.nearest !== undefined)
    .map((one) => `${notASetting(one)} and is ignored${hintOf(one)}`);
}

function notASetting({ name, place }: UnknownSetting): string {
  return `${name} in ${place} is not a setting`;
}

function hintOf({ nearest }: UnknownSetting): string {
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}

/** True if a name differs from a setting by the form of one word: SLACK_APPROVAL, MCP_ALLOW_HOSTS. */
function differsByForm(name: string, setting: string): boolean {
  const [words, others] = [name.toUpperCase().split('_'), setting.split('_')];
  const different = words.filter((word, at) => word !== others[at]);
  const [word = ''] = different;
  const stem = word.slice(0, STEM_LENGTH);
  const isForm = stem.length === STEM_LENGTH && others[words.indexOf(word)]?.startsWith(stem);
  return words.length === others.length && different.length === 1 && isForm === true;
}
