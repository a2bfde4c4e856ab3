import { isName } from './complaints.ts';
import { offWish, staysText } from './off-orders.ts';
import type { Plainer } from './plain-words.ts';

/*
 * "Stop texts to ben's phone but calls stay on", "disable texting on 0106 but leave data on": a service of a line is switched
 * off, and others are named because they stay. A filter that blocks numbers is not meant, and data has no switch.
 */

const PARTS = /\s*[,;]\s+(?:(?:but|and|while|though)\s+)?|\s+(?:but|while|though|yet|and)\s+/iu;
const SERVICES: readonly (readonly [said: RegExp, name: string])[] = [
  [/\b(?:texts?|texting|sms|messages?|messaging)\b/iu, 'texts'],
  [/\b(?:calls?|calling|voice)\b/iu, 'calls'],
  [/\b(?:data|internet)\b/iu, 'data'],
];
const STAYS =
  /^\W*not\b|\b(?:stays?|keeps?|leaves?|remains?|fine|ok|okay|untouched|unchanged|as\s+(?:(?:it|they)\s+)?(?:is|are)|still|alone|continues?|should\s+(?:still\s+)?work)\b/iu;
const OFF =
  /^\W*(?:(?:please|pls|can|could|you|u|we|so|ok|just)[\s,]+)*(?:(?:stop|cut|kill|disable|deactivate|end|no\s+(?:more\s+)?)\b|(?:turn|switch|shut|take|put|set)\b[^.;!?]*\boff\b|\S+\s+(?:should\s+be\s+)?off\b)|\boff\s*$|\b(?:should|must)\s*(?:n['’]t|not)\s+(?:get|receive|have)\b/iu;
const NOT_OFF =
  /\?\s*$|\b(?:off\s+(?:and|then)|from\s+\+?\d|strangers?|spam|unknown|block\w*|guardian|filter\w*|if|why|limits?|caps?|usage|throttl\w*)\b|["“„]/iu;
const LINE = /(?<![\d-])[#…*]*\d{4}(?![\w-])|\+?1?[\s.-]?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)/gu;
const WHOSE =
  /\b(?:for|to|of|on)\s+(?:the\s+)?(?<whom>\p{L}[\p{L}-]+(?:\s+\p{Lu}[\p{L}-]+)?)(?=\s*(?:$|[,;.!]|['’]s\b|\bbut\b|\band\b|\bwhile\b))|(?<owner>\p{L}[\p{L}-]+)['’]s\s+(?:phone|line|number|sim|texts|calls|voice)\b/giu;
const MAX_LENGTH = 120;

/** The order to switch off what is to go. Any other sentence as it is. */
export function withHalfOff(text: string): Plainer {
  const order = halfOffIn(text);
  return order ? { text: order.text, told: [staysText(order.kept.join(' and '))] } : { text, told: [] };
}

function halfOffIn(text: string): { text: string; kept: readonly string[] } | undefined {
  // A wish is read as one.
  if (text.length > MAX_LENGTH || NOT_OFF.test(text) || offWish(text).text !== text) return undefined;
  const read = servicesByWay(text.split(PARTS).filter(Boolean));
  const whom = whomIn(text);
  if (!read || whom === undefined) return undefined;
  const line = /\d/.test(whom) ? whom : `${whom}'s line`;
  return { text: `turn ${read.off.join(' and ')} off for ${line}`, kept: read.kept };
}

/**
 * The services that the parts of an order switch off, and those that stay. A part without a verb goes on with the part
 * before it: "leave calls and data on". Undefined if a part says something else, or if data is to go.
 */
function servicesByWay(parts: readonly string[]): { off: readonly string[]; kept: readonly string[] } | undefined {
  const found = { off: new Set<string>(), kept: new Set<string>() };
  let way: keyof typeof found | undefined;
  for (const part of parts) {
    const services = SERVICES.filter(([said]) => said.test(part)).map(([, name]) => name);
    if (services.length === 0) return undefined;
    if (OFF.test(part)) way = 'off';
    else if (STAYS.test(part) && !/\boff\b/iu.test(part)) way = 'kept';
    if (way === undefined) return undefined;
    for (const service of services) found[way].add(service);
  }
  const [off, kept] = [[...found.off], [...found.kept]];
  const isWhole = off.length > 0 && kept.length > 0 && !off.includes('data');
  return isWhole && !kept.some((service) => found.off.has(service)) ? { off, kept } : undefined;
}

/** The only line, or the only customer, of a sentence. */
function whomIn(text: string): string | undefined {
  const lines = [...new Set(text.match(LINE) ?? [])];
  if (lines.length > 0) return lines.length === 1 ? lines[0]?.trim() : undefined;
  const names = [...text.matchAll(WHOSE)].flatMap(({ groups }) => groups?.whom ?? groups?.owner ?? []).filter(isName);
  return new Set(names).size === 1 ? names[0] : undefined;
}
