import { defineOperation } from '../../src/catalogue/operation.ts';
import { out, voiceRouteId } from '../shared/fields.ts';
import { voiceRouteRecord } from './routes-create.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/voice/routes',
  title: 'Voice route details',
  description: 'Full settings of one voice route. account_voice_routes_get lists the ids.',
  source: 'S+I',
  notes: 'PLATFORM.md, Voice route: the query is spelled CallRouteID; assumed: it is required',
  input: () => ({ CallRouteID: voiceRouteId }),
  output: () => ({ ...voiceRouteRecord, IpWhiteList: out.rows({ IpAddress: out.plain }) }),
});
