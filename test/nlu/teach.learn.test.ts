import { describe, expect, it } from 'vitest';
import { Classifier, exp } from '../../src/nlu/model-file.ts';
import { learn } from '../../src/nlu/teach.ts';

const examples = ['cancel the line', 'end the line', 'park the line', 'hold the line for now'].map((says, at) => ({
  features: says.split(' '),
  labels: [at < 2 ? 'cancel' : 'park'],
}));
const options = { leastExamples: 1 };

describe('a classifier', () => {
  it('ranks the labels of what it learned, with shares that add up to 1', () => {
    const classifier = new Classifier(learn(examples, options));
    const ranked = classifier.rank(['please', 'park', 'it']);
    expect(ranked[0]?.label).toBe('park');
    expect(ranked.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    expect([classifier.knows('park'), classifier.knows('constructor')]).toEqual([true, false]);
  });

  it('is the same for the same examples', () => {
    expect(learn(examples, options)).toEqual(learn(examples, options));
  });

  it('takes any of several labels as right', () => {
    const either = [...examples, { features: ['stop', 'it'], labels: ['cancel', 'park'] }];
    expect(new Classifier(learn(either, options)).labels).toEqual(['cancel', 'park']);
  });

  it('calculates powers of e without the functions that may differ', () => {
    for (const x of [0, -0.1, -1, -5.5, -20, -39]) expect(exp(x) / Math.exp(x)).toBeCloseTo(1, 12);
    expect(exp(-100)).toBe(0);
  });
});
