import { activationRead } from '../../../../tools/shared/plans.ts';
import { guides } from '../../../../tools/surfaces/tasks.ts';
import { inputWith } from '../../../cards/line.ts';
import { isOwn } from '../../../gate/approval.ts';
import { codesMade } from '../../../language/outcome.ts';
import { type Actor, hasRole, personOf, type Role } from '../../../lib/actor.ts';
import { MINUTE_MS, sleep } from '../../../lib/clock.ts';
import { asSwitchboardError, Unavailable } from '../../../lib/errors.ts';
import { qrPng } from '../../../lib/qr.ts';
import { defined, type Fields, objectIn, textOf } from '../../../lib/values.ts';
import { activationsOf, withheldIn } from '../../../platform/dialect/redact.ts';
import type { Handler } from '../../../work/worker.ts';
import { SlackRefusal } from '../api/web.ts';
import { type FoundCode, qrNotice, qrView, resultMessage, sharedLine } from '../blocks/result.ts';
import * as ui from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { BATCH_BUTTONS, batchFlow, leaveOutFlow } from '../flows/batch.ts';
import { admitted, type Click, type Clicks, type Flow, NO_BUTTON, openView, showView } from '../flows/engine.ts';
import { changeForm, type FormOrigin, openForm, submitForm } from '../flows/forms.ts';
import { pressGuide, resumeGuide, startGuide, submitGuide } from '../flows/guide-flow.ts';
import { run, startGuard } from '../flows/run.ts';
import { type FlowName, IDS, logged, type ViewOf } from '../types.ts';
import { valuesIn } from './commands.ts';
import { DECISIONS, declineFlow } from './decisions.ts';

/** Inputs and buttons of modals. */
const IN_VIEWS = [IDS.value, IDS.pick, IDS.batchChosen, IDS.orderLook];

/** The handler of each button and menu, by its action id. */
export const ACTIONS: Clicks = {
  ...DECISIONS,
  ...BATCH_BUTTONS,
  ...Object.fromEntries(IN_VIEWS.map((id) => [id, pressInView])),
  /** Shares an answer as it was read, with that time. */
  [IDS.share]: shareResult,
  [IDS.page]: async (slack, click) => {
    const stored = await storedFor(slack, click);
    if (stored) await click.reply.add(resultMessage(stored.result, defined({ page: stored.page, zone: stored.zone })));
  },
  [IDS.qr]: showQr,
  [IDS.fill]: openFilledForm,
  /** A choice from the menu of a row: a read with a whole input runs, for anything else its form opens. */
  [IDS.rowStep]: (slack, click) => {
    const { tool, rest } = calledBy(slack, click);
    const isRead = tool?.risk === 'read' && tool.input.safeParse(objectIn(rest)).success;
    return isRead ? runAtOnce(slack, click) : openFilledForm(slack, click);
  },
  [IDS.run]: runAtOnce,
  /** Looks up one of several numbers. */
  [IDS.look]: async (slack, { value, origin, reply }) => {
    const { tool, field } = slack.lookup;
    await run(slack, { tool, input: { [field]: value }, origin, reply });
  },
  /** Opens a guide with the values that the button carries, or where it was when it asked for an action. */
  [IDS.guide]: async (slack, click) => {
    const { name, rest: given } = calledBy(slack, click);
    const { origin, reply } = click;
    const guide = guides.find((candidate) => candidate.name === name);
    if (!guide) await reply.add(NO_BUTTON);
    else if (given.startsWith('act_')) await resumeGuide(slack, guide, given, origin);
    else {
      // Fields, or a text that names a number.
      const values = objectIn(given) ?? valuesIn(guide, given) ?? { [guide.names.field]: given };
      await startGuide(slack, guide, values, origin);
    }
  },
  [IDS.guard]: (slack, { value, origin }) => startGuard(slack, value, origin),
  /** Opens the form of the operation chosen under a number. */
  [IDS.moreSteps]: async (slack, click) => {
    const { tool, rest: phone } = calledBy(slack, click);
    await openForm(slack, tool, tool ? inputWith(tool, phone) : {}, originOf(click));
  },
};

