import { describe, expect, it } from 'vitest';
import { parseInput } from '../../src/catalogue/input.ts';
import type { Tool } from '../../src/catalogue/operation.ts';
import { asSwitchboardError } from '../../src/lib/errors.ts';
import { tools } from '../../tools/index.ts';
import { rows } from './arguments.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

describe('the catalogue', () => {
  it.each(rows)('reads $sentence', ({ operation, given, means, refused }) => {
    const tool = tools.find(({ id }) => id === operation) as Tool;
    try {
      expect(parseInput(tool, given, NOW)).toEqual(means);
    } catch (error) {
      if (!refused) throw error;
      const { code, field, message } = asSwitchboardError(error).face;
      expect({ code, field }).toEqual({ code: 'invalid_input', field: refused.field });
      expect(message).toMatch(refused.message);
    }
  });
});
