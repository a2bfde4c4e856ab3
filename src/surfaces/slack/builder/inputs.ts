import { type BuilderStep, builderSteps } from '../../../../tools/surfaces/builder-steps.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { fieldProblems } from '../../../catalogue/input.ts';
import { isChange, type Tool } from '../../../catalogue/operation.ts';
import { isUndecided, isWithdrawn } from '../../../gate/approval.ts';
import { commandOf, wordsOf } from '../../../language/command-words.ts';
import { slackStyle } from '../../../language/help.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import { parseLine, secretsTyped } from '../../../language/parse.ts';
import { clean } from '../../../language/show.ts';
import { tokenize } from '../../../language/tokens.ts';
import { type Reference, readValue } from '../../../language/typed-values.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Fields, recordOf, scalarText } from '../../../lib/json.ts';
import { joined } from '../../../lib/words.ts';
import { titleOf } from '../blocks/card.ts';
import type { SlackContext } from '../context.ts';
import { typedLine } from '../typed.ts';
import { cardAt } from '../types.ts';
import {
  type ASK_WORDS,
  fieldInputs,
  HOURS,
  outputsOf,
  type Parameter,
  type READ_WORDS,
  toolOf,
} from './definitions.ts';

/*
 * Reads the inputs of a step. A problem is a sentence for the person whom Slack tells that a workflow failed, so it repeats
 * no value.
 */

/** The call that a workflow asks for. */
export interface StepCall {
  tool: Tool;
  /** Not checked yet. */
  input: Fields;
  /** Slack user id of the person whom the workflow names. */
  claimed: string;
  reason: string | undefined;
  hours: number;
}

export type Problem = { problem: string };

const USER = /^[UW][A-Z0-9]{2,}$/;

/** Reads the inputs of one execution. `prefix`: SLACK_COMMAND_PREFIX. */
export function readStep(
  step: BuilderStep,
  given: Fields,
  { tools, prefix }: { tools: readonly Tool[]; prefix?: string | undefined },
): StepCall | Problem {
  const claimed = textIn(given, 'claimed_user');
  if (!USER.test(claimed)) return { problem: 'The step needs the person who wants this (For whom).' };
  const hours = hoursIn(textIn(given, 'deadline_hours'));
  if (hours === undefined)
    return { problem: `The deadline must be a whole number of hours from ${HOURS.least} to ${HOURS.most}.` };
  const tool = toolOf(step, tools);
  const call = tool === undefined ? readNamed(given, tools, prefix) : readFields(step, tool, given);
  return 'problem' in call ? call : { ...call, claimed, hours, reason: textIn(given, 'reason') || undefined };
}

function hoursIn(text: string): number | undefined {
  if (text === '') return HOURS.usual;
  const hours = Number(text);
  return Number.isInteger(hours) && hours >= HOURS.least && hours <= HOURS.most ? hours : undefined;
}

function readFields(step: BuilderStep, tool: Tool, given: Fields): Pick<StepCall, 'tool' | 'input'> | Problem {
  const input: Fields = { ...step.given };
  const inputs = fieldInputs(step, tool);
  const missing = inputs.filter(({ name, required }) => required && textIn(given, name) === '');
  if (missing.length > 0) return { problem: `The step lacks: ${titles(missing)}.` };
  for (const { name, path, field, title } of inputs) {
    const text = textIn(given, name);
    if (text === '') continue;
    const read = readValue({ tool, field, path, notation: 'form' }, text, true);
    if ('problem' in read) return { problem: `The step cannot read: ${title}.` };
    const [head = '', member] = path.split('.');
    input[head] = member === undefined ? read.value : { ...recordOf(input[head]), [member]: read.value };
  }
  return { tool, input };
}

/** The operation by its command or its id, with the parameters of a typed line. */
function readNamed(
  given: Fields,
  tools: readonly Tool[],
  prefix: string | undefined,
): Pick<StepCall, 'tool' | 'input'> | Problem {
  const style = slackStyle(prefix);
  const typed = textIn(given, 'operation').replace(/\s+/g, ' ');
  const named = typed.replace(/ ?\.$/, '').toLowerCase();
  const groups = [...new Set(tools.map(({ group }) => group))];
  const [first = '', ...others] = named.split(' ');
  const byId = tools.find(({ id }) => id === named);
  const isNamed = (one: string) => [one, style.command(one)].some((word) => word === first || word === `${first}s`);
  const group = byId?.group ?? groups.find(isNamed);
  if (group === undefined) return { problem: 'The step names no operation. Write it as in the Slack command.' };
  const words = byId ? wordsOf(byId) : others;
  const parameters = typedLine(textIn(given, 'parameters')).replace(/\s+/g, ' ');
  const line = [...words, parameters].join(' ').trim();
  const parsed = parseLine(group, line, tools);
  if ('problem' in tokenize(parameters))
    return { problem: 'A quote or a bracket in the parameters is opened and never closed.' };
  if (parsed.kind === 'help' || parsed.tool === undefined)
    return { problem: 'The step names no operation. Write it as in the Slack command.' };
  const { tool } = parsed;
  const command = commandOf(tool);
  if (!isChange(tool)) return { problem: `${command} changes nothing that a person has to decide.` };
  if (fieldsOf(tool).some(({ required, secret }) => required && secret)) return { problem: elsewhere(tool) };
  if (secretsTyped(tool, parsed.input ?? {}).length > 0)
    return { problem: `A secret of ${command} cannot be given in a workflow. Use the form in Slack.` };
  if (parsed.kind === 'problem') {
    const field = fieldsOf(tool).find(({ name }) => name === parsed.field?.split('.')[0]);
    return { problem: `The parameters do not fit ${command}${field ? `, at ${field.name}` : ''}.` };
  }
  if (parsed.missing.length > 0) return { problem: `The parameters of ${command} lack: ${parsed.missing.join(', ')}.` };
  return { tool, input: parsed.input };
}

