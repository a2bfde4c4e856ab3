import type { LocalHistory } from '../catalogue/operation.ts';
import { changed, SwitchboardError } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';
import { joined } from '../lib/words.ts';
import { isStoreUnavailable } from '../store/key-values.ts';

const MISSED =
  'Switchboard’s own records (events, earlier changes) could not be read, because its database is not available.';

/** Reads from the platform. While the database is away, the read goes on without the history, and its answer says so. */
export async function withPartialHistory<T extends { value: Fields }>(
  own: LocalHistory,
  read: (history: LocalHistory) => Promise<T>,
): Promise<T> {
  const history = new PartialHistory(own);
  try {
    const answer = await read(history);
    return { ...answer, value: history.noted(answer.value) };
  } catch (error) {
    throw history.notedFailure(error);
  }
}

/** A history that is empty while the database is away. */
class PartialHistory implements LocalHistory {
  readonly #history: LocalHistory;
  #isMissed = false;

  constructor(history: LocalHistory) {
    this.#history = history;
  }

  /** The answer, with a warning if the history could not be read. */
  noted(value: Fields): Fields {
    if (!this.#isMissed) return value;
    return { ...value, Warning: [value.Warning, MISSED].filter((text) => typeof text === 'string').join(' ') };
  }

  /** The failure of a read. A record that the platform does not have may be in the history. */
  notedFailure(error: unknown): unknown {
    if (!this.#isMissed || !(error instanceof SwitchboardError) || error.face.code !== 'not_found') return error;
    return changed(error, { next: joined([error.face.next, MISSED]) });
  }

  now(): Date {
    return this.#history.now();
  }

  happened(filter: Parameters<LocalHistory['happened']>[0]): ReturnType<LocalHistory['happened']> {
    return this.#orElse(this.#history.happened(filter), { list: [], more: false });
  }

  isListening(): Promise<boolean> {
    return this.#orElse(this.#history.isListening(), true);
  }

  lastMessage(phone: string): ReturnType<LocalHistory['lastMessage']> {
    return this.#orElse(this.#history.lastMessage(phone), undefined);
  }

  order(orderId: string): ReturnType<LocalHistory['order']> {
    return this.#orElse(this.#history.order(orderId), undefined);
  }

  sentAbout(orderId: string): ReturnType<LocalHistory['sentAbout']> {
    return this.#orElse(this.#history.sentAbout(orderId), []);
  }

  keepOrder(orderId: string, order: Parameters<LocalHistory['keepOrder']>[1]): Promise<void> {
    return this.#orElse(this.#history.keepOrder(orderId, order), undefined);
  }

  waitingFor(phone: string): ReturnType<LocalHistory['waitingFor']> {
    return this.#orElse(this.#history.waitingFor(phone), []);
  }

  watch(phone: string): ReturnType<LocalHistory['watch']> {
    return this.#history.watch(phone);
  }

  unwatch(phone: string): Promise<boolean> {
    return this.#history.unwatch(phone);
  }

  watched(): ReturnType<LocalHistory['watched']> {
    return this.#orElse(this.#history.watched(), []);
  }

  async #orElse<T>(reading: Promise<T>, otherwise: T): Promise<T> {
    try {
      return await reading;
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      this.#isMissed = true;
      return otherwise;
    }
  }
}