/** Every modal of this app that is sent, pressed or reported as closed, by its callback id. */
export const FLOWS: { readonly [F in FlowName]: Flow<F> } = {
  form: { submit: submitForm, press: changeForm },
  guide: {
    submit: submitGuide,
    press: (slack, view, press) =>
      press.actionId === IDS.orderLook ? pressGuide(slack, view, press) : changeForm(slack, view, press),
  },
  batch: batchFlow,
  leave_out: leaveOutFlow,
  decline: declineFlow,
  qr: { closed: (slack, { id }) => pictureClosed(slack, id) },
};

/** Handles a choice or a button in a modal, by the flow of the modal. */
async function pressInView(slack: SlackContext, click: Click): Promise<void> {
  const { view, reply } = click;
  const press = view?.state && (FLOWS[view.state.flow] as Flow<FlowName>).press;
  if (view && press) await press(slack, view as ViewOf<FlowName>, click);
  else await reply.add(NO_BUTTON);
}

/* Buttons that start the next step: a form, or an operation. */

/** Opens a form with the values that the button carries. It asks only for the fields that stand behind them, if any do. */
async function openFilledForm(slack: SlackContext, click: Click): Promise<void> {
  const { tool, rest } = calledBy(slack, click);
  const [, input = rest, fields] = /^(.*\})\|([\w,]+)$/s.exec(rest) ?? [];
  const asked = { ...originOf(click), filled: true, only: fields?.split(',') };
  const values = objectIn(input);
  await openForm(slack, values && tool, values ?? {}, asked);
}

/** Runs an operation with the values that the button carries. A change is shown before it is sent. */
async function runAtOnce(slack: SlackContext, click: Click): Promise<void> {
  const { tool, rest } = calledBy(slack, click);
  const input = objectIn(rest);
  if (!tool || !input) return openFilledForm(slack, click);
  await run(slack, { tool, input, origin: click.origin, reply: click.reply });
}

/** The operation or the guide of a button, and the rest of its value. */
function calledBy({ tools }: SlackContext, { value }: Click) {
  const split = value.indexOf('|');
  const name = value.slice(0, split);
  return { name, tool: tools.find(({ id }) => id === name), rest: value.slice(split + 1) };
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
  read?: { operation: string; input: Fields } | undefined;
}

/**
 * Handles "Show QR code", under an action's activation code or under an answer. The person's access is checked at each
 * press.
 */
async function showQr(slack: SlackContext, click: Click): Promise<void> {
  const [id = '', index = '0'] = click.value.split('|');
  const isAction = /^act_[\w-]{10,64}$/.test(id);
  const stored = isAction ? undefined : await storedFor(slack, click, 'operator');
  const source = isAction
    ? await actionSource(slack, click, id)
    : stored && { actor: stored.actor, answer: stored.result.value, read: stored.result.read };
  if (!source) return;
  // A trigger is valid for three seconds, so the window opens before the code is read.
  const view = await openView(slack, click.origin, qrNotice('⏳ Preparing the QR code…'), {
    above: click.view !== undefined,
  });
  if (view === undefined) return;
  try {
    const code = await currentCode(slack, source, Number.parseInt(index, 10) || 0);
    if (code) await showCode(slack, view, code);
    else await showView(slack, view, qrNotice('⚠️ There is no activation code any more.'));
  } catch (error) {
    await showView(slack, view, qrNotice(`⚠️ ${slack.reworded(asSwitchboardError(error).face.message)}`));
  }
}

async function actionSource(slack: SlackContext, { origin, reply }: Click, id: string): Promise<Source | undefined> {
  const member = await admitted(slack, origin, 'viewer', reply);
  if (!member) return undefined;
  const { actor } = member;
  const action = await slack.gate.actions.get(id);
  if (action?.result && (isOwn(action, personOf(actor)) || hasRole(actor, 'operator')))
    return { actor, answer: action.result, action: id };
  const text = 'The activation code of an eSIM is shown to operators, the requester and the person who confirmed.';
  await reply.add(ui.notice('🔒', text));
  return undefined;
}

