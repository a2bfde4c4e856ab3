import { notice } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { onFormButton } from '../flows/forms.ts';
import { startGuard } from '../flows/guard.ts';
import { Reply } from '../flows/reply.ts';
import { IDS } from '../ids.ts';
import { askAgain } from './again.ts';
import {
  askBatchAgain,
  chooseForBatch,
  controlBatch,
  leaveRowsOut,
  newBatch,
  sendResults,
  showBatch,
  showRows,
} from './batch.ts';
import type { Click, ClickHandler } from './click.ts';
import { confirm, decline, edit, showEverything, withdraw } from './decisions.ts';
import { check, settleDone, settleNotDone } from './outcomes.ts';
import { showQr } from './qr.ts';
import { keepFeedback, shareResult, showJson, showPage } from './results.ts';
import {
  askForIt,
  changeForm,
  lookUp,
  openFilledForm,
  openNextStep,
  openRowStep,
  pressInGuide,
  reviseProtection,
  runAtOnce,
  startGuide,
} from './steps.ts';

/** The handler of each button and menu. */
const HANDLERS: ReadonlyMap<string, ClickHandler> = new Map([
  [IDS.confirm, confirm],
  [IDS.decline, decline],
  [IDS.withdraw, withdraw],
  [IDS.edit, edit],
  [IDS.everything, showEverything],
  [IDS.again, askAgain],
  [IDS.check, check],
  [IDS.wasDone, settleDone],
  [IDS.wasNot, settleNotDone],
  [IDS.share, shareResult],
  [IDS.json, showJson],
  [IDS.page, showPage],
  [IDS.qr, showQr],
  [IDS.form, (slack, { value, origin }) => onFormButton(slack, value, origin)],
  [IDS.fill, openFilledForm],
  [IDS.rowStep, openRowStep],
  [IDS.run, runAtOnce],
  [IDS.ask, askForIt],
  [IDS.feedback, keepFeedback],
  [IDS.look, lookUp],
  [IDS.guide, startGuide],
  [IDS.guard, (slack, { value, origin }) => startGuard(slack, value, origin)],
  [IDS.orderLook, pressInGuide('look')],
  [IDS.orderFix, pressInGuide('fix')],
  [IDS.orderStop, pressInGuide('stop')],
  [IDS.guideSkip, pressInGuide('skip')],
  [IDS.next, openNextStep],
  [IDS.nextMore, openNextStep],
  [IDS.value, changeForm('choice')],
  [IDS.pick, changeForm('record')],
  [IDS.guardBack, reviseProtection],
  [IDS.more, changeForm('fields')],
  [IDS.batchNew, newBatch],
  [IDS.batchChosen, chooseForBatch],
  [IDS.batchShow, showBatch],
  [IDS.batchPause, controlBatch('pause')],
  [IDS.batchResume, controlBatch('resume')],
  [IDS.batchStop, controlBatch('stop')],
  [IDS.batchRows, showRows],
  [IDS.batchResults, sendResults],
  [IDS.batchAgain, askBatchAgain],
  [IDS.batchLeave, leaveRowsOut],
  [`${IDS.row}_more`, changeForm('more')],
  [`${IDS.row}_less`, changeForm('less')],
] satisfies [string, ClickHandler][]);

/** Handles a click. Every click has an effect, or an answer that says why it has none. */
export async function onClick(slack: SlackContext, click: Click): Promise<void> {
  const reply = new Reply(slack, click.origin);
  const handler = HANDLERS.get(click.actionId) ?? HANDLERS.get(withoutSuffix(click.actionId));
  if (handler) return handler(slack, click, reply);
  await reply.add(notice('🤔', 'This button no longer works. Enter the command again.'));
}

/** Action ids must be unique within a message, so buttons of one kind are numbered: `sb_fill_3`. */
function withoutSuffix(actionId: string): string {
  return actionId.replace(/_(\d+|back)$/, '');
}
