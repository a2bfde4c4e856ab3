import type { GuidedAnswer } from '../../../assistant/guided/answers/answer.ts';
import type { About } from '../../../assistant/guided/answers/rules.ts';
import { isGated, type Tool } from '../../../catalogue/operation.ts';
import { slackStyle } from '../../../language/help.ts';
import { formatPhone } from '../../../language/show.ts';
import { lookups } from '../../../language/typed-values.ts';
import type { Role } from '../../../lib/actor.ts';
import { type Fields, textOf } from '../../../lib/json.ts';
import {
  actions,
  type Block,
  button,
  type Element,
  escaped,
  MAX_BUTTON_VALUE,
  type Message,
  rich,
  say,
  small,
} from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS } from '../ids.ts';

/* Answers plain words that name no change: help, the rule of a change, and the operations that may be meant. */

const EXAMPLES = ['cancel 0103', 'new line for Ava', 'why can’t 0104 text?', 'what happened overnight?', 'guide'];

/** A change in words, for a question about it. */
export function aboutBlock({ title, text }: About): Block {
  return say('ℹ️ ', rich.bold(title), `\n${text}`);
}

/** The answer to a question about a change. Nothing is offered, because it is no request for it. */
export function aboutMessage(about: About, nearest: readonly Block[]): Message {
  return { text: escaped(`${about.title}: ${about.text}`), blocks: [aboutBlock(about), ...nearest] };
}

/** The people of the roles that an answer is about. */
export function holdersBlocks({ roles }: Pick<SlackContext, 'roles'>, { holders = [] }: GuidedAnswer): Block[] {
  if (holders.length === 0) return [];
  const lines = holders.flatMap((role, at) => [
    rich.bold(`${at === 0 ? '' : '\n'}${HELD_BY[role]}: `),
    ...roles.holding(role),
  ]);
  return [say(...lines)];
}

const HELD_BY: Readonly<Record<Role, string>> = { viewer: 'Viewers', operator: 'Operators', approver: 'Approvers' };

/**
 * A summary of the app's abilities, and the form of an operation that was asked about.
 *
 * @param why why nothing else is answered; empty if that was asked for
 * @param isUnread true if nothing was understood
 */
export function abilities(
  slack: SlackContext,
  about: Tool | undefined,
  { understood: why, isUnread }: Pick<GuidedAnswer, 'understood' | 'isUnread'>,
  nearest: readonly Block[],
): Message {
  // An answer that states a fact needs no help beside it.
  const needsHelp = why === '' || isUnread === true || about !== undefined;
  const style = slackStyle(slack.config.SLACK_COMMAND_PREFIX);
  const groups = Object.keys(slack.groups).filter((name) => slack.tools.some(({ group }) => group === name));
  const commands = groups.slice(0, 3).map((name) => `${style.command(name)} help`);
  const first = 'Send me a phone number, its last digits or a name, and I look it up. Or say what to do:';
  const second = 'An approver confirms what costs money or takes something away. All commands: ';
  // A question about something that costs or takes away is no request for it.
  const form =
    about &&
    !isGated(about) &&
    actions('guided', button(`${IDS.fill}_0`, about.title, `${about.id}|${JSON.stringify(NO_INPUT)}`));
  return {
    text: escaped(needsHelp ? `${why} ${first} ${EXAMPLES.join(', ')}. ${second}${commands.join(', ')}`.trim() : why),
    blocks: [
      ...(why === '' ? [] : [say('🤔 ', why)]),
      ...(about ? [say(rich.bold(about.title), '\n', slack.reworded(about.description.split('\n')[0] ?? ''))] : []),
      ...(form ? [form] : []),
      ...nearest,
      ...(needsHelp ? [say(`${first} `, ...codes(EXAMPLES), '\n', second, ...codes(commands))] : []),
    ],
  };
}

/**
 * The operations that may be meant, filled in. A read with a whole input runs; for anything else its form opens.
 *
 * @param heading the line above them; empty below an answer that needs no other
 */
export function nearestButtons(
  slack: SlackContext,
  nearest: NonNullable<GuidedAnswer['nearest']>,
  heading = 'Nearest to what you wrote:',
): Block[] {
  const buttons = nearest.flatMap(({ operation, input, label }, i) => {
    const tool = slack.tools.find(({ id }) => id === operation);
    const value = `${operation}|${JSON.stringify(input)}`;
    if (!tool || value.length > MAX_BUTTON_VALUE) return [];
    const runs = tool.risk === 'read' && tool.input.safeParse(input).success;
    return [button(`${runs ? IDS.run : IDS.fill}_${i + 1}`, label ?? nearestLabel(slack, tool, input), value)];
  });
  if (buttons.length === 0) return [];
  return [...(heading === '' ? [] : [small(heading)]), actions('nearest', ...buttons)];
}

const NO_INPUT: Fields = {};

function codes(texts: readonly string[]): (string | Element)[] {
  return texts.flatMap((text, i) => (i === 0 ? [rich.code(text)] : [', ', rich.code(text)]));
}

/** "Look up 0107" says more than the name of the search. */
function nearestLabel(slack: SlackContext, tool: Tool, input: Fields): string {
  const [lookup] = lookups(slack.tools, slack.groups);
  const isLookup = tool.id === lookup?.tool.id || tool.id === lookup?.find?.tool.id;
  const whom = textOf(input.PhoneNumber) || textOf(input.Query);
  return isLookup && whom !== '' ? `Look up ${/^\+/.test(whom) ? formatPhone(whom).national : whom}` : tool.title;
}
