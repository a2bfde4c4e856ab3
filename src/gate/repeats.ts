import type { Actor } from '../lib/actor.ts';
import { SwitchboardError } from '../lib/errors.ts';
import type { Action, Ledger } from './ledger/ledger.ts';

/** What the ledger knows of the same call made before. */
export interface Earlier {
  /** The requester's own earlier call, found to be done: its result stands for the repeat. */
  done?: Action;
  /** For the person who is asked: an earlier call may have done the work already. */
  warning?: string;
  /** Ids of the earlier calls whose outcome is unknown, which the warning names. */
  doubted: readonly string[];
  /** Ids of every earlier call which the warning names. */
  warned: readonly string[];
}

/**
 * Looks for earlier calls with the very same input whose end is open, and reads what became of them. An earlier call
 * settles for its own requester only: whoever else repeats it is told of it and asked as for a new request.
 * A call that may be sent again needs no looking. Rejects with `not_confirmed` while the requester's own call runs in another process.
 */
export async function earlierAttempt(
  parts: {
    ledger: Pick<Ledger, 'unsettledTwins'>;
    /** The action as a reader sees it: one whose end could not be written yet is unknown. */
    current: (id: string) => Action | undefined;
    /** Calls under way in this process, by action id. */
    running: ReadonlyMap<string, Promise<unknown>>;
    reconcile: (id: string, actor: Actor) => Promise<Action | undefined>;
  },
  mayResend: boolean,
  digest: string,
  actor: Actor,
): Promise<Earlier> {
  if (mayResend) return { doubted: [], warned: [] };
  const doubted: string[] = [];
  const warnings: string[] = [];
  const warned: string[] = [];
  for (const twin of parts.ledger.unsettledTwins(digest)) {
    const own = twin.actorId === actor.id;
    if (own && twin.state !== 'unknown') await waitFor(twin, parts.running);
    const now = parts.current(twin.id) ?? twin;
    const settled = now.state === 'unknown' ? ((await parts.reconcile(twin.id, actor)) ?? now) : now;
    if (own && (settled.state === 'done' || settled.state === 'partly'))
      return { done: settled, doubted: [], warned: [] };
    if (settled.state === 'unknown') doubted.push(settled.id);
    const warning = own ? ownWarning(settled) : othersWarning(settled);
    if (warning === undefined) continue;
    warnings.push(warning);
    warned.push(settled.id);
  }
  return warnings.length === 0 ? { doubted, warned } : { warning: warnings.join(' '), doubted, warned };
}

/** Waits for the requester's own call, however it ends. */
async function waitFor(twin: Action, running: ReadonlyMap<string, Promise<unknown>>): Promise<void> {
  const under = running.get(twin.id);
  if (under === undefined) {
    throw new SwitchboardError({
      code: 'not_confirmed',
      message: `The same call is already running (${twin.id}); nothing was sent again. Follow it with confirmations_get.`,
      outcome: 'not_done',
    });
  }
  // Its end is read from the ledger; the first caller gets its error.
  await under.catch(() => undefined);
}

const when = (action: Action) => new Date(action.sentAt ?? action.createdAt).toISOString();

function ownWarning(action: Action): string | undefined {
  if (action.state !== 'unknown') return undefined;
  return `The same call was sent at ${when(action)} and its outcome is unknown: it may have been done already. Check before confirming.`;
}

function othersWarning(action: Action): string | undefined {
  const asked = `${action.actorName} made the same call at ${when(action)} (${action.id})`;
  switch (action.state) {
    case 'unknown':
      return `${asked}; its outcome is unknown: it may have been done already. Check before confirming.`;
    case 'confirmed':
    case 'in_flight':
      return `${asked}; it is running now. Confirming does it a second time.`;
    case 'done':
      return `${asked}; it was done. Confirming does it a second time.`;
    case 'partly':
      return `${asked}; it was partly done. Confirming does it a second time.`;
    default:
      return undefined;
  }
}
