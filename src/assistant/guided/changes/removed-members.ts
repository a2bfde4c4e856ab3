import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';

/*
 * "Clear the callback url of Main SMS route" takes a value off a record, and never deletes the record. The value is found
 * by the words of the labels.
 */

/** Records by the noun at the end of their name, and the changes of them. */
const KINDS: readonly (readonly [noun: RegExp, operation: string])[] = [
  [/\b(?:sms|mms|messages?|messaging|texts?)\s+routes?\b/iu, 'message_routes_update'],
  [/\btrunks?\b|\b(?:voice|calls?)\s+routes?\b/iu, 'voice_routes_update'],
  [/\bweb\s?hooks?\b/iu, 'webhook_update'],
  [/\b(?:packages?|plans?|bundles?)\b/iu, 'packages_update'],
];
const REMOVES =
  /^\W*(?:(?:please|pls|plz|hey|hi|ok|so|can|could|would|you|u|we|i|want|need|to|just|also)[\s,]+)*(?:delete|remove|clear|erase|drop|unset|wipe|take|get\s+rid\s+of)\s+(?:the\s+|its\s+)?(?<what>[\p{L}\d][\p{L}\d -]{1,40}?)\s+(?:(?:off|out)\s+(?:of\s+|from\s+)?|of\s+|from\s+|on\s+|for\s+)(?:the\s+|our\s+)?(?<record>[^,;!?]{2,60}?)(?:[\s,]+(?:please|pls|plz|now|again))*[\s.!]*$/iu;
const AGAINST = /["“„?]|\b(?:not|never|dont|keep|leave|instead|and|but)\b|n['’]t\b|https?:/iu;
/** Words that say nothing about which value it is. */
const GENERAL = /^(?:the|its|url|address|value|setting|entry|field|whole|current|old|present)$/iu;
/** Words of people for the number of a part. */
const NUMBERS: Readonly<Record<string, string>> = {
  ...{ first: '1', primary: '1', second: '2', secondary: '2', backup: '2', failover: '2', fallback: '2', spare: '2' },
};
/** A whole part, which has a switch. */
const PART = /^(?:the\s+)?(?:(?<word>\p{L}+)\s+)?(?:sip\s+)?trunk(?:\s*#?\s*(?<at>[12]))?$/iu;

/** The change that takes the value off its record. Undefined for other sentences. */
export function ofRemovedMember(said: string, toolOf: (id: string) => Tool | undefined): GuidedAnswer | undefined {
  const { what = '', record = '' } = AGAINST.test(said) ? {} : (REMOVES.exec(said)?.groups ?? {});
  const operation = KINDS.find(([noun]) => noun.test(record))?.[1];
  const tool = operation === undefined ? undefined : toolOf(operation);
  const key = tool && fieldsOf(tool).find(({ kind, required }) => kind === 'id' && required);
  if (!tool || !key) return undefined;
  const part = PART.exec(what)?.groups;
  const at = part && (part.at ?? NUMBERS[part.word?.toLowerCase() ?? '']);
  const made = at === undefined ? removedIn(tool, what) : switchedOff(tool, at);
  if (!made) return undefined;
  const name = record.replace(/\s+(?:packages?|plans?|bundles?)$/iu, '');
  const input = { [key.name]: name, ...made.input };
  return {
    ...answer('form', { tool, input, understood: `${understood(tool, input)}${made.remark}` }),
    remarks: made.remark,
  };
}

interface Made {
  input: Record<string, null | false>;
  remark: string;
}

function switchedOff(tool: Tool, at: string): Made | undefined {
  const field = fieldsOf(tool).find(({ name }) => name === `TrunkEnabled${at}`);
  return field && { input: { [field.name]: false }, remark: `; trunk ${at} is switched off, and keeps its address` };
}

/** Takes off the first value whose label has all of the words. */
function removedIn(tool: Tool, what: string): Made | undefined {
  const words = what
    .toLowerCase()
    .split(/[\s-]+/u)
    .filter((word) => !GENERAL.test(word))
    .map((word) => NUMBERS[word] ?? word);
  const fits = ({ label }: Field) => {
    const own = label.toLowerCase().split(/[\s:-]+/u);
    return words.every((word) => own.includes(word));
  };
  const values = fieldsOf(tool).filter(({ kind, name }) => kind !== 'id' && !/Enabled/.test(name));
  const field = words.length === 0 ? undefined : values.find(fits);
  if (!field) return undefined;
  const label = `“${field.label}”`;
  return tool.input.shape[field.name]?.safeParse(null).success === true
    ? { input: { [field.name]: null }, remark: `; ${label} is taken off it` }
    : { input: {}, remark: `; ${label} cannot be taken off it: give another value` };
}
