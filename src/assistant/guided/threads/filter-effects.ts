import { FILTER_LISTS, TRAFFIC } from '../../../../tools/surfaces/guard.ts';
import type { GuidedAnswer } from '../answers/answer.ts';

/* Answers questions about those whom an offered change of a filter does not name. */

const ASKS =
  /\?\s*$|^\W*(?:(?:and|so|but|ok|okay|then|well|hm+)[\s,]+)*(?:what|how|who|can|could|may|will|would|do|does|is|are|and)\b/iu;
const OTHERS =
  /\b(?:every(?:one|body)|any(?:one|body)|who|people|callers?|numbers?)\s+else\b|\b(?:all\s+)?(?:the\s+)?(?:others|rest)\b|\bother\s+(?:people|numbers?|callers?|contacts?)\b/iu;
/** "Who else is blocked" asks for a list. */
const IS_LISTED =
  /\bwho\s+else\s+(?:is|was|are)\b|\b(?:is|are)\s+(?:any(?:one|body)\s+else\s+)?(?:blocked|allowed)\b/iu;
const MAX_LENGTH = 80;

/** "What happens to everybody else then?" after an offer for a filter. Undefined for other messages. */
export function othersAsked(text: string, { operation = '', input, also = [] }: GuidedAnswer): string | undefined {
  if (text.length > MAX_LENGTH || /\d{4}/.test(text) || !ASKS.test(text) || !OTHERS.test(text) || IS_LISTED.test(text))
    return undefined;
  const list = FILTER_LISTS[operation];
  const traffic = TRAFFIC.find(({ name, create, update }) =>
    list ? list.traffic === name : operation === create || operation === update,
  );
  if (!traffic) return undefined;
  const named = also.length > 0 ? 'calls and messages' : traffic.name;
  const ofOther =
    also.length > 0 ? '' : `. ${traffic.name === 'calls' ? 'Messages' : 'Calls'} have a filter of their own`;
  return `${effect(input, list)}: ${named} of everybody else ${through(input, list)}${ofOther}`;
}

function isOnly(input: GuidedAnswer['input']): boolean {
  return (
    input.FilterMode === 'WHITELIST' ||
    (input.BlockUnknownNumbers === true && (input.AllowedNumbers ?? input.AllowedContacts) !== undefined)
  );
}

function effect(input: GuidedAnswer['input'], list: (typeof FILTER_LISTS)[string] | undefined): string {
  if (isOnly(input)) return 'Only the numbers on the allow list get through';
  if (input.BlockUnknownNumbers === true) return 'Unknown numbers are blocked';
  if (!list) return 'The offer changes the rules of the filter, which hold for everybody';
  return `The offer ${list.adds ? 'puts numbers on' : 'takes numbers off'} the ${list.list === 'blocked' ? 'block' : 'allow'} list`;
}

function through(input: GuidedAnswer['input'], list: (typeof FILTER_LISTS)[string] | undefined): string {
  if (isOnly(input)) return 'are blocked';
  if (input.BlockUnknownNumbers === true) return 'get through only from numbers that are known';
  return list ? 'get through or not as they do now' : 'get through unless a rule stops them';
}
