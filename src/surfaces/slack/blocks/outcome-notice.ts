import type { Tool } from '../../../catalogue/operation.ts';
import { isWithdrawn } from '../../../gate/approval.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import { changeOf } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { titleOf } from './card.ts';
import { changedLines } from './changed.ts';
import { deciderElement, deciderText } from './people.ts';
import { declinedBecause } from './reasons.ts';
import { escaped, type Message, rich, say } from './text.ts';

/** Rows of a change in a notice. The card has all of them. */
const MOST_CHANGES = 5;

/** Takes the place of the message that says that an action waits. The outcome is posted separately. */
export function decidedNotice(action: Action, tool: Tool | undefined, link: string | undefined): Message {
  const title = titleOf(action, tool);
  const text = ' no longer waits for an approver. ';
  return {
    text: escaped(`${title}${text}`),
    blocks: [say('🔐 ', rich.bold(title), text, ...(link ? [{ type: 'link', url: link, text: 'Open the card' }] : []))],
  };
}

/** The outcome of an action for its requester. `link`: to its card. */
export function outcomeNotice(action: Action, tool: Tool | undefined, link: string | undefined): Message {
  const { mark, headline } = outcomeOf(action, tool);
  const title = titleOf(action, tool);
  const by = isWithdrawn(action) ? undefined : deciderElement(action);
  const act = action.state === 'declined' ? 'declined' : 'confirmed';
  return {
    text: `${mark} ${escaped(`${headline}: ${title}`)}${by === undefined ? '' : ` · ${act} by ${deciderText(action)}`}`,
    blocks: [
      say(
        `${mark} ${headline}: `,
        rich.bold(title),
        ...(by === undefined ? [] : [` · ${act} by `, by]),
        ...(link ? ['  ', { type: 'link', url: link, text: 'Open the card' }] : []),
      ),
      ...(action.state === 'done' ? changedLines(changeOf(action), MOST_CHANGES) : []),
      ...declinedBecause(action),
    ],
  };
}
