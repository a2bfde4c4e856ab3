import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { out } from '../shared/fields.ts';
import { subscriberRecord } from '../subscribers/create.ts';

export default defineOperation({
  id: 'distributor_subscribers_get',
  endpoint: 'GET /v1.0/distributor/subscribers',
  title: 'All subscribers',
  description:
    'Subscribers of every account, a page at a time, with their numbers and account. To find one by name: numbers_find.',
  risk: 'read',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes: 'PLATFORM.md, Subscriber; assumed: at most 100 rows a page',
  input: () => ({
    PageNumber: z.int('must be a whole number').min(1, 'pages start at 1').optional(),
    TotalPerPage: z
      .int('must be a whole number')
      .min(1, 'ask for at least 1')
      .max(100, 'at most 100 rows a page: use PageNumber for more')
      .optional(),
  }),
  output: () => ({
    PageNumber: out.number,
    TotalSubscribers: out.number,
    Subscribers: out.rows(subscriberRecord),
  }),
  examples: [{ PageNumber: 1, TotalPerPage: 50 }],
});
