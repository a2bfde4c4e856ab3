import { GUARD } from '../../../../tools/surfaces/guard.ts';
import { meantBy } from '../../../assistant/understood.ts';
import type { Parsed } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { fieldProblems } from '../../../catalogue/input.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { wordsOf } from '../../../language/command-words.ts';
import { commandsIn, type Help, helpOfGroup, helpOfTool, inputLine, slackStyle } from '../../../language/help.ts';
import { parseLine, secretsTyped } from '../../../language/parse.ts';
import { tokenize } from '../../../language/tokens.ts';
import { type Lookup, lookups, referencesIn, unquoted, wantedIn, withValue } from '../../../language/typed-values.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { withPlainDigits } from '../../../lib/text.ts';
import type { Offer } from '../../../nlu/reader.ts';
import { withoutSecrets } from '../blocks/form-values.ts';
import { helpMessage, taskBlocks, taskHint } from '../blocks/help.ts';
import { actions, type Block, escaped, type Message, notice, refusalMessage, rich, say } from '../blocks/text.ts';
import { noticeLine } from '../blocks/turn.ts';
import type { SlackContext } from '../context.ts';
import { BATCH_WORD, batchable, onBatchCommand } from '../flows/batch.ts';
import { admitted, Reply } from '../flows/engine.ts';
import { type FormOrigin, openForm } from '../flows/forms.ts';
import { guardIn, hasGuard, startGuard } from '../flows/guard.ts';
import { GUIDE_WORD, guideIn, guideMeant, guidesFor, onGuideCommand, startGuideBy } from '../flows/guide.ts';
import { offerButtons, showUnderstood } from '../flows/plain.ts';
import { resolvedInTime, takenNotes, unclearMessage, unclearProblem, withoutName } from '../flows/references.ts';
import { formButton, type Job, run } from '../flows/run.ts';
import type { Origin, SlackGroup } from '../types.ts';

/** An immediate answer, and the work that follows it. */
export interface Acked {
  now?: Message;
  after?: () => Promise<void>;
}

/** A Slack command. */
export interface Command {
  command: string;
  description: string;
  hint: string;
  group: string;
  /** Parses what follows the command. It awaits nothing, because Slack expects an answer within three seconds. */
  parse: (slack: SlackContext, typed: string, origin: Origin) => Acked;
}

/** Every command of the app, derived from the groups. */
export function commandList(
  tools: readonly Tool[],
  groups: Readonly<Record<string, SlackGroup>>,
  prefix?: string,
): Command[] {
  const style = slackStyle(prefix);
  const present = new Set(tools.map((tool) => tool.group));
  const list: Command[] = lookups(tools, groups).map((lookup) => {
    const { word, tool, field } = lookup;
    const command = style.command(word);
    return {
      command,
      description: tool.title,
      hint: String(tool.examples[0]?.[field] ?? ''),
      group: tool.group,
      parse: (slack, typed, origin) => parseGroup(slack, { command, group: tool.group, lookup }, typed, origin),
    };
  });
  for (const [name, group] of Object.entries(groups)) {
    if (!present.has(name)) continue;
    const command = style.command(name);
    list.push({
      command,
      description: group.description,
      hint: taskHint(name, tools) ?? (group.example.includes('=') ? 'help' : group.example),
      group: name,
      parse: (slack, typed, origin) => parseGroup(slack, { command, group: name }, typed, origin),
    });
  }
  if (batchable(tools).length > 0)
    list.push({
      command: style.command(BATCH_WORD),
      description: 'One operation over a list, with one confirmation',
      hint: 'numbers status',
      group: 'batches',
      parse: (slack, typed, origin) => onBatchCommand(slack, withoutReason(typed).text, origin),
    });
  if (guidesFor(tools).length > 0)
    list.push({
      command: style.command(GUIDE_WORD),
      description: 'A task of several steps, in one form',
      hint: 'new line, swap a SIM',
      group: 'guides',
      parse: (slack, typed, origin) => onGuideCommand(slack, withoutReason(typed).text, origin),
    });
  return list;
}

