import type { Tool } from '../../../catalogue/operation.ts';
import { respelled } from '../../../language/spelling.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { COURTESY } from '../facts/beginnings.ts';
import { capital, DESK } from '../facts/workgroup-names.ts';
import { isGroupQuestion, nameIn } from './group-members.ts';

/* The type of a workgroup in the words of people: "front desk should ring everyone at once", "make reception round robin". */

const GROUP = 'workgroups_update';
const EVERYONE = '(?:everyone|everybody|everything|all(?:\\s+(?:of\\s+them|members|phones|lines))?|them\\s+all|both)';
/** Kinds of a workgroup, with the words that ask for each. */
export const TYPES: readonly (readonly [type: string, said: RegExp])[] = [
  [
    'simultaneous',
    new RegExp(
      String.raw`\bsimultaneous(?:ly)?\b|(?:\b${EVERYONE}\s+)?\b(?:all\s+)?at\s+(?:once|the\s+same\s+time)\b`,
      'iu',
    ),
  ],
  [
    'round-robin',
    new RegExp(
      String.raw`\bround[\s-]?robin\b|(?:\b${EVERYONE}\s+)?\b(?:in\s+turns?|one\s+after\s+(?:the\s+other|another)|one\s+by\s+one|by\s+turns|in\s+rotation)\b`,
      'iu',
    ),
  ],
  ['IVR', /\b(?:an?\s+)?(?:ivr|phone\s+menu|voice\s+menu)\b/iu],
];

const POLITE = String.raw`^\W*${COURTESY}`;
const THE_GROUP = String.raw`(?:the\s+|our\s+)?(?:work\s?group\s+(?<named>[\p{L}'’-]+(?:\s+(?!(?:off|on|for|until|to|please|pls|now|again)\b)[\p{L}'’-]+)?)|(?<name>${DESK})(?:\s+(?:work\s?)?group)?)`;
const WAY = String.raw`(?:back\s+)?(?:on|off|active|inactive|up|down|enabled|disabled)`;
const STATES: readonly RegExp[] = [
  String.raw`${POLITE}(?:de-?activate|activate|re-?activate|disable|enable|pause|suspend|resume|park|hold|freeze|close|reopen|open\s+up|shut\s+(?:down|off)|(?:turn|switch)\s+(?:on|off))\s+${THE_GROUP}\b(?!\s+(?:announcement|recording|notif|sms|e-?mail|member|activit|schedule|calls?|texts?))`,
  String.raw`${POLITE}(?:turn|switch|set|put|bring|take)\s+${THE_GROUP}\s+${WAY}\b`,
  String.raw`${POLITE}${THE_GROUP}\s+(?:(?:should|must|needs?\s+to|has\s+to|to)\s+be\s+)?${WAY}\b`,
].map((pattern) => new RegExp(pattern, 'iu'));
const NO_STATE =
  'No operation switches a workgroup on or off: whether it is active is only shown. Its type, announcement, hours and recordings can be changed (“change the workgroup NAME”), and the number that it rings (“ring NUMBER instead of NUMBER at NAME”)';

/** "Pause the front desk": the workgroup, which has no switch, and never a line. Undefined for any other sentence. */
export function ofGroupState(typed: string, toolOf: (id: string) => Tool | undefined): GuidedAnswer | undefined {
  const said = respelled(typed).text;
  if (/\d|["“„?]|\b(?:not|never|dont)\b|n['’]t\b/iu.test(said) || isGroupQuestion(said)) return undefined;
  const found = STATES.map((pattern) => pattern.exec(said)?.groups).find((one) => one);
  const name = found?.named ?? found?.name;
  const tool = name === undefined ? undefined : toolOf('workgroups_get');
  if (!tool || name === undefined) return undefined;
  const lead = `${NO_STATE}. Nothing was done.`;
  const input = { WorkgroupId: capital(name) };
  const guided = answer('lookup', { tool, input, understood: `${lead} The workgroup “${capital(name)}”` });
  return { ...guided, isInstead: true, lead };
}

const RENAMES = new RegExp(
  String.raw`${POLITE}(?:rename|re-?name|call|change\s+the\s+name\s+of)\s+${THE_GROUP}\s+(?:to\s+|into\s+|as\s+)?(?<now>["“]?[\p{L}\d][\p{L}\d &'’-]{1,40}?["”]?)(?:\s+(?:please|pls))?[\s.!]*$`,
  'iu',
);

/** "Rename the front desk to Reception". Any other text as it is. */
export function withGroupRenamed(text: string): string {
  const { name, now } = RENAMES.exec(text)?.groups ?? {};
  if (name === undefined || now === undefined || /\d/u.test(text)) return text;
  return /^\W*(?:please\s+|pls\s+)*call\s/iu.test(text) && !/^["“\p{Lu}]/u.test(now)
    ? text
    : `rename the workgroup ${capital(name)} to ${now}`;
}

/** The change of the kind of a workgroup that is named. Undefined for any other sentence. */
export function ofGroupType(
  typed: string,
  one: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  const found = TYPES.filter(([, said]) => said.test(typed));
  const [only, ...others] = found;
  const tool = only && toolOf(GROUP);
  if (!tool || others.length > 0 || /\d|["“„]|\b(?:not|never|dont)\b|n['’]t\b/iu.test(typed) || isGroupQuestion(typed))
    return undefined;
  const [Type, said] = only;
  const named = nameIn(respelled(typed).text.replace(said, '…'), []);
  if (!named) return undefined;
  const input = { WorkgroupId: named.name, Type };
  const guided = answer('form', { tool, input, understood: understood(tool, input) });
  if (named.isSure) return guided;
  const { kind, operation = '', understood: text } = guided;
  return {
    ...one(typed),
    orAccount: { ...{ name: named.name, noun: 'workgroup', kind, operation, input, understood: text } },
  };
}
