import type { Fields } from '../../src/lib/json.ts';

/*
 * The steps that this app offers in Slack's Workflow Builder. Types, titles and descriptions of their inputs come from the
 * fields of their operations.
 */

/** A value that later steps of a workflow can use. */
export interface StepAnswer {
  title: string;
  description: string;
  /** The members of the result that may have it, by path. The first that has one counts. */
  from: readonly string[];
}

export interface BuilderStep {
  /** Slack's `callback_id`. Workflows that people have built refer to it, so it stays as it is. */
  id: string;
  title: string;
  description: string;
  /** The operation that it performs. If left out, the workflow names it, with its parameters in one line. */
  operation?: string;
  /**
   * The inputs by name, and the field of the operation that each fills: `Field`, or `Group.Member`. Workflows refer to the
   * names, so they stay as they are.
   */
  fields: Readonly<Record<string, string>>;
  /** Inputs that the step needs although the operation does without them. */
  needs?: readonly string[];
  /** Further input of the operation. */
  given?: Readonly<Fields>;
  answers: Readonly<Record<string, StepAnswer>>;
}

export const builderSteps: readonly BuilderStep[] = [
  {
    id: 'look_up_number',
    title: 'Look a number up',
    description: 'State, kind, plan and customer of one number. It changes nothing.',
    operation: 'numbers_lookup',
    fields: { number: 'PhoneNumber' },
    needs: ['number'],
    // The plan is in the full answer only.
    given: { Full: true },
    answers: {
      summary: { title: 'Summary', description: 'What is known about the number, in one line', from: ['Summary'] },
      state: { title: 'State', description: 'For example Active', from: ['Number.Status', 'PortIn.Status'] },
      kind: { title: 'Kind', description: 'mvno, voip or iot', from: ['Number.NumberType', 'Number.Classification'] },
      plan: { title: 'Plan', description: 'Name of the package', from: ['Package.PackageName'] },
      customer: {
        title: 'Customer',
        description: 'Name of the subscriber, otherwise of the account',
        from: ['Subscriber.Name', 'Subscriber.Account.CompanyName', 'Number.Account.CompanyName'],
      },
    },
  },
  {
    id: 'request_cancellation',
    title: 'Request a cancellation',
    description: 'Asks an approver to cancel one or more numbers, and goes on when it is decided.',
    operation: 'numbers_cancel',
    fields: { number: 'PhoneNumbers' },
    answers: {
      order_id: { title: 'Order', description: 'Id of the cancel order', from: ['OrderId'] },
    },
  },
  {
    id: 'start_port_in',
    title: 'Start a port-in',
    description: 'Asks an approver to port a number in, and goes on when the order is placed or refused.',
    operation: 'numbers_portin',
    fields: {
      number: 'PortInNumber',
      carrier: 'CurrentCarrierName',
      account_number: 'CurrentAccountNumber',
      account_pin: 'CurrentAccountPassword',
      street: 'CurrentBillingAddress.Street1',
      street_2: 'CurrentBillingAddress.Street2',
      city: 'CurrentBillingAddress.City',
      state: 'CurrentBillingAddress.State',
      zip: 'CurrentBillingAddress.Zip',
      date: 'PortInDate',
      subscriber_name: 'SubscriberName',
      subscriber: 'AssignedSubscriberId',
      classification: 'TargetPortinClassification',
      sim: 'ICCID',
      account: 'AccountId',
    },
    answers: {
      order_id: { title: 'Order', description: 'Id of the port-in order', from: ['OrderId'] },
      order_status: { title: 'Order status', description: 'For example Submitted', from: ['Status'] },
      order_date: { title: 'Order date', description: 'Date of the order', from: ['OrderDate'] },
    },
  },
  {
    id: 'ask_for_change',
    title: 'Ask for a change',
    description:
      'Asks an approver for a change that has a command and needs no secret, and goes on when it is decided.',
    fields: {},
    answers: {},
  },
];
