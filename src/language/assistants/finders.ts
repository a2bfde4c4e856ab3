import { type Finder, finders } from '../../../tools/surfaces/assistants.ts';
import type { Field } from '../../catalogue/field-types.ts';
import { fieldsOf } from '../../catalogue/fields.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { Failure } from '../../lib/errors.ts';
import { type Fields, recordOf } from '../../lib/json.ts';
import { joined, plainText, withoutQuotes } from '../../lib/words.ts';

/** Most tools that one error names. */
const MAX_NAMED = 3;

/** A failed call, and the tools that its assistant may call. */
interface FailedCall {
  tool: Tool | undefined;
  input: Fields;
  has: (id: string) => boolean;
  /** True for an operation of the catalogue. */
  exists: (id: string) => boolean;
}

/**
 * The failure with next steps that its assistant can take: the tools that find the ids and numbers which the call gave
 * wrongly or left out, and those of its own sentences that a person must run.
 */
export function withNextSteps(failure: Failure, call: FailedCall): Failure {
  return withNotOffered(withFinders(failure, call), call);
}

function withFinders(failure: Failure, { tool, input, has }: FailedCall): Failure {
  const { code, field: wrong, next } = failure;
  const isMissing = code === 'not_found' || code === 'bad_request';
  const { fields = isMissing && wrong !== undefined ? [{ field: wrong, message: '' }] : [] } = failure;
  if (tool === undefined || !(code === 'invalid_input' || isMissing)) return failure;
  if (code === 'invalid_input' && next !== undefined) return failure;
  const texts = fields.flatMap(({ field }) => {
    const found = finderOf(fieldAt(tool, field), valueAt(input, field));
    return found && has(found.operation) ? [found.text] : [];
  });
  const named = [...new Set(texts)].slice(0, MAX_NAMED);
  return named.length === 0 ? failure : { ...failure, next: joined([next, named.join(' ')]) };
}

/** The name of an operation in a sentence. */
const OPERATION = /\b[a-z]+\d*(?:_[a-z\d]+)+\b/g;

/** Says which operations of the failure's own sentences this assistant cannot call. */
function withNotOffered(failure: Failure, { has, exists }: FailedCall): Failure {
  const { code, message, next } = failure;
  // That an operation is not offered is all that this error says.
  if (code === 'forbidden_by_role') return failure;
  const own = plainText(withoutQuotes(joined([message, next])));
  const named = [...new Set(own.match(OPERATION) ?? [])].filter((id) => exists(id) && !has(id));
  return named.length === 0 ? failure : { ...failure, next: joined([next, notOffered(named)]) };
}

/** Says that a person must run these operations. */
export function notOffered(ids: readonly string[]): string {
  return `Not offered to you: ${ids.join(', ')}. Tell the person, who can run ${ids.length === 1 ? 'it' : 'them'} in Slack or at the terminal.`;
}

function finderOf(field: Field | undefined, value: unknown): Finder | undefined {
  if (field?.kind === 'phone') {
    const isGiven = typeof value === 'string' && value !== '';
    return isGiven ? finders.find(({ finds }) => finds === 'phone') : undefined;
  }
  // Webhooks and workgroups share a prefix; the last one of a field tells them apart.
  return finders.find(({ finds }) => finds === field?.ids?.at(-1) || finds === field?.ids?.[0]);
}

/** The field at a path such as "PhoneNumbers.0.Number"; undefined if the operation has none. */
function fieldAt(tool: Tool, path: string): Field | undefined {
  const [top, ...rest] = path.split('.').filter((part) => !/^\d+$/.test(part));
  return rest.reduce<Field | undefined>(
    (field, name) => field?.fields?.find((member) => member.name === name),
    fieldsOf(tool).find(({ name }) => name === top),
  );
}

/** The value at a path. A plain value stands for a row with one member. */
function valueAt(input: Fields, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, key) => (typeof at === 'string' ? at : (at as Fields | null | undefined)?.[key]), input);
}

/** The bot scope of an app that declares MCP servers. */
export const SLACKBOT_SCOPE = 'mcp:connect';
/** Slack authenticates to the server by its signature, and sends the person's ids. */
export const SLACKBOT_AUTH = 'slack_identity_auth';

/** Maximum number of blocks in one result. */
export const SLACKBOT_BLOCKS = 50;
/** The types of blocks that Slackbot shows and that Switchboard uses. */
export const SLACKBOT_TYPES: ReadonlySet<string> = new Set([
  'context',
  'divider',
  'header',
  'rich_text',
  'section',
  'table',
]);

/** The person that Slack names in a signed request. */
export interface SlackbotPerson {
  /** `U…` or `W…`. */
  userId: string;
  /** The workspace (`T…`) or, without one, the organization (`E…`). */
  teamId: string;
  /** The conversation, if Slack names it. */
  channel?: string;
}

/** The person in the parameters of a request; undefined if they name none. Counts only under Slack's signature. */
export function slackbotPerson(params: unknown): SlackbotPerson | undefined {
  const {
    user_id: user,
    team_id: team,
    enterprise_id: org,
    channel_id: channel,
  } = recordOf(recordOf(recordOf(params)._meta).slack);
  const home = isId(team, 'T') || isId(team, 'E') ? team : isId(org, 'E') && (team ?? null) === null ? org : undefined;
  if (home === undefined || !(isId(user, 'U') || isId(user, 'W'))) return undefined;
  const named = ['C', 'D', 'G'].some((letter) => isId(channel, letter));
  return { userId: user, teamId: home, ...(named ? { channel: String(channel) } : {}) };
}

function isId(value: unknown, letter: string): value is string {
  return typeof value === 'string' && value.startsWith(letter) && /^[A-Z0-9]{2,32}$/.test(value);
}
