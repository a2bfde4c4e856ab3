import { expect } from 'vitest';
import { A1 } from '../../support/world.ts';
import { added, contains, type Rows } from './row.ts';

export const voice: Rows = {
  voice_routes_create: {
    input: {
      RouteName: 'Second trunk',
      RouteType: 'Trunk',
      TrunkIp1: '192.0.2.20',
      TrunkPort1: '5061',
      TrunkTransport1: 'TLS',
      TrunkEnabled1: true,
      Trunk1Priortiy: 10,
      AccountId: A1,
    },
    answers: contains('CRID-'),
    changes: (after, _result, before) =>
      expect(added(after, before, 'voiceRoutes')).toMatchObject({ fields: { RouteName: 'Second trunk' } }),
  },
  voice_routes_get: {
    answers: contains('Main SIP trunk'),
  },
};
