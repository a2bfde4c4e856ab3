/*
 * "Take the manager rights away from ben" and "ava is no longer an admin" leave the role of a plain subscriber, and never
 * give the role that the sentence names.
 */

/** The role of a subscriber who has no other: the first one of the operation. */
const PLAIN = 'subscriber';

const ROLE = String.raw`(?:(?:account|acct)\s+)?(?:admin(?:istrator)?|manager|management)s?`;
const RIGHTS = '(?:rights?|roles?|access|permissions?|privileges?|powers?|status)';
const ENDS = '(?:take|remove|revoke|strip|pull|withdraw|drop|cancel|lift|end|get\\s+rid\\s+of)';
const LINE = String.raw`[#…*]*\+?\d{4,11}`;
const NAME = String.raw`(?:him\b|her\b|them\b|the\s+(?:customer|subscriber|holder|owner)\s+(?:of|on|with)\s+${LINE}|${LINE}['’]s\s+(?:customer|subscriber|holder|owner)|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|${LINE}|(?!(?:the|an?|his|her|their|its|our|any|who|nobody|someone|everyone|that|this|there|which|what|role|yes|no|and|but)\b)[\p{L}][\p{L}’'-]*?(?:\s+(?!(?:is|was|should|shouldn|isn|must|away|now|please|as|from|the|again|anymore|any|to|who|and|off|of|a|an|be|not|needs?|can)\b)\p{L}[\p{L}-]*)?)`;
const THE = String.raw`(?:(?:the|all|any|his|her|their|those|a|an)\s+)*`;
const AGAIN = String.raw`(?:\s+(?:again|now|please|pls|too|as\s+well|any\s?more|any\s+longer))*`;
const END = String.raw`${AGAIN}(?=\s*(?:$|[,.;!]|\b(?:and|because|since|so|but)\b))`;
const NO_MORE = String.raw`(?:(?:is|are|was)\s+(?:no\s+longer|not\s+any\s?more|done\s+(?:as|being))|should\s+(?:no\s+longer|not)\s+be|(?:is|['’]s)\s+not(?=[^,.;!?]*\bany\s?(?:more|longer))|is\s?n['’]?t(?=[^,.;!?]*\bany\s?(?:more|longer))|should\s?n['’]?t\s+be|must\s?(?:n['’]?t|\s+not)\s+be|(?:stops|stopped)\s+being|(?:step(?:s|ped)|stood)\s+down\s+as|quit\s+as)`;

const HAS_NO = String.raw`(?:(?:should|must)\s*(?:n['’]?t|\s+not|\s+no\s+longer)\s+have|no\s+longer\s+(?:has|have|needs?|gets?)|(?:does\s*n['’]?t|does\s+not)\s+need)`;

const TAKEN = [
  String.raw`${ENDS}\s+${THE}${ROLE}(?:\s+${RIGHTS})?(?:\s+away)?\s+(?:from|off|of)\s+(?<who>${NAME})(?:\s+away)?${END}`,
  String.raw`${ENDS}\s+(?:away\s+)?(?<who>his|her|their|${NAME}(?=['’]))(?:['’]s?)?\s+${ROLE}\s+${RIGHTS}(?:\s+away)?${END}`,
  String.raw`(?:strip|relieve|deprive)\s+(?<who>${NAME})\s+(?:of|from)\s+${THE}${ROLE}(?:\s+${RIGHTS})?${END}`,
  String.raw`(?<=^\W*|[,;.]\s+|\b(?:so|now|please|pls|and|ok)\s+)(?<who>${NAME})\s*${NO_MORE}\s+${THE}${ROLE}${END}`,
  String.raw`(?<=^\W*|[,;.]\s+|\b(?:so|now|please|pls|and|ok)\s+)(?<who>${NAME})\s+${HAS_NO}\s+${THE}${ROLE}\s+${RIGHTS}${END}`,
  String.raw`(?:demote|downgrade)\s+(?<who>${NAME})\s+(?:from|as)\s+${THE}${ROLE}(?:\s+${RIGHTS})?(?:\s+to\s+(?:an?\s+)?(?:normal\s+|regular\s+)?(?:subscriber|user|member))?${END}`,
  String.raw`(?:make|set|demote|turn|change)\s+(?<who>${NAME})\s+(?:back\s+)?(?:to\s+|into\s+|just\s+)*(?:an?\s+)?(?:(?:normal|regular|plain|ordinary|standard|simple|basic|mere|just\s+a)\s+(?:subscriber|user|member|customer)|(?<=demote\b[^,.;!?]*)(?:subscriber|user|member))${END}`,
].map((pattern) => new RegExp(String.raw`(?<![\p{L}\d])${pattern}`, 'iu'));
/** "Demote ben": to which role is open. */
const DEMOTED = new RegExp(String.raw`(?<![\p{L}\d])demote\s+(?<who>${NAME})${END}`, 'iu');
const ASKED = /\?\s*$|["“„]|^\W*(?:is|are|was|who|which|what|why|when|how|does|did|do\s+not|don['’]?t)\b/iu;

function whom(who: string): string {
  return { his: 'him', their: 'them' }[who.toLowerCase()] ?? who;
}

/** "Make Ben a manager of his account": a role is one in the subscriber's own account. */
const OF_ACCOUNT =
  /(?<=\b(?:make|set|promote|turn|appoint|give|name|should\s+be|has\s+to\s+be|must\s+be|needs\s+to\s+be|becomes?)\b[^.;!?]*\b(?:admin(?:istrator)?|manager)s?(?:\s+(?:role|rights))?)\s+(?:of|on|for|in|to|over)\s+(?:his|her|their|the|this|that|its)\s+(?:own\s+)?(?:account|acct)\b/iu;
/** "Ben is a manager now" */
const IS_NOW = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|ok|so|please|pls|and|fyi)[\s,]+)*(?<who>${NAME})\s+(?:is|becomes|became|was\s+made|got\s+promoted\s+to)\s+(?:now\s+)?(?:an?\s+|the\s+)?(?<role>(?:account\s+)?admin(?:istrator)?|manager)\s+(?:from\s+)?(?:now|today)(?:\s+on)?[\s.!]*$`,
  'iu',
);

/** The order for the role that is left, or given. Any other sentence as it is. */
export function withTakenRole(sentence: string): string {
  if (sentence.length > 200 || ASKED.test(sentence)) return sentence;
  const text = sentence.replace(OF_ACCOUNT, '').replace(IS_NOW, 'make $<who> a $<role>');
  for (const pattern of TAKEN) {
    const who = pattern.exec(text)?.groups?.who;
    if (who !== undefined) return text.replace(pattern, () => `change the role of ${whom(who)} to ${PLAIN}`);
  }
  const who = DEMOTED.exec(text)?.groups?.who;
  return who === undefined ? text : text.replace(DEMOTED, () => `change the role of ${who}`);
}
