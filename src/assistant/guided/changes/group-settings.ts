import type { Tool } from '../../../catalogue/operation.ts';
import { respelled } from '../../../language/spelling.ts';
import type { Fields } from '../../../lib/json.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { LINE } from '../facts/line-pattern.ts';
import { capital, DESK } from '../facts/workgroup-names.ts';
import { changing, isGroupQuestion } from './group-members.ts';
import { TYPES } from './group-types.ts';

/*
 * Settings of a workgroup that is called by a usual name, and the number that its calls reach: "record the front desk's
 * calls", "reception calls should land on 0103", "what is the front desk announcement".
 */

const GROUP = new RegExp(
  String.raw`(?:\b(?:the|our)\s+)?(?:\bwork\s?group\s+)?\b(?<name>${DESK})\b(?:\s+(?:work\s?)?group\b)?(?:['’]s\b)?`,
  'iu',
);
const SETTING =
  /\b(?:announcements?|greetings?|welcome|hears?|says?|record\p{L}*|transcri\p{L}*|round[\s-]?robin|simultaneous\p{L}*|ivr|menu|hours|open|schedule|time\s?zone|settings?|set\s+up|type|kind|calls?|callers?)\b/iu;
const ENDS =
  /\b(?:stop|quit|end|off|not|never|dont|no(?:\s+(?:more|longer|further))?|without|disable|cease|shouldnt)\b|n['’]t\b/iu;
/** A switch, with the words that name it. */
const SWITCHES: readonly (readonly [field: string, label: string, said: RegExp])[] = [
  ['TranscribeRecordings', 'Transcribe recordings', /\btranscri(?:be[sd]?|bing|pts?|ptions?)\b/iu],
  ['RecordCalls', 'Record calls', /\brecord(?:s|ed|ing|ings)?\b/iu],
];
const REACHES =
  /\b(?:rings?|lands?|go(?:es)?|come(?:s|\s+in)?|forward(?:s|ed)?|routed?|send|sent|reach(?:es)?|transfer(?:red)?|answer(?:s|ed)?|direct(?:ed)?|point(?:s|ed)?)\b/iu;
/** Words of another order, or of a condition. */
const OTHER =
  /["“”„;:?]|\b(?:replace|swap|first|second|third|before|after|digit|option|press\p{L}*|if|when|unless|until|filter\p{L}*|flagged|texts?|sms|e?mails?|notif\p{L}*|block|park|cancel|number\s+of)\b/iu;
const HOURS = /\b(?:(?:opening|office|business)\s+)?(?:hours|times|schedule|time\s?zone)\b/iu;

/** "Round robin instead of all at once" */
const CONTRAST = /[\s,]+(?:instead\s+of|rather\s+than|and\s+not|not)\s.*$/iu;

/** The change or the record of a workgroup with a usual name. Undefined for any other sentence. */
export function ofGroupSettings(typed: string, toolOf: (id: string) => Tool | undefined): GuidedAnswer | undefined {
  const said = respelled(typed).text;
  const name = GROUP.exec(said)?.groups?.name;
  if (name === undefined || said.length > 200) return undefined;
  const whole = said.replace(GROUP, ' … ');
  const rest = whole.replace(CONTRAST, '');
  const record = { WorkgroupId: capital(name) };
  if (isGroupQuestion(said)) {
    const tool = SETTING.test(rest) && !/\d/u.test(said) ? toolOf('workgroups_get') : undefined;
    return tool && answer('lookup', { tool, input: record, understood: `The workgroup “${record.WorkgroupId}”` });
  }
  if (OTHER.test(rest)) return undefined;
  const lines = whole.match(new RegExp(LINE, 'giu')) ?? [];
  const [line] = lines;
  const member = toolOf('workgroups_activity_update');
  if (member && line !== undefined && lines.length === 1 && REACHES.test(rest) && !ENDS.test(rest))
    return changing(
      member,
      { name: record.WorkgroupId, isSure: true },
      {
        input: { PhoneNumber: line.replace(/^(?:number|line)\s+/iu, '') },
        members: [{}],
        told: 'the member that is meant',
      },
    );
  const tool = toolOf('workgroups_update');
  if (!tool || lines.length > 0) return undefined;
  const [found] = SWITCHES.filter(([, , words]) => words.test(rest));
  if (found) {
    const [field, label] = found;
    const isOn = !ENDS.test(rest);
    return changeOf(tool, { ...record, [field]: isOn }, `. ${label}: ${isOn ? 'on' : 'off'}`);
  }
  const types = ENDS.test(rest) ? [] : TYPES.filter(([, words]) => words.test(rest));
  if (types.length === 1) return changeOf(tool, { ...record, Type: types[0]?.[0] });
  return HOURS.test(rest)
    ? changeOf(tool, record, '. Opening hours are a schedule of the platform: the form takes its id, and the time zone')
    : undefined;
}

function changeOf(tool: Tool, input: Fields, remarks = ''): GuidedAnswer {
  return { ...answer('form', { tool, input, understood: `${understood(tool, input)}${remarks}` }), remarks };
}
