import { defineOperation } from '../../src/catalogue/operation.ts';
import { out, seeded, voiceRouteId } from '../shared/fields.ts';
import { beforeRouteDeletion } from '../shared/routes.ts';

export default defineOperation({
  id: 'voice_routes_delete',
  endpoint: 'POST /v1.0/voice/routes/delete',
  title: 'Delete a voice route',
  description:
    'Permanently deletes a voice route. Calls to numbers still on it fail: move them first with numbers_update.',
  risk: 'destroy',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes: 'PLATFORM.md, Voice route',
  removes: 'CallRouteId',
  input: () => ({ CallRouteId: voiceRouteId }),
  output: () => ({ CallRouteStatus: out.text, CallRouteId: out.text }),
  answer: { status: 'CallRouteStatus' },
  before: beforeRouteDeletion('voice route', 'CallRouteId'),
  consent: ({ CallRouteId }, { Name = CallRouteId, Numbers = '' }) => ({
    title: `Delete voice route ${String(Name)}`,
    consequence: `${String(Numbers)} Calls to numbers on this route fail at once.`.trim(),
    undo: 'Permanent. Another route can be created, under a new id, and each number moved to it; calls missed until then are not recovered.',
    confirm: 'Delete this route',
  }),
  examples: [{ CallRouteId: seeded('CRID') }],
});
