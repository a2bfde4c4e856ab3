import { neededRole } from '../../../catalogue/offered.ts';
import { isGated, type Tool } from '../../../catalogue/operation.ts';
import type { Refusal } from '../../../gate/decide.ts';
import { statusOf } from '../../../gate/gate.ts';
import type { Action } from '../../../gate/ledger/ledger.ts';
import { askedOf } from '../../../language/asked.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import { type Actor, personOf, type Role } from '../../../lib/actor.ts';
import { asSwitchboardError, severity } from '../../../lib/errors.ts';
import { activationMessage, confirmElsewhere, titleOf } from '../blocks/card.ts';
import { isRecord } from '../blocks/form.ts';
import { wholeView } from '../blocks/question.ts';
import { jsonMessage, resultMessage } from '../blocks/result.ts';
import { type Message, notice, say, small } from '../blocks/text.ts';
import { onFormButton, openForm } from '../flows/forms.ts';
import { guideMeta, guidesFor } from '../flows/guide.ts';
import { inputWith, lookups } from '../flows/lookup.ts';
import { createReply, type Reply } from '../flows/reply.ts';
import { onceMessage, refusalMessage, run } from '../flows/run.ts';
import { IDS } from '../ids.ts';
import { elsewhereOf, noteOf, type Origin, type SlackContext } from '../types.ts';

/** One click on a button or a menu of ours. */
export interface Click {
  actionId: string;
  value: string;
  /** The message it stands in; undefined in the App Home. */
  messageTs: string | undefined;
  /** The form it stands in. */
  view?: { id: string; metadata: string };
  origin: Origin;
}

/** A click is never ignored: it does something, or its maker is told why not. */
export async function onClick(slack: SlackContext, click: Click): Promise<void> {
  const { actionId, value, origin } = click;
  const reply = createReply(slack.web, slack.log, origin, false);
  const known = (id: string) => actionId === id || actionId.startsWith(`${id}_`);
  if (actionId === IDS.confirm) return decide(slack, click, reply, true);
  if (actionId === IDS.decline) return decide(slack, click, reply, false);
  if (actionId === IDS.everything) return everything(slack, click, reply);
  if (actionId === IDS.check) return check(slack, click, reply);
  if (actionId === IDS.wasDone) return settle(slack, click, reply, 'done');
  if (actionId === IDS.wasNot) return settle(slack, click, reply, 'not_done');
  if (actionId === IDS.form) return onFormButton(slack, value, origin);
  if (actionId === IDS.share || actionId === IDS.json || known(IDS.page)) return again(slack, click, reply);
  if (known(IDS.fill)) return fill(slack, value, origin, reply);
  if (known(IDS.run)) return atOnce(slack, value, origin, reply);
  if (known(IDS.guide)) return guided(slack, value, origin, reply);
  if (actionId === IDS.orderLook) return pressed(slack, 'look', click);
  if (actionId === IDS.orderFix) return pressed(slack, 'fix', click);
  if (actionId === IDS.orderStop) return pressed(slack, 'stop', click);
  if (known(IDS.look)) return look(slack, value, origin, reply);
  if (known(IDS.next)) return next(slack, value, origin, reply);
  await reply.add(
    notice('🤔', 'This button is of an older version of the app and does nothing any more. Write the command again.'),
  );
}

/** Confirm or Decline: the workspace and the card are checked again, then the gate says whether it is theirs to decide. */
async function decide(slack: SlackContext, click: Click, reply: Reply, yes: boolean): Promise<void> {
  const { gate, cards, roles } = slack;
  const { origin } = click;
  const who = await roles.membership(origin);
  const found = actionOf(slack, click);
  if (typeof found === 'string') {
    await reply.add(notice('🤔', found));
    return;
  }
  if ('refused' in who) {
    await reply.add(refusalMessage(who.refused));
    return;
  }
  const refusal = gate.refusal(yes ? 'confirm' : 'decline', found, who.actor, 'slack');
  if (refusal) {
    await reply.add(notTheirs(slack, refusal, who.actor, found));
    if (refusal.why === 'way') await cards.refresh(found.id);
    return;
  }
  try {
    if (!yes) {
      const declined = gate.decline(found.id, who.actor, 'slack');
      await cards.sync(found.id);
      await cards.tellAsker(declined, origin.userId);
      return;
    }
    const done = await gate.confirm(found.id, who.actor, 'slack');
    const once = done.kind === 'done' ? done.once : undefined;
    if (once) await tellOnce(slack, found.id, personOf(who.actor), once, reply);
    const activation = done.kind === 'done' ? activationMessage(done.value) : undefined;
    // The card leaves it out; not kept in a direct message either.
    if (activation) await reply.fleeting(activation, noteOf(found).channel);
  } catch (error) {
    const failure = asSwitchboardError(error);
    if (failure.detail)
      slack.log(severity(failure.face), { action: found.id, detail: failure.detail }, failure.message);
    if (failure.face.code === 'not_confirmed') {
      await reply.add(notice('ℹ️', `${titleOf(found, gate.tool(found.operation))}: ${slack.reworded(failure.message)}`));
      await cards.refresh(found.id);
      return;
    }
  }
  await cards.sync(found.id);
  const ended = gate.actions.get(found.id);
  if (ended) await cards.tellAsker(ended, origin.userId);
}

