import { STOPPED_TEXT, type Step, type TurnEnd, type TurnNotice } from '../../../assistant/turn-events.ts';
import { type Clock, REDRAW_MS } from '../../../lib/clock.ts';
import type { Fields } from '../../../lib/values.ts';
import type { Place, SessionStatus, WebApi } from '../api/web.ts';
import { type Block, cut, escaped, MAX_BLOCKS, type Message, pieces, shortDate, small } from '../blocks/text.ts';
import type { Posted } from '../types.ts';

/** The calls of the turn by outcome, and the records that the answer rests on. */
export function endBlocks({ done, unknown, records, stopped, doubted }: TurnEnd): Block[] {
  const [first] = records;
  const titles = [...new Set(records.map(({ title }) => title))].slice(0, 10).map(escaped);
  const texts = [
    ...done.map(({ title }) => `✅ Done: ${escaped(title)}`),
    ...unknown.map(({ title }) => `❓ Outcome unknown: ${escaped(title)}. The app’s Home has _Check now_.`),
    ...(stopped === undefined ? [] : [`⏹️ ${STOPPED_TEXT[stopped]}`]),
    ...(doubted.length === 0 ? [] : [`⚠️ In no record of this conversation: ${doubted.map(escaped).join(', ')}`]),
    ...(first ? [`Read ${shortDate(first.at)}: ${titles.join('; ')}`] : []),
  ];
  return texts.map((text) => small(cut(text, 2_000)));
}

const NOTICES: Readonly<Record<TurnNotice['about'], string>> = { secret: '🔒', length: '✂️', topic: '🧹' };

/** A sentence of the assistant itself. */
export function noticeLine({ about, text }: TurnNotice): Block {
  return small(`${NOTICES[about]} ${escaped(text)}`);
}

/**
 * Text of a model without anything that acts by itself: mentions notify people, and Slack opens links for a preview,
 * which would carry text to the owner of the address.
 */
function defused(text: string): string {
  return text
    .replace(/<(?=[!@#])/g, '‹')
    .replace(/!\[/g, '[')
    .replace(/`?(\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s<>|"'`)\]]+)`?/gi, '`$1`')
    .replace(/\]\((?=mailto:|tel:|slack:|\/\/)/gi, '] (')
    .replace(/(^|[\s(<|])(www\.[^\s<>|"'`)\]]+)/gi, '$1`$2`');
}

/** Slack's limit for each text of a step. */
const MAX_STEP = 250;
/** Slack's limit for one piece of text is 12,000 characters. Defusing adds some. */
const MAX_CHUNK = 8_000;
/** Blocks of the card above an answer; a message has at most 50, with those below it. */
const MAX_CARD = 35;
const NOTHING = { chunks: [], blocks: [] };

/** A part of an answer that was not sent yet. */
type Part = { text: string } | { step: Fields } | { card: readonly Block[] };

/** `hasSession`: the turn can be stopped by a button. */
type TurnViewOptions = { place: Place; web: WebApi; clock: Clock; hasSession: boolean };

/**
 * An answer while it is made: one streamed message with its steps and text. If Slack does not stream, or no longer, the
 * answer is one plain message at the end.
 */
export class TurnView {
  readonly #options: TurnViewOptions;
  #stream: Posted | undefined;
  /** No more is streamed, because Slack refused or ended it. */
  #isPlain = false;
  #text = '';
  #card: readonly Block[] = [];
  #parts: Part[] = [];
  #timer: unknown;
  #isScheduled = false;
  #work: Promise<void> = Promise.resolve();

  constructor(options: TurnViewOptions) {
    this.#options = options;
  }

