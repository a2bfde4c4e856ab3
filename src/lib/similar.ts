import MiniSearch from 'minisearch';

/** A shorter query may mean too much. */
const MIN_LETTERS = 5;
/** Length of the words that may be the beginning of one, of those in which one slip is found, and of those in which two are. */
const BEGINNING = 2;
const ONE_SLIP = 3;
const TWO_SLIPS = 5;

/**
 * The texts that have a word like each word of the query, in spite of a slip or two: "eva ston", "av stne" and
 * "avastone" find "Ava Stone". The best first.
 */
export function similarTexts(query: string, texts: readonly string[]): string[] {
  if ((query.match(/[\p{L}\p{N}]/gu) ?? []).length < MIN_LETTERS) return [];
  const distinct = [...new Set(texts)].filter((text) => text !== '');
  const index = new MiniSearch({
    fields: ['text'],
    tokenize: (text) => text.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean),
  });
  // People also write a name as one word.
  index.addAll(distinct.map((text, id) => ({ id, text: `${text} ${text.replace(/\s+/g, '')}` })));
  const found = index.search(query, {
    combineWith: 'AND',
    prefix: (term) => term.length >= BEGINNING,
    fuzzy: (term) => (term.length >= TWO_SLIPS ? 2 : term.length >= ONE_SLIP ? 1 : false),
  });
  return found.flatMap(({ id }) => distinct[Number(id)] ?? []);
}
