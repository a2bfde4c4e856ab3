import { type Learned, placeOf, placesOf, STEPS, toShares } from './classifier.ts';

/*
 * Finds the weights of a classifier from examples, at build time: multinomial logistic regression with a step size for
 * each weight (AdaGrad). The result depends on the examples alone.
 */

export interface Example {
  features: readonly string[];
  /** Any one of them is right. */
  labels: readonly string[];
  /** How much it counts; 1 if left out. */
  weight?: number;
}

export interface LearnOptions {
  /** The order of the examples depends on it. */
  seed: number;
  rounds?: number;
  /** A feature of fewer examples says nothing in general. */
  leastExamples?: number;
  /** Weights below this are left out of the result. */
  leastWeight?: number;
  step?: number;
}

/** Pulls weights toward 0, so that no feature decides alone. */
const DECAY = 1e-6;

interface Known {
  /** Where it stands among the others: the same, whatever else there is, so that a new example changes little. */
  order: number;
  /** Rows of the table of weights, one for each of its features. */
  rows: Int32Array;
  right: readonly number[];
  weight: number;
}

export function learn(examples: readonly Example[], options: LearnOptions): Learned {
  const labels = [...new Set(examples.flatMap((example) => example.labels))].sort();
  const placeOfLabel = new Map(labels.map((label, at) => [label, at]));
  const found = examples.map(({ features }) => placesOf(features));
  const counts = new Map<number, number>();
  for (const place of found.flat()) counts.set(place, (counts.get(place) ?? 0) + 1);
  const places = [...counts.keys()]
    .filter((place) => (counts.get(place) ?? 0) >= (options.leastExamples ?? 2))
    .sort((one, other) => one - other);
  const rowOf = new Map(places.map((place, row) => [place, row]));
  const known = examples.map(({ features, labels: own, weight = 1 }, at): Known => {
    const rows = (found[at] ?? []).flatMap((place) => rowOf.get(place) ?? []);
    const order = placeOf(`${own.join()} ${features.join()}`);
    return { order, rows: Int32Array.from(rows), right: own.map((label) => placeOfLabel.get(label) ?? 0), weight };
  });
  const weights = descended(known, { rows: rowOf.size, labels: labels.length }, options);
  return { labels, bytes: packed(places, labels.length, weights, options.leastWeight ?? 0.25) };
}

function descended(
  examples: readonly Known[],
  size: { rows: number; labels: number },
  options: LearnOptions,
): Float32Array {
  const { rounds = 8, step = 0.5 } = options;
  const many = size.labels;
  const weights = new Float32Array(size.rows * many);
  const squares = new Float32Array(size.rows * many).fill(1e-6);
  for (let round = 0; round < rounds; round++) {
    const inOrder = examples
      .map((example) => ({ example, place: placeOf(`${options.seed} ${round} ${example.order}`) }))
      .sort((one, other) => one.place - other.place);
    for (const { example } of inOrder) {
      const { rows, right } = example;
      const scale = 1 / Math.sqrt(rows.length || 1);
      const scores = new Float64Array(many);
      for (const row of rows)
        for (let label = 0, place = row * many; label < many; label++, place++)
          scores[label] = (scores[label] ?? 0) + (weights[place] ?? 0);
      const shares = toShares(scores.map((score) => score * scale));
      // Of several right labels, each is aimed at as far as it is likely already.
      let good = 0;
      for (const label of right) good += shares[label] ?? 0;
      for (let label = 0; label < many; label++) {
        const share = shares[label] ?? 0;
        const aim = !right.includes(label) ? 0 : good > 1e-9 ? share / good : 1 / right.length;
        const slope = (share - aim) * scale * example.weight;
        if (Math.abs(slope) < 1e-4) continue;
        for (const row of rows) {
          const place = row * many + label;
          const pull = slope + DECAY * (weights[place] ?? 0);
          const square = (squares[place] ?? 0) + pull * pull;
          squares[place] = square;
          weights[place] = (weights[place] ?? 0) - (step * pull) / Math.sqrt(square);
        }
      }
    }
  }
  return weights;
}

/** Numbers from 0 to 1 that look random and are the same each time (a linear congruential generator). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state / 2 ** 32;
  };
}

/** The bytes that `Classifier` reads: of each feature, the weights that matter. */
function packed(places: readonly number[], many: number, weights: Float32Array, least: number): Uint8Array {
  const bytes: number[] = [];
  let last = 0;
  places.forEach((place, row) => {
    const own = weights.subarray(row * many, (row + 1) * many);
    // What all labels have in common changes no share.
    const common = many > 4 ? (own.toSorted()[many >> 1] ?? 0) : 0;
    const kept: number[] = [];
    own.forEach((weight, label) => {
      const steps = Math.max(-127, Math.min(127, Math.round((weight - common) * STEPS)));
      if (Math.abs(weight - common) >= least && steps !== 0) kept.push(label, steps & 255);
    });
    if (kept.length === 0) return;
    let distance = place - last;
    last = place;
    for (; distance > 127; distance >>= 7) bytes.push((distance & 127) | 128);
    bytes.push(distance, kept.length / 2, ...kept);
  });
  return Uint8Array.from(bytes);
}
