import { readListFile } from '../../../batches/rows.ts';
import { type Clock, FETCH_MS, inTime, RETRY_MS, sleep } from '../../../lib/clock.ts';
import { invalidInput } from '../../../lib/errors.ts';
import type { Log } from '../../../lib/log.ts';
import { defined, type Fields, objectIn, parseUrl, recordOf, recordsIn, textOf } from '../../../lib/values.ts';
import type * as ui from '../blocks/text.ts';
import { BUSY, logged, type Posted } from '../types.ts';

/** A failed call to Slack, with Slack's own error code as `reason`, such as `not_in_channel` or `ratelimited`. */
export class SlackRefusal extends Error {
  override readonly name = 'SlackRefusal';
  readonly reason: string;
  readonly retryAfterMs: number | undefined;
  /** Slack may have performed the call although no answer came. */
  readonly ambiguous: boolean;

  constructor(
    method: string,
    reason: string,
    more: { retryAfterMs?: number; ambiguous?: boolean; detail?: string } = {},
  ) {
    super(`${method}: ${reason}${more.detail ? ` (${more.detail})` : ''}`);
    this.reason = reason;
    this.retryAfterMs = more.retryAfterMs;
    this.ambiguous = more.ambiguous ?? false;
  }
}

/** Refusals of the whole app, until a person has put it right. */
const OF_APP = /^(invalid_auth|not_authed|account_inactive|token_revoked|token_expired|org_login_required)$/;

/** True if Slack clearly refused, and would refuse again. */
export function isFinal(error: unknown): error is SlackRefusal {
  return error instanceof SlackRefusal && !error.ambiguous && !BUSY.test(error.reason) && !OF_APP.test(error.reason);
}

/** An error of Slack's client as a `SlackRefusal`. */
function refusalOf(method: string, error: unknown): SlackRefusal {
  if (error instanceof SlackRefusal) return error;
  const { code, data, retryAfter } = recordOf(error);
  if (code === 'slack_webapi_rate_limited_error')
    return new SlackRefusal(method, 'ratelimited', { retryAfterMs: Number(retryAfter ?? 1) * 1000 });
  if (code !== 'slack_webapi_platform_error') {
    const detail = error instanceof Error ? error.message.slice(0, 200) : '';
    return new SlackRefusal(method, 'network', { ambiguous: true, detail });
  }
  const { error: reason, response_metadata: metadata } = recordOf(data);
  // Slack's errors are codes. Anything else did not come from Slack; it may be the page of a proxy.
  if (typeof reason !== 'string' || !/^[a-z0-9_]{1,80}$/.test(reason))
    return new SlackRefusal(method, 'network', { ambiguous: true, detail: 'the answer is not from Slack' });
  const { messages } = recordOf(metadata);
  const detail = Array.isArray(messages) ? messages.map(String).join('; ').slice(0, 500) : '';
  return new SlackRefusal(method, reason, { detail });
}

/** `call`: one attempt at a Web API method. It rejects as Slack's client does. */
interface WebParts {
  call: (method: string, args: Fields) => Promise<unknown>;
  fetch: typeof globalThis.fetch;
  clock: Clock;
  log: Log;
}

interface SlackFile {
  name: string;
  title: string;
  content: Uint8Array;
  channel?: string;
  reserved?: (id: string) => Promise<void>;
}

/**
 * Timeout of one call to Slack, far shorter than the library's default because people wait for the answer. `WebApi`
 * limits the tries.
 */
export const TIMEOUT_MS = 4_000;
/** A trigger expires after three seconds, and Slack expects the answer to a submitted form within three. */
const IN_TIME_MS = 1_200;
/** Pause after a place refused a message, before it is tried again. */
export const REFUSED_MS = 60_000;
/** Type of the metadata that identifies messages of this app in a channel's history. */
const EVENT_TYPE = 'switchboard_message';
/** Messages of a history that are read at once. */
const HISTORY_LIMIT = 200;

