/** Ids of the operations that events need: to read an order again, to list events, and to register as a receiver. */
export const eventOperations = {
  readOrder: {
    operation: 'numbers_order_get',
    field: 'OrderId',
    message: ['ErrorMessage', 'OrderStatusMessage'],
    numbers: { list: 'PhoneNumbersOrdered', member: 'Number' },
  },
  correctOrder: { operation: 'numbers_portin_update', field: 'OrderId' },
  /** Gives a number that was ported in to a subscriber. */
  assignNumber: { operation: 'numbers_update', field: 'Number' },
  since: 'events_since',
  reply: { operation: 'message_outbound', from: 'From', to: 'To' },
  sync: {
    listWebhooks: 'account_webhooks_get',
    listMessageRoutes: 'account_message_routes_get',
    readMessageRoute: 'message_routes_get',
    createWebhook: 'webhook_create',
    updateWebhook: 'webhook_update',
    deleteWebhook: 'webhook_delete',
    updateMessageRoute: 'message_routes_update',
  },
} as const;

/** Ids of the operations that read a watched number, and the steps offered with an alert. */
export const watchOperations = {
  usage: { operation: 'numbers_data_usage_info', numbers: 'PhoneNumbers' },
  limits: { operation: 'numbers_data_usage_settings', numbers: 'PhoneNumbers' },
  helps: [
    { operation: 'numbers_data_usage_set', label: 'Change the limits' },
    { operation: 'numbers_watch', label: 'Stop watching', given: { Stop: true }, atOnce: true, watched: true },
  ],
} as const;

/** Everything the platform can be subscribed to (PLATFORM.md, Events). */
export { events as subscribableEvents } from '../webhook/create.ts';
