import { groups } from '../../../../tools/groups.ts';
import { todayIn } from '../../../../tools/shared/line.ts';
import { GUARD } from '../../../../tools/surfaces/guard.ts';
import { type Guide, LINE, phoneIn } from '../../../../tools/surfaces/guides/guide.ts';
import { guides, type Task, tasks } from '../../../../tools/surfaces/tasks.ts';
import { meaningOf } from '../../../assistant/understood.ts';
import { fieldsOf } from '../../../catalogue/input.ts';
import { mayAsk, type Parsed, type Tool } from '../../../catalogue/operation.ts';
import {
  commandOf,
  type Help,
  helpOfGroup,
  helpOfTool,
  inputLine,
  slackStyle,
  tokenize,
} from '../../../language/help.ts';
import { parseLine, secretsTyped } from '../../../language/parse.ts';
import { type Lookup, lookupIn, takesReference, unquoted, wantedIn } from '../../../language/typed-values.ts';
import { DAY_MS } from '../../../lib/clock.ts';
import { capital, defined, type Fields, lowerFirst, withPlainDigits } from '../../../lib/values.ts';
import { rowOf } from '../blocks/fitting.ts';
import * as ui from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { BATCH_WORD, onBatchCommand } from '../flows/batch.ts';
import { type Acked, admitted, Reply, recordsNamed } from '../flows/engine.ts';
import { openForm } from '../flows/forms.ts';
import { startGuide } from '../flows/guide-flow.ts';
import { offerButtons, showUnderstood } from '../flows/plain.ts';
import { formButton, namedRecords, run, startGuard } from '../flows/run.ts';
import { noticeLine } from '../flows/turn.ts';
import { IDS, type Origin, type Reworder } from '../types.ts';

/** A Slack command. */
export interface Command {
  command: string;
  description: string;
  hint: string;
  /** Parses what follows the command. It awaits nothing, because Slack expects an answer within three seconds. */
  parse: (slack: SlackContext, typed: string, origin: Origin) => Acked;
}

/** Every command of the app, derived from the groups. */
export function commandList(tools: readonly Tool[], prefix?: string): Command[] {
  const style = slackStyle(prefix);
  const list: Command[] = [];
  const lookup = lookupIn(tools);
  if (lookup)
    list.push({
      command: style.command(lookup.word),
      description: lookup.tool.title,
      hint: exampleOf(lookup),
      parse: (slack, typed, origin) => parseGroup(slack, lookup.tool.group, typed, origin, lookup),
    });
  for (const [name, group] of Object.entries(groups)) {
    const typed = tasksOf(name, tools).slice(0, 3);
    list.push({
      command: style.command(name),
      description: group.description,
      hint: typed.map(({ line }) => line).join(', ') || (group.example.includes('=') ? 'help' : group.example),
      parse: (slack, typed, origin) => parseGroup(slack, name, typed, origin),
    });
  }
  list.push(
    {
      command: style.command(BATCH_WORD),
      description: 'One operation over a list, with one confirmation',
      hint: 'numbers status',
      parse: (slack, typed, origin) => onBatchCommand(slack, withoutReason(typed).text, origin),
    },
    {
      command: style.command(GUIDE_WORD),
      description: 'A task of several steps, in one form',
      hint: 'new line, swap a SIM',
      parse: (slack, typed, origin) => ({ after: () => onGuideCommand(slack, withoutReason(typed).text, origin) }),
    },
  );
  return list;
}

const exampleOf = ({ tool, field }: Lookup) => String(tool.examples[0]?.[field] ?? '');

