import type { Actor } from '../../../lib/actor.ts';
import { asSwitchboardError } from '../../../lib/errors.ts';
import { hitsFound } from '../blocks/choices.ts';
import { notice } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { Origin } from '../types.ts';
import { lookups } from './lookup.ts';
import type { Reply } from './reply.ts';
import { failureText, run } from './run.ts';

/**
 * Looks up the number that a text names by last digits or by a customer's name. Of several, the person chooses one. Only
 * reads are performed.
 */
export async function lookUpMentioned(
  slack: SlackContext,
  text: string,
  { origin, reply, actor }: { origin: Origin; reply: Reply; actor: Actor },
): Promise<void> {
  const [lookup] = lookups(slack.tools, slack.groups);
  if (!lookup) return void (await reply.show(notice('🤔', 'Number lookup is not available.')));
  try {
    const { hits } = await slack.records.mentionedIn(text, actor);
    slack.directory.note(hits);
    const [only, ...others] = hits;
    if (only === undefined)
      await reply.show(notice('🤔', 'There is no phone number, last digits or name of a customer in that message.'));
    else if (others.length > 0) await reply.show(hitsFound(hits));
    else await run(slack, { tool: lookup.tool, input: { [lookup.field]: only.value }, origin, reply });
  } catch (error) {
    await reply.show(failureText(slack, lookup.tool, asSwitchboardError(error).face));
  }
}
