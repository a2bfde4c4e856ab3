/*
 * The name of a record that is made or renamed, after "called" or "named": "a route for Globex called globex-inbound". It
 * may have words of any kind, in any case, so it is read as one in quotation marks.
 */

const RECORD = /\b(?:packages?|plans?|bundles?|tariffs?|products?|features?|routes?|trunks?|workgroups?|accounts?)\b/iu;
const DELIMITERS =
  'for|with|at|to|into|in|on|from|that|which|who|using|via|by|as|then|now|please|pls|plz|thanks|asap|today|costing|priced|monthly|deliver\\w*|pointing|post\\w*|forward\\w*|sending|over|of';
const JOINED = String.raw`(?:(?:&|and|of)\s+(?=\p{Lu}))?`;
const PRICE = String.raw`[$€£]?\d+(?:[.,]\d+)?\s*(?:[$€£%]|(?:usd|dollars?|bucks|gb|mb|gigs?|a|per|each|monthly)\b|\/)`;
const WORD = String.raw`(?!(?:${DELIMITERS}|and|an?|the|it)\b(?!-)|${PRICE}|https?:)[\p{L}\d][\p{L}\p{M}\p{N}&'’+_./-]*(?<![./'’-])`;
const CALLED = new RegExp(
  String.raw`\b(?:called|named)\s+(?:it\s+)?(?<name>${WORD}(?:\s+${JOINED}${WORD}){0,4})(?=\s*(?:$|[,;!?:()]|\.(?:\s|$)|[-–—]\s|\b(?:${DELIMITERS}|and|an?)\b|${PRICE}|https?:))`,
  'iu',
);
/** Questions about names, and texts of messages. */
const OTHERS =
  /["“„]|\?\s*$|^\W*(?:who|what|whats|which|where|when|why|how|is|are|does|do|did|has|have|call|text|tell|sms|message|send|show|find|list)\b/iu;
const MAKES =
  /\b(?:add|create|make|new|build|open|define|needs?|wants?|set\s*up|setup|register|rename|another|second)\b/iu;

/** The sentence with the name of its record in quotation marks. */
export function withCalledName(text: string): string {
  if (OTHERS.test(text) || !MAKES.test(text)) return text;
  const found = CALLED.exec(text);
  const name = found?.groups?.name;
  if (!found || name === undefined || !RECORD.test(text.slice(0, found.index))) return text;
  // "A new customer called Ava on the Starter plan": the noun right before it is that of the name.
  if (/\b(?:customer|subscriber|client|user|person)\s*$/iu.test(text.slice(0, found.index))) return text;
  return text.replace(found[0], () => found[0].replace(name, () => `“${name}”`));
}
