import { guidesFor } from '../../../../tools/surfaces/tasks.ts';
import { mayAskAgain } from '../../../cards/actions.ts';
import { inputWith } from '../../../cards/line-actions.ts';
import { ownReason } from '../../../cards/question.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { BATCH_RUN } from '../../../gate/frozen-batch.ts';
import { statusOf } from '../../../gate/gate.ts';
import { givenOf } from '../../../gate/question.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import { lookups } from '../../../language/typed-values.ts';
import { personOf } from '../../../lib/actor.ts';
import { REDACTED } from '../../../lib/hide.ts';
import { defined, recordOf } from '../../../lib/values.ts';
import { LEASE_MS } from '../../../work/jobs.ts';
import { endedNotice } from '../blocks/card.ts';
import { hasSecrets } from '../blocks/form-values.ts';
import { notice, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { batchFlow, leaveOutFlow } from '../flows/batch.ts';
import { type Click, type ClickHandler, type Flow, failureOf, linkTo, type Reply } from '../flows/engine.ts';
import { changeForm } from '../flows/form-changes.ts';
import { type FormOrigin, onFormButton, openOrSay, submitForm } from '../flows/forms.ts';
import { guideValues } from '../flows/guide.ts';
import { pressGuide, resumeGuide, startGuide, submitGuide } from '../flows/guide-flow.ts';
import { startGuard } from '../flows/number-card.ts';
import { run } from '../flows/run.ts';
import { cardAt, type FlowName, IDS, noteOf } from '../types.ts';
import {
  askForRest,
  askPlanned,
  cardFor,
  confirm,
  decline,
  declineFlow,
  edit,
  editPlanned,
  leaveRowsOut,
  newBatch,
  sendResults,
  showBatch,
  showEverything,
  showRows,
  stopBatch,
} from './decisions.ts';
import { shareResult, showJson, showPage, showQr } from './qr.ts';

/** Buttons and choices inside modals, which the flow of the modal handles. */
export const IN_VIEWS: readonly string[] = [
  IDS.value,
  IDS.pick,
  `${IDS.row}_more`,
  `${IDS.row}_less`,
  IDS.batchChosen,
  IDS.orderLook,
  IDS.orderFix,
  IDS.orderStop,
];

/** The handler of each other button and menu, by its action id. */
export const ACTIONS: ReadonlyMap<string, ClickHandler> = new Map([
  [IDS.confirm, confirm],
  [IDS.decline, decline],
  [IDS.withdraw, decline],
  [IDS.edit, edit],
  [IDS.everything, showEverything],
  [IDS.again, askAgain],
  [IDS.check, check],
  [IDS.wasDone, (...click) => settle(...click, 'done')],
  [IDS.wasNot, (...click) => settle(...click, 'not_done')],
  [IDS.share, shareResult],
  [IDS.json, showJson],
  [IDS.page, showPage],
  [IDS.qr, showQr],
  [IDS.form, (slack, { value, origin }) => onFormButton(slack, value, origin)],
  [IDS.fill, openFilledForm],
  [IDS.rowStep, openRowStep],
  [IDS.run, runAtOnce],
  [IDS.look, lookUp],
  [IDS.guide, openGuide],
  [IDS.guard, (slack, { value, origin }) => startGuard(slack, value, origin)],
  [IDS.next, openNextStep],
  [IDS.moreSteps, openNextStep],
  [IDS.batchNew, newBatch],
  [IDS.batchShow, showBatch],
  [IDS.batchAsk, askPlanned],
  [IDS.batchEdit, editPlanned],
  [IDS.stop, stopBatch],
  [IDS.rows, showRows],
  [IDS.results, sendResults],
  [IDS.rest, askForRest],
  [IDS.leave, leaveRowsOut],
] satisfies [string, ClickHandler][]);

const GUIDE_BUTTONS: ReadonlySet<string> = new Set([IDS.orderLook, IDS.orderFix, IDS.orderStop]);

/** Every modal of this app that is sent, pressed or reported as closed, by its callback id. */
export const FLOWS: { readonly [F in FlowName]: Flow<F> } = {
  form: { submit: submitForm, press: changeForm },
  guide: {
    submit: submitGuide,
    press: (slack, view, press) =>
      GUIDE_BUTTONS.has(press.actionId) ? pressGuide(slack, view, press) : changeForm(slack, view, press),
  },
  batch: batchFlow,
  leave_out: leaveOutFlow,
  decline: declineFlow,
  qr: { closed: async ({ pictures }, { id }) => pictures.viewClosed(id) },
};

/**
 * Handles "Ask again" on an expired or failed card: requests the same operation as a new action of the person who
 * clicks. Its checks run again, and nothing is sent before a person confirms. Repeated clicks create only one new
 * action.
 */
async function askAgain(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const card = await cardFor(slack, click, reply, 'operator');
  if (!card) return;
  const { gate, cards, tools, reworded, clock } = slack;
  const { action, actor } = card;
  if (action.operation === BATCH_RUN) return askForRest(slack, { ...click, value: String(action.shown.Batch) }, reply);
  const tool = tools.find(({ id }) => id === action.operation);
  if (!tool) return void (await reply.add(notice('🤔', 'This operation no longer exists. Nothing was done.')));
  const isFree = await gate.notes.claim(action.id, 'askedAgain', clock.now() - LEASE_MS);
  const earlier = noteOf((await gate.actions.get(action.id)) ?? action).again;
  if (earlier !== undefined || !mayAskAgain(action)) {
    const newer = earlier === undefined ? undefined : await gate.actions.get(earlier);
    const link = await linkTo(slack, newer && cardAt(newer));
    const again = {
      text: 'It was already asked again.',
      blocks: [say('ℹ️ It was already asked again. ', link ?? 'See the newer card.')],
    };
    await reply.add(earlier ? again : endedNotice(action, tool, reworded, 'It cannot be asked again.'));
    return cards.sync(action.id);
  }
  if (!isFree) return void (await reply.add(notice('ℹ️', 'It is being asked again right now.')));
  const reason = personOf(actor) === action.person ? ownReason(action) : undefined;
  // The new card is posted where the old one was requested, unless the click came from another channel.
  const { from, thread } = noteOf(action);
  const { threadTs: _, ...rest } = click.origin;
  const isDirect = click.origin.channel?.startsWith('D') === true && from !== undefined;
  const origin = isDirect ? { ...rest, channel: from, ...defined({ threadTs: thread }) } : click.origin;
  // A secret has to be entered again.
  if (hasSecrets(fieldsOf(tool)) || JSON.stringify(action.shown).includes(REDACTED))
    return openOrSay(slack, tool, action.shown, { ...origin, reason }).finally(() =>
      gate.notes.remember(action.id, { askedAgain: 0 }),
    );
  const input = givenOf(action.shown, action);
  const performed = await run(slack, { tool, input, origin, reply, ...defined({ reason }) });
  if (performed?.kind !== 'pending') return gate.notes.remember(action.id, { askedAgain: 0 });
  await gate.notes.merge(action.id, 'slack', { again: performed.action.id });
  await cards.sync(action.id);
}

/* Buttons on the card of an action whose outcome is unknown. */

/** "Check now" on an unknown outcome. Reads, and changes nothing on the platform. */
async function check(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const card = await cardFor(slack, click, reply, 'operator');
  if (!card) return;
  const { gate, cards, log } = slack;
  const { actor, action } = card;
  const settled = await gate.reconcile(action.id, actor).catch((error: unknown) => {
    log('warn', { action: action.id, error: String(error) }, 'failed to check an unknown outcome');
    return undefined;
  });
  const now = settled ?? (await gate.actions.get(action.id)) ?? action;
  await cards.sync(action.id);
  const tool = gate.tool(now.operation);
  if (action.state !== 'unknown' && action.state !== 'pending')
    return void (await reply.add(endedNotice(now, tool, slack.reworded)));
  const { mark, headline } = outcomeOf(now, tool);
  const text =
    statusOf(now.state) === 'unknown'
      ? 'The outcome is still unknown. Check again in a minute, or look up the number yourself.'
      : `Resolved: ${headline.toLowerCase()}.`;
  await reply.add(notice(mark, text));
}

/** A person has checked the outcome on the platform. */
async function settle(slack: SlackContext, click: Click, reply: Reply, outcome: 'done' | 'not_done'): Promise<void> {
  const card = await cardFor(slack, click, reply, 'approver');
  if (!card) return;
  const { actor, action } = card;
  const { gate, cards, reworded } = slack;
  try {
    await gate.settle(action.id, actor, outcome, 'slack');
  } catch (error) {
    const now = (await gate.actions.get(action.id)) ?? action;
    const { face, words } = failureOf(slack, error);
    const isEnded = now.state !== 'unknown' && face.code === 'not_confirmed';
    await reply.add(isEnded ? endedNotice(now, gate.tool(now.operation), reworded) : notice('ℹ️', words));
  }
  await cards.sync(action.id);
}

/* Buttons that start the next step: a lookup, a form, an operation, a guide. */

/** Looks up one of several numbers. */
async function lookUp(slack: SlackContext, { value, origin }: Click, reply: Reply): Promise<void> {
  const [lookup] = lookups(slack.tools, slack.groups);
  if (lookup) await run(slack, { tool: lookup.tool, input: { [lookup.field]: value }, origin, reply });
  else await reply.add(notice('🤔', 'Number lookup is not available.'));
}

/** Opens a form with the values that the button carries. It asks only for the fields that stand behind them, if any do. */
async function openFilledForm(slack: SlackContext, click: Click): Promise<void> {
  const { id, rest } = splitValue(click.value);
  const [, input = rest, fields] = /^(.*\})\|([\w,]+)$/s.exec(rest) ?? [];
  const tool = slack.tools.find((candidate) => candidate.id === id);
  const asked = { ...originOf(click), filled: true, only: fields?.split(',') };
  await openOrSay(slack, tool, recordOf(JSON.parse(input)), asked);
}