/** The gate's refusal as Slack shows it: with who may decide as mentions, or with the way to where it is decided. */
function notTheirs(slack: SlackContext, refusal: Refusal, actor: Actor, action: Action): Message {
  const elsewhere = elsewhereOf(slack.gate, action.id);
  if (elsewhere) {
    return {
      text: 'Nothing was done: this is not decided in Slack.',
      blocks: [say('Nothing was done.'), confirmElsewhere(elsewhere)],
    };
  }
  if (refusal.why === 'role') return refusalMessage(slack.roles.lacking('approver', actor.role));
  const holders = slack.roles.lacking('approver', actor.role).slice(1);
  return refusalMessage([{ type: 'text', text: `${refusal.message} ` }, ...holders]);
}

async function tellOnce(
  slack: SlackContext,
  id: string,
  person: string,
  once: Record<string, string>,
  reply: Reply,
): Promise<void> {
  const action = slack.gate.actions.get(id);
  // It is theirs alone: the sealed copy goes before anybody else could ask for it.
  slack.gate.takeOnce(id, person);
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
function actionOf(slack: SlackContext, click: Click): Action | string {
  const action = /^act_[\w-]{10,64}$/.test(click.value) ? slack.gate.actions.get(click.value) : undefined;
  if (!action) return 'This button belongs to nothing that is known here. Nothing was done; ask for it again.';
  const { channel } = click.origin;
  if (click.messageTs !== undefined && !slack.cards.clicked(action, { channel, ts: click.messageTs })) {
    return 'This button does not belong to this card. Nothing was done; use the newest card, or the app’s Home.';
  }
  return action;
}

/** Who clicked and what the card stands for; undefined where they were told why not. */
async function cardFor(
  slack: SlackContext,
  click: Click,
  reply: Reply,
  role: Role,
): Promise<{ actor: Actor; found: Action } | undefined> {
  const who = await slack.roles.membership(click.origin);
  const refused = slack.roles.refusal(who, role);
  if ('refused' in who || refused) {
    await reply.add(refusalMessage(refused ?? []));
    return undefined;
  }
  const found = actionOf(slack, click);
  if (typeof found !== 'string') return { actor: who.actor, found };
  await reply.add(notice('🤔', found));
  return undefined;
}

/** Opens all that will be sent, where the card is too small for it. */
async function everything(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const card = await cardFor(slack, click, reply, 'viewer');
  if (!card) return;
  const { triggerId } = click.origin;
  const asked = askedOf(slack.gate.tool(card.found.operation), card.found);
  try {
    if (triggerId === undefined) throw new Error('Slack sent no trigger');
    await slack.web.openView(triggerId, wholeView(asked, slack.reworded));
  } catch (error) {
    slack.log('warn', { action: card.found.id, error: String(error) }, 'a question could not be opened in a window');
    await reply.add(notice('⚠️', 'Slack did not open the window. Press once more.'));
  }
}

/** "Check now" on an unknown outcome: reads, and changes nothing at the platform. */
async function check(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const card = await cardFor(slack, click, reply, 'operator');
  if (!card) return;
  const { actor, found } = card;
  const settled = await slack.gate.reconcile(found.id, actor).catch((error: unknown) => {
    slack.log('warn', { action: found.id, error: String(error) }, 'an unknown outcome could not be looked into');
    return undefined;
  });
  const now = settled ?? slack.gate.actions.get(found.id) ?? found;
  await slack.cards.refresh(found.id);
  const { mark, headline } = outcomeOf(now, slack.gate.tool(now.operation));
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
async function settle(slack: SlackContext, click: Click, reply: Reply, outcome: 'done' | 'not_done'): Promise<void> {
  const card = await cardFor(slack, click, reply, 'approver');
  if (!card) return;
  const { actor, found } = card;
  try {
    const ended = slack.gate.settle(found.id, actor, outcome, 'slack');
    await slack.cards.sync(found.id);
    await slack.cards.tellAsker(ended, click.origin.userId);
  } catch (error) {
    await reply.add(notice('ℹ️', slack.reworded(asSwitchboardError(error).message)));
  }
  await slack.cards.refresh(found.id);
}

/** Share, JSON, Next: a kept answer shown again. */
async function again(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { origin } = click;
  const [id = '', page = '0'] = click.value.split('|');
  const who = await slack.roles.membership(origin);
  const refused = slack.roles.refusal(who, 'viewer');
  if ('refused' in who || refused) {
    await reply.add(refusalMessage(refused ?? []));
    return;
  }
  const held = slack.memory.held(origin.userId, id);
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
      slack,
      held.card ? shared(held.card, origin) : resultMessage(held, { page: at, shared: origin.userId }),
      origin,
      reply,
    );
  else await reply.add(resultMessage(held, { page: at, ...zone }));
}

/** A card as others see it: without the buttons, which are its reader's, and with who shared it. */
function shared(card: Message, origin: Origin): Message {
  return {
    text: card.text,
    blocks: [...card.blocks.filter(({ type }) => type !== 'actions'), small(`Shared by <@${origin.userId}>`)],
  };
}

async function share(slack: SlackContext, message: Message, origin: Origin, reply: Reply): Promise<void> {
  try {
    if (!origin.channel) throw new Error('no channel');
    await slack.web.post(origin.channel, message, origin.threadTs);
    return;
  } catch (error) {
    slack.log('info', { error: String(error) }, 'a result was not posted by the app; its address is tried');
  }
  try {
    if (!origin.responseUrl) throw new Error('no address');
    await slack.web.respond(origin.responseUrl, { response_type: 'in_channel', replace_original: false, ...message });
  } catch {
    await reply.add(notice('⚠️', 'It could not be shared here. Invite the app to the channel and press Share again.'));
  }
}

/** One of several numbers was chosen. */
async function look(slack: SlackContext, phone: string, origin: Origin, reply: Reply): Promise<void> {
  const [lookup] = lookups(slack.tools, slack.groups);
  if (!lookup) return void (await reply.add(notice('🤔', 'Numbers cannot be looked up here.')));
  await run(slack, { tool: lookup.tool, input: { [lookup.field]: phone }, origin, reply });
}

/** A form with the values that the button carries. */
async function fill(slack: SlackContext, value: string, origin: Origin, reply: Reply): Promise<void> {
  const { toolId, given } = carried(value);
  await openStep(slack, toolId, (tool) => ({ ...slack.before(tool, given), ...given }), origin, reply);
}

/** A step that needs no form. What costs or takes something away is asked for in one all the same. */
async function atOnce(slack: SlackContext, value: string, origin: Origin, reply: Reply): Promise<void> {
  const { toolId, given } = carried(value);
  const tool = slack.tools.find((candidate) => candidate.id === toolId);
  if (!tool || isGated(tool) || tool.raises) return fill(slack, value, origin, reply);
  await run(slack, { tool, input: given, origin, reply });
}

function carried(value: string): { toolId: string; given: Record<string, unknown> } {
  const split = value.indexOf('|');
  const input: unknown = JSON.parse(value.slice(split + 1));
  return { toolId: value.slice(0, split), given: isRecord(input) ? input : {} };
}

/** Opens a guide with what the button carries. */
async function guided(slack: SlackContext, value: string, origin: Origin, reply: Reply): Promise<void> {
  const [name = '', given = ''] = value.split('|');
  const guide = guidesFor(slack.tools).find((candidate) => candidate.name === name);
  if (!guide) return void (await reply.add(notice('🤔', 'This button is of an older version of the app.')));
  await slack.guides.start(guide, given, origin);
}

/** A button inside a guide. */
async function pressed(
  slack: SlackContext,
  what: 'look' | 'fix' | 'stop',
  { value, view, origin }: Click,
): Promise<void> {
  const meta = view && guideMeta(view.metadata);
  if (view && meta) await slack.guides.press(what, value, { id: view.id, meta }, origin);
}

/** The next step with a number: its form, with the number in its place. */
async function next(slack: SlackContext, value: string, origin: Origin, reply: Reply): Promise<void> {
  const [toolId = '', phone = ''] = value.split('|');
  await openStep(slack, toolId, (tool) => inputWith(tool, phone), origin, reply);
}

async function openStep(
  slack: SlackContext,
  toolId: string,
  inputOf: (tool: Tool) => Record<string, unknown>,
  origin: Origin,
  reply: Reply,
): Promise<void> {
  const tool = slack.tools.find((candidate) => candidate.id === toolId);
  if (!tool) return void (await reply.add(notice('🤔', 'This step is of an older version of the app.')));
  const refused = slack.roles.refusal(await slack.roles.membership(origin), neededRole(tool).ask);
  if (refused) return void (await reply.add(refusalMessage(refused)));
  if (!(await openForm(slack, tool, inputOf(tool), origin))) {
    await reply.add(notice('⚠️', 'Slack did not open the form. Press once more.'));
  }
}
