import { expect } from 'vitest';
import type { Rows } from './row.ts';

export const oauth2: Rows = {
  oauth2_tokens: {
    answers: (result) => {
      expect(Object.keys(result).sort()).toEqual(['successful', 'tokenExpiry']);
      expect(result.successful).toBe(true);
    },
  },
};