/** Parses what follows the command of a group, or of the lookup in one: a call, a form, help, or plain words. */
function parseGroup(
  slack: SlackContext,
  { command, group, lookup }: { command: string; group: string; lookup?: Lookup },
  typed: string,
  origin: Origin,
): Acked {
  const { tools } = slack;
  const { text, reason } = withoutReason(withPlainDigits(typed));
  const started = guideIn(group, text) ?? (lookup ? undefined : guideMeant(tools, group, text));
  if (started && guidesFor(tools).includes(started.guide)) return { after: () => startGuideBy(slack, started, origin) };
  const guarded = hasGuard(tools) ? guardIn(group, text) : undefined;
  if (guarded !== undefined) return { after: () => startGuard(slack, guarded, origin) };
  const line = lookup ? lookupLine(lookup, text, tools) : text;
  if (line === undefined) return { now: numberMissing(command, lookup) };
  const parsed = parseLine(group, line, tools);
  if (parsed.kind === 'help') return { now: help(slack, group, parsed.tool) };
  if (parsed.kind === 'problem')
    return parsed.tool
      ? problem(slack, group, parsed.tool, parsed, origin)
      : words(slack, { group, text, reason, problem: parsed, named: nameOf(lookup, text) }, origin);
  const { tool, input, missing, notes } = parsed;
  const secrets = secretsTyped(tool, input);
  if (secrets.length > 0) return secretRefused(slack, tool, input, secrets, origin);
  if (parsed.form || missing.length > 0 || lacksValue(tool, input, slack.clock.now()))
    return { after: () => form(slack, { tool, input, missing, origin: { ...origin, reason } }) };
  const isNamed = !text
    .trim()
    .toLowerCase()
    .startsWith(wordsOf(tool)[0] ?? '');
  if (isNamed && tool.risk === 'read')
    return words(slack, { group, text, reason, named: { tool, input, notes } }, origin);
  const reply = new Reply(slack, origin, { replaces: true });
  return {
    now: notice('⏳', tool.risk === 'read' ? LOOKING : 'Working on it…'),
    after: async () => void (await run(slack, { tool, input, origin, reply, notes, ...defined({ reason }) })),
  };
}

const LOOKING = 'Looking that up…';
type Problem = Extract<Parsed, { kind: 'problem' }>;

/**
 * Answers a line that begins with no operation: the record that it names, or what it asks for in plain words. The words are
 * read after the acknowledgement, because that takes time.
 */
function words(
  slack: SlackContext,
  asked: {
    group: string;
    text: string;
    reason: string | undefined;
    /** The read of a record, if the line may be its name. */
    named?: Pick<Job, 'tool' | 'input' | 'notes'> | undefined;
    problem?: Problem;
  },
  origin: Origin,
): Acked {
  const { group, text, reason, named } = asked;
  const reply = new Reply(slack, origin, { replaces: true });
  const after = async () => {
    const member = await admitted(slack, origin, 'viewer', reply);
    if (!member) return;
    const { actor, zone } = member;
    const found = named && (await resolvedInTime(slack, { ...named, actor }));
    const isNobody = found?.kind === 'unclear' && found.found.hits.length === 0;
    if (named && !isNobody) {
      const { input, taken } = found?.kind === 'clear' ? found : { ...named, taken: [] };
      const notes = [...(named.notes ?? []), ...takenNotes(slack, named.tool, taken)];
      return void (await run(slack, { ...named, input, notes, origin, reply }));
    }
    const isOfLines = slack.groups[group]?.find !== undefined;
    // "List" and "routes" need the noun of the group; "usage 0105" does not.
    const said = isOfLines ? text : `${group.replace(/s$/, '')} ${text}`;
    const { understood, notices } = slack.assistant.read({ text: said, writer: actor, zone });
    const { kind, offers, operation } = understood;
    const isLookUp = lookups(slack.tools, slack.groups).some(({ find }) => find?.tool.id === operation);
    const isRead = kind === 'form' || (kind === 'read' && !isLookUp);
    const notTaken = [...understood.notTaken, ...(reason === undefined ? [] : [reason])];
    const known = named && isNobody ? unclearMessage(named.tool, found, false) : undefined;
    const problem = asked.problem && problemMessage(slack, group, asked.problem);
    const hasSuggestion = known !== undefined || asked.problem?.suggestion !== undefined;
    const instead = kind === 'told' || (!isRead && hasSuggestion) ? (known ?? problem) : undefined;
    if (instead) await reply.show({ ...instead, blocks: [...instead.blocks, ...offerBlocks(slack, offers)] });
    else await showUnderstood(slack, { ...understood, notTaken }, { origin, actor, reply });
    for (const one of notices) await reply.add({ text: escaped(one.text), blocks: [noticeLine(one)] });
  };
  return { now: notice('⏳', LOOKING), after };
}

