import { isGated, type Tool } from '../../../catalogue/operation.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import { rowsOf } from '../../../language/show.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { titleOf } from './card.ts';
import { deciderElement } from './people.ts';
import { values } from './result.ts';
import { type Block, type Element, line, rich } from './text.ts';

/** One line of a list of actions. */
export function actionLine(action: Action, tool: Tool | undefined): Element[] {
  const { mark, word, headline } = outcomeOf(action, tool);
  const decider = deciderElement(action);
  const by = decider ? [rich.text(action.state === 'declined' ? ' by ' : ', confirmed by '), decider] : [];
  const target = tool && isGated(tool) ? [] : subject(action);
  return [
    rich.text(`${mark} ${titleOf(action, tool)} `),
    ...target,
    rich.text(` ${(action.state === 'partly' ? headline : word).toLowerCase()}`),
    ...by,
    rich.text(', '),
    rich.date(action.updatedAt),
  ];
}

/** The first number or id of an input. */
function subject(action: Action): Element[] {
  const found = rowsOf(action.shown).pairs.find(([, text]) => /^(\+\d{7,15}|[A-Z]{2,7}-\S+)$/.test(text));
  return found ? values(found[1]) : [];
}

/** A list of actions in one block. */
export function actionList(found: readonly { action: Action; tool: Tool | undefined }[]): Block {
  return {
    type: 'rich_text',
    elements: [
      line(
        ...found.flatMap(({ action, tool }, i) =>
          i === 0 ? actionLine(action, tool) : ['\n', ...actionLine(action, tool)],
        ),
      ),
    ],
  };
}
