import { wordsOf } from '../../language/sentence.ts';
import { unmarked } from './times.ts';

/* Sentences that ask for what nothing here does, and sentences that only an earlier message explains. */

const REMINDS =
  /\bremind\s+(?:me|us|myself|ourselves)\b|\b(?:set|create|add|make|put|need|want)\s+(?:\p{L}+\s+){0,3}?reminders?\b/iu;
/** "Stop texting 0101": nobody does it unless somebody asks for a message. Others' messages are stopped by a block. */
const STOPS_SENDING =
  /^\W*(?:(?:please|pls|plz|hey|hi|ok|so|and|can|could|would|you|we|i|want|to|should|must|let['’]?s|just)[\s,]+)*(?:(?:stop|quit|cease|end)\s+(?:(?:with|our|the|all|any)\s+)*(?:texting|messaging|calling|phoning|ringing|writing|sending|sms(?:ing)?)|(?:no\s+more|do\s*n['’]?o?t\s+send(?:\s+any)?(?:\s+more)?)\s+(?:texts?|messages?|sms|calls?)\s+to)\b(?![^,.;!?]*\bfrom\b)/iu;
/** "No, make it 0105", "I meant Ava", "the same for 0104". */
const CONTINUES =
  /^\W*(?:(?:no|nope|sorry|wait|oops|actually|oh|ok|okay|and|please|but|ah|hm+)[\s,]+)*(?:(?:make|do)\s+(?:it|that|this|the\s+same)\b|(?:i|we)\s+(?:mean|meant)\b|(?:the\s+)?same\s+(?:for|with|again|thing)\b|rather\b|not\s+[#…]*[\p{L}\d]+[\s,;.]+(?:but\s+)?[#…]*[\p{L}\d]+\s*$|(?<=\bno\W+)(?:for\s+)?[#…]*\d{4,}\s*[.!]*$)/iu;

/** What a sentence asks for that cannot be done here, in words that follow "…". Undefined for other sentences. */
export function outsideOf(said: string): string | undefined {
  if (REMINDS.test(said)) return 'Switchboard cannot remind you. To have something done, write it when it is time';
  if (STOPS_SENDING.test(said))
    return 'Switchboard sends a message only when somebody asks for it, so there is nothing to stop. To block another number for a customer, write “block NUMBER for CUSTOMER”';
  if (CONTINUES.test(said) && !hasDeed(said.replace(/\b(?:make|do|mean|meant)\b/gi, ' ')))
    return 'Each message is read on its own, and this one does not say what to do. Write the whole order, such as “park 0103”. What was offered before is as it was';
  return undefined;
}

function hasDeed(text: string): boolean {
  return wordsOf(unmarked(text).replace(/\d/g, ' ')).some(({ acts }) => acts.length > 0);
}