function offerBlocks({ tools, groups }: SlackContext, offers: readonly Offer[]): Block[] {
  const buttons = offerButtons(offers.flatMap((offer) => meantBy(offer, tools, groups) ?? []));
  return buttons.length === 0 ? [] : [actions('nearest', ...buttons)];
}

const ANY_PHONE = '+12015550100';
const ANY_ID = '-00000000-0000-4000-8000-000000000000';

/** True if only fields that were not typed keep the input from being valid, such as the value that an update changes. */
function lacksValue(tool: Tool, input: Fields, now: number): boolean {
  const found = referencesIn(tool, input).reduce(
    (known, { path, field }) =>
      withValue(known, path, field.kind === 'phone' ? ANY_PHONE : `${field.ids?.[0] ?? ''}${ANY_ID}`),
    input,
  );
  const problems = fieldProblems(tool, found, new Date(now));
  return problems.length > 0 && problems.every(({ field }) => input[field.split('.')[0] ?? ''] === undefined);
}

/** Separates `reason="…"`, which is for approvers, from the input of the operation. */
function withoutReason(typed: string): { text: string; reason: string | undefined } {
  const split = tokenize(typed);
  const tokens = 'problem' in split ? [] : split.tokens;
  const found = tokens.find(({ text, equals }) => equals !== undefined && /^reason$/i.test(text.slice(0, equals)));
  if (found?.place === undefined) return { text: typed, reason: undefined };
  const { start, end } = found.place;
  return { text: `${typed.slice(0, start)} ${typed.slice(end)}`.trim(), reason: found.text.slice('reason='.length) };
}

function numberMissing(command: string, lookup: Lookup | undefined): Message {
  const example = lookup ? `${command} ${String(lookup.tool.examples[0]?.[lookup.field] ?? '')}` : command;
  return {
    text: `Give a number: ${example}`,
    blocks: [say('Give a phone number, its last digits or a name, for example ', rich.code(example))],
  };
}

/** Explains why a line of an operation was not understood, with its form. */
function problem(slack: SlackContext, group: string, tool: Tool, parsed: Problem, origin: Origin): Acked {
  const { input = {} } = parsed;
  const secrets = secretsTyped(tool, input);
  if (secrets.length > 0) return secretRefused(slack, tool, input, secrets, origin);
  const message = problemMessage(slack, group, parsed);
  return { now: { ...message, blocks: [...message.blocks, formButton(slack, tool, input, origin)] } };
}

/** The lookup of what follows its command, if that may be a number or a name. */
function nameOf(lookup: Lookup | undefined, text: string): { tool: Tool; input: Fields } | undefined {
  const wanted = lookup && wantedIn(text);
  // Words beside a number say more than a name does.
  if (!lookup || !wanted || ('number' in wanted && /\p{L}/u.test(text))) return undefined;
  return { tool: lookup.tool, input: { [lookup.field]: 'number' in wanted ? wanted.number : wanted.query } };
}

/** Says why a line was not understood, with a suggestion. */
function problemMessage(slack: SlackContext, group: string, { message, suggestion }: Problem): Message {
  const style = slackStyle(slack.config.SLACK_COMMAND_PREFIX);
  const inSlack = (text: string) => commandsIn(text, group, slack.tools, style);
  const answer = notice('🤔', inSlack(message));
  if (suggestion && !message.includes(suggestion))
    answer.blocks.push(say('Did you mean ', rich.code(inSlack(suggestion)), '?'));
  return answer;
}

function labelOf(tool: Tool, path: string): string {
  const [name = ''] = path.split('.');
  return fieldsOf(tool).find((field) => field.name === name)?.label ?? name;
}

