import { defineOperation } from '../../src/catalogue/operation.ts';
import { messageRouteId } from '../shared/fields.ts';
import { messageRouteRecord } from './routes-create.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/message/routes',
  title: 'Message route details',
  description: 'Settings of one message route, without its passwords.',
  notes: 'PLATFORM.md, Message route',
  input: () => ({ MessageRouteId: messageRouteId }),
  output: () => messageRouteRecord,
});