  step({ id, title, state }: Step): void {
    if (this.#isPlain && state === 'running') void this.#options.web.status(this.#options.place, cut(title, 100));
    // Red is for unknown outcomes. A failure is named in the title of its step.
    const status = state === 'running' ? 'in_progress' : state === 'unknown' ? 'error' : 'complete';
    const step = { type: 'task_update', id, title: cut(defused(title), MAX_STEP), status };
    const earlier = this.#parts.find((part) => 'step' in part && part.step.id === id);
    if (earlier) Object.assign(earlier, { step });
    else this.#parts.push({ step });
    this.#schedule();
  }

  /** Shows the one card of what was found, above the text that follows. */
  card(blocks: readonly Block[]): void {
    this.#card = blocks.slice(0, MAX_CARD);
    this.#parts.push({ card: this.#card });
    this.#schedule();
  }

  text(text: string): void {
    this.#text += text;
    const last = this.#parts.at(-1);
    if (last && 'text' in last) last.text += text;
    else this.#parts.push({ text });
    this.#schedule();
  }

  /**
   * Ends the answer.
   *
   * @param blocks below the answer
   * @param summary what a notification shows if the answer has no text
   */
  async finish(blocks: readonly Block[], summary: string | undefined, session: SessionStatus): Promise<void> {
    const { web, place, hasSession, clock } = this.#options;
    clock.clearTimeout(this.#timer);
    this.#isScheduled = true;
    await this.#work;
    const stream = this.#stream;
    const end = this.#isPlain ? NOTHING : { chunks: this.#take(true), blocks };
    const isEnded = stream !== undefined && (await web.stopStream(stream, end));
    // Slack updates and removes no message that is still streamed.
    if (stream && !isEnded) await web.stopStream(stream, NOTHING);
    if (!isEnded || this.#isPlain) await this.#post(blocks, summary);
    if (hasSession) await web.session(place, session);
  }

  /** Ends without an answer, because the person has been notified elsewhere. */
  async cancel(): Promise<void> {
    const { web, place, hasSession } = this.#options;
    await web.status(place, '');
    if (hasSession) await web.session(place, 'active');
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isPlain) return;
    this.#isScheduled = true;
    this.#timer = this.#options.clock.setTimeout(
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
    const { web, place } = this.#options;
    const chunks = this.#isPlain ? [] : this.#take(false);
    if (chunks.length === 0) return;
    if (!this.#stream) {
      this.#stream = await web.startStream(place, chunks);
      this.#isPlain = this.#stream === undefined;
      return;
    }
    this.#isPlain = !(await web.append(this.#stream, chunks));
  }

  /** Takes what is new, as Slack's chunks. Text at the end is taken up to the end of a word, or all of it at last. */
  #take(isLast: boolean): Fields[] {
    const parts = this.#parts;
    this.#parts = [];
    const last = parts.at(-1);
    if (!isLast && last && 'text' in last) {
      // A part ends with a whole word, so that an address is never defused in halves.
      const end = Math.max(last.text.lastIndexOf(' '), last.text.lastIndexOf('\n')) + 1;
      this.#parts = [{ text: last.text.slice(end) }];
      last.text = last.text.slice(0, end);
    }
    return parts.flatMap((part): Fields[] => {
      if ('step' in part) return [part.step];
      if ('card' in part) return [{ type: 'blocks', blocks: part.card }];
      const texts = part.text === '' ? [] : pieces(defused(part.text), MAX_CHUNK);
      return texts.map((text) => ({ type: 'markdown_text', text }));
    });
  }

  /** The whole answer in plain messages. The first takes the place of a stream, if Slack lets it. */
  async #post(blocks: readonly Block[], summary: string | undefined): Promise<void> {
    const { web, place } = this.#options;
    const parts = pieces(defused(this.#text), MAX_CHUNK);
    const stream = this.#stream;
    const messages = parts.map((part, i): Message => {
      const said = part.trim();
      const markdown = said === '' ? [] : [{ type: 'markdown', text: said }];
      const all = [...(i === 0 ? this.#card : []), ...markdown, ...(i === parts.length - 1 ? blocks : [])];
      return { text: cut(escaped(said || (summary ?? 'No answer.')), 1_000), blocks: all.slice(0, MAX_BLOCKS) };
    });
    const [first, ...others] = messages;
    const replacing = stream && first ? web.update(stream, first).then(() => true) : Promise.resolve(false);
    const isReplaced = await replacing.catch(() => false);
    for (const message of isReplaced ? others : messages)
      if (message.blocks.length > 0) await web.post(place.channel, message, { threadTs: place.threadTs });
    if (stream && !isReplaced) await web.remove(stream);
  }
}
