/*
 * A classifier: given the features of a text, how likely is each label? Every feature has a weight for each label; the
 * weights of the features that a text has are added up, and the sums become shares that add up to 1. `learn.ts` finds
 * the weights.
 */

export interface Ranked {
  label: string;
  /** From 0 to 1; the shares of all labels add up to 1. */
  share: number;
}

/** What is kept of a classifier. */
export interface Learned {
  labels: readonly string[];
  bytes: Uint8Array;
}

/** Features are texts. Their weights stand at a place among this many. */
const PLACES = 1 << 20;
/** Weights are whole numbers from -127 to 127; this many of them are 1. */
export const STEPS = 8;
const { LN2 } = Math;
/** Arguments below this are 0 in effect. */
const LEAST = -40;

/** The place of a feature (FNV-1a). */
export function placeOf(feature: string): number {
  let hash = 2166136261;
  for (let at = 0; at < feature.length; at++) hash = Math.imul(hash ^ feature.charCodeAt(at), 16777619);
  hash ^= hash >>> 15;
  return (hash >>> 0) & (PLACES - 1);
}

/** The places of features, each once. */
export function placesOf(features: Iterable<string>): number[] {
  return [...new Set([...features].map(placeOf))];
}

/**
 * e to the power of x, for x up to 0. `Math.exp` may differ between versions of Node; additions and products may not, and
 * what is taught and answered has to be the same on all of them.
 */
export function exp(x: number): number {
  if (x < LEAST) return 0;
  const halvings = Math.round(-x / LN2);
  const rest = x + halvings * LN2;
  let [term, sum] = [1, 1];
  for (let at = 1; at < 14; at++) {
    term *= rest / at;
    sum += term;
  }
  for (let at = 0; at < halvings; at++) sum /= 2;
  return sum;
}

/** Scores as shares. */
export function toShares(scores: Float64Array): Float64Array {
  let [most, sum] = [Number.NEGATIVE_INFINITY, 0];
  for (const score of scores) if (score > most) most = score;
  const powers = scores.map((score) => exp(score - most));
  for (const power of powers) sum += power;
  return powers.map((power) => power / sum);
}

export class Classifier {
  readonly labels: readonly string[];
  readonly #bytes: Uint8Array;
  /** Where in the bytes the weights of each place begin. */
  readonly #starts = new Map<number, number>();

  /**
   * @param bytes for each feature with weights: the distance of its place from the one before (7 bits a byte, the highest
   * bit says that more follow), how many weights, and each as the place of its label and its steps
   */
  constructor({ labels, bytes }: Learned) {
    this.labels = labels;
    this.#bytes = bytes;
    let place = 0;
    for (let at = 0; at < bytes.length; at += 1 + 2 * (bytes[at] ?? 0)) {
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++] ?? 0;
        place += (byte & 127) << shift;
        if (byte < 128) break;
      }
      this.#starts.set(place, at);
    }
  }

  /** True if a feature has a weight for some label. */
  knows(feature: string): boolean {
    return this.#starts.has(placeOf(feature));
  }

  /** The labels of a text with these features, the likeliest first. */
  rank(features: Iterable<string>): Ranked[] {
    const shares = this.#shares(features);
    return this.labels
      .map((label, at) => ({ label, share: shares[at] ?? 0 }))
      .sort((one, other) => other.share - one.share);
  }

  /** The label with the highest share times its factor; undefined if all factors are 0. */
  best(features: Iterable<string>, factorOf: (one: Ranked) => number): Ranked | undefined {
    let [best, most]: [Ranked | undefined, number] = [undefined, 0];
    this.#shares(features).forEach((share, at) => {
      const one = { label: this.labels[at] ?? '', share };
      const weighed = share > most ? share * factorOf(one) : 0;
      if (weighed > most) [best, most] = [one, weighed];
    });
    return best;
  }

  #shares(features: Iterable<string>): Float64Array {
    const places = placesOf(features);
    const scores = new Float64Array(this.labels.length);
    for (const place of places) {
      const start = this.#starts.get(place);
      if (start === undefined) continue;
      const end = start + 2 * (this.#bytes[start] ?? 0);
      for (let at = start + 1; at < end; at += 2) {
        const label = this.#bytes[at] ?? 0;
        scores[label] = (scores[label] ?? 0) + (((this.#bytes[at + 1] ?? 0) << 24) >> 24);
      }
    }
    const scale = 1 / STEPS / Math.sqrt(places.length || 1);
    return toShares(scores.map((score) => score * scale));
  }
}
