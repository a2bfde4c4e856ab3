import { describe, expect, it } from 'vitest';
import { parsers } from './parsers.ts';
import { pump, SLOWEST_MS } from './run.ts';

/** Below this, a doubled time is noise of the machine. */
const NOTICEABLE_MS = 20;

describe('every parser of text from outside takes linear time', () => {
  it.each(parsers)(
    '$name: at most 100 ms at 64 KiB, and less than four times that of half the size',
    {
      timeout: 120_000,
    },
    (parser) => {
      const { figures, worst } = pump(parser);
      expect(figures.failures).toEqual([]);
      expect(figures.slowestMs).toBeLessThan(SLOWEST_MS);
      if (worst.ms > NOTICEABLE_MS)
        expect(worst.ms, `pumped with ${worst.text}`).toBeLessThan(4 * Math.max(worst.half, NOTICEABLE_MS / 4));
    },
  );
});
