import { type Actor, personOf, type Role } from '../../../lib/actor.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import { statusOf } from '../../../gate/gate.ts';
import { asSwitchboardError, severity } from '../../../lib/errors.ts';
import type { Refusal } from '../../../gate/decide.ts';
import { askedOf } from '../../../language/asked.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import type { Action } from '../../../gate/ledger/ledger.ts';
import { isGated, type Tool } from '../../../catalogue/operation.ts';
import { activationMessage, confirmElsewhere, titleOf } from '../blocks/card.ts';
import { isRecord } from '../blocks/form.ts';
import { wholeView } from '../blocks/question.ts';
import { jsonMessage, resultMessage } from '../blocks/result.ts';
import { type Message, notice, say, small } from '../blocks/text.ts';
import { onFormButton, openForm } from '../flows/forms.ts';
import { guideMeta, guidesFor } from '../flows/guide.ts';
import { IDS } from '../ids.ts';
import { inputWith, lookups } from '../flows/lookup.ts';
import { createReply, type Reply } from '../flows/reply.ts';
import { onceMessage, refusalMessage, run } from '../flows/run.ts';
import { type Desk, elsewhereOf, noteOf, type Where } from '../types.ts';

/** One click on a button or a menu of ours. */
export interface Click {
  actionId: string;
  value: string;
  /** The message it stands in; undefined in the App Home. */
  messageTs: string | undefined;
  /** The form it stands in. */
  view?: { id: string; metadata: string };
  where: Where;
}

/** A click is never ignored: it does something, or its maker is told why not. */
export async function onClick(desk: Desk, click: Click): Promise<void> {
  const { actionId, value, where } = click;
  const reply = createReply(desk.web, desk.log, where, false);
  const known = (id: string) => actionId === id || actionId.startsWith(`${id}_`);
  if (actionId === IDS.confirm) return decide(desk, click, reply, true);
  if (actionId === IDS.decline) return decide(desk, click, reply, false);
  if (actionId === IDS.everything) return everything(desk, click, reply);
  if (actionId === IDS.check) return check(desk, click, reply);
  if (actionId === IDS.wasDone) return settle(desk, click, reply, 'done');
  if (actionId === IDS.wasNot) return settle(desk, click, reply, 'not_done');
  if (actionId === IDS.form) return onFormButton(desk, value, where);
  if (actionId === IDS.share || actionId === IDS.json || known(IDS.page)) return again(desk, click, reply);
  if (known(IDS.fill)) return fill(desk, value, where, reply);
  if (known(IDS.run)) return atOnce(desk, value, where, reply);
  if (known(IDS.guide)) return guided(desk, value, where, reply);
  if (actionId === IDS.orderLook) return pressed(desk, 'look', click);
  if (actionId === IDS.orderFix) return pressed(desk, 'fix', click);
  if (actionId === IDS.orderStop) return pressed(desk, 'stop', click);
  if (known(IDS.look)) return look(desk, value, where, reply);
  if (known(IDS.next)) return next(desk, value, where, reply);
  await reply.add(
    notice('🤔', 'This button is of an older version of the app and does nothing any more. Write the command again.'),
  );
}

/** Confirm or Decline: the workspace and the card are checked again, then the gate says whether it is theirs to decide. */
async function decide(desk: Desk, click: Click, reply: Reply, yes: boolean): Promise<void> {
  const { door, cards, roles } = desk;
  const { where } = click;
  const who = await roles.standing(where);
  const found = actionOf(desk, click);
  if (typeof found === 'string') {
    await reply.add(notice('🤔', found));
    return;
  }
  if ('refused' in who) {
    await reply.add(refusalMessage(who.refused));
    return;
  }
  const refusal = door.refusal(yes ? 'confirm' : 'decline', found, who.actor, 'slack');
  if (refusal) {
    await reply.add(notTheirs(desk, refusal, who.actor, found));
    if (refusal.why === 'way') await cards.refresh(found.id);
    return;
  }
  try {
    if (!yes) {
      const declined = door.decline(found.id, who.actor, 'slack');
      await cards.sync(found.id);
      await cards.tellAsker(declined, where.userId);
      return;
    }
    const done = await door.confirm(found.id, who.actor, 'slack');
    const once = done.kind === 'done' ? done.once : undefined;
    if (once) await tellOnce(desk, found.id, personOf(who.actor), once, reply);
    const activation = done.kind === 'done' ? activationMessage(done.value) : undefined;
    // The card leaves it out; not kept in a direct message either.
    if (activation) await reply.fleeting(activation, noteOf(found).channel);
  } catch (error) {
    const failure = asSwitchboardError(error);
    if (failure.detail) desk.log(severity(failure.face), { action: found.id, detail: failure.detail }, failure.message);
    if (failure.face.code === 'not_confirmed') {
      await reply.add(notice('ℹ️', `${titleOf(found, door.tool(found.operation))}: ${desk.said(failure.message)}`));
      await cards.refresh(found.id);
      return;
    }
  }
  await cards.sync(found.id);
  const ended = door.ledger.get(found.id);
  if (ended) await cards.tellAsker(ended, where.userId);
}

