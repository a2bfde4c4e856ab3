import { type Entity, type EntityKind, entitiesIn, type Moment } from './entities.ts';

/** One word, one sign, or one entity of a message. */
export interface Token {
  /** In lower case; `@phone` and the like for an entity. */
  word: string;
  /** As it was typed. */
  raw: string;
  /** Where it stands in the message; `to` is behind its last character. */
  from: number;
  to: number;
  kind?: EntityKind;
  value?: Entity['value'];
  /** True for a given name. */
  isName?: true;
  /** True for a word of any topic, such as "the" or "want". */
  isCommon?: true;
}

/** Words that are known beforehand, in lower case. */
export interface Vocabulary {
  /** Given names. */
  names: ReadonlySet<string>;
  /** Words that many operations are asked for with. */
  common: ReadonlySet<string>;
}

const WORD = /[\p{L}\p{M}\d'&]+(?:[.-][\p{L}\d]+)*|[?!:;,/()]/gu;

/** Cuts a message into tokens, in its order. */
export function tokensOf(message: string, moment: Moment, vocabulary: Vocabulary): Token[] {
  const entities = entitiesIn(message, moment);
  // A typographic apostrophe is one character too, so that places stay the same.
  const text = message.replaceAll('’', "'");
  const tokens: Token[] = [];
  let at = 0;
  for (const entity of [...entities, undefined]) {
    for (const { 0: all, index } of text.slice(at, entity?.from).matchAll(WORD)) {
      const word = all.replace(/'s$/i, '').replace(/^'+|'+$/g, '');
      const start = at + index + Math.max(0, all.indexOf(word));
      if (word !== '') tokens.push(wordToken(word, start, vocabulary));
      if (/'s$/i.test(all))
        tokens.push({ word: "'s", raw: "'s", from: at + index + all.length - 2, to: at + index + all.length });
    }
    if (!entity) break;
    const { kind, from, to, value } = entity;
    at = to;
    // The prefix of an id says which kind of record it is.
    const name = kind === 'id' ? String(value).split('-')[0]?.toLowerCase() : kind;
    tokens.push({ word: `@${name}`, raw: message.slice(from, to), from, to, kind, value });
  }
  return tokens;
}

function wordToken(raw: string, from: number, { names, common }: Vocabulary): Token {
  const word = raw.toLowerCase();
  const token: Token = { word, raw, from, to: from + raw.length };
  if (names.has(word)) token.isName = true;
  else if (common.has(word)) token.isCommon = true;
  return token;
}
