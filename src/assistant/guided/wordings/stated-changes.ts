import { takePostal } from '../facts/postal.ts';
import { isName } from './complaints.ts';
import type { Plainer } from './plain-words.ts';

/*
 * A fact that asks for a change: "the trunk ip changed, it's 203.0.113.44 now", "the password of the Acme route has to be
 * rotated", "Ava switched to another e-mail". The sentence has no verb that orders something, but it gives a new value of
 * something that records have, or says that it needs one. It is read as the order to change it.
 */

const HEAD = String.raw`^(?<head>\W*(?:(?:please|pls|plz|so|ok|okay|and|hey|hi|hello|fyi|also|btw|morning|heads\s+up|note|update)\b[\s,:!–-]+)*)`;
/** Questions, negations and conditions say no new value. The end of a contrast, "not 5060", stays. */
const AGAINST =
  /\?\s*$|^\W*(?:what|whats|which|who|whose|when|where|why|how|is|are|was|were|does|do|did|has|have|can|could|if|should)\b|\b(?:if|unless|whether|never|dont|doesnt|didnt|wasnt|isnt)\b|n['’]t\b|["“„]/iu;
const IP = String.raw`(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])`;
const URL = String.raw`https?:\/\/[^\s<>"“”]*[^\s<>"“”.,;!?)]`;
const MAIL = String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`;
const NAME = String.raw`(?!(?:the|a|an|our|my|his|her|their|its|it|that|this|who|us|me|new|old|customer|cust|client)\b)\p{L}[\p{L}&-]+(?:\s+\p{L}[\p{L}&-]+)?`;
const LINE = String.raw`(?:(?:number|line)\s+)?(?:[#…*]*\d{4}(?![\w-])|\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4})`;
const MUST = String.raw`(?:should|must|shall|(?:has|have|needs?|ought|is\s+supposed|got)\s+to)`;
/** Says that something is another one by now. */
const CHANGED = String.raw`(?:(?:has|have|had|was|were|is|are|got|just|been|being|recently|now|also)\s+)*(?:changed|changes|moved|moves|replaced|renumbered|migrated|updated|switched|different|out\s+of\s+date|outdated|obsolete|no\s+longer\s+(?:valid|right|correct|in\s+use)|wrong|gone|dead|new)\b`;

const PLACE = String.raw`(?:ips?|ip\s+address(?:es)?|address(?:es)?|trunk|pbx|sbc|gateway|server|switch|host|endpoint|peer|urls?|links?|callback)`;
const VALUE_CHANGED = new RegExp(
  String.raw`${HEAD}(?<what>(?:[^\s,;:.!?]+\s+){0,6}?${PLACE}(?:\s+(?:of|for|on)\s+(?:[^\s,;:.!?]+\s+){0,3}?[^\s,;:.!?]+)?)\s+${CHANGED}(?<rest>.*(?:${IP}|${URL}).*)$`,
  'isu',
);
const VALUE_IS = new RegExp(
  String.raw`${HEAD}(?<what>(?=[^,;:.!?]*\b(?:routes?|trunks?|urls?|ips?|pbx|sbc|gateway)\b)(?:[^\s,;:.!?]+\s+){0,7}?[^\s,;:.!?]+)\s*(?:\b(?:is|are|will\s+be|${MUST}\s+be|now)\b(?:\s+(?:now|actually|really|at|on))*|[:=])\s+(?<value>(?:${IP}|${URL}).*)$`,
  'isu',
);

/** "The trunk ip changed, primary is now 203.0.113.44 port 5061" */
function newAddress(text: string): string {
  if (/\bweb\s?hooks?\b|@/iu.test(text)) return text;
  const { head = '', what, rest, value } = (VALUE_CHANGED.exec(text) ?? VALUE_IS.exec(text))?.groups ?? {};
  if (
    what === undefined ||
    /\b(?:change|update|set|make|put|use|point|add|create|new\s+(?:\p{L}+\s+){0,2}(?:route|trunk)\s+(?:called|named))\b/iu.test(
      what,
    )
  )
    return text;
  const isIp = new RegExp(IP, 'u').test(text);
  const known = isIp ? what.replace(/\b(?:pbx|sbc|gateway|server|switch|host|endpoint|peer)\b/iu, 'trunk ip') : what;
  return value === undefined ? `${head}change ${known}${rest}` : `${head}change ${known} to ${value}`;
}

const SECRET = String.raw`(?:passwords?|tokens?|credentials?|secrets?|api\s+keys?)`;
const RENEWED = String.raw`(?:rotat\p{L}+|renew\p{L}*|refresh\p{L}*|chang\p{L}+|reset\p{L}*|replac\p{L}+|regenerat\p{L}+|cycl\p{L}+)`;
const SECRET_DUE = new RegExp(
  String.raw`${HEAD}(?<what>(?:[^\s,;:.!?]+\s+){0,5}?${SECRET}(?:\s+(?:of|for|on)\s+(?:[^\s,;:.!?]+\s+){0,4}?[^\s,;:.!?]+)?)\s+(?:(?:has|have|had|was|were|is|are|got|just|been|now|also|really|wants?|needs?|requires?|must|should|to|be|due|overdue|for|an?|its|ready)\s+)*(?:${RENEWED}|rotation|renewal|leaked|exposed|compromised|stolen|expir\p{L}+|too\s+old|weak|known\s+to)\b`,
  'iu',
);

/** "The password on the Acme message route needs rotating" */
function newSecret(text: string): string {
  const { head = '', what } = SECRET_DUE.exec(text)?.groups ?? {};
  if (what === undefined || new RegExp(`^(?:${RENEWED}|set|update)\\b`, 'iu').test(what)) return text;
  // Those of SIP are on the voice route.
  const where = /\b(?:sip|trunk|pbx)\b/iu.test(what) && !/\broutes?\b/iu.test(text) ? ' of the voice route' : '';
  return text.replace(SECRET_DUE, () => `${head}reset ${what}${where}`);
}

const SERVICE = String.raw`(?:(?:inbound|incoming|outbound)\s+)?(?<service>texts?|texting|sms|mms|messages?|messaging|calls?|voice)`;
const KIND_OF_URL = String.raw`(?<kind>(?:status\s+)?call[\s-]?back|(?:delivery\s+)?receipts?|delivery\s+(?:status|reports?)|dlr)`;
const URL_FIELD = String.raw`(?:(?:an?|the|its|his|her|their|our|new|different|other|another)\s+)*(?:${SERVICE}\s+)?(?:${KIND_OF_URL}\s+)?(?:web\s+)?(?:urls?|address|link|endpoint)(?:\s+(?:on|for|of)\s+(?:(?:the|its|his|her|their|all)\s+)*${SERVICE.replace('<service>', '<after>')})?`;
const TO_URL = String.raw`[\s,;:–-]*(?:\b(?:too|as\s+well|also|now|to|at|as|be|is|its|it['’]s|should\s+be|${MUST}\s+be|the\s+new\s+one\s+is)\b[\s,:]*)*(?<url>${URL})`;
const WANTS_URL = new RegExp(
  String.raw`${HEAD}(?<who>${LINE}|${NAME}?)\s+(?:also\s+|now\s+)?(?:wants?|needs?|would\s+like|asks?\s+for|asked\s+for|requests?|requires?|has|have|uses?|got|gets?)\s+${URL_FIELD}${TO_URL}`,
  'iu',
);
const SETS_URL = new RegExp(
  String.raw`${HEAD}(?:(?:can|could|would|you|u)\s+)*(?:change|set|update|switch|make|fix|move|correct|replace)\s+${URL_FIELD}\s+(?:of|for|on)\s+(?:the\s+)?(?<who>${LINE}|(?:account\s+)?${NAME}?)${TO_URL}`,
  'iu',
);

const OWN_URL = new RegExp(
  String.raw`${HEAD}(?:change|set|update|switch|make|fix|move|correct|replace)\s+(?<who>${LINE}|${NAME}?)['’]?s\s+${URL_FIELD}${TO_URL}`,
  'iu',
);

/** "Acme wants the callback url on texts at https://…", "change the sms url of 0103 to https://…": that of the route. */
function newUrl(text: string): string {
  const found = WANTS_URL.exec(text) ?? SETS_URL.exec(text) ?? OWN_URL.exec(text);
  const { head = '', who = '', service, after = service, kind, url = '' } = found?.groups ?? {};
  const isLine = /\d/u.test(who);
  if (!found || (after === undefined && kind === undefined) || !(isLine || isName(who.replace(/^account\s+/iu, ''))))
    return text;
  const carries = /^(?:call|voice)/iu.test(after ?? '') ? 'voice' : 'message';
  const order = isLine
    ? `send ${carries === 'voice' ? 'calls' : 'texts'} of ${who} to ${url}`
    : `set the ${kind === undefined ? '' : 'callback '}url of ${who}'s ${carries} route to ${url}`;
  return text.replace(found[0], () => `${head}${order}`);
}

/** The name of a customer or an account before a verb. */
const HOLDER = NAME.replace(
  String.raw`(?:\s+\p{L}`,
  String.raw`(?:\s+(?!(?:has|have|had|is|was|got|gets|just|now|new|also|and|changed|changes|switched|moved|updated|uses|wants|says|calls|called|e-?mail|mail)\b)\p{L}`,
);
/** "Bens" is Ben, and "James" is not. */
const OF_NAME = /(?<=^(?:\p{L}+\s+)?(?:\p{L}{2}a|\p{L}+[^aeiousy]))s$/iu;

const NEW_MAIL = new RegExp(
  String.raw`${HEAD}(?:(?:the\s+)?(?:customer|cust|client|subscriber|account)\s+)?(?<who>${HOLDER})(?:['’]s)?[\s,]+(?=(?:[^@]*\s)?(?:changed|changes|switched|new|updated|moved|different|uses|another|now|no\s+longer|old)\b)(?=[^@]*\be?-?mail)(?:[^@]*?\b(?<kind>invoice|billing|contact|admin|account)\s+(?=e?-?mail))?[^@]*?(?<mail>${MAIL})(?=\s*(?:now|please|pls|plz|thanks|from\s+now\s+on)?[\s.!]*$)`,
  'isu',
);
const MAKES = /\b(?:add|create|register|sign(?:ed)?\s+up|port|text|send|swap|customer\s+is|change|update|set|fix)\b/iu;

/** "Ava changed her email: …", "acme moved, new invoice email is …" */
function newMail(text: string): string {
  const found = NEW_MAIL.exec(text);
  const { head = '', who: said = '', kind, mail = '' } = found?.groups ?? {};
  const who = said.replace(OF_NAME, '');
  if (!found || !isName(who) || MAKES.test(text.replace(mail, ' '))) return text;
  return text.replace(
    found[0],
    () => `${head}change the ${kind === undefined ? '' : `${kind} `}email of ${who} to ${mail}`,
  );
}

const CALLER_NAME = String.raw`(?:caller[\s-]*(?:id|name)(?:\s+name)?|cnam|display\s+name|outgoing\s+name)`;
const OF_LINE = String.raw`(?:${LINE}|\p{L}[\p{L}-]+(?:['’]s|s)\s+(?:line|number))`;
const SAYS_NAME = new RegExp(
  String.raw`${HEAD}(?<what>[^,;.!?"“]*?\b${CALLER_NAME}(?:\s+(?:of|for|on)\s+${OF_LINE})?)\s+${MUST}\s+(?:now\s+)?(?:(?:say|show|read|display|be|appear|come\s+up|go\s+out)(?:\s+(?:up\s+)?(?:as|like))?)\s+["“]?(?<name>(?!(?:changed|set|updated|corrected|switched|fixed|off|on|removed|hidden|the|an?|same|as)\b)[\p{L}\d][^"”“,.;!?]{0,40}?)["”]?(?:\s+(?:on|for|of)\s+(?<line>${OF_LINE}))?(?:\s+(?:when|whenever|every\s+time)\s+(?:s?he|it|they|the\s+customer)\s+(?:calls?|rings?|dials?|phones?)(?:\s+\p{L}+)?)?(?<end>\s*(?:,?\s*(?:please|pls|plz|now))?\s*[.!]*\s*)$`,
  'iu',
);

/** "Ben's line must display REED HVAC" */
const LINE_SAYS = new RegExp(
  String.raw`${HEAD}(?<line>${OF_LINE})\s+${MUST}\s+(?:now\s+)?(?:say|show|read|display)\s+(?:as\s+)?["“]?(?<name>[\p{L}\d][^"”“,.;!?]{0,40}?)["”]?\s*(?:,?\s*(?:please|pls|plz|now))?\s*[.!]*$`,
  'iu',
);

/** "Her caller id should say STONE FAMILY on 0101" */
function newCallerName(text: string): string {
  const own = LINE_SAYS.exec(text)?.groups;
  if (own?.name !== undefined && /^\p{Lu}/u.test(own.name))
    return `${own.head ?? ''}change the caller name of ${own.line ?? ''} to "${own.name.trim()}"`;
  const { head = '', what = '', name, line, end = '' } = SAYS_NAME.exec(text)?.groups ?? {};
  if (name === undefined || /\b(?:change|set|update|fix|make|put)\b/iu.test(what)) return text;
  const whose =
    line === undefined
      ? what.replace(/\b(?:outgoing|display)\s+name\b/iu, 'caller name')
      : `the caller name of ${line}`;
  return `${head}change ${whose} to "${name.trim()}"${end}`;
}

const COMPANY = String.raw`(?:they|(?:the|our|their)\s+(?:account|company|office|business|hq)|(?!(?:the|our|her|his|my|she|he|customer|we|i|it)\b)\p{L}[\p{L}&'’-]+(?:\s+\p{L}[\p{L}&'’-]+){0,2}?)`;
const MOVED_AWAY = new RegExp(
  String.raw`${HEAD}(?<who>${COMPANY})\s+(?:(?:has|have|had|just|also|recently|now)\s+)*(?:moved|relocated|moves|moving)(?:\s+(?:offices?|premises|their\s+offices?|hq))?\s*[,;:.–-]+\s*(?:(?:their|the|its|and|now)\s+)*(?:new\s+|now\s+)?(?:office\s+)?add?ress\b`,
  'iu',
);
const ACCOUNT_ONLY = '. Only an account has an address at the platform: a subscriber has none';

/** "Acme moved, new address 12 Pine St, Reno NV 89501": only accounts have an address. */
function newPlace(text: string): Plainer {
  const who = MOVED_AWAY.exec(text)?.groups?.who;
  const { postal } = who === undefined ? {} : takePostal(text.replace(/\badd?ress\b/iu, 'billing address'));
  if (who === undefined || !postal?.parts.Street1 || !postal.parts.Zip) return { text, told: [] };
  const [first = ''] = postal.texts;
  const last = postal.texts.reduce((end, part) => Math.max(end, text.lastIndexOf(part) + part.length), 0);
  const address = text.slice(text.indexOf(first), last);
  return { text: `change the billing address of ${who} to ${address}${text.slice(last)}`, told: [ACCOUNT_ONLY] };
}

/** The sentence with a fact that asks for a change as an order. Any other sentence as it is. */
export function withStatedChange(text: string): Plainer {
  const isSet = SETS_URL.test(text) || OWN_URL.test(text);
  if (!isSet && AGAINST.test(text.replace(/(?<=\b(?:say|show|read|display|as|be)\s+)["“][^"”“]*["”]/giu, 'X')))
    return { text, told: [] };
  const plain = [newAddress, newSecret, newUrl, newMail, newCallerName].reduce((one, read) => read(one), text);
  return newPlace(plain);
}
