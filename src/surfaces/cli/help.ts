import { fieldsOf } from '../../catalogue/fields.ts';
import type { Tool } from '../../catalogue/operation.ts';
import {
  exampleLine,
  type GroupWords,
  helpOfGroup,
  helpOfTool,
  kindWords,
  raisedWords,
  riskWords,
  shortWords,
  terminalStyle,
} from '../../language/help.ts';
import { tokenize } from '../../language/tokens.ts';
import { shellWord } from './answer.ts';
import { definitions, wrap } from './table.ts';

export const USAGE = 'switchboard call OPERATION [Field=value …] [--json JSON] [--yes] [--output json|table]';
export const FOLLOW_USAGE = 'switchboard call confirmations_get id=act_…';

/** The usage with every option, for the help. */
const FULL_USAGE = `switchboard call OPERATION [Field=value …] [--json JSON]
       [--yes [--again]] [--reason TEXT] [--output json|table] [--fields A,B]
       [--wide] [--qr]`;

const CALL_PARAGRAPHS = [
  'OPERATION is an id (numbers_portin_update) or its words (numbers portin update). A phone number or an id with a known prefix does not need its field name. --json takes an object of fields, @FILE to read it from a file, or - to read it from standard input; Field=value overrides it. Secret fields are taken from a file or standard input only, because every user of the computer can read arguments. Every change needs a confirmation: a terminal asks, and elsewhere --yes is required. If the same call was made before by somebody else, or with an unknown outcome, --yes alone is not enough: a terminal asks, and elsewhere nothing is sent and the status is 3. Check the earlier call, then add --again. --reason says why, for approvers and for the audit trail.',
  'The answer is a table on a terminal and JSON in a pipe; --output json|table chooses. --json is for input only. --fields A,B prints only these members of the answer. --wide shows every column of a list without cutting. --qr shows the activation code of an eSIM, on a terminal as a QR code too.',
  'Exit status: 0 done, 1 the platform refused or did not do it, 2 wrong usage or input, or not allowed, 3 not confirmed, 4 outcome unknown, 5 partly done.',
];

/** Longer lines are hard to read. */
const MOST_WIDTH = 100;

/** `switchboard call --help`: every operation under its group. */
export function callHelp(
  tools: readonly Tool[],
  width: number,
  groups: Readonly<Record<string, GroupWords>> = {},
): string {
  const present = new Set(tools.map((tool) => tool.group));
  const ordered = [...Object.keys(groups).filter((name) => present.delete(name)), ...present];
  const list = ordered.map((name) => {
    const own = tools.filter((tool) => tool.group === name);
    const rows = own.map(({ id, title, risk }) => ({ name: id, paragraphs: [`${title} (${risk})`] }));
    return `${groups[name]?.title ?? name}\n${listed(rows, width)}`;
  });
  return [
    `Usage: ${FULL_USAGE}`,
    ...CALL_PARAGRAPHS.map((text) => paragraph(text, width)),
    ...list,
    `switchboard call OPERATION --help shows its fields.\n${paragraph(`${FOLLOW_USAGE} shows the outcome of a call that waited for a person or whose outcome is unknown.`, width)}\n`,
  ].join('\n\n');
}

/** The operations of one group, by the words that follow its name. */
export function groupHelp(group: string, tools: readonly Tool[], width: number, words?: GroupWords): string {
  const help = helpOfGroup(group, tools, terminalStyle, words);
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
  const fields = fieldsOf(tool);
  const list = helpOfTool(tool).lines.map(({ say, text, required, example }, i) => {
    const [field] = fields.slice(i);
    const about = `${required ? 'Required. ' : ''}${text}${field ? ` (${kindWords(field)})` : ''}`;
    return { name: say, paragraphs: [about, ...(example === undefined ? [] : [`Example: ${example}`])] };
  });
  // The descriptions of some operations are written for programs.
  const description = paragraph(tool.description, width);
  const risk = paragraph(`Risk: ${tool.risk}: ${riskWords(tool.risk)}.${raisedWords(tool)}`, width);
  return [
    paragraph(tool.title, width),
    `${description}\n${risk}`,
    `Usage: switchboard call ${tool.id} [Field=value …]
   or: switchboard call ${[tool.group, ...shortWords(tool)].join(' ')} [Field=value …]`,
    list.length === 0 ? 'It takes no fields.' : `Fields:\n${listed(list, width)}`,
    `Example: switchboard call ${tool.group} ${shellLine(tool)}\n`,
  ].join('\n\n');
}

function paragraph(text: string, width: number): string {
  return wrap(text, Math.min(width, MOST_WIDTH)).join('\n');
}

function listed(list: Parameters<typeof definitions>[0], width: number): string {
  return definitions(list, Math.min(width, MOST_WIDTH));
}

/** The example line, quoted for a shell. */
function shellLine(tool: Tool): string {
  const split = tokenize(exampleLine(tool));
  return 'problem' in split ? exampleLine(tool) : split.tokens.map(({ text }) => shellWord(text)).join(' ');
}
