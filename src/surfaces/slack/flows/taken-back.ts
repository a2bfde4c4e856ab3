import type { GuidedAnswer } from '../../../assistant/guided/answers/answer.ts';
import { asksToWithdraw } from '../../../assistant/guided/answers/outside.ts';
import { narrowedTo, takenBackIn, undoesLast } from '../../../assistant/guided/answers/own-requests.ts';
import { isDeedOf } from '../../../assistant/guided/facts/deed-nouns.ts';
import { numbersOf } from '../../../cards/actions.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Actor, personOf } from '../../../lib/actor.ts';
import { DAY_MS, HOUR_MS } from '../../../lib/clock.ts';
import { asSwitchboardError } from '../../../lib/errors.ts';
import { type Fields, textOf } from '../../../lib/json.ts';
import type { Place } from '../api/agent.ts';
import { outcomeNotice, titleOf } from '../blocks/card.ts';
import { actions, type Block, button, escaped, type Message, rich, say, small } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS } from '../ids.ts';
import type { Offer } from '../people/memory.ts';
import { cardAt, noteOf, type Posted, SLACK_ACTOR } from '../types.ts';
import { linkTo } from './engine.ts';

/* Words that take something back: an offer, a request that waits, or a change that was done. */

const MAX_OPEN = 5;
const STILL_THERE = 'Do not use the buttons of the offer before it.';

/** When a message was written, epoch ms of Slack's clock. */
export function writtenAt(ts: string): number {
  return Number(ts) * 1000;
}

/** Offers of one conversation that are remembered. */
const MAX_OFFERS = 5;

/** Remembers an offer, so that its buttons can be removed. `keys`: the conversations that it is the last one of. */
export function keepOffer({ memory }: SlackContext, { keys, ...offer }: { keys: readonly string[] } & Offer): void {
  if (!offer.message.blocks.some(({ type }) => type === 'actions')) return;
  for (const key of keys) memory.offers.set(key, [...(memory.offers.get(key) ?? []), offer].slice(-MAX_OFFERS));
}

/**
 * Removes the buttons of a conversation's last offer, which was taken back, or of all offers to the same text. Returns a
 * notice if buttons remain.
 *
 * @param also the operations of earlier offers that are taken back with it
 * @param only the operation of the offer, which may be an earlier one; the last offer if left out
 */
export async function takeOfferBack(
  slack: SlackContext,
  key: string,
  also: readonly string[] = [],
  only?: string,
): Promise<Message | undefined> {
  const { offers } = slack.memory;
  const all = offers.get(key) ?? [];
  const meant = only === undefined ? -1 : all.findLastIndex(({ operation }) => operation === only);
  const upTo = meant < 0 ? all : all.slice(0, meant + 1);
  const head = Math.max(
    0,
    upTo.findLastIndex(({ isFurther }) => !isFurther),
  );
  // The offers to one text are taken back together.
  const next = all.findIndex(({ isFurther }, at) => at > head && !isFurther);
  const last = all.slice(head, next < 0 ? all.length : next);
  const earlier = also.map((operation) =>
    all.findLast((offer) => !last.includes(offer) && offer.operation === operation),
  );
  const gone = all.filter((offer) => last.includes(offer) || earlier.includes(offer));
  const left = all.filter((offer) => !gone.includes(offer));
  if (left.length === 0) offers.delete(key);
  else offers.set(key, left);
  const removed = await Promise.all(gone.map((offer) => removeButtons(slack, offer)));
  return gone.length > 0 && removed.every(Boolean) ? undefined : { text: STILL_THERE, blocks: [small(STILL_THERE)] };
}

/** Withdraws all offers of conversations that end. */
export async function dropOffers(slack: SlackContext, keys: readonly string[]): Promise<void> {
  const open = new Set(keys.flatMap((key) => slack.memory.offers.get(key) ?? []));
  for (const key of keys) slack.memory.offers.delete(key);
  await Promise.all([...open].map((offer) => removeButtons(slack, offer)));
}

/** Withdraws the offers of a message that was deleted or changed. */
export async function dropOffersOf(slack: SlackContext, { channel, ts }: Posted): Promise<void> {
  const { offers } = slack.memory;
  const isGone = (offer: Offer) => offer.channel === channel && offer.said === ts;
  const gone = new Set([...offers].flatMap(([, all]) => all.filter(isGone)));
  for (const [key, all] of [...offers]) {
    const left = all.filter((offer) => !isGone(offer));
    if (left.length === 0) offers.delete(key);
    else if (left.length < all.length) offers.set(key, left);
  }
  await Promise.all([...gone].map((offer) => removeButtons(slack, offer)));
}

