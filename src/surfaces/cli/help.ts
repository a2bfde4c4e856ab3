import { fieldsOf } from '../../catalogue/fields.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { Gate } from '../../gate/gate.ts';
import { faceOf } from '../../language/failure.ts';
import {
  exampleLine,
  type GroupWords,
  type Help,
  helpOfGroup,
  helpOfTool,
  kindWords,
  raisedWords,
  riskWords,
  shortWords,
  terminalStyle,
} from '../../language/help.ts';
import { tokenize } from '../../language/tokens.ts';
import type { Actor } from '../../lib/actor.ts';
import { invalidInput } from '../../lib/errors.ts';
import { defined, type Fields } from '../../lib/json.ts';
import { withheldIn } from '../../platform/dialect/activation.ts';
import { helpText } from './prose.ts';
import { type Definition, definitions, table, wrap } from './table.ts';

export const USAGE = 'switchboard call OPERATION [Field=value …] [--json JSON] [--yes] [--output json|table]';

/** The usage with every option, for the help. */
const FULL_USAGE = `switchboard call OPERATION [Field=value …] [--json JSON]
       [--yes [--again]] [--reason TEXT] [--output json|table] [--fields A,B]
       [--wide] [--qr]`;

/** `switchboard call --help`: every operation under its group. */
export function callHelp(
  tools: readonly Tool[],
  width: number,
  groups: Readonly<Record<string, GroupWords>> = {},
): string {
  const present = new Set(tools.map((tool) => tool.group));
  const ordered = [...Object.keys(groups).filter((name) => present.delete(name)), ...present];
  const list = ordered.map((name) => {
    const rows = tools.filter((tool) => tool.group === name).map((tool) => [tool.id, tool.title, tool.risk]);
    const title = groups[name]?.title ?? name;
    if (width < LEAST_TABLE)
      return `${title}\n${definitions(
        rows.map(([name = '', text, risk]) => ({ name, paragraphs: [`${text} (${risk})`] })),
        width,
      )}`;
    return `${title}\n${bare(rows, width)}`;
  });
  return [
    helpText(`Usage: ${FULL_USAGE}`, width),
    '',
    ...paragraph(
      'OPERATION is an id (numbers_portin_update) or its words (numbers portin update). A phone number or an id with a known prefix does not need its field name. --json takes an object of fields, @FILE to read it from a file, or - to read it from standard input; Field=value overrides it. Secret fields are taken from a file or standard input only, because every user of the computer can read arguments. Every change needs a confirmation: a terminal asks, and elsewhere --yes is required. If the same call was made before by somebody else, or with an unknown outcome, --yes alone is not enough: a terminal asks, and elsewhere nothing is sent and the status is 3. Check the earlier call, then add --again. --reason says why, for approvers and for the audit trail.',
      width,
    ),
    '',
    ...paragraph(
      'The answer is a table on a terminal and JSON in a pipe; --output json|table chooses. --json is for input only. --fields A,B prints only these members of the answer. --wide shows every column of a list without cutting. --qr shows the activation code of an eSIM, on a terminal as a QR code too.',
      width,
    ),
    '',
    ...paragraph(
      'Exit status: 0 done, 1 the platform refused or did not do it, 2 wrong usage or input, or not allowed, 3 not confirmed, 4 outcome unknown, 5 partly done.',
      width,
    ),
    '',
    list.join('\n\n'),
    '',
    'switchboard call OPERATION --help shows its fields.',
    ...paragraph(
      `${FOLLOW_USAGE} shows the outcome of a call that waited for a person or whose outcome is unknown.`,
      width,
    ),
    '',
  ].join('\n');
}

/** The operations of one group, by the words that follow its name. */
export function groupHelp(group: string, tools: readonly Tool[], width: number, words?: GroupWords): string {
  const help: Help = helpOfGroup(group, tools, terminalStyle, words);
  const command = terminalStyle.command(group);
  const list = help.lines.map(
    ({ say, text, remark = '' }): Definition => ({
      name: say.slice(command.length + 1),
      paragraphs: [`${text} (${remark})`],
    }),
  );
  return [
    ...paragraph(`${help.title}: ${help.text}`, width),
    '',
    `Usage: ${command} COMMAND [Field=value …]`,
    '',
    'Commands:',
    definitions(list, Math.min(width, MOST_WIDTH)),
    '',
    ...paragraph(`${command} COMMAND --help shows its fields.`, width),
    '',
  ].join('\n');
}

