import { featuresOf } from './features.ts';

/**
 * A model of which operation a sentence asks for, learned from examples by `train.ts`. Weights are whole tenths; one that is
 * missing is 0.
 */
export interface IntentModel {
  labels: readonly string[];
  /** For each feature, pairs of a label's place and its weight, in one list. */
  weights: Readonly<Record<string, readonly number[]>>;
}

/** A possible request of a sentence. */
export interface Intent {
  /** As in the examples: an operation's id, with `:kind` for one kind of it, or a word for what is no operation. */
  label: string;
  /** The confidence: the shares of all labels add up to 1. */
  share: number;
}

/** Weights are kept as whole numbers of this size. */
export const UNIT = 0.1;

/** Returns the possible requests of a sentence, the likeliest first. */
export function intentsOf(sentence: string, { labels, weights }: IntentModel): Intent[] {
  const known = featuresOf(sentence).flatMap((feature) =>
    Object.hasOwn(weights, feature) ? [weights[feature] ?? []] : [],
  );
  const scores = labels.map(() => 0);
  for (const own of known)
    for (let at = 0; at < own.length; at += 2) scores[own[at] ?? 0] = (scores[own[at] ?? 0] ?? 0) + (own[at + 1] ?? 0);
  const scale = UNIT / Math.sqrt(known.length || 1);
  const powers = scores.map((score) => Math.exp(score * scale));
  const sum = powers.reduce((all, power) => all + power, 0);
  return labels
    .map((label, at) => ({ label, share: (powers[at] ?? 0) / sum }))
    .sort((one, other) => other.share - one.share);
}
