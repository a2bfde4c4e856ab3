import type { LocalHistory } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/json.ts';
import { out } from './fields.ts';

/* The questions about a line that wait for a person. An answer about the line names them: its state may change soon. */

/** Rows of changes that an answer has. */
const MOST = 5;

/** The member of an answer with the changes that wait. */
export const waitingRows = {
  Waiting: out.rows({ Id: out.own, What: out.told, AskedBy: out.said, AskedAt: out.text, AlsoCovers: out.texts }),
} as const;

/** The changes of a number that wait for a person, and the words for a summary. */
export async function waitingOf(phone: string, history: LocalHistory): Promise<{ rows: Fields; words: string }> {
  const waiting = await history.waitingFor(phone);
  if (waiting.length === 0) return { rows: {}, words: '' };
  const rows = waiting.slice(0, MOST).map(({ id, what, askedBy, at, others }) => ({
    Id: id,
    What: what,
    AskedBy: askedBy,
    AskedAt: at,
    ...(others.length === 0 ? {} : { AlsoCovers: others }),
  }));
  const words = waiting.length === 1 ? 'a change waits for a person' : `${waiting.length} changes wait for a person`;
  return { rows: { Waiting: rows }, words: `; ${words}` };
}
