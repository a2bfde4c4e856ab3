import type { Performed } from '../../../gate/gate.ts';
import { defined } from '../../../lib/json.ts';
import { requesterCard } from '../blocks/card.ts';
import { requesterElement } from '../blocks/people.ts';
import { type Block, type Element, escaped, type Message, notice, rich, say, small } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { elsewhereOf, isOwnQuestion, type Origin } from '../types.ts';

/**
 * Posts the answer to a call of a conversation in its thread as a separate message, so that its button can be removed
 * once the question is decided.
 */
export async function postPending(
  slack: SlackContext,
  { action }: Pending,
  { origin, person }: { origin: Origin; person: string },
): Promise<void> {
  const { channel = '', threadTs } = origin;
  const message = await pendingMessage(slack, { action }, { origin, person, isShared: true });
  const ts = await slack.web.post(channel, message, defined({ threadTs }));
  if (action.person === person) await slack.cards.removeWithdrawLater(action.id, ts);
}

type Pending = Pick<Extract<Performed, { kind: 'pending' }>, 'action'>;

/**
 * Answers a call that waits with its whole question. The requester of an own change decides here. Any other change waits
 * for an approver, on the card that the answer links to; its requester can edit or withdraw it.
 */
export async function pendingMessage(
  slack: SlackContext,
  { action }: Pending,
  asked: { origin: Origin; person: string; isShared?: boolean },
): Promise<Message> {
  const { gate, reworded } = slack;
  const isOwn = action.person === asked.person;
  const context = {
    tool: gate.tool(action.operation),
    reworded,
    elsewhere: elsewhereOf(gate, action.id),
    ...(asked.isShared && { isShared: true }),
  };
  if (isOwn && isOwnQuestion(action)) return requesterCard(action, context);
  const at = await slack.cards.ensure(action.id);
  const title = action.consent?.title ?? action.operation;
  if (!at) {
    const none = "Its card could not be posted here. Approvers find it in the app's Home.";
    if (isOwn)
      return requesterCard(action, { ...context, where: [say('🔐 ', rich.bold('Waits for an approver. '), none)] });
    return notice('🔐', `${title} waits for an approver. ${none} Nothing has been sent.`);
  }
  const link = await slack.web.permalink(at);
  const open: Element[] = link ? [{ type: 'link', url: link, text: 'Open the card' }] : [];
  const blocks: Block[] = [
    isOwn
      ? say('🔐 ', rich.bold('Waits for an approver'), ', on a card that shows its current state. ', ...open)
      : say(
          '🔐 ',
          requesterElement(action),
          ' asked for this at ',
          rich.date(action.createdAt),
          ...(open.length > 0 ? [' · ', ...open] : []),
          '\n',
          rich.bold(title),
          ' waits for an approver. It was not asked a second time.',
        ),
  ];
  const { channel } = asked.origin;
  if (isOwn && channel !== undefined && at.channel !== channel) {
    blocks.push(
      at.channel.startsWith('D')
        ? small(
            'The app is not in this channel and no approvers’ channel is set, so the card is in your direct messages. Approvers also find it in the app’s Home. To see cards here, invite the app: `/invite @Switchboard`.',
          )
        : small(`The card is in <#${at.channel}>.${inviteWords(channel)}`),
    );
  }
  if (isOwn) return requesterCard(action, { ...context, where: blocks });
  return { text: escaped(`${action.actorName} asked for this: ${title}`), blocks };
}

/** Says how to see cards in a channel. The app cannot be invited to a direct message. */
function inviteWords(channel: string): string {
  return channel.startsWith('D') ? '' : ' To see cards here, invite the app: `/invite @Switchboard`.';
}