/** Changes of a line among which the one that made its eSIM is searched. */
const MOST_MADE = 20;
/** Pixels of a module's side: large enough for a camera at arm's length. */
const SCALE = 8;

/** The code that the platform shows now. If it has none, or cannot be read, that of the change that made it. */
async function currentCode({ gate, reworded }: SlackContext, { answer, action, read, actor }: Source, index: number) {
  const phone = withheldIn(answer)[index]?.phone;
  const chosen = (value: Fields | undefined) => {
    const codes = activationsOf(value);
    return codes.find((one) => phone !== undefined && one.phone === phone) ?? codes[index];
  };
  const reading = read ?? (phone === undefined ? undefined : activationRead(phone));
  const [now] = await Promise.allSettled([reading && gate.reveal(reading, actor)]);
  const current = now.status === 'fulfilled' ? chosen(now.value) : undefined;
  if (current) return current;
  const about = action === undefined && phone !== undefined ? await gate.actions.about(phone, MOST_MADE) : [];
  const made = action ?? about.find((one) => codesMade(one).length > 0)?.id;
  const code = made === undefined ? undefined : chosen(await gate.reveal({ action: made }, actor));
  if (now.status === 'fulfilled') return code;
  if (code === undefined) throw now.reason;
  return {
    ...code,
    note: `The number could not be read just now: ${reworded(asSwitchboardError(now.reason).message)}`,
  };
}

/** Shows the picture, or the code with the reason if Slack does not accept the picture. */
async function showCode(slack: SlackContext, view: string, found: FoundCode): Promise<void> {
  const png = qrPng(found.code, SCALE);
  if (png === undefined)
    return void (await showView(slack, view, qrView(found, { problem: 'The code is too long for a QR code.' })));
  try {
    await showPicture(slack, view, png, (file) => qrView(found, { file }));
  } catch (error) {
    slack.log('warn', { error: String(error) }, 'Slack did not take the picture of a QR code');
    const reason = error instanceof SlackRefusal ? error.reason : 'network';
    const why: Readonly<Record<string, string>> = {
      missing_scope: 'The app lacks the scope files:write: an administrator has to reinstall it from manifest.json.',
      network: 'Slack did not answer.',
    };
    const text = why[reason] ?? `Slack refused it (${reason.replaceAll('_', ' ')}).`;
    await showView(slack, view, qrView(found, { problem: `The picture could not be shown. ${text}` }));
  }
}

/*
 * Pictures that one person sees in one window. A picture is uploaded without a channel, so that it is private to the
 * app, and the window shows it as a `slack_file`. Slack requires that the sender of the blocks has access to the file
 * ("Slack file object" in its reference). It does not say if the reader needs access too, so the window must also show
 * the content as text. The picture is deleted when the window is closed, and after five minutes at the latest, also by
 * another process and after a restart.
 *
 * Neither a message nor an ephemeral one is used: a message would share the file to its channel, and Slack does not
 * notify the app when an ephemeral message is gone.
 */

/** Time after its upload at which a picture is deleted, if its window was not closed before. */
const KEEP_MS = 4.5 * MINUTE_MS;
/** The kind of the job that deletes the picture of one window. */
export const PICTURE = 'slack.picture';
/** Delays between attempts to show a file, which Slack may not have processed yet when a block refers to it. */
const PROCESSING_MS = [500, 1_000, 2_000, 3_000, 4_000];

/**
 * Uploads a picture for an open window and shows it there. Rejects with `SlackRefusal` if Slack does not take it; the
 * window is then as it was, and the picture is deleted.
 *
 * @param viewOf the window's content, given the file's id
 */
