import { wordsOf } from '../../../language/sentence.ts';
import { withoutLead } from '../facts/beginnings.ts';

/*
 * The first words of a message that belong to the talk and to no order: "hold on, that was for Ava" pauses it, and "ok
 * give her 40 then" agrees with what was said. Read as a part of the order, "hold on" is a hold, and "ok text" a noun.
 */

const SMALL = String.raw`(?:(?:oh|ah|uh|um|no+|nope|nah|ok|okay|k|hey|sorry|sry|please|pls|ups|oops|whoops|wait|actually|hm+)[\s,.!]+)*`;
const PAUSE = String.raw`(?:(?:hold|hang)\s+(?:on|up)|hold\s+your\s+horses|(?:wait\s+)?(?:(?:just\s+)?(?:a|one)\s+)(?:sec(?:ond)?|min(?:ute)?|moment)|whoa|stop)`;
/** Words that begin another sentence. A hold is put on a number, a name or a noun. */
const GOES_ON = String.raw`(?:(?:that|this|it)(?=['’]?s\b|\s+(?:is|was|were|should|isn|wasn|needs?|must|has))|its|thats|(?:s?he|they|we|i|you)(?:['’]\p{L}+)?|not|no|wrong|sorry|is|are|was|were|did|does|do|can|could|what|who|why|when|which|how|wait|actually|there|(?:the\s+|my\s+|our\s+)?(?:customer|client|caller)\s+\p{L}+)\b`;
const PAUSES = new RegExp(
  String.raw`^(?<lead>\W*${SMALL})${PAUSE}(?:[\s,]+(?:please|pls|there))*(?:\s*[,.;:!–—-]+\s*|\s+(?=${GOES_ON}))(?=\S)`,
  'iu',
);
const AGREES =
  /^\W*(?:(?:ok|okay|k|kk|alright|all\s+right|right|sure|fine|great|cool|perfect|good|nice|thanks|thx|awesome|got\s+it|then|well|so)\b[\s,.!:–—-]*)+/iu;
/** "Ok can we move it to dec 8" */
const POLITE =
  /^(?:(?:can|could|shall|may)\s+(?:we|you|u|i)\s+(?:please\s+|pls\s+|just\s+)?|let['’]?s\s+|we\s+(?:want|need)\s+to\s+)/iu;
const THEN = /[\s,]+then(?=[\s.!?]*$)/i;
/** Verbs of a decision, which no words make: "ok, approve it" is answered as a yes. */
const DECIDES: ReadonlySet<string> = new Set(['approve', 'decide', 'confirm']);

/** Words of chats at the end of a part: "who is ava blocking atm". The text of a message keeps them. */
const CHAT = /(?:[\s,]+(?:tho|though|atm|rn|lol|lmao|haha+|btw|fyi|imo|tbh|smh|innit))+(?=\s*(?:$|[,.;!?]))/giu;
const HAS_TEXT = /["“„:]|\b(?:text|sms|message|msg|tell|write|send|saying|says?)\b/iu;

function withoutChat(said: string): string {
  const plain = HAS_TEXT.test(said) ? said : said.replace(CHAT, '');
  return /[\p{L}\d]/u.test(plain) ? plain : said;
}

/** "His mail is tom.hale@globex.example sorry": nothing behind it corrects the address. */
const SORRY_BEHIND_MAIL = /(?<=@\S{3,80})[\s,]+(?:sorry|sry|oops)[\s.!]*$/iu;

/** Other words for "sorry" before a correction: "erm, i mean", "my bad, zip …". */
const REGRETS = new RegExp(
  String.raw`^(?<lead>\W*${SMALL})(?:erm+|er|ehm+|soz|apologies|my\s+(?:bad|mistake|fault|apologies)|silly\s+me|correction|typo)\b[\s,.:;!–—-]+(?=\S)`,
  'iu',
);
/** "…, they say": who said it, behind what was said. */
const SAID_BY =
  /(?<=\d[\p{L}\d-]*|\p{L}{2,}\s+\p{L}+\s+\p{L}+)[\s,]+(?:they|he|she|the\s+(?:carrier|customer))\s+(?:say|says|said|told\s+(?:me|us)|tells?\s+(?:me|us)|claims?)[\s.!]*$/iu;
const ASKS = /^\W*(?:(?:and|so)\s+)*(?:what|who|which|when|where|why|how|did|does|do)\b/iu;

/** "So no park", after a hold was offered. */
const NO_DEED =
  /^\W*(?:(?:so|ok|okay|then|please|pls|and|but|oh|wait)[\s,]+)*no\s+(?:park(?:ing)?|hold|suspension|pause|cancel(?:l?ation)?|swap|port(?:[\s-]?(?:in|out))?|reactivation)(?:[\s,]+(?:please|pls|then|for\s+now|yet|after\s+all|needed|any\s?more))*[\s.!]*$/iu;

/** The message without the words that only agree with what was said, and with "wait" for a pause. */
export function plainTalk(typed: string): string {
  if (NO_DEED.test(typed)) return 'forget it';
  const heard = withoutChat(withoutLead(typed.replace(SORRY_BEHIND_MAIL, ''))).replace(REGRETS, (_, lead: string) =>
    /\p{L}/u.test(lead) ? lead : `${lead}sorry, `,
  );
  const said = ASKS.test(heard) || HAS_TEXT.test(heard.replace(SAID_BY, '')) ? heard : heard.replace(SAID_BY, '');
  const paused = said.replace(PAUSES, '$<lead>wait, ');
  if (paused !== said) return paused;
  const order = said.replace(AGREES, '');
  const [first] = wordsOf(order.replace(POLITE, ''));
  const isOrder = first !== undefined && !first.isPast && first.acts.some((act) => !DECIDES.has(act));
  return order !== said && isOrder ? order.replace(THEN, '') : said;
}