/** The gate's refusal as Slack shows it: with who may decide as mentions, or with the way to where it is decided. */
function notTheirs(desk: Desk, refusal: Refusal, actor: Actor, action: Action): Message {
  const elsewhere = elsewhereOf(desk.door, action.id);
  if (elsewhere) {
    return {
      text: 'Nothing was done: this is not decided in Slack.',
      blocks: [say('Nothing was done.'), confirmElsewhere(elsewhere)],
    };
  }
  if (refusal.why === 'role') return refusalMessage(desk.roles.lacking('approver', actor.role));
  const holders = desk.roles.lacking('approver', actor.role).slice(1);
  return refusalMessage([{ type: 'text', text: `${refusal.message} ` }, ...holders]);
}

async function tellOnce(
  desk: Desk,
  id: string,
  person: string,
  once: Record<string, string>,
  reply: Reply,
): Promise<void> {
  const action = desk.door.ledger.get(id);
  // It is theirs alone: the sealed copy goes before anybody else could ask for it.
  desk.door.takeOnce(id, person);
  if (await reply.fleeting(onceMessage(once), action && noteOf(action).channel)) return;
  const names = Object.keys(once).join(', ');
  await reply.add(
    notice(
      '🔑',
      `${names} was made, but Slack could not show it to you alone, so it is not shown and not kept. Set another one from a channel the app is in.`,
    ),
  );
}

/** The action of a button, or why there is none. Any card of the action counts, because Slack may have shown it twice. */
function actionOf(desk: Desk, click: Click): Action | string {
  const action = /^act_[\w-]{10,64}$/.test(click.value) ? desk.door.ledger.get(click.value) : undefined;
  if (!action) return 'This button belongs to nothing that is known here. Nothing was done; ask for it again.';
  const { channel } = click.where;
  if (click.messageTs !== undefined && !desk.cards.clicked(action, { channel, ts: click.messageTs })) {
    return 'This button does not belong to this card. Nothing was done; use the newest card, or the app’s Home.';
  }
  return action;
}

/** Who clicked and what the card stands for; undefined where they were told why not. */
async function cardFor(
  desk: Desk,
  click: Click,
  reply: Reply,
  role: Role,
): Promise<{ actor: Actor; found: Action } | undefined> {
  const who = await desk.roles.standing(click.where);
  const refused = desk.roles.refusal(who, role);
  if ('refused' in who || refused) {
    await reply.add(refusalMessage(refused ?? []));
    return undefined;
  }
  const found = actionOf(desk, click);
  if (typeof found !== 'string') return { actor: who.actor, found };
  await reply.add(notice('🤔', found));
  return undefined;
}

/** Opens all that will be sent, where the card is too small for it. */
async function everything(desk: Desk, click: Click, reply: Reply): Promise<void> {
  const card = await cardFor(desk, click, reply, 'viewer');
  if (!card) return;
  const { triggerId } = click.where;
  const asked = askedOf(desk.door.tool(card.found.operation), card.found);
  try {
    if (triggerId === undefined) throw new Error('Slack sent no trigger');
    await desk.web.openView(triggerId, wholeView(asked, desk.said));
  } catch (error) {
    desk.log('warn', { action: card.found.id, error: String(error) }, 'a question could not be opened in a window');
    await reply.add(notice('⚠️', 'Slack did not open the window. Press once more.'));
  }
}

/** "Check now" on an unknown outcome: reads, and changes nothing at the platform. */
async function check(desk: Desk, click: Click, reply: Reply): Promise<void> {
  const card = await cardFor(desk, click, reply, 'operator');
  if (!card) return;
  const { actor, found } = card;
  const settled = await desk.door.reconcile(found.id, actor).catch((error: unknown) => {
    desk.log('warn', { action: found.id, error: String(error) }, 'an unknown outcome could not be looked into');
    return undefined;
  });
  const now = settled ?? desk.door.ledger.get(found.id) ?? found;
  await desk.cards.refresh(found.id);
  const { mark, headline } = outcomeOf(now, desk.door.tool(now.operation));
  const still = statusOf(now.state) === 'unknown';
  await reply.add(
    notice(
      mark,
      still
        ? 'Reading does not tell yet. Check again in a minute, or look at the number itself.'
        : `Resolved: ${headline.toLowerCase()}.`,
    ),
  );
}

/** Somebody has looked what became of it. */
async function settle(desk: Desk, click: Click, reply: Reply, outcome: 'done' | 'not_done'): Promise<void> {
  const card = await cardFor(desk, click, reply, 'approver');
  if (!card) return;
  const { actor, found } = card;
  try {
    const ended = desk.door.settle(found.id, actor, outcome, 'slack');
    await desk.cards.sync(found.id);
    await desk.cards.tellAsker(ended, click.where.userId);
  } catch (error) {
    await reply.add(notice('ℹ️', desk.said(asSwitchboardError(error).message)));
  }
  await desk.cards.refresh(found.id);
}

