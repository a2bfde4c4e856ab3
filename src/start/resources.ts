import { batchTemplate, confirmationTemplate, templates } from '../../tools/surfaces/assistants.ts';
import type { PlatformEvent } from '../events/parse.ts';
import type { Action } from '../ledger/ledger.ts';

/** Returns the URIs of the MCP resources that an event changes. */
export function urisOfEvent(event: PlatformEvent): string[] {
  switch (event.kind) {
    case 'order':
      return [uriOf('order', event.orderId)];
    case 'message':
    case 'status':
      return [event.from, ...event.to].map((phone) => uriOf('messages', phone));
    case 'watch':
      return [uriOf('number', event.phone)];
    default:
      return [];
  }
}

/** Returns the URIs of the MCP resources that an action changes: its confirmation and its order. */
export function urisOfAction(action: Action): string[] {
  const confirmation = fill(confirmationTemplate.uriTemplate, action.id);
  const order = action.result?.OrderId ?? action.shown.OrderId;
  return typeof order === 'string' ? [confirmation, uriOf('order', order)] : [confirmation];
}

/** Returns the URI of a batch. */
export function uriOfBatch(id: string): string {
  return fill(batchTemplate.uriTemplate, id);
}

function uriOf(name: string, id: string): string {
  return fill(templates.find((template) => template.name === name)?.uriTemplate ?? '', id);
}

function fill(template: string, id: string): string {
  return `${template.split('{')[0] ?? ''}${id}`;
}
