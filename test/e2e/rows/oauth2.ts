import { expect } from 'vitest';
import { invalid, type Rows } from './row.ts';

export const oauth2: Rows = {
  oauth2_tokens: {
    answers: (result) => {
      expect(Object.keys(result).sort()).toEqual(['successful', 'tokenExpiry']);
      expect(result.successful).toBe(true);
    },
    refused: invalid({ ApiEndpoint: 'nowhere_get' }, 'ApiEndpoint'),
  },
};
