import { type Clock, inTime, sleep } from '../../../lib/clock.ts';
import { RETRY_MS } from '../../../lib/durations.ts';
import { defined, type Fields, recordOf, textOf } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import { fetchDirect } from '../../../lib/proxies.ts';
import type { Block, Message } from '../blocks/text.ts';
import { BUSY, type Posted } from '../types.ts';
import { ALERT, BlockFallback, DATA_TABLE, refusalOf, SlackRefusal } from './block-fallback.ts';

/** One attempt at a Web API method. Rejects as Slack's client does. */
export type ApiCall = (method: string, args: Fields) => Promise<unknown>;

export interface Person {
  name: string;
  team: string;
  zone: string | undefined;
  /** The person's organization, on Enterprise Grid. */
  enterprise: string | undefined;
  /** A person of another organization, in a Slack Connect channel. */
  stranger: boolean;
  /** A guest, a bot or a deactivated person of this workspace. */
  outsider: boolean;
}

export interface Identity {
  team: string;
  enterprise: string | undefined;
  user: string;
}

interface CallOptions {
  /**
   * The method may be called twice without harm. True by default, but false for posting a message or opening a view.
   */
  repeatable?: boolean;
  tries?: number;
}

const TRIES = 3;
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

/** The methods of Slack's Web API that this surface uses. Tries are bounded; they reject with `SlackRefusal`. */
export class WebApi {
  readonly #attempt: ApiCall;
  readonly #fetch: typeof globalThis.fetch;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #tables: BlockFallback;
  readonly #alerts: BlockFallback;

  constructor(options: { call: ApiCall; fetch?: typeof globalThis.fetch; clock: Clock; log: Log }) {
    this.#attempt = options.call;
    this.#fetch = options.fetch ?? fetchDirect;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#tables = new BlockFallback(DATA_TABLE, options.log);
    this.#alerts = new BlockFallback(ALERT, options.log);
  }

