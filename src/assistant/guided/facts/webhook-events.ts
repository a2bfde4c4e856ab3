import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';

/* The events of a new webhook, in words: "for port updates", "texts and orders". */

const NAMED: readonly (readonly [pattern: RegExp, events: readonly string[]])[] = [
  [/\bport(?:s|ing|-?ins?)?\b|\border(?:s|_update)?\b/i, ['Order_Update']],
  [/\b(?:sms|mms|texts?|messages?|new_sms)\b/i, ['New_Sms']],
  [/\b(?:call\s+)?recordings?\b|\brecorded\b/i, ['Call_Recording']],
  [/\bring(?:s|ing)?\b/i, ['Call_Ringing']],
  [/\bcalls?\s+(?:(?:that\s+)?(?:are|is|put|go|goes)\s+)?on\s+hold\b/i, ['Call_On_Hold']],
  [/\bcalls?\s+(?:(?:that|which|are|is)\s+)*(?:in\s+progress|running|under\s*way)\b/i, ['Call_In_Progress']],
  [
    /\b(?:completed|finished|ended|missed)\s+calls?\b|\bcalls?\s+(?:(?:that|which|have|has|are|is)\s+)*(?:end(?:s|ed)?|over|complete[ds]?|finish(?:es|ed)?)\b/i,
    ['Call_Completed'],
  ],
];

const ALL = /\b(?:all|every|any)\s+(?:the\s+)?(?:events?|updates?)\b|\beverything\b/i;
const NO_AUTH = /\b(?:no|without)\s+(?:any\s+)?(?:auth\w*|passwords?|tokens?)\b/gi;
const EXCEPTS = /\b(?:not|except|but|without|besides|no)\b/i;

/** The events that a sentence about a new webhook names, comma-separated. Undefined if it names none. */
export function eventsNamed(tool: Tool, said: string): string | undefined {
  const events = fieldsOf(tool).find(({ name }) => name === 'SubscribedEvents')?.known ?? [];
  // "No auth" excepts no event.
  if (EXCEPTS.test(said.replace(NO_AUTH, ' '))) return undefined;
  const text = said.replace(/\bhttps?:\S+/gi, ' ').replace(/\b[\w.+-]+@\S+/g, ' ');
  if (ALL.test(text)) return events.join(',');
  const named = NAMED.flatMap(([pattern, own]) => (pattern.test(text) ? own : []));
  // "For calls" names no one of them.
  const isOfCalls = /\bcalls?\b/i.test(text) && !named.some(isOfCall);
  const found = events.filter((event) => named.includes(event) || (isOfCalls && isOfCall(event)));
  return found.length === 0 ? undefined : found.join(',');
}

function isOfCall(event: string): boolean {
  return event.startsWith('Call_');
}

/** True for a word of the events that a sentence names: the “end” of "calls that end". */
export function isEventWord(said: string, word: string): boolean {
  return NAMED.some(([pattern]) => pattern.exec(said)?.[0].toLowerCase().split(/\s+/).includes(word) === true);
}
