import { GUARD } from '../../../../tools/surfaces/guard.ts';
import { recordKinds } from '../../../../tools/surfaces/records.ts';
import type { Parsed } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { fieldProblems } from '../../../catalogue/input.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { commandsIn, type Help, helpOfGroup, helpOfTool, inputLine, slackStyle } from '../../../language/help.ts';
import { isMakingVerb, parseLine, secretsTyped } from '../../../language/parse.ts';
import { tokenize } from '../../../language/tokens.ts';
import {
  isReference,
  kindOf,
  type Lookup,
  lookups,
  referencesIn,
  unquoted,
  wantedIn,
  withValue,
} from '../../../language/typed-values.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { nearest } from '../../../lib/nearest.ts';
import { withPlainDigits } from '../../../lib/text.ts';
import { withoutSecrets } from '../blocks/form-values.ts';
import { helpMessage, taskBlocks, taskHint } from '../blocks/help.ts';
import { type Block, type Message, notice, refusalMessage, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { BATCH_WORD, batchable, onBatchCommand } from '../flows/batch.ts';
import { Reply } from '../flows/engine.ts';
import { type FormOrigin, openForm } from '../flows/forms.ts';
import { guardIn, hasGuard, startGuard } from '../flows/guard.ts';
import { GUIDE_WORD, guideIn, guideMeant, guidesFor, onGuideCommand, startGuideBy } from '../flows/guide.ts';
import { nearestButtons } from '../flows/guided-help.ts';
import {
  answerPlain,
  fitsNone,
  mayMean,
  namesOne,
  nearestOf,
  plainOrder,
  plainRead,
  plainWords,
  withoutWords,
} from '../flows/plain-command.ts';
import { resolvedInTime, unclearMessage, unclearProblem, withoutName } from '../flows/references.ts';
import { formButton, run } from '../flows/run.ts';
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
      parse: (slack, typed, origin) => {
        const { text, reason } = withoutReason(typed);
        const order = () => inWords(slack, plainOrder(slack, 'numbers', text), { reason, origin });
        return onBatchCommand(slack, text, origin, order);
      },
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

/** Parses what follows the command of a group, or of the lookup in one. */
function parseGroup(
  slack: SlackContext,
  { command, group, lookup }: { command: string; group: string; lookup?: Lookup },
  typed: string,
  origin: Origin,
): Acked {
  const { tools, groups } = slack;
  const { text, reason } = withoutReason(withPlainDigits(typed));
  const started = guideIn(group, text) ?? (lookup ? undefined : guideMeant(tools, group, text));
  if (started && guidesFor(tools).includes(started.guide)) return { after: () => startGuideBy(slack, started, origin) };
  const guarded = hasGuard(tools) ? guardIn(group, text) : undefined;
  if (guarded !== undefined) return { after: () => startGuard(slack, guarded, origin) };
  const line = lookup ? lookupLine(lookup, text, tools) : text;
  if (line === undefined) return { now: numberMissing(command, lookup) };
  const parsed = parseLine(group, line, tools);
  const isPlain = fitsNone(parsed, line) && !isSlip(parsed, line) && !namesOne(parsed, line) && !isMakingVerb(line);
  const meant = isPlain && !isSecretTyped(parsed) ? plainWords(slack, group, text, toolOf(parsed)) : undefined;
  const said = inWords(slack, meant, { reason, origin });
  if (said) return said;
  const finder = lookup ?? lookups(tools, groups).find(({ tool }) => tool.group === group);
  const search = finder && searchOf(finder, text, tools, lookup === undefined);
  const isSpelledOut = parsed.kind === 'call' && withoutWords(parsed.tool, line) !== line.trim();
  const plain = () => plainly(slack, group, { text, origin, onlyReads: isSpelledOut });
  const named = withoutVerb(slack, group, line);
  const otherwise = named ? () => runNamed(slack, named, origin, plain) : plain;
  // A record that is named after its read is that one or none, and no list without it.
  const instead = (tool: Tool) => (tool.risk === 'read' && !namesOne(parsed, line) ? { otherwise } : {});
  if (search)
    return searching(slack, { ...search, ifNothing: () => insteadOf(slack, group, search) }, origin, otherwise);
  if (parsed.kind === 'help') return { now: help(slack, group, parsed.tool) };
  const record = parsed.kind === 'problem' && parsed.tool ? recordAfter(tools, parsed.tool, line) : undefined;
  if (record) return reading(slack, record, origin);
  if (parsed.kind === 'problem') return problem(slack, group, { parsed, typed: text }, origin);
  const { tool, input, missing, notes, loose } = parsed;
  const secrets = secretsTyped(tool, input);
  if (secrets.length > 0) return secretRefused(slack, tool, input, secrets, origin);
  if (parsed.form || missing.length > 0 || lacksValue(tool, input, slack.clock.now()))
    return {
      after: () => form(slack, { tool, input, loose, missing, origin: { ...origin, reason }, ...instead(tool) }),
    };
  const reply = new Reply(slack, origin, { replaces: true });
  const start = tool.risk === 'read' ? 'Looking that up…' : 'Working on it…';
  return {
    now: notice('⏳', start),
    after: async () =>
      void (await run(slack, {
        tool,
        input,
        origin,
        reply,
        notes,
        loose,
        ...instead(tool),
        ...defined({ reason }),
      })),
  };
}

/** The answer to a command that was read as these plain words; undefined if there are none. */
function inWords(
  slack: SlackContext,
  meant: string | undefined,
  { reason, origin }: { reason: string | undefined; origin: Origin },
): Acked | undefined {
  if (meant === undefined) return undefined;
  return { now: notice('⏳', 'Looking that up…'), after: () => answerPlain(slack, meant, origin, reason) };
}

/** Verbs before the name of a record: "/packages show starter". */
const VERBS =
  /^(?:find|search|show|view|open|display|info|details?|get|look\s?up)\s+(?:(?:for|of|on|me|the|about)\s+)*(?=\S)/i;

/** The read of a record that a line names after a verb, or undefined. */
function withoutVerb({ tools }: SlackContext, group: string, line: string): { tool: Tool; input: Fields } | undefined {
  const bare = line.replace(VERBS, '');
  const parsed = bare === line ? undefined : parseLine(group, bare, tools);
  return parsed?.kind === 'call' && parsed.tool.risk === 'read' && parsed.missing.length === 0 ? parsed : undefined;
}

/** The read of the record that a line names after the list of its kind: "account subscriptions 0105". */
function recordAfter(tools: readonly Tool[], list: Tool, line: string): { tool: Tool; input: Fields } | undefined {
  const name = withoutWords(list, line);
  const kind = recordKinds.find((one) => one.list.operation === list.id);
  const reads = tools.flatMap((tool) => {
    const [field, ...others] = fieldsOf(tool).filter(({ required }) => required);
    const isOfKind = field && others.length === 0 && kindOf(field) === kind && isReference(field, name);
    return isOfKind && tool.risk === 'read' && tool.id.endsWith('_get')
      ? [{ tool, input: { [field.name]: name } }]
      : [];
  });
  return kind && !name.includes('=') ? reads.sort((a, b) => a.tool.id.length - b.tool.id.length)[0] : undefined;
}

function reading(slack: SlackContext, read: { tool: Tool; input: Fields }, origin: Origin): Acked {
  const reply = new Reply(slack, origin, { replaces: true });
  return {
    now: notice('⏳', 'Looking that up…'),
    after: async () => void (await run(slack, { ...read, origin, reply })),
  };
}

async function runNamed(
  slack: SlackContext,
  read: { tool: Tool; input: Fields },
  origin: Origin,
  otherwise: () => Promise<boolean>,
): Promise<boolean> {
  await run(slack, { ...read, origin, reply: new Reply(slack, origin, { replaces: true }), otherwise });
  return true;
}

/** Answers a command in plain words. False if they are no clearer. */
async function plainly(
  slack: SlackContext,
  group: string,
  { text, origin, onlyReads }: { text: string; origin: Origin; onlyReads: boolean },
): Promise<boolean> {
  const meant = onlyReads ? plainRead(slack, group, text) : plainWords(slack, group, text);
  if (meant !== undefined) await answerPlain(slack, meant, origin);
  return meant !== undefined;
}

/** True for a line that begins with a misspelt operation: the answer names the right one. */
function isSlip(parsed: Parsed, line: string): boolean {
  if (parsed.kind !== 'problem' || parsed.tool) return false;
  const near = parsed.suggestion?.replace(/^\S+ /, '');
  const typed =
    line
      .toLowerCase()
      .match(/[a-z]+/g)
      ?.join(' ') ?? '';
  return near !== undefined && nearest(typed, [near], typed.length < 5 ? 1 : 2) !== undefined;
}

/** The operation that a line begins with. */
function toolOf(parsed: Parsed): Tool | undefined {
  return parsed.kind === 'problem' ? parsed.tool : undefined;
}

/** True if a line has a secret, which only a form may have. */
function isSecretTyped(parsed: Parsed): boolean {
  return (
    parsed.kind === 'problem' && parsed.tool !== undefined && secretsTyped(parsed.tool, parsed.input ?? {}).length > 0
  );
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

/** Explains why a line was not understood, with a suggestion and a form. */
function problem(
  slack: SlackContext,
  group: string,
  { parsed, typed }: { parsed: Extract<ReturnType<typeof parseLine>, { kind: 'problem' }>; typed: string },
  origin: Origin,
): Acked {
  const { tool, input = {}, message, suggestion } = parsed;
  const secrets = tool ? secretsTyped(tool, input) : [];
  if (tool && secrets.length > 0) return secretRefused(slack, tool, input, secrets, origin);
  const style = slackStyle(slack.config.SLACK_COMMAND_PREFIX);
  const inSlack = (text: string) => commandsIn(text, group, slack.tools, style);
  const answer = notice('🤔', inSlack(message));
  if (suggestion && !message.includes(suggestion))
    answer.blocks.push(say('Did you mean ', rich.code(inSlack(suggestion)), '?'));
  if (tool) answer.blocks.push(formButton(slack, tool, input, origin));
  else {
    const offers = [
      ...mayMean(slack, group, typed),
      ...corrected(slack, group, typed, suggestion),
      ...nearestOf(slack, group, typed),
      ...slack.assistant.guide.nearest(`${group} ${typed}`),
    ];
    const distinct = offers.filter(
      ({ operation }, at) => offers.findIndex((one) => one.operation === operation) === at,
    );
    answer.blocks.push(...nearestButtons(slack, distinct.slice(0, 3)));
  }
  return { now: answer };
}

function labelOf(tool: Tool, path: string): string {
  const [name = ''] = path.split('.');
  return fieldsOf(tool).find((field) => field.name === name)?.label ?? name;
}

/** The operation that a line with misspelt words asks for, with what follows these words filled in. */
function corrected({ tools }: SlackContext, group: string, typed: string, suggestion: string | undefined) {
  const near = suggestion?.replace(/^\S+ /, '');
  const words = typed.trim().split(/\s+/);
  const isNear = (count: number) => nearest(words.slice(0, count).join(' '), [near ?? '']) !== undefined;
  const count = near === undefined ? undefined : words.map((_word, at) => at + 1).findLast(isNear);
  if (count === undefined) return [];
  const parsed = parseLine(group, [near, ...words.slice(count)].join(' '), tools);
  if (parsed.kind !== 'call' || secretsTyped(parsed.tool, parsed.input).length > 0) return [];
  return [{ operation: parsed.tool.id, input: parsed.input }];
}

/** The line of a lookup: a number alone, or other words of its group, such as `/number help`. */
function lookupLine({ tool, field }: Lookup, text: string, tools: readonly Tool[]): string | undefined {
  const rest = unquoted(text).replace(/(?<=\d)[?!.]+$/, '');
  if (rest === '') return undefined;
  if (/^(help|form)$/i.test(rest)) return `${words(tool)} ${rest}`;
  if (/^[+(\d<]/.test(rest)) {
    const parsed = parseLine(tool.group, `${words(tool)} ${rest}`, tools);
    // A number with spaces or brackets is one value, and several numbers are a list.
    if (parsed.kind === 'call' && (parsed.input[field] ?? parsed.input[`${field}s`]) !== undefined)
      return `${words(tool)} ${rest}`;
    // "0101 why" and "0101 and 0102" say more than a number.
    return /\p{L}/u.test(rest) ? rest : `${words(tool)} ${field}="${rest.replaceAll('"', '')}"`;
  }
  return rest;
}

/**
 * The search for `/number 0104` and `/numbers ava stone`, whose words no operation of the group begins with.
 *
 * @param takesOperations the command is for operations too, so that words near to one are rather a misspelt one
 */
function searchOf(
  { tool, find }: Lookup,
  text: string,
  tools: readonly Tool[],
  takesOperations: boolean,
): { tool: Tool; input: Fields } | undefined {
  const wanted = wantedIn(text);
  if (!find || !wanted || 'number' in wanted || /^(help|form)$/i.test(wanted.query)) return undefined;
  const parsed = parseLine(tool.group, wanted.query, tools);
  if (parsed.kind !== 'problem' || parsed.tool) return undefined;
  const near = parsed.suggestion?.replace(/^\S+ /, '');
  if (takesOperations && near !== undefined && nearest(wanted.query, [near], wanted.query.length < 5 ? 1 : 2))
    return undefined;
  return { tool: find.tool, input: { [find.field]: wanted.query } };
}

function searching(
  slack: SlackContext,
  search: { tool: Tool; input: Fields; ifNothing: () => readonly Block[] },
  origin: Origin,
  otherwise: () => Promise<boolean>,
): Acked {
  const reply = new Reply(slack, origin, { replaces: true });
  const after = async () => void (await run(slack, { ...search, origin, reply, goOn: true, otherwise }));
  return { now: notice('⏳', 'Searching…'), after };
}

/** The buttons below a search that finds nothing: the numbers of an area, what the words may ask for, other criteria. */
function insteadOf(slack: SlackContext, group: string, { tool, input }: { tool: Tool; input: Fields }): Block[] {
  const text = Object.values(input).map(String).join(' ');
  const area = { AreaCode: text };
  const isArea = /^\d+$/.test(text) && fieldProblems(tool, area, new Date(slack.clock.now())).length === 0;
  const isWords = /\p{L}/u.test(text);
  const offers = [
    ...(isArea ? [{ operation: tool.id, input: area, label: `Numbers in area ${text}` }] : []),
    ...(isWords ? [...mayMean(slack, group, text), ...slack.assistant.guide.nearest(`${group} ${text}`)] : []),
    { operation: tool.id, input: {}, label: 'Search by something else' },
  ];
  const distinct = offers.filter(({ operation, label }, at) =>
    offers.every((one, i) => i >= at || one.operation !== operation || one.label !== label),
  );
  return nearestButtons(slack, distinct.slice(0, 4));
}

function words(tool: Tool): string {
  return inputLine(tool, {});
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
    loose: readonly string[];
    missing: readonly string[];
    origin: FormOrigin;
    otherwise?: () => Promise<boolean>;
  },
): Promise<void> {
  const { tool, input, loose, missing, origin } = job;
  const reply = new Reply(slack, origin);
  const needed = neededRole(tool).ask;
  const member = await slack.roles.timelyMembership(origin);
  const refused = member && slack.roles.refusal(member, needed);
  if (refused) {
    await reply.show(refusalMessage(refused));
    return;
  }
  const resolution =
    member && !('refused' in member)
      ? await resolvedInTime(slack, { tool, input, loose, actor: member.actor })
      : undefined;
  if (resolution?.kind === 'unclear' && resolution.found.hits.length > 1) {
    await reply.show(unclearMessage(tool, resolution, true));
    return;
  }
  if (resolution?.kind === 'unclear' && resolution.found.hits.length === 0 && (await job.otherwise?.())) return;
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
