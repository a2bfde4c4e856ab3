import { askedOf } from '../../../cards/question.ts';
import { BATCH_RUN } from '../../../gate/frozen-batch.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { IDS } from '../ids.ts';
import { isOwnQuestion } from '../types.ts';
import { approvalsLine } from './asked-whom.ts';
import { type CardContext, confirmElsewhere, fitsHeader, pendingHead } from './card.ts';
import { requesterText } from './people.ts';
import { cardQuestion, cutsLine, showsAll, wholeButton } from './question.ts';
import {
  actions,
  type Block,
  button,
  cut,
  escaped,
  header,
  type Message,
  rich,
  say,
  shortDate,
  small,
} from './text.ts';

/** The place where a whole question is shown, and its reader. */
export interface RequesterContext extends CardContext {
  /** The card on which approvers decide. */
  where?: readonly Block[];
  /** Others see the message too, so it names the requester. */
  isShared?: boolean;
  /** The reader is another operator, who may apply an own change but neither edit nor withdraw it. */
  isOthers?: boolean;
  /** The question is a step of a guide, which has the form. */
  isStep?: boolean;
  /** An earlier call of the reader asked this already. */
  isRepeat?: boolean;
}

/**
 * The whole question for its requester, where it was asked. An own change is decided here. Any other change waits for an
 * approver, and `where` says on which card.
 */
export function requesterCard(action: Action, context: RequesterContext): Message {
  const { reworded, where = [] } = context;
  const asked = askedOf(context.tool, action);
  const { blocks, cuts } = cardQuestion(asked, reworded);
  const head = pendingHead(action, asked.title);
  const shown = [...(fitsHeader(asked.title) ? [] : [say(rich.bold(asked.title))]), ...blocks];
  const isWhole = showsAll([header(head), ...shown], asked, reworded);
  const isOwn = isOwnQuestion(action);
  return {
    text: cut(escaped(isOwn ? `${asked.title}: apply?` : `${asked.title} waits for an approver.`), 3000),
    blocks: [
      header(head),
      ...repeatLine(action, context),
      ...shown,
      ...cutsLine(cuts),
      ...where,
      ...approvalsLine(action),
      small(untilText(action, context)),
      ...(isOwn ? ownButtons(action, context, isWhole) : waitingButtons(action, isWhole)),
    ],
  };
}

/** Says that the question is not a new one. */
function repeatLine(action: Action, { isOthers, isRepeat }: RequesterContext): Block[] {
  if (!isOthers && !isRepeat) return [];
  const who = isOthers ? requesterText(action) : 'You';
  return [say(`${who} asked for this at `, rich.date(action.createdAt), '. It was not asked a second time.')];
}

function untilText(action: Action, { isShared, isOthers }: RequesterContext): string {
  const seen = isShared ? `Asked by ${requesterText(action)}. ` : isOthers ? '' : 'Only you see this. ';
  return `${seen}Nothing has been sent. It waits until ${shortDate(action.expiresAt)}.`;
}

/** The buttons of an own change. A view that does not show the whole change opens it instead. */
function ownButtons(action: Action, { elsewhere, isOthers, isStep }: RequesterContext, isWhole: boolean): Block[] {
  const edit = isStep ? [] : [button(IDS.edit, 'Edit', action.id)];
  const own = isOthers ? [] : [...edit, button(IDS.withdraw, 'Cancel', action.id)];
  const whole = isWhole ? [] : [wholeButton(action.id)];
  if (elsewhere) return [confirmElsewhere(elsewhere), ...row(action, ...whole, ...own)];
  const apply = isWhole ? [button(IDS.confirm, 'Apply', action.id, { style: 'primary' })] : whole;
  return row(action, ...apply, ...own);
}

/** The requester's buttons of a change that waits for an approver. A batch is changed by leaving rows out. */
function waitingButtons(action: Action, isWhole: boolean): Block[] {
  const edit = action.operation === BATCH_RUN ? [] : [button(IDS.edit, 'Edit', action.id)];
  const withdraw = button(IDS.withdraw, 'Withdraw', action.id);
  return row(action, ...(isWhole ? [] : [wholeButton(action.id)]), ...edit, withdraw);
}

function row(action: Action, ...buttons: Block[]): Block[] {
  return buttons.length === 0 ? [] : [actions(`own:${action.id}`, ...buttons)];
}
