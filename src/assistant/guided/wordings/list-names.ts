/* The lists of filters in everyday words, such as "the people who may text Ben": they are put into the names of lists. */

const PEOPLE = '(?:people|persons|numbers?|ones|callers?|contacts?|senders?|those)';
const THE = String.raw`(?:(?:the|all|list\s+of|of)\s+)*`;
const MAY = String.raw`(?:may|can|could|(?:is|are)\s+(?:always\s+)?allowed\s+to|gets?\s+to)\s+(?:always\s+)?`;
const WHO_MAY = new RegExp(
  String.raw`${THE}${PEOPLE}\s+(?:who|that|which)\s+${MAY}(?<deed>text|message|write(?:\s+to)?|sms|call|ring|phone)\s+(?<who>\p{L}[\p{L}'’-]*|[#…*+\d][\d\s().-]{2,18}\d)`,
  'giu',
);
const MAY_GET = new RegExp(
  String.raw`(?:the\s+)?${PEOPLE}\s+(?:(?:that|which|who|whom)\s+)?(?<who>he|she|they|\p{Lu}\p{L}+)\s+${MAY}(?:get|receive|have|take)\s+(?<deed>texts?|messages?|sms|calls?)\s+from`,
  'giu',
);
const OF_LIST = /\blist\s+of\s+(?=(?:blocked|allowed)\s)/giu;
const ENTRIES = /\b(?<list>blocked|allowed)\s+(?<deed>callers?|contacts?|senders?)\b(?!\s*list)/giu;
const WHOLE = String.raw`\+?1?[\s.-]?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)`;
const COMES_OFF = new RegExp(
  String.raw`(?:\b(?:could|can|should|must|may)\s+)?(?<number>${WHOLE})\s+(?:(?:please|pls|can|should|must|may|now)\s+)*(?:come|comes|go|goes|get|be\s+taken)\s+off\b`,
  'iu',
);

const MUST_BE_ALLOWED =
  /\b(?:she|he|they|it|that\s+one)\s+(?:(?:only|just)\s+)?(?:must|should|has\s+to|have\s+to|needs?\s+to|is\s+to)\s+(?:(?:only|just|always)\s+)?be\s+allowed\b/giu;
const MAY_HAVE_TEXT =
  /["“„:]|^\W*(?:(?:please|pls|plz|hi|hey|hello|ok|can|could|would|you|u|and|so)\W+)*(?:text|tell|sms|message|msg|send|write|let|notify|inform)\b/iu;

function kindOf(deed: string): string {
  return /^(?:call|ring|phone)/iu.test(deed) ? 'call' : 'text';
}

const OWNERS: Readonly<Record<string, string>> = { he: 'his', she: 'her', they: 'their' };

/** The sentence with the lists of filters by their names. */
export function withListNames(text: string): string {
  // The text of a message stays as it is.
  if (MAY_HAVE_TEXT.test(text)) return text;
  return text
    .replace(OF_LIST, '')
    .replace(WHO_MAY, (_all, deed: string, who: string) => `the ${kindOf(deed)} allow list of ${who}`)
    .replace(
      MAY_GET,
      (_all, who: string, deed: string) => `${OWNERS[who.toLowerCase()] ?? `${who}'s`} ${kindOf(deed)} allow list`,
    )
    .replace(
      ENTRIES,
      (_all, list: string, deed: string) => `${kindOf(deed)} ${/^b/iu.test(list) ? 'block' : 'allow'} list`,
    )
    .replace(MUST_BE_ALLOWED, 'allow it')
    .replace(COMES_OFF, 'take $<number> off');
}