/** Withdraws the requests that wait and that the answer to this message made. */
export async function withdrawRequests(
  { gate, log }: SlackContext,
  { channel, ts, userId }: Posted & { userId: string },
): Promise<void> {
  for (const action of await gate.actions.list({ states: ['pending'], limit: 500 })) {
    const { from, said, asker } = noteOf(action);
    if (from !== channel || said !== ts || asker !== userId) continue;
    const { id, actorId, actorName, person } = action;
    await gate.withdraw(id, { ...SLACK_ACTOR, id: actorId, name: actorName, person }).catch((error: unknown) => {
      const { detail, message } = asSwitchboardError(error);
      log('info', { action: id, detail: detail ?? message }, 'the request of a retracted message was not withdrawn');
    });
  }
}

/** False if the buttons of an offer remain. */
async function removeButtons({ web, log }: SlackContext, { at, message }: Offer): Promise<boolean> {
  if (!at) return false;
  const { text, blocks } = message;
  const bare = [...blocks.filter(({ type }) => type !== 'actions'), small('↩️ Withdrawn. Nothing was done.')];
  try {
    await web.update(at, { text, blocks: bare });
    return true;
  } catch (error) {
    log('info', { error: String(error) }, 'an offer that was taken back could not be edited');
    return false;
  }
}

/**
 * Takes the last offer back whose place another order takes. If its button was pressed, its request is shown with the
 * button that withdraws it, and is returned as `waits`.
 */
export async function replaced(
  slack: SlackContext,
  key: string,
  {
    also = [],
    only,
    request,
  }: { also?: readonly string[]; only?: string; request: () => Promise<TakenBack | undefined> },
): Promise<{ message: Message | undefined; waits: TakenBack | undefined }> {
  const isOffered = (slack.memory.offers.get(key)?.length ?? 0) > 0;
  const waiting = isOffered ? undefined : await request();
  return { message: waiting?.message ?? (await takeOfferBack(slack, key, also, only)), waits: waiting };
}

/** The answer of an order that takes the place of a request, which waits until its button withdraws it, or was done. */
export function besideWaiting(guided: GuidedAnswer, { isSent }: Pick<TakenBack, 'isSent'>): GuidedAnswer {
  const how = isSent ? 'was confirmed before' : 'waits until you withdraw it with its button';
  const told = (text: string) => text.replace(/, which (?:is|are) withdrawn/g, `, which ${how}`);
  const { understood, remarks } = guided;
  return { ...guided, understood: told(understood), ...(remarks !== undefined && { remarks: told(remarks) }) };
}

/** True for an action that was asked for in this thread, or anywhere in this direct message. */
function isHere(action: Action, place: Asked): boolean {
  const { from, thread } = noteOf(action);
  return from === place.channel && (place.isTop || thread === place.threadTs);
}

export type Asked = Place & { isTop: boolean };

/** The open questions of a thread, or of a direct message. */
export async function waitingHere({ gate, clock }: SlackContext, place: Asked): Promise<Action[]> {
  const waiting = await gate.actions.list({ states: ['pending'], limit: 500 });
  return waiting.filter((action) => isHere(action, place) && action.expiresAt > clock.now());
}

/**
 * Answers words that take a change back with the person's changes that wait here, each with its button. If none waits
 * and nothing is offered, shows the last one that was done, as people may think it was not.
 *
 * @param place.key the conversation
 * @param place.isOfTopic only requests since the topic of the conversation began are meant
 * @param only the operation of the change; any if left out
 */
export async function takenBack(
  slack: SlackContext,
  { key, isOfTopic, ...place }: Asked & { key: string; isOfTopic?: true },
  actor: Actor,
  only?: string,
): Promise<TakenBack | undefined> {
  const offers = slack.memory.offers.get(key) ?? [];
  // An offer of the conversation is meant before a request for other lines.
  if (only !== undefined && offers.some(({ operation }) => operation === only)) return undefined;
  const began = isOfTopic ? (slack.memory.topics.get(key)?.since ?? 0) : 0;
  const isMeant = ({ operation, createdAt }: Action) =>
    (only === undefined || operation === only) && createdAt >= began;
  const own = (await waitingHere(slack, place)).filter(({ person }) => person === personOf(actor)).filter(isMeant);
  // The last one is meant: an offer that came after a request.
  const offeredAt = Math.max(0, ...offers.map(({ at }) => Number(at?.ts ?? 0) * 1000));
  if (offers.length > 0 && own.every(({ createdAt }) => createdAt < offeredAt)) return undefined;
  if (own.length > 0) return { message: withdrawMessage(slack, own), isSent: false };
  const since = slack.clock.now() - HOUR_MS;
  const ended = await slack.gate.actions.list({ actorId: actor.id, states: SENT, since, whole: true, limit: 20 });
  const last = ended.filter(isMeant).find((action) => isHere(action, place));
  return last && { message: await sentMessage(slack, last), isSent: true };
}

/** A change that words take back, which only a button does. */
export interface TakenBack {
  message: Message;
  /** True if it was confirmed before, so that nothing waits. */
  isSent: boolean;
}

/** States of a change that was sent, or will be. */
const SENT = ['confirmed', 'in_flight', 'done', 'partly', 'unknown'] as const;

