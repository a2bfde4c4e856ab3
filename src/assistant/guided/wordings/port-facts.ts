import type { Plainer } from './plain-words.ts';

/*
 * Details of a port-in that are told as facts, without a word for the order or a verb: "losing carrier is actually Mint
 * Mobile", "the sim for that port is 8901…", "billing address on the 0111 port is …". A detail that has a value corrects
 * the order, and asks nothing about it.
 */

const HEAD = String.raw`^(?<head>\W*(?:(?:please|pls|plz|so|ok|okay|and|hey|hi|hello|fyi|also|btw|sorry|no|wait|oh)\b[\s,:!–-]+)*)`;
const WHOLE = String.raw`\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)`;
const NUMBER = String.raw`(?<number>${WHOLE}|[#…*]*\d{4}(?!\d)|(?:order\s+)?JNUOID-[\w-]{6,})`;
const DETAIL = String.raw`(?<what>(?:account|acct)(?:\s*(?:number|no|nr|#))?|zip(?:\s*code)?|(?:losing\s+|old\s+|current\s+)?(?:carrier|provider)|(?:billing\s+|authori[sz]ed\s+|subscriber\s+|account\s+)?(?:name|address)|(?:new\s+)?(?:e?sim|iccid)(?:\s+(?:number|card))?)`;
const IS = String.raw`\s*(?:\b(?:is|was|are|(?:should|must|has\s+to|needs\s+to|ought\s+to)\s+(?:be|read|say))\b(?:\s+(?:now|actually|really|in\s+fact))*|[:=])\s*`;
const VALUE = String.raw`(?<value>(?!(?:wrong|right|correct|missing|ok|okay|fine|not|incorrect|what|still|there|needed|the\s+problem)\b)[\p{L}\d#][^;!?]*?)(?<not>[\s,]+(?:and\s+)?(?:not|instead\s+of)\s+[^,;!?]+?)?(?:[\s,;–-]+(?:(?:the|it['’]?s|that['’]?s|this\s+is|is)\s+)*(?:for\s+)?(?:port(?:[\s-]?in)?\s+)?(?:order|port|number)\s+(?:(?:is|for|of|on)\s+)*(?<after>${WHOLE}|JNUOID-[\w-]{6,}))?\s*[.!]*$`;
const A_PORT = String.raw`(?:(?:the|that|this|her|his|their|our|my)\s+)?(?:port(?:ing)?(?:[\s-]?in)?(?:\s+(?:order|request))?)`;
const FACTS = [
  // "Losing carrier is actually Mint Mobile"
  String.raw`(?:(?:the|her|his|their)\s+)?(?<what>(?:losing|old|previous|former)\s+(?:carrier|provider|operator))${IS}${VALUE}`,
  // "Billing address on the 0111 port is …"
  String.raw`(?:(?:the|her|his|their)\s+)?${DETAIL}\s+(?:on|of|for|in|with)\s+(?:the\s+|that\s+|this\s+)?${NUMBER}\s+port(?:[\s-]?in)?(?:\s+order)?${IS}${VALUE}`,
  // "The sim for that port is 8901…", "zip of the port of +1… is 60614"
  String.raw`(?:(?:the|her|his|their)\s+)?${DETAIL}\s+(?:on|of|for|in|with)\s+${A_PORT}(?:\s+(?:of|for)\s+${NUMBER})?${IS}${VALUE}`,
].map((pattern) => new RegExp(`${HEAD}${pattern}`, 'iu'));
const ASKS = /\?\s*$|["“„]|\b(?:if|whether)\b/iu;

/** The fact as a correction of the order. Any other sentence as it is. */
export function withPortFact(text: string): Plainer {
  const found = ASKS.test(text) ? undefined : FACTS.map((pattern) => pattern.exec(text)?.groups).find((one) => one);
  const { what = '', after, number = after, value = '', not } = found ?? {};
  if (!found || what === '' || value.trim() === '') return { text, told: [] };
  const order =
    number === undefined ? 'the port' : /JNUOID/iu.test(number) ? `the port ${number}` : `the port of ${number}`;
  const field = /(?:carrier|provider|operator)$/iu.test(what)
    ? 'carrier'
    : /^ac\S*(?!\s*name)/iu.test(what) && !/name|address/iu.test(what)
      ? 'account number'
      : /sim|iccid/iu.test(what)
        ? 'sim'
        : what.toLowerCase();
  const joined = field === 'carrier' ? ': ' : ' to ';
  return {
    text: `correct the ${field} of ${order}${joined}${value.trim()}`,
    told: not === undefined ? [] : [`; left out, as you say: “${not.replace(/^[\s,]+/u, '')}”`],
  };
}

const OF_PORT =
  /\bport(?:s|ed|ing|[\s-]?in)?\b(?![\s-]*(?:out|away)\b)|\b(?:account|acct)\s*(?:number|no|nr|#)|\bcarrier\b/iu;
const SECRET_LATER =
  /(?:^\W*|[,;–-]\s*|\s+(?=(?:and|but)\s))(?:\b(?:and|but|only|just)\b\s+)*(?:(?:the|her|his|their|its|account|transfer|port(?:ing)?|carrier|a)\s+)*\b(?:pin|passcode|password)\b(?:\s+code)?\s*(?:[^,;.!?\d]{0,60}?\b(?:later|tomorrow|tonight|soon|afterwards|follows?|coming|tbd|tba|missing|pending|open|to\s+come|next\s+week|yet|unknown|(?:do\s*n['’]?o?t|does\s*n['’]?t|did\s*n['’]?t)\s+(?:have|know)|not\s+(?:there|here|known)))\b[^,;.!?\d]{0,30}(?=$|[,;.!?])/iu;

/** The message about a port-in without the words for a secret that comes later: its field stays open. */
export function withoutLaterSecret(text: string, earlier: readonly string[]): string {
  const isPort = [text, ...earlier.slice(-3)].some((one) => OF_PORT.test(one));
  const left = isPort && !/["“„]|\?\s*$/u.test(text) ? text.replace(SECRET_LATER, '').trim() : text;
  return /[\p{L}\d]/u.test(left) ? left.replace(/^[\s,;.]+/u, '') : text;
}
