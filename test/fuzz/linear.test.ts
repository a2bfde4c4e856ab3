import { describe, expect, it } from 'vitest';
import { parsers } from './parsers.ts';
import { isLinear, pump, SLOWEST_MS } from './run.ts';

describe('every parser of text from outside takes linear time', () => {
  it.each(parsers)(
    '$name: at most 100 ms at 64 KiB, and less than eight times that of a quarter of the size',
    {
      timeout: 600_000,
    },
    (parser) => {
      const { figures, worst } = pump(parser);
      expect(figures.failures).toEqual([]);
      expect(figures.slowestMs).toBeLessThan(SLOWEST_MS);
      expect(isLinear(worst), JSON.stringify(worst)).toBe(true);
    },
  );
});
