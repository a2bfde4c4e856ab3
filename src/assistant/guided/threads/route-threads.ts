import { isOffer, type Meant, type Reading } from '../answers/topics.ts';

/*
 * "Point it to https://…" after a question about a route: the address is one of the route that was shown, and no line's.
 * "Add one" after a list of an account's webhooks is for that account.
 */

const POINTS =
  /^\W*(?:(?:ok|okay|so|and|then|please|pls|can|could|would|you|u|we|just|now)[\s,]+)*(?:switch|point|change|set|send|move|update|redirect|route|swap|make|put)\s+(?:it|that|this|the\s+(?:route|url|address|endpoint|webhook))\b.*\bhttps?:\/\/\S/isu;
const URL = /\bhttps?:\/\/\S*[^\s.,;!?)]/iu;
const LIST = /^(?:account_)?(?<kind>message|voice)_routes_/;

const IT = /\b(?<to>(?:to|on|of|for|in)\s+)?(?:it|that|this)\b(?:\s+(?:one|route))?/iu;
const UPDATE = /^(?<kind>message|voice)_routes_update$/;

/** The change of the route that the message before asks about. Undefined for other messages. */
export function ofRouteBefore(text: string, last: string, reading: Reading): Meant | undefined {
  const { operation = '', input, orAccount } = reading.of(last);
  const kind = [orAccount?.operation ?? '', operation].flatMap((id) => LIST.exec(id)?.groups?.kind ?? [])[0];
  const own = { ...input, ...orAccount?.input };
  const name = [own.MessageRouteId, own.CallRouteId, own.CallRouteID, own.AccountId].find(
    (one): one is string => typeof one === 'string',
  );
  if (kind === undefined) return undefined;
  const url = POINTS.test(text) ? URL.exec(text)?.[0] : undefined;
  const whose = name === undefined ? '' : ` of ${name}`;
  if (url !== undefined) return { text: `change the ${kind} route${whose} to ${url}`, kind: 'read' };
  // "Add a backup trunk 198.51.100.25 to it"
  const isOfIt = IT.test(text) && UPDATE.exec(reading.of(text).operation ?? '')?.groups?.kind === kind;
  return isOfIt ? { text: text.replace(IT, `$<to>the ${kind} route${whose}`), kind: 'read' } : undefined;
}

/** Operations of the webhooks and routes of an account. */
const OF_ACCOUNT = /^(?:account_)?(?<kind>webhook|message_routes|voice_routes)s?_/;

/** A new record after the list of an account, which it is for. Undefined for other messages. */
export function ofAccountBefore(text: string, last: string, reading: Reading): Meant | undefined {
  const [own, before] = [reading.of(text), reading.of(last)];
  const { AccountId: account = before.orAccount?.name } = before.input;
  const kind = OF_ACCOUNT.exec(own.operation ?? '')?.groups?.kind;
  const isSame =
    kind !== undefined && OF_ACCOUNT.exec(before.orAccount?.operation ?? before.operation ?? '')?.groups?.kind === kind;
  if (!isSame || typeof account !== 'string' || !isOffer(own, reading) || own.input.AccountId !== undefined)
    return undefined;
  const full = `${text.replace(/[\s.!]+$/, '')} for ${account}`;
  return reading.of(full).input.AccountId === account ? { text: full, kind: 'read' } : undefined;
}

const THERE = /\bthere\b/iu;
const SAME_MAIL = /\b(?:the\s+)?same\s+(?:e-?)?mail(?:\s+add?ress)?\b/iu;

/** "Put Mia in as the manager there, same mail" after the order for an account. Undefined for other messages. */
export function ofNewAccount(text: string, last: string, reading: Reading): Meant | undefined {
  const { operation, input } = reading.of(last);
  const { AccountName: name, AccountAdmin: mail } = input;
  if (operation !== 'account_create' || typeof name !== 'string' || !(THERE.test(text) || SAME_MAIL.test(text)))
    return undefined;
  const own = typeof mail === 'string' ? text.replace(SAME_MAIL, mail) : text;
  const full = own.replace(THERE, `at ${name}`).replace(/^\W*(?:(?:and|also|then|ok)[\s,]+)+/iu, '');
  const answer = reading.of(full);
  return answer.operation === 'subscribers_create' ? { text: full, kind: 'read', open: last } : undefined;
}
