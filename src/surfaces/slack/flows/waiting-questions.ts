import { asksUntilWhen, asksWhatItDoes } from '../../../assistant/guided/answers/own-requests.ts';
import { aboutOf, ruleOf } from '../../../assistant/guided/answers/rules.ts';
import { actionText } from '../../../cards/outcome.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Actor, hasRole, personOf } from '../../../lib/actor.ts';
import { elementsOf } from '../blocks/render.ts';
import { actions, type Block, button, escaped, type Message, notice, rich, say, small } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS } from '../ids.ts';
import { aboutMessage } from './guided-help.ts';
import { type Asked as Here, waitingHere } from './taken-back.ts';

/* Questions about requests that wait, which name none: "till when do I have to answer that", "what does it cost". */

/** Requests that one answer lists. */
export const MAX_LISTED = 10;

/** The line below a list of requests that does not show all of them. */
export function moreOf(all: readonly Action[]): Block[] {
  const more = all.length - MAX_LISTED;
  return more > 0
    ? [small(`… ${more} more. The app’s Home lists more of them, and they appear here as the others end.`)]
    : [];
}

/** The button that withdraws a request, for its requester. */
export function withdrawOwn({ id, person }: Action, actor: Actor): Block[] {
  return person === personOf(actor) ? [actions(`withdraw-${id}`, button(IDS.withdraw, 'Withdraw', id))] : [];
}

/** The requests that wait for a person, and then their own. */
export async function waitingFor(
  { gate, home, clock }: SlackContext,
  actor: Actor,
): Promise<{ forMe: Action[]; own: Action[] }> {
  const asked = await gate.actions.list({ actorId: actor.id, states: ['pending'], limit: 50 });
  const all = hasRole(actor, 'operator') ? await home.waitingFor(actor) : [];
  const isOpen = ({ expiresAt }: Action) => expiresAt > clock.now();
  const forMe = all.filter(isOpen);
  return { forMe, own: asked.filter((one) => isOpen(one) && !forMe.some(({ id }) => id === one.id)) };
}

/** When a conversation without a model was last answered with something to go on with. 0 if never in its topic. */
export function shownAt({ memory }: SlackContext, key: string): number {
  return memory.topics.get(key)?.shownAt ?? 0;
}

/**
 * The answer to such a question, if requests wait and nothing is offered in the conversation, which would be meant.
 *
 * @param key the conversation
 */
export async function aboutWaiting(
  slack: SlackContext,
  text: string,
  key: string,
  actor: Actor,
): Promise<Message | undefined> {
  const isUntil = asksUntilWhen(text);
  if ((!isUntil && !asksWhatItDoes(text)) || slack.memory.offers.has(key)) return undefined;
  const { forMe, own } = await waitingFor(slack, actor);
  const all = [...forMe, ...own];
  const [only, ...others] = all;
  if (isUntil && only) {
    return waitsMessage(slack, all, actor, 'Requests that wait, and until when');
  }
  const tool = only && slack.gate.tool(only.operation);
  // “That” is the record that was shown after the request.
  if (!only || others.length > 0 || !tool || only.createdAt < shownAt(slack, key)) return undefined;
  return aboutMessage(
    aboutOf(ruleOf(tool, only.shown), tool, (id) => slack.gate.tool(id)),
    [say(...elementsOf(actionText(only, tool)))],
  );
}

/** Requests that wait, each with the time until which it does. */
function waitsMessage(slack: SlackContext, all: readonly Action[], actor: Actor, text: string): Message {
  const rows = all
    .slice(0, MAX_LISTED)
    .flatMap((action) => [
      say(
        ...elementsOf(actionText(action, slack.gate.tool(action.operation))),
        '\n',
        rich.bold('Waits until '),
        rich.date(action.expiresAt),
      ),
      ...withdrawOwn(action, actor),
    ]);
  return { text: escaped(text), blocks: [...rows, ...moreOf(all)] };
}

/**
 * The state of what was asked for in a conversation, for "did Lee approve it": its requests that wait, or the offer whose
 * button was not pressed. Undefined if there is neither, so that what happened is shown.
 *
 * @param operation the change that the question is about
 */
export async function stateHere(
  slack: SlackContext,
  { key, ...place }: Here & { key: string },
  actor: Actor,
  operation: string,
): Promise<Message | undefined> {
  const own = (await waitingHere(slack, place)).filter(
    (action) => action.operation === operation && action.person === personOf(actor),
  );
  if (own.length > 0) return waitsMessage(slack, own, actor, 'Nobody has decided yet');
  const offer = (slack.memory.offers.get(key) ?? []).findLast((one) => one.operation === operation);
  if (!offer) return undefined;
  // A request after the offer is the one that is meant.
  const since = Number(offer.at?.ts ?? 0) * 1000;
  const later = await slack.gate.actions.list({ actorId: actor.id, since, limit: MAX_LISTED });
  if (later.some((action) => action.operation === operation)) return undefined;
  const title = slack.gate.tool(operation)?.title ?? operation;
  return notice(
    '⏳',
    `Nothing was asked for yet: “${title}” is only offered, and nothing was changed. Press its button to ask.`,
  );
}
