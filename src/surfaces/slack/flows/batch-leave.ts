import { failureWords } from '../../../language/failure.ts';
import type { Actor } from '../../../lib/actor.ts';
import { SwitchboardError } from '../../../lib/errors.ts';
import { defined } from '../../../lib/json.ts';
import { LEAVE_BLOCK, type LeaveMeta, rowsChosen } from '../blocks/batch-leave.ts';
import { titleOf } from '../blocks/card.ts';
import { noticeView } from '../blocks/form.ts';
import { escaped, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { noteOf, type Origin, type SentView, type ViewAnswer } from '../types.ts';
import { Reply } from './reply.ts';

/** Maximum wait for the question about the other rows. */
const ASK_MS = 60_000;

/** Handles the window that asks which rows to leave out. The rows are compared with those of the batch. */
export async function submitLeave(
  slack: SlackContext,
  view: SentView,
  meta: LeaveMeta,
  origin: Origin,
): Promise<ViewAnswer> {
  const member = await slack.roles.admit(origin, 'operator');
  if ('refused' in member)
    return { ack: { response_action: 'update', view: noticeView('Not done', say('⛔ ', ...member.refused)) } };
  const { actor } = member;
  try {
    const old = await slack.batches.view(meta.leave, actor);
    const { id } = await slack.batches.leaveOut(meta.leave, rowsChosen(view.values), actor, 'slack');
    const asked: Origin = { ...origin, ...defined({ channel: meta.channel }) };
    return { ack: undefined, after: () => showQuestion(slack, { id, old: old.confirmation, actor }, asked) };
  } catch (error) {
    if (!(error instanceof SwitchboardError)) throw error;
    const text = slack.reworded(failureWords(error.face, 'slack')).replace(/^(Rows|id): /, '');
    return { ack: { response_action: 'errors', errors: { [LEAVE_BLOCK]: text } } };
  }
}

interface Replacement {
  id: string;
  /** The question that was withdrawn. */
  old: string | undefined;
  actor: Actor;
}

/** Settles the old card, and shows where the new one is: at the place of the old request. */
async function showQuestion(slack: SlackContext, { id, old, actor }: Replacement, origin: Origin): Promise<void> {
  const { batches, gate, cards } = slack;
  // At once, so that the withdrawn question does not offer to ask again until the new one is there.
  if (old !== undefined) {
    await gate.notes.merge(old, 'slack', { again: '' });
    await cards.sync(old);
  }
  const { confirmation } = await batches.whileUnasked(id, actor, { ms: ASK_MS });
  const question = confirmation === undefined ? undefined : await gate.actions.get(confirmation);
  const before = old === undefined ? undefined : await gate.actions.get(old);
  if (question && before) {
    const { asker, from, thread } = noteOf(before);
    if (noteOf(question).asker === undefined)
      await gate.notes.merge(question.id, 'slack', defined({ asker, from, thread }));
    await gate.notes.merge(before.id, 'slack', { again: question.id });
    await cards.refresh(before.id);
  }
  if (!question) return;
  const at = await cards.ensure(question.id);
  const link = at && (await slack.web.permalink(at));
  const title = titleOf(question, gate.tool(question.operation));
  const open = link === undefined ? 'See the newer card.' : { type: 'link', url: link, text: 'Open the card' };
  const text = `${title} waits for an approver.`;
  await new Reply(slack, origin).add({
    text: escaped(text),
    blocks: [say('🔐 ', rich.bold(title), ' waits for an approver. ', open)],
  });
}
