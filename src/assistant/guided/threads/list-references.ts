import type { Meant, Topic } from '../answers/topics.ts';

/* Messages about a number on a list of a customer's filter, which an earlier message names: "unblock it again". */

const LIST_DEED =
  /\b(unblock|block|allow|whitelist|blacklist)(?:ed)?\s+(it|that|this|them|him|her|(?:that|this|the)\s+(?:number|caller|one))(?=\s*(?:$|[.!?,;]|\b(?:again|back|too|please|pls|then|now|instead|after|also)\b))/i;
const IS_LISTED =
  /\b(is)\s+(it|that|this|[#…*]*\d{4}|(?:that|this|the)\s+(?:number|caller|one))\s+(?:(?:now|still|already|really|also)\s+)*(blocked|allowed)\b/i;
const OTHER_TRAFFIC =
  /^\W*(?:(?:and|also|ok|okay|please|pls|same|block|unblock|it|them|that|do|the)[\s,]+)*(?:for|from)?\s*(?:the\s+|his\s+|her\s+|their\s+)?(texts?|sms|messages?|calls?)(?:\s+(?:too|also|as\s+well|please|pls))*[\s.!?]*$/i;
const LISTS_NUMBER =
  /^\W*(?:(?:ok|okay|so|then|and|please|pls|can|could|you|we|now|also|thx|thanks|thank|ty|great|cool)[\s,.!]+)*(?:unblock|block|allow|whitelist|blacklist)\s+(?:(?:calls|texts)\s+from\s+)?\+?\(?\d[\d\s().-]{8,16}\d(?:\s+(?:please|pls|too|again|now))*[\s.!]*$/i;
const WHAT_ELSE =
  /^\W*(?:(?:and|so|ok)\s+)*(?:who|what|which\s+(?:other\s+)?numbers?|anyone|anybody)\s*(?:['’]s|s|is|are)?\s*(?:else\s+|all\s+|is\s+|are\s+|still\s+|now\s+)*(?:blocked|allowed)[\s?!.]*$/i;
const OWN_LIST = String.raw`(?:his|her|their|the|that|its)\s+(?:(?<list>allow|block)(?:ed)?\s*-?\s*)?lists?\b`;
/** "Take that number off her list" */
const OFF_LIST = new RegExp(
  String.raw`\b(?<verb>take|remove|get|drop|delete)\s+(?:it|that|this|(?:that|this|the)\s+(?:number|caller|one))\s+(?:off|from|out\s+of)\s+${OWN_LIST}`,
  'iu',
);
/** "What's on her list now" */
const ON_LIST = new RegExp(
  String.raw`^\W*(?:(?:and|so|ok|now)[\s,]+)*(?:what|who|which\s+numbers?)\s*(?:['’]s|s|is|are)?\s+(?:all\s+|now\s+|currently\s+|else\s+)*on\s+${OWN_LIST}(?:\s+(?:now|then|at\s+the\s+moment))*[\s?!.]*$`,
  'iu',
);
const LISTS = /\b(?:un)?block\w*|\b(?:dis)?allow\w*|\bwhitelist\w*|\bblacklist\w*/i;
const BARE_LISTING = /(?:^|[\s,;.])(unblock|block|allow)(?:\s+(?:again|please|pls|then|now|instead))*[\s.!]*$/i;
const WHO_CALLED =
  /\bwho(?:s|['’]s|\s+is)?\s+(?:has\s+|just\s+|always\s+|keeps\s+)?(?:call|text|r[iau]ng|phone|messag|wr[io]te|bother|spam)\p{L}*/iu;

/** The message about the list of a customer's filter on which a number was put: "take it off her list". */
function ofOwnList(text: string, whom: string, { caller, message = '' }: Topic): string | undefined {
  const { verb, list: named } = OFF_LIST.exec(text)?.groups ?? {};
  const list = /\b(?:allow|whitelist)/i.test(message) ? 'allow' : 'block';
  if (verb !== undefined && caller !== undefined) return `${verb} ${caller} off the ${named ?? list} list of ${whom}`;
  const shows = ON_LIST.exec(text)?.groups;
  const isKnown = shows && (caller !== undefined || LISTS.test(message));
  return isKnown ? `show the ${shows.list ?? list} list of ${whom}` : undefined;
}

/** "Block +1917… for Ava", and then "unblock it again", "for texts too": the number on her list. */
export function ofLists(text: string, topic: Topic): Meant | undefined {
  const { caller, line, person, message = '' } = topic;
  const whom = line ?? person;
  if (whom === undefined) return undefined;
  const own = ofOwnList(text, whom, topic);
  if (own !== undefined) return { text: own, kind: 'read' };
  if (/\bon\b/i.test(text)) return undefined;
  const [traffic, kind = ''] = OTHER_TRAFFIC.exec(text) ?? [];
  if (traffic !== undefined && caller !== undefined) {
    const verb = /\b(?:unblock|block|allow)/i.exec(message)?.[0].toLowerCase() ?? 'block';
    const what = /^call/i.test(kind) ? 'calls' : 'texts';
    return { text: `${verb} ${what} from ${caller} for ${whom}`, kind: 'read' };
  }
  const [asked, is, one = '', listed] = IS_LISTED.exec(text) ?? [];
  // The end of the caller's number is no line.
  const isEnd = /\d/.test(one) && caller?.replace(/\D/g, '').endsWith(one.replace(/\D/g, '')) !== true;
  if (isEnd) return undefined;
  if (asked !== undefined && caller !== undefined)
    return {
      text: text.replace(asked, () => `${is} ${caller} ${listed} for ${whom}`),
      kind: 'refers',
      word: { said: one, means: caller },
    };
  if (WHAT_ELSE.test(text))
    return { text: `${text.replace(/[\s?!.]+$/, '')} ${line === undefined ? 'for' : 'on'} ${whom}`, kind: 'read' };
  const [, bare] = BARE_LISTING.exec(text) ?? [];
  if (bare !== undefined && caller !== undefined && !/\bnot\b|n['’]t\b|\bfor\b/i.test(text))
    return { text: `${bare} ${caller} for ${whom}`, kind: 'read' };
  if (caller === undefined && LISTS_NUMBER.test(text)) {
    // "Block 2025550183" after "who can text ben" is about texts.
    const isOfTexts = /\b(?:text|sms|messag)/i.test(message) && !/\bcall|\d\s+from\b/i.test(`${message} ${text}`);
    const plain = text.replace(/[\s.!]+$/, '');
    const said = isOfTexts ? plain.replace(/(?=\+?\(?\d)/, 'texts from ') : plain;
    return { text: `${said} for ${whom}`, kind: 'read' };
  }
  const [all, verb = '', said = ''] = LIST_DEED.exec(text) ?? [];
  if (all === undefined || /\bfor\b/i.test(text)) return undefined;
  // "Who called 0101", and then "block them": the numbers are in the answer.
  if (caller === undefined)
    return WHO_CALLED.test(message) ? { text: `${verb} callers for ${whom}`, kind: 'read' } : undefined;
  return {
    text: text.replace(all, () => `${verb} ${caller} for ${whom}`),
    kind: 'refers',
    word: { said, means: caller },
  };
}
