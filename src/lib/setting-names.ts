import { nearestOf } from './nearest.ts';
import { listSettings, namesOf } from './settings.ts';
import type { SettingsFile } from './settings-file.ts';

/** A name that is no setting. */
export interface UnknownSetting {
  name: string;
  /** The setting it was most likely meant to be. */
  nearest: string | undefined;
  /** `the environment`, or the path of the settings file. */
  place: string;
  /** True if the nearest setting restricts something that would be allowed without it, so that start-up stops. */
  stops: boolean;
}

/** Maximum number of differing characters in a misspelt setting of the environment: fewer for a short name. */
const slipsOf = (name: string): number => Math.min(2, Math.floor(name.length / 6));
/**
 * A name that can be a misspelt setting. Shorter names, and names without an underscore, often belong to other
 * programs.
 */
const OWN_NAME = /^(?=.{8})[a-z]+(_[a-z]+)+$/i;

/**
 * The names that are no setting: all of the settings file, and those of the environment that look like a misspelt
 * setting. Other programs share the environment, so a name of it counts only if it is nearly that of a setting.
 */
export function unknownSettings(env: NodeJS.ProcessEnv, file: SettingsFile): UnknownSetting[] {
  const settings = listSettings();
  const known: readonly string[] = settings.flatMap(({ name }) => namesOf(name));
  const restrictive = settings.filter(({ restricts }) => restricts).map(({ name }) => name);
  const isKnown = new Set(known);
  const nearRestrictive = nearestOf(restrictive);
  const otherForm = formsOf(restrictive);
  const nearKnown = nearestOf(known);
  const find = (given: NodeJS.ProcessEnv, place: string, near: (name: string) => string | undefined) =>
    Object.keys(given)
      .filter((name) => !isKnown.has(spelt(name)))
      .map((name): UnknownSetting => {
        // A blank value restricts nothing.
        const meant = given[name]?.trim() ? (nearRestrictive(name, 1) ?? otherForm(name)) : undefined;
        return { name, nearest: meant ?? near(name), place, stops: meant !== undefined };
      });
  const inEnvironment = find(env, 'the environment', (name) =>
    OWN_NAME.test(name) ? nearKnown(name, slipsOf(name)) : undefined,
  );
  return [
    ...inEnvironment.filter((one) => one.nearest !== undefined),
    ...find(file.values, file.path ?? 'the settings file', nearKnown),
  ];
}

/** A sentence for each name, and for each line of the settings file, that stops start-up. */
export function nameProblems(unknown: readonly UnknownSetting[], { path, unread }: SettingsFile): string[] {
  return [
    ...unknown.filter(({ stops }) => stops).map((one) => `${notASetting(one)}; did you mean ${one.nearest}?`),
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
    .map((one) => `${notASetting(one)} and is ignored; did you mean ${one.nearest}?`);
}

/** The sentence about a value that is cut off in the settings file. */
export function cutWarning(name: string, file: string | undefined): string {
  return `${name} is cut off in ${file}, because # begins a comment; put the value in quotes, or remove the #`;
}

function notASetting({ name, place }: UnknownSetting): string {
  return `${name} in ${place} is not a setting`;
}

/** Finds the setting that a name differs from by the form of one word. */
function formsOf(settings: readonly string[]): (name: string) => string | undefined {
  const split = settings.map((setting) => setting.split('_'));
  return (name) => {
    const words = name.toUpperCase().split('_');
    return settings[split.findIndex((others) => differsByForm(words, others))];
  };
}

/** Two forms of a word share their beginning and end with one of these: APPROVER, APPROVAL, APPROVED. */
const ENDING = /^(E|Y)?(S|D|R|RS|ED|ER|ERS|OR|ORS|AL|ALS|ING|ION|IONS|ATION|ATIONS|RY)?$/;
const STEM_LENGTH = 4;
const IRREGULAR: readonly (readonly string[])[] = [
  ['PERSON', 'PEOPLE'],
  ['TWO', '2'],
];

function differsByForm(words: readonly string[], others: readonly string[]): boolean {
  if (words.length !== others.length) return false;
  const different = words.flatMap((word, i) => (word === others[i] ? [] : [[word, others[i] ?? ''] as const]));
  const [pair] = different;
  return pair !== undefined && different.length === 1 && areForms(...pair);
}

function areForms(one: string, other: string): boolean {
  if (IRREGULAR.some((forms) => forms.includes(one) && forms.includes(other))) return true;
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  return shared >= STEM_LENGTH && ENDING.test(one.slice(shared)) && ENDING.test(other.slice(shared));
}

/** Windows does not distinguish the case of names in the environment. */
function spelt(name: string): string {
  return process.platform === 'win32' ? name.toUpperCase() : name;
}
