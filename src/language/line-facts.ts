/** What a question asks of one line, which its answer says first. `parked` asks whether it is on hold. */
export type LineFact =
  | 'state'
  | 'active'
  | 'parked'
  | 'cancelled'
  | 'until'
  | 'holder'
  | 'email'
  | 'account'
  | 'calls'
  | 'texts'
  | 'plan'
  | 'used'
  | 'left'
  | 'limit'
  | 'sim'
  | 'swaps';
