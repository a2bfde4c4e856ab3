import type { Actor } from '../../../lib/actor.ts';
import { hasRole } from '../../../lib/actor.ts';
import { actionLine } from '../blocks/action-list.ts';
import { titleOf } from '../blocks/card.ts';
import { orderList } from '../blocks/home.ts';
import { escaped, type Message, notice, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { Place } from '../live/agent.ts';
import { cardAt, noteOf } from '../types.ts';
import { guidesMessage } from './guide-command.ts';

/* Answers about what waits for a person and about their orders. The ledger has them, so no model is asked. */

const WAITING =
  /\b(?:what|anything|something|who|is there)\b.{0,40}\bwait(?:s|ing)?\b.{0,12}\b(?:for )?(?:me|my|us)\b|\bmy (?:open )?(?:approvals|confirmations|requests)\b/i;
const ORDERS = /^(?:.{0,24}\b)?(?:my|our) (?:open |latest )?(?:orders?|port-?ins?)\b(?:.{0,24})$/i;
const GUIDES = /^(?:show (?:me )?(?:the )?)?guides?[.?!]?$/i;
const YES =
  'yes|yep|yeah|y|ok|okay|sure|do it|go ahead|go for it|approved?|i approve|confirm|confirmed|i confirm|please do';
/** Words that may follow a yes. Any other word makes the message a question or another instruction. */
const AFTER_YES =
  'please|thanks|thank you|just|now|cancel|proceed|send|it|that|this|them|all|both|him|her|the|and|i|we|you|can|may|agree|want|am|sure|of course';
const IS_YES = new RegExp(`^(?:${YES})(?:[\\s,.!;:]+(?:${YES}|${AFTER_YES}))*[\\s.!]*$`, 'i');
const MAX_OPEN = 5;
const MAX_LISTED = 10;

/** The answer if a message asks about the person's own desk, or for the guides; undefined otherwise. */
export async function deskAnswer(slack: SlackContext, text: string, actor: Actor): Promise<Message | undefined> {
  if (WAITING.test(text)) return waitingMessage(slack, actor);
  if (ORDERS.test(text)) return ordersMessage(slack, actor);
  if (GUIDES.test(text)) return guidesMessage(slack);
  return undefined;
}

/** The answer to a yes in a thread, or a direct message, with open questions, which names the places of their buttons; undefined otherwise. */
export async function openQuestion(
  slack: SlackContext,
  text: string,
  place: Place & { isTop: boolean },
): Promise<Message | undefined> {
  if (!IS_YES.test(text)) return undefined;
  const waiting = await slack.gate.actions.list({ states: ['pending'], limit: 500 });
  const here = waiting.filter((action) => {
    const { from, thread } = noteOf(action);
    const isHere = from === place.channel && (place.isTop || thread === place.threadTs);
    return isHere && action.expiresAt > slack.clock.now();
  });
  if (here.length === 0) return undefined;
  const titles = here.map((action) => titleOf(action, slack.gate.tool(action.operation)));
  const lines = here.slice(0, MAX_OPEN).map(async (action, i) => {
    const at = cardAt(action);
    const link = at && (await slack.web.permalink(at));
    const where = link
      ? [{ type: 'link', url: link, text: 'open its card' }]
      : [rich.text('it is on the card in the app’s Home')];
    return say(rich.bold(titles[i] ?? ''), ': ', ...where, '.');
  });
  const before = `🔐 Words do not confirm, and nothing was done. Use the button on the card${here.length > 1 ? 's' : ''}.`;
  return {
    text: escaped(`${before} ${titles.slice(0, MAX_OPEN).join('; ')}`),
    blocks: [say(before), ...(await Promise.all(lines))],
  };
}

async function waitingMessage(slack: SlackContext, actor: Actor): Promise<Message> {
  const { gate, home, clock } = slack;
  const own = await gate.actions.list({ actorId: actor.id, states: ['pending'], limit: 50 });
  const forMe = hasRole(actor, 'operator') ? await home.waitingFor(actor) : [];
  const all = [...forMe, ...own.filter(({ id }) => !forMe.some((one) => one.id === id))]
    .filter(({ expiresAt }) => expiresAt > clock.now())
    .slice(0, MAX_LISTED);
  if (all.length === 0) return notice('✅', 'Nothing waits for your decision, and none of your requests is open.');
  const rows = await Promise.all(
    all.map(async (action) => {
      const at = cardAt(action);
      const link = at && (await slack.web.permalink(at));
      return say(
        ...actionLine(action, gate.tool(action.operation)),
        ...(link ? ['  ', { type: 'link', url: link, text: 'Open the card' }] : []),
      );
    }),
  );
  const title =
    forMe.length > 0 ? `${forMe.length} to decide, ${all.length - forMe.length} of your own` : 'Your open requests';
  return { text: escaped(title), blocks: [say(rich.bold(title)), ...rows] };
}

async function ordersMessage({ home }: SlackContext, actor: Actor): Promise<Message> {
  const orders = await home.ordersOf(actor.id);
  if (orders.length === 0) return notice('📦', 'You have started no orders yet.');
  return { text: `Your ${orders.length} orders`, blocks: [say(rich.bold('Your orders')), orderList(orders)] };
}
