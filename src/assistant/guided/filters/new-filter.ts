import { BLOCKS_LISTED, ONLY_LISTED, TRAFFIC, type Traffic } from '../../../../tools/surfaces/guard.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Fields } from '../../../lib/json.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import { type GuidedAnswer, understood } from '../answers/answer.ts';
import { CREATES } from './filter-settings.ts';

/*
 * A new filter is one act, however many of its parts an order names: "create a text filter for Ben, teenager, block +1…
 * and notify dad on +1…". Each number goes to the list that the words beside it name, and the rest is read as an order
 * for the filter alone.
 */

type Role = 'blocked' | 'allowed' | 'notified';

const BEFORE: Readonly<Record<Role, RegExp>> = {
  blocked: /\b(?:block|bar|ban|blacklist|reject|stop)(?:s|ed|ing|ned|ning)?\b/iu,
  allowed: /\b(?:allow|let|permit|whitelist|accept)(?:s|ed|ing|ting|ting)?\b/iu,
  notified:
    /\b(?:notif\w*|notices?|alert\w*|warn\w*|inform\w*|tell|tells|telling|text|texts|texting|message|ping\w*|let\s+\p{L}+\s+know)\b/iu,
};
/** Matches the words between two parts of an order. */
const JOINT =
  /\s*[,;:]+\s*(?:and\s+|also\s+|plus\s+|then\s+|with\s+)*|\s+(?:and|plus|also|then|&|\+(?!\d))\s+(?:also\s+|then\s+|with\s+)*|\s+(?:that|which|with|to)\s+(?=(?:also\s+)?(?:block|bar|ban|allow|let|notif|alert|warn|inform|tell|reject)\p{L}*\b|[+(]?\d)/giu;
const WRITTEN = /\+?\(?\d[\d().\s-]{8,16}\d/u;
const MAX_LENGTH = 300;

/** Returns what happens to the numbers of a part of an order. */
function roleOf(part: string): Role | undefined {
  const at = WRITTEN.exec(part)?.index ?? part.length;
  const order = ['notified', 'blocked', 'allowed'] as const;
  const said = order.find((role) => BEFORE[role].test(part.slice(0, at)));
  return said ?? order.find((role) => BEFORE[role].test(part.slice(at)));
}

/** The order for the filter alone, and the numbers of its lists. Undefined if it names no list. */
function partsOf(text: string): { head: string; numbers: Record<Role, string[]> } | undefined {
  const numbers: Record<Role, string[]> = { blocked: [], allowed: [], notified: [] };
  const joints = [...text.matchAll(JOINT)].map(([joint]) => joint);
  let head = '';
  let last: Role | undefined;
  // "With +1… and +1… blocked": the word follows the last one.
  const waiting: { part: string; found: string[] }[] = [];
  for (const [at, part] of text.split(JOINT).entries()) {
    const found = phonesIn(part);
    const isOwner = at === 0 && !/\b(?:block|allow|notif|alert)\p{L}*\b[^.;!?]*\d{4}/iu.test(part);
    const role: Role | undefined = found.length === 0 || isOwner ? undefined : (roleOf(part) ?? last);
    const own = at === 0 ? part : `${joints[at - 1]}${part}`;
    if (role !== undefined) numbers[role].push(...waiting.splice(0).flatMap((one) => one.found), ...found);
    else if (found.length > 0 && !isOwner) waiting.push({ part: own, found });
    else head += own;
    last = role;
  }
  head += waiting.map(({ part }) => part).join('');
  return Object.values(numbers).every(({ length }) => length === 0) ? undefined : { head, numbers };
}

/** The new filter with its lists and its notices. Undefined for other sentences. */
export function ofNewFilter(
  text: string,
  alone: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  if (text.length > MAX_LENGTH || !CREATES.test(text) || !WRITTEN.test(text) || /["“„?]/u.test(text)) return undefined;
  const parts = partsOf(text);
  const answer = parts && alone(parts.head.replace(/\s*:/gu, ','));
  const traffic = TRAFFIC.find(({ create }) => create === answer?.operation);
  const tool = toolOf(traffic?.create ?? '');
  if (!parts || !answer || !traffic || !tool || answer.kind === 'help' || answer.isInstead) return undefined;
  const input = { ...startOf(traffic, text, answer.input), ...answer.input, ...listsOf(traffic, parts.numbers) };
  if (!Object.keys(input).every((name) => name in tool.input.shape)) return undefined;
  return { ...answer, input, understood: `${understood(tool, input)}${answer.remarks ?? ''}.` };
}

/** Returns the values that a new filter needs and that an order for its lists leaves out. */
function startOf({ name }: Traffic, text: string, { SubscriberId, FilterMode }: Fields): Fields {
  const mode = { FilterMode: BLOCKS_LISTED[name], ...(/\bonly\b/iu.test(text) && ONLY_LISTED[name]) };
  return {
    ...(FilterMode === undefined && { ...mode, ApplyToInbound: true }),
    ...(SubscriberId !== undefined && { Phone: SubscriberId }),
  };
}

function listsOf(traffic: Traffic, { blocked, allowed, notified }: Record<Role, string[]>): Fields {
  return {
    ...(blocked.length > 0 && { [traffic.blocked]: blocked }),
    ...(allowed.length > 0 && { [traffic.allowed]: allowed }),
    ...(notified.length > 0 && { NotificationPhones: notified }),
  };
}