/** Parses what follows the command of a group, or of the lookup in one: a call, a form, help, or a name. */
function parseGroup(slack: SlackContext, group: string, typed: string, origin: Origin, lookup?: Lookup): Acked {
  const { tools } = slack;
  const { text, reason } = withoutReason(withPlainDigits(typed));
  for (const starter of STARTERS.filter((one) => one.group === group)) {
    const rest = restAfter(starter.words, text);
    if (rest !== undefined) return { after: () => starter.start(slack, rest, origin) };
  }
  const line = lookup ? lookupLine(slack, lookup, text) : text;
  if (lookup && line === '') {
    const example = `${styleIn(slack).command(lookup.word)} ${exampleOf(lookup)}`.trim();
    const says = ui.say('Give a phone number, its last digits or a name, for example ', ui.code(example));
    return { now: { text: `Give a number: ${example}`, blocks: [says] } };
  }
  const parse = (typed: string) => parseLine(group, typed, tools, styleIn(slack).command);
  const first = parse(line);
  const dated = first.kind === 'problem' && first.tool ? parse(withDays(line, slack.clock.now())) : first;
  // A problem quotes what was typed: "tomorrow", not its date.
  const parsed = first.kind === 'problem' && dated.kind === 'problem' ? { ...dated, message: first.message } : dated;
  if (parsed.kind === 'help') return { now: help(slack, group, parsed.tool) };
  if (parsed.kind === 'problem' && parsed.tool === undefined)
    return words(slack, { group, text, reason, problem: parsed, named: nameIn(slack, group, lookup, text) }, origin);
  const { tool, input = {} } = parsed;
  if (!tool) return {};
  const secrets = secretsTyped(tool, input);
  if (secrets.length > 0) {
    const says = `${secrets.join(', ')} is secret and was typed where others may read it. Nothing was sent. Enter it in the form instead, and change it if anyone else may have seen it.`;
    return { now: ui.withBlocks(ui.notice('🔑', says), ...formButton(tool, input)) };
  }
  if (parsed.kind === 'problem') {
    const whole = commandOf(tool);
    const typed = styleIn(slack).command(tool.group) + whole.slice(tool.group.length);
    const message = parsed.message.replaceAll(whole, typed);
    const says = problemMessage({ ...parsed, message: message.replace(' --help shows', ' help shows') });
    return { now: ui.withBlocks(says, ...formButton(tool, input)) };
  }
  const { notes } = parsed;
  if (parsed.form || parsed.missing.length > 0)
    return { after: () => openForm(slack, tool, input, { ...origin, reason }) };
  const below = notes.length > 0 ? [ui.small(ui.escaped(notes.join(' ')))] : [];
  const [, word = ''] = commandOf(tool).split(' ');
  if (tool.risk === 'read' && !text.trim().toLowerCase().startsWith(word))
    return words(slack, { group, text, reason, named: { tool, input, below } }, origin);
  const reply = new Reply(slack, origin, { replaces: true, below });
  return {
    now: ui.notice('⏳', tool.risk === 'read' ? LOOKING : 'Working on it…'),
    after: async () => void (await run(slack, { tool, input, origin, reply, ...defined({ reason }) })),
  };
}

/** A line with the days that "today" and "tomorrow" name. */
function withDays(line: string, now: number): string {
  return line.replace(/(?<=\s)(today|tomorrow)(?=\s|$)/gi, (day) =>
    todayIn(new Date(day.toLowerCase() === 'today' ? now : now + DAY_MS)),
  );
}

const LOOKING = 'Looking that up…';
type Problem = Extract<Parsed, { kind: 'problem' }>;

/** A line that begins with no operation. */
interface Line extends Record<'group' | 'text', string> {
  reason: string | undefined;
  /** The read of a record, if the line may be its name. */
  named?: { tool: Tool; input: Fields; below?: readonly ui.Block[] } | undefined;
  problem?: Problem;
}

/**
 * Answers a line that begins with no operation: the record that it names, otherwise what it asks for in plain words. Names are
 * searched and words are read after the acknowledgement, because that takes time.
 */
