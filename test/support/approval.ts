import type { Approval } from '../../src/gate/approval.ts';
import { WAYS } from '../../src/lib/actor.ts';

/** The rules of an installation where every way is open and one person is enough, for doors made by hand. */
export function everyWay(more: Partial<Approval> = {}): Approval {
  return {
    via: WAYS,
    twoPerson: false,
    asksOwn: true,
    slackOperators: true,
    slackApprovers: ['*'],
    pageApprovers: [],
    oauth: false,
    pairing: true,
    ...more,
  };
}
