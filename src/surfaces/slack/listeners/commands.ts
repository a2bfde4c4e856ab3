import { fieldsOf } from '../../../catalogue/fields.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { type Help, helpOfGroup, helpOfTool, inputLine, slackStyle } from '../../../language/help.ts';
import { parseLine } from '../../../language/parse.ts';
import { secretsTyped } from '../../../language/parse-fields.ts';
import { withoutSecrets } from '../blocks/form.ts';
import { helpMessage } from '../blocks/help.ts';
import { type Message, notice, rich, say } from '../blocks/text.ts';
import { openForm } from '../flows/forms.ts';
import { guideOf, guidesFor } from '../flows/guide.ts';
import { type Lookup, lookups } from '../flows/lookup.ts';
import { createReply } from '../flows/reply.ts';
import { formButton, refusalMessage, run } from '../flows/run.ts';
import type { Origin, SlackContext, SlackGroup } from '../types.ts';

/** What is answered at once, and what is done after it. */
export interface Acked {
  now?: Message;
  after?: () => Promise<void>;
}

/** Every command of this surface and what it does, derived from the groups. */
export function commandList(tools: readonly Tool[], groups: Readonly<Record<string, SlackGroup>>, prefix?: string) {
  const style = slackStyle(prefix);
  const present = new Set(tools.map((tool) => tool.group));
  const own = Object.entries(groups).filter(([name]) => present.has(name));
  return [
    ...lookups(tools, groups).map(({ word, tool, field }) => ({
      command: style.command(word),
      description: tool.title,
      hint: String(tool.examples[0]?.[field] ?? ''),
      group: tool.group,
    })),
    ...own.map(([name, group]) => ({
      command: style.command(name),
      description: group.description,
      hint: group.example,
      group: name,
    })),
  ];
}

/** What a typed command means. Nothing here waits for anybody: Slack wants its answer within three seconds. */
export function onCommand(slack: SlackContext, command: string, text: string, origin: Origin): Acked {
  const { tools, groups, config } = slack;
  const prefix = config.SLACK_COMMAND_PREFIX;
  const style = slackStyle(prefix);
  const lookup = lookups(tools, groups).find(({ word }) => style.command(word) === command);
  const group = lookup?.tool.group ?? Object.keys(groups).find((name) => style.command(name) === command);
  if (group === undefined) return { now: notice('🤔', `${command} is not a command of this app.`) };
  const started = guideOf(group, text);
  if (started && guidesFor(tools).includes(started.guide))
    return { after: () => slack.guides.start(started.guide, given(started.rest), origin) };
  const line = lookup ? lookupLine(lookup, text, tools) : text;
  if (line === undefined) {
    const example = lookup ? `${command} ${String(lookup.tool.examples[0]?.[lookup.field] ?? '')}` : command;
    return {
      now: {
        text: `Give a number: ${example}`,
        blocks: [say('Give a phone number, for example ', rich.code(example))],
      },
    };
  }
  const parsed = parseLine(group, line, tools);
  if (parsed.kind === 'help') return { now: help(slack, group, parsed.tool) };
  if (parsed.kind === 'problem') {
    const { tool, input } = parsed;
    const secrets = tool && input ? secretsTyped(tool, input) : [];
    if (tool && secrets.length > 0) return secretRefused(slack, tool, input ?? {}, secrets, origin);
    // Written for every surface: here a command has its slash and its prefix.
    const typed = (text: string) =>
      text.replaceAll(new RegExp(`(?<![\\w/-])${group} (?=\\w)`, 'g'), `${style.command(group)} `);
    const message = notice('🤔', typed(parsed.message));
    if (parsed.suggestion && !parsed.message.includes(parsed.suggestion))
      message.blocks.push(say('Did you mean ', rich.code(typed(parsed.suggestion)), '?'));
    if (tool) message.blocks.push(formButton(slack, tool, input ?? {}, origin));
    return { now: message };
  }
  const { tool, input, missing, notes } = parsed;
  const secrets = secretsTyped(tool, input);
  if (secrets.length > 0) return secretRefused(slack, tool, input, secrets, origin);
  const reply = createReply(slack.web, slack.log, origin, true);
  if (parsed.form || missing.length > 0) return { after: () => form(slack, tool, input, missing, origin) };
  const start = tool.risk === 'read' ? 'Looking that up…' : 'Working on it…';
  return { now: notice('⏳', start), after: () => run(slack, { tool, input, origin, reply, notes }) };
}

