import type { Assistant } from '../../assistant/assistant.ts';
import { asksToWithdraw } from '../../assistant/guided/answers/outside.ts';
import { isBack } from '../../assistant/guided/threads/thread.ts';
import type { Effect } from '../../assistant/turn-events.ts';
import type { Gate } from '../../gate/gate.ts';
import type { Action } from '../../ledger/ledger.ts';
import { type Actor, personOf } from '../../lib/actor.ts';
import { jsonText } from '../../lib/text.ts';

/* Words at a terminal without a model that take a request of the same conversation back. */

/** "Forget that one", "drop the last request". */
const THAT_ONE =
  /^\W*(?:(?:please|pls|ok|okay|no|oh|sorry|wait|actually)[\s,.]+)*(?:forget|drop|scratch|skip|undo|cancel|withdraw|never\s*mind)\s+(?:about\s+)?(?:that|this|the\s+last|my\s+last)\s+(?:one|request|change|thing)(?:[\s,]+(?:please|pls|thanks|again))*[\s.!]*$/i;
/** "Do not withdraw it", "how do I withdraw that?" */
const NO_WISH = /\b(?:not|never)\b|n['’]t\b|^\W*(?:how|what|when|who|why|is|was|did|has)\b/i;
/** The request of an earlier answer: "Waits for a person: Set the data limit, act_…". */
const WAITS = /\bact_[A-Za-z0-9_-]+/g;

/** The request that was taken back, and the requests of the conversation that still wait. */
export interface Withdrawal {
  gone: Effect;
  left: string[];
}

/**
 * Withdraws the writer's own last request of this conversation that waits, or the one whose line is named. Undefined if
 * the words mean something else, or if none waits.
 */
export async function withdrawn(
  text: string,
  {
    assistant,
    gate,
    thread,
    actor,
    now,
  }: { assistant: Assistant; gate: Gate; thread: string; actor: Actor; now: number },
): Promise<Withdrawal | undefined> {
  const isWish = THAT_ONE.test(text) || (asksToWithdraw(text) && !NO_WISH.test(text));
  if (!isBack(text) && !isWish) return undefined;
  const said = (await assistant.messages(thread)).filter(({ from }) => from === 'assistant');
  const ids = [...new Set(said.flatMap((one) => one.text.match(WAITS) ?? []))];
  const actions = await Promise.all(ids.map((id) => gate.actions.get(id)));
  const own = actions.filter(
    (action): action is Action =>
      action?.state === 'pending' && action.person === personOf(actor) && action.expiresAt > now,
  );
  const digits = text.match(/\d{4,}/g) ?? [];
  const meant = own.findLast(({ shown }) => digits.every((one) => jsonText(shown).includes(one)));
  if (!meant) return undefined;
  await gate.withdraw(meant.id, actor);
  const titleOf = ({ consent, operation }: Action) => consent?.title ?? operation;
  const gone = { operation: meant.operation, title: `Withdrawn: ${titleOf(meant)}`, action: meant.id };
  return { gone, left: own.filter((one) => one !== meant).map(titleOf) };
}