/**
 * The help of one operation: its description and risk, each field with description, type and example, and a line to
 * copy.
 */
export function toolHelp(tool: Tool, width: number): string {
  const help = helpOfTool(tool);
  const fields = fieldsOf(tool);
  const list = help.lines.map((line, i): Definition => {
    const field = fields[i];
    const text = `${line.required ? 'Required. ' : ''}${line.text}${field ? ` (${kindWords(field)})` : ''}`;
    return { name: line.say, paragraphs: [text, ...(line.example === undefined ? [] : [`Example: ${line.example}`])] };
  });
  return [
    ...paragraph(tool.title, width),
    '',
    ...paragraph(tool.description, width),
    ...paragraph(`Risk: ${tool.risk}: ${riskWords(tool.risk)}.${raisedWords(tool)}`, width),
    '',
    `Usage: switchboard call ${tool.id} [Field=value …]`,
    `   or: switchboard call ${[tool.group, ...shortWords(tool)].join(' ')} [Field=value …]`,
    '',
    list.length === 0 ? 'It takes no fields.' : `Fields:\n${definitions(list, Math.min(width, MOST_WIDTH))}`,
    '',
    `Example: switchboard call ${tool.group} ${shellLine(tool)}`,
    '',
  ].join('\n');
}

function paragraph(text: string, width: number): string[] {
  return wrap(text, Math.min(width, MOST_WIDTH));
}

/** An indented table without its heading, whose first column is not wrapped. */
function bare(rows: readonly string[][], width: number): string {
  const head = rows[0]?.map(() => '') ?? [];
  const [, , ...lines] = table(head, rows, width - INDENT.length, { wholeFirst: true }).split('\n');
  return lines.map((line) => INDENT + line).join('\n');
}

/** A table of the operations breaks ids on a narrower terminal. */
const LEAST_TABLE = 80;
const INDENT = '  ';
/** Longer lines are hard to read. */
const MOST_WIDTH = 100;

/** The example line, quoted for a shell. */
function shellLine(tool: Tool): string {
  const split = tokenize(exampleLine(tool));
  if ('problem' in split) return exampleLine(tool);
  return split.tokens
    .map(({ text }) => (/^[\w+=.,:/@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

const FOLLOW_USAGE = 'switchboard call confirmations_get id=act_…';

/** The id of `call confirmations_get id=act_…` (or of the words `confirmations get`); undefined for another operation. */
export function readFollow(words: readonly string[], json: string | undefined): string | undefined {
  const [first = '', second = ''] = words.map((word) => word.toLowerCase());
  const joined = /^confirmations[_/-]get$/.test(first);
  if (!joined && !(first === 'confirmations' && second === 'get')) return undefined;
  const fields = words.slice(joined ? 1 : 2);
  const given = fields.map((word) => /^(?:id=)?(act_[\w-]+)$/i.exec(word)?.[1]);
  const [id] = given;
  if (id === undefined || given.length > 1 || json !== undefined) {
    throw invalidInput('id', `id: give the id that a call returned, and nothing else: ${FOLLOW_USAGE}.`);
  }
  return id;
}

/**
 * State and result of a call, as `confirmations_get` returns them over MCP. With `qr`, the result includes the
 * activation code of an eSIM.
 */
export async function follow(gate: Gate, id: string, actor: Actor, options: { qr: boolean }): Promise<Fields> {
  const { status, decidedBy, result: shown, error } = await gate.follow(id, actor);
  const isAsked = options.qr && withheldIn(shown).length > 0;
  const result = (isAsked ? await gate.reveal({ action: id }, actor) : undefined) ?? shown;
  return {
    id,
    status,
    ...defined({ decidedBy, result, error: error && faceOf(error, 'terminal') }),
  };
}
