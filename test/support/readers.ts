import type { Thread, Understood } from '../../src/nlu/reader.ts';

/** A message that was read, with the thread that it was read in. */
export interface Reading {
  text: string;
  thread: Thread | undefined;
  mayUse: (id: string) => boolean;
}

/** A reader that understands what a test says, and keeps what it was asked. */
export interface ScriptedReader {
  readings: Reading[];
  answer(
    text: string,
    thread: Thread | undefined,
    options: { now: number; zone?: string; mayUse: (id: string) => boolean },
  ): { answer: Understood; thread: Thread };
}

type Script = Readonly<Record<string, Partial<Understood>>>;

const NOTHING: Understood = { kind: 'told', about: 'not_here', input: {}, offers: [], notTaken: [] };

/** @param script what each text is understood as; any other text is not understood */
export function scriptedReader(script: Script): ScriptedReader {
  const readings: Reading[] = [];
  return {
    readings,
    answer(text, thread, { mayUse }) {
      readings.push({ text, thread, mayUse });
      const said: Understood = { ...NOTHING, ...script[text] };
      const { kind, operation, input, find } = said;
      const first = operation === undefined ? undefined : { operation, input, ...(find && { find }) };
      const answer = first && said.offers.length === 0 ? { ...said, offers: [first] } : said;
      const offer = kind === 'form' ? first : undefined;
      return {
        answer,
        thread: {
          ...(operation !== undefined && { last: operation }),
          ...(find !== undefined && { subject: find }),
          ...(offer && { offer }),
        },
      };
    },
  };
}

/** The reading of a name, digits or a number alone. */
export const looked = (find: string): Partial<Understood> => ({
  kind: 'read',
  operation: 'numbers_find',
  input: { Query: find },
  find,
});
