import { expect } from 'vitest';
import { A1, CRID, id, type Json, MRID, seeded, TSUID } from '../../support/world.ts';
import { example } from '../table.derived.ts';
import { has, number, type Rows, type Run } from './row.ts';

const HOOK = {
  WebhookUrl: 'https://example.com/hook',
  SubscribedEvents: 'Order_Update',
  AuthenticationType: 'Basic',
  AuthenticationUsername: 'desk',
  AuthenticationPassword: 'webhook-secret-password',
};
const webhook = async (run: Run) => ({ WebhookId: (await run('webhook_create', HOOK)).WebhookId });
const assignment = async (run: Run) => {
  const made = await run('subscriptions_features_assignments_add', {
    FeatureId: id('FEID', 1),
    SubscriptionId: id('SUB', 1),
  });
  return { FeatureAssignmentId: made.FeatureAssignmentId };
};

/** The rows of the operations that read back, change and remove what others made. */
export const records: Rows = {
  account_packages_get: {
    answers: has({ TotalPackages: 1, Filter: 'All', Results: [{ PackageName: 'Starter', Price: 15 }] }),
  },
  packages_items_get: { answers: has({ Results: [{ PackageItemId: id('PIID', 1), Price: 4.5 }] }) },
  packages_update: {
    input: { PackageId: id('PKID', 1), Price: 17.5 },
    answers: has({ PackageName: 'Starter', Price: 17.5 }),
    changes: (after) => expect(after.packages[0]).toMatchObject({ Price: 17.5, Monthly: true, PackageName: 'Starter' }),
  },
  packages_items_update: {
    answers: has({ PackageItemId: id('PIID', 1), Price: 5.25 }),
    changes: (after) => expect(after.packages[0].PackageItems[0]).toMatchObject({ Price: 5.25, Monthly: true }),
  },
  packages_delete: {
    input: {},
    before: async (run) => ({ PackageId: (await run('packages_create', example('packages_create'))).PackageId }),
    answers: has({ PackageStatus: 'Deleted' }),
    changes: (after) => expect(after.packages.map((row: Json) => row.PackageName)).toEqual(['Starter']),
  },
  products_get: { answers: has({ SKU: 'ESIM-01', Cost: 4.5 }) },
  account_products_get: {
    answers: has({ TotalProducts: 2, Results: [{ SKU: 'ESIM-01' }, { SKU: 'DATA-05' }] }),
  },
  products_update: {
    answers: has({ SKU: 'DATA-05', Description: '5 GB of data a month' }),
    changes: (after) => expect(after.products[1]).toMatchObject({ Description: '5 GB of data a month', Cost: 9 }),
  },
  subscriptions_get: { answers: has({ SubscriberId: TSUID, TNID: id('NID', 5), PackageId: id('PKID', 1) }) },
  subscriptions_update: {
    input: { SubscriptionId: id('SUB', 1), TNID: id('NID', 3) },
    answers: has({ TNID: id('NID', 3), PackageId: id('PKID', 1) }),
    changes: (after) =>
      expect(after.subscriptions).toMatchObject([
        { SubscriptionId: id('SUB', 1), TNID: id('NID', 3), ICCID: number(after, 3).Iccid },
      ]),
  },
  subscriptions_delete: {
    answers: has({ SubscriptionStatus: 'Deleted' }),
    changes: (after) => expect(after.subscriptions).toEqual([]),
  },
  subscriptions_features_assignments_get: {
    before: async (run) => {
      await assignment(run);
      return {};
    },
    answers: has({ Results: [{ FeatureId: id('FEID', 1), SubscriptionId: id('SUB', 1), Active: true }] }),
    changes: (after) => expect(after.featureAssignments).toHaveLength(1),
  },
  subscriptions_features_assignments_delete: {
    before: assignment,
    answers: has({ FeatureAssignmentStatus: 'Deleted' }),
    changes: (after) => expect([after.featureAssignments, after.features.length]).toEqual([[], 1]),
  },
  subscriptions_features_delete: {
    before: async (run) => {
      await assignment(run);
      return {};
    },
    answers: has({ FeatureStatus: 'Deleted' }),
    changes: (after) => expect([after.features, after.featureAssignments]).toEqual([[], []]),
  },
  account_message_routes_get: {
    answers: (result) => {
      expect(result).toMatchObject({ AccountID: A1, TotalRoutes: 1, Results: [{ RouteName: 'Main SMS route' }] });
      expect(JSON.stringify(result)).not.toContain('PasswordToken');
    },
  },
  message_routes_delete: {
    answers: has({ MessageRouteStatus: 'Deleted', MRID }),
    changes: (after) => {
      expect(after.messageRoutes).toEqual([]);
      expect(number(after, 1).MessageRouteId).toBeNull();
    },
  },
  voice_routes_update: {
    input: { CallRouteId: CRID, TrunkIp1: '192.0.2.20', TrunkPort1: 5061 },
    answers: has({ TrunkIp1: '192.0.2.20' }),
    changes: (after) =>
      expect(after.voiceRoutes[0]).toMatchObject({
        fields: { RouteName: 'Main SIP trunk', TrunkIp1: '192.0.2.20', TrunkPort1: '5061', TrunkTransport1: 'UDP' },
        IpWhitelist: [{ IpAddress: '192.0.2.10' }],
      }),
  },
  voice_routes_delete: {
    answers: has({ CallRouteStatus: 'Deleted', CallRouteId: CRID }),
    changes: (after) => expect([after.voiceRoutes, number(after, 1).VoiceRouteId]).toEqual([[], null]),
  },
  webhook_get: {
    before: webhook,
    answers: (result) => {
      expect(result).toMatchObject({ SubscribedEvents: 'Order_Update', AuthenticationUsername: 'desk' });
      expect(JSON.stringify(result)).not.toContain(HOOK.AuthenticationPassword);
    },
    changes: (after) => expect(after.webhooks).toHaveLength(1),
  },
  account_webhooks_get: {
    before: async (run) => {
      await webhook(run);
      return {};
    },
    answers: (result) => {
      expect(result).toMatchObject({ Results: [{ WebhookUrl: HOOK.WebhookUrl, Active: true }] });
      expect(JSON.stringify(result)).not.toContain(HOOK.AuthenticationPassword);
    },
    changes: (after) => expect(after.webhooks).toHaveLength(1),
  },
  webhook_update: {
    input: { WebhookUrl: 'https://example.com/new-hook', AuthenticationPassword: 'kept-again' },
    before: webhook,
    answers: has({ WebhookUrl: 'https://example.com/new-hook', SubscribedEvents: 'Order_Update' }),
    changes: (after) =>
      expect(after.webhooks).toMatchObject([
        { WebhookUrl: 'https://example.com/new-hook', AuthenticationType: 'Basic', AuthenticationUsername: 'desk' },
      ]),
  },
  message_search_get: {
    before: async (run) => {
      await run('message_outbound', { To: [{ Number: '+12015550199' }], From: seeded(1), Body: 'First.' });
      await run('message_outbound', { To: [{ Number: '+12015550199' }], From: seeded(1), Body: 'Second.' });
      await run('message_outbound', { To: [{ Number: '+12015550199' }], From: seeded(3), Body: 'Not mine.' });
      return {};
    },
    input: { PhoneNumber: seeded(1), Results: 1 },
    answers: (result) =>
      expect(result).toMatchObject({
        PhoneNumber: seeded(1),
        ResultsTotalRecords: 2,
        ResultsPages: 2,
        Results: [{ Body: 'Second.', Direction: 'Outbound', To: [{ Number: '+12015550199' }] }],
      }),
    changes: (after) => expect(after.messages).toHaveLength(3),
  },
};
