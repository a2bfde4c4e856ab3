import type { GuardCall, Guarded } from '../../../../tools/surfaces/guard.ts';
import { factsOf } from '../../../gate/question.ts';
import { failureWords } from '../../../language/failure.ts';
import { type Actor, personOf } from '../../../lib/actor.ts';
import { asSwitchboardError, severity } from '../../../lib/errors.ts';
import type { SlackContext } from '../context.ts';
import { askerNotes, isOwnQuestion, type Origin } from '../types.ts';
import { yesByForm } from './form-yes.ts';
import { pendingMessage } from './pending.ts';
import { Reply } from './reply.ts';

/* The calls by which the form of guardian filtering saves what differs. */

/** The end of one call. */
export type Ended = { call: GuardCall; state: 'done' | 'asked' | 'failed' | 'unknown' | 'skipped'; text: string };

export const MARKS: Readonly<Record<Ended['state'], string>> = {
  done: '✅',
  asked: '🔐',
  failed: '❌',
  unknown: '❓',
  skipped: '⏭️',
};

/** Saves one part. The sent form is the yes to what adds protection; anything else waits for an approver. */
export async function performCall(
  slack: SlackContext,
  call: GuardCall,
  { actor, origin, guarded }: { actor: Actor; origin: Origin; guarded: Guarded },
): Promise<Ended> {
  try {
    const start = call.traffic ? guarded.filters[call.traffic.name] : guarded.features;
    const asked = { notes: askerNotes(origin), ...yesByForm(actor, start) };
    const done = await slack.gate.perform(call.operation, call.input, actor, asked);
    if (done.kind === 'pending' && isOwnQuestion(done.action)) {
      await new Reply(slack, origin).add(await pendingMessage(slack, done, { origin, person: personOf(actor) }));
      return { call, state: 'asked', text: 'not saved yet. A message shows you all of it, with a button to apply it' };
    }
    if (done.kind === 'pending') {
      const posted = await slack.cards.ensure(done.action.id);
      const where = posted ? 'on its card' : 'in the app’s Home';
      const why = factsOf(done.action).raised?.reason ?? '';
      return { call, state: 'asked', text: `not saved yet. An approver decides ${where}. ${why}`.trimEnd() };
    }
    slack.directory.learn(done.value);
    return { call, state: 'done', text: 'saved' };
  } catch (error) {
    const { face } = asSwitchboardError(error);
    const unknown = face.outcome === 'unknown';
    const text = messageOf(slack, error);
    return { call, state: unknown ? 'unknown' : 'failed', text: unknown ? text : `not saved. ${text}` };
  }
}

export function messageOf(slack: SlackContext, error: unknown): string {
  const failure = asSwitchboardError(error);
  if (failure.detail) slack.log(severity(failure.face), { detail: failure.detail }, failure.message);
  return slack.reworded(failureWords(failure.face, 'slack'));
}
