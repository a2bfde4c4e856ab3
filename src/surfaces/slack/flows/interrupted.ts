import { textOf } from '../../../lib/json.ts';
import type { Handler } from '../../../work/worker.ts';
import { notice } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';

/** The kind of the job that tells a writer that a process ended while it answered. */
export const INTERRUPTED = 'slack-turn-interrupted';

/** Tells the writer, in any process, once the turn is known to be lost. */
export function tellInterrupted(slack: SlackContext): Handler {
  return async ({ payload }) => {
    const [channel, threadTs] = [textOf(payload.channel), textOf(payload.threadTs)];
    const lost = await slack.assistant.isLost(textOf(payload.thread), textOf(payload.turn));
    if (typeof lost === 'number') return lost;
    if (!lost) return undefined;
    const text =
      'A restart interrupted this answer: the app’s Home lists what was done, and you can send the message again.';
    await slack.web.post(channel, notice('⚠️', text), { threadTs });
    await slack.agent.session({ channel, threadTs }, 'active');
    return undefined;
  };
}
