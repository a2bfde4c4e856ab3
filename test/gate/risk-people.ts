/** Operations that are raised for some inputs and have their cases in raised.people.test.ts. */
export const RAISED_PEOPLE = [
  'subscribers_call_filter_update',
  'subscribers_message_filter_update',
  'subscribers_update',
  'workgroups_update',
] as const;
