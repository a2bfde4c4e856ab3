// Shared by the Web API's methods: refusals, arguments, and the checks of text and blocks.
import { type Fields, isRecord } from '../../lib/values.ts';
import type { Problem } from './elements.ts';
import { asMessages, checkBlocks, MAX_TEXT } from './limits.ts';
import { SESSION_STATUSES, type SessionStatus } from './sessions.ts';
import { IDS, type State } from './state.ts';
import { type Channel, objects, parseJson, str } from './types.ts';

export class Refusal extends Error {
  readonly answer: Fields;
  constructor(error: string, more: Fields = {}) {
    super(error);
    this.answer = { ok: false, error, ...more };
  }
}

export function refuse(error: string, problems: Problem[]): Refusal {
  const messages = asMessages(problems);
  const plain = messages.map((message) => message.replace('[ERROR] ', ''));
  return new Refusal(error, { errors: plain, response_metadata: { messages } });
}

/** Runs a method. `base` returns the address of this server, for methods that hand out URLs on it. */
export type Method = (state: State, args: Fields, base: () => string) => Fields;

export interface MethodEntry {
  run: Method;
  /** The token needs any one of these. */
  scopes: string[];
}

/** Structured arguments arrive as objects in JSON bodies and as JSON text in form bodies. */
export function structured(value: unknown): unknown {
  return typeof value === 'string' && value !== '' ? (parseJson(value) ?? value) : value;
}

export function need(args: Fields, name: string): string {
  const value = args[name];
  if (typeof value === 'string' && value !== '') return value;
  const message = `[ERROR] missing required field: ${name}`;
  throw new Refusal('invalid_arguments', { response_metadata: { messages: [message] } });
}

/** The refusal of one argument, with the reason in Slack's form. */
export function invalid(name: string, reason: string): Refusal {
  const message = `[ERROR] ${reason} [json-pointer:/${name}]`;
  return new Refusal('invalid_arguments', { response_metadata: { messages: [message] } });
}

/** Reads `metadata` in Slack's form: an event's name and its payload. */
export function metadataOf(args: Fields): unknown {
  const metadata = structured(args.metadata);
  if (metadata === undefined || metadata === '') return undefined;
  if (!isRecord(metadata) || typeof metadata.event_type !== 'string' || !isRecord(metadata.event_payload))
    throw new Refusal('invalid_metadata_format');
  return metadata;
}

/** Reads a session's status; undefined if it is left out. Refuses an unknown one. */
export function sessionStatusOf(value: unknown): SessionStatus | undefined {
  const status = str(value);
  if (status === undefined) return undefined;
  if (!(SESSION_STATUSES as readonly string[]).includes(status)) {
    throw invalid('status', `must be one of ${SESSION_STATUSES.join(', ')}`);
  }
  return status as SessionStatus;
}

export function channelFor(state: State, args: Fields, writing = true): Channel {
  const id = need(args, 'channel');
  const user = state.users.get(id);
  const byName = [...state.channels.values()].find((channel) => `#${channel.name}` === id);
  const channel = user ? state.im(user.id) : (state.channels.get(id) ?? byName);
  if (!channel || (channel.isPrivate && !channel.members.has(IDS.BOT_USER))) throw new Refusal('channel_not_found');
  if (writing && channel.isArchived) throw new Refusal('is_archived');
  if (writing && !channel.members.has(IDS.BOT_USER) && !state.scopes.has('chat:write.public')) {
    throw new Refusal('not_in_channel');
  }
  return channel;
}

export interface Content {
  text: string;
  blocks: Fields[] | undefined;
  warning: string | undefined;
}

/** Checks text and blocks, for every method that posts. */
export function contentOf(state: State, args: Fields): Content {
  const blocks = structured(args.blocks);
  const text = str(args.text) ?? str(args.markdown_text) ?? '';
  if (str(args.markdown_text) !== undefined && text.length > 12_000) throw new Refusal('msg_too_long');
  if (blocks !== undefined && !(Array.isArray(blocks) && blocks.length === 0)) {
    if (!Array.isArray(blocks)) throw new Refusal('invalid_blocks_format');
    const problems = checkBlocks(blocks, 'message', { files: state.files });
    if (problems.length > 0) throw refuse('invalid_blocks', problems);
  } else if (text === '' && args.attachments === undefined) {
    throw new Refusal('no_text');
  }
  const attachments = objects(structured(args.attachments));
  attachments.forEach((attachment, i) => {
    if (attachment.blocks === undefined) return;
    const problems = checkBlocks(attachment.blocks, 'message', {
      base: `/attachments/${i}/blocks`,
      files: state.files,
    });
    if (problems.length > 0) throw refuse('invalid_attachments', problems);
  });
  const warning =
    text.length > MAX_TEXT
      ? 'message_truncated'
      : text === '' && blocks !== undefined
        ? 'missing_text_in_message'
        : undefined;
  const inAttachments = attachments.flatMap((attachment) => objects(attachment.blocks));
  const all = Array.isArray(blocks) || inAttachments.length > 0 ? [...objects(blocks), ...inAttachments] : undefined;
  return { text: text.slice(0, MAX_TEXT), blocks: all, warning };
}

export function warn(state: State, method: string, content: Content): Fields {
  if (!content.warning) return {};
  state.warnings.push(`${method}: ${content.warning}`);
  return { warning: content.warning, response_metadata: { warnings: [content.warning] } };
}
