import { defineOperation } from '../../src/catalogue/operation.ts';
import { out, page, rowsAPage } from '../shared/fields.ts';
import { subscriberRecord } from '../subscribers/create.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/distributor/subscribers',
  title: 'All subscribers',
  description:
    'Subscribers of every account, a page at a time, with their numbers and account. To find one by name: numbers_find.',
  notes: 'PLATFORM.md, Subscriber; assumed: at most 100 rows a page',
  input: () => ({
    PageNumber: page.optional(),
    TotalPerPage: rowsAPage('PageNumber').optional(),
  }),
  output: () => ({
    ...out.members('PageNumber TotalSubscribers'),
    Subscribers: out.rows(subscriberRecord),
  }),
});
