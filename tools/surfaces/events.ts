/** Which operations the events need: how an order is read again, and how we register as a receiver. Data, by id. */
export const eventOperations = {
  readOrder: {
    operation: 'numbers_order_get',
    field: 'OrderId',
    status: ['OrderStatus', 'Status'],
    message: ['ErrorMessage', 'OrderStatusMessage'],
    numbers: { list: 'PhoneNumbersOrdered', member: 'Number' },
  },
  correctOrder: { operation: 'numbers_portin_update', field: 'OrderId' },
  reply: { operation: 'message_outbound', from: 'From', to: 'To' },
  sync: {
    createWebhook: 'webhook_create',
    deleteWebhook: 'webhook_delete',
    updateMessageRoute: 'message_routes_update',
  },
} as const;

/** How a watched number is looked at, and what helps once something was found. Data, by id. */
export const watchOperations = {
  usage: { operation: 'numbers_data_usage_info', numbers: 'PhoneNumbers' },
  limits: { operation: 'numbers_data_usage_settings', numbers: 'PhoneNumbers' },
  helps: [
    { operation: 'numbers_data_usage_set', label: 'Change the limits' },
    { operation: 'numbers_watch', label: 'Stop watching', given: { Stop: true }, atOnce: true },
  ],
} as const;

/** Everything the platform can be subscribed to (PLATFORM.md, Events). */
export { events as subscribableEvents } from '../webhook/create.ts';