/** Runs an operation with the values that the button carries. A change is shown before it is sent. */
async function runAtOnce(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { id, rest } = splitValue(click.value);
  const tool = slack.tools.find((candidate) => candidate.id === id);
  if (!tool) return openFilledForm(slack, click);
  await run(slack, { tool, input: recordOf(JSON.parse(rest)), origin: click.origin, reply });
}

/** Handles a choice from the menu of a row: a read with a whole input runs, for anything else its form opens. */
async function openRowStep(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { id, rest } = splitValue(click.value);
  const tool = slack.tools.find((candidate) => candidate.id === id);
  const isRead = tool?.risk === 'read' && tool.input.safeParse(recordOf(JSON.parse(rest))).success;
  return isRead ? runAtOnce(slack, click, reply) : openFilledForm(slack, click);
}

/** The operation of a button, and its values. */
function splitValue(value: string): { id: string; rest: string } {
  const split = value.indexOf('|');
  return { id: value.slice(0, split), rest: value.slice(split + 1) };
}

/** Opens a guide with the values that the button carries, or where it was when it asked for an action. */
async function openGuide(slack: SlackContext, { value, origin }: Click, reply: Reply): Promise<void> {
  const { id: name, rest: given } = splitValue(value);
  const guide = guidesFor(slack.tools).find((candidate) => candidate.name === name);
  if (!guide) await reply.add(notice('🤔', 'This button no longer works. Enter the command again.'));
  else if (given.startsWith('act_')) await resumeGuide(slack, guide, given, origin);
  else await startGuide(slack, guide, guideValues(guide, given), origin);
}

/** Opens the form of the operation chosen under a number. */
async function openNextStep(slack: SlackContext, click: Click): Promise<void> {
  const { id, rest: phone } = splitValue(click.value);
  const tool = slack.tools.find((candidate) => candidate.id === id);
  await openOrSay(slack, tool, tool ? inputWith(tool, phone) : {}, originOf(click));
}

function originOf({ origin, quoted, postedTs }: Click): FormOrigin {
  return { ...origin, quoted, ...defined({ postedTs }) };
}
