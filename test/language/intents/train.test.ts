import { describe, expect, it } from 'vitest';
import { intentsOf } from '../../../src/language/intents/intents.ts';
import { learnIntents } from '../../../src/language/intents/train.ts';
import { tools } from '../../../tools/index.ts';
import filters from '../../../tools/surfaces/examples/filters.json' with { type: 'json' };
import lines from '../../../tools/surfaces/examples/lines.json' with { type: 'json' };
import others from '../../../tools/surfaces/examples/other.json' with { type: 'json' };
import records from '../../../tools/surfaces/examples/records.json' with { type: 'json' };

const examples: Readonly<Record<string, readonly string[]>> = { ...lines, ...records, ...filters, ...others };
const TOPICS =
  'about_change health help history not_here numbers_portin_requirements swap_sim undo_last waiting who_may withdraw';

/** True for the examples that are left out of the training. */
const isLeftOut = (at: number) => at % 8 === 0;

function part(keeps: (at: number) => boolean): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(examples).map(([label, sentences]) => [label, sentences.filter((_, at) => keeps(at))]),
  );
}

describe('the model of what a sentence asks for', () => {
  it('names what is asked for by most sentences that it has not seen, and by nearly all among three', () => {
    const model = learnIntents(part((at) => !isLeftOut(at)));
    const ranks = Object.entries(part(isLeftOut)).flatMap(([label, sentences]) => {
      const [operation] = label.split(':');
      return sentences.map((sentence) =>
        intentsOf(sentence, model).findIndex((intent) => intent.label.split(':')[0] === operation),
      );
    });
    expect(ranks.length).toBeGreaterThan(1_000);
    expect(ranks.filter((rank) => rank === 0).length / ranks.length).toBeGreaterThan(0.58);
    expect(ranks.filter((rank) => rank < 3).length / ranks.length).toBeGreaterThan(0.8);
  });

  it('is the same for the same examples, with shares that add up to 1', () => {
    const few = {
      cancel: ['cancel 0104', 'end the line', 'cancel it'],
      park: ['park 0103', 'hold the line', 'park it'],
    };
    const model = learnIntents(few);
    expect(learnIntents(few)).toEqual(model);
    const shares = intentsOf('constructor toString __proto__', model).map(({ share }) => share);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
  });

  it('has labels that are operations, their kinds, or topics', () => {
    const known = new Set([...tools.map(({ id }) => id), ...TOPICS.split(' ')]);
    expect(Object.keys(examples).filter((label) => !known.has(label.split(':')[0] ?? ''))).toEqual([]);
  });
});
