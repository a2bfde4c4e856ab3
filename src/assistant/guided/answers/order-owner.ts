import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Fields } from '../../../lib/json.ts';

/*
 * "Correct the account number on ava's port": orders have an id and a number, and no list of the platform names their
 * customer. The answer says where the order of a customer is shown.
 */

/** The remark on an open order of a customer. Empty if the order is given, or no single customer is named. */
export function orderNote(tool: Tool, input: Fields, people: readonly string[]): string {
  const [owner, ...others] = people;
  const isOpen = fieldsOf(tool).some(
    ({ name, required }) => name === 'OrderId' && required && input[name] === undefined,
  );
  // The head of an id is no customer.
  if (
    !isOpen ||
    owner === undefined ||
    /ID$/u.test(owner) ||
    others.length > 0 ||
    JSON.stringify(input).includes(owner)
  )
    return '';
  return `; an order is known by its id or its number: “port-in orders of ${owner}” shows those that were reported for ${owner}`;
}