function words(slack: SlackContext, asked: Line, origin: Origin): Acked {
  const { group, text, reason, problem } = asked;
  const named = problem?.tools ? undefined : asked.named;
  const after = async () => {
    const { below } = named ?? {};
    const reply = new Reply(slack, origin, { replaces: true, ...defined({ below }) });
    const member = await admitted(slack, origin, 'viewer', reply);
    if (!member) return;
    const { actor, zone } = member;
    const found = named && (await namedRecords(slack, named.tool, named.input, origin));
    if (named && found?.unknown === undefined) return void (await run(slack, { ...named, origin, reply }));
    // "List" and "routes" need the noun of the group; "usage 0105" does not.
    const said = groups[group]?.find === undefined ? `${group.replace(/s$/, '')} ${text}` : text;
    const { understood, notices } = slack.assistant.read({ text: said, writer: actor, zone });
    const { kind } = understood;
    if (kind === 'form' || (kind === 'read' && !problem?.suggestion)) {
      const notTaken = [...understood.notTaken, ...(reason === undefined ? [] : [reason])];
      await showUnderstood(slack, { ...understood, notTaken }, { origin, actor, replaces: true });
    } else {
      const isNothing = found?.unknown;
      const meant = problem?.tools?.map((tool) => ({ tool, input: {} })) ?? meaningOf(understood, slack.tools).offered;
      // Words that name nothing are no order for a change.
      const buttons = offerButtons(meant.filter(({ tool }) => tool.risk === 'read' || isNothing === undefined));
      const help = `${styleIn(slack).command(group)} help lists what can be done.`;
      const unknown = ui.notice('🤔', `${capital(isNothing ?? 'that was not understood')}. ${help}`);
      const isSaid = problem && (problem.suggestion !== undefined || isNothing === undefined);
      await reply.show(
        ui.withBlocks(isSaid ? problemMessage(problem) : unknown, ...ui.buttonRow('nearest', ...buttons)),
      );
    }
    for (const one of notices) await reply.add({ text: ui.escaped(one.text), blocks: [noticeLine(one)] });
  };
  return { now: ui.notice('⏳', LOOKING), after };
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

/** The read of the record that a line may name: the lookup of its command or group, otherwise the group's details. */
function nameIn(slack: SlackContext, group: string, lookup: Lookup | undefined, text: string) {
  const wanted = wantedIn(text);
  const ofGroup = lookup ?? (slack.lookup.tool.group === group ? slack.lookup : undefined);
  // The lines of an account or a subscriber.
  if (ofGroup?.find && /^(AID|TSUID)-\S+$/i.test(text.trim()))
    return { tool: ofGroup.find.tool, input: { [ofGroup.find.field]: text.trim() } };
  const tool = ofGroup?.tool ?? slack.tools.find(({ id }) => id === `${group}_get`);
  const field = ofGroup?.field ?? (tool && fieldsOf(tool).find(takesReference)?.name);
  // Words beside a number say more than a name does.
  if (!tool || field === undefined || !wanted || ('number' in wanted && /\p{L}/u.test(text))) return undefined;
  return { tool, input: { [field]: 'number' in wanted ? wanted.number : wanted.query } };
}

/** Says why a line was not understood, with a suggestion. */
function problemMessage({ message, suggestion }: Problem): ui.Message {
  const answer = ui.notice('🤔', message);
  if (suggestion && !message.includes(suggestion))
    answer.blocks.push(ui.say('Did you mean ', ui.code(suggestion), '?'));
  return answer;
}

/** The line of a lookup: a number alone, or other words of its group, such as `/number help`; empty for no text. */
function lookupLine(slack: SlackContext, { tool, field }: Lookup, text: string): string {
  const rest = unquoted(text).replace(/(?<=\d)[?!.]+$/, '');
  if (rest === '') return '';
  if (/^(help|form)$/i.test(rest)) return `${inputLine(tool, {})} ${rest}`;
  const code = rest.toUpperCase();
  for (const read of slack.tools.filter(({ group, risk }) => group === tool.group && risk === 'read')) {
    // The serial of a SIM, or the id that an operation needs.
    const field = fieldsOf(read).find(({ kind, ids = [], required }) =>
      kind === 'iccid' ? /^\d{18,22}F?$/.test(code) : required && ids.some((prefix) => code.startsWith(`${prefix}-`)),
    );
    if (field !== undefined) return `${inputLine(read, {})} ${field.name}=${rest}`;
  }
  if (/^[+(\d<]/.test(rest)) {
    const parsed = parseLine(tool.group, `${inputLine(tool, {})} ${rest}`, slack.tools, styleIn(slack).command);
    // A number with spaces or brackets is one value, and several numbers are a list.
    if (parsed.kind === 'call' && (parsed.input[field] ?? parsed.input[`${field}s`]) !== undefined)
      return `${inputLine(tool, {})} ${rest}`;
    // "0101 why" and "0101 and 0102" say more than a number.
    return /\p{L}/u.test(rest) ? rest : `${inputLine(tool, {})} ${field}="${rest.replaceAll('"', '')}"`;
  }
  return rest;
}

function styleIn({ config }: SlackContext) {
  return slackStyle(config.SLACK_COMMAND_PREFIX);
}

function help(slack: SlackContext, group: string, tool: Tool | undefined): ui.Message {
  const style = styleIn(slack);
  if (tool) return helpMessage(helpOfTool(tool, style), slack.reworded, 'Add `form` to open a form instead.');
  const list = helpOfGroup(group, slack.tools, style);
  // Longer examples, and those with names of fields, are replaced by the command that opens the form.
  const lines = list.lines.map((one) =>
    /^.{73,}|=/.test(one.example ?? '') ? { ...one, example: `${one.say} form` } : one,
  );
  const starters = STARTERS.filter((one) => one.group === group).map((one) => ({
    say: `${style.command(group)} ${one.words}`,
    text: one.title,
    remark: one.remark,
  }));
  const more = 'Enter only what you know: a number, its last digits or a name. A form asks for the rest.';
  const first = taskBlocks(group, (name) => style.command(name), slack.tools);
  return helpMessage({ ...list, lines: [...starters, ...lines] }, slack.reworded, more, first);
}

const LINES_PER_BLOCK = 12;

/** Help as a message, with blocks above its lines. Text for people to type is set as code, so that it can be copied. */
function helpMessage(help: Help, reworded: Reworder, more: string, first: readonly ui.Block[] = []): ui.Message {
  const items = help.lines.map(({ say: typed, text, required, remark, example }) => {
    const remarks = [...(required ? ['required'] : []), ...(remark ? [remark] : [])].join(', ');
    return ui.line(
      ui.code(typed),
      ` ${reworded(text)}${remarks === '' ? '' : ` (${remarks})`}`,
      ...(example ? ['  e.g. ', ui.code(example)] : []),
    );
  });
  const lists = Array.from({ length: Math.ceil(items.length / LINES_PER_BLOCK) }, (_, i) => {
    const elements = items.slice(i * LINES_PER_BLOCK, (i + 1) * LINES_PER_BLOCK);
    return { type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements }] };
  });
  return ui.messageOf(`${help.title}: ${help.text}`, [
    ui.header(help.title),
    ui.say(reworded(help.text)),
    ...first,
    ...lists,
    ...(help.example ? [ui.say(ui.bold('Example'), '  ', ui.code(help.example))] : []),
    // Our text, with intended formatting.
    ui.small(more),
  ]);
}

