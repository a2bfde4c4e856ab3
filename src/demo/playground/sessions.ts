// The state of the app's work in a thread: its status, its session, and the prompts it suggests.
import type { Clock } from '../../lib/clock.ts';

const STATUS_MS = 2 * 60_000;
/** Number of threads that are kept; the oldest are forgotten. */
const KEPT_THREADS = 500;

export const SESSION_STATUSES = ['active', 'processing', 'suspended', 'closed'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export interface Session {
  status: SessionStatus;
  title: string | undefined;
}

/** The line that Slack shows while the app works: `is thinking…`. */
export interface Working {
  text: string;
  /** Texts that Slack shows in turn; may be empty. */
  loading: readonly string[];
}

export interface Prompts {
  title: string | undefined;
  prompts: readonly { title: string; message: string }[];
}

/** The state of the app's conversations, by thread. */
export class Sessions {
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #working = new Map<string, Working & { timer: unknown }>();
  readonly #sessions = new Map<string, Session>();
  readonly #prompts = new Map<string, Prompts>();
  readonly #titles = new Map<string, string>();

  /** @param changed runs after each change, so that pages draw it */
  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  /** Shows a status for two minutes at most. An empty text removes it. */
  setWorking(channel: string, thread: string, working: Working): void {
    this.clearWorking(channel, thread);
    if (working.text === '') return;
    const timer = this.#clock.setTimeout(() => this.clearWorking(channel, thread), STATUS_MS);
    keep(this.#working, keyOf(channel, thread), { ...working, timer });
    this.#changed();
  }

  /** Removes the status, as Slack does at the app's next message in the thread. */
  clearWorking(channel: string, thread: string): void {
    const key = keyOf(channel, thread);
    const found = this.#working.get(key);
    if (!found) return;
    this.#clock.clearTimeout(found.timer);
    this.#working.delete(key);
    this.#changed();
  }

  working(channel: string, thread: string): Working | undefined {
    return this.#working.get(keyOf(channel, thread));
  }

  /** Sets a session's status, and makes the session if there is none. `title` counts only then. */
  setStatus(channel: string, thread: string, status: SessionStatus, title?: string): Session {
    const key = keyOf(channel, thread);
    const session = this.#sessions.get(key) ?? { status, title };
    session.status = status;
    keep(this.#sessions, key, session);
    this.#changed();
    return session;
  }

  /** Renames a session; undefined if there is none. */
  rename(channel: string, thread: string, title: string): Session | undefined {
    const session = this.session(channel, thread);
    if (session) session.title = title;
    this.#changed();
    return session;
  }

  session(channel: string, thread: string): Session | undefined {
    return this.#sessions.get(keyOf(channel, thread));
  }

  setTitle(channel: string, thread: string, title: string): void {
    keep(this.#titles, keyOf(channel, thread), title);
    this.#changed();
  }

  title(channel: string, thread: string): string | undefined {
    return this.session(channel, thread)?.title ?? this.#titles.get(keyOf(channel, thread));
  }

  /** @param thread undefined for the top of the conversation */
  setPrompts(channel: string, thread: string | undefined, prompts: Prompts): void {
    keep(this.#prompts, keyOf(channel, thread), prompts);
    this.#changed();
  }

  prompts(channel: string, thread?: string): Prompts | undefined {
    return this.#prompts.get(keyOf(channel, thread));
  }

  /** Forgets everything. */
  clear(): void {
    for (const { timer } of this.#working.values()) this.#clock.clearTimeout(timer);
    for (const map of [this.#working, this.#sessions, this.#prompts, this.#titles]) map.clear();
  }
}

function keyOf(channel: string, thread: string | undefined): string {
  return `${channel}/${thread ?? ''}`;
}

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > KEPT_THREADS && oldest !== undefined) map.delete(oldest);
}
