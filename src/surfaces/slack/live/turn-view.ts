import type { Step } from '../../../assistant/turn-events.ts';
import { type Clock, inTime } from '../../../lib/clock.ts';
import { REDRAW_MS } from '../../../lib/durations.ts';
import type { Fields } from '../../../lib/json.ts';
import { BoundedMap } from '../../../lib/lists.ts';
import type { AgentApi, Place, SessionStatus } from '../api/agent.ts';
import type { WebApi } from '../api/web.ts';
import { type Block, cut } from '../blocks/text.ts';
import { answerMessage, defused, messageParts, wholeWords } from '../blocks/turn.ts';
import type { Posted } from '../types.ts';

/** Slack's limit for each text of a step. */
const MAX_STEP = 250;
/** Slack's limit for one piece of text is 12,000 characters. */
const MAX_CHUNK = 8_000;
/** Blocks of the card above an answer; a message has at most 50, with those below it. */
const MAX_CARD = 35;
/** Red is for unknown outcomes. A failure is named in the title of its step. */
const STEP_STATUS = {
  running: 'in_progress',
  done: 'complete',
  waits: 'complete',
  failed: 'complete',
  skipped: 'complete',
  unknown: 'error',
};

export interface TurnViewOptions {
  place: Place;
  agent: AgentApi;
  web: WebApi;
  clock: Clock;
  /** True if the turn can be stopped by a button. */
  hasSession: boolean;
}

/**
 * An answer while it is made: after the first sign, one streamed message with its steps and text. If Slack does not
 * stream, the answer is one plain message at the end.
 */
export class TurnView {
  readonly #options: TurnViewOptions;
  #stream: Posted | undefined;
  /** No more of the answer is streamed, because Slack refused or ended it. */
  #isPlain = false;
  /** All text, and the length of the part that was streamed. */
  #text = '';
  #streamed = 0;
  /** Steps and cards that were not sent, each with the length of the text before it. */
  #parts: { at: number; chunk: Fields }[] = [];
  /** What Slack did not take because it limits requests for a moment. It is sent with what comes next. */
  #unsent: readonly Fields[] = [];
  /** The card above the answer. */
  #card: readonly Block[] = [];
  #summary: string | undefined;
  #timer: unknown;
  #isScheduled = false;
  #work: Promise<void> = Promise.resolve();

  constructor(options: TurnViewOptions) {
    this.#options = options;
  }

  /** Does not wait for Slack. */
  begin(): void {
    const { agent, place, hasSession } = this.#options;
    if (hasSession) void agent.session(place, 'processing');
  }

