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
const HAS_CODE = /\barea\s*code\b/iu;

/** The sentence with the words "area code" before the code. */
export function withAreaCode(text: string): string {
  if (!NEW_NUMBER.test(text) || HAS_CODE.test(text)) return text;
  const place = [IN_BRACKETS, BEHIND, ALONE].find((pattern) => pattern.test(text));
  const area = place?.exec(text)?.groups?.area;
  return place === undefined || area === undefined ? text : text.replace(place, ` in area code ${area}`);
}
