import { BLOCKS_LISTED, type Traffic } from '../../../../tools/surfaces/guard.ts';
import { defined, type Fields, isRecord, textOf } from '../../../lib/json.ts';
import { readTexts } from '../../../platform/dialect/readings.ts';
import type { GuidedAnswer } from '../answers/answer.ts';

/*
 * Changes of a filter that go on from what it has now: words that come to the others, numbers that get a notice besides the
 * present ones, and a level beside the present one. An update replaces a list, so that surfaces read the filter first.
 */

/** The parts of an answer that change the present lists or the present level. */
export type FromPresent = Pick<GuidedAnswer, 'words' | 'softer' | 'addsNotices'>;

/** The settings of a change of this filter, with what stays of its lists. */
export function settingsOn(traffic: Traffic, filter: Fields, input: Fields, change: FromPresent): Fields {
  return {
    ...input,
    ...wordsOn(filter, change.words),
    ...levelBeside(traffic, filter, change.softer),
    ...(change.addsNotices && noticesOn(filter, input)),
  };
}

/**
 * The settings of the first filter of a line. Undefined for a change that has nothing to start with, such as a filter that
 * is only paused.
 *
 * @param settings what is set, without the line and the customer
 */
export function firstSettings(traffic: Traffic, settings: Fields, words: FromPresent['words']): Fields | undefined {
  const hasWords = words !== undefined && words.adds.length > 0;
  if (Object.keys(settings).length === 0 && !hasWords) return undefined;
  const first: Fields = { FilterMode: BLOCKS_LISTED[traffic.name], ...settings, ...wordsOn({}, words) };
  const { FilterMode, ApplyToInbound, ApplyToOutbound } = first;
  if (FilterMode === 'INACTIVE' || (ApplyToInbound === false && !ApplyToOutbound)) return undefined;
  const isDirected = ApplyToInbound !== undefined || ApplyToOutbound !== undefined;
  return defined({ ...first, ...(isDirected ? {} : { ApplyToInbound: true }) });
}

/** The keyword rules of a filter with other words, which an update sends as a whole. */
function wordsOn({ KeywordFilter }: Fields, words: FromPresent['words']): Fields {
  if (words === undefined) return {};
  const rules = readRules(KeywordFilter);
  const present = readTexts(rules.CustomKeywords) ?? [];
  const isGone = (word: string) => words.removes.some((one) => one.toLowerCase() === word.toLowerCase());
  const all = [...new Set([...present.filter((word) => !isGone(word)), ...words.adds])];
  const severities = isRecord(rules.SeverityMap) ? rules.SeverityMap : {};
  const SeverityMap = Object.fromEntries(all.map((word) => [word, severities[word] ?? 'HIGH']));
  return { KeywordFilter: JSON.stringify({ ...rules, CustomKeywords: all, SeverityMap }) };
}

/** The numbers that get a notice now, with further ones. */
function noticesOn({ NotificationPhones: present }: Fields, { NotificationPhones: further }: Fields): Fields {
  const all = [present, further].flatMap((list) => readTexts(list) ?? []);
  return { NotificationPhones: [...new Set(all)] };
}

function readRules(value: unknown): Fields {
  if (isRecord(value)) return value;
  try {
    const rules: unknown = JSON.parse(textOf(value));
    return isRecord(rules) ? rules : {};
  } catch {
    return {};
  }
}

/** The level beside the one that a filter has. Empty if it has none, or there is no further one. */
function levelBeside({ levels, name }: Traffic, { FilterMode }: Fields, softer: FromPresent['softer']): Fields {
  if (softer === undefined || name !== 'messages') return {};
  const ages = levels.slice(0, 3).map(([mode]) => mode);
  const at = ages.indexOf(textOf(FilterMode));
  const next = at < 0 ? undefined : ages[at + softer];
  return next === undefined ? {} : { FilterMode: next };
}