/** Share, JSON, Next: a kept answer shown again. */
async function again(desk: Desk, click: Click, reply: Reply): Promise<void> {
  const { where } = click;
  const [id = '', page = '0'] = click.value.split('|');
  const who = await desk.roles.standing(where);
  const refused = desk.roles.refusal(who, 'viewer');
  if ('refused' in who || refused) {
    await reply.add(refusalMessage(refused ?? []));
    return;
  }
  const held = desk.memory.held(where.userId, id);
  if (!held) {
    await reply.add(
      notice('🤔', 'This answer is no longer kept (an hour, and not across restarts). Look it up again.'),
    );
    return;
  }
  const at = Number.parseInt(page, 10) || 0;
  const zone = who.zone === undefined ? {} : { zone: who.zone };
  if (click.actionId === IDS.json) await reply.add(jsonMessage(held, at));
  else if (click.actionId === IDS.share)
    await share(
      desk,
      held.card ? shared(held.card, where) : resultMessage(held, { page: at, shared: where.userId }),
      where,
      reply,
    );
  else await reply.add(resultMessage(held, { page: at, ...zone }));
}

/** A card as others see it: without the buttons, which are its reader's, and with who shared it. */
function shared(card: Message, where: Where): Message {
  return {
    text: card.text,
    blocks: [...card.blocks.filter(({ type }) => type !== 'actions'), small(`Shared by <@${where.userId}>`)],
  };
}

async function share(desk: Desk, message: Message, where: Where, reply: Reply): Promise<void> {
  try {
    if (!where.channel) throw new Error('no channel');
    await desk.web.post(where.channel, message, where.threadTs);
    return;
  } catch (error) {
    desk.log('info', { error: String(error) }, 'a result was not posted by the app; its address is tried');
  }
  try {
    if (!where.responseUrl) throw new Error('no address');
    await desk.web.respond(where.responseUrl, { response_type: 'in_channel', replace_original: false, ...message });
  } catch {
    await reply.add(notice('⚠️', 'It could not be shared here. Invite the app to the channel and press Share again.'));
  }
}

/** One of several numbers was chosen. */
async function look(desk: Desk, phone: string, where: Where, reply: Reply): Promise<void> {
  const [lookup] = lookups(desk.tools, desk.groups);
  if (!lookup) return void (await reply.add(notice('🤔', 'Numbers cannot be looked up here.')));
  await run(desk, { tool: lookup.tool, input: { [lookup.field]: phone }, where, reply });
}

/** A form with the values that the button carries. */
async function fill(desk: Desk, value: string, where: Where, reply: Reply): Promise<void> {
  const { toolId, given } = carried(value);
  await openStep(desk, toolId, (tool) => ({ ...desk.before(tool, given), ...given }), where, reply);
}

/** A step that needs no form. What costs or takes something away is asked for in one all the same. */
async function atOnce(desk: Desk, value: string, where: Where, reply: Reply): Promise<void> {
  const { toolId, given } = carried(value);
  const tool = desk.tools.find((candidate) => candidate.id === toolId);
  if (!tool || isGated(tool) || tool.raises) return fill(desk, value, where, reply);
  await run(desk, { tool, input: given, where, reply });
}

function carried(value: string): { toolId: string; given: Record<string, unknown> } {
  const split = value.indexOf('|');
  const input: unknown = JSON.parse(value.slice(split + 1));
  return { toolId: value.slice(0, split), given: isRecord(input) ? input : {} };
}

/** Opens a guide with what the button carries. */
async function guided(desk: Desk, value: string, where: Where, reply: Reply): Promise<void> {
  const [name = '', given = ''] = value.split('|');
  const guide = guidesFor(desk.tools).find((candidate) => candidate.name === name);
  if (!guide) return void (await reply.add(notice('🤔', 'This button is of an older version of the app.')));
  await desk.guides.start(guide, given, where);
}

/** A button inside a guide. */
async function pressed(desk: Desk, what: 'look' | 'fix' | 'stop', { value, view, where }: Click): Promise<void> {
  const meta = view && guideMeta(view.metadata);
  if (view && meta) await desk.guides.press(what, value, { id: view.id, meta }, where);
}

/** The next step with a number: its form, with the number in its place. */
async function next(desk: Desk, value: string, where: Where, reply: Reply): Promise<void> {
  const [toolId = '', phone = ''] = value.split('|');
  await openStep(desk, toolId, (tool) => inputWith(tool, phone), where, reply);
}

async function openStep(
  desk: Desk,
  toolId: string,
  inputOf: (tool: Tool) => Record<string, unknown>,
  where: Where,
  reply: Reply,
): Promise<void> {
  const tool = desk.tools.find((candidate) => candidate.id === toolId);
  if (!tool) return void (await reply.add(notice('🤔', 'This step is of an older version of the app.')));
  const refused = desk.roles.refusal(await desk.roles.standing(where), neededRole(tool).ask);
  if (refused) return void (await reply.add(refusalMessage(refused)));
  if (!(await openForm(desk, tool, inputOf(tool), where))) {
    await reply.add(notice('⚠️', 'Slack did not open the form. Press once more.'));
  }
}
