import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { out } from '../shared/fields.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/oauth2/tokens',
  title: 'Check endpoint access',
  description:
    'Checks that the platform accepts our credentials for one endpoint, and shows when the token expires, never the token.',
  risk: 'read',
  source: 'S',
  notes:
    'PLATFORM.md, Authentication: a token is scoped to one URL; the client adds AccountKey and AccountSecret and keeps the token',
  input: () => ({
    ApiEndpoint: z
      .string()
      .trim()
      .min(1, 'give an operation id such as numbers_get, or the full URL of an endpoint')
      .max(500)
      .refine((text) => /^[a-z][a-z0-9_]*$/.test(text) || /^https?:\/\/\S+$/.test(text), {
        message: 'must be an operation id such as numbers_get, or the full URL of an endpoint',
      })
      .describe('operation id, or full endpoint URL'),
  }),
  output: () => ({ successful: out.plain, tokenExpiry: out.plain }),
  examples: [{ ApiEndpoint: 'numbers_get' }],
});
