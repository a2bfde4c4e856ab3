/*
 * Questions whether something is used: "is anything still using the main voice route", "who uses the starter package". They
 * ask for the lines that are on it.
 */

const MAX_LENGTH = 120;
const LEAD = String.raw`^\W*(?:(?:ok|okay|so|and|but|wait|hm+|hey|hi|well|then|also|please|pls|check|see|know|tell\s+me|if|whether)[\s,]+)*`;
const WHO = String.raw`(?:any\s?(?:one|body|thing)|some\s?(?:one|body|thing)|no\s?(?:one|body)|nothing|who|what|which|any|(?:(?:any|which|what|how\s+many)\s+)?(?:lines?|numbers?|customers?|people|subscribers?))(?:\s+else)?`;
const USE = String.raw`(?:us(?:e[sd]?|ing)|ha(?:ve|s)|having|on|rel(?:y|ies|ying)\s+on|depend(?:s|ing)?\s+on|point(?:s|ing)?\s+(?:to|at)|attached\s+to|assigned\s+to|go(?:es|ing)?\s+(?:through|over|via))`;
const USES = new RegExp(
  String.raw`${LEAD}(?:(?:is|are|does|do|has|have)\s+)?(?:there\s+)?${WHO}\s+(?:(?:is|are|was|were|still|currently|now|really|actually|even|right\s+now|at\s+all)\s+)*${USE}\s+(?<what>[^.;!?]+?)(?:\s+(?:any\s?more|still|now|right\s+now|currently|at\s+all|yet))*[\s?.!]*$`,
  'iu',
);
const IN_USE = new RegExp(
  String.raw`${LEAD}(?:is|are)\s+(?<what>[^.;!?]+?)\s+(?:(?:still|currently|now|even|really|being)\s+)*(?:in\s+use|used)(?:\s+(?:by\s+(?:any\s?(?:one|body|thing)|any\s+(?:lines?|numbers?))|any\s?more|anywhere|now|at\s+all))*[\s?.!]*$`,
  'iu',
);
/** A record that lines are on. */
const NOUN =
  '(?:(?:voice|calls?|sms|texts?|messages?|mms|sip)\\s+)?(?:routes?|trunks?|packages?|plans?|bundles?|tariffs?)';
const NAMED = new RegExp(
  String.raw`^(?:the\s+|our\s+)?(?<name>(?!(?:the|our|which|what)\b)\S[^,]*?)\s+(?<noun>${NOUN})$`,
  'iu',
);
const CALLED = new RegExp(
  String.raw`^(?:the\s+|our\s+)?(?<noun>${NOUN})\s+(?:called\s+|named\s+)?(?<name>\S[^,]*)$`,
  'iu',
);
/** A kind of record, and no name of one. */
const IS_KIND = new RegExp(
  `^${NOUN}$|^(?:voice|sms|text|message|call|which|what|any|no|none|same|of)\\b|['’]s$|^\\d$|^[A-Z]{2,7}-\\d`,
  'iu',
);

function usedIn(text: string): string | undefined {
  return text.length > MAX_LENGTH ? undefined : (USES.exec(text) ?? IN_USE.exec(text))?.groups?.what?.trim();
}

/** True for a question whether a record is used, by its name or by a word for it. */
export function asksUse(text: string): boolean {
  return usedIn(text) !== undefined;
}

/** The question as one for the lines on the record. Any other text is returned as it is. */
export function withUseQuestion(text: string): string {
  const what = usedIn(text);
  const { name, noun } = (what === undefined ? undefined : (NAMED.exec(what) ?? CALLED.exec(what)))?.groups ?? {};
  if (name === undefined || noun === undefined || IS_KIND.test(name)) return text;
  return `which numbers are on the ${name} ${noun}`;
}
