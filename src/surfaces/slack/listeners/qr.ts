import { activationRead } from '../../../../tools/shared/plans.ts';
import { isOwn } from '../../../gate/approval.ts';
import { codesMade } from '../../../language/outcome.ts';
import { type Actor, hasRole, personOf, type Role } from '../../../lib/actor.ts';
import { asSwitchboardError } from '../../../lib/errors.ts';
import { qrPng } from '../../../lib/qr.ts';
import { defined, type Fields } from '../../../lib/values.ts';
import { type Activation, activationsOf, withheldIn } from '../../../platform/dialect/redact.ts';
import { SlackRefusal } from '../api/web.ts';
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
import { type Message, notice } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { admitted, type Click, openView, type Reply, showView } from '../flows/engine.ts';

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
export async function showQr(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const [id = '', index = '0'] = click.value.split('|');
  const source = /^act_[\w-]{10,64}$/.test(id)
    ? await actionSource(slack, click, id, reply)
    : await answerSource(slack, click, reply);
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
  await reply.add(
    notice('🔒', 'The activation code of an eSIM is shown to operators, the requester and the person who confirmed.'),
  );
  return undefined;
}

async function answerSource(slack: SlackContext, click: Click, reply: Reply): Promise<Source | undefined> {
  const stored = await storedFor(slack, click, reply, 'operator');
  return stored && { actor: stored.actor, answer: stored.result.value, read: stored.result.read };
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
    const picture = { png, name: 'esim.png', title: 'eSIM' };
    await slack.pictures.show(view, picture, (file) => shown({ file }));
  } catch (error) {
    slack.log('warn', { error: String(error) }, 'Slack did not take the picture of a QR code');
    await showView(slack, view, shown({ problem: `The picture could not be shown. ${whyNot(error)}` }));
  }
}

function whyNot(error: unknown): string {
  const reason = error instanceof SlackRefusal ? error.reason : '';
  if (reason === 'missing_scope')
    return 'The app lacks the scope files:write: an administrator has to reinstall it from manifest.json.';
  if (reason === 'network' || reason === '') return 'Slack did not answer.';
  return `Slack refused it (${reason.replaceAll('_', ' ')}).`;
}

/* Buttons under an answer: Share, JSON, Next and Back. */

interface Stored {
  result: StoredResult;
  page: number;
  zone: string | undefined;
  actor: Actor;
}

/** Shares an answer as it was read, with that time. */
export async function shareResult(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const stored = await storedFor(slack, click, reply);
  if (!stored) return;
  const { result, page } = stored;
  const { channel, threadTs, responseUrl, userId } = click.origin;
  const message = result.card
    ? sharedCard(result.card, userId, result.asOf)
    : resultMessage(result, { page, shared: userId });
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

export async function showJson(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const stored = await storedFor(slack, click, reply);
  if (stored) await reply.add(jsonMessage(stored.result, stored.page));
}

export async function showPage(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
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
): Promise<Stored | undefined> {
  const member = await admitted(slack, origin, role, reply);
  if (!member) return undefined;
  const [id = '', page = '0'] = value.split('|');
  const result = slack.memory.result(origin.userId, id);
  if (result) return { result, page: Number.parseInt(page, 10) || 0, zone: member.zone, actor: member.actor };
  await reply.add(
    notice(
      '🤔',
      'This answer is no longer available. Answers are kept for an hour, and not across restarts. Run it again.',
    ),
  );
  return undefined;
}

/** A card without its buttons, which belong to its reader, and with the name of the person who shared it. */
function sharedCard({ text, blocks }: Message, userId: string, asOf: number | undefined): Message {
  const kept = blocks.filter(({ type }) => type !== 'actions').map(({ accessory: _, ...block }) => block);
  return { text, blocks: [...kept.slice(0, 49), sharedLine(userId, asOf)] };
}
