import { requesterOf } from '../../../cards/outcome.ts';
import { BATCH_RUN } from '../../../gate/frozen-batch.ts';
import type { Performed } from '../../../gate/gate.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { levelOfAction } from '../../../ledger/level.ts';
import { defined } from '../../../lib/json.ts';
import { requesterMessage, titleOf } from '../blocks/card.ts';
import { elementsOf } from '../blocks/render.ts';
import { type Block, escaped, type Message, notice, rich, say, small } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { elsewhereOf, isOwnQuestion, type Origin, type Posted } from '../types.ts';
import { linkTo } from './engine.ts';

/**
 * Posts the answer to a call of a conversation in its thread as a separate message. An own change is decided on it, so
 * it is the card of the action from then on. Otherwise its buttons are removed once the question is decided.
 */
export async function postPending(
  slack: SlackContext,
  { action }: Pending,
  { origin, person }: { origin: Origin; person: string },
): Promise<void> {
  const { channel = '', threadTs } = origin;
  const message = await pendingMessage(slack, { action }, { origin, person, isShared: true });
  const at = await slack.web.post(channel, message, defined({ threadTs }));
  if (action.person !== person) return;
  if (isOwnQuestion(action)) await slack.cards.posted(action.id, at);
  else await slack.cards.removeWithdrawLater(action.id, at);
}

interface Pending {
  action: Action;
  /** Set for the answer to a call. */
  confirmation?: Extract<Performed, { kind: 'pending' }>['confirmation'];
}

/**
 * Answers a call that waits with its whole question. The requester of an own change decides here. Any other change waits
 * for an approver, on the card that the answer links to; its requester can edit or withdraw it.
 */
export async function pendingMessage(
  slack: SlackContext,
  { action, confirmation }: Pending,
  asked: { origin: Origin; person: string; isShared?: boolean },
): Promise<Message> {
  const { gate, reworded } = slack;
  const isOwn = action.person === asked.person;
  const context = {
    tool: gate.tool(action.operation),
    reworded,
    elsewhere: elsewhereOf(gate, action.id),
    isOthers: !isOwn,
    ...(asked.isShared && { isShared: true }),
    ...(confirmation?.isRepeat && { isRepeat: true }),
  };
  if (isOwnQuestion(action)) return requesterMessage(action, context);
  const at = await slack.cards.ensure(action.id);
  const title = titleOf(action, context.tool);
  if (isOwn) return requesterMessage(action, { ...context, where: await whereBlocks(slack, action, at, asked.origin) });
  if (!at) return notice('🔐', `${title} ${waitsFor(action)}. ${UNPLACED} Nothing has been sent.`);
  const link = await linkTo(slack, at);
  const blocks: Block[] = [
    say(
      '🔐 ',
      ...elementsOf(requesterOf(action)),
      ' asked for this at ',
      rich.date(action.createdAt),
      ...(link ? [' · ', link] : []),
      '\n',
      rich.bold(title),
      ` ${waitsFor(action)}. It was not asked a second time.`,
    ),
  ];
  return { text: escaped(`${action.actorName} asked for this: ${title}`), blocks };
}

const UNPLACED = "Its card could not be posted here. Approvers find it in the app's Home.";

/** Only a batch of own changes has a card that any operator may answer. */
function waitsFor(action: Action): string {
  return levelOfAction(action) === 'own' ? 'waits for an operator' : 'waits for an approver';
}

/** Says on which card a change is decided, with a link to it. */
async function whereBlocks(
  slack: SlackContext,
  action: Action,
  at: Posted | undefined,
  { channel }: Origin,
): Promise<Block[]> {
  if (!at) return [say('🔐 ', rich.bold('Waits for an approver. '), UNPLACED)];
  const isBatchOfOwn = action.operation === BATCH_RUN && levelOfAction(action) === 'own';
  const head = isBatchOfOwn ? 'Waits for a yes' : 'Waits for an approver';
  const who = isBatchOfOwn
    ? ' of yours or of another operator, on its card. '
    : ', on a card that shows its current state. ';
  const link = await linkTo(slack, at);
  const blocks = [say('🔐 ', rich.bold(head), who, ...(link ? [link] : []))];
  if (channel === undefined || at.channel === channel) return blocks;
  return [
    ...blocks,
    at.channel.startsWith('D')
      ? small(
          'The app is not in this channel and no approvers’ channel is set, so the card is in your direct messages. Approvers also find it in the app’s Home. To see cards here, invite the app: `/invite @Switchboard`.',
        )
      : small(`The card is in <#${at.channel}>.${inviteWords(channel)}`),
  ];
}

/** Says how to see cards in a channel. The app cannot be invited to a direct message. */
function inviteWords(channel: string): string {
  return channel.startsWith('D') ? '' : ' To see cards here, invite the app: `/invite @Switchboard`.';
}
