// Generated from the folders by `npm run generate`. The order comes from groups.ts.
import type { Operation, Tool, Workflow } from '../src/catalogue/operation.ts';
import accountCreate from './account/create.ts';
import accountGet from './account/get.ts';
import accountMessageRoutesGet from './account/message-routes-get.ts';
import accountPackagesGet from './account/packages-get.ts';
import accountProductsGet from './account/products-get.ts';
import accountSubscriptionsGet from './account/subscriptions-get.ts';
import accountUpdate from './account/update.ts';
import accountVoiceRoutesGet from './account/voice-routes-get.ts';
import accountWebhooksGet from './account/webhooks-get.ts';
import accountWorkgroupsGet from './account/workgroups-get.ts';
import distributorAccountsGet from './distributor/accounts-get.ts';
import distributorSubscribersGet from './distributor/subscribers-get.ts';
import messageDetailsGet from './message/details-get.ts';
import messageOutbound from './message/outbound.ts';
import messageRoutesCreate from './message/routes-create.ts';
import messageRoutesDelete from './message/routes-delete.ts';
import messageRoutesGet from './message/routes-get.ts';
import messageRoutesUpdate from './message/routes-update.ts';
import messageSearchGet from './message/search-get.ts';
import numbersAvailability from './numbers/availability.ts';
import numbersCancelOrderRequest from './numbers/cancel-order-request.ts';
import numbersCancelOrderSubmit from './numbers/cancel-order-submit.ts';
import numbersDataUsageInfo from './numbers/data-usage-info.ts';
import numbersDataUsageSet from './numbers/data-usage-set.ts';
import numbersDataUsageSettings from './numbers/data-usage-settings.ts';
import numbersGet from './numbers/get.ts';
import numbersInventoryGet from './numbers/inventory-get.ts';
import numbersOrderGet from './numbers/order-get.ts';
import numbersPortin from './numbers/portin.ts';
import numbersPortinCancel from './numbers/portin-cancel.ts';
import numbersPortinEligibility from './numbers/portin-eligibility.ts';
import numbersPortinUpdate from './numbers/portin-update.ts';
import numbersPortout from './numbers/portout.ts';
import numbersProvision from './numbers/provision.ts';
import numbersReactivate from './numbers/reactivate.ts';
import numbersStatus from './numbers/status.ts';
import numbersUpdate from './numbers/update.ts';
import oauth2Tokens from './oauth2/tokens.ts';
import packagesCreate from './packages/create.ts';
import packagesDelete from './packages/delete.ts';
import packagesGet from './packages/get.ts';
import packagesItemsAdd from './packages/items-add.ts';
import packagesItemsDelete from './packages/items-delete.ts';
import packagesItemsGet from './packages/items-get.ts';
import packagesItemsUpdate from './packages/items-update.ts';
import packagesUpdate from './packages/update.ts';
import productsCreate from './products/create.ts';
import productsDelete from './products/delete.ts';
import productsGet from './products/get.ts';
import productsUpdate from './products/update.ts';
import subscribersCallFilterAllowedNumbersAdd from './subscribers/call-filter-allowed-numbers-add.ts';
import subscribersCallFilterAllowedNumbersGet from './subscribers/call-filter-allowed-numbers-get.ts';
import subscribersCallFilterAllowedNumbersRemove from './subscribers/call-filter-allowed-numbers-remove.ts';
import subscribersCallFilterBlockedNumbersAdd from './subscribers/call-filter-blocked-numbers-add.ts';
import subscribersCallFilterBlockedNumbersGet from './subscribers/call-filter-blocked-numbers-get.ts';
import subscribersCallFilterBlockedNumbersRemove from './subscribers/call-filter-blocked-numbers-remove.ts';
import subscribersCallFilterCreate from './subscribers/call-filter-create.ts';
import subscribersCallFilterDelete from './subscribers/call-filter-delete.ts';
import subscribersCallFilterGet from './subscribers/call-filter-get.ts';
import subscribersCallFilterUpdate from './subscribers/call-filter-update.ts';
import subscribersCreate from './subscribers/create.ts';
import subscribersGet from './subscribers/get.ts';
import subscribersGuardianFeaturesGet from './subscribers/guardian-features-get.ts';
import subscribersGuardianFeaturesSet from './subscribers/guardian-features-set.ts';
import subscribersMessageFilterAllowedContactsAdd from './subscribers/message-filter-allowed-contacts-add.ts';
import subscribersMessageFilterAllowedContactsGet from './subscribers/message-filter-allowed-contacts-get.ts';
import subscribersMessageFilterAllowedContactsRemove from './subscribers/message-filter-allowed-contacts-remove.ts';
import subscribersMessageFilterBlockedContactsAdd from './subscribers/message-filter-blocked-contacts-add.ts';
import subscribersMessageFilterBlockedContactsGet from './subscribers/message-filter-blocked-contacts-get.ts';
import subscribersMessageFilterBlockedContactsRemove from './subscribers/message-filter-blocked-contacts-remove.ts';
import subscribersMessageFilterCreate from './subscribers/message-filter-create.ts';
import subscribersMessageFilterDelete from './subscribers/message-filter-delete.ts';
import subscribersMessageFilterGet from './subscribers/message-filter-get.ts';
import subscribersMessageFilterUpdate from './subscribers/message-filter-update.ts';
import subscribersUpdate from './subscribers/update.ts';
import subscriptionsCreate from './subscriptions/create.ts';
import subscriptionsDelete from './subscriptions/delete.ts';
import subscriptionsFeaturesAdd from './subscriptions/features-add.ts';
import subscriptionsFeaturesAssignmentsAdd from './subscriptions/features-assignments-add.ts';
import subscriptionsFeaturesAssignmentsDelete from './subscriptions/features-assignments-delete.ts';
import subscriptionsFeaturesAssignmentsGet from './subscriptions/features-assignments-get.ts';
import subscriptionsFeaturesDelete from './subscriptions/features-delete.ts';
import subscriptionsFeaturesGet from './subscriptions/features-get.ts';
import subscriptionsGet from './subscriptions/get.ts';
import subscriptionsUpdate from './subscriptions/update.ts';
import voiceRoutesCreate from './voice/routes-create.ts';
import voiceRoutesDelete from './voice/routes-delete.ts';
import voiceRoutesGet from './voice/routes-get.ts';
import voiceRoutesUpdate from './voice/routes-update.ts';
import webhookCreate from './webhook/create.ts';
import webhookDelete from './webhook/delete.ts';
import webhookGet from './webhook/get.ts';
import webhookUpdate from './webhook/update.ts';
import eventsSince from './workflows/events-since.ts';
import numbersCancel from './workflows/numbers-cancel.ts';
import numbersDiagnose from './workflows/numbers-diagnose.ts';
import numbersFind from './workflows/numbers-find.ts';
import numbersLookup from './workflows/numbers-lookup.ts';
import numbersWatch from './workflows/numbers-watch.ts';
import numbersWatches from './workflows/numbers-watches.ts';
import workgroupsActivityUpdate from './workgroups/activity-update.ts';
import workgroupsGet from './workgroups/get.ts';
import workgroupsUpdate from './workgroups/update.ts';

