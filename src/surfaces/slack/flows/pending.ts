import type { Performed } from '../../../gate/gate.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { defined } from '../../../lib/json.ts';
import { requesterElement } from '../blocks/people.ts';
import {
  actions,
  type Block,
  button,
  type Element,
  escaped,
  type Message,
  notice,
  rich,
  say,
  small,
} from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS } from '../ids.ts';
import type { Origin } from '../types.ts';

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
  const message = await pendingMessage(slack, { action }, { origin, person });
  const ts = await slack.web.post(channel, message, defined({ threadTs }));
  if (action.person === person) await slack.cards.removeWithdrawLater(action.id, ts);
}

type Pending = Pick<Extract<Performed, { kind: 'pending' }>, 'action'>;

/** Answers a call that waits for an approver with the name of its requester, its card, and a button to withdraw it. */
export async function pendingMessage(
  slack: SlackContext,
  { action }: Pending,
  asked: { origin: Origin; person: string },
): Promise<Message> {
  const at = await slack.cards.ensure(action.id);
  const title = action.consent?.title ?? action.operation;
  const isOwn = action.person === asked.person;
  if (!at) {
    return notice(
      '🔐',
      `${title} waits for an approver, but its card could not be posted here. Approvers find it in the app's Home. Nothing has been sent.`,
      ...withdrawButton(action, isOwn),
    );
  }
  const link = await slack.web.permalink(at);
  const open: Element[] = link ? [{ type: 'link', url: link, text: 'Open the card' }] : [];
  const blocks: Block[] = [
    isOwn
      ? say('🔐 ', rich.bold(title), ' waits for an approver, on a card that shows its current state. ', ...open)
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
  return {
    text: escaped(isOwn ? `${title} waits for an approver.` : `${action.actorName} asked for this: ${title}`),
    blocks: [...blocks, ...withdrawButton(action, isOwn)],
  };
}

/** Says how to see cards in a channel. The app cannot be invited to a direct message. */
function inviteWords(channel: string): string {
  return channel.startsWith('D') ? '' : ' To see cards here, invite the app: `/invite @Switchboard`.';
}

/** The button by which requesters take back their request. */
function withdrawButton(action: Action, isOwn: boolean): Block[] {
  return isOwn ? [actions(`own:${action.id}`, button(IDS.withdraw, 'Withdraw', action.id))] : [];
}