/** What stands after a guide's words: an order's id, or a number as people write it. */
function given(rest: string): string {
  const text = rest.replace(/^\w+=/, '').replaceAll('"', '').trim();
  if (/^[A-Za-z]+-/.test(text)) return text;
  const digits = text.replace(/\D/g, '');
  return digits.length < 7
    ? ''
    : text.startsWith('+')
      ? `+${digits}`
      : digits.length === 10
        ? `+1${digits}`
        : `+${digits}`;
}

/** A lookup takes a number alone, or other words of its group, so that `/number help` works too. */
function lookupLine({ tool, field }: Lookup, text: string, tools: readonly Tool[]): string | undefined {
  const rest = text.trim();
  if (rest === '') return undefined;
  if (/^(help|form)$/i.test(rest)) return `${words(tool)} ${rest}`;
  if (/^[+(\d<]/.test(rest)) {
    const parsed = parseLine(tool.group, `${words(tool)} ${rest}`, tools);
    // A number with spaces or brackets is one value.
    if (parsed.kind === 'call' && parsed.input[field] !== undefined) return `${words(tool)} ${rest}`;
    return `${words(tool)} ${field}="${rest.replaceAll('"', '')}"`;
  }
  return rest;
}

function words(tool: Tool): string {
  return inputLine(tool, {});
}

function help(slack: SlackContext, group: string, tool: Tool | undefined): Message {
  const style = slackStyle(slack.config.SLACK_COMMAND_PREFIX);
  if (tool) return helpMessage(helpOfTool(tool, style), slack.reworded, 'Add the word form to fill in a form instead.');
  const words = slack.groups[group];
  const own = guidesFor(slack.tools).filter((guide) => guide.group === group);
  const list = short(helpOfGroup(group, slack.tools, style, words));
  const guided = own.map((guide) => ({
    say: `${style.command(group)} ${guide.words}`,
    text: guide.title,
    remark: 'step by step, in one form',
  }));
  return helpMessage(
    { ...list, lines: [...guided, ...list.lines] },
    slack.reworded,
    'Write only what you know: what is missing is asked for in a form. A number or an id finds its field by itself.',
  );
}

/** An example that fills half a screen helps nobody: its form does. */
const MAX_EXAMPLE = 72;

function short(help: Help): Help {
  return {
    ...help,
    lines: help.lines.map((line) =>
      line.example && line.example.length > MAX_EXAMPLE ? { ...line, example: `${line.say} form` } : line,
    ),
  };
}

function secretRefused(
  slack: SlackContext,
  tool: Tool,
  input: Record<string, unknown>,
  secrets: readonly string[],
  origin: Origin,
): Acked {
  const message = notice(
    '🔑',
    `${secrets.join(', ')} is secret and was typed where others may read it. Nothing was sent. Give it in the form instead, and consider it known: change it if somebody else may have seen it.`,
  );
  message.blocks.push(formButton(slack, tool, withoutSecrets(fieldsOf(tool), input), origin));
  return { now: message };
}

/** A role that is known to be missing is said; one that is still being looked up does not hold the form back. */
const ROLE_MS = 1_200;

async function form(
  slack: SlackContext,
  tool: Tool,
  input: Record<string, unknown>,
  missing: readonly string[],
  origin: Origin,
): Promise<void> {
  const reply = createReply(slack.web, slack.log, origin, false);
  const late = slack.web.sleep(ROLE_MS).then(() => undefined);
  const who = await Promise.race([slack.roles.membership(origin), late]);
  const refused = who && slack.roles.refusal(who, neededRole(tool).ask);
  if (refused) {
    await reply.show(refusalMessage(refused));
    return;
  }
  const opened = await openForm(slack, tool, input, origin);
  if (opened) return;
  const what =
    missing.length > 0 ? `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing, and the` : 'The';
  const message = notice('⚠️', `${what} form could not be opened. What you typed is kept:`);
  message.blocks.push(formButton(slack, tool, input, origin));
  await reply.show(message);
}
