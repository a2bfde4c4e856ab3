/* Ids and inputs for the data with which the sandbox starts. */

const UUID = '00000000-0000-4000-8000-';
/** Ids of the seed, and ids of the right shape that nothing has. */
export const id = (prefix: string, n: number): string => `${prefix}-${UUID}${String(n).padStart(12, '0')}`;
export const nobody = (prefix: string): string => id(prefix, 999_999);
export const seeded = (n: number): string => `+120155501${String(n).padStart(2, '0')}`;
/** The value of a field that takes phone numbers. */
export const listOf = (...numbers: string[]) => numbers.map((one) => ({ Number: one }));
/** The field of an operation that takes a list of these lines. */
export const linesOf = (...ends: number[]) => ({ PhoneNumbers: listOf(...ends.map(seeded)) });
export const A1 = id('AID', 1);
export const MRID = id('MRID', 1);
export const CRID = id('CRID', 1);
export const TSUID = id('TSUID', 1);
export const ORDER = id('JNUOID', 1);
/** A reactivation, which costs a fee. */
export const REACTIVATE = { PhoneNumber: seeded(7), AccountId: A1 };
export const PROVISION = {
  MessageRouteId: MRID,
  NumberType: 'mvno',
  MessageType: 'a2p',
  ProductType: 'sms+data+voice',
  MessageEnabled: true,
  VoiceEnabled: false,
  AreaCode: '201',
};

/** A port-in that the platform takes, and refuses later for its account number. */
export const PORT_IN = {
  PortInNumber: '+13125550190',
  CurrentCarrierName: 'Lakeside Wireless',
  CurrentAccountNumber: '46512222',
  CurrentAccountPassword: '90817263',
  CurrentBillingAddress: { Street1: '1 Main St', City: 'Chicago', State: 'IL', Zip: '60601' },
};

/* Addresses of the platform. */
export const REACTIVATE_PATH = '/v1.0/numbers/reactivate';
export const REQUEST_PATH = '/v1.0/numbers/cancel-order-request';
export const SUBMIT_PATH = '/v1.0/numbers/cancel-order-submit';
export const BUY_PATH = '/v1.0/numbers/provision';
