import type { Confirmation } from '../gate/confirmation.ts';
import type { Performed } from '../gate/gate.ts';
import type { Failure } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';
import type { Understood } from '../nlu/reader.ts';

/* The events that a turn of the conversation reports, in order. Each surface draws them in its own way. */

/** A call of an operation, in plain words: present while it runs, past when it has ended. */
export interface Step {
  kind: 'step';
  /** The same for the step's start and end. */
  id: string;
  /** `skipped`: the model called it wrongly, and nothing was sent. */
  state: 'running' | 'done' | 'waits' | 'failed' | 'unknown' | 'skipped';
  /** "Looking up Ava Stone", then "Looked up Ava Stone". */
  title: string;
  /** Undefined for a search of the catalogue. */
  operation?: string;
}

/** A call of an operation that ended, for the same card that a command shows. */
export interface Card {
  kind: 'card';
  operation: string;
  input: Fields;
  done: Extract<Performed, { kind: 'done' }>;
}

/** A call that waits for a person. The turn ends with it, because the model never gets the decision. */
export interface TurnQuestion {
  kind: 'question';
  operation: string;
  input: Fields;
  confirmation: Confirmation;
}

/** A form for the writer, filled in. Nothing is sent until the person sends it. */
export interface TurnForm {
  kind: 'form';
  operation: string;
  input: Fields;
  /** False if the writer may not ask for this change. The surface then names the people who may. */
  isAllowed: boolean;
}

/** A call that changes something, as the end of the turn reports it. */
export interface Effect {
  operation: string;
  /** The operation in words, with the number or id. */
  title: string;
  /** Id of the action in the ledger. */
  action?: string;
}

/** A record that the answer rests on. */
export interface ReadRecord {
  operation: string;
  /** The operation's title and the number or id: "Number details: +12015550101". */
  title: string;
  /** When it was read, epoch ms. */
  at: number;
}

/** Why a turn ended before its answer was complete. */
export type Stopped =
  | 'stopped'
  | 'shutdown'
  | 'too_long'
  | 'too_many_calls'
  | 'forgotten'
  | 'taken_over'
  /** The model's own limit of length ended the answer. */
  | 'cut'
  /** The model's endpoint withheld the answer. */
  | 'withheld'
  /** The model ended without a word. */
  | 'empty';

export const STOPPED_TEXT: Readonly<Record<Stopped, string>> = {
  stopped: 'Stopped. Nothing more is done for this message.',
  shutdown: 'Switchboard is restarting, so this answer is not complete. Send the message again in a minute.',
  too_long: 'Stopped because the answer took too long or was too long.',
  forgotten: 'Stopped because the conversation was forgotten.',
  too_many_calls: 'Stopped because one message may make no more calls. Ask for a part of it.',
  taken_over: 'Stopped because another process answers in this thread.',
  cut: 'The answer ends here because it reached the model’s limit of length. Ask for the rest, or for a part of it.',
  withheld: 'The model’s endpoint withheld the rest of the answer. Ask in other words.',
  empty: 'The model gave no answer. Ask again, or in other words.',
};

/** The end of a turn of the model. */
export interface TurnEnd {
  kind: 'end';
  /** The whole text of the answer. */
  text: string;
  done: readonly Effect[];
  waits: readonly (Effect & { expiresAt: string })[];
  unknown: readonly Effect[];
  records: readonly ReadRecord[];
  /** Numbers, ids and amounts of the answer that no record of the conversation holds. */
  doubted: readonly string[];
  /** Undefined if the turn came to its own end. */
  stopped?: Stopped;
  /** Tokens of all steps. */
  tokens?: { input: number; output: number };
}

/** A sentence of the assistant itself: a secret was removed, not all was read, or the conversation was forgotten. */
export interface TurnNotice {
  kind: 'notice';
  about: 'secret' | 'length' | 'topic';
  text: string;
}

export type TurnEvent =
  /** A short text about what happens now, shown until the next event. */
  | { kind: 'status'; text: string }
  | TurnNotice
  | Step
  /** The next part of the answer. */
  | { kind: 'text'; text: string }
  | Card
  | TurnQuestion
  | TurnForm
  /** A batch of reads was begun. Its results follow by themselves. */
  | { kind: 'batch'; id: string }
  /** The message is answered after the one before it. */
  | { kind: 'queued' }
  /** The model failed: the reason, and the answer of the catalogue instead. */
  | { kind: 'failure'; failure: Failure; understood: Understood }
  /** No model is set: the answer of the catalogue. */
  | { kind: 'understood'; understood: Understood }
  /** Too many messages of this thread, or of this person, wait for an answer. Nothing was read or done. */
  | { kind: 'busy' }
  /** The thread was to be forgotten. Only this person (an identity) or an approver may; nothing was done. */
  | { kind: 'not_theirs'; only: string }
  | TurnEnd;

/** Events that one side adds and another reads, in order. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #wake: () => void = () => undefined;
  #isEnded = false;

  add(event: T): void {
    this.#waiting.push(event);
    this.#wake();
  }

  /** The reader gets what was added before, and then the end. */
  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#isEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
