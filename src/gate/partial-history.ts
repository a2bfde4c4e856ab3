import type { LocalHistory } from '../catalogue/operation.ts';
import { changed, SwitchboardError } from '../lib/errors.ts';
import { type Fields, joined } from '../lib/values.ts';
import { isStoreUnavailable } from '../store/key-values.ts';

const MISSED =
  'Switchboard’s own records (events, earlier changes) could not be read, because its database is not available.';

/** What each reading of the history gives while the database is away. */
const EMPTY: Readonly<Record<string, unknown>> = {
  happened: { list: [], more: false },
  isListening: true,
  lastMessage: undefined,
  sentAbout: [],
  keepOrder: undefined,
  waitingFor: [],
  watched: [],
};

/** Reads from the platform. While the database is away, the read goes on without the history, and its answer says so. */
export async function withPartialHistory<T extends { value: Fields }>(
  own: LocalHistory,
  read: (history: LocalHistory) => Promise<T>,
): Promise<T> {
  let isMissed = false;
  const history = new Proxy(own, {
    get: (target, name) => {
      const method = (target as unknown as Record<string | symbol, (...given: unknown[]) => unknown>)[name];
      if (typeof name === 'symbol' || method === undefined || !(name in EMPTY)) return method?.bind(target);
      return async (...given: unknown[]) => {
        try {
          return await method.apply(target, given);
        } catch (error) {
          if (!isStoreUnavailable(error)) throw error;
          isMissed = true;
          return EMPTY[name];
        }
      };
    },
  });
  try {
    const answer = await read(history);
    if (!isMissed) return answer;
    const Warning = [answer.value.Warning, MISSED].filter((text) => typeof text === 'string').join(' ');
    return { ...answer, value: { ...answer.value, Warning } };
  } catch (error) {
    // A record that the platform does not have may be in the history.
    if (!isMissed || !(error instanceof SwitchboardError) || error.face.code !== 'not_found') throw error;
    throw changed(error, { next: joined([error.face.next, MISSED]) });
  }
}
