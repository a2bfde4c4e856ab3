import { activationRead } from '../../../../tools/shared/plans.ts';
import { guidesFor } from '../../../../tools/surfaces/tasks.ts';
import { mayAskAgain } from '../../../cards/actions.ts';
import { inputWith } from '../../../cards/line-actions.ts';
import { ownReason } from '../../../cards/question.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { isOwn } from '../../../gate/approval.ts';
import { BATCH_RUN } from '../../../gate/frozen-batch.ts';
import { statusOf } from '../../../gate/gate.ts';
import { givenOf } from '../../../gate/question.ts';
import { codesMade, outcomeOf } from '../../../language/outcome.ts';
import { lookups } from '../../../language/typed-values.ts';
import { type Actor, hasRole, personOf, type Role } from '../../../lib/actor.ts';
import { asSwitchboardError } from '../../../lib/errors.ts';
import { REDACTED } from '../../../lib/hide.ts';
import { qrPng } from '../../../lib/qr.ts';
import { defined, type Fields, recordOf } from '../../../lib/values.ts';
import { type Activation, activationsOf, withheldIn } from '../../../platform/dialect/redact.ts';
import { LEASE_MS } from '../../../work/jobs.ts';
import { SlackRefusal } from '../api/web.ts';
import { endedNotice } from '../blocks/card.ts';
import { hasSecrets } from '../blocks/form-values.ts';
import {
  jsonMessage,
  noQr,
  qrView,
  resultMessage,
  type ShownQr,
  type StoredResult,
  sharedLine,
  waitingQr,
} from '../blocks/result.ts';
import { notice, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { batchFlow, leaveOutFlow } from '../flows/batch.ts';
import {
  admitted,
  type Click,
  type ClickHandler,
  type Flow,
  failureOf,
  linkTo,
  openView,
  type Reply,
  showView,
} from '../flows/engine.ts';
import { changeForm } from '../flows/form-changes.ts';
import { type FormOrigin, onFormButton, openOrSay, submitForm } from '../flows/forms.ts';
import { guideValues } from '../flows/guide.ts';
import { pressGuide, resumeGuide, startGuide, submitGuide } from '../flows/guide-flow.ts';
import { startGuard } from '../flows/number-card.ts';
import { run } from '../flows/run.ts';
import type { Member } from '../people/roles.ts';
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
    const blocks = [say('ℹ️ It was already asked again. ', link ?? 'See the newer card.')];
    const again = { text: 'It was already asked again.', blocks };
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
  const { tool, rest } = calledBy(slack, click);
  const [, input = rest, fields] = /^(.*\})\|([\w,]+)$/s.exec(rest) ?? [];
  const asked = { ...originOf(click), filled: true, only: fields?.split(',') };
  await openOrSay(slack, tool, recordOf(JSON.parse(input)), asked);
}

/** Runs an operation with the values that the button carries. A change is shown before it is sent. */
async function runAtOnce(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { tool, rest } = calledBy(slack, click);
  if (!tool) return openFilledForm(slack, click);
  await run(slack, { tool, input: recordOf(JSON.parse(rest)), origin: click.origin, reply });
}

/** Handles a choice from the menu of a row: a read with a whole input runs, for anything else its form opens. */
async function openRowStep(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { tool, rest } = calledBy(slack, click);
  const isRead = tool?.risk === 'read' && tool.input.safeParse(recordOf(JSON.parse(rest))).success;
  return isRead ? runAtOnce(slack, click, reply) : openFilledForm(slack, click);
}

/** The operation or the guide of a button, and the rest of its value. */
function calledBy({ tools }: SlackContext, { value }: Click) {
  const split = value.indexOf('|');
  const name = value.slice(0, split);
  return { name, tool: tools.find(({ id }) => id === name), rest: value.slice(split + 1) };
}

