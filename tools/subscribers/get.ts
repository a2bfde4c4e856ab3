import { defineOperation } from '../../src/catalogue/operation.ts';
import { subscriberId } from '../shared/fields.ts';
import { subscriberRecord } from './create.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/subscribers/get',
  title: 'Subscriber details',
  description:
    'One subscriber by id: name, e-mail, role, numbers, account. By name: numbers_find. By phone number: numbers_lookup.',
  batch: { row: 'SubscriberId' },
  source: 'S+I',
  notes: 'PLATFORM.md, Subscriber',
  input: () => ({ SubscriberId: subscriberId }),
  output: () => subscriberRecord,
});
