import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { removal, voiceRouteId } from '../shared/fields.ts';
import { lookAtRoute } from '../shared/routes.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/voice/routes/delete',
  title: 'Delete a voice route',
  description:
    'Permanently deletes a voice route. Calls to numbers still on it fail: move them first with numbers_update.',
  notes: 'PLATFORM.md, Voice route',
  ...removal('CallRouteId', voiceRouteId),
  before: ({ CallRouteId }, look) =>
    lookAtRoute(['voice_routes_get', { CallRouteID: CallRouteId }], 'VoiceRouteId', look),
  consent: asks('Delete', 'voice route', 'CallRouteId', {
    hazard: (_input, { Numbers = '' }) => `${String(Numbers)} Calls to numbers on this route fail at once.`,
    undo: 'Calls missed until each number has another route are not recovered.',
  }),
});
