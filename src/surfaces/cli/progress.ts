import type { Style } from '../../lib/style.ts';
import { cutTo } from './table.ts';

/** The output for progress: stderr of a terminal. */
export interface ProgressOptions {
  write: (text: string) => unknown;
  /** `moving`: a line that is redrawn. `lines`: one line for each state. `none`: nothing. */
  kind: 'moving' | 'lines' | 'none';
  style: Style;
  /** Columns of the terminal now. A moving line is cut to them, because a wrapped line cannot be cleared. */
  columns: () => number;
  /** Epoch ms. */
  now: () => number;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
/** Work that takes longer than this is reported, in seconds. */
const SLOW_S = 5;
/** Returns to the start of the line and clears it. */
const CLEAR = '\r\u001b[2K';

/** Tells the person at the terminal why the command waits. */
export class Progress {
  readonly #options: ProgressOptions;
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;
  #isDrawn = false;
  #text: (secondsLeft: number) => string = () => '';
  /** Epoch ms; undefined if the end is not known. */
  #until: number | undefined;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  /** Shows that work goes on, and after five seconds for how long. It is shown only as a moving line. */
  busy(text: string): void {
    const { kind, now } = this.#options;
    if (kind !== 'moving') return;
    const begun = now();
    const told = () => {
      const seconds = Math.round((now() - begun) / 1000);
      return seconds < SLOW_S ? text : `${text}: still waiting after ${seconds} s; Ctrl-C stops`;
    };
    this.#start(told, undefined);
  }

  /** Shows the reason for waiting. `text` receives the remaining seconds, at least 1. */
  wait(text: (secondsLeft: number) => string, seconds: number): void {
    const { kind, now, write } = this.#options;
    if (kind === 'lines') write(`${text(atLeastOne(seconds))}\n`);
    if (kind === 'moving') this.#start(text, now() + seconds * 1000);
  }

  /** Removes the moving line. Call it before anything else is written to the terminal. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#isDrawn) this.#options.write(CLEAR);
    this.#isDrawn = false;
  }

  #start(text: (secondsLeft: number) => string, until: number | undefined): void {
    this.#text = text;
    this.#until = until;
    // The first frame is drawn by the timer, so a command that ends at once shows none.
    this.#timer ??= setInterval(() => this.#draw(), FRAME_MS);
  }

  #draw(): void {
    const { write, style, now, columns } = this.#options;
    const left = this.#until === undefined ? 0 : (this.#until - now()) / 1000;
    const frame = FRAMES[this.#frame % FRAMES.length] ?? '';
    this.#frame += 1;
    this.#isDrawn = true;
    // The last column stays free: some terminals wrap a line that fills it.
    const text = cutTo(this.#text(atLeastOne(left)), columns() - 3);
    write(`${CLEAR}${style.cyan(frame)} ${text}`);
  }
}

function atLeastOne(seconds: number): number {
  return Math.max(1, Math.round(seconds));
}

/** The reason why a call waits, in words. */
export function waitText(why: 'rate_limit' | 'retry'): (secondsLeft: number) => string {
  return why === 'rate_limit'
    ? (seconds) => `waiting for the rate limit, about ${seconds} s`
    : (seconds) => `the platform did not answer, trying again in about ${seconds} s`;
}
