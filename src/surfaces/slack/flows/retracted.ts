import type { SlackContext } from '../context.ts';
import { dropOffersOf, withdrawRequests, writtenAt } from './taken-back.ts';
import { memoryOf } from './turn.ts';

/* Messages that their writers deleted or changed, while they were answered or later. */

/** A message that was deleted, or whose text was changed. */
export interface Retracted {
  channel: string;
  ts: string;
  threadTs: string | undefined;
  userId: string;
  /** When it was changed; "deleted" if it was deleted. */
  edited: string;
}

/**
 * Takes back what a message asked for: its answer stops, its offers and its requests that wait are withdrawn. What was
 * done stays.
 */
export async function retract(slack: SlackContext, { edited, threadTs, ...message }: Retracted): Promise<void> {
  const { assistant, clock, memory } = slack;
  const { channel, ts } = message;
  memory.changed.set(`${channel} ${ts}`, edited);
  const conversation = memoryOf({ channel, threadTs: threadTs ?? ts }, threadTs === undefined, clock.now());
  await assistant.retract(conversation, { message: ts, at: writtenAt(ts) });
  await dropOffersOf(slack, message);
  await withdrawRequests(slack, message);
}

/** False for a message that was deleted or changed after it was written so. */
export function isLatest(
  { memory }: SlackContext,
  { ts, edited, origin }: { ts: string; edited?: string; origin: { channel: string } },
): boolean {
  return memory.changed.get(`${origin.channel} ${ts}`) === edited;
}
