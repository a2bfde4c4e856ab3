import type { Fields } from '../../src/lib/json.ts';

/** A step that is often wanted after an operation was done. It opens a form with the number of the operation. */
export interface AfterStep {
  operation: string;
  /** The field that the number fills. */
  field: string;
  /** Text of the button. */
  label: string;
  /** Offered only if the request left this field empty. */
  unless?: string;
  /** The guide that it starts with the number, in place of the operation's form. */
  guide?: string;
}

const REACTIVATE: AfterStep = { operation: 'numbers_reactivate', field: 'PhoneNumber', label: 'Reactivate' };

/** Steps offered on the card of an operation that was done, by the operation's id. */
export const afterSteps: Readonly<Record<string, readonly AfterStep[]>> = {
  numbers_cancel: [REACTIVATE],
  numbers_cancel_order_submit: [REACTIVATE],
  numbers_provision: [
    {
      operation: 'numbers_update',
      field: 'PhoneNumber',
      label: 'Give it to a subscriber',
      unless: 'AssignedSubscriberId',
      guide: 'new_line',
    },
  ],
};

/** Changes that leave the SIM of a number as it is, although the platform's answer repeats its activation code. */
const KEEPS_SIM: Readonly<Record<string, readonly unknown[]>> = { numbers_status: ['park', 'activate'] };

/** True if an operation with this input may have made an eSIM, so that its code is shown once it is done. */
export function mayMakeSim(operation: string, { StatusChange }: Fields): boolean {
  return KEEPS_SIM[operation]?.includes(StatusChange) !== true;
}
