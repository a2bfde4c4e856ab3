import type { Tool } from '../../../catalogue/operation.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { titleOf } from './card.ts';
import { declinedBecause } from './reasons.ts';
import { escaped, type Message, rich, say } from './text.ts';

/** The outcome of an action for its requester. `link`: to its card. */
export function outcomeNotice(action: Action, tool: Tool | undefined, link: string | undefined): Message {
  const { mark, headline } = outcomeOf(action, tool);
  const title = titleOf(action, tool);
  return {
    text: `${mark} ${escaped(`${headline}: ${title}`)}`,
    blocks: [
      say(
        `${mark} ${headline}: `,
        rich.bold(title),
        ...(link ? ['  ', { type: 'link', url: link, text: 'Open the card' }] : []),
      ),
      ...declinedBecause(action),
    ],
  };
}