async function showPicture(slack: SlackContext, view: string, content: Uint8Array, viewOf: (file: string) => Fields) {
  const { web, jobs, clock } = slack;
  // Stored first: if the process ends, the next one deletes the file.
  const reserved = (file: string) => {
    const runAt = clock.now() + KEEP_MS;
    return jobs.add({ kind: PICTURE, key: `${PICTURE} ${view}`, payload: { file, view, at: runAt }, runAt });
  };
  try {
    // Name and title of the file must not say what the picture shows.
    const shown = viewOf(await web.upload({ name: 'esim.png', title: 'eSIM', content, reserved }));
    for (let tried = 0; ; tried += 1) {
      try {
        return await web.updateView(view, shown);
      } catch (error) {
        const wait = PROCESSING_MS[tried];
        // Slack's answer to a file that it has not processed yet.
        const isProcessing =
          error instanceof SlackRefusal && !error.ambiguous && /invalid[ _]slack[ _]file/i.test(error.message);
        if (wait === undefined || !isProcessing) throw error;
        await sleep(clock, wait);
      }
    }
  } catch (error) {
    await pictureClosed(slack, view);
    throw error;
  }
}

/** Deletes the picture of a window. One that is being uploaded is deleted when it cannot be shown any more. */
async function pictureClosed({ jobs, worker }: SlackContext, view: string): Promise<void> {
  await jobs.hasten(`${PICTURE} ${view}`);
  worker.look();
}

const REMOVED = 'The QR code was removed after five minutes. Close this window and press the button again to see it.';

/** Handles the job that deletes the picture of a window. */
export function deletePicture(slack: SlackContext): Handler {
  return async ({ payload }) => {
    const isDue = slack.clock.now() >= Number(payload.at);
    try {
      await slack.web.call('files.delete', { file: payload.file });
    } catch (error) {
      const reason = error instanceof SlackRefusal ? error.reason : '';
      // Before it is due, its upload may still be under way in another process.
      if (reason === 'file_deleted' || (reason === 'file_not_found' && isDue)) return undefined;
      throw new Unavailable(`failed to delete a picture in Slack: ${String(error)}`);
    }
    const closed = logged(slack, 'debug', 'the window of a deleted picture is not open any more');
    if (isDue) await slack.web.updateView(textOf(payload.view), qrNotice(REMOVED)).catch(closed);
    return undefined;
  };
}

/* Buttons under an answer: Share, Next and Back. */

/** Shares an answer as it was read, with that time. */
async function shareResult(slack: SlackContext, click: Click): Promise<void> {
  const stored = await storedFor(slack, click);
  if (!stored) return;
  const { result, page } = stored;
  const { threadTs, responseUrl = '', userId } = click.origin;
  const { text, blocks } = result.card ?? resultMessage(result, { page, shared: userId });
  // A card has no buttons then, which belong to its reader.
  const kept = blocks.filter(({ type }) => type !== 'actions').map(({ accessory: _, ...block }) => block);
  const message = result.card
    ? { text, blocks: [...kept.slice(0, 49), sharedLine(userId, result.asOf)] }
    : { text, blocks };
  const place = { response_type: 'in_channel', replace_original: false, ...defined({ thread_ts: threadTs }) };
  await slack.web
    .respond(responseUrl, { ...place, ...message })
    .catch(() => click.reply.add(ui.notice('⚠️', 'Slack did not take it. Press Share again.')));
}

/** The stored answer of a button; undefined if it is gone or refused, which is answered. */
async function storedFor(slack: SlackContext, { origin, value, reply }: Click, role: Role = 'viewer') {
  const member = await admitted(slack, origin, role, reply);
  if (!member) return undefined;
  const [id = '', page = '0'] = value.split('|');
  const result = slack.memory.results.get(id);
  if (result?.user === origin.userId && result.until > slack.clock.now())
    return { ...member, result, page: Number.parseInt(page, 10) || 0 };
  const gone =
    'This answer is no longer available. Answers are kept for an hour, and not across restarts. Run it again.';
  await reply.add(ui.notice('🤔', gone));
  return undefined;
}
