import { wordsOf } from '../../../language/sentence.ts';
import { namesIn } from '../facts/unknown-names.ts';
import type { Plainer } from './plain-words.ts';

/*
 * Orders with a reason beside them that has words of other orders: "the sim of 0106 was stolen, lock it", "customer got a
 * new phone, needs an esim for 0103". Only the order is read.
 */

const LINE = String.raw`(?:[#…*]*\d{4}(?![\w-])|\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d))`;
const LINES = new RegExp(String.raw`(?<![\d-])${LINE}`, 'gu');
const LOST =
  /\b(?:stolen|stole|nicked|pinched|snatched|swiped|robbed|mugged|theft|thief|thieves|lost|loses?|missing|misplaced|hacked|hijacked|compromised|unpaid|overdue|left\s+(?:her|his|their|the)\s+(?:phone|sim|handset|mobile))\b/iu;
/** Words of another order, a question or a negation. */
const ELSE =
  /["“„?]|\b(?:not|never|dont|if|unless|when|swap|replace\w*|new|spare|another|port\w*|cancel\w*|text|tell|message|reactivate|activate|unblock|unlock|calls?|callers?|calling|texts|from|data|why|who|what|how|then)\b|n['’]t\b/iu;
const HOLD = new RegExp(
  String.raw`(?:^|[\s,;.!–—-])(?:lock|block|hold|suspend|freeze|park|pause|bar|disable|deactivate|shut(?:\s+(?:off|down))?)(?:\s*$|(?=\s+(?:please|pls|plz|asap|now|immediately|for\s+now)\b)|\s+(?:(?:it|that|this|everything|her|him|them|(?:the|her|his|their|its|that|\p{L}[\p{L}-]+['’]s)\s+(?:line|number|sim|phone|card|mobile)(?:\s+of\s+\p{L}[\p{L}-]+)?)|(?:(?:(?:the|my|our|this)\s+)?(?:\p{L}+['’]s\s+)?(?:line|number|sim|phone)\s+(?:of\s+)?)?${LINE}))(?:\s+(?:off|down|out))?(?<end>[^;!?]*)$`,
  'iu',
);
const URGENT =
  /\b(?:right\s+(?:away|now)|at\s+once|asap|immediately|urgent(?:ly)?|quick(?:ly)?|fast|now|please|pls|plz|pronto|straight\s+away|today|first|thanks?|thx)\b/giu;

/** "Can u block it?" */
const ASKS_US = /(?<=\b(?:(?:can|could|would|will)\s+(?:you|u|we)|please|pls|plz)\b[^?]*)\?+\s*$/iu;
const LOSER =
  /(?<![\p{L}\d])(?<who>\p{L}[\p{L}-]+(?:\s+\p{L}[\p{L}-]+)?)\s+(?:(?:has|have|had|just|apparently|says\s+(?:she|he|they))\s+)*(?:lost|misplaced|left|loses)\s+(?:her|his|their|the|a)\s+(?:\p{L}+\s+)?(?:phone|sim|handset|mobile|device|cell)\b/iu;
const OF_OWNER =
  /\b(?:phone|sim|handset|mobile|device|line|number)\s+of\s+(?<who>\p{L}[\p{L}-]+(?:\s+\p{L}[\p{L}-]+)?)/iu;
const OWNED =
  /(?<![\p{L}\d])(?<who>\p{L}[\p{L}-]+(?:\s+\p{L}[\p{L}-]+)?)['’]s\s+(?:phone|sim|handset|mobile|device)\b/iu;

/** An end says nothing of the owner: "til he does". */
const UNTIL = /\b(?:until|till|til)\b.*$/isu;

/**
 * "Someone stole ava's sim": her line. The only name of the sentence is that of the owner, at any place: "ben hasn't
 * paid, suspend him".
 */
function ownerIn(text: string): string | undefined {
  const words = wordsOf((OWNED.exec(text) ?? LOSER.exec(text))?.groups?.who ?? '');
  const after = wordsOf(OF_OWNER.exec(text)?.groups?.who ?? '');
  const named = after.slice(0, after.findIndex(({ isUnknown }) => !isUnknown) >>> 0);
  if (named.length > 0) return `${named.map(({ typed }) => typed).join(' ')}'s line`;
  const names = words.slice(words.findLastIndex(({ isUnknown }) => !isUnknown) + 1);
  const own = names.map(({ typed }) => typed).join(' ');
  const [only, ...others] = new Set(
    namesIn({ rest: text.replace(UNTIL, ' ') }).map((name) => name.replace(/['’]s$/u, '')),
  );
  const owner = own !== '' ? own : others.length === 0 ? only : undefined;
  return owner === undefined ? undefined : `${owner}'s line`;
}

/** "The sim of 0106 was stolen!! lock it now": the line is put on hold, and the theft is why. */
export function lostPhone(sentence: string): Plainer {
  const text = sentence.replace(ASKS_US, '');
  const [number, ...others] = [...new Set(text.match(LINES) ?? [])];
  // The owner of the phone may be named before: "her phone was stolen, block it".
  const line = number ?? ownerIn(text) ?? 'it';
  if (others.length > 0 || !LOST.test(text) || ELSE.test(text)) return { text: sentence, told: [] };
  const parts = text
    .split(/[,;.!:]+(?=\s|$)|\n|\s[–—-]+\s|\s+(?=(?:so|and|please|pls|plz|because|cause|cuz|since|as|bc)\s)/u)
    .map((part) => part.replace(/^\s*(?:(?:so|and|please|pls|plz|because|cause|cuz|can|could|you|u)\s+)+/iu, '').trim())
    .filter(Boolean);
  const deeds = parts.filter((part) => !LOST.test(part) && HOLD.test(part));
  const [deed] = deeds;
  const why = parts.filter((part) => LOST.test(part));
  if (deed === undefined || deeds.length > 1 || why.length !== 1) return { text: sentence, told: [] };
  const rest = parts.filter((part) => part !== deed && !why.includes(part));
  const isTalk = rest.every((part) => wordsOf(part.replace(URGENT, ' ')).every(({ acts }) => acts.length === 0));
  const { end = '' } = HOLD.exec(deed)?.groups ?? {};
  if (!isTalk) return { text: sentence, told: [] };
  return {
    text: `hold ${line.trim()}${end.replace(new RegExp(String.raw`^\s*(?:of|for|on)?\s*${LINE}`, 'u'), '').replace(/\b(?:right\s+away|right\s+now|now)\b/giu, '')}`.trim(),
    told: [],
  };
}

const NEW_PHONE =
  /^(?<head>\W*(?:(?:please|pls|so|ok|hi|hey|hello|fyi)[\s,]+)*)(?:(?:the|our|my|this)\s+)?(?:customer|cust|client|subscriber|caller|guy|lady|he|she|they|\p{L}[\p{L}-]+(?:\s+\p{Lu}[\p{L}-]+)?)(?:['’]s)?\s+(?:(?:has|have|just|now|finally|also|is)\s+)*(?:got|gets|getting|gotten|bought|has|have|purchased|upgraded\s+to|switched\s+to|on)\s+(?:himself\s+|herself\s+)?(?:an?|his|her|the)?\s*(?:brand\s+)?(?:new|another|different)\s+(?:cell\s?|mobile\s+|smart)?(?:phone|fone|handset|device|mobile|iphone|android|pixel|samsung|galaxy)\b[^,.;!?\d]{0,20}?(?:[\s,.;!–—-]+(?:(?:and|so|now|please|pls)\s+)*)(?=\S)/iu;

/** Drops the reason of "Customer got a new phone, needs a new esim for 0103", which adds no customer. */
export function newPhone(text: string): Plainer {
  const found = NEW_PHONE.exec(text);
  const rest = found ? text.slice(found[0].length) : '';
  const isOrder = wordsOf(rest).some(({ acts }) => acts.length > 0) && (/\d{4}/u.test(rest) || !/\d{4}/u.test(text));
  return isOrder ? { text: `${found?.groups?.head ?? ''}${rest}`, told: [] } : { text, told: [] };
}

const SIM_LINE =
  /^(?!.*\b(?:swap|replace\w*|change|iccid)\b)(?<before>[^.;!?]*\b(?:new|another|second|additional|fresh|need|open|order|buy|provision|add|get|activate)\b[^.;!?\d]*?)\b(?<kind>e-?sim|(?:physical\s+|p)?sim)\s+(?<noun>lines?|numbers?)\b/iu;
const AFTER_LINE =
  /^(?!.*\b(?:swap|replace\w*|change|iccid)\b)[^.;!?]*\b(?:new|another|second|additional|fresh)\s+(?:\p{L}+\s+)?(?:lines?|numbers?)\b[^.;!?]*?(?<part>(?:[\s,]+(?:(?:as|with|on|and|an|a|it['’]s|its|should\s+be|must\s+be|prefers?|wants?|for|via|using)\s+)*|\s*\()(?:e-?sim|physical\s+sim|psim)\b(?:\s+(?:please|pls|card|only|preferred))?\)?)/iu;

/** Notes for "New esim line for Ava" that the SKU decides about the eSIM. */
export function simOfNewLine(text: string): Plainer {
  const before = SIM_LINE.exec(text)?.groups;
  const part = AFTER_LINE.exec(text)?.groups?.part;
  const kind = before?.kind ?? part?.replace(/^[\s,(]+|\)$/gu, '').trim();
  if (kind === undefined || /\d{4}(?!\d)/u.test(text)) return { text, told: [] };
  const plain = before
    ? text.replace(SIM_LINE, `${before.before}${before.noun}`)
    : part === undefined
      ? text
      : text.replace(part, '');
  return { text: plain, told: [`. Not taken: “${kind}”`] };
}

const PREFIX =
  /\b(?<deed>block|bar|ban|stop|reject|allow|unblock)\s+(?<all>(?:all|any|every|the|calls\s+from|texts\s+from)\s+)*\(?(?<code>[2-9]\d\d)\)?(?![\d-])\s*(?<what>numbers?|calls?|callers?|texts?)\b/iu;

/** "Block 900 numbers on 0101": the prefix is no line. */
export function prefixLast(text: string): Plainer {
  return { text: text.replace(PREFIX, '$<deed> $<what> from area code $<code>'), told: [] };
}

const ON_PHONE =
  /^(?<head>\W*(?:(?:hi|hey|so|ok|please|pls)[\s,]+)*)(?:(?:i|we)(?:['’]ve|\s+have)?\s+)?(?:got|have|there['’]?s|there\s+is)\s+an?\s+(?<who>\p{L}[\p{L}-]+(?:\s+\p{L}[\p{L}-]+)?)\s+(?:here\s+|waiting\s+)?on\s+(?:the\s+)?(?:other\s+)?(?:line|phone)\s*[,;.:–—-]+\s*(?=\S)/iu;

/** "Got a Ben Reed on the other line, what number does he have": the caller is named, and no line. */
export function onPhone(text: string): Plainer {
  const { head = '', who = '' } = ON_PHONE.exec(text)?.groups ?? {};
  const isName = who !== '' && wordsOf(who).every(({ isUnknown }) => isUnknown);
  return { text: isName ? text.replace(ON_PHONE, `${head}got ${who} here, `) : text, told: [] };
}