  step({ id, title, state }: Step): void {
    if (this.#isPlain && state === 'running') void this.#options.agent.status(this.#options.place, cut(title, 100));
    const task = { type: 'task_update', id, title: cut(defused(title), MAX_STEP), status: STEP_STATUS[state] };
    const waiting = this.#parts.find(({ chunk }) => chunk.id === id);
    if (waiting) waiting.chunk = task;
    else this.#parts.push({ at: this.#text.length, chunk: task });
    this.#schedule();
  }

  /** Shows the one card of what was found, above the text that follows. */
  card(blocks: readonly Block[]): void {
    this.#card = blocks.slice(0, MAX_CARD);
    this.#parts.push({ at: this.#text.length, chunk: { type: 'blocks', blocks: this.#card } });
    this.#schedule();
  }

  text(text: string): void {
    this.#text += text;
    this.#schedule();
  }

  /** Shows no more of the answer until it ends. Resolves to true if a part of it is shown. */
  async halt(): Promise<boolean> {
    this.#options.clock.clearTimeout(this.#timer);
    this.#isScheduled = true;
    await this.#work;
    return this.#stream !== undefined;
  }

  /**
   * Ends the answer.
   *
   * @param end `blocks` are shown below the answer; `summary` is what a notification shows if the answer has no text
   */
  async finish(
    { blocks, summary }: { blocks: readonly Block[]; summary: string | undefined },
    session: SessionStatus,
  ): Promise<void> {
    this.#summary = summary;
    const { agent, place, hasSession } = this.#options;
    await this.halt();
    const stream = this.#stream;
    if (!stream) await this.#post(blocks, this.#streamed);
    else if (this.#isPlain) {
      // It may still be open, if Slack refused only what was added to it.
      const chunks = this.#chunks(true);
      if (chunks.length > 0) await agent.stopStream(stream, { chunks, blocks: [] });
      await this.#replace(stream, blocks);
    } else if (!(await agent.stopStream(stream, { chunks: this.#chunks(true), blocks })))
      await this.#replace(stream, blocks);
    if (hasSession) await agent.session(place, session);
  }

  /** Ends without an answer, because the person has been notified elsewhere. */
  async cancel(): Promise<void> {
    const { agent, place, hasSession } = this.#options;
    await agent.status(place, '');
    if (hasSession) await agent.session(place, 'active');
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isPlain) return;
    this.#isScheduled = true;
    const { clock } = this.#options;
    this.#timer = clock.setTimeout(
      () => {
        this.#isScheduled = false;
        this.#work = this.#work.then(() => this.#update());
      },
      // Slack accepts 100 updates a minute in a workspace.
      this.#stream ? REDRAW_MS : 0,
    );
  }

  /** Sends what is new. One update at a time, because two first ones would start two streams. */
  async #update(): Promise<void> {
    const { agent, place } = this.#options;
    if (this.#isPlain) return;
    const before = this.#streamed;
    const chunks = this.#chunks(false);
    if (chunks.length === 0) return;
    if (!this.#stream) {
      this.#stream = await agent.startStream(place, chunks);
      this.#isPlain = this.#stream === undefined;
    } else {
      const added = await agent.append(this.#stream, chunks);
      this.#isPlain = added === 'refused';
      if (added === 'limited') this.#unsent = chunks;
    }
    if (this.#isPlain) this.#streamed = before;
  }

  /**
   * Takes what is new in its order: text, and the steps and cards that came after it. Text at the end is taken up to the
   * end of a word, or all of it if it is the last.
   */
  #chunks(isLast: boolean): Fields[] {
    const unsent = this.#unsent;
    this.#unsent = [];
    const chunks = this.#parts.splice(0).flatMap(({ at, chunk }) => [...this.#textUpTo(at), chunk]);
    const rest = this.#text.slice(this.#streamed);
    return [...unsent, ...chunks, ...this.#textUpTo(this.#streamed + (isLast ? rest.length : wholeWords(rest)))];
  }

  #textUpTo(end: number): Fields[] {
    const ready = this.#text.slice(this.#streamed, end);
    this.#streamed = Math.max(this.#streamed, end);
    const pieces = defused(ready).match(new RegExp(`[\\s\\S]{1,${MAX_CHUNK}}`, 'g')) ?? [];
    return pieces.map((text) => ({ type: 'markdown_text', text }));
  }

  /** The whole answer in place of a stream that Slack ended before, where it fits. Otherwise the stream is removed. */
  async #replace(stream: Posted, blocks: readonly Block[]): Promise<void> {
    const [only = '', ...more] = messageParts(defused(this.#text));
    const isReplaced =
      more.length === 0 &&
      (await this.#options.web.update(stream, answerMessage(only, blocks, this.#above(0))).then(
        () => true,
        () => false,
      ));
    if (isReplaced) return;
    await this.#post(blocks, 0);
    // Slack removes no message that is still streamed.
    await this.#options.agent.stopStream(stream, { chunks: [{ type: 'markdown_text', text: '…' }], blocks: [] });
    await this.#options.web.remove(stream);
  }

  /** The text from this position on in plain messages. */
  async #post(blocks: readonly Block[], from: number): Promise<void> {
    const { web, place } = this.#options;
    const parts = messageParts(defused(this.#text.slice(from)));
    const last = parts.pop() ?? '';
    if (last.trim() === '' && blocks.length === 0) return;
    for (const [i, part] of parts.entries())
      await web.post(place.channel, answerMessage(part, [], i === 0 ? this.#above(from) : {}), {
        threadTs: place.threadTs,
      });
    const above = parts.length === 0 ? this.#above(from) : this.#above(undefined);
    await web.post(place.channel, answerMessage(last, blocks, above), { threadTs: place.threadTs });
  }

  /** The card and the summary of an answer. The card is above the beginning of its text. */
  #above(from: number | undefined): { card?: readonly Block[]; summary?: string | undefined } {
    return { summary: this.#summary, ...(from === 0 && { card: this.#card }) };
  }
}

const MAX_REMEMBERED = 1_000;
/** Maximum time that an answer waits for its sign. */
const MAX_WAIT_MS = 400;

/** The first signs of answers: a status in the thread, set once for each message. */
export class Signs {
  readonly #agent: AgentApi;
  readonly #clock: Clock;
  /** The signs of the latest messages, by channel and timestamp. */
  readonly #shown = new BoundedMap<string, Promise<void>>(MAX_REMEMBERED);

  constructor(agent: AgentApi, clock: Clock) {
    this.#agent = agent;
    this.#clock = clock;
  }

  /**
   * Resolves when Slack has taken the sign, or after a moment. The work of an answer starts then, because it would hold
   * up the signs of messages that arrive at the same time.
   */
  show(place: Place, ts: string, hasModel: boolean): Promise<void> {
    const message = `${place.channel} ${ts}`;
    const earlier = this.#shown.get(message);
    if (earlier !== undefined) return earlier;
    const status = this.#agent.status(place, hasModel ? 'is thinking…' : 'is looking…');
    const shown = inTime(this.#clock, MAX_WAIT_MS, status, () => undefined);
    this.#shown.set(message, shown);
    return shown;
  }
}
