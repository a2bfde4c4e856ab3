import type { Tool } from '../../../catalogue/operation.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { defined } from '../../../lib/json.ts';
import { answer, type GuidedAnswer, help } from '../answers/answer.ts';
import type { Reader } from '../answers/readings.ts';
import { saidIn } from '../facts/choices.ts';
import { readFacts } from '../facts/facts.ts';
import type { Asked } from '../facts/stance.ts';

/* Questions of which numbers are free to buy: in an area code, a zip, a place, or anywhere. */

const STOCK = String.raw`(?:free|avail(?:able|ability)?|(?:in\s+)?stock|inventory|left)`;
/** A ZIP code is no number of ours: "stock in 60614", "near zip 60614". */
const ZIP = String.raw`\b(?:(?:zip|postal)(?:\s*code)?|(?:in|near|around|at|for)\s+(?=\d{5}\b))`;
const ASKS = new RegExp(
  String.raw`\b${STOCK}\b[^.;!?]*\b(?:numbers?|dids?|(?:area|zip)\s*codes?)\b|\b(?:numbers?|dids?|anything|(?:area|zip)\s*codes?)\b[^.;!?]*\b${STOCK}\b|\b(?:got|have|has|any|there|offer|sell|get)\b[^.;!?]*\b(?:numbers|dids)\b[^.;!?]*\b(?:in|near|around|for|with|from)\b|\b(?:what|which|any)\s+(?:numbers?|lines?|dids?)\s+(?:can|could|do|does|are|is)\b[^.;!?]*\b(?:get|have|left|sell|offer|there)\b[^.;!?]*\bin\b|\b(?:area|zip)\s*codes?\b[^.;!?]*\bnumbers\b|\b(?:${STOCK}|numbers?|lines?|dids?|anything|something|sth)\b[^.;!?]*${ZIP}|\b(?:got|have)\s+(?:anything|something|any|some|sth)\s+in\b|\b(?:got|have|has|any|there|offer|sell|can)\b[^.;!?]*\b\d{3}\s+(?:numbers|dids)\b`,
  'iu',
);
/** Our own numbers, and orders of a new one. */
const OTHERS =
  /\b(?:need|needs|want|wants|buy|order|give|grab|new|another|provision|port\w*|active|parked|cancell?ed|used|data|gb|mb|swaps?|plans?|routes?|assigned|subscribers?|customers?|customer|eligible|blocked|block|call|calls|text|texts|how\s+many|fresh|extra|more|get\s+(?:me|us|him|her|them)|unassigned|spare|unused|our|hold)\b/iu;
const PLACE =
  /\b(?:in|near|around|from|for)\s+(?:the\s+)?(?<place>\p{L}[\p{L}.'’-]+(?:\s+\p{L}[\p{L}.'’-]+){0,2}?)\s*(?:area)?(?:\s+(?:please|pls|right\s+now|now|today))?[\s?.!]*$/iu;
/** "Any Vegas numbers free" */
const OF_PLACE = /\b(?:any|some)\s+(?<place>\p{L}[\p{L}.'’-]+(?:\s+\p{L}[\p{L}.'’-]+)?)\s+(?:numbers?|dids?)\b/iu;
/** "Numbers in Chicago" may be those of a customer with that name. */
const BARE = /^\W*(?:(?:any|all|our|the|show|list|me)\s+)*(?:numbers|lines)\s+in\s+/iu;

/** "Which numbers can we hand out", "… could I give a new customer": those that are free. */
const TO_GIVE =
  /\b(?:(?:we|i|you|u)\s+(?:can|could|may)|(?:can|could|may)\s+(?:we|i|you|u)|to)\s+(?:(?:hand|give|pass)\s+out|(?:give|offer|sell|assign)(?:\s+to)?\s+(?:an?\s+)?new\s+(?:customer|subscriber|client|user)s?)\b/iu;

/** The areas with free numbers, or how they are asked for. Undefined for other sentences. */
export function ofFreeNumbers(asked: Asked, { byId }: Reader): GuidedAnswer | undefined {
  const { facts, mayUse } = asked;
  const said = asked.said.replace(TO_GIVE, 'are free');
  const tool = byId.get('numbers_availability');
  if (!tool || !mayUse(tool.id) || facts.mentions.length + facts.ids.length + facts.volumes.length > 0)
    return undefined;
  if (OTHERS.test(said)) return undefined;
  const [zip, ...zips] = said.match(/\b\d{5}\b/g) ?? [];
  const [area = facts.areaCode, ...areas] = said.match(/(?<![\d-])\d{3}(?![\d-])/g) ?? [];
  const place = zip === undefined && area === undefined ? placeIn(said) : undefined;
  const both = { MessageEnabled: true, VoiceEnabled: true };
  const near = { operation: tool.id, input: both };
  const isOfAll = TO_GIVE.test(asked.said) && /\b(?:numbers|dids)\b/iu.test(said);
  if (place !== undefined && (ASKS.test(said) || BARE.test(said))) {
    const how = `Numbers are chosen by area code or zip and not by place: write “free numbers in area code 212” with the one of ${place}`;
    const find = byId.get('numbers_find');
    if (ASKS.test(said) || !find || !mayUse(find.id)) return { ...help(how), nearest: [near] };
    const text = `Find numbers by "${place}". ${how}`;
    return {
      ...answer('lookup', { tool: find, input: { Query: place }, understood: text }),
      isList: true,
      nearest: [near],
    };
  }
  if (!ASKS.test(said) || zips.length + areas.length > 0) return undefined;
  if (zip === undefined && area === undefined && !isOfAll && !/\b(?:area|zip)\s*codes?\b/i.test(said)) return undefined;
  const where = zip !== undefined ? `zip ${zip}` : area !== undefined ? `area code ${area}` : 'everywhere';
  const input = { ...both, ...defined({ AreaCode: area, ZipCode: zip }) };
  const kinds = kindsIn(said, byId);
  const remarks = kinds.length === 0 ? '' : `. Not taken: ${kinds.map((kind) => `“${kind}”`).join(', ')}. ${NOT_SPLIT}`;
  const understood = `${tool.title}: ${where}, for calls and texts${remarks}`;
  return { ...answer('lookup', { tool, input, understood }), ...(remarks !== '' && { remarks }) };
}

const NOT_SPLIT = 'The numbers that are free are not split by it: the order of a new number says what it is for';

/** The words of a sentence for values that the order of a new number takes: "voip", "data only". A search takes none of them. */
export function kindsIn(said: string, byId: { get: (id: string) => Tool | undefined }): string[] {
  const tool = byId.get('numbers_provision');
  if (!tool) return [];
  const { used } = saidIn(tool, { said, facts: readFacts(said, 0), clauses: [] });
  return [...new Set(used.map((one) => one.trim()).filter((one) => /\p{L}/u.test(one)))];
}

/** The unknown words at the end of a sentence that name a place. */
function placeIn(said: string): string | undefined {
  const place = PLACE.exec(said)?.groups?.place ?? OF_PLACE.exec(said)?.groups?.place;
  return place !== undefined && wordsOf(place).some(({ isUnknown }) => isUnknown) ? place : undefined;
}
