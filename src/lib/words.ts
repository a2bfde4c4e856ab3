/*
 * Sentences that repeat text of the platform or of a person outside. Such text is kept apart as a quote, so that every
 * surface can mark it and no code has to find it again inside a sentence.
 */

/** Text that the platform or a person outside wrote. */
export interface Quote {
  readonly quote: string;
}

/** Switchboard's own text, with quotes between. */
export type Words = string | readonly (string | Quote)[];

const partsOf = (words: Words): readonly (string | Quote)[] => (typeof words === 'string' ? [words] : words);

/** Marks a text as a quote. */
export function quote(text: string): Quote {
  return { quote: text };
}

/** A template for `Words`: strings become own text, and quotes stay quotes. */
export function words(texts: TemplateStringsArray, ...values: readonly (Words | Quote | number)[]): Words {
  const parts = texts.flatMap((text, at) => {
    const value = values[at];
    if (value === undefined) return [text];
    if (typeof value === 'number') return [text, String(value)];
    return [text, ...('quote' in Object(value) ? [value as Quote] : partsOf(value as Words))];
  });
  return tidy(parts);
}

/** The words in one sequence, without the empty ones. */
export function joined(all: readonly (Words | undefined)[], separator = ' '): Words {
  const given = all.filter((one) => one !== undefined && !isEmpty(one)) as Words[];
  return tidy(given.flatMap((one, at) => (at === 0 ? partsOf(one) : [separator, ...partsOf(one)])));
}

/** Neighbouring texts become one. Without a quote, the words are a string. */
function tidy(parts: readonly (string | Quote)[]): Words {
  const merged: (string | Quote)[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (typeof part === 'string' && typeof last === 'string') merged[merged.length - 1] = last + part;
    else if (part !== '') merged.push(part);
  }
  if (merged.length === 0) return '';
  const [first] = merged;
  return merged.length === 1 && typeof first === 'string' ? first : merged;
}

function isEmpty(all: Words): boolean {
  return partsOf(all).every((part) => part === '');
}

/** The quotes in the words. */
export function quotesIn(all: Words): string[] {
  return partsOf(all).flatMap((part) => (typeof part === 'string' ? [] : [part.quote]));
}

/**
 * The words as one text. Each quote is put in “ ”. Such marks inside a quote become plain ones, so that it cannot end
 * early.
 */
export function plainText(all: Words, own: (text: string) => string = (text) => text): string {
  return partsOf(all)
    .map((part) => (typeof part === 'string' ? own(part) : `“${part.quote.replace(/[“”]/g, '"')}”`))
    .join('');
}

/** The words with every text, own or quoted, replaced. */
export function mapWords(all: Words, replace: (text: string) => string): Words {
  return tidy(partsOf(all).map((part) => (typeof part === 'string' ? replace(part) : quote(replace(part.quote)))));
}

/** Switchboard's own text alone. */
export function withoutQuotes(all: Words): Words {
  return tidy(partsOf(all).filter((part) => typeof part === 'string'));
}

/** The words with a full stop, unless they, or the quote at their end, end with a punctuation mark already. */
export function ended(all: Words): Words {
  return /[.!?…]”?$/.test(plainText(all)) ? all : words`${all}.`;
}
