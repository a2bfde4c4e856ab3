/* Ids and inputs for the data with which the sandbox starts. */

const UUID = '00000000-0000-4000-8000-';
/** Ids of the seed, and ids of the right shape that nothing has. */
export const id = (prefix: string, n: number): string => `${prefix}-${UUID}${String(n).padStart(12, '0')}`;
export const nobody = (prefix: string): string => id(prefix, 999_999);
export const seeded = (n: number): string => `+120155501${String(n).padStart(2, '0')}`;
export const A1 = id('AID', 1);
export const MRID = id('MRID', 1);
export const CRID = id('CRID', 1);
export const TSUID = id('TSUID', 1);
export const ORDER = id('JNUOID', 1);
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