  /** `mark`: written into the message's metadata, so that `find` finds the message. */
  async post(channel: string, message: Message, options: { threadTs?: string; mark?: string } = {}): Promise<Posted> {
    const { threadTs, mark } = options;
    const args = {
      channel,
      text: message.text,
      unfurl_links: false,
      unfurl_media: false,
      ...defined({ thread_ts: threadTs || undefined }),
      ...(mark ? { metadata: { event_type: EVENT_TYPE, event_payload: { id: mark } } } : {}),
    };
    const answer = await this.#withBlocks(message.blocks, (blocks) =>
      this.#call('chat.postMessage', { ...args, blocks }, { repeatable: false }),
    );
    // Without its ts, the message may be there but could never be updated.
    if (typeof answer.ts !== 'string')
      throw new SlackRefusal('chat.postMessage', 'no_ts', { ambiguous: true, detail: 'an answer without ts' });
    return { channel: typeof answer.channel === 'string' ? answer.channel : channel, ts: answer.ts };
  }

  /**
   * The newest messages of a channel, or of one of its threads, that were posted with this mark, oldest first. None if
   * the app may not read the channel: it needs the scope `channels:history`, `groups:history`, `im:history` or
   * `mpim:history`.
   */
  async find(channel: string, mark: string, threadTs?: string): Promise<Posted[]> {
    const method = threadTs ? 'conversations.replies' : 'conversations.history';
    const args = { channel, ...defined({ ts: threadTs }), include_all_metadata: true, limit: HISTORY_LIMIT };
    try {
      const { messages } = await this.#call(method, args, { tries: 2 });
      const own = (Array.isArray(messages) ? messages : []).map(recordOf).filter(({ metadata, ts }) => {
        const { event_type, event_payload } = recordOf(metadata);
        return event_type === EVENT_TYPE && recordOf(event_payload).id === mark && typeof ts === 'string';
      });
      return own.map(({ ts }) => ({ channel, ts: textOf(ts) })).sort((a, b) => Number(a.ts) - Number(b.ts));
    } catch (error) {
      if (error instanceof SlackRefusal && !BUSY.has(error.reason) && !error.ambiguous) return [];
      throw error;
    }
  }

  /**
   * The messages of people in a thread since a time, oldest first. Needs the scope `channels:history` or
   * `groups:history`.
   *
   * @param since epoch ms
   */
  async replies(
    channel: string,
    threadTs: string,
    since: number,
  ): Promise<{ user: string; text: string; ts: string }[]> {
    const args = { channel, ts: threadTs, oldest: String(since / 1000), limit: HISTORY_LIMIT };
    const answer = await this.#call('conversations.replies', args, { tries: 1 });
    return (Array.isArray(answer.messages) ? answer.messages : []).map(recordOf).flatMap((message) => {
      const [user, text, ts] = [textOf(message.user), textOf(message.text), textOf(message.ts)];
      const isOld = Number(ts) * 1000 <= since;
      return user === '' || text === '' || message.bot_id !== undefined || isOld ? [] : [{ user, text, ts }];
    });
  }

  /** Calls a method of agents, which may take effect twice if it is repeated. Only a rate limit is tried again. */
  agent(method: string, args: Fields, tries = TRIES): Promise<Fields> {
    return this.#call(method, args, { repeatable: false, tries });
  }

  /** Ends a message that was streamed, with `blocks` below it. */
  stopStream(args: Fields, blocks: readonly Block[]): Promise<Fields> {
    // Slack takes no empty list.
    if (blocks.length === 0) return this.agent('chat.stopStream', args);
    return this.#withBlocks(blocks, (shown) => this.agent('chat.stopStream', { ...args, blocks: shown }));
  }

  /** Removes a message of this app. If Slack refuses, it stays, which is logged. */
  async remove({ channel, ts }: Posted): Promise<void> {
    await this.#call('chat.delete', { channel, ts }).catch((error: unknown) =>
      this.#log('info', { channel, ts, error: String(error) }, 'a message could not be removed'),
    );
  }

  /** Posts an ephemeral message: only `user` sees it, and Slack does not store it. */
  async whisper(channel: string, user: string, message: Message, threadTs?: string): Promise<void> {
    const thread = threadTs ? { thread_ts: threadTs } : {};
    const args = { channel, user, text: message.text, ...thread };
    await this.#tables.send(message.blocks, (blocks) =>
      this.#call('chat.postEphemeral', { ...args, blocks }, { repeatable: false, tries: 2 }),
    );
  }

  async direct(user: string, message: Message): Promise<Posted> {
    return this.post(await this.open(user), message);
  }

  /** The channel of direct messages with this person. */
  async open(user: string): Promise<string> {
    const opened = await this.#call('conversations.open', { users: user });
    return String(recordOf(opened.channel).id);
  }

  async update({ channel, ts }: Posted, { text, blocks }: Message): Promise<void> {
    await this.#withBlocks(blocks, (shown) => this.#call('chat.update', { channel, ts, text, blocks: shown }));
  }

  async openView(triggerId: string, view: Fields): Promise<string> {
    // A trigger is valid for three seconds and one use, so there is no second try.
    const answer = await this.#withAlerts(view, (shown) =>
      this.#call('views.open', { trigger_id: triggerId, view: shown }, { repeatable: false, tries: 1 }),
    );
    return String(recordOf(answer.view).id);
  }

  /** Shows a modal over the one in which the person clicked. */
  async pushView(triggerId: string, view: Fields): Promise<string> {
    const answer = await this.#call('views.push', { trigger_id: triggerId, view }, { repeatable: false, tries: 1 });
    return String(recordOf(answer.view).id);
  }

  async updateView(viewId: string, view: Fields): Promise<void> {
    await this.#withAlerts(view, (shown) => this.#call('views.update', { view_id: viewId, view: shown }, { tries: 2 }));
  }

  /** Sends a message, with other blocks in place of those that Slack refuses. */
  #withBlocks<T>(blocks: readonly Block[], run: (blocks: readonly Block[]) => Promise<T>): Promise<T> {
    return this.#tables.send(blocks, run);
  }

  /** Sends a modal, with text in place of alerts where Slack refuses those. */
  #withAlerts<T>(view: Fields, run: (view: Fields) => Promise<T>): Promise<T> {
    const blocks = Array.isArray(view.blocks) ? view.blocks.map(recordOf) : [];
    return this.#alerts.send(blocks, (shown) => run({ ...view, blocks: shown }));
  }

  /**
   * Reserves an id and an upload address for a file. Together with `upload` and `completeUpload`, this makes a file
   * that only the app can see. Needs the scope `files:write`.
   *
   * @param file its name, and its size in bytes
   */
  async reserveUpload(file: { name: string; length: number }): Promise<{ id: string; url: string }> {
    const args = { filename: file.name, length: file.length };
    const answer = await this.#call('files.getUploadURLExternal', args, { tries: 2 });
    return { id: String(answer.file_id), url: String(answer.upload_url) };
  }

  /** Sends the content of a file to the address of `reserveUpload`. */
  upload(url: string, content: Uint8Array): Promise<void> {
    return this.#send('file upload', url, 'application/octet-stream', content);
  }

  /** Ends an upload. Without `channel`, only the app can see the file; otherwise Slack posts it there, or in its thread. */
  async completeUpload(id: string, title: string, channel?: string, threadTs?: string): Promise<void> {
    const args = { files: [{ id, title }], ...defined({ channel_id: channel, thread_ts: threadTs }) };
    await this.#call('files.completeUploadExternal', args, { repeatable: channel === undefined, tries: 2 });
  }

  async deleteFile(id: string): Promise<void> {
    await this.#call('files.delete', { file: id }, { tries: 2 });
  }

  /** Publishes a person's App Home. */
  async publish(user: string, view: Fields): Promise<void> {
    await this.#call('views.publish', { user_id: user, view });
  }

  async person(user: string): Promise<Person> {
    const answer = await this.#call('users.info', { user }, { tries: 2 });
    const found = recordOf(answer.user);
    const profile = recordOf(found.profile);
    const org = recordOf(found.enterprise_user);
    const name = [profile.display_name, profile.real_name, found.name].map(textOf).find((text) => text !== '');
    return {
      name: name ?? user,
      team: textOf(found.team_id),
      zone: typeof found.tz === 'string' ? found.tz : undefined,
      enterprise: typeof org.enterprise_id === 'string' ? org.enterprise_id : undefined,
      stranger: found.is_stranger === true,
      outsider: [
        found.deleted,
        found.is_bot,
        found.is_workflow_bot,
        found.is_restricted,
        found.is_ultra_restricted,
      ].includes(true),
    };
  }

  async groupMembers(group: string): Promise<string[]> {
    const answer = await this.#call('usergroups.users.list', { usergroup: group }, { tries: 2 });
    return Array.isArray(answer.users) ? answer.users.map(String) : [];
  }

  /** The workspace and user of the bot token. */
  async identity(): Promise<Identity> {
    const answer = await this.#call('auth.test', {}, { tries: 2 });
    const enterprise = typeof answer.enterprise_id === 'string' ? answer.enterprise_id : undefined;
    return { team: String(answer.team_id), enterprise, user: String(answer.user_id) };
  }

  async permalink(at: Posted): Promise<string | undefined> {
    const args = { channel: at.channel, message_ts: at.ts };
    const answer = await this.#call('chat.getPermalink', args, { tries: 1 }).catch(() => undefined);
    return typeof answer?.permalink === 'string' ? answer.permalink : undefined;
  }

  /** Answers an interaction through its response_url. */
  async respond(url: string, body: Fields): Promise<void> {
    const blocks = Array.isArray(body.blocks) ? body.blocks.map(recordOf) : undefined;
    if (blocks === undefined) return this.#answer(url, body);
    return this.#tables.send(blocks, (shown) => this.#answer(url, { ...body, blocks: shown }));
  }

  #answer(url: string, body: Fields): Promise<void> {
    return this.#send('response_url', url, 'application/json; charset=utf-8', JSON.stringify(body));
  }

  /** One request to an address that Slack gave. `name`: for errors, which must not show the address. */
  async #send(name: string, url: string, type: string, body: string | Uint8Array<ArrayBufferLike>): Promise<void> {
    let status: number;
    try {
      const response = await this.#fetch(url, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      status = response.status;
      await response.arrayBuffer();
    } catch (error) {
      throw new SlackRefusal(name, 'network', {
        ambiguous: true,
        detail: error instanceof Error ? error.name : '',
      });
    }
    if (status < 200 || status > 299) throw new SlackRefusal(name, `status ${status}`);
  }

  /** The result of work that Slack's answer needs; undefined if it takes longer than `ms`. The work goes on. */
  inTime<T>(work: Promise<T>, ms = IN_TIME_MS): Promise<T | undefined> {
    return inTime(this.#clock, ms, work, () => undefined);
  }

  async sleep(ms: number): Promise<void> {
    await sleep(this.#clock, ms);
  }

  async #call(method: string, args: Fields, options: CallOptions = {}): Promise<Fields> {
    const { repeatable = true, tries = TRIES } = options;
    for (let tried = 1; ; tried += 1) {
      try {
        return recordOf(await this.#attempt(method, args));
      } catch (error) {
        const refusal = refusalOf(method, error);
        // A rate limit comes before anything is done; an ambiguous failure may have come after.
        const mayRetry = refusal.ambiguous ? repeatable : refusal.retryAfterMs !== undefined;
        const wait = refusal.retryAfterMs ?? 250 * 2 ** (tried - 1);
        // If Slack asks for a longer wait, the caller's job tries again.
        if (!mayRetry || tried >= tries || wait > RETRY_MS) throw refusal;
        this.#log('debug', { method, attempt: tried, reason: refusal.reason }, 'retrying a call to Slack');
        await this.sleep(wait);
      }
    }
  }
}
