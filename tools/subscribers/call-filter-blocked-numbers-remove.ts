import { defineOperation, target } from '../../src/catalogue/operation.ts';
import { callFilterId, e164List, listNumbers, out, seeded, subscriberId } from '../shared/fields.ts';
import { beforeRemoval, CALL_FILTER, duringUpdate, listEffects } from '../shared/filters.ts';

export default defineOperation({
  id: 'subscribers_call_filter_blocked_numbers_remove',
  endpoint: 'POST /v1.0/subscribers/call-filter/blocked-numbers/remove',
  title: 'Unblock callers',
  description:
    'Takes numbers off the block list of a call filter; they ring through again unless another rule stops them. Returns what is left. CallFilterId: subscribers_call_filter_get.',
  risk: 'write',
  batch: { not: 'one call takes many entries of one filter' },
  resend: true,
  source: 'S, path I',
  notes: 'PLATFORM.md, Guardian filtering; assumed: lists have at most 100 entries',
  input: () => ({ SubscriberId: subscriberId, CallFilterId: callFilterId, Numbers: e164List }),
  ordinary: { SubscriberId: target, CallFilterId: target },
  keys: ['Numbers'],
  effects: listEffects(CALL_FILTER, { list: 'blocked', how: 'taken', field: 'Numbers' }),
  raised: {
    Numbers: {
      what: 'every removal',
      reason: (numbers, { input }) =>
        `${numbers.length === 1 ? 'This caller rings' : `These ${numbers.length} callers ring`} through to subscriber ${String(input.SubscriberId)} again, unless another rule stops them.`,
    },
  },
  before: beforeRemoval(CALL_FILTER, 'blocked', { id: 'CallFilterId', numbers: 'Numbers' }),
  consent: ({ Numbers }, _known, reasons) => ({
    title: `Unblock calls from ${listNumbers(Numbers.map((phone) => ({ Number: phone })))}`,
    consequence: reasons,
    undo: 'Can be blocked again; calls that came through are not taken back.',
    confirm: Numbers.length === 1 ? 'Unblock this caller' : `Unblock ${Numbers.length} callers`,
  }),
  exclusive: duringUpdate,
  // PLATFORM.md, Guardian filtering: the answer is a "confirmation object", whose members are not shown.
  output: () => ({ FilterId: out.text, SubscriberId: out.text, BlockedNumbers: out.texts }),
  examples: [{ SubscriberId: seeded('TSUID'), CallFilterId: seeded('CFID'), Numbers: ['+12015550199'] }],
});
