import { describe, expect, it } from 'vitest';
import { Guide } from '../../../src/assistant/guided/guide.ts';
import { isGated } from '../../../src/catalogue/operation.ts';
import { tools } from '../../../tools/index.ts';
import { NOW, type Sentence, sentences } from './sentences.ts';

const guide = new Guide({ tools, now: () => NOW });

/** The difference between the answer and what the sentence asks for; undefined if there is none. */
function difference(sentence: Sentence): string | undefined {
  const { kind, operation, input, find } = guide.answer(sentence.says);
  const found = find === undefined ? undefined : String(Object.values(find.input)[0]);
  const got = {
    kind,
    operation,
    ...(sentence.input && { input }),
    ...(sentence.finds !== undefined && { finds: found }),
  };
  const { says, ...wanted } = sentence;
  const expected = { operation: undefined, ...wanted };
  return isSame(got, expected) ? undefined : `${says}: ${JSON.stringify(got)}`;
}

function isSame(one: object, other: object): boolean {
  try {
    expect(one).toEqual(other);
    return true;
  } catch {
    return false;
  }
}

describe('the answer without a model', () => {
  it('understands nine of ten sentences of support people', () => {
    const missed = sentences.map(difference).filter((one) => one !== undefined);
    expect(sentences.length).toBeGreaterThanOrEqual(90);
    expect(missed.length / sentences.length, missed.join('\n')).toBeLessThan(0.05);
  });

  it('takes no sentence for a change that costs or destroys, unless the sentence asks for it', () => {
    const wrong = sentences.filter((sentence) => {
      const { operation, kind } = guide.answer(sentence.says);
      const tool = tools.find(({ id }) => id === operation);
      const acts = kind === 'form' || kind === 'question';
      return acts && tool !== undefined && isGated(tool) && operation !== sentence.operation;
    });
    expect(wrong.map(({ says }) => says)).toEqual([]);
  });
});
