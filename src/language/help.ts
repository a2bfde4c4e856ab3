import type { Group } from '../../tools/groups.ts';
import type { Field } from '../catalogue/field-types.ts';
import { fieldsOf, soleMember } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import { capital, type Fields, isRecord, recordOf } from '../lib/values.ts';
import { quoted } from './tokens.ts';

/** The syntax of commands on a surface. */
export interface Style {
  /** The text before an operation's words: "/numbers", "switchboard call numbers". */
  command: (group: string) => string;
  /** True if a line may contain secrets. Otherwise examples leave them out. */
  secrets: boolean;
}

export const terminalStyle: Style = { command: (group) => `switchboard call ${group}`, secrets: true };

/** `prefix` is SLACK_COMMAND_PREFIX: "sb" makes /sb-numbers. */
export function slackStyle(prefix?: string): Style {
  return { command: (group) => (prefix ? `/${prefix}-${group}` : `/${group}`), secrets: false };
}

export interface Help {
  title: string;
  text: string;
  lines: {
    /** The text to type: a command, or a field's name. */
    say: string;
    /** The purpose of the command or field. */
    text: string;
    /** The risk of a command ("asks an approver, costs money") or the kind of a field. */
    remark?: string;
    required?: boolean;
    /** A complete line to type, or a field's example value. */
    example?: string;
  }[];
  /** A complete line to type. */
  example?: string;
}

/** The members of a group (tools/groups.ts) that help needs. */
export type GroupWords = Pick<Group, 'title' | 'description'>;

const RISK: Readonly<Record<Tool['risk'], string>> = {
  read: 'only reads',
  write: 'changes records after a yes',
  spend: 'asks an approver, costs money or reaches a person',
  destroy: 'asks an approver, takes service, data or control away',
};

/** What a call needs and does, in words: "asks an approver, costs money". */
export function riskWords({ risk, free }: Pick<Tool, 'risk' | 'free'>): string {
  return free === undefined ? RISK[risk] : 'needs no yes';
}

/** Says which inputs of a change an approver must confirm. Empty if there are none. */
export function raisedWords(tool: Pick<Tool, 'raisedBy'>): string {
  if (tool.raisedBy === undefined) return '';
  return ` An approver must approve ${tool.raisedBy.includes('; ') ? 'any of these: ' : ''}${tool.raisedBy}.`;
}

/** The operations of one group. */
export function helpOfGroup(
  group: string,
  tools: readonly Tool[],
  style: Style = terminalStyle,
  words?: GroupWords,
): Help {
  // Workflows are used most, so they come first.
  const own = tools
    .filter((tool) => tool.group === group)
    .sort((a, b) => Number(b.kind === 'workflow') - Number(a.kind === 'workflow'));
  return {
    title: words?.title ?? capital(group),
    text: words?.description ?? `Operations of ${group}.`,
    lines: own.map((tool) => ({
      say: `${style.command(group)} ${shortWords(tool).join(' ')}`.trimEnd(),
      text: tool.title,
      remark: riskWords(tool),
      example: `${style.command(group)} ${exampleLine(tool, style)}`,
    })),
  };
}

/** Help for one operation: its description, its fields, and a line to copy. */
export function helpOfTool(tool: Tool, style: Style = terminalStyle): Help {
  return {
    title: `${tool.title} (${commandOf(tool)})`,
    text: `${tool.description} This ${riskWords(tool)}.${raisedWords(tool)}`,
    lines: fieldsOf(tool).map((field) => ({
      say: field.name,
      text: describe(field, style),
      remark: kindWords(field),
      required: field.required,
      ...(field.example === undefined || (field.secret && !style.secrets) ? {} : { example: field.example }),
    })),
    example: `${style.command(tool.group)} ${exampleLine(tool, style)}`,
  };
}

function describe(field: Field, style: Style): string {
  const parts = [field.description === '' ? field.label : `${field.label}: ${field.description}`];
  if (field.choices) parts.push(`one of ${field.choices.join(', ')}`);
  if (field.fields)
    parts.push(`with ${field.fields.map((member) => member.name + (member.required ? '' : '?')).join(', ')}`);
  if (field.default !== undefined) parts.push(`default ${JSON.stringify(field.default)}`);
  if (field.secret) parts.push(style.secrets ? 'secret: never shown again' : 'secret: asked for in a form');
  return parts.join('; ');
}

