import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { messageRouteId, out, removal } from '../shared/fields.ts';
import { lookAtRoute } from '../shared/routes.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/message/routes/delete',
  title: 'Delete a message route',
  description:
    'Permanently deletes a message route. Numbers still on it stop receiving messages: move them first with numbers_update.',
  notes: 'PLATFORM.md, Message route: the answer names the id MRID',
  ...removal('MessageRouteId', messageRouteId),
  output: () => ({ MessageRouteStatus: out.plain, MRID: out.plain }),
  before: (input, look) => lookAtRoute(['message_routes_get', input], 'MessageRouteId', look),
  consent: asks('Delete', 'message route', 'MessageRouteId', {
    hazard: (_input, { Numbers = '' }) => `${String(Numbers)} Numbers on this route stop receiving messages at once.`,
    undo: 'Messages lost until each number has another route are not recovered.',
  }),
});
