import { wordsOf } from '../../../language/sentence.ts';
import { respelled } from '../../../language/spelling.ts';
import { isRetraction } from '../facts/retraction.ts';

/*
 * These messages end what an earlier one is about: "cancel it", "call it off", "no? then cancel", "he wants to stay".
 * The earlier message says what they end.
 */

/** A message that ends something. */
export interface Ending {
  /**
   * - `cancel`: "cancel it", "call it off".
   * - `stays`: the customer wants nothing changed: "he is staying with Verizon".
   * - `back`: the order was wrong or is not wanted: "that's the wrong customer", "leave it as it is".
   */
  says: 'cancel' | 'stays' | 'back';
  /** The verb, in its first form; empty for `stays`. */
  verb: string;
  /** The words for what is ended, as typed; undefined if it has none. */
  object?: string;
}

const THING = String.raw`(?:port(?:ing|[\s-]?in)?(?:\s+(?:order|request))?|order|transfer|thing|job|process|move)`;
const OBJECT = String.raw`(?:the\s+(?:suspension|hold|pause|freeze|parking|blocking|throttle|cancell?ation|reactivation|activation|block|limit|cap|swap|text|message)|it|that|this|'?em|them|everything|all\s+of\s+(?:it|that)|(?:this|that)\s+one|(?:the|that|this|his|her|their|my|our)\s+(?:whole\s+|entire\s+|damn\s+)?${THING}|(?:that|this|the|my)\s+(?:offer|suggestion|card))`;
const VERB =
  '(?:cancel|abort|kill|scrap|axe|pull|end|terminate|delete|remove|withdraw|revoke|drop|stop|halt|undo|reverse|revert|quit|discontinue|lift)';
const LEAD =
  /^(?:(?:oh|ah|uh|um|hm+|ok|okay|k|no+|nope|nah|yes|yeah|yep|well|wait|sorry|oops|please|pls|plz|actually|then|so|and|or|but|just|now|hey|hi|thanks|thx|right|alright|fine|damn|argh|better|rather|go\s+ahead(?:\s+and)?|let['’]?s|lets|(?:can|could|would|will)\s+(?:you|u|we|someone)|(?:you|we|i)\s+(?:can|should|must|have\s+to|need\s+to|want\s+to|wanna|gotta)|i['’]?d\s+like\s+to|(?:customer|cust|client|caller|subscriber|he|she|they|\p{Lu}\p{L}+)\s+(?:just\s+|now\s+|has\s+|have\s+)?(?:say|says|said|wants?(?:\s+(?:us|me|you))?\s+to|wanna|asks?(?:\s+(?:us|me|you))?\s+to|asked(?:\s+(?:us|me|you))?\s+to|told\s+(?:us|me)\s+to|decided\s+to|would\s+like\s+to|prefers\s+to))(?:[\s,]+|$))+/iu;
