import type { Tool } from '../../../catalogue/operation.ts';
import { respelled } from '../../../language/spelling.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { withApostrophe } from '../answers/owners.ts';
import { type RowChange, rowsTold } from '../answers/present-rows.ts';
import { COURTESY } from '../facts/beginnings.ts';
import { eventsNamed } from '../facts/webhook-events.ts';

/*
 * Events that come to a webhook which there is, or leave it: "stop sending call events to our webhook", "add new texts to
 * acme's webhook". The webhook itself is never made or deleted by that. Surfaces read the present events.
 */

const UPDATE = 'webhook_update';
const FIELD = 'SubscribedEvents';
const LEAD = String.raw`^\W*${COURTESY}`;
const HOOK = String.raw`(?:(?:web\s?)?hooks?|WID-[\da-f-]{8,})`;
/** The events, and the webhook behind them. */
const WHAT = String.raw`(?<what>(?:(?!\b(?:${HOOK})\b)[^.;!?])+?)`;
const OF_HOOK = String.raw`(?<which>(?:(?!\b(?:to|from|off|on|at|in)\b)[^.;!?,])*?\b${HOOK}\b[^.;!?]*)$`;
const REMOVES = new RegExp(
  String.raw`${LEAD}(?:(?:stop|quit|cease|end)\s+(?:(?:send|post|push|deliver|report|forward|stream|subscrib)\p{L}*\s+)?|remove\s+|drop\s+|take\s+|exclude\s+|unsubscribe\s+|leave\s+out\s+|strip\s+)${WHAT}\s+(?:to|from|off|on|at|out\s+of)\s+${OF_HOOK}`,
  'iu',
);
const ADDS = new RegExp(
  String.raw`${LEAD}(?:add|include|put|subscribe|(?:start\s+)?(?:send|post|push|deliver|report)(?:ing)?)\s+${WHAT}\s+(?:to|on|in|into|with|at)\s+${OF_HOOK}`,
  'iu',
);
/** "No more call events to the acme webhook" */
const NO_MORE = new RegExp(String.raw`${LEAD}no\s+(?:more|longer)\s+${WHAT}\s+(?:to|for|on|at)\s+${OF_HOOK}`, 'iu');
/** "Acme's webhook should also get texts", "the webhook doesn't need port updates any more" */
const NEEDS = new RegExp(
  String.raw`${LEAD}(?<which>(?:(?!\b(?:if|when|that|an?|new|another|does|do|did|is|are|has|have|what|which|who|why|how|where|to|on|off|from)\b)[^.;!?,]){0,60}?\b${HOOK}(?:\s+(?:of|for|at)\s+\S+)?)\s+(?<modal>(?:should|must|has\s+to|needs?|gets?|wants?|can|does|shall|will|no\s+longer)(?:\s*n['’]?t\b|\s+not\b|\s+no\s+longer\b)?(?:\s+(?:also|only|just|now|still|to|be|no\s+longer|need|needs|get|gets|have|receive|deliver|send|sent))*)\s+${WHAT}(?<end>(?:\s+(?:any\s?more|any\s+longer|too|as\s+well|now|please|pls))*)[\s.!]*$`,
  'iu',
);
const AGAINST =
  /["“„?]|\b(?:not|never|dont|only|just\s+the|instead|unless|if)\b|n['’]t\b|\b(?:an?|another|new)\s+(?:\p{L}+\s+)?(?:web\s?)?hook\b/iu;
const URL = /\bhttps?:\/\/[^\s<>"“”]*[^\s<>"“”.,;!?)]/iu;
const NO_NAME = /^(?:the|our|my|this|that|its|their|his|her|a|an|any|existing|present|current)$/iu;
const NAME = String.raw`(?<![\p{L}\d])(?<name>(?!(?:the|our|my)\b)[\p{L}\d][\p{L}\d&-]*(?:\s+\p{Lu}[\p{L}\d&-]*)?)`;
const OWNERS = [
  new RegExp(String.raw`\b${HOOK}\s+(?:of|for)\s+(?:the\s+)?${NAME}`, 'iu'),
  new RegExp(String.raw`${NAME}(?:['’]s?)?\s+${HOOK}\b`, 'iu'),
];

/** The change of the events of a webhook. Undefined for other sentences. */
export function ofWebhookEvents(text: string, toolOf: (id: string) => Tool | undefined): GuidedAnswer | undefined {
  const said = respelled(withApostrophe(text)).text;
  const needs = /["“„?]/u.test(said) ? null : NEEDS.exec(said);
  const modal = needs?.groups?.modal ?? '';
  const ends = /n['’]?t\b|\bnot\b|\bno\s+longer\b/iu.test(modal) ? needs : null;
  const removed = ends ?? (AGAINST.test(said) ? null : (REMOVES.exec(said) ?? NO_MORE.exec(said)));
  const found = removed ?? needs ?? (AGAINST.test(said) ? null : ADDS.exec(said));
  const { what = '', which = '' } = found?.groups ?? {};
  const tool = found ? toolOf(UPDATE) : undefined;
  const events = tool && eventsNamed(tool, what);
  if (!tool || events === undefined) return undefined;
  const all = events.split(',').map((Event) => ({ Event }));
  const rows: RowChange = {
    field: FIELD,
    isText: true,
    ...(removed ? { adds: [], removes: all } : { adds: all, removes: [] }),
  };
  const hook = hookIn(which);
  const input = {
    ...(hook !== undefined && { WebhookId: hook }),
    ...(!removed && { [FIELD]: events }),
  };
  // The events are set as a whole.
  if (!removed && /\b(?:only|just)\b/iu.test(modal))
    return answer('form', { tool, input, understood: understood(tool, input) });
  const remarks = rowsTold(rows);
  return { ...answer('form', { tool, input, understood: `${understood(tool, input)}${remarks}` }), remarks, rows };
}

/** The id or the address of the webhook, or the name of its account. */
export function hookIn(which: string): string | undefined {
  const id = /\bWID-[\da-f-]{8,}/iu.exec(which)?.[0];
  if (id !== undefined) return id;
  const url = URL.exec(which)?.[0];
  if (url !== undefined) return url;
  const names = OWNERS.map((pattern) => pattern.exec(which)?.groups?.name).filter((name) => name !== undefined);
  return names.find((name) => !NO_NAME.test(name));
}
