import { isName } from './complaints.ts';
import { offWish } from './off-orders.ts';
import type { Plainer } from './plain-words.ts';

/*
 * "Stop texts to ben's phone but calls stay on": one service of a line is switched off, and the other one is named because it
 * stays. A filter that blocks numbers is not meant.
 */

const PARTS = /\s*[,;]\s+(?:(?:but|and|while|though)\s+)?|\s+(?:but|while|though|yet|and)\s+/iu;
const SERVICES: readonly (readonly [said: RegExp, name: string])[] = [
  [/\b(?:texts?|texting|sms|messages?|messaging)\b/iu, 'texts'],
  [/\b(?:calls?|calling|voice)\b/iu, 'calls'],
];
const STAYS =
  /\b(?:stays?|keeps?|leaves?|remains?|fine|ok|okay|untouched|unchanged|as\s+(?:(?:it|they)\s+)?(?:is|are)|still|alone|continues?|should\s+(?:still\s+)?work)\b/iu;
const OFF =
  /^\W*(?:(?:please|pls|can|could|you|u|we|so|ok|just)[\s,]+)*(?:(?:stop|cut|kill|disable|deactivate|end|no\s+(?:more\s+)?)\b|(?:turn|switch|shut|take|put|set)\b[^.;!?]*\boff\b|\S+\s+(?:should\s+be\s+)?off\b)|\boff\s*$|\b(?:should|must)\s*(?:n['’]t|not)\s+(?:get|receive|have)\b/iu;
const NOT_OFF =
  /\?\s*$|\b(?:off\s+(?:and|then)|from\s+\+?\d|strangers?|spam|unknown|block\w*|guardian|filter\w*|if|why|limit|data)\b|["“„]/iu;
const LINE = /(?<![\d-])[#…*]*\d{4}(?![\w-])|\+?1?[\s.-]?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)/gu;
const WHOSE =
  /\b(?:for|to|of|on)\s+(?:the\s+)?(?<whom>\p{L}[\p{L}-]+(?:\s+\p{Lu}[\p{L}-]+)?)(?=\s*(?:$|[,;.!]|['’]s\b|\bbut\b|\band\b|\bwhile\b))|(?<owner>\p{L}[\p{L}-]+)['’]s\s+(?:phone|line|number|sim|texts|calls|voice)\b/giu;
const MAX_LENGTH = 120;

/** The order to switch the one service off. Any other sentence as it is. */
export function withHalfOff(text: string): Plainer {
  const order = halfOffIn(text);
  return order ? { text: order.text, told: [`. ${order.kept} stay as they are`] } : { text, told: [] };
}

function halfOffIn(text: string): { text: string; kept: string } | undefined {
  // A wish is read as one.
  if (text.length > MAX_LENGTH || NOT_OFF.test(text) || offWish(text).text !== text) return undefined;
  const parts = text.split(PARTS).filter(Boolean);
  if (parts.length !== 2) return undefined;
  const read = parts.map((part) => ({
    part,
    services: SERVICES.filter(([said]) => said.test(part)).map(([, name]) => name),
  }));
  const off = read.find(({ part }) => OFF.test(part));
  const kept = read.find((one) => one !== off && STAYS.test(one.part) && !/\boff\b/iu.test(one.part));
  const [service, ...others] = off?.services ?? [];
  const isOther = kept?.services.length === 1 && kept.services[0] !== service;
  const whom = whomIn(text);
  if (service === undefined || others.length > 0 || !isOther || whom === undefined) return undefined;
  const line = /\d/.test(whom) ? whom : `${whom}'s line`;
  return { text: `turn ${service} off for ${line}`, kept: kept?.services[0] === 'calls' ? 'Calls' : 'Texts' };
}

/** The only line, or the only customer, of a sentence. */
function whomIn(text: string): string | undefined {
  const lines = [...new Set(text.match(LINE) ?? [])];
  if (lines.length > 0) return lines.length === 1 ? lines[0]?.trim() : undefined;
  const names = [...text.matchAll(WHOSE)].flatMap(({ groups }) => groups?.whom ?? groups?.owner ?? []).filter(isName);
  return new Set(names).size === 1 ? names[0] : undefined;
}
