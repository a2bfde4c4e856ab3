import { statusOf } from '../../../gate/gate.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import { endedNotice } from '../blocks/ended.ts';
import { notice } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { failureOf, type Reply } from '../flows/engine.ts';
import type { Click } from './click.ts';
import { cardFor } from './decisions.ts';

/* Buttons on the card of an action whose outcome is unknown. */

/** "Check now" on an unknown outcome. Reads, and changes nothing on the platform. */
export async function check(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
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

export function settleDone(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  return settle(slack, click, reply, 'done');
}

export function settleNotDone(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  return settle(slack, click, reply, 'not_done');
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