/** Tries of a call, within the time that people wait. Jobs try again later. */
const TRIES = 2;
/**
 * Methods of which only a rate limit is tried again: they may take effect twice, a trigger is valid for one use, and a sign
 * that comes late is of no use.
 */
const ONCE: ReadonlySet<string> = new Set([
  'agents.sessions.setStatus',
  'assistant.threads.setStatus',
  'chat.appendStream',
  'chat.postEphemeral',
  'chat.postMessage',
  'chat.startStream',
  'chat.stopStream',
  'files.completeUploadExternal',
  'views.open',
  'views.push',
]);

/** Slack's errors for blocks that it does not accept: codes of the Web API, and the status of a response_url. */
const INVALID: ReadonlySet<string> = new Set(['invalid_blocks', 'invalid_arguments', 'status 400']);
/** A table that people can sort and page in Slack. Not every workspace accepts it. */
const SORTED_TABLE = 'data_table';

/** The methods of Slack's Web API that this surface uses. Tries are bounded; they reject with `SlackRefusal`. */
export class WebApi {
  readonly #parts: WebParts;

  constructor(parts: WebParts) {
    this.#parts = parts;
  }

  /** Calls a method. Blocks that Slack refuses are sent in their plain form. */
  async call(method: string, args: Fields): Promise<Fields> {
    return this.#withTables(args, (shown) =>
      this.#tried(!ONCE.has(method), method, async () => recordOf(await this.#parts.call(method, shown))),
    );
  }

  /** Tries a call again after a rate limit, which comes before anything is done, and after no answer if it `isRepeatable`. */
  async #tried<T>(isRepeatable: boolean, method: string, work: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await work();
      } catch (error) {
        const refusal = refusalOf(method, error);
        const mayRetry = refusal.ambiguous ? isRepeatable : refusal.retryAfterMs !== undefined;
        const wait = refusal.retryAfterMs ?? 250 * 2 ** (tried - 1);
        // If Slack asks for a longer wait, the caller's job tries again.
        if (!mayRetry || tried >= TRIES || wait > RETRY_MS) throw refusal;
        this.#parts.log('debug', { method, attempt: tried, reason: refusal.reason }, 'retrying a call to Slack');
        await sleep(this.#parts.clock, wait);
      }
    }
  }

  /** Sends a message, and again with plain tables if Slack refuses one that can be sorted. */
  async #withTables<T>(args: Fields, run: (args: Fields) => Promise<T>): Promise<T> {
    try {
      return await run(args);
    } catch (error) {
      const blocks = recordsIn(args.blocks);
      const isSorted = blocks.some(({ type }) => type === SORTED_TABLE);
      if (!isSorted || !(error instanceof SlackRefusal) || !INVALID.has(error.reason)) throw error;
      const plain = blocks.map((one) => (one.type === SORTED_TABLE ? { type: 'table', rows: one.rows } : one));
      return run({ ...args, blocks: plain });
    }
  }

  /** `mark`: written into the message's metadata, so that `find` finds the message. */
  async post(channel: string, message: ui.Message, options: { threadTs?: string; mark?: string } = {}) {
    const { threadTs, mark } = options;
    const answer = await this.call('chat.postMessage', {
      channel,
      ...message,
      unfurl_links: false,
      unfurl_media: false,
      ...defined({ thread_ts: threadTs || undefined }),
      ...(mark && { metadata: { event_type: EVENT_TYPE, event_payload: { id: mark } } }),
    });
    // Without its ts, the message may be there but could never be updated.
    if (typeof answer.ts !== 'string')
      throw new SlackRefusal('chat.postMessage', 'no_ts', { ambiguous: true, detail: 'an answer without ts' });
    return { channel: textOf(answer.channel) || channel, ts: answer.ts };
  }

  /**
   * The newest messages of a channel, or of one of its threads, that were posted with this mark, oldest first. None if
   * the app may not read the channel: it needs the scope `channels:history`, `groups:history`, `im:history` or
   * `mpim:history`.
   */
  async find(channel: string, mark: string, threadTs?: string): Promise<Posted[]> {
    const reading = this.#history(channel, threadTs, { include_all_metadata: true });
    const messages = await reading.catch((error: unknown) => {
      if (isFinal(error)) return [];
      throw error;
    });
    const own = messages.filter(({ metadata }) => {
      const { event_type, event_payload } = recordOf(metadata);
      return event_type === EVENT_TYPE && recordOf(event_payload).id === mark;
    });
    return own.map(({ ts }) => ({ channel, ts: textOf(ts) })).sort((a, b) => Number(a.ts) - Number(b.ts));
  }

  /**
   * The messages of people in a thread since a time, oldest first. Needs the scope `channels:history` or
   * `groups:history`.
   *
   * @param since epoch ms
   */
  async replies(channel: string, threadTs: string, since: number) {
    const messages = await this.#history(channel, threadTs, { oldest: String(since / 1000) });
    return messages
      .filter(({ bot_id: bot, ts }) => bot === undefined && Number(ts) * 1000 > since)
      .map(({ user, text, ts }) => ({ user: textOf(user), text: textOf(text), ts: textOf(ts) }))
      .filter(({ user, text }) => user !== '' && text !== '');
  }

  async #history(channel: string, threadTs: string | undefined, more: Fields): Promise<Fields[]> {
    const method = threadTs ? 'conversations.replies' : 'conversations.history';
    const args = { channel, ...defined({ ts: threadTs || undefined }), limit: HISTORY_LIMIT, ...more };
    return recordsIn((await this.call(method, args)).messages);
  }

  /** Removes a message of this app. If Slack refuses, it stays, which is logged. */
  async remove({ channel, ts }: Posted): Promise<void> {
    await this.#try('chat.delete', { channel, ts });
  }

  /** Posts an ephemeral message: only `user` sees it, and Slack does not store it. */
  async whisper(channel: string, user: string, message: ui.Message, threadTs?: string): Promise<void> {
    const thread = defined({ thread_ts: threadTs || undefined });
    await this.call('chat.postEphemeral', { channel, user, ...message, ...thread });
  }

  async direct(user: string, message: ui.Message): Promise<Posted> {
    return this.post(await this.open(user), message);
  }

  /** The channel of direct messages with this person. */
  async open(user: string): Promise<string> {
    const opened = await this.call('conversations.open', { users: user });
    return String(recordOf(opened.channel).id);
  }

  async update({ channel, ts }: Posted, { text, blocks }: ui.Message): Promise<void> {
    await this.call('chat.update', { channel, ts, text, blocks });
  }

  /** Shows a modal. Resolves to its id. `above`: over the one in which the person clicked. */
  async openView(triggerId: string, view: Fields, above = false): Promise<string> {
    const answer = await this.call(above ? 'views.push' : 'views.open', { trigger_id: triggerId, view });
    return String(recordOf(answer.view).id);
  }

  async updateView(viewId: string, view: Fields): Promise<void> {
    await this.call('views.update', { view_id: viewId, view });
  }

  /** Publishes a person's App Home. */
  async publish(user: string, view: Fields): Promise<void> {
    await this.call('views.publish', { user_id: user, view });
  }

  /**
   * Uploads a file. Without `channel`, only the app can see it; otherwise Slack posts it there. Resolves to its id. Needs
   * the scope `files:write`.
   *
   * @param file.reserved called with the id before the content is sent
   */
  async upload({ name, title, content, channel, reserved }: SlackFile): Promise<string> {
    const file = { filename: name, length: content.length };
    const { file_id, upload_url } = await this.call('files.getUploadURLExternal', file);
    const id = String(file_id);
    await reserved?.(id);
    await this.#send('file upload', String(upload_url), 'application/octet-stream', content);
    await this.call('files.completeUploadExternal', { files: [{ id, title }], ...defined({ channel_id: channel }) });
    return id;
  }

  async person(user: string) {
    const found = recordOf((await this.call('users.info', { user })).user);
    const { display_name, real_name } = recordOf(found.profile);
    const { deleted, is_bot, is_workflow_bot, is_restricted, is_ultra_restricted } = found;
    return {
      name: [display_name, real_name, found.name].map(textOf).find((text) => text !== '') ?? user,
      team: textOf(found.team_id),
      zone: textOf(found.tz) || undefined,
      /** The person's organization, on Enterprise Grid. */
      enterprise: textOf(recordOf(found.enterprise_user).enterprise_id) || undefined,
      /** A person of another organization, in a Slack Connect channel. */
      stranger: found.is_stranger === true,
      /** A guest, a bot or a deactivated person of this workspace. */
      outsider: [deleted, is_bot, is_workflow_bot, is_restricted, is_ultra_restricted].includes(true),
    };
  }

  async groupMembers(group: string): Promise<string[]> {
    const { users } = await this.call('usergroups.users.list', { usergroup: group });
    return Array.isArray(users) ? users.map(String) : [];
  }

  /** The workspace and user of the bot token. */
  async identity() {
    const { team_id, enterprise_id, user_id } = await this.call('auth.test', {});
    return { team: String(team_id), enterprise: textOf(enterprise_id) || undefined, user: String(user_id) };
  }

  /** The address of a message; undefined if Slack does not say it. */
  async permalink({ channel, ts }: Posted): Promise<string | undefined> {
    const answer = await this.call('chat.getPermalink', { channel, message_ts: ts }).catch(() => undefined);
    return textOf(answer?.permalink) || undefined;
  }

  /** Answers an interaction through its response_url. */
  async respond(url: string, body: Fields): Promise<void> {
    const [method, type] = ['response_url', 'application/json; charset=utf-8'];
    const isRepeatable = body.replace_original === true || body.delete_original === true;
    await this.#withTables(body, (shown) =>
      this.#tried(isRepeatable, method, () => this.#send(method, url, type, JSON.stringify(shown))),
    );
  }

  /** One request to an address that Slack gave. `name`: for errors, which must not show the address. */
  async #send(name: string, url: string, type: string, body: string | Uint8Array<ArrayBufferLike>): Promise<void> {
    const headers = { 'content-type': type };
    const request = { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) };
    const response = await this.#parts.fetch(url, request).catch((error: unknown) => {
      throw new SlackRefusal(name, 'network', { ambiguous: true, detail: error instanceof Error ? error.name : '' });
    });
    const answer = objectIn(await response.text().catch(() => ''));
    const { ok, status } = response;
    const retryAfterMs = 1000 * (Number(response.headers.get('retry-after')) || 1);
    if (status === 429) throw new SlackRefusal(name, 'ratelimited', { retryAfterMs });
    if (!ok) throw new SlackRefusal(name, `status ${status}`, { ambiguous: status >= 500 });
    if (answer?.ok === false) throw new SlackRefusal(name, textOf(answer.error));
  }

  /** The result of work that Slack's answer needs; undefined if it takes longer than `ms`. The work goes on. */
  inTime<T>(work: Promise<T>, ms = IN_TIME_MS): Promise<T | undefined> {
    return inTime(this.#parts.clock, ms, work, () => undefined);
  }

  /* Slack's methods for agents. Each is optional: an answer arrives without those that Slack refuses. */

  /** Shows what happens now in place of an answer. An empty text removes it. */
  async status({ channel, threadTs }: Place, status: string): Promise<void> {
    await this.#try('assistant.threads.setStatus', { channel_id: channel, thread_ts: threadTs, status });
  }

  /** `processing` has a Stop button; `suspended` means that a person has to act. */
  async session({ channel, threadTs }: Pick<Place, 'channel' | 'threadTs'>, status: SessionStatus): Promise<void> {
    await this.#try('agents.sessions.setStatus', { channel_id: channel, thread_ts: threadTs, status });
  }

  /** Starts a message that grows. Resolves to undefined if Slack refuses, for example above 20 a minute. */
  async startStream(place: Place, chunks: readonly Fields[]): Promise<Posted | undefined> {
    const { channel, threadTs, userId, teamId } = place;
    const args = { channel, thread_ts: threadTs, recipient_user_id: userId, recipient_team_id: teamId, chunks };
    const ts = textOf((await this.#try('chat.startStream', args))?.ts);
    return ts === '' ? undefined : { channel, ts };
  }

  /** Adds to a stream. Resolves to false if Slack has ended it, or does not take it now. */
  async append({ channel, ts }: Posted, chunks: readonly Fields[]): Promise<boolean> {
    return (await this.#try('chat.appendStream', { channel, ts, chunks })) !== undefined;
  }

  /** Ends a stream. Resolves to false if the message may lack its end. */
  async stopStream({ channel, ts }: Posted, end: { chunks: readonly Fields[]; blocks: readonly Fields[] }) {
    // Slack takes no empty list.
    const filled = Object.fromEntries(Object.entries(end).filter(([, list]) => list.length > 0));
    return (await this.#try('chat.stopStream', { channel, ts, ...filled })) !== undefined;
  }

  /** Slack's answer; undefined if it refuses, which is logged. */
  #try(method: string, args: Fields): Promise<Fields | undefined> {
    const text = 'Slack refused a part of an answer, which goes without it';
    return this.call(method, args).catch(logged(this.#parts, 'info', text, { method }));
  }
}

/** The thread of a conversation, and the person who is answered. */
export interface Place {
  channel: string;
  threadTs: string;
  userId: string;
  teamId: string;
}

export type Person = Awaited<ReturnType<WebApi['person']>>;

export type SessionStatus = 'active' | 'processing' | 'suspended';

const SLACK_FILES = 'https://files.slack.com';
/** Maximum size of a list in bytes: 500 rows with long texts fit. */
const MAX_BYTES = 1_000_000;

/**
 * Reads the text of files that people choose in forms. The token is sent to Slack's own host alone.
 *
 * @param options.apiUrl another base of the Web API, whose host then serves the files too
 */
export function downloads(options: { token: string; apiUrl: string | undefined; fetch: typeof globalThis.fetch }) {
  const { token, apiUrl, fetch } = options;
  const origins = [SLACK_FILES, ...(apiUrl ? [new URL(apiUrl).origin] : [])];
  /**
   * Rejects with `invalid_input` if the file is too large, is no text, or Slack does not send it. Needs the scope
   * `files:read`.
   *
   * @param url its `url_private_download`
   */
  return async (url: string): Promise<string> => {
    if (!origins.includes(parseUrl(url)?.origin ?? ''))
      throw invalidInput('File', 'File: it is not stored in Slack. Upload it in the form.');
    const parts: Uint8Array[] = [];
    let size = 0;
    try {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(url, { headers, signal: AbortSignal.timeout(FETCH_MS) });
      // Without the scope, Slack answers with its page for signing in.
      const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
      if (!response.ok || isPage || response.body === null) throw new Error(`status ${response.status}`);
      for await (const part of response.body) {
        size += part.length;
        if (size > MAX_BYTES) break;
        parts.push(part);
      }
    } catch {
      throw invalidInput('File', 'File: Slack did not send it. Try again, or paste the lines.');
    }
    if (size > MAX_BYTES) throw invalidInput('File', 'File: it is larger than 1 MB. Give at most 500 rows.');
    const read = readListFile(Buffer.concat(parts));
    if ('problem' in read) throw invalidInput('File', `File: it ${read.problem}`);
    return read.text;
  };
}
