import type { TurnForm } from '../../../assistant/turn-events.ts';
import type { Actor } from '../../../lib/actor.ts';
import type { Fields } from '../../../lib/json.ts';
import { actions, button, cut, escaped, type Message, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS } from '../ids.ts';
import type { Origin } from '../types.ts';
import { knownLines } from './guided.ts';
import { Reply } from './reply.ts';
import { formButton } from './run.ts';

/** Slack accepts 2,000 characters in a button. */
const MAX_VALUE = 2_000;

/**
 * Shows a form that the model filled in. Nothing is sent until a person sends it. For a writer who may not make the
 * change, it names those who may; in a channel they can open it.
 */
export async function showForm(
  slack: SlackContext,
  { operation, input, isAllowed }: TurnForm,
  actor: Actor,
  origin: Origin,
): Promise<void> {
  const tool = slack.gate.tool(operation);
  if (!tool) return;
  const known = knownLines(tool, input, undefined);
  if (isAllowed) {
    const next = 'Nothing was done yet. Check the form and send it.';
    const message = messageOf(tool.title, [...known, next], next);
    message.blocks.push(formButton(slack, tool, input, origin));
    await new Reply(slack, origin).add(message);
    return;
  }
  const { channel = '', threadTs } = origin;
  const who = slack.roles.lacking('operator', actor.role);
  const message: Message = messageOf(tool.title, [...known, ...who], `${tool.title} needs the role operator.`);
  if (channel.startsWith('D')) return void (await new Reply(slack, origin).add(message));
  // The people who may make the change find it where it was asked for.
  const value = `${operation}|${JSON.stringify(input)}`;
  const own = value.length <= MAX_VALUE ? value : `${operation}|${JSON.stringify({} satisfies Fields)}`;
  message.blocks.push(actions('handed', button(`${IDS.fill}_0`, 'Open the form', own)));
  await slack.web.post(channel, message, threadTs === undefined ? {} : { threadTs });
}

function messageOf(title: string, parts: Parameters<typeof say>, text: string): Message {
  return { text: cut(escaped(`${title}: ${text}`), 1_000), blocks: [say(rich.bold(title), '\n', ...parts)] };
}