const TAIL = String.raw`(?:[\s,]+(?:please|pls|plz|thanks?|thank\s+you|thx|then|now|for\s+now|asap|right\s+away|immediately|at\s+once|after\s+all|for\s+me|again|sorry|ok|okay|lol|already|before\s+it\s+(?:completes|goes\s+through|finishes|is\s+done)))*`;
const CANCELS = new RegExp(
  String.raw`^(?:${VERB}(?:\s+(?<first>${OBJECT}))?|call\s+(?:(?<second>${OBJECT})\s+)?off(?:\s+(?<third>${OBJECT}))?|pull\s+the\s+plug(?:\s+on\s+(?<fourth>${OBJECT}))?|(?:back\s+out|get\s+rid)\s+of\s+(?<fifth>${OBJECT})|back\s+out|(?<sixth>${OBJECT})\s+(?:needs?|has|should|must|can)\s+(?:to\s+)?(?:be\s+)?(?:cancell?ed|stopped|called\s+off|aborted)|do\s+not\s+(?:do|continue|proceed\s+with|go\s+(?:ahead|on)\s+with)\s+(?<seventh>${OBJECT})|forget\s+(?:about\s+)?(?<eighth>${OBJECT})|never\s*mind|nvm)${TAIL}$`,
  'iu',
);
/** "Leave it", "wrong customer". */
const KEPT = String.raw`(?:(?:the|that|this|his|her|their|its|my|our)\s+(?!(?:other|first|second|third|last|rest|secondary|primary|backup|failover|spare|remaining)s?\b)(?:(?:old|present|current|same|original)\s+)?(?!(?:carrier|provider|network|operator)\b)\p{L}+|things|everything|all)`;
const KEEPS = new RegExp(
  String.raw`^(?:(?:leave|keep)\s+(?:${OBJECT}|${KEPT})(?:\s+(?:alone|be|as\s+(?:(?:it|they)\s+)?(?:is|was|are|were)|where\s+(?:it|they|he|she)\s+(?:is|was|are|were)|the\s+way\s+(?:it|they)\s+(?:is|was|are|were)|running|active|on|like\s+that))?|(?:(?:that|it|this)(?:['’]?s|\s+is|\s+was)\s+)?(?:the\s+|a\s+|my\s+)?wrong\s+\p{L}+|(?:${OBJECT}\s+(?:is|was)\s+)?(?:not|n['’]t)\s+(?:needed|necessary|wanted|required)|all\s+good(?:\s+now)?|hold\s+off(?:\s+(?:on|with)\s+${OBJECT})?|wait\s+with\s+${OBJECT}|(?:it\s+)?(?:solved|sorted|fixed)\s+itself)${TAIL}$`,
  'iu',
);
const WHO = String.raw`^(?:(?:ok|okay|no+|nope|nah|oh|ah|well|sorry|actually|and|but|so|hm+|wait)[\s,]+)*(?:(?:because|cause|cuz|cos|as|since|the|our|my|this|that)\s+)*(?:customer|cust|client|caller|subscriber|guy|lady|man|woman|dude|he|she|they|it|\p{L}[\p{L}'’]+(?:\s+\p{Lu}[\p{L}'’]+)?|i|we)(?:['’](?:s|re|ve|d))?`;
const ADVERBS = String.raw`(?:\s+(?:is|are|has|have|had|just|now|actually|really|still|rather|would|will|decided|wants?|prefers?|likes?|says?|said|that|he|she|they|chose|going|gonna|to|do|does|did|instead|apparently))*`;
const STAYS = new RegExp(
  [
    String.raw`${WHO}${ADVERBS}\s+(?:stay|stays|stayed|staying|stick|sticks|sticking|remain|remains|remaining|keep|keeps|keeping)\b(?!\s+(?:calling|asking|texting|getting|saying|losing|having|ringing))`,
    String.raw`${WHO}(?:\s+(?:has|have|just|now))*\s+chang(?:ed|es|ing)\s+(?:his|her|their|its|my|our|the)\s+minds?\b`,
    String.raw`${WHO}(?:\s+(?:just|now|actually))*\s+(?:(?:does|do|did)\s*(?:n['’]?t|not)|dont|doesnt|didnt|no\s+longer|never)\s+(?:even\s+|really\s+|actually\s+)?(?:wants?|wanted|needs?|like|interested|wish(?:es)?)(?:\s+(?:it|that|this|to|us|the|a|his|her|their|port|switch|move|transfer|come|leave|cancel|change|order|number|line|new|over|moved|ported|cancelled|done))*(?:\s+(?:any\s*more|any\s+longer|now|after\s+all))*\W*$`,
    String.raw`${WHO}(?:\s+(?:is|are|was|s|now|am))*\s*(?:n['’]?t|\snot|\sno\s+longer)\s+(?:porting|coming|switching|moving|transferring|leaving|going|interested|cancelling|canceling|joining)\b`,
    String.raw`${WHO}(?:\s+(?:has|have|just))*\s+(?:backed|backs|backing|pulled|pulls|pulling|bailed|chickened)\s+out\b`,
    String.raw`${WHO}(?:\s+(?:has|have|just))*\s+(?:decided|deciding)\s+(?:against|not\s+to)\b`,
    String.raw`\bcold\s+feet\b|^chang(?:ed|e)\s+of\s+(?:mind|heart|plans?)\b|^changed\s+(?:his|her|their)\s+minds?\b`,
  ].join('|'),
  'iu',
);
/** Begins a question or a condition, which ends nothing. */
const ASKS =
  /^(?:if|unless|when|what|why|how|who|where|which|is|are|was|were|did|does|do\s+(?:we|i|you|they)|has|have|should|am|may|might|(?:can|could|will|would)\s+(?!(?:you|u|we|i|someone|somebody)\b))\b/i;
