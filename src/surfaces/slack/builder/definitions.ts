import { type BuilderStep, builderSteps } from '../../../../tools/surfaces/builder-steps.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf, soleMember } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { defined, type Fields } from '../../../lib/json.ts';

/* Derives the manifest's description of the steps of Workflow Builder from the operations that they perform. */

/** Hours that a step waits for a decision. */
export const HOURS = { least: 1, most: 24, usual: 24 } as const;

/** The values of `status` of a step that asks for a change, for the branches of a workflow. */
export const ASK_WORDS = ['done', 'partly', 'declined', 'withdrawn', 'expired', 'failed', 'unknown'] as const;
/** The same for a lookup. */
export const READ_WORDS = ['found', 'not_found', 'failed'] as const;

/** An input or output of a step, in Slack's words. */
export interface Parameter {
  name: string;
  type: 'string' | 'integer' | 'number' | 'boolean' | 'slack#/types/user_id' | 'slack#/types/date';
  title: string;
  description: string;
  required: boolean;
}

/** An input that fills a field of the operation. */
export interface FieldInput extends Parameter {
  field: Field;
  /** `Field`, or `Group.Member`. */
  path: string;
}

/** The operation of a step; undefined if the workflow names it. Throws if the catalogue does not have it. */
export function toolOf({ id, operation }: BuilderStep, tools: readonly Tool[]): Tool | undefined {
  const tool = tools.find((one) => one.id === operation);
  if (operation !== undefined && tool === undefined)
    throw new Error(`the step ${id} performs ${operation}, which the catalogue does not have`);
  return tool;
}

/** The inputs that fill fields of the operation. Throws for a field that the operation does not have. */
export function fieldInputs(step: BuilderStep, tool: Tool): FieldInput[] {
  return Object.entries(step.fields).map(([name, path]) => {
    const [head = '', member] = path.split('.');
    const group = fieldsOf(tool).find((one) => one.name === head);
    const field = member === undefined ? group : group?.fields?.find((one) => one.name === member);
    if (group === undefined || field === undefined)
      throw new Error(`${tool.id} has no field ${path}, which the step ${step.id} fills`);
    const isMember = member !== undefined;
    return {
      name,
      path,
      field,
      type: typeOf(field),
      title: isMember ? `${group.label}: ${field.label.toLowerCase()}` : field.label,
      description: descriptionOf(field),
      required: (field.required && group.required) || step.needs?.includes(name) === true,
    };
  });
}

function typeOf({ kind }: Field): Parameter['type'] {
  if (kind === 'boolean' || kind === 'number') return kind;
  return kind === 'date' ? 'slack#/types/date' : 'string';
}

function descriptionOf(field: Field): string {
  const shown = field.kind === 'rows' ? (soleMember(field) ?? field) : field;
  const example = field.secret || field.kind === 'date' ? undefined : shown.example;
  return [
    field.description,
    field.choices ? `One of ${field.choices.join(', ')}` : '',
    example === undefined || field.choices ? '' : `For example ${example}`,
    field.kind === 'rows' || field.kind === 'list' ? 'Several are separated by commas' : '',
    field.secret ? 'Slack keeps what a workflow collects, so whoever may see its answers can read this' : '',
  ]
    .filter((text) => text !== '')
    .map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replace(/\.\.$/, '.'))
    .join(' ');
}

const CLAIMED: Parameter = {
  name: 'claimed_user',
  type: 'slack#/types/user_id',
  title: 'For whom',
  description: 'The person who wants this. Switchboard cannot verify what a workflow says, so approvers see it marked.',
  required: true,
};

/** The same for a lookup, which no approver sees. */
const CLAIMED_READER: Parameter = {
  ...CLAIMED,
  description: 'The person who wants this. They need the role viewer. Switchboard cannot verify what a workflow says.',
};

/** The inputs of a step that names its operation itself. */
const NAMED: readonly Parameter[] = [
  {
    name: 'operation',
    type: 'string',
    title: 'Operation',
    description: 'As in the Slack command, for example: numbers status.',
    required: true,
  },
  {
    name: 'parameters',
    type: 'string',
    title: 'Parameters',
    description: 'As after the command, for example: park +12015550103 EffectiveDate=12/31/2099. No secrets.',
    required: false,
  },
];

const ASKING: readonly Parameter[] = [
  {
    name: 'reason',
    type: 'string',
    title: 'Reason',
    description: 'Approvers read it.',
    required: false,
  },
  {
    name: 'deadline_hours',
    type: 'integer',
    title: 'Deadline in hours',
    description: `${HOURS.least} to ${HOURS.most}, at most as long as a question of Switchboard waits (CONFIRM_TTL_SECONDS). If it is empty, the step waits that long.`,
    required: false,
  },
];

const text = (name: string, title: string, description: string): Parameter => ({
  name,
  type: 'string',
  title,
  description,
  required: name === 'status' || name === 'message',
});

/** All inputs of a step. */
export function inputsOf(step: BuilderStep, tools: readonly Tool[]): Parameter[] {
  const tool = toolOf(step, tools);
  const own = tool === undefined ? NAMED : fieldInputs(step, tool);
  return tool?.risk === 'read' ? [...own, CLAIMED_READER] : [...own, CLAIMED, ...ASKING];
}

/** All outputs of a step. */
export function outputsOf(step: BuilderStep, tools: readonly Tool[]): Parameter[] {
  const isRead = toolOf(step, tools)?.risk === 'read';
  const answers = Object.entries(step.answers).map(([name, { title, description }]) => text(name, title, description));
  const status = text('status', 'Status', `One of ${(isRead ? READ_WORDS : ASK_WORDS).join(', ')}.`);
  const message = text('message', 'Message', 'How it ended, in a sentence.');
  if (isRead) return [status, message, ...answers];
  return [
    status,
    message,
    text('decided_by', 'Decided by', 'Identity and name of the person who decided. Empty if nobody did.'),
    text('operation_id', 'Id of the change', 'The id by which Switchboard keeps it.'),
    text('link', 'Link to the card', 'The card in Slack, or the confirmation page.'),
    ...answers,
  ];
}

/** The member `functions` of the manifest. */
export function functionsOf(tools: readonly Tool[]): Fields {
  const parameters = (list: readonly Parameter[]) => ({
    properties: Object.fromEntries(
      list.map(({ name, type, title, description }) => [
        name,
        { type, title, ...defined({ description: description || undefined }) },
      ]),
    ),
    required: list.filter(({ required }) => required).map(({ name }) => name),
  });
  return Object.fromEntries(
    builderSteps.map((step) => [
      step.id,
      {
        title: step.title,
        description: step.description,
        input_parameters: parameters(inputsOf(step, tools)),
        output_parameters: parameters(outputsOf(step, tools)),
      },
    ]),
  );
}