/** The tasks of a group with a line to type for each, and buttons. `commandOf`: a command as it is typed, with its slash. */
function taskBlocks(group: string, commandOf: (name: string) => string, tools: readonly Tool[]): ui.Block[] {
  const own = tasksOf(group, tools);
  if (own.length === 0) return [];
  const buttons = own.flatMap(({ opens, guide, label }, i) => {
    if (label === undefined) return [];
    if (guide !== undefined) return [ui.button(`${IDS.guide}_${i}`, label, `${guide}|`)];
    return opens === undefined ? [] : ui.operationButton(`${IDS.fill}_${i}`, label, opens, {});
  });
  return [
    ui.lines(own.map((task) => [`${task.text}  `, ui.code(`${commandOf(task.command ?? group)} ${task.line}`)])),
    ...ui.buttonRow(`tasks:${group}`, ...buttons),
  ];
}

/** The tasks whose operations are offered here. */
function tasksOf(group: string, tools: readonly Tool[]): readonly Task[] {
  return (tasks[group] ?? []).filter(({ opens }) => opens === undefined || tools.some(({ id }) => id === opens));
}

/* `/guide`, and the words of a group's command that start a guide. */

/** The word after the slash, without the prefix. */
const GUIDE_WORD = 'guide';

/** What words of a group's command start: a guide, or the filters of a number. */
const STARTERS = [
  ...guides.map((guide) => ({
    ...guide,
    remark: 'step by step, in one form',
    start: (slack: SlackContext, rest: string, origin: Origin) => startGuideBy(slack, guide, rest, origin),
  })),
  { ...GUARD, remark: 'its filters, each with its form', start: startGuard },
];

