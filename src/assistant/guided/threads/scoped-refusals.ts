import { TRAFFIC } from '../../../../tools/surfaces/guard.ts';
import { isSpecific, wordsOf } from '../../../language/sentence.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';
import { kindIn, kindsOf } from '../filters/kind-parts.ts';

/*
 * Messages that take back one of several open offers and name which: "not the texts, only calls", "forget the hold", "just
 * the first". The others stay open.
 */

const MAX_LENGTH = 120;
const FILLER = String.raw`(?:(?:no+|nope|nah|wait|oh|ok|okay|sorry|oops|actually|hm+|please|pls|well|and|but|then|so|hold\s+on)\b[\s,.!]*)*`;
const REFUSES = new RegExp(
  String.raw`^${FILLER}(?:not|without|minus|except|drop|forget(?:\s+about)?|scratch|skip|omit|scrap|exclude|undo|withdraw|never\s*mind|leave(?:\s+out)?(?!.*\b(?:in|on)\W*$)|do\s*n['’]?o?t\s+(?:do|need|want)|take\s+back)\s+(?<what>\S[\s\S]*)$`,
  'iu',
);
const KEEPS = new RegExp(
  String.raw`^${FILLER}(?:(?<only>only|just|solely)(?:\s+(?:do|keep|for))?|keep|leave(?=.*\b(?:in|on)\W*$))\s+(?<what>\S[\s\S]*)$`,
  'iu',
);
const SPLITS =
  /\s*[,;.!–—]+\s*|\s+(?:but|and)\s+(?=(?:only|just|keep|not|forget|drop|leave|skip)\b)|\s+(?=(?:only|just)\s)/iu;
const PLACES = [/\b(?:first|1st)\b/iu, /\b(?:second|2nd)\b/iu, /\b(?:third|3rd)\b/iu];
/** Words that name no offer by themselves. */
const SMALL: ReadonlySet<string> = new Set(
  'the that this his her their its my our one ones offer change order part thing please pls thanks thx then now out alone back off as is it was they are for on of from to again after all'.split(
    ' ',
  ),
);

/** The offers that a part of a message names. Undefined if a word of it is about none of them. */
function namedIn(part: string, offered: readonly string[], reading: Reading): Set<number> | undefined {
  const all = offered.map((_, at) => at);
  const ofTraffic = offered.some((one) => kindsOf(reading.of(one)).size > 0);
  const place = PLACES.findIndex((pattern) => pattern.test(part));
  if (place >= 0) return place < offered.length ? new Set([place]) : undefined;
  let named = new Set(all);
  for (const word of wordsOf(part)) {
    if (SMALL.has(word.plain)) continue;
    const kind = ofTraffic ? kindIn(word.plain) : undefined;
    const topics = [...word.acts, ...word.things.filter(isSpecific)];
    const hits = all.filter((at) => {
      const order = offered[at] ?? '';
      if (kind !== undefined) return kindsOf(reading.of(order)).has(kind);
      if (/\d/.test(word.plain)) return order.includes(word.plain.replace(/^\D+/, ''));
      return wordsOf(order).some(
        ({ acts, things, plain }) => plain === word.plain || [...acts, ...things].some((one) => topics.includes(one)),
      );
    });
    if (hits.length === 0) return undefined;
    named = new Set(hits.filter((at) => named.has(at)));
  }
  return named.size === 0 || named.size === offered.length ? undefined : named;
}

/** The open offers that a message takes back by what they are, while others stay. Undefined for other messages. */
export function ofScopedRefusal(text: string, offered: readonly string[], reading: Reading): Meant | undefined {
  if (offered.length < 2 || text.length > MAX_LENGTH || text.includes('?')) return undefined;
  const parts = text.split(SPLITS).filter((part) => part !== '' && !new RegExp(`^${FILLER}$`, 'iu').test(part));
  if (parts.length === 0 || parts.length > 3) return undefined;
  const other = parts.length === 1 ? ofNone(parts[0] ?? '', offered) : undefined;
  if (other !== undefined) return { text, kind: 'unclear', isRead: true, note: other };
  const gone = new Set<number>();
  let isOnly = false;
  const kept = new Set<number>();
  for (const part of parts) {
    const refused = REFUSES.exec(part)?.groups?.what;
    const keeps = refused === undefined ? KEEPS.exec(part)?.groups : undefined;
    const named = namedIn(refused ?? keeps?.what ?? '', offered, reading);
    if (!named || (refused === undefined && !keeps)) return undefined;
    isOnly ||= keeps?.only !== undefined;
    for (const at of named) (refused === undefined ? kept : gone).add(at);
  }
  if (gone.size === 0 && isOnly) for (const at of offered.keys()) if (!kept.has(at)) gone.add(at);
  const stays = offered.filter((_, at) => !gone.has(at));
  const out = offered.filter((_, at) => gone.has(at));
  const [last] = out.slice(-1);
  if (last === undefined || stays.length === 0 || [...kept].some((at) => gone.has(at))) return undefined;
  // One offer for both kinds of traffic is narrowed, and not taken back.
  const isWhole = [...offered].every((one) => isOffer(reading.of(one), reading) && isOfOneKind(one, reading));
  if (!isWhole) return undefined;
  const also = out.slice(0, -1);
  const note = `${stays.map((one) => `“${one}”`).join(' and ')} ${stays.length > 1 ? 'are as they were' : 'is as it was'}`;
  return { text, kind: 'back', before: last, note, ...(also.length > 0 && { also }) };
}

const DROPS = new RegExp(
  String.raw`^${FILLER}(?:drop|forget(?:\s+about)?|scratch|skip|scrap|withdraw)\s+(?:the|that|this)\s+(?<noun>[\p{L}-]+)[\s.!]*$`,
  'iu',
);

/** "Drop the limit" where a hold and a reactivation are offered takes neither back. Undefined for other messages. */
function ofNone(part: string, offered: readonly string[]): string | undefined {
  const noun = DROPS.exec(part)?.groups?.noun;
  const topicsOf = (text: string) =>
    wordsOf(text).flatMap(({ acts, things }) => [...acts, ...things.filter(isSpecific)]);
  const named = noun === undefined || kindIn(noun) !== undefined ? [] : topicsOf(noun);
  if (named.length === 0 || offered.some((one) => topicsOf(one).some((topic) => named.includes(topic))))
    return undefined;
  const all = offered.map((one) => `“${one}”`).join(' and ');
  return `“${noun}” is in none of the open offers: ${all} are as they were. Write the whole order, or “forget it” for the last one`;
}

function isOfOneKind(order: string, reading: Reading): boolean {
  return kindsOf(reading.of(order)).size < TRAFFIC.length;
}
