/** Which operations the events need: how an order is read again, and how we register as a receiver. Data, by id. */
export const eventOperations = {
  readOrder: {
    operation: 'numbers_order_get',
    field: 'OrderId',
    status: ['OrderStatus', 'Status'],
    message: ['ErrorMessage', 'OrderStatusMessage'],
  },
  correctOrder: { operation: 'numbers_portin_update', field: 'OrderId' },
  reply: { operation: 'message_outbound', from: 'From', to: 'To' },
  sync: {
    createWebhook: 'webhook_create',
    deleteWebhook: 'webhook_delete',
    updateMessageRoute: 'message_routes_update',
  },
} as const;

/** Everything the platform can be subscribed to (platform.md, Events). */
export { events as subscribableEvents } from './webhook/create.ts';
