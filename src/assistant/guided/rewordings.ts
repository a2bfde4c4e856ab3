import type { GuidedAnswer } from './answer.ts';
import { withPlan } from './plans.ts';

/* Sentences that are read in other words than those that they have: a place of a new number, a webhook that has to move. */

const ASKS = String.raw`\b(?:new|another|fresh|second|need|needs|want|wants|get|give|buy|order|find|grab|provision|add|create|open)\b[^,.;!?]*?\b(?:numbers?|lines?|dids?)\b`;
const PLACE = new RegExp(
  String.raw`(?<=^(?![^,.;!?]*\b(?:subscriber|user|admin|sim|port|account)\b)[^,.;!?]*(?:${ASKS})[^,.;!?\d]*)\s+(?:in|from|near|around)\s+(?:the\s+)?(?<place>(?:[A-Z][\p{L}.'’-]+)(?:\s+[A-Z][\p{L}.'’-]+){0,3})(?=\s*(?:$|[,.;!?]|\b(?:for|with|please|pls|asap|today|now)\b))`,
  'u',
);

/** The sentence in the words in which it is read, and the place that was left out. */
export function reworded(text: string): { text: string; place?: string } {
  return withoutPlace(withMovedWebhook(withPlan(text)));
}

/** A sentence that asks for a new number, without the place in it: "new line in New Jersey". */
function withoutPlace(text: string): { text: string; place?: string } {
  const match = PLACE.exec(text);
  const place = match?.groups?.place;
  if (!match || place === undefined) return { text };
  return { text: text.slice(0, match.index) + text.slice(match.index + match[0].length), place };
}

/** The answer with a sentence about the place that the message names. */
export function withPlaceTold(guided: GuidedAnswer, place: string | undefined): GuidedAnswer {
  if (place === undefined) return guided;
  const told = `. Numbers are chosen by area code and not by place: write the area code of ${place}`;
  return {
    ...guided,
    understood: `${guided.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${guided.remarks ?? ''}${told}`,
  };
}

const URL = /\bhttps?:\/\/[^\s<>"“”]*[^\s<>"“”.,;!?)]/gi;
const MOVED =
  /\b(?:(?:needs?|has|have|got)\s+to|should|must|is\s+now|are\s+now|now|moved|wrong|old|instead|no\s+longer|changed)\b/i;
const MAKES =
  /\b(?:add|create|make|new\s+(?:web)?hook|set\s+up|register|an?\s+(?:new\s+)?(?:web)?hook|another|second|additional|delete|remove|drop|stop|cancel)\b/i;
const ASKED =
  /\?\s*$|^\W*(?:where|what|which|why|who|is|are|does|do|did|if|can|could|should)\b|\b(?:not|never|if|unless)\b|n['’]t\b/i;

/** "The webhook points to the old server, it needs to be https://…": the webhook that there is gets the address. */
function withMovedWebhook(text: string): string {
  const urls = text.match(URL) ?? [];
  const said = text.replace(URL, ' ');
  const isMoved = /\bweb\s?hook\b/i.test(said) && MOVED.test(said) && !MAKES.test(said) && !ASKED.test(said.trim());
  return isMoved && urls.length === 1 ? `change the webhook to ${urls[0]}` : text;
}
