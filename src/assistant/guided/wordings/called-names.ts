/*
 * The name of a record that is made or renamed, after "called" or "named": "a route for Globex called globex-inbound". It
 * may have words of any kind, in any case, so it is read as one in quotation marks.
 */

const RECORD = /\b(?:packages?|plans?|bundles?|tariffs?|products?|features?|routes?|trunks?|workgroups?|accounts?)\b/iu;
const DELIMITERS =
  'for|with|at|to|into|in|on|from|that|which|who|using|via|by|as|then|now|please|pls|plz|thanks|asap|today|costing|priced|monthly|deliver\\w*|pointing|post\\w*|forward\\w*|sending|over|of|ur[li]|address|endpoint';
const JOINED = String.raw`(?:(?:&|and|of)\s+(?=\p{Lu}))?`;
const PRICE = String.raw`[$€£]?\d+(?:[.,]\d+)?\s*(?:[$€£%]|(?:usd|dollars?|bucks|gb|mb|gigs?|a|per|each|monthly)\b|\/)`;
const WORD = String.raw`(?!(?:${DELIMITERS}|and|an?|the|it)\b(?!-)|${PRICE}|https?:)[\p{L}\d][\p{L}\p{M}\p{N}&'’+_./-]*(?<![./'’-])`;
const NAME = String.raw`(?<name>${WORD}(?:\s+${JOINED}${WORD}){0,4})(?=\s*(?:$|[,;!?:()]|\.(?:\s|$)|[-–—]\s|\b(?:${DELIMITERS}|and|an?)\b|${PRICE}|https?:))`;
const CALLED = new RegExp(String.raw`\b(?:called|named|call\s+it|name\s+it)\s+(?:it\s+)?${NAME}`, 'iu');
/** "Called Globex In, url …", "name it Holiday forward": small words of a name, where nothing of the order follows them. */
const WHOLE_NAMES = [
  /\b(?:called|named|[Cc]all\s+it|[Nn]ame\s+it)\s+(?<name>\p{Lu}[\p{L}\d&'’+-]*(?:\s+\p{Lu}[\p{L}\d&'’+-]*){1,4})(?=\s*(?:$|[,;!]))/u,
  /\b(?:call|name)\s+it\s+(?<name>(?!(?:an?|the|it)\b)[\p{L}\d][\p{L}\d&'’-]*(?:\s+[\p{L}\d&'’-]+)?\s+(?:forward(?:s|ing|er)?|over|endpoint|monthly))(?=\s*[.!]*$)/iu,
];
/** "…, name HQ trunk": one value of a list. A port-in and an account have names of people. */
const IN_LIST = new RegExp(String.raw`[,;]\s*(?:(?:and|with|the|its|route)\s+)*name\s*(?:is\s+|[:=]\s*)?${NAME}`, 'iu');
const OF_PEOPLE = /\b(?:accounts?|subscribers?|customers?|caller|port[\s-]?in)\b/iu;
/** Questions about names, and texts of messages. */
const OTHERS =
  /["“„]|\?\s*$|^\W*(?:who|what|whats|which|where|when|why|how|is|are|does|do|did|has|have|call|text|tell|sms|message(?!\s+route)|send|show|find|list)\b/iu;
const MAKES =
  /\b(?:add|create|make|new|build|open|define|needs?|wants?|set\s*up|setup|register|rename|another|second)\b/iu;
/** Begins with its noun: "voice route to 203.0.113.9, call it HQ". A record that gets a name is a new one. */
const BEGINS =
  /^\W*(?:an?\s+)?(?=(?:(?:voice|message|messaging|call|text|sms)\s+)?route\b|(?:sip\s+trunk|webhook|package|product|workgroup)\b)/iu;
/** "Route for globex texts": the kind of the route is behind its owner. */
const OWN_KIND =
  /^\W*(?:an?\s+|new\s+)*route\s+for\s+(?:the\s+)?(?<who>\p{L}[\p{L}\d'’-]*(?:\s+\p{L}[\p{L}\d'’-]*)?)\s+(?:(?:inbound|incoming)\s+)?(?<kind>texts?|sms|messages?|calls?|voice)\b(?:\s*[,:;-]|(?=\s+(?:to|at|with|called|named)\b))/iu;
const GIVEN = /\b(?:call|name)\s+it\b|(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])|\bhttps?:/iu;

/** The sentence with the name of its record in quotation marks. */
export function withCalledName(text: string): string {
  const isNew = BEGINS.test(text) && GIVEN.test(text);
  if (OTHERS.test(text) || !(isNew || MAKES.test(text))) return text;
  const found =
    WHOLE_NAMES.map((one) => one.exec(text)).find(Boolean) ??
    CALLED.exec(text) ??
    (OF_PEOPLE.test(text) ? null : IN_LIST.exec(text));
  const name = found?.groups?.name;
  if (!found || name === undefined || !RECORD.test(text.slice(0, found.index))) return text;
  // "A new customer called Ava on the Starter plan": the noun right before it is that of the name.
  if (/\b(?:customer|subscriber|client|user|person)\s*$/iu.test(text.slice(0, found.index))) return text;
  // The words before the name are those that other rules know.
  const named = text.replace(found[0], () => ` called “${name}”`).replace(/[,;]?\s+(?:and\s+)?(?= called “)/iu, '');
  if (!isNew || MAKES.test(text)) return named;
  const { who, kind = '' } = OWN_KIND.exec(named)?.groups ?? {};
  const noun = /^[cv]/iu.test(kind) ? 'voice' : 'message';
  return who === undefined ? named.replace(BEGINS, 'new ') : named.replace(OWN_KIND, `new ${noun} route for ${who}`);
}