/** The outcome of a change that words do not undo, with the changes that follow it. */
async function sentMessage(slack: SlackContext, action: Action): Promise<Message> {
  const tool = slack.gate.tool(action.operation);
  const link = await linkTo(slack, cardAt(action));
  const told = outcomeNotice(action, { tool, reworded: slack.reworded }, textOf(link?.url) || undefined);
  const before = 'This was confirmed before, and words do not undo it:';
  return { text: escaped(`${before} ${titleOf(action, tool)}`), blocks: [say('ℹ️ ', before), ...told.blocks] };
}

const CORRECTS = /[,;.!–—-]\s+[^,;.!]*\b(?:only|just|meant?|instead|rather)\b/i;

/**
 * Answers messages about the person's own requests: "withdraw the cancel of 0103", "take the cancellation back", "not 0106,
 * only 0104", "undo the last one".
 *
 * @param key the conversation
 */
export async function withdrawal(
  slack: SlackContext,
  text: string,
  key: string,
  actor: Actor,
): Promise<Message | undefined> {
  if (undoesLast(text)) return lastChange(slack, actor);
  const taken = takenBackIn(text);
  // "Take the cancellation back" means what is offered in the conversation, if anything is.
  if (taken && !taken.isAll && !/\d/.test(text) && slack.memory.offers.has(key)) return undefined;
  // "Pull that one back, i meant only 0106" is also the order for other lines, which the conversation tells.
  if (taken && !taken.isAll && CORRECTS.test(text)) return undefined;
  const lines = narrowedTo(text);
  if (!asksToWithdraw(text) && lines.length === 0) return undefined;
  const own = await waitingOf(slack, actor);
  const digits = [...text.matchAll(/\d[\d\s().-]{2,}\d/g)].map(([one]) => one.replace(/\D/g, '').slice(-10));
  const noun = taken?.noun;
  const meant = own.filter(({ shown, operation }) => {
    const values = JSON.stringify(shown);
    return digits.every((one) => values.includes(one)) && (noun === undefined || isDeedOf(noun, operation));
  });
  if (meant.length === 0) return undefined;
  const next =
    lines.length === 0
      ? undefined
      : 'A request is not changed by words: withdraw it, and write the order for the lines that you mean.';
  return withdrawMessage(slack, meant, next);
}

/** The requests of a person that wait. */
async function waitingOf({ gate, clock }: SlackContext, actor: Actor): Promise<Action[]> {
  const waiting = await gate.actions.list({ actorId: actor.id, states: ['pending'], limit: 50 });
  return waiting.filter(({ expiresAt }) => expiresAt > clock.now());
}

/**
 * The changes of a line that wait, for an answer which says that there is nothing to do: such a change still alters the
 * line. Those of the reader have the button that withdraws them.
 */
export async function waitsOn({ gate, clock }: SlackContext, input: Fields, actor: Actor): Promise<Block[]> {
  const lines = numbersOf([input]);
  if (lines.length === 0) return [];
  const waiting = await gate.actions.list({ states: ['pending'], limit: 500 });
  const meant = waiting.filter(
    ({ shown, expiresAt }) => expiresAt > clock.now() && numbersOf([shown]).some((line) => lines.includes(line)),
  );
  return meant
    .slice(0, MAX_OPEN)
    .flatMap((action) => [
      say('⏳ But this change still waits, and alters it: ', rich.bold(titleOf(action, gate.tool(action.operation)))),
      ...(action.person === personOf(actor)
        ? [actions(`waits-${action.id}`, button(IDS.withdraw, 'Withdraw', action.id))]
        : []),
    ]);
}

/** The last change of a person: its button while it waits, or its outcome with the changes that follow it. */
async function lastChange(slack: SlackContext, actor: Actor): Promise<Message | undefined> {
  const [waiting] = await waitingOf(slack, actor);
  const since = slack.clock.now() - DAY_MS;
  const [last] = await slack.gate.actions.list({ actorId: actor.id, states: SENT, since, whole: true, limit: 1 });
  if (waiting && (!last || waiting.createdAt > last.createdAt)) return withdrawMessage(slack, [waiting]);
  return last && sentMessage(slack, last);
}

/** Requests that wait, each with the button that takes it back. */
function withdrawMessage(slack: SlackContext, all: readonly Action[], next?: string): Message {
  const own = all.slice(0, MAX_OPEN);
  const titles = own.map((action) => titleOf(action, slack.gate.tool(action.operation)));
  const it = own.length === 1 ? 'it still waits. Words do not take it back' : 'they still wait. Words take none back';
  const before = `Nothing was sent yet, and ${it}: use the button.`;
  return {
    text: escaped(`${before} ${titles.join('; ')}`),
    blocks: [
      say('⏳ ', before),
      ...own.flatMap(({ id }, i) => [
        say(rich.bold(titles[i] ?? '')),
        actions(`withdraw-${i}`, button(IDS.withdraw, 'Withdraw', id)),
      ]),
      ...(next === undefined ? [] : [small(next)]),
    ],
  };
}
