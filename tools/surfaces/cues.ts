/*
 * Expressions that tell what a sentence wants: a change, an answer, or that something is left alone. The notation is that
 * of `words.ts`.
 */

/** At the beginning of a clause: a request, although it looks like a question. */
export const requests: readonly string[] = [
  'can/could/would/will you/we/u/someone/somebody',
  'please? can/could/may i get/have/please',
  'would you mind',
  'do a/an/the',
];

/** Makes a question with a question mark a request. */
export const polite: readonly string[] = ['please', 'pls/plz/kindly'];

/** Asks about the price. */
export const cost: readonly string[] = [
  'how much',
  'what .. cost/costs',
  'cost/costs/price/prices/fee/fees/expensive/refund',
  'charged',
  'for free',
];

/** At the beginning of a clause: a question. */
export const questions: readonly string[] = [
  'since/until/till/by when',
  'for how long',
  'what/why/when/who/whose/how/is/are/was/were/am/did/does/do/has/have/had/should/shall/would/could/can/may/might/which/where/any/if/whats/whos',
];

/** Wonders about something, or reports the plans of another person. */
export const wondering: readonly string[] = [
  'what happens/if',
  'happens if/when',
  'more than once',
  'twice',
  'how do/can/to/would/does',
  'is it possible/safe/ok/okay/wise/allowed/worth',
  'is/be possible',
  'am i allowed',
  'do i need',
  'should/must i/we',
  'who cancelled/changed/did/asked/approved/confirmed/declined',
  'wondering/unclear/unsure/whether/tempted/considering',
  'in case',
  'not sure',
  'threat/threats/threaten/threatens/threatening',
  'ask/asks/asked/asking/wonder/wonders me/us? if/about/what/how/whether',
  'can/could we/i/you/they still/even/ever',
  'he/she/they/customer/client/subscriber/caller wanted/planned/meant to',
  'was/were going to',
  'to know if/about/what/how/whether',
  'thinking of/about',
  'might/may want/need/have to',
  'difference between',
  'said/says/told/thinks/claims .. would/will be',
  'someone/somebody else',
];

/** Asks to wait, or takes a request back. */
export const holding: readonly string[] = [
  'hold off',
  'wait with',
  'no need to',
  'not yet',
  'changed .. mind about',
  'i/we changed .. mind',
  'forget about/it/that',
  'never mind',
  'nevermind',
  'stop/halt/prevent .. cancellation/cancelling/canceling',
  'cancel/withdraw/drop/scrap/retract/revoke my/our/the/that/this/his/her? pending/open/waiting? cancellation/reactivation/approval/change? request/question/ask to/for/of',
  'cancel/withdraw/drop/scrap/retract/revoke my/our/the/that/this/his/her? pending/open/waiting? cancellation/reactivation/approval/change? request/question/ask',
  'no reason to',
  'leave .. alone/active/as',
  'keep/keeps/keeping .. active/alive/running/open',
];

/** Before a participle: it reports what was done. */
export const reported: readonly string[] = [
  'was/were/got/been/has/had/already/accidentally .. cancelled/canceled/disconnected/reactivated/ported/suspended/parked/deleted/terminated/blocked/removed',
  'the cancellation/cancelation/cancel of',
];

/** At the beginning of a clause: a question about what is or was, and not about what may be done. */
export const facts: readonly string[] = [
  'did/has/have/was/were/who/whose/had/is/are/which/when/where/why',
  'how many/often/long',
  'since when',
];