const PARTS =
  /([.,;:!?\n]+)(?:\s|$)|\s+[-–—]+>?\s+|\s+(?=(?:but|so|then|because|cuz|cos|as|since)\s)|(?<=\b(?:never\s*mind|nvm))\s+(?=\p{L})|(?<=\b(?:abort|(?:forget|cancel|scratch|stop|drop|kill|leave|skip)\s+(?:it|that|this)|call\s+it\s+off|(?:do\s*n['’]?o?t|do\s+not|no\s+need\s+to)\s+bother|no\s+need|not\s+needed))\s+(?=(?:he|she|they|the|customer|cust|client|its|it|we|i)\b)/iu;
/** A condition, or another order in words that have more meanings. */
const BINDS =
  /\b(?:if|unless|until|till|til|before|after|only|except|instead)\b|^\W*(?:(?:and|so|then|just|but|please)\s+)*(?:hold|park|suspend|pause|freeze)\s+(?:it|that|this|her|him|them)\b|^\W*but\s+not\b/i;
const NEEDED = /\bbefore\s+it\b|\bafter\s+all\b/i;
const MAX_LENGTH = 160;

/**
 * Reads what a message ends, if that is all of it. Undefined for any other message, and for one that names a value.
 *
 * @param hasValues true if the text names a line, a number or an amount
 * @param refuses true for a part that says not to do what is offered
 */
export function endingIn(
  text: string,
  hasValues: (part: string) => boolean,
  refuses: (part: string) => boolean = () => false,
): Ending | undefined {
  if (text.length > MAX_LENGTH || /["“”„]/.test(text)) return undefined;
  const pieces = respelled(text)
    .text.replace(/\b(\p{L}+)(?:\s+\1\b)+/giu, '$1')
    .split(PARTS);
  const parts = pieces.flatMap((piece, at) =>
    at % 2 === 0 && piece?.trim() ? [{ text: piece.trim(), isAsked: (pieces[at + 1] ?? '').includes('?') }] : [],
  );
  let found: Ending | undefined;
  for (const part of parts) {
    if (BINDS.test(part.text) && !NEEDED.test(part.text)) return undefined;
    const isRefusal = refuses(part.text);
    if (!isRefusal && hasValues(part.text)) return undefined;
    const said = endingOf(part.text) ?? (isRefusal ? REFUSED : undefined);
    const isPolite = /^\W*(?:(?:ok|okay|so|and|please|pls)\s+)*(?:can|could|would|will)\s+(?:you|u)\b/i.test(part.text);
    if (said) {
      if (part.isAsked && !isPolite) return undefined;
      found = found === undefined || found.says === 'back' || said.says === 'cancel' ? said : found;
    } else if (orders(part.text) || (ASKS.test(part.text) && part.isAsked)) return undefined;
  }
  return found;
}

const REFUSED: Ending = { says: 'back', verb: '' };

function endingOf(part: string): Ending | undefined {
  const stopped = STOPPED.exec(part)?.[0];
  if (stopped !== undefined && !orders(part.slice(stopped.length)) && WHOSE.test(part.slice(stopped.length)))
    return { says: 'back', verb: '' };
  const rest = part.replace(LEAD, '').trim();
  const match = CANCELS.exec(rest);
  if (match) {
    const object = Object.values(match.groups ?? {}).find((one) => one !== undefined);
    const verb = /\bcancel|\bterminat/i.test(rest) ? 'cancel' : (/^\p{L}+/u.exec(rest)?.[0].toLowerCase() ?? '');
    return { says: 'cancel', verb, ...(object !== undefined && { object }) };
  }
  if (!ASKS.test(part) && (KEEPS.test(rest) || isRetraction(part))) return { says: 'back', verb: '' };
  return !ASKS.test(part) && (STAYS.test(part) || STAYS.test(rest)) ? { says: 'stays', verb: '' } : undefined;
}

const STOPPED = /^\W*(?:no[\s,]+wait|wait[\s,]+no|stop(?:[\s,]+stop)*)[\s,]+/i;
const WHOSE = /^(?:the\s+)?(?:he|she|they|it|customer|cust|client|subscriber)\b/i;

/** True for a part that asks for something else. */
export function orders(part: string): boolean {
  return wordsOf(part).some(
    ({ acts, isPast }) => !isPast && acts.some((act) => !/^(?:show|trouble|happen|need|count|check|decide)$/.test(act)),
  );
}