/** The line of a lookup: a number alone, or other words of its group, such as `/number help`. */
function lookupLine({ tool, field }: Lookup, text: string, tools: readonly Tool[]): string | undefined {
  const rest = unquoted(text).replace(/(?<=\d)[?!.]+$/, '');
  if (rest === '') return undefined;
  if (/^(help|form)$/i.test(rest)) return `${inputLine(tool, {})} ${rest}`;
  if (/^[+(\d<]/.test(rest)) {
    const parsed = parseLine(tool.group, `${inputLine(tool, {})} ${rest}`, tools);
    // A number with spaces or brackets is one value, and several numbers are a list.
    if (parsed.kind === 'call' && (parsed.input[field] ?? parsed.input[`${field}s`]) !== undefined)
      return `${inputLine(tool, {})} ${rest}`;
    // "0101 why" and "0101 and 0102" say more than a number.
    return /\p{L}/u.test(rest) ? rest : `${inputLine(tool, {})} ${field}="${rest.replaceAll('"', '')}"`;
  }
  return rest;
}

function help(slack: SlackContext, group: string, tool: Tool | undefined): Message {
  const style = slackStyle(slack.config.SLACK_COMMAND_PREFIX);
  if (tool) return helpMessage(helpOfTool(tool, style), slack.reworded, { more: 'Add `form` to open a form instead.' });
  const words = slack.groups[group];
  const own = guidesFor(slack.tools).filter((guide) => guide.group === group);
  const list = short(helpOfGroup(group, slack.tools, style, words));
  const guided = own.map((guide) => ({
    say: `${style.command(group)} ${guide.words}`,
    text: guide.title,
    remark: 'step by step, in one form',
  }));
  if (group === GUARD.group && hasGuard(slack.tools))
    guided.push({
      say: `${style.command(group)} ${GUARD.words}`,
      text: GUARD.title,
      remark: 'its filters, each with its form',
    });
  return helpMessage({ ...list, lines: [...guided, ...list.lines] }, slack.reworded, {
    first: taskBlocks(group, (name) => style.command(name), slack.tools),
    more: 'Enter only what you know: a number, its last digits or a name. A form asks for the rest.',
  });
}

/** Longer examples, and those with names of fields, are replaced by the command that opens the form. */
const MAX_EXAMPLE = 72;

function short(help: Help): Help {
  return {
    ...help,
    lines: help.lines.map((line) =>
      line.example && (line.example.length > MAX_EXAMPLE || line.example.includes('='))
        ? { ...line, example: `${line.say} form` }
        : line,
    ),
  };
}

function secretRefused(
  slack: SlackContext,
  tool: Tool,
  input: Fields,
  secrets: readonly string[],
  origin: Origin,
): Acked {
  const message = notice(
    '🔑',
    `${secrets.join(', ')} is secret and was typed where others may read it. Nothing was sent. Enter it in the form instead, and change it if anyone else may have seen it.`,
  );
  message.blocks.push(formButton(slack, tool, withoutSecrets(fieldsOf(tool), input), origin));
  return { now: message };
}

async function form(
  slack: SlackContext,
  job: {
    tool: Tool;
    input: Fields;
    missing: readonly string[];
    origin: FormOrigin;
  },
): Promise<void> {
  const { tool, input, missing, origin } = job;
  const reply = new Reply(slack, origin);
  const needed = neededRole(tool).ask;
  const member = await slack.roles.timelyMembership(origin);
  const refused = member && slack.roles.refusal(member, needed);
  if (refused) {
    await reply.show(refusalMessage(refused));
    return;
  }
  const resolution =
    member && !('refused' in member) ? await resolvedInTime(slack, { tool, input, actor: member.actor }) : undefined;
  if (resolution?.kind === 'unclear' && resolution.found.hits.length > 1) {
    await reply.show(unclearMessage(tool, resolution, true));
    return;
  }
  // A name that fits no record is asked for in the form.
  const unknown = resolution?.kind === 'unclear' ? unclearProblem(resolution).message : undefined;
  const known = resolution?.kind === 'unclear' ? withoutName(resolution) : (resolution?.input ?? input);
  const wrong = fieldProblems(tool, known, new Date(slack.clock.now())).find(
    ({ field }) => known[field.split('.')[0] ?? ''] !== undefined,
  );
  const problem = unknown ?? (wrong && `${labelOf(tool, wrong.field)}: ${wrong.message}`);
  const opened = await openForm(slack, tool, known, { ...origin, ...defined({ problem }) });
  if (opened) return;
  const what =
    missing.length > 0 ? `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing, and the` : 'The';
  const message = notice('⚠️', `${what} form could not be opened. What you typed is kept:`);
  message.blocks.push(formButton(slack, tool, input, origin));
  await reply.show(message);
}