/** What follows these words at the beginning of a line; undefined for other lines. */
function restAfter(words: string, text: string): string | undefined {
  const match = new RegExp(`^${words.replace(' ', '[\\s_/-]+')}(?:\\s+|$)`, 'i').exec(text.trim());
  return match ? text.trim().slice(match[0].length) : undefined;
}

/** The values that a text means, none for no text; undefined for a name. */
export function valuesIn(guide: Guide, text: string): Fields | undefined {
  const phone = phoneIn(text);
  return guide.reads?.(text) ?? (phone !== undefined ? { [LINE]: phone } : text === '' ? {} : undefined);
}

/** Answers `/guide`: starts the guide whose title or words a text begins with, or offers all of them. */
async function onGuideCommand(slack: SlackContext, text: string, origin: Origin): Promise<void> {
  const words = text.trim().split(/\s+/);
  const first = words[0]?.toLowerCase() ?? '';
  const isFirst = (one: string) => one.split(' ')[0]?.toLowerCase() === first;
  const guide = guides.find(({ title, words: named }) => isFirst(title) || isFirst(named));
  if (guide) {
    const skipped = new Set([...guide.title.toLowerCase().split(' '), ...guide.words.split(' '), 'for', 'of', 'the']);
    const at = words.findIndex((word) => !skipped.has(word.toLowerCase()));
    return startGuideBy(slack, guide, at < 0 ? '' : words.slice(at).join(' '), origin);
  }
  const reply = new Reply(slack, origin);
  const member = await admitted(slack, origin, 'viewer', reply);
  if (!member) return;
  const { role } = member.actor;
  const { command } = styleIn(slack);
  const isOffered = (id: string) => slack.tools.some((tool) => tool.id === id && mayAsk(role, tool));
  const mayStart = guides.filter(({ steps }) => steps.every(({ run }) => !run || isOffered(run.operation)));
  const asked = text.trim();
  const isKnown = asked === '' || /^help$/i.test(asked);
  const title = isKnown
    ? 'What do you want to do?'
    : `No guide is called “${ui.cut(asked, 60)}”. These are the guides:`;
  const rows = guides.map((one, i) => {
    const start = mayStart.includes(one) ? ui.button(`${IDS.guide}_${i}`, 'Start', `${one.name}|`) : undefined;
    return rowOf(`${one.title}: ${lowerFirst(one.description)}`, start);
  });
  const commands = guides.map((one) => `\`${command(one.group)} ${one.words}\``).join(', ');
  const how =
    mayStart.length > 0
      ? `Or type it, with a number or a name after it: ${commands}`
      : 'They change something, which needs the role operator.';
  await reply.show(ui.messageOf(title, [ui.say(ui.bold(title)), ...rows, ui.small(how)]));
}

/** Starts a guide. A name or last digits after its words mean the one record that fits, in time for Slack's trigger. */
async function startGuideBy(slack: SlackContext, guide: Guide, rest: string, origin: Origin): Promise<void> {
  const text = rest.replace(/^\w+=/, '').replaceAll('"', '').trim();
  const known = valuesIn(guide, text);
  if (known) return startGuide(slack, guide, known, origin);
  const { form, field: name } = guide.names;
  const tool = typeof form === 'string' ? slack.tools.find(({ id }) => id === form) : form;
  const field = tool && fieldsOf(tool).find((one) => one.name === name);
  const found = field && (await recordsNamed(slack, field, text, origin));
  const [only, ...others] = found?.hits ?? [];
  const isOne = only !== undefined && others.length === 0 && found?.isWhole;
  await startGuide(slack, guide, isOne ? { [name]: only.value } : {}, origin, isOne ? '' : text);
}
