/** A sentence in plainer words, and sentences about what was left out of it, each with its mark in front. */
export interface Plainer {
  text: string;
  told: readonly string[];
}

/** "Bens" and "Ben's" are Ben, and "James" is not. */
export function holderOf(owner: string): string {
  return owner.replace(/['’]s?$|(?<=^(?:\p{L}+\s+)?(?:\p{L}{2}a|\p{L}+[^aeiousy]))s$/iu, '');
}
