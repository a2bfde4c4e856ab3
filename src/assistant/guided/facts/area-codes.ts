/*
 * The area code of a new number beside the place that has it: "a number in Chicago (312)", "new line in Seattle 206". The
 * place says nothing more.
 */

const NEW_NUMBER =
  /\b(?:new|another|fresh|second|additional|need|needs|want|wants|get|give|buy|order|grab|provision|add|create|open)\b[^.;!?]*?\b(?:numbers?|lines?|dids?)\b/iu;
const IN_BRACKETS =
  /(?<in>[\s,]+(?:in|from|near|around)\s+(?:\p{L}[\p{L}.'’-]*\s+){1,3}?|\s*,\s*(?:\p{L}[\p{L}.'’-]*\s+){1,3}?|\s+)\((?<area>[2-9]\d{2})\)/u;
const BEHIND =
  /(?<in>\s+(?:in|from|near|around)\s+(?:\p{L}[\p{L}.'’-]*[\s,]+){1,3}?)(?<area>[2-9]\d{2})(?![\d-]|\s*\d|\s*(?:gb|mb|usd|dollars?|lines?|numbers?|sims?|days?|minutes?|texts?)\b)/iu;
/** "New line for Globex, mvno, 646": a part of its own. */
const ALONE = /(?<in>,\s*)(?<area>[2-9]\d{2})(?=\s*(?:,|$))/u;
/** "A 415 mobile number" */
const BEFORE_KIND =
  /\b(?<count>an?|one|another|two|three|four|five|\d{1,2})\s+(?<fresh>(?:new|more|extra)\s+)?(?<area>[2-9]\d{2})\s+(?<kind>(?:mobile|cell|voip|mvno|iot)\s+(?:numbers?|lines?))\b/iu;
/** "What 702 numbers have you got" */
const BEFORE_NOUN = /\b(?<area>[2-9]\d{2})(?=\s+(?:numbers|dids|lines)\b)/u;
const ASKS_FREE =
  /\b(?:what|which|any|show|list|are\s+there|got|have)\b[^.;!?]*\b[2-9]\d{2}\s+(?:numbers|dids|lines)\b[^.;!?]*\b(?:free|available|left|have\s+(?:you|we|u)\s+got|do\s+(?:you|we)\s+have|in\s+stock|could\s+we\s+get|to\s+(?:buy|order|choose))\b/iu;
const HAS_CODE = /\barea\s*code\b/iu;

/** The sentence with the words "area code" before the code. */
export function withAreaCode(text: string): string {
  if (ASKS_FREE.test(text) && !HAS_CODE.test(text)) {
    const area = BEFORE_NOUN.exec(text)?.groups?.area ?? '';
    return `which numbers are available in area code ${area}`;
  }
  if (!NEW_NUMBER.test(text) || HAS_CODE.test(text)) return text;
  if (BEFORE_KIND.test(text)) return text.replace(BEFORE_KIND, '$<count> $<fresh>$<kind> in area code $<area>');
  const place = [IN_BRACKETS, BEHIND, ALONE].find((pattern) => pattern.test(text));
  const area = place?.exec(text)?.groups?.area;
  return place === undefined || area === undefined ? text : text.replace(place, ` in area code ${area}`);
}
