import { expect } from 'vitest';
import type { Json } from '../../support/world.ts';
import { example } from '../table.derived.ts';
import { added, matches, type Rows } from './row.ts';

export const webhook: Rows = {
  webhook_create: {
    answers: matches('WebhookId', /^WID-/),
    changes: (after, result, before) =>
      expect(added(after, before, 'webhooks')).toMatchObject({
        WebhookId: result.WebhookId,
        SubscribedEvents: 'Order_Update,New_Sms',
      }),
  },
  webhook_delete: {
    before: async (run) => ({ WebhookId: (await run('webhook_create', example('webhook_create'))).WebhookId }),
    changes: (after) => expect(after.webhooks.filter((hook: Json) => hook.Active !== false)).toEqual([]),
  },
};
