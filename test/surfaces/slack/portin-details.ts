import type { Given } from '../../../src/demo/playground/forms.ts';

/** The input of a person for the second step of the port-in guide. */
export const DETAILS: Record<string, Given> = {
  CurrentAccountNumber: '46512222',
  CurrentAccountPassword: '90817263',
  'CurrentBillingAddress.Street1': '1 Main St',
  'CurrentBillingAddress.City': 'Chicago',
  'CurrentBillingAddress.State': 'IL',
  'CurrentBillingAddress.Zip': '60601',
  SubscriberName: 'Ava Stone',
};
