import { slackStyle } from '../../../language/help.ts';
import { numbersFound } from '../blocks/lookup.ts';
import { escaped, type Message, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { Origin } from '../types.ts';
import { lookups, numbersIn, wantedIn } from './lookup.ts';
import { Reply } from './reply.ts';
import { run } from './run.ts';

/** Words before the subject of a lookup: "look up ava stone". */
const LEADING =
  /^(?:please\s+)?(?:look\s?up|find|show|search(?:\s+for)?|who\s+is|what\s+about|check)\s+(?:the\s+)?(?:number\s+)?/i;
/** Messages that ask for nothing in particular. */
const SMALL_TALK = /^(?:hi|hello|hey|help|thanks?|thank\s+you|ok|okay|yes|no|test|ping|good\s+\w+)\b/i;

/**
 * Answers a mention of the app, or a direct message to it. A number, last digits or a name is looked up; other text is
 * answered with a summary of the app's abilities. Only reads are performed, regardless of the text.
 */
export async function answerTalk(slack: SlackContext, text: string, origin: Origin): Promise<void> {
  const reply = new Reply(slack, origin);
  const [lookup] = lookups(slack.tools, slack.groups);
  const said = plainText(text);
  const numbers = numbersIn(said);
  if (lookup && numbers.length > 1) return showNumbers(slack, { numbers, origin, reply });
  const asked = said.replace(LEADING, '').replace(/[?!.,\s]+$/, '');
  const wanted = SMALL_TALK.test(asked) || said.includes('?') ? undefined : wantedIn(asked);
  const [number] = numbers;
  if (lookup && number !== undefined)
    return void (await run(slack, { tool: lookup.tool, input: { [lookup.field]: number }, origin, reply }));
  if (lookup?.find && wanted && 'query' in wanted) {
    const { tool, field } = lookup.find;
    return void (await run(slack, { tool, input: { [field]: wanted.query }, origin, reply, goOn: true }));
  }
  await reply.show(abilities(slack));
}

/** Lets the person choose one of several numbers. People who may not look up get the refusal instead. */
async function showNumbers(
  slack: SlackContext,
  { numbers, origin, reply }: { numbers: readonly string[]; origin: Origin; reply: Reply },
): Promise<void> {
  const member = await slack.roles.admit(origin, 'viewer');
  await reply.show(
    'refused' in member ? { text: 'Nothing was done.', blocks: [say(...member.refused)] } : numbersFound(numbers),
  );
}

/** A summary of the app's abilities, in two lines. */
function abilities(slack: SlackContext): Message {
  const style = slackStyle(slack.config.SLACK_COMMAND_PREFIX);
  const groups = Object.keys(slack.groups).filter((name) => slack.tools.some(({ group }) => group === name));
  const commands = groups.slice(0, 3).map((name) => `${style.command(name)} help`);
  const first = 'Send me a phone number, its last digits or a name, and I look it up.';
  const second = 'Everything else is a command, and an approver confirms what costs money or takes something away: ';
  return {
    text: escaped(`${first} ${second}${commands.join(', ')}`),
    blocks: [
      say(
        first,
        '\n',
        second,
        ...commands.flatMap((command, i) => (i === 0 ? [rich.code(command)] : [', ', rich.code(command)])),
      ),
    ],
  };
}

/** The text of a message as a person typed it: without mentions, links as their labels, escapes undone. */
function plainText(text: string): string {
  return text
    .slice(0, 4_000)
    .replace(/<[@!#][^>]*>/g, ' ')
    .replace(/<tel:([^|>]*)(?:\|[^>]*)?>/g, ' $1 ')
    .replace(/<[^|>]*\|([^>]*)>/g, '$1')
    .replace(/<([^>]*)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim();
}