/** Names the place for a change that needs a secret. */
function elsewhere(tool: Tool): string {
  const step = builderSteps.find(({ operation }) => operation === tool.id);
  const place = step ? `Use the step “${step.title}” instead.` : 'Use its form in Slack instead.';
  return `${commandOf(tool)} needs a secret, which this step does not take. ${place}`;
}

/** The problem of an input that its operation does not take; undefined if it takes it. `now`: epoch ms. */
export function invalidIn(step: BuilderStep, { tool, input }: Pick<StepCall, 'tool' | 'input'>, now: number) {
  const wrong = [...new Set(fieldProblems(tool, input, new Date(now)).map(({ field }) => field.split('.')[0] ?? ''))];
  if (wrong.length === 0) return undefined;
  if (step.operation === undefined) return `These parameters of ${commandOf(tool)} are not valid: ${wrong.join(', ')}.`;
  const inputs = fieldInputs(step, tool).filter(({ path }) => wrong.includes(path.split('.')[0] ?? ''));
  return `These inputs of the step are not valid: ${titles(inputs) || wrong.join(', ')}.`;
}

/** The problem of a name or of last digits that do not mean exactly one record. It repeats no value. */
export function unclearIn(step: BuilderStep, tool: Tool, { path }: Reference): string {
  const field = String(path[0]);
  const input = step.operation === undefined ? undefined : fieldInputs(step, tool).find((one) => one.path === field);
  return input
    ? `This input of the step does not mean exactly one record: ${input.title}.`
    : `This parameter of ${commandOf(tool)} does not mean exactly one record: ${field}.`;
}

const titles = (list: readonly Parameter[]) => list.map(({ title }) => title).join(', ');

/** An input as text; empty if it is missing. */
function textIn(given: Fields, name: string): string {
  return scalarText(given[name]).trim();
}

/* The outputs of steps: plain texts, for the messages and branches of a workflow. */

type AskWord = (typeof ASK_WORDS)[number];
type StepWord = AskWord | (typeof READ_WORDS)[number];

/** Longest output, in characters. */
const MOST = 1_000;

/** The end of a step. */
export interface StepEnd {
  status: StepWord;
  message: string;
  /** The answer of the operation. */
  value?: Fields | undefined;
  more?: Readonly<Record<string, string | undefined>>;
}

/** Every output of the step. Those without a value are empty, because a workflow may use them. */
export function outputs(slack: SlackContext, step: BuilderStep, { status, message, value, more }: StepEnd): Fields {
  const values: Readonly<Record<string, string | undefined>> = {
    ...Object.fromEntries(Object.entries(step.answers).map(([name, { from }]) => [name, firstOf(value ?? {}, from)])),
    ...more,
    status,
    message,
  };
  return Object.fromEntries(outputsOf(step, slack.tools).map(({ name }) => [name, plain(values[name] ?? '')]));
}

/** A text that means nothing to Slack: a workflow may put it into a message, and a name may look like a mention. */
function plain(text: string): string {
  const harmless = clean(text).replaceAll('<', '‹').replaceAll('>', '›');
  return [...harmless].slice(0, MOST).join('');
}

/** The end of a step by its action. An action that is still pending means that the time of the step is over. */
export async function endOfAction(slack: SlackContext, action: Action): Promise<StepEnd> {
  const { gate, web, reworded } = slack;
  const tool = gate.tool(action.operation);
  const at = cardAt(action);
  const { headline, detail } = outcomeOf(action, tool);
  const still = 'The time of this step is over, and the change still waits for an approver.';
  const words = action.state === 'pending' ? still : reworded(joined([`${headline}.`, detail]));
  return {
    status: wordOf(action),
    message: `${titleOf(action, tool)}: ${words}`,
    value: action.result,
    more: {
      decided_by: gate.confirmation(action).decidedBy,
      operation_id: action.id,
      link: (at && (await web.permalink(at))) ?? gate.pageUrl(action.id),
    },
  };
}

function wordOf(action: Action): AskWord {
  const { state } = action;
  switch (state) {
    case 'declined':
      return isUndecided(action) || isWithdrawn(action) ? 'withdrawn' : 'declined';
    // It waits for another requester.
    case 'pending':
      return 'expired';
    case 'confirmed':
    case 'in_flight':
      return 'unknown';
    default:
      return state;
  }
}

/** The first member that has a value, by path. */
function firstOf(value: Fields, paths: readonly string[]): string | undefined {
  const found = paths.map((path) => path.split('.').reduce<unknown>((part, name) => recordOf(part)[name], value));
  return found.map(scalarText).find((text) => text !== '');
}
