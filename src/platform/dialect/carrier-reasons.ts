/** A losing carrier's reason in plain words, and the fields to correct. */
export interface CarrierReason {
  words: string;
  /** The fields to correct; empty if a correction does not help. */
  fields: readonly string[];
}

/*
 * PLATFORM.md, Orders: US carriers answer a port request with a code and a name, such as
 * `8A-ACCOUNT_NUM_REQ_OR_INCORRECT`. The names are those used between carriers. The set that this platform passes on is
 * assumed. Names are matched by their words, so that other spellings are recognized too. The first match counts.
 */
const REASONS: readonly (readonly [RegExp, CarrierReason])[] = [
  [
    /(?<![a-z])account[ _-]?(num(ber)?|no)(?![a-z])/i,
    {
      words:
        'The account number at the losing carrier is missing or wrong. It is on the bill, and is often not the phone number.',
      fields: ['CurrentAccountNumber'],
    },
  ],
  [
    /(?<![a-z])(pass[ _-]?(word|code|pin)|pin)(?![a-z])/i,
    {
      words:
        'The transfer PIN or account password is missing or wrong. Some carriers issue one for the transfer, which expires within days.',
      fields: ['CurrentAccountPassword'],
    },
  ],
  [
    /(?<![a-z])(ssn|tax[ _-]?id)(?![a-z])/i,
    {
      words:
        'The carrier wants the last digits of the social security or tax number; many accept them instead of the account PIN.',
      fields: ['CurrentAccountPassword'],
    },
  ],
  [
    /(?<![a-z])(zip|postal)(?![a-z])/i,
    {
      words: 'The ZIP code does not match the billing address at the losing carrier.',
      fields: ['CurrentBillingAddress'],
    },
  ],
  [
    /(?<![a-z])(address|street|city)(?![a-z])/i,
    {
      words: 'The billing address does not match the one that the losing carrier has.',
      fields: ['CurrentBillingAddress'],
    },
  ],
  [
    /(?<![a-z])(first|last|business|auth(orized)?|subscriber|customer|end[ _-]?user)[ _-]?name(?![a-z])/i,
    {
      words: 'The name does not match the account at the losing carrier. It must match letter by letter.',
      fields: ['SubscriberName'],
    },
  ],
  [
    /(?<![a-z])cust(omer)?[ _-]?info/i,
    {
      words: 'Name, address or account do not match what the losing carrier has.',
      fields: ['SubscriberName', 'CurrentBillingAddress', 'CurrentAccountNumber'],
    },
  ],
  [
    /(?<![a-z])(due[ _-]?date|date[ _-]?and[ _-]?time|req[ _-]?date)(?![a-z])/i,
    { words: 'The carrier does not accept this date. Choose another one.', fields: ['PortInDate'] },
  ],
  [
    /(mdn|number|tn|line)[ _-]?not[ _-]?active|inactive|disconnected/i,
    {
      words: 'The number is not active at the losing carrier. The customer must have it reactivated there first.',
      fields: [],
    },
  ],
  [
    /(mdn|number|tn)[ _-]?not[ _-]?found|wrong carrier/i,
    {
      words:
        'The losing carrier does not know this number. Ask which carrier it is with; a reseller may use another carrier’s network.',
      fields: ['CurrentCarrierName'],
    },
  ],
  [
    /(?<![a-z])(port[ _-]?protect|protect(ed|ion)?|locked|freeze|frozen)(?![a-z])/i,
    {
      words: 'The number is locked against porting. The customer must lift the lock at the losing carrier first.',
      fields: [],
    },
  ],
  [
    /(?<![a-z])(pend(ing)?|duplicate)(?![a-z])/i,
    {
      words: 'Another port request for this number is open. It must end or be withdrawn first.',
      fields: [],
    },
  ],
];

/** Undefined if the carrier gave no reason or an unknown one. */
export function carrierReason(message: string): CarrierReason | undefined {
  return message === '' ? undefined : REASONS.find(([pattern]) => pattern.test(message))?.[1];
}
