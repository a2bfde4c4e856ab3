import { type Actor, hasRole } from './actor.ts';
import type { Clock } from './clock.ts';
import {
  type Confirmation,
  type DoorOptions,
  FACES,
  needsApprover,
  notConfirmed,
  type Performed,
} from './confirmation.ts';
import { asSwitchboardError, type ErrorFace, SwitchboardError } from './errors.ts';
import { partlyWarning, readVerdict } from './gate/verdict.ts';
import type { Action, Ledger } from './ledger/ledger.ts';
import type { Call, Finding, Tool } from './operation.ts';
import type { Redactor } from './redact.ts';

const RESUME_MS = 15 * 60_000;
const MAX_CHECKS = 6;

/** What the door lends to this room. */
export interface AftermathParts {
  ledger: Ledger;
  clock: Clock;
  redactor: Redactor;
  log: NonNullable<DoorOptions['log']>;
  toolOf: (id: string) => Tool;
  changed: (id: string) => void;
  refresh: (id: string) => Action;
  sweepExpired: () => void;
  confirmation: (action: Action) => Confirmation;
  /** Claims a confirmed action and runs it to its end. */
  execute: (action: Action, actor: Actor) => Promise<Performed>;
  /** Reads on behalf of a reconciliation. */
  calls: (actor: Actor, deadline: number) => Call;
}

/** What becomes of actions after they were sent: found out by reading, told by a person, taken up after a crash. */
export function createAftermath(parts: AftermathParts) {
  const { ledger, clock, redactor, log, toolOf, changed, refresh, sweepExpired, confirmation, execute } = parts;

  /** Looks into an unknown outcome by reading. Returns the settled action, or undefined where reading cannot tell. */
  async function reconcile(id: string, actor: Actor): Promise<Action | undefined> {
    const action = ledger.get(id);
    if (action?.state !== 'unknown') return action;
    const tool = toolOf(action.operation);
    if (!tool.reconcile) return undefined;
    ledger.checked(id);
    const input = ledger.input(id);
    const deadline = clock.now() + 60_000;
    let finding: Finding;
    try {
      finding = await tool.reconcile(input, {
        call: parts.calls(actor, deadline),
        known: action.known,
        sentAt: new Date(action.sentAt ?? action.createdAt),
        claimedOrders: ledger.claimedOrders(),
      });
    } catch (error) {
      log(
        'warn',
        { action: id, error: asSwitchboardError(error).message },
        'reading did not find out an unknown outcome',
      );
      return undefined;
    }
    if (finding === 'unknown') return undefined;
    if (finding === 'not_done') {
      end(action, undefined, 'Reading shows that it was not done. It may be asked for again.', 'reading');
    } else end(action, redactor.strip(finding.done), '', 'reading', tool);
    return ledger.get(id);
  }

  /** Writes how an unknown outcome ended: with a result, or not done. False where somebody was faster. */
  function end(
    action: Action,
    result: Record<string, unknown> | undefined,
    why: string,
    who: string,
    tool?: Tool,
  ): boolean {
    // What reading found is judged like an answer: numbers that were never part of it are still not done.
    const verdict = tool && result && readVerdict(tool, { answer: result, input: action.shown, known: action.known });
    const state = verdict?.state === 'partly' ? 'partly' : 'done';
    if (verdict?.state === 'partly' && result) result.Warning = partlyWarning(verdict);
    const error: ErrorFace = { code: action.error?.code ?? 'network', message: why, outcome: 'not_done' };
    const won = ledger.settle(action.id, {
      from: ['unknown'],
      ...(result ? { state, result } : { state: 'failed', error }),
      who,
    });
    if (won) changed(action.id);
    return won;
  }

  /**
   * A person has looked, and says how an unknown outcome ended: what reading cannot find out (a message, a creation).
   * Rejects with `not_confirmed` where it is not unknown any more.
   */
  function settle(id: string, person: Actor, outcome: 'done' | 'not_done', via: string): Action {
    if (!hasRole(person, 'approver')) throw needsApprover(person);
    const action = refresh(id);
    const seen = `${person.name} looked and says that it was ${outcome === 'done' ? 'done' : 'not done'}.`;
    const won = end(action, outcome === 'done' ? { Message: seen } : undefined, seen, `${person.name} (${via})`);
    if (!won) throw notConfirmed(refresh(id));
    return refresh(id);
  }

  /** State and result of an action for its own actor or an approver. Unknown outcomes are looked into. */
  async function follow(id: string, actor: Actor): Promise<Confirmation> {
    const action = ledger.get(id);
    if (!action || (action.actorId !== actor.id && !hasRole(actor, 'approver'))) {
      throw new SwitchboardError({
        code: 'not_found',
        message: `id: there is no confirmation ${id} of yours. Use the id a gated call returned.`,
        outcome: 'not_done',
        field: 'id',
      });
    }
    refresh(id);
    await reconcile(id, actor);
    return confirmation(ledger.get(id) ?? action);
  }

  /**
   * After a start: what a dead process left behind. A confirmed action that was not sent is sent now, if its person
   * said yes less than 15 minutes ago; one that may have been sent becomes unknown and is looked into by reading.
   */
  async function recover(isAlive: (owner: { pid: number; host: string; seenAt: number }) => boolean): Promise<void> {
    sweepExpired();
    const system: Actor = {
      id: 'switchboard',
      name: 'Switchboard',
      role: 'approver',
      surface: 'background',
      priority: 'background',
    };
    for (const action of ledger.orphans(isAlive)) {
      if (action.state === 'confirmed') {
        if (clock.now() - (action.decidedAt ?? 0) > RESUME_MS) {
          ledger.settle(action.id, { from: ['confirmed'], state: 'failed', error: FACES.tooLate });
          changed(action.id);
        } else
          await execute(action, system).catch((error: unknown) => log('warn', { action: action.id }, String(error)));
        continue;
      }
      ledger.settle(action.id, { from: ['in_flight'], state: 'unknown', error: FACES.interrupted });
      changed(action.id);
    }
    for (const action of ledger.list({ states: ['unknown'], limit: 20 })) {
      if (action.checks < MAX_CHECKS) await reconcile(action.id, system);
    }
  }

  return { reconcile, settle, follow, recover };
}