/** One call of the platform each, by group. */
export const operations: readonly Operation[] = [
  numbersGet,
  numbersAvailability,
  numbersProvision,
  numbersUpdate,
  numbersPortinEligibility,
  numbersPortin,
  numbersPortinUpdate,
  numbersPortinCancel,
  numbersPortout,
  numbersOrderGet,
  numbersDataUsageSet,
  numbersDataUsageSettings,
  numbersDataUsageInfo,
  numbersReactivate,
  numbersCancelOrderRequest,
  numbersCancelOrderSubmit,
  numbersStatus,
  numbersInventoryGet,
  subscribersCreate,
  subscribersGet,
  subscribersUpdate,
  subscribersGuardianFeaturesSet,
  subscribersGuardianFeaturesGet,
  subscribersCallFilterCreate,
  subscribersCallFilterGet,
  subscribersCallFilterUpdate,
  subscribersCallFilterDelete,
  subscribersCallFilterAllowedNumbersGet,
  subscribersCallFilterAllowedNumbersAdd,
  subscribersCallFilterAllowedNumbersRemove,
  subscribersCallFilterBlockedNumbersGet,
  subscribersCallFilterBlockedNumbersAdd,
  subscribersCallFilterBlockedNumbersRemove,
  subscribersMessageFilterCreate,
  subscribersMessageFilterGet,
  subscribersMessageFilterUpdate,
  subscribersMessageFilterDelete,
  subscribersMessageFilterAllowedContactsAdd,
  subscribersMessageFilterAllowedContactsGet,
  subscribersMessageFilterAllowedContactsRemove,
  subscribersMessageFilterBlockedContactsAdd,
  subscribersMessageFilterBlockedContactsGet,
  subscribersMessageFilterBlockedContactsRemove,
  messageRoutesCreate,
  messageRoutesUpdate,
  messageDetailsGet,
  messageOutbound,
  messageRoutesDelete,
  messageRoutesGet,
  messageSearchGet,
  voiceRoutesCreate,
  voiceRoutesDelete,
  voiceRoutesGet,
  voiceRoutesUpdate,
  accountCreate,
  accountGet,
  accountMessageRoutesGet,
  accountPackagesGet,
  accountProductsGet,
  accountSubscriptionsGet,
  accountUpdate,
  accountVoiceRoutesGet,
  accountWebhooksGet,
  accountWorkgroupsGet,
  subscriptionsCreate,
  subscriptionsFeaturesGet,
  subscriptionsDelete,
  subscriptionsFeaturesAdd,
  subscriptionsFeaturesAssignmentsAdd,
  subscriptionsFeaturesAssignmentsDelete,
  subscriptionsFeaturesAssignmentsGet,
  subscriptionsFeaturesDelete,
  subscriptionsGet,
  subscriptionsUpdate,
  packagesCreate,
  packagesDelete,
  packagesGet,
  packagesItemsAdd,
  packagesItemsDelete,
  packagesItemsGet,
  packagesItemsUpdate,
  packagesUpdate,
  productsCreate,
  productsDelete,
  productsGet,
  productsUpdate,
  webhookCreate,
  webhookDelete,
  webhookGet,
  webhookUpdate,
  workgroupsActivityUpdate,
  workgroupsGet,
  workgroupsUpdate,
  distributorAccountsGet,
  distributorSubscribersGet,
  oauth2Tokens,
];

/** Several operations as one tool. */
export const workflows: readonly Workflow[] = [
  numbersLookup,
  numbersFind,
  numbersDiagnose,
  numbersCancel,
  numbersWatch,
  numbersWatches,
  eventsSince,
];

export const tools: readonly Tool[] = [...operations, ...workflows];
