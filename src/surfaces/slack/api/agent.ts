import { readListFile } from '../../../batches/csv.ts';
import { type Clock, FETCH_MS, MINUTE_MS } from '../../../lib/clock.ts';
import { invalidInput } from '../../../lib/errors.ts';
import { parseUrl } from '../../../lib/http.ts';
import type { Log } from '../../../lib/log.ts';
import { type Fields, textOf } from '../../../lib/values.ts';
import { KeyValues, levelOf } from '../../../store/key-values.ts';
import type { Database } from '../../../store/types.ts';
import { BUSY, type Posted } from '../types.ts';
import { isAmbiguous, SlackRefusal, type WebApi } from './web.ts';

/** The thread of a conversation, and the person who is answered. */
export interface Place {
  channel: string;
  threadTs: string;
  userId: string;
  teamId: string;
}

/** A feature that Slack may refuse. An answer arrives without any of them. */
type Feature = 'status' | 'session' | 'stream';
export type SessionStatus = 'active' | 'processing' | 'suspended';

/** Time after which a feature that was refused is tried again, because scopes and plans change. */
const OFF_MS = 60 * MINUTE_MS;
/** Refusals that concern one message or thread, and not the feature. */
const OF_THIS: ReadonlySet<string> = new Set([
  'thread_not_found',
  'message_not_found',
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'message_not_in_streaming_state',
  'streaming_state_conflict',
  'stopped_by_user',
  'msg_too_long',
  'no_text',
  'user_not_in_channel',
]);
/** Slack starts and stops 20 streams a minute in a workspace. */
const STREAMS_A_MINUTE = 20;

/** Slack's methods for agents. Each feature is optional: the first refusal is logged and switches that one off. */
export class AgentApi {
  readonly #web: WebApi;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #offUntil = new Map<Feature, number>();
  /** The streams of the last minute over all processes. */
  readonly #streams: KeyValues;

  constructor({ web, database, clock, log }: { web: WebApi; database: Database; clock: Clock; log: Log }) {
    this.#streams = new KeyValues({ database, clock, kind: 'stream' });
    this.#web = web;
    this.#clock = clock;
    this.#log = log;
  }

  /** Shows what happens now in place of an answer. An empty text removes it. */
  async status({ channel, threadTs }: Place, status: string): Promise<void> {
    await this.#try('status', 'assistant.threads.setStatus', { channel_id: channel, thread_ts: threadTs, status });
  }

  /** `processing` has a Stop button; `suspended` means that a person has to act. */
  async session({ channel, threadTs }: Pick<Place, 'channel' | 'threadTs'>, status: SessionStatus): Promise<void> {
    await this.#try('session', 'agents.sessions.setStatus', { channel_id: channel, thread_ts: threadTs, status });
  }

  /** Starts a message that grows. Resolves to undefined if Slack refuses, or above the rate that Slack accepts. */
  async startStream(place: Place, chunks: readonly Fields[]): Promise<Posted | undefined> {
    if (this.#isOff('stream') || !(await this.#mayStream())) return undefined;
    const { channel, threadTs, userId, teamId } = place;
    const args = { channel, thread_ts: threadTs, recipient_user_id: userId, recipient_team_id: teamId, chunks };
    const answer = await this.#try('stream', 'chat.startStream', args);
    const ts = textOf(answer?.ts);
    return ts === '' ? undefined : { channel, ts };
  }

  /** Adds to a stream. Resolves to false if Slack has ended it, or does not take it now. */
  async append({ channel, ts }: Posted, chunks: readonly Fields[]): Promise<boolean> {
    return (await this.#try('stream', 'chat.appendStream', { channel, ts, chunks })) !== undefined;
  }

  /** Ends a stream. Resolves to false if the message may lack its end. */
  async stopStream({ channel, ts }: Posted, end: { chunks: readonly Fields[]; blocks: readonly Fields[] }) {
    // Slack takes no empty list.
    const filled = Object.fromEntries(Object.entries(end).filter(([, list]) => list.length > 0));
    // A stream that was started is ended even if a refusal has switched streams off.
    return (await this.#try('stream', 'chat.stopStream', { channel, ts, ...filled }, true)) !== undefined;
  }

  /** Slack's answer; undefined if it refuses, and while the feature is off. */
  async #try(feature: Feature, method: string, args: Fields, evenOff = false): Promise<Fields | undefined> {
    if (this.#isOff(feature) && !evenOff) return undefined;
    try {
      return await this.#web.call(method, args);
    } catch (error) {
      const reason = error instanceof SlackRefusal ? error.reason : String(error);
      const isPassing = BUSY.has(reason) || OF_THIS.has(reason) || isAmbiguous(error);
      const isNews = !isPassing && !this.#isOff(feature);
      if (isNews) this.#offUntil.set(feature, this.#clock.now() + OFF_MS);
      const text = isNews ? 'Slack refuses a feature; answers go without it' : 'Slack refused a part of an answer';
      this.#log(isNews ? 'warn' : 'debug', { feature, method, reason }, text);
      return undefined;
    }
  }

  #isOff(feature: Feature): boolean {
    return (this.#offUntil.get(feature) ?? 0) > this.#clock.now();
  }

  async #mayStream(): Promise<boolean> {
    try {
      return await this.#streams.addBelow(STREAMS_A_MINUTE, this.#clock.now() + MINUTE_MS);
    } catch (error) {
      const text = 'streams could not be counted; the answer is one message';
      this.#log(levelOf(error, 'warn'), { error: String(error) }, text);
      return false;
    }
  }
}

const SLACK_FILES = 'https://files.slack.com';
/** Maximum size of a list in bytes: 500 rows with long texts fit. */
const MAX_BYTES = 1_000_000;

/** Reads the files that people choose in forms. The token is sent to Slack's own host alone. */
export class Downloads {
  readonly #token: string;
  readonly #origins: readonly string[];
  readonly #fetch: typeof globalThis.fetch;

  /** `apiUrl`: another base of the Web API, whose host then serves the files too. */
  constructor({ token, apiUrl, fetch }: { token: string; apiUrl: string | undefined; fetch: typeof globalThis.fetch }) {
    this.#token = token;
    this.#fetch = fetch;
    this.#origins = [SLACK_FILES, ...(apiUrl ? [new URL(apiUrl).origin] : [])];
  }

  /**
   * The text of a file. Rejects with `invalid_input` if it is too large, is no text, or Slack does not send it. Needs
   * the scope `files:read`.
   *
   * @param url its `url_private_download`
   */
  async text(url: string): Promise<string> {
    if (!this.#origins.includes(parseUrl(url)?.origin ?? ''))
      throw invalidInput('File', 'File: it is not stored in Slack. Upload it in the form.');
    const parts: Uint8Array[] = [];
    let size = 0;
    try {
      const headers = { authorization: `Bearer ${this.#token}` };
      const response = await this.#fetch(url, { headers, signal: AbortSignal.timeout(FETCH_MS) });
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
  }
}