/** Opens a guide with the values that the button carries, or where it was when it asked for an action. */
async function openGuide(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { name, rest: given } = calledBy(slack, click);
  const { origin } = click;
  const guide = guidesFor(slack.tools).find((candidate) => candidate.name === name);
  if (!guide) await reply.add(notice('🤔', 'This button no longer works. Enter the command again.'));
  else if (given.startsWith('act_')) await resumeGuide(slack, guide, given, origin);
  else await startGuide(slack, guide, guideValues(guide, given), origin);
}

/** Opens the form of the operation chosen under a number. */
async function openNextStep(slack: SlackContext, click: Click): Promise<void> {
  const { tool, rest: phone } = calledBy(slack, click);
  await openOrSay(slack, tool, tool ? inputWith(tool, phone) : {}, originOf(click));
}

function originOf({ origin, quoted, postedTs }: Click): FormOrigin {
  return { ...origin, quoted, ...defined({ postedTs }) };
}

/*
 * "Show QR code": the activation code of an eSIM as a picture, for the person who pressed the button. The code is read
 * from the platform at that moment, and is in no button, no file name and no log.
 */

/** Where the code of a button is: in the answer of an action, or in an answer that is read again. */
interface Source {
  actor: Actor;
  answer: Fields;
  action?: string;
  read?: { toolId: string; input: Fields } | undefined;
}

/**
 * Handles "Show QR code", under an action's activation code or under an answer. The person's access is checked at each
 * press.
 */
async function showQr(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const [id = '', index = '0'] = click.value.split('|');
  const isAction = /^act_[\w-]{10,64}$/.test(id);
  const stored = isAction ? undefined : await storedFor(slack, click, reply, 'operator');
  const source = isAction
    ? await actionSource(slack, click, id, reply)
    : stored && { actor: stored.actor, answer: stored.result.value, read: stored.result.read };
  if (!source) return;
  const at = { flow: 'qr', above: click.view !== undefined };
  // A trigger is valid for three seconds, so the window opens before the code is read.
  const view = await openView(slack, click.origin, waitingQr, at);
  if (view === undefined)
    return void (await reply.add(notice('⚠️', 'Slack did not open the window. Press the button again.')));
  try {
    const code = await currentCode(slack, source, Number.parseInt(index, 10) || 0);
    if (code) await showCode(slack, view, code);
    else await showView(slack, view, noQr('There is no activation code any more.'));
  } catch (error) {
    await showView(slack, view, noQr(slack.reworded(asSwitchboardError(error).face.message)));
  }
}

async function actionSource(slack: SlackContext, click: Click, id: string, reply: Reply): Promise<Source | undefined> {
  const member = await admitted(slack, click.origin, 'viewer', reply);
  if (!member) return undefined;
  const { actor } = member;
  const action = await slack.gate.actions.get(id);
  if (action?.result && (isOwn(action, personOf(actor)) || hasRole(actor, 'operator')))
    return { actor, answer: action.result, action: id };
  const text = 'The activation code of an eSIM is shown to operators, the requester and the person who confirmed.';
  await reply.add(notice('🔒', text));
  return undefined;
}

/** Changes of a line among which the one that made its eSIM is searched. */
const MOST_MADE = 20;
/** Pixels of a module's side: large enough for a camera at arm's length. */
const SCALE = 8;

/** The code that the platform shows now. If it cannot be read, the code from the action's answer. */
async function currentCode(
  { gate, reworded }: SlackContext,
  { answer, action, read, actor }: Source,
  index: number,
): Promise<(Activation & { note?: string }) | undefined> {
  const phone = withheldIn(answer)[index]?.phone;
  const chosen = (value: Fields | undefined) => {
    const codes = activationsOf(value);
    return codes.find((one) => one.phone === phone) ?? codes[index];
  };
  const known = async () => {
    // A record without the code of an eSIM: the change that made it has it.
    const about = action === undefined && phone !== undefined ? await gate.actions.about(phone, MOST_MADE) : [];
    const made = action ?? about.find((one) => codesMade(one).length > 0)?.id;
    return made === undefined ? undefined : chosen(await gate.reveal({ action: made }, actor));
  };
  const reading = read
    ? { operation: read.toolId, input: read.input }
    : phone === undefined
      ? undefined
      : activationRead(phone);
  if (reading === undefined) return known();
  try {
    return chosen(await gate.reveal(reading, actor)) ?? (await known());
  } catch (error) {
    const code = await known();
    if (code === undefined) throw error;
    return { ...code, note: `The number could not be read just now: ${reworded(asSwitchboardError(error).message)}` };
  }
}