/** The kind of a field's value, in one or two words. */
export function kindWords(field: Field): string {
  const words: Readonly<Record<Field['kind'], string>> = {
    text: 'text',
    multiline: 'text',
    number: 'number',
    boolean: 'yes or no',
    choice: 'choice',
    phone: 'phone number',
    iccid: '18 to 22 digits',
    id: `id ${(field.ids ?? []).map((prefix) => `${prefix}-…`).join(' or ')}`.trimEnd(),
    date: 'date',
    'us-date': 'date',
    since: 'time, such as 8h',
    url: 'URL',
    email: 'e-mail',
    json: 'JSON',
    keywords: 'JSON',
    choices: 'list with commas',
    list: field.items ? `list of ${kindWords(field.items).replace(/^(?:text|id|phone number)$/, '$&s')}` : 'list',
    group: 'members',
    rows: soleMember(field)?.kind === 'phone' ? 'list of phone numbers' : 'list of objects',
  };
  return words[field.kind];
}

/** An operation's words as people type them, without a read's last "get" if other words remain. */
export function shortWords(tool: Tool): string[] {
  const words = wordsOf(tool);
  return tool.risk === 'read' && words.length > 1 && words.at(-1) === 'get' ? words.slice(0, -1) : words;
}

/** The first example as typed after the group's command. `parseLine` reads it back as the same input. */
export function exampleLine(tool: Tool, style: Pick<Style, 'secrets'> = terminalStyle): string {
  return inputLine(tool, tool.examples[0] ?? {}, style);
}

/** Writes an input as a line that `parseLine` reads back as the same input. */
export function inputLine(tool: Tool, input: Readonly<Fields>, style: Pick<Style, 'secrets'> = terminalStyle): string {
  const pieces = fieldsOf(tool)
    .filter((field) => input[field.name] !== undefined && (style.secrets || !field.secret))
    .flatMap((field) => writeField(field, input[field.name], style));
  return [...shortWords(tool), ...pieces].join(' ');
}

function writeField(field: Field, value: unknown, style: Pick<Style, 'secrets'>): string[] {
  const members = field.kind === 'group' ? Object.values(recordOf(value)) : [];
  if (isRecord(value) && members.length > 0 && !members.some((one) => typeof one === 'object'))
    return (field.fields ?? [])
      .filter((member) => value[member.name] !== undefined && (style.secrets || !member.secret))
      .map((member) => `${field.name}.${member.name}=${quoted(String(value[member.name]))}`);
  if (['list', 'rows'].includes(field.kind) && Array.isArray(value)) {
    const member = soleMember(field)?.name ?? '';
    const plain = value.map((row: unknown) =>
      isRecord(row) && Object.keys(row).length === 1 ? row[member] : field.kind === 'list' && row,
    );
    if (value.length > 0 && plain.every(isPlainPiece)) return [`${field.name}=${plain.join(',')}`];
  }
  return [`${field.name}=${typeof value === 'string' ? quoted(value) : JSON.stringify(value)}`];
}

function isPlainPiece(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes(',') && quoted(value) === value;
}

/* Problems of a typed line in words. They name fields as they are typed, on every surface. */

/** A value that a field takes, as people write it. */
function exampleOf(field: Field): string | undefined {
  if (['group', 'json', 'keywords'].includes(field.kind)) return undefined;
  const entry = field.kind === 'list' ? field.items : field.kind === 'rows' ? soleMember(field) : field;
  if (entry !== field) return entry && exampleOf(entry);
  return field.example ?? field.choices?.[0] ?? (field.kind === 'boolean' ? 'yes' : undefined);
}

/** The next step: "For example OrderId=…". */
export function hintFor(tool: Tool, field: Field, path = field.name): string {
  const value = exampleOf(field);
  if (value === undefined) return `${commandOf(tool)} --help shows how to give ${path}.`;
  return `For example ${path}=${quoted(value)}.`;
}

/** The words after the command: "numbers_portin_update" is "portin update" after "numbers". */
export function wordsOf(tool: Tool): string[] {
  const words = tool.id.split('_');
  return words[0] === tool.group ? words.slice(1) : words;
}

/** The whole name in words: "numbers portin update". */
export function commandOf(tool: Tool): string {
  return [tool.group, ...wordsOf(tool)].join(' ');
}
