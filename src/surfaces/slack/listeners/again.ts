import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { BATCH_RUN } from '../../../gate/frozen-batch.ts';
import { givenOf } from '../../../gate/question.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { personOf } from '../../../lib/actor.ts';
import { REDACTED } from '../../../lib/hide.ts';
import { defined } from '../../../lib/json.ts';
import { LEASE_MS } from '../../../work/holds.ts';
import { mayAskAgain, titleOf } from '../blocks/card.ts';
import { endedNotice } from '../blocks/ended.ts';
import { hasSecrets } from '../blocks/form-values.ts';
import { type Message, notice, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { linkTo } from '../flows/engine.ts';
import { openForm } from '../flows/forms.ts';
import type { Reply } from '../flows/reply.ts';
import { run } from '../flows/run.ts';
import { cardAt, noteOf, type Origin } from '../types.ts';
import { askBatchAgain } from './batch.ts';
import type { Click } from './click.ts';
import { cardFor } from './decisions.ts';

/**
 * Handles "Ask again" on an expired or failed card: requests the same operation as a new action of the person who
 * clicks. Its checks run again, and nothing is sent before a person confirms. Repeated clicks create only one new
 * action.
 */
export async function askAgain(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const card = await cardFor(slack, click, reply, 'operator');
  if (!card) return;
  const { gate, cards, tools, clock } = slack;
  const { action } = card;
  if (action.operation === BATCH_RUN)
    return askBatchAgain(slack, { ...click, value: String(action.shown.Batch) }, reply);
  const tool = tools.find(({ id }) => id === action.operation);
  if (!tool) {
    await reply.add(notice('🤔', 'This operation no longer exists. Nothing was done.'));
    return;
  }
  if (!mayAskAgain(action)) {
    const { again } = noteOf(action);
    const lost = 'It cannot be asked again.';
    await reply.add(
      again === undefined ? endedNotice(action, tool, slack.reworded, lost) : await alreadyAsked(slack, again),
    );
    await cards.refresh(action.id);
    return;
  }
  const origin = originOf(click.origin, action);
  const reason = personOf(card.actor) === action.person ? action.reason : undefined;
  if (needsForm(tool, action)) {
    if (!(await openForm(slack, tool, action.shown, { ...origin, reason })))
      await reply.add(notice('⚠️', 'Slack did not open the form. Press the button again.'));
    return;
  }
  if (!(await gate.notes.claim(action.id, 'askedAgain', clock.now() - LEASE_MS))) {
    await reply.add(notice('ℹ️', 'It is being asked again right now.'));
    return;
  }
  // The claim of an earlier click may have ended between the first check and this one.
  const { again } = noteOf((await gate.actions.get(action.id)) ?? action);
  if (again !== undefined) {
    await reply.add(await alreadyAsked(slack, again));
    return;
  }
  const performed = await run(slack, {
    tool,
    input: givenOf(action.shown, action),
    origin,
    reply,
    ...defined({ reason }),
  });
  if (performed?.kind === 'pending') {
    await gate.notes.merge(action.id, 'slack', { again: performed.action.id });
    await cards.refresh(action.id);
  } else await gate.notes.remember(action.id, { askedAgain: 0 });
}

/** The new card is posted where the old one was requested, unless the click came from another channel. */
function originOf(origin: Origin, action: Action): Origin {
  const { from, thread } = noteOf(action);
  if (!origin.channel?.startsWith('D') || from === undefined) return origin;
  const { threadTs: _, ...rest } = origin;
  return { ...rest, channel: from, ...defined({ threadTs: thread }) };
}

/** True if the form is opened instead, because a secret has to be entered again. */
function needsForm(tool: Tool, { shown }: Action): boolean {
  return hasSecrets(fieldsOf(tool)) || JSON.stringify(shown).includes(REDACTED);
}

async function alreadyAsked(slack: SlackContext, id: string): Promise<Message> {
  const action = await slack.gate.actions.get(id);
  const link = await linkTo(slack, action && cardAt(action));
  const title = action ? titleOf(action, slack.gate.tool(action.operation)) : 'It';
  return {
    text: 'It was already asked again.',
    blocks: [say('ℹ️ ', rich.bold(title), ' was already asked again. ', link ?? 'See the newer card.')],
  };
}