/** Shows the picture, or the code with the reason if Slack does not accept the picture. */
async function showCode(slack: SlackContext, view: string, found: Activation & { note?: string }): Promise<void> {
  const shown = (picture: ShownQr['picture']) => qrView({ ...found, picture, note: found.note });
  const png = qrPng(found.code, SCALE);
  if (png === undefined)
    return void (await showView(slack, view, shown({ problem: 'The code is too long for a QR code.' })));
  try {
    await slack.pictures.show(view, png, (file) => shown({ file }));
  } catch (error) {
    slack.log('warn', { error: String(error) }, 'Slack did not take the picture of a QR code');
    const reason = error instanceof SlackRefusal ? error.reason : 'network';
    const why: Readonly<Record<string, string>> = {
      missing_scope: 'The app lacks the scope files:write: an administrator has to reinstall it from manifest.json.',
      network: 'Slack did not answer.',
    };
    const text = why[reason] ?? `Slack refused it (${reason.replaceAll('_', ' ')}).`;
    await showView(slack, view, shown({ problem: `The picture could not be shown. ${text}` }));
  }
}

/* Buttons under an answer: Share, JSON, Next and Back. */

/** Shares an answer as it was read, with that time. */
async function shareResult(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const stored = await storedFor(slack, click, reply);
  if (!stored) return;
  const { result, page } = stored;
  const { channel, threadTs, responseUrl, userId } = click.origin;
  const { text, blocks } = result.card ?? resultMessage(result, { page, shared: userId });
  // A card has no buttons then, which belong to its reader.
  const kept = blocks.filter(({ type }) => type !== 'actions').map(({ accessory: _, ...block }) => block);
  const message = result.card
    ? { text, blocks: [...kept.slice(0, 49), sharedLine(userId, result.asOf)] }
    : { text, blocks };
  try {
    if (!channel) throw new Error('no channel');
    await slack.web.post(channel, message, defined({ threadTs }));
    return;
  } catch (error) {
    slack.log('info', { error: String(error) }, 'the app cannot post in this channel; trying the response_url');
  }
  try {
    if (!responseUrl) throw new Error('no response_url');
    await slack.web.respond(responseUrl, { response_type: 'in_channel', replace_original: false, ...message });
  } catch {
    await reply.add(notice('⚠️', 'It could not be shared here. Invite the app to the channel and press Share again.'));
  }
}

async function showJson(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const stored = await storedFor(slack, click, reply);
  if (stored) await reply.add(jsonMessage(stored.result, stored.page));
}

async function showPage(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const stored = await storedFor(slack, click, reply);
  if (!stored) return;
  const { result, page, zone } = stored;
  await reply.add(resultMessage(result, { page, ...defined({ zone }) }));
}

/** The stored answer of a button; undefined if it is gone or refused, which is answered. */
async function storedFor(
  slack: SlackContext,
  { origin, value }: Click,
  reply: Reply,
  role: Role = 'viewer',
): Promise<(Member & { result: StoredResult; page: number }) | undefined> {
  const member = await admitted(slack, origin, role, reply);
  if (!member) return undefined;
  const [id = '', page = '0'] = value.split('|');
  const result = slack.memory.results.get(origin.userId, id);
  if (result) return { ...member, result, page: Number.parseInt(page, 10) || 0 };
  const gone =
    'This answer is no longer available. Answers are kept for an hour, and not across restarts. Run it again.';
  await reply.add(notice('🤔', gone));
  return undefined;
}
