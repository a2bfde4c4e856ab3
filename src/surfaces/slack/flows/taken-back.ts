import { asksToWithdraw } from '../../../assistant/guided/outside.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Actor, personOf } from '../../../lib/actor.ts';
import { HOUR_MS } from '../../../lib/clock.ts';
import { textOf } from '../../../lib/json.ts';
import type { Place } from '../api/agent.ts';
import { outcomeNotice, titleOf } from '../blocks/card.ts';
import { actions, button, escaped, type Message, rich, say, small } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS } from '../ids.ts';
import { cardAt, noteOf, type Posted } from '../types.ts';
import { linkTo } from './engine.ts';

/* Words that take something back: an offer, a request that waits, or a change that was done. */

const MAX_OPEN = 5;
const STILL_THERE = 'Do not use the buttons of the offer before it.';

/**
 * Remembers an offer, so that its buttons can be removed. `keys`: the conversations that it is the last one of.
 * `isFurther`: the same message has an offer before it.
 */
export function keepOffer(
  { memory }: SlackContext,
  {
    keys,
    isFurther,
    ...offer
  }: { keys: readonly string[]; channel: string; at: Posted | undefined; message: Message; isFurther: boolean },
): void {
  if (!offer.message.blocks.some(({ type }) => type === 'actions')) return;
  for (const key of keys) memory.offers.set(key, [...(isFurther ? (memory.offers.get(key) ?? []) : []), offer]);
}

/** Removes the buttons of a conversation's last offers, which were taken back. Returns a notice if some remain. */
export async function takeOfferBack({ memory, web, log }: SlackContext, key: string): Promise<Message | undefined> {
  const offers = memory.offers.get(key) ?? [];
  memory.offers.delete(key);
  const edited = await Promise.all(
    offers.map(async ({ at, message: { text, blocks } }) => {
      if (!at) return false;
      const bare = [...blocks.filter(({ type }) => type !== 'actions'), small('↩️ Withdrawn. Nothing was done.')];
      return web.update(at, { text, blocks: bare }).then(
        () => true,
        (error: unknown) => {
          log('info', { error: String(error) }, 'an offer that was taken back could not be edited');
          return false;
        },
      );
    }),
  );
  return edited.length > 0 && edited.every(Boolean) ? undefined : { text: STILL_THERE, blocks: [small(STILL_THERE)] };
}

/** True for an action that was asked for in this thread, or anywhere in this direct message. */
function isHere(action: Action, place: Asked): boolean {
  const { from, thread } = noteOf(action);
  return from === place.channel && (place.isTop || thread === place.threadTs);
}

type Asked = Place & { isTop: boolean };

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
 * @param only the operation of the change; any if left out
 */
export async function takenBack(
  slack: SlackContext,
  { key, ...place }: Asked & { key: string },
  actor: Actor,
  only?: string,
): Promise<Message | undefined> {
  const isMeant = ({ operation }: Action) => only === undefined || operation === only;
  const own = (await waitingHere(slack, place)).filter(({ person }) => person === personOf(actor)).filter(isMeant);
  if (own.length > 0) return withdrawMessage(slack, own);
  if (slack.memory.offers.has(key)) return undefined;
  const since = slack.clock.now() - HOUR_MS;
  const ended = await slack.gate.actions.list({ actorId: actor.id, states: SENT, since, whole: true, limit: 20 });
  const last = ended.filter(isMeant).find((action) => isHere(action, place));
  return last && sentMessage(slack, last);
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

/** Answers "withdraw the cancel of 0103" with the person's waiting requests anywhere, or only those of the number. */
export async function withdrawal(slack: SlackContext, text: string, actor: Actor): Promise<Message | undefined> {
  if (!asksToWithdraw(text)) return undefined;
  const waiting = await slack.gate.actions.list({ actorId: actor.id, states: ['pending'], limit: 50 });
  const own = waiting.filter(({ expiresAt }) => expiresAt > slack.clock.now());
  const digits = [...text.matchAll(/\d[\d\s().-]{2,}\d/g)].map(([one]) => one.replace(/\D/g, '').slice(-10));
  const meant = own.filter(({ shown }) => {
    const values = JSON.stringify(shown);
    return digits.every((one) => values.includes(one));
  });
  return meant.length === 0 ? undefined : withdrawMessage(slack, meant);
}

/** Requests that wait, each with the button that takes it back. */
function withdrawMessage(slack: SlackContext, all: readonly Action[]): Message {
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
    ],
  };
}
