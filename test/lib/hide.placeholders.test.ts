import { describe, expect, it } from 'vitest';
import { parseInput } from '../../src/catalogue/input.ts';
import { TYPED_SECRET } from '../../src/lib/hide.ts';
import { tools } from '../../tools/index.ts';

/** A copy of an input for each text and number in it, with another value in its place. */
function replaced(value: unknown, by: string): unknown[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [by];
  if (Array.isArray(value)) return value.flatMap((one, at) => replaced(one, by).map((new_) => value.with(at, new_)));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, member]) =>
    replaced(member, by).map((changed) => ({ ...value, [key]: changed })),
  );
}

describe('what stands for a removed secret', () => {
  const FORMS = [TYPED_SECRET, 'secret removed', '[SECRET REMOVED]', 'pin [secret removed] x', '«redacted»'];

  it.each(tools.map((tool) => [tool.id, tool] as const))('is taken by no field of %s', (_id, tool) => {
    const fields = Object.keys(tool.input.shape).map((name) => ({ ...tool.examples[0], [name]: TYPED_SECRET }));
    const nested = tool.examples.flatMap((example) => FORMS.flatMap((form) => replaced(example, form)));
    for (const input of [...fields, ...nested]) {
      const refusal = () => parseInput(tool, input, new Date());
      expect(refusal).toThrow(/open the form/);
    }
  });
});
