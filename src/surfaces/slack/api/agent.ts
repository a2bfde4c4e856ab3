import { type Clock, MINUTE_MS } from '../../../lib/clock.ts';
import { defined, type Fields, textOf } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import { KeyValues } from '../../../store/key-values.ts';
import { levelOf } from '../../../store/outage.ts';
import type { Database } from '../../../store/types.ts';
import { BUSY, type Posted } from '../types.ts';
import { SlackRefusal } from './refusal.ts';
import type { WebApi } from './web.ts';

/** The thread of a conversation, and the person who is answered. */
export interface Place {
  channel: string;
  threadTs: string;
  userId: string;
  teamId: string;
}

/** A feature that Slack may refuse. An answer arrives without any of them. */
type Feature = 'status' | 'session' | 'stream' | 'prompts';
export type SessionStatus = 'active' | 'processing' | 'suspended';

export interface Prompt {
  title: string;
  message: string;
}

/** Time after which a feature that was refused is tried again, because scopes and plans change. */
const OFF_MS = 60 * 60_000;
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

/** Slack's methods for agents. Each feature is optional: the first refusal is logged and switches that one off. */
export class AgentApi {
  readonly #web: WebApi;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #offUntil = new Map<Feature, number>();
  readonly #streams: StreamLimit;

  constructor({ web, streams, clock, log }: { web: WebApi; streams: StreamLimit; clock: Clock; log: Log }) {
    this.#streams = streams;
    this.#web = web;
    this.#clock = clock;
    this.#log = log;
  }

  /** Shows what happens now in place of an answer. An empty text removes it. */
  async status({ channel, threadTs }: Place, status: string): Promise<void> {
    const args = { channel_id: channel, thread_ts: threadTs, status };
    await this.#try('status', 'assistant.threads.setStatus', args, 1);
  }

  /** `processing` has a Stop button; `suspended` means that a person has to act. */
  async session({ channel, threadTs }: Pick<Place, 'channel' | 'threadTs'>, status: SessionStatus): Promise<void> {
    const args = { channel_id: channel, thread_ts: threadTs, status };
    await this.#try('session', 'agents.sessions.setStatus', args);
  }

  /** The prompts on top of a conversation, four at most. */
  async prompts(channel: string, prompts: readonly Prompt[]): Promise<void> {
    const args = { channel_id: channel, title: 'Try one of these', prompts: prompts.slice(0, 4) };
    await this.#try('prompts', 'assistant.threads.setSuggestedPrompts', args);
  }

  /** Starts a message that grows. Resolves to undefined if Slack refuses, or above the rate that Slack accepts. */
  async startStream(place: Place, chunks: readonly Fields[]): Promise<Posted | undefined> {
    if (this.#isOff('stream') || !(await this.#streams.take())) return undefined;
    const { channel, threadTs, userId, teamId } = place;
    const args = { channel, thread_ts: threadTs, recipient_user_id: userId, recipient_team_id: teamId, chunks };
    const answer = await this.#try('stream', 'chat.startStream', args, 1);
    const ts = textOf(answer?.ts);
    return ts === '' ? undefined : { channel, ts };
  }

  /** Adds to a stream. Resolves to false if Slack has ended it. */
  async append({ channel, ts }: Posted, chunks: readonly Fields[]): Promise<boolean> {
    return (await this.#try('stream', 'chat.appendStream', { channel, ts, chunks })) !== undefined;
  }

  /** Ends a stream. Resolves to false if the message may lack its end. */
  async stopStream({ channel, ts }: Posted, end: { chunks: readonly Fields[]; blocks: readonly Fields[] }) {
    const chunks = end.chunks.length > 0 ? end.chunks : undefined;
    const args = { channel, ts, ...defined({ chunks }) };
    // A stream that was started is ended even if a refusal has switched streams off.
    const stop = () => this.#web.stopStream(args, end.blocks);
    return (await this.#attempt('stream', 'chat.stopStream', stop)) !== undefined;
  }

  async #try(feature: Feature, method: string, args: Fields, tries?: number): Promise<Fields | undefined> {
    if (this.#isOff(feature)) return undefined;
    return this.#attempt(feature, method, () => this.#web.agent(method, args, tries));
  }

  async #attempt(feature: Feature, method: string, run: () => Promise<Fields>): Promise<Fields | undefined> {
    try {
      return await run();
    } catch (error) {
      const reason = error instanceof SlackRefusal ? error.reason : String(error);
      const isPassing = BUSY.has(reason) || OF_THIS.has(reason) || (error instanceof SlackRefusal && error.ambiguous);
      if (!isPassing) this.#offUntil.set(feature, this.#clock.now() + OFF_MS);
      const text = isPassing ? 'Slack refused a part of an answer' : 'Slack refuses a feature; answers go without it';
      this.#log(isPassing ? 'debug' : 'warn', { feature, method, reason }, text);
      return undefined;
    }
  }

  #isOff(feature: Feature): boolean {
    return (this.#offUntil.get(feature) ?? 0) > this.#clock.now();
  }
}

/** Slack starts and stops 20 streams a minute in a workspace. */
const STREAMS_A_MINUTE = 20;

/** Counts the streams of the last minute over all processes. */
export class StreamLimit {
  readonly #started: KeyValues;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor({ database, clock, log }: { database: Database; clock: Clock; log: Log }) {
    this.#started = new KeyValues({ database, clock, kind: 'stream' });
    this.#clock = clock;
    this.#log = log;
  }

  /** Resolves to false if no stream may start now. */
  async take(): Promise<boolean> {
    try {
      return await this.#started.addBelow(STREAMS_A_MINUTE, this.#clock.now() + MINUTE_MS);
    } catch (error) {
      this.#log(
        levelOf(error, 'warn'),
        { error: String(error) },
        'streams could not be counted; the answer is one message',
      );
      return false;
    }
  }
}
