import { wordsOf } from '../../../language/sentence.ts';
import { COURTESY } from '../facts/beginnings.ts';
import { isPlanName } from '../facts/plans.ts';
import type { Plainer } from './plain-words.ts';

/*
 * This file puts orders with a noun in place of their verb, or with a value of another kind, into the words that the
 * families have: "process the cancellation of 0110", "give 0110 to the globex subscriber", "EID 8904… for 0105".
 */

const WHOLE = String.raw`\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)`;
const LINE = String.raw`(?:(?:number|line)\s+)?(?:[#…*]*\d{4}(?![\w-])|${WHOLE})`;
const LINES = String.raw`${LINE}(?:(?:\s*[,&]\s*(?:and\s+)?|\s+and\s+)${LINE})*`;
const WORD = String.raw`\p{L}[\p{L}'’-]+`;

/** True for words that neither the vocabulary nor everyday English has. */
function isName(words: string): boolean {
  return words !== '' && wordsOf(words).every(({ isUnknown }) => isUnknown) && !isPlanName(words);
}

/* Conditions that are only polite, and a customer's change of mind beside an order */

const IF_POSSIBLE =
  /[\s,]*\bif\s+(?:(?:you|u|we|that|it)\s+(?:still\s+)?can(?:\s+still)?(?:\s+be\s+done)?|(?:(?:it['’]?s|it\s+is|that['’]?s|that\s+is)\s+)?(?:still\s+|at\s+all\s+)?possible|(?:(?:it['’]?s|it\s+is)\s+)?not\s+too\s+late(?:\s+yet)?)(?=\s*(?:$|[,.;!]|\b(?:please|pls|plz|thanks|thx)\b))/giu;
const THEIR_MIND =
  /(?<=\p{L}|\d)(?<!\b(?:but|no|wait|actually|oh|oops|sorry|nvm|so|because|since|as|and|the|our))\s+(?=(?:the\s+|our\s+)?(?:customer|cust|client|subscriber|caller|owner|he|she|they)\s+(?:has\s+|have\s+|just\s+)*changed\s+(?:her|his|their)\s+minds?\b)/giu;

const NO_PORT = new RegExp(
  String.raw`^\W*${COURTESY}(?:the\s+|our\s+)?(?:customer|client|cust|subscriber|caller|owner|guy|he|she|they)\s+(?:has\s+|have\s+|just\s+)*(?:changed\s+(?:her|his|their)\s+minds?\s+about|no\s+longer\s+wants?|does\s*n['’]?o?t\s+want|decided\s+against)\s+(?:the\s+|to\s+)?port(?:ing|[\s-]?in)?\s+(?:in\s+)?(?:(?:of|for)\s+)?(?:number\s+)?(?<number>${WHOLE})`,
  'iu',
);

/** "The customer changed his mind about porting +1…": the order is to be cancelled. */
export function withoutPort(text: string): Plainer {
  const number = NO_PORT.exec(text)?.groups?.number;
  return { text: number === undefined ? text : `cancel the port of ${number.trim()}`, told: [] };
}

/** "Cancel the cancellation of 0107 if you still can": the card says anyway whether it can be done. */
export function withoutCourtesy(text: string): string {
  return text.replace(IF_POSSIBLE, '').replace(THEIR_MIND, ', ');
}

/* A noun in place of the verb */

const DEEDS: readonly (readonly [noun: string, verb: string])[] = [
  ['(?:cancell?ations?|cancell?ing|cancel|disconnection|disconnect|termination|deactivation)', 'cancel'],
  ['(?:hold|suspension|suspend|pause|freeze)', 'hold'],
  ['(?:re-?activation|reactivate|restoration)', 'reactivate'],
  ['(?:activation|activate)', 'activate'],
];
const DOES = String.raw`(?:schedule|book|plan|do|arrange|process|execute|perform|submit|complete|finish|carry\s+out|push\s+through|put\s+through|put\s+in|make|place|set\s+up|handle|go\s+ahead\s+with|proceed\s+with|start|begin|request|initiate|need|want)`;
const AS_NOUN = DEEDS.map(
  ([noun, verb]) =>
    [
      new RegExp(
        String.raw`^(?<head>\W*${COURTESY})${DOES}\s+(?:(?:the|a|an|another|this)\s+)?${noun}\s+(?:of|for|on)\s+(?<line>${LINES})(?:\s+(?:for|on)\s+(?=(?:\p{L}+\s+)?(?:\d|the\s+\d|mon|tue|wed|thu|fri|sat|sun|tomorrow|today|next|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)))?`,
        'iu',
      ),
      verb,
    ] as const,
);

/** "Schedule the cancel of 0110 for dec 1st" */
export function nounDeeds(text: string): Plainer {
  for (const [pattern, verb] of AS_NOUN) {
    const { head = '', line } = pattern.exec(text)?.groups ?? {};
    if (line === undefined) continue;
    const rest = text.replace(pattern, '');
    return {
      text: `${head}${verb} ${line}${/^\s*[\p{L}\d]/u.test(rest) && !/^\s/.test(rest) ? ' on ' : ''}${rest}`,
      told: [],
    };
  }
  return { text, told: [] };
}

/* A customer by name and kind */

const KIND = '(?:subscriber|customer|client|user|guys?|people|folks|team)';
const NAMED_KIND = new RegExp(
  String.raw`\b(?<to>to|for)\s+the\s+(?<name>${WORD}(?:\s+${WORD})?)\s+${KIND}(?=\s*(?:$|[,.;!]|\b(?:please|pls|plz|now|today|tomorrow|and|asap)\b))`,
  'iu',
);

/** "Give 0110 to the globex subscriber" */
export function namedKind(text: string): Plainer {
  const { to, name = '' } = NAMED_KIND.exec(text)?.groups ?? {};
  return { text: isName(name) ? text.replace(NAMED_KIND, `${to} ${name}`) : text, told: [] };
}

const RENAMES = new RegExp(
  String.raw`\b(?:rename|change\s+(?:the\s+)?name\s+of)\s+(?:the\s+|our\s+)?(?<name>(?:${WORD}\s+){1,2}(?:mobile|wireless|telecom|communications|family|inc|llc|ltd|gmbh|group|corp|company))\b(?:['’]s\s+name)?\s+(?=(?:to|as|into)\s)`,
  'iu',
);

/** "Rename acme mobile to Acme Wireless Inc": a company is an account. */
export function renamedCompany(text: string): Plainer {
  const told = ['. Read as the name of an account: a subscriber is renamed with “rename the subscriber NAME to NAME”'];
  const plan = /\brename\s+(?<name>[\p{L}\d]+)\s+(?=(?:to|as)\s)/iu.exec(text)?.groups?.name;
  if (plan !== undefined && isPlanName(plan)) return { text: text.replace(`${plan} `, `the ${plan} plan `), told: [] };
  const name = RENAMES.exec(text)?.groups?.name;
  if (name === undefined || /\b(?:account|subscriber|customer|plan|package|product|route|caller|line)\b/iu.test(name))
    return { text, told: [] };
  return { text: text.replace(RENAMES, `rename the account ${name} `), told };
}

/* The number of a phone's eSIM chip */

const EID = /[\s,;(]*\bEID\b\s*(?:is|number|no|nr|[:=#])?\s*:?\s*(?:(?=\d{20,40}\b)\d+|\[[^\]]*\])?\)?/giu;

/** "EID 8904… for 0105": a SIM swap needs another number. */
export function withoutEid(text: string): Plainer {
  const line = [...text.replace(EID, ' ').matchAll(new RegExp(String.raw`(?<![\d-])${LINE}`, 'gu'))].map(([one]) =>
    one.trim(),
  );
  if (!/\bEID\b/iu.test(text) || line.length !== 1) return { text, told: [] };
  const told = '. Not taken: the EID, which is the phone’s. A SIM swap takes the ICCID of the new SIM: 18 to 22 digits';
  const isNew = /\b(?:new|another|second)\s+(?:\p{L}+\s+)?(?:line|number)\b/iu.test(text);
  return { text: isNew ? text.replace(EID, '') : `swap the sim of ${line[0]}`, told: [told] };
}

/* Details of a port-in that should be others */

const DETAIL = String.raw`(?<what>(?:account|acct)(?:\s*(?:number|no|nr|#|id))?|zip(?:\s*code)?|carrier|(?:billing\s+)?(?:name|address))`;
const PORT_OF = String.raw`(?:port(?:ing|[\s-]?in)?|transfer)\s+(?:order\s+|request\s+)?(?:(?:of|for|on)\s+)?(?:number\s+)?(?<number>${WHOLE})`;
const SHOULD = String.raw`(?:should|must|has\s+to|needs\s+to|ought\s+to)\s+(?:have\s+been|be|read|say)`;
const RIGHT_DETAIL = [
  String.raw`(?:the\s+)?${DETAIL}\s+(?:on|of|for|in|with)\s+(?:the\s+|our\s+|that\s+)?(?:${PORT_OF}|(?<order>(?:(?:port|order)\s+)*JNUOID-[\w-]{6,}))\s+(?:${SHOULD}|is|should)\s+(?<value>[^,;!?]+?)`,
  String.raw`(?:the\s+)?${DETAIL}\s+(?:on|of|for|in|with)\s+(?:the\s+)?(?<number>${WHOLE})\s+port(?:[\s-]?in)?\s+${SHOULD}\s+(?<value>[^,;!?]+?)`,
  String.raw`[^;!?\d]*?\b${DETAIL}\s+(?:is|was|seems)\s+(?:wrong|incorrect|bad|invalid|off)\s+(?:on|of|for|in|with)\s+(?:the\s+)?(?:port\s+(?:of|for)\s+)?(?<number>${WHOLE})[\s,;:.–—-]+(?:(?:and|but|it|that|the|correct|right|one|real)\s+)*(?:${SHOULD}|is|it['’]s|its|use)\s+(?<value>[^,;!?]+?)`,
  String.raw`(?:correct|change|fix|update|set)\s+(?:the\s+)?${DETAIL}\s+(?:on|of|for|in)\s+(?:the\s+|our\s+|that\s+)?(?:${PORT_OF}|(?<order>(?:(?:port|order)\s+)*JNUOID-[\w-]{6,}))\s+(?:to|into)\s+(?<value>[^,;!?]+?)`,
  String.raw`(?:the\s+|our\s+)?${PORT_OF}\s+(?:should|must|has\s+to|needs\s+to)\s+(?:have|use|get)\s+(?:the\s+)?${DETAIL}\s+(?<value>[^,;!?]+?)`,
].map(
  (pattern) =>
    new RegExp(
      String.raw`^(?<head>\W*${COURTESY})${pattern}(?:[\s,]+(?:and\s+)?(?<not>(?:not|instead\s+of)\s+[^,;!?]+?))?\s*[.!]*$`,
      'iu',
    ),
);

/** "To Verizon" says that a line leaves, so the carrier is put after a colon. */
export function to(field: string): string {
  return field === 'carrier' ? ': ' : ' to ';
}

/** "The zip on the port of 3125550111 should be 60615 not 60614" */
export function rightDetail(text: string): Plainer {
  const found = RIGHT_DETAIL.map((pattern) => pattern.exec(text)?.groups).find((one) => one !== undefined);
  const { head = '', what = '', order, number = order ?? '', value = '', not } = found ?? {};
  if (number === '') return { text, told: [] };
  const field = /^ac/i.test(what) ? 'account number' : what.toLowerCase();
  return {
    text: `${head}correct the ${field} of the port of ${number.trim()}${to(field)}${value.trim()}`,
    told: not === undefined ? [] : [`; left out, as you say: “${not}”`],
  };
}
