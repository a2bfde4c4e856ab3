import { namesIn } from '../facts/unknown-names.ts';

/*
 * A webhook and an address, with no word that asks for one that there is: "hook up a webhook for acme to https://…",
 * "webhook for Globex, https://…, all events". It is a new one, whatever the verb.
 */

const URL = /\bhttps?:\/\/[^\s<>"“”]*[^\s<>"“”.,;!?)]/giu;
/** People say “hook” for it. */
const HOOK = /(?<=^|\s)hook(?=\s+(?:for|to|at|with|https?:)|\s*$)/iu;
const NEW = /^(?<lead>[^.;!?\n]*?)\b(?<article>(?:an?|another|one|new)\s+(?:new\s+)?)?web\s?hook\b/iu;
/** A webhook that exists, a question or a read, and an order of another kind. */
const OTHER =
  /\?\s*$|^\W*(?:what|which|who|when|where|why|how|is|are|was|does|do|did|has|have|can\s+you\s+see|show|list|find|check|see|look|open|get\s+me\s+the|tell|test)\b|\b(?:the|our|this|that|its|his|her|their)\s+(?:\p{L}+\s+){0,2}web\s?hook\b|\b(?:delete|remove|drop|kill|change|update|edit|move|point|switch|should|must|also|stop|pause|disable|turn|replace|not|never|if)\b|n['’]t\b/iu;

/** Events that are sent to an address: "send order updates and new texts for acme to https://…". No route carries them. */
const SENDS =
  /^(?<lead>\W*(?:(?:please|pls|can|could|you|u|we|i|want|need|to|ok|so)[\s,]+)*)(?:send|post|push|deliver|forward|notify|report|stream|pipe|get|have|want|need)\s+(?:(?:us|the|our)\s+)*(?<what>(?=[^.;!?]*\b(?:everything|(?:order|port(?:[\s-]?ins?)?(?:\s+orders?)?|call)\s+(?:updates?|events?|changes|status\p{L}*)|events|order_update|new_sms|call_\p{L}+)\b)[^.;!?]*?)\s+(?:over\s+)?(?:to|at)\s+(?=https?:)/iu;

/** The order to create a webhook. Any other sentence as it is. */
export function withNewWebhook(text: string): string {
  const urls = text.match(URL) ?? [];
  const plain = text.replace(URL, ' ');
  // “A hook up” is none.
  if (urls.length === 1 && HOOK.test(plain) && !/\bweb\s?hook\b/iu.test(plain))
    return withNewWebhook(text.replace(HOOK, 'webhook'));
  const sent = urls.length === 1 && !OTHER.test(plain) ? SENDS.exec(text) : null;
  if (sent)
    return `${sent.groups?.lead ?? ''}create a webhook for ${allEvents(sent.groups?.what)} to ${text.slice(sent[0].length)}`;
  const found = urls.length === 1 && !OTHER.test(plain) ? NEW.exec(text) : null;
  if (!found) return text;
  const { lead = '', article } = found.groups ?? {};
  const isFirst = /^\W*(?:(?:please|pls|plz|hi|hey|ok|so|and)\b\W*)*$/iu.test(lead);
  if (article === undefined && !isFirst) return text;
  // "Get acme a webhook at https://…" names the account before it.
  const [name] = isFirst ? [] : namesIn({ rest: lead.replace(/\b(?:hook|wire|rig|spin|stand|plug)\b/giu, ' ') });
  const rest = text.slice(found[0].length);
  const isNamed = name === undefined || /\bfor\s+\p{L}/iu.test(rest);
  return `create a webhook${isNamed ? '' : ` for ${name}`}${allEvents(rest.replace(/^\s*[,:]/u, ''))}`;
}

/** "For everything" asks for all events. */
function allEvents(text = ''): string {
  return text.replace(/(?<=^|\s)everything\b/iu, 'all events');
}

const RECEIPTS =
  /^create a webhook\b(?=[^"“„]*\b(?:deliver(?:y|ies)(?:\s+(?:receipts?|reports?|status\p{L}*))?|(?:delivery\s+)?receipts|dlrs?)\b)/iu;

/** Says that delivery receipts go to a message route and are no event of a webhook: "a webhook for new sms and delivery". */
export function receiptsTold(text: string): string[] {
  return RECEIPTS.test(text.replace(URL, ' '))
    ? ['; whether a text was delivered is no event of a webhook: a message route has an address for that']
    : [];
}
