import { featuresOf } from './features.ts';
import { type IntentModel, UNIT } from './intents.ts';

/* Learns a model from examples, at build time: multinomial logistic regression with a step size for each weight (AdaGrad). */

const ROUNDS = 8;
const STEP = 0.4;
/** Pulls weights toward 0, so that no feature decides alone. */
const DECAY = 1e-4;
/** A feature of fewer examples says nothing in general. */
const LEAST = 3;
/** Weights below this are left out of the model: they make it ten times as large, and no better. */
const SMALL = 1.5;
/** A step through the examples that is prime to their number, so that no two of one label follow each other. */
const STRIDE = 7919;

/** @param examples sentences by label; the result depends on nothing else */
export function learnIntents(examples: Readonly<Record<string, readonly string[]>>): IntentModel {
  const labels = Object.keys(examples).sort();
  const rows = labels.flatMap((label, place) =>
    (examples[label] ?? []).map((sentence) => ({ place, features: featuresOf(sentence) })),
  );
  const counts = new Map<string, number>();
  for (const { features } of rows) for (const one of features) counts.set(one, (counts.get(one) ?? 0) + 1);
  const kept = [...counts].filter(([, count]) => count >= LEAST).map(([feature]) => feature);
  const places = new Map(kept.sort().map((feature, at) => [feature, at]));
  const known = rows.map(({ place, features }) => ({
    place,
    own: features.flatMap((feature) => places.get(feature) ?? []),
  }));
  const weights = fitted(known, { labels: labels.length, features: kept.length });
  return { labels, weights: sparse(kept, labels.length, weights) };
}

interface Row {
  /** The place of its label. */
  place: number;
  /** The places of its features. */
  own: readonly number[];
}

function fitted(rows: readonly Row[], size: { labels: number; features: number }): Float64Array {
  const weights = new Float64Array(size.features * size.labels);
  const squares = new Float64Array(weights.length).fill(1e-6);
  const shares = new Float64Array(size.labels);
  for (let round = 0; round < ROUNDS; round++)
    for (let turn = 0; turn < rows.length; turn++) {
      const row = rows[(turn * STRIDE + round) % rows.length];
      if (!row) continue;
      const scale = 1 / Math.sqrt(row.own.length || 1);
      spread(row.own, { weights, shares, scale });
      for (let label = 0; label < size.labels; label++) {
        const slope = ((shares[label] ?? 0) - (label === row.place ? 1 : 0)) * scale;
        if (Math.abs(slope) < 1e-4) continue;
        for (const feature of row.own) {
          const at = feature * size.labels + label;
          const pull = slope + DECAY * (weights[at] ?? 0);
          squares[at] = (squares[at] ?? 0) + pull * pull;
          weights[at] = (weights[at] ?? 0) - (STEP * pull) / Math.sqrt(squares[at] ?? 1);
        }
      }
    }
  return weights;
}

/** The share of each label for a row, as the weights have it now. */
function spread(
  own: readonly number[],
  { weights, shares, scale }: { weights: Float64Array; shares: Float64Array; scale: number },
): void {
  shares.fill(0);
  for (const feature of own)
    for (let label = 0; label < shares.length; label++)
      shares[label] = (shares[label] ?? 0) + (weights[feature * shares.length + label] ?? 0);
  const most = shares.reduce((max, share) => Math.max(max, share * scale), Number.NEGATIVE_INFINITY);
  let sum = 0;
  for (let label = 0; label < shares.length; label++) {
    shares[label] = Math.exp((shares[label] ?? 0) * scale - most);
    sum += shares[label] ?? 0;
  }
  for (let label = 0; label < shares.length; label++) shares[label] = (shares[label] ?? 0) / sum;
}

/** The weights of each feature relative to the middle one, which changes no share and leaves most of them near 0. */
function sparse(features: readonly string[], labels: number, weights: Float64Array): Record<string, number[]> {
  const rows = features.map((feature, at): [string, number[]] => {
    const own = [...weights.subarray(at * labels, (at + 1) * labels)];
    const middle = own.toSorted((one, other) => one - other)[labels >> 1] ?? 0;
    const kept = own.map((weight, label) => ({ label, weight: weight - middle }));
    const large = kept.filter(({ weight }) => Math.abs(weight) >= SMALL);
    return [feature, large.flatMap(({ label, weight }) => [label, Math.round(weight / UNIT)])];
  });
  return Object.fromEntries(rows.filter(([, own]) => own.length > 0));
}

/** A model as the text of its file: a line for each feature. */
export function writtenModel({ labels, weights }: IntentModel): string {
  const lines = Object.entries(weights).map(([feature, own]) => `${JSON.stringify(feature)}:${JSON.stringify(own)}`);
  return `{"labels":${JSON.stringify(labels)},\n"weights":{\n${lines.join(',\n')}\n}}\n`;
}
