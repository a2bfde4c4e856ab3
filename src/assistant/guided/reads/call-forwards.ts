import { wordsOf } from '../../../language/sentence.ts';
import { answer, found, type GuidedAnswer } from '../answers/answer.ts';
import type { Reader } from '../answers/readings.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * Questions and orders about a line whose calls go elsewhere. A line has no switch for it: its voice route decides, and
 * other lines may have the same one.
 */

const FORWARD = String.raw`(?:forward(?:s|ed|ing|er)?|redirect(?:s|ed|ing|ion)?|divert(?:s|ed|ing)?|diversions?)\b`;
const ENDS = new RegExp(
  String.raw`\b(?:stop|end|remove|cancel|undo|kill|disable|drop|deactivate|delete|clear|lift|turn|switch|take|get\s+rid\s+of|no\s+more|no\s+longer|not|dont|never|shouldnt|without)\b[^.;!?]*\b${FORWARD}|n['’]t\b[^.;!?]*\b${FORWARD}|\b${FORWARD}[^.;!?]*\b(?:off|away|stop(?:s|ped)?|end(?:s|ed)?|removed?|cancell?ed|gone)\b`,
  'iu',
);
const ASKS = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|so|and|ok|please|pls|check|see|tell|me|if|whether|know)[\s,]+)*(?:is|are|does|do|has|have|where|to\s+where|if|whether)\b[^.;!]*\b${FORWARD}|\bwhere\b[^.;!]*\b${FORWARD}`,
  'iu',
);
const TO_SOMEBODY = new RegExp(
  String.raw`^[^.;!?]*\b${FORWARD}[^.;!?]*\bto\s+(?<who>\p{L}[\p{L}'’-]*(?:\s+\p{L}[\p{L}'’-]*)?)(?:\s+(?:line|number|phone|please|pls|for\s+now|asap))*\s*[.!]*$`,
  'iu',
);
const WHOSE = /\b(?<whose>\p{L}[\p{L}-]+)['’]s?\s+(?:line|calls?|number)\b/iu;
/** "Don't forward it yet" orders nothing. */
const FORBIDS = /^\W*(?:(?:please|pls)\s+)?(?:do\s*n['’]?t|do\s+not|never)\b/iu;
const OF_OTHERS =
  /\b(?:texts?|sms|mms|messages?|msgs?|routes?|trunks?|webhooks?|hooks?|e-?mails?|https?|sips?|url|workgroups?|create|new|ip)\b|\+?\d{10}\s+to\b/iu;

const SET_BY =
  'A line has no forward of its own: its calls go where its voice route sends them, and other lines may have the same route';
const ENDED =
  '“Point NUMBER at ROUTE” gives the line another route, and “change the voice route NAME” changes where the calls of all its lines go';

/** The answer about a forward of calls. Undefined for other sentences. */
export function ofCallForward({ facts, clauses, said }: Asked, { finder, lookup }: Reader): GuidedAnswer | undefined {
  const { message, details, ids, url, mentions } = facts;
  if (message !== undefined || details.routes.length > 0 || ids.length > 0 || url !== undefined) return undefined;
  if (FORBIDS.test(said) || OF_OTHERS.test(said) || mentions.length > 1 || !new RegExp(FORWARD, 'iu').test(said))
    return undefined;
  const line = finder.plainLookup(facts, clauses);
  if (line.kind !== 'lookup') return undefined;
  if (ASKS.test(said)) return { ...line, facts: ['calls'] };
  if (ENDS.test(said)) return led(line, `${SET_BY}. ${ENDED}`);
  const to = TO_SOMEBODY.exec(said)?.groups?.who ?? '';
  const who = to.replace(/['’]s?$/u, '');
  const whose = mentions.length > 0 ? undefined : WHOSE.exec(said)?.groups?.whose;
  if (who === '' || !wordsOf(who).every(({ isUnknown }) => isUnknown) || (mentions.length === 0 && !whose))
    return undefined;
  const named = whose !== undefined && lookup?.find ? { [lookup.find.field]: whose } : undefined;
  const shown =
    named && lookup?.find ? answer('lookup', { tool: lookup.find.tool, input: named, understood: found(named) }) : line;
  const how = `${SET_BY}. The number that a route forwards to, such as that of ${who}, is in no field here: it is set at the platform, and “point NUMBER at ROUTE” gives a line such a route`;
  return led(shown, how);
}

function led(line: GuidedAnswer, how: string): GuidedAnswer {
  const lead = `${how}. Nothing was done.`;
  return { ...line, isInstead: true, facts: ['calls'], lead, understood: `${lead} ${line.understood}` };
}
