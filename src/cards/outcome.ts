import { isGated, type Tool } from '../catalogue/operation.ts';
import { isClaimed } from '../gate/approval.ts';
import { outcomeOf } from '../language/outcome.ts';
import { rowsOf } from '../language/show.ts';
import type { Action } from '../ledger/ledger.ts';
import type { Piece } from './card.ts';
import { questionTitle } from './question.ts';

/** The person who asked. A name that a workflow claims is not an identity. */
export function requesterOf(action: Action): Piece {
  return isClaimed(action) ? action.actorName : { person: action.person, name: action.actorName };
}

/** The person who decided; undefined before a decision. */
export function deciderOf({ decidedPerson, decidedBy }: Action): Piece | undefined {
  return decidedPerson === undefined ? decidedBy : { person: decidedPerson, name: decidedBy };
}

/** An action in one line: "✅ Cancel +12015550103 done, confirmed by Lee, Nov 26, 10:00". */
export function actionText(action: Action, tool: Tool | undefined): Piece[] {
  const { mark, word, headline } = outcomeOf(action, tool);
  const decider = deciderOf(action);
  const subject = tool && isGated(tool) ? undefined : rowsOf(action.shown).pairs.find(([, text]) => SUBJECT.test(text));
  return [
    `${mark} ${questionTitle(tool, action)} `,
    ...(subject ? [{ value: subject[1] }] : []),
    ` ${(action.state === 'partly' ? headline : word).toLowerCase()}`,
    ...(decider ? [action.state === 'declined' ? ' by ' : ', confirmed by ', decider] : []),
    ', ',
    timeOf(action.updatedAt),
  ];
}

/** A number or an id. */
const SUBJECT = /^(\+\d{7,15}|[A-Z]{2,7}-\S+)$/;

/** A moment (epoch ms) as a piece. */
export function timeOf(at: number): Piece {
  return { value: new Date(at).toISOString() };
}
