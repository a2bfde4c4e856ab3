import { groups } from '../../../tools/groups.ts';
import type { Tool } from '../../catalogue/operation.ts';
import { helpOfGroup, helpOfTool, raisedWords, riskWords, shortWords, terminalStyle } from '../../language/help.ts';
import { invalidInput, type SwitchboardError } from '../../lib/errors.ts';
import { nearest } from '../../lib/nearest.ts';
import { fixCommand } from './answer.ts';
import { readArguments, requireTaken } from './flags.ts';
import { pairs, wrap } from './table.ts';

/** The options of `switchboard call`, as `CALL_PARAGRAPHS` explain them. */
export type Options = ReturnType<typeof readOptions>;

const OPTIONS = {
  json: { type: 'string' },
  output: { type: 'string' },
  fields: { type: 'string' },
  reason: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  again: { type: 'boolean' },
  wide: { type: 'boolean' },
  qr: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `--settings` is removed before the arguments get here. */
export const FLAGS = [...Object.keys(OPTIONS), 'settings'].map((name) => `--${name}`);

/**
 * Reads the arguments of `switchboard call`. Everything that is not an option is a word of the operation.
 *
 * @throws SwitchboardError or ConfigError for wrong usage
 */
export function readOptions(args: readonly string[]) {
  const { values, positionals: words } = readArguments(args, USAGE, OPTIONS, true);
  const { json, output, reason, yes = false, again = false, wide = false, qr = false, help = false } = values;
  if (output !== undefined && output !== 'json' && output !== 'table') throw usage('--output must be json or table.');
  const fields = values.fields?.split(',').flatMap((one) => one.trim() || []);
  if (fields?.length === 0) throw usage('--fields needs names of the answer, for example --fields Number,Status.');
  return { words, json, output, fields, reason, yes, again, wide, qr, help };
}

/** The error for wrong usage, with exit status 2. */
export function usage(message: string): SwitchboardError {
  return invalidInput(undefined, message);
}

export const USAGE = `switchboard call OPERATION [Field=value …] [--json JSON]
       [--yes [--again]] [--reason TEXT] [--output json|table] [--fields A,B]
       [--wide] [--qr]`;
export const FOLLOW_USAGE = 'switchboard call confirmations_get id=act_…';

const CALL_PARAGRAPHS = [
  'OPERATION is an id (numbers_portin_update) or its words (numbers portin update). A phone number or an id with a known prefix does not need its field name. --json takes an object of fields, @FILE to read it from a file, or - to read it from standard input; Field=value overrides it. Secret fields are taken from a file or standard input only, because every user of the computer can read arguments. Every change needs a confirmation: a terminal asks, and elsewhere --yes is required. If the same call was made in the last 24 hours, by anybody, or has an unknown outcome, --yes alone is not enough: a terminal asks, and elsewhere nothing is sent and the status is 3. Check the earlier call, then add --again. --reason says why, for approvers and for the audit trail.',
  'The answer is a table on a terminal and JSON in a pipe; --output json|table chooses. --json is for input only. --fields A,B prints only these members of the answer. --wide shows every column of a list. --qr shows the activation code of an eSIM, on a terminal as a QR code too.',
  'Exit status: 0 done, 1 the platform refused or did not do it, 2 wrong usage or input, or not allowed, 3 not confirmed, 4 outcome unknown, 5 partly done.',
];

/** Longer lines are hard to read. */
const MOST_WIDTH = 100;

/** `switchboard call --help`: every operation under its group. */
export function callHelp(tools: readonly Tool[], width: number): string {
  return [
    `Usage: ${USAGE}`,
    ...CALL_PARAGRAPHS.map((text) => paragraph(text, width)),
    ...Object.entries(groups).flatMap(([name, group]) => {
      const own = tools.filter((tool) => tool.group === name);
      const rows = own.map(({ id, title, risk }) => ({ name: id, paragraphs: [`${title} (${risk})`] }));
      return rows.length === 0 ? [] : [`${group.title}\n${listed(rows, width)}`];
    }),
    `switchboard call OPERATION --help shows its fields.\n${paragraph(`${FOLLOW_USAGE} shows the outcome of a call that waited for a person or whose outcome is unknown. confirmations_withdraw in its place takes back a question of yours that waits.`, width)}\n`,
  ].join('\n\n');
}

/** The operations of one group, by the words that follow its name. */
export function groupHelp(group: string, tools: readonly Tool[], width: number): string {
  const help = helpOfGroup(group, tools, terminalStyle);
  const command = terminalStyle.command(group);
  const list = help.lines.map(({ say, text, remark = '' }) => ({
    name: say.slice(command.length + 1),
    paragraphs: [`${text} (${remark})`],
  }));
  return [
    paragraph(`${help.title}: ${help.text}`, width),
    `Usage: ${command} COMMAND [Field=value …]`,
    `Commands:\n${listed(list, width)}`,
    `${paragraph(`${command} COMMAND --help shows its fields.`, width)}\n`,
  ].join('\n\n');
}

/** The help of one operation: its description and risk, each field with description, type and example, and a line to copy. */
export function toolHelp(tool: Tool, width: number): string {
  const list = helpOfTool(tool, terminalStyle).lines.map(({ say, text, required, example, remark }) => {
    const about = `${required ? 'Required. ' : ''}${text} (${remark})`;
    return { name: say, paragraphs: [about, ...(example === undefined ? [] : [`Example: ${example}`])] };
  });
  // The descriptions of some operations are written for programs.
  const risk = paragraph(`Risk: ${tool.risk}: ${riskWords(tool)}.${raisedWords(tool)}`, width);
  return [
    paragraph(tool.title, width),
    `${paragraph(tool.description, width)}\n${risk}`,
    `Usage: switchboard call ${tool.id} [Field=value …]
   or: switchboard call ${[tool.group, ...shortWords(tool)].join(' ')} [Field=value …]`,
    list.length === 0 ? 'It takes no fields.' : `Fields:\n${listed(list, width)}`,
    `Example: ${fixCommand({ operation: tool.id, input: tool.examples[0] ?? {}, needs: [] })}\n`,
  ].join('\n\n');
}

function paragraph(text: string, width: number): string {
  return wrap(text, Math.min(width, MOST_WIDTH)).join('\n');
}

/** Indented names with their paragraphs beside them. */
function listed(list: readonly { name: string; paragraphs: readonly string[] }[], width: number): string {
  const rows = list.map(({ name, paragraphs }) => [`  ${name}`, paragraphs.join('\n')] as const);
  return pairs(rows, Math.min(width, MOST_WIDTH), true);
}

export const BATCH_USAGE = 'switchboard batch OPERATION --file FILE|- [Field=value …] [--csv FILE|-] [--yes]';

/** The words that may follow `batch` instead of an operation. */
export const BATCH_VERBS = ['list', 'show', 'stop', 'rest'] as const;

const BATCH_OPTIONS = {
  file: { type: 'string' },
  csv: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  reason: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;
export const BATCH_FLAGS = [...Object.keys(BATCH_OPTIONS), 'settings'].map((name) => `--${name}`);

const VERB_FLAGS = { list: [], show: ['csv'], stop: [], rest: ['csv', 'yes', 'reason'] } as const;

/**
 * Reads the arguments of `switchboard batch`.
 *
 * @throws SwitchboardError or ConfigError for wrong usage
 */
export function readBatchOptions(args: readonly string[]) {
  const { values, positionals: words } = readArguments(args, BATCH_USAGE, BATCH_OPTIONS, true);
  const { file = '', csv, yes = false, reason, help = false } = values;
  const [first, id = '', ...rest] = words;
  const given = { words, id, file, csv, yes, reason };
  if (help || first === 'help') return { ...given, verb: 'help' } as const;
  if (first === undefined) throw usage(`Name an operation. Usage: ${BATCH_USAGE}`);
  const verb = BATCH_VERBS.find((one) => one === first);
  if (verb !== undefined) {
    requireTaken(values, `batch ${verb}`, VERB_FLAGS[verb]);
    if (verb === 'list' && id !== '') throw usage('batch list takes no ID. switchboard batch show ID shows one.');
    if (verb !== 'list' && (id === '' || rest.length > 0))
      throw usage(`Usage: switchboard batch ${verb} ID. batch list shows them.`);
    return { ...given, verb };
  }
  const near = words.length === 1 && file === '' ? nearest(first, BATCH_VERBS) : undefined;
  if (near !== undefined) throw usage(`Did you mean batch ${near}? Usage: ${BATCH_USAGE}`);
  if (file === '') throw usage(`--file names the list; - is standard input. Usage: ${BATCH_USAGE}`);
  return { ...given, verb: 'create' } as const;
}

export const BATCH_HELP = `Usage: switchboard batch OPERATION --file FILE|- [Field=value …]
       [--csv FILE|-] [--yes] [--reason TEXT]
   or: switchboard batch list
   or: switchboard batch show ID [--csv FILE|-]
   or: switchboard batch stop ID
   or: switchboard batch rest ID [--csv FILE|-] [--yes] [--reason TEXT]

Runs one operation over a list of 2 to 500 rows with one yes. Every row is read
first; the plan shows which can be sent, and why others are left out. A lookup
needs no yes.

  --file  the list: one number on each line, or CSV whose first line names the
          columns; - is standard input
  --csv   writes every row with its outcome to FILE
  --yes   confirms without asking

Fields that all rows share are given once: StatusChange=park. Ctrl-C stops the
batch, which is its end. "batch rest" makes a new batch of the rows that were
not done. Another process goes on with a batch whose terminal was closed.
Exit status: as "switchboard call"; 5 also if rows of the list were left out.
`;
