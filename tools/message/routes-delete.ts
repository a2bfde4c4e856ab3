import { defineOperation } from '../../src/catalogue/operation.ts';
import { messageRouteId, out, seeded } from '../shared/fields.ts';
import { beforeRouteDeletion } from '../shared/routes.ts';

export default defineOperation({
  id: 'message_routes_delete',
  endpoint: 'POST /v1.0/message/routes/delete',
  title: 'Delete a message route',
  description:
    'Permanently deletes a message route. Numbers still on it stop receiving messages: move them first with numbers_update.',
  risk: 'destroy',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes: 'PLATFORM.md, Message route: the answer names the id MRID',
  removes: 'MessageRouteId',
  input: () => ({ MessageRouteId: messageRouteId }),
  output: () => ({ MessageRouteStatus: out.text, MRID: out.text }),
  answer: { status: 'MessageRouteStatus' },
  before: beforeRouteDeletion('message route', 'MessageRouteId'),
  consent: ({ MessageRouteId }, { Name = MessageRouteId, Numbers = '' }) => ({
    title: `Delete message route ${String(Name)}`,
    consequence:
      `${String(Numbers)} Numbers on this route stop receiving messages and delivery receipts at once.`.trim(),
    undo: 'Permanent. Another route can be created, under a new id, and each number moved to it; messages lost until then are not recovered.',
    confirm: 'Delete this route',
  }),
  examples: [{ MessageRouteId: seeded('MRID') }],
});
