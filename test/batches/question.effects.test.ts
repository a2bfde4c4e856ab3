import { describe, expect, it } from 'vitest';
import { effectsOf, statementOfAll } from '../../src/batches/question.ts';
import { tools } from '../../tools/index.ts';
import { numbers } from '../support/batches.ts';

const tool = tools.find(({ id }) => id === 'numbers_update');
if (!tool) throw new Error('numbers_update');

/** Returns rows with different effects, costs and customers. */
const rowsOf = (count: number) =>
  numbers(...Array.from({ length: count }, (_, i) => i + 1)).map((target, i) => {
    const consent = { title: '', consequence: `Effect ${i}.`, undo: '', confirm: 'Change it', cost: `Fee ${i}` };
    const known = { question: { customer: `Customer ${i}` } };
    return { n: i + 1, target, said: { Number: target }, asked: { shown: {}, known, consent } };
  });

describe('effects of a batch that are all different', () => {
  it.each([8, 30])('names each of %i with its row, in the text or in a list', (count) => {
    const { consequence, cost = '', customers, lists } = effectsOf(tool, {}, rowsOf(count));
    const said = (label: string, text: string) =>
      `${text}\n${lists.filter((list) => list.label.startsWith(label)).map(({ value }) => value)}`;
    for (const { target, asked } of rowsOf(count)) {
      const { consequence: effect, cost: fee } = asked.consent;
      expect(said('What happens', consequence)).toMatch(new RegExp(`\\${target}\\)?: ${effect}`));
      expect(said('Cost', cost)).toContain(fee.toLowerCase().replace('fee', count > 8 ? 'Fee' : 'fee'));
      expect(said('Customers', customers)).toContain(asked.known.question.customer);
    }
    expect(lists).toHaveLength(count > 8 ? 3 : 0);
  });
});

it('the statement about one number is that about all of them, without their numbers', () => {
  const said = 'By cancelling 12015550101 you end its service.';
  expect(statementOfAll(said, rowsOf(1))).toBe(said);
  expect(statementOfAll(said, rowsOf(2))).toBe('By cancelling these 2 numbers you end its service.');
});
