import { expect } from 'vitest';
import { A1, MRID, seeded } from '../../support/world.ts';
import { added, contains, matches, type Rows } from './row.ts';

export const message: Rows = {
  message_routes_create: {
    input: {
      RouteName: 'Support inbox',
      MessageUrl: 'https://example.com/messages',
      MessageUrlMethod: 'POST',
      AccountId: A1,
      MessageAuthenticationType: 'Bearer',
      MessagePasswordToken: 'route-secret-token',
    },
    answers: matches('MessageRouteId', /^MRID-/),
    changes: (after, result, before) =>
      expect(added(after, before, 'messageRoutes')).toMatchObject({
        MessageRouteId: result.MessageRouteId,
        fields: { RouteName: 'Support inbox' },
      }),
  },
  message_routes_update: {
    input: { MessageRouteId: MRID, RouteName: 'Renamed route' },
    changes: (after) => expect(after.messageRoutes[0].fields.RouteName).toBe('Renamed route'),
  },
  message_details_get: {
    before: async (run) => {
      const sent = await run('message_outbound', { To: [{ Number: '+12015550199' }], From: seeded(1), Body: 'Hello.' });
      return { MessageId: /TMID-[\w-]+/.exec(JSON.stringify(sent))?.[0] };
    },
    answers: contains('Hello.'),
  },
  message_outbound: {
    answers: contains('TMID-'),
    changes: (after, _result, before) =>
      expect(added(after, before, 'messages')).toMatchObject({ Body: 'Hello from support.', To: ['+12015550199'] }),
  },
  message_routes_get: {
    answers: (result) => {
      expect(result).toMatchObject({ MessageRouteId: MRID, RouteName: 'Main SMS route', MessageRouteEnabled: true });
      expect(JSON.stringify(result)).not.toContain('PasswordToken');
    },
  },
};
