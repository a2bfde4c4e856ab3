/** A sentence in plainer words, and sentences about what was left out of it, each with its mark in front. */
export interface Plainer {
  text: string;
  told: readonly string[];
}
