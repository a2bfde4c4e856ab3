import type { Consent, LocalHistory, Operation, Receipt, Tool } from '../catalogue/operation.ts';
import { type Actor, identified } from '../lib/actor.ts';
import type { Clock } from '../lib/clock.ts';
import type { Completions } from '../lib/completions.ts';
import { asSwitchboardError, type ErrorFace, SwitchboardError } from '../lib/errors.ts';
import type { Redactor } from '../lib/redact.ts';
import type { Client } from '../platform/types.ts';
import type { Approval, Decider } from './decide.ts';
import type { Action, Ledger, State } from './ledger/ledger.ts';
import type { Verdict } from './verdict.ts';

/* What goes into the door and comes out of it, and the words of what a person did not confirm. */

/** What a person, a page, a card or `confirmations_get` sees of an action. */
export interface Confirmation {
  id: string;
  status: 'pending' | 'running' | 'done' | 'partly' | 'failed' | 'unknown' | 'declined' | 'expired';
  summary: string;
  consequence: string;
  /** Whom it concerns: name and account. */
  customer?: string;
  url?: string;
  /** ISO 8601. */
  expiresAt: string;
  /** Identity and name of whoever decided, once somebody did. */
  decidedBy?: string;
  result?: Record<string, unknown>;
  error?: ErrorFace;
}

/**
 * Asks the caller's own person. `cancel`: the question was closed without an answer. `unavailable`: there is nobody to
 * ask this way, the confirmation stays pending.
 */
export type Ask = (action: Action, signal: AbortSignal) => Promise<'accept' | 'decline' | 'cancel' | 'unavailable'>;

export interface PerformOptions {
  ask?: Ask;
  /** Who answers `ask`, and by which way; left out, the actor itself. The gate decides whether they may, and are asked. */
  decider?: Decider;
  /** Cancels: voids what waits for a person, leaves the queue; what was sent is awaited to its end. */
  signal?: AbortSignal;
  /** Epoch ms; by default three minutes from now. */
  deadline?: number;
  onWait?: (why: 'rate_limit' | 'retry' | 'person', seconds: number) => void;
  /** What a workflow knows so far, without secrets; the answer itself is the whole. */
  onPart?: (sofar: Record<string, unknown>) => void;
  /** What the surface wants to remember with a pending action (a card's channel). */
  notes?: Record<string, unknown>;
}

/** What the gate adds to the options of a call on its way to the platform. */
export interface Dispatch extends PerformOptions {
  /** Asked right before the first byte is written; false withdraws the call. */
  mayWrite?: () => boolean;
  /** Told (epoch ms) when the first byte of an attempt is written, and again when the last one is. */
  onWritten?: (at: number) => void;
  /** Told the id of the action of each step that a workflow sends. */
  onStage?: (id: string) => void;
}

export type Performed =
  /** `mismatched`: top-level members whose shape is not the declared one; their values are given as they came. `once`: secrets for the person who confirmed. */
  | {
      kind: 'done';
      value: Record<string, unknown>;
      mismatched: string[];
      /** Set where the platform did only a part of it. */
      partly?: Verdict;
      actionId?: string;
      once?: Record<string, string>;
    }
  | { kind: 'pending'; action: Action; confirmation: Confirmation };

export interface GateOptions {
  tools: readonly Tool[];
  client: Client;
  ledger: Ledger;
  clock: Clock;
  redactor: Redactor;
  /** Who may decide, and by which ways. */
  approval: Approval;
  /** Of pending confirmations. */
  confirmSeconds: number;
  /** Where a person confirms; undefined where no page is served. */
  pageUrl: (id: string) => string | undefined;
  /** Of the platform: `oauth2_tokens` takes full URLs below it only. Left out: operation ids and paths only. */
  platformUrl?: string;
  /** What Switchboard keeps itself, as this actor uses it. */
  history: (actor: Actor) => LocalHistory;
  /** The longest the platform may take for one call, in ms from the last byte sent; five minutes where left out. */
  settleMs?: number;
  /** IANA zone of dates in answers that carry none; UTC where left out. */
  timeZone?: string;
  /** Delivery receipts of messages from a number since a moment (epoch ms); none where left out. */
  receipts?: (from: string, since: number) => readonly Receipt[];
  /** Filled in where an operation has the field and the caller left it out. */
  defaultAccountId?: string;
  /** Learns ids and numbers from answers, for completion. */
  known?: Completions;
  log?: (level: 'debug' | 'info' | 'warn' | 'error', fields: Record<string, unknown>, message: string) => void;
  /** Told after every durable step of an action; tests stop the process here. */
  onStep?: (step: 'asked' | 'confirmed' | 'sent' | 'answered' | 'settled', actionId: string) => void;
}

export function statusOf(state: State): Confirmation['status'] {
  return state === 'confirmed' || state === 'in_flight' ? 'running' : state;
}

export function withWarning(consent: Consent, warning: string | undefined): Consent {
  return warning === undefined
    ? consent
    : { ...consent, consequence: `${warningLine(warning)}\n${consent.consequence}` };
}

/** A warning as a line of its own, before what the call means. */
export function warningLine(warning: string): string {
  return `Warning: ${warning}`;
}

/** The error of a call, with what its operation knows about such an error. */
export function explained(tool: Operation, error: unknown): SwitchboardError {
  const { face, detail } = asSwitchboardError(error);
  const more = tool.explains?.[face.code];
  const message =
    typeof more === 'function' ? more(face.message) : more === undefined ? face.message : `${face.message} ${more}`;
  return new SwitchboardError({ ...face, message }, { ...(detail === undefined ? {} : { detail }), cause: error });
}

/** Who decided about an action, identity first; undefined where nobody did. */
export function decidedByOf(action: Pick<Action, 'decidedBy' | 'decidedPerson'>): string | undefined {
  return action.decidedPerson === undefined ? action.decidedBy : identified(action.decidedPerson, action.decidedBy);
}

/** Why an action that was not confirmed was not. */
export function notConfirmed(action: Action): SwitchboardError {
  const decider = decidedByOf(action);
  const by = decider === undefined ? '' : ` by ${decider}`;
  const again = 'Nothing was sent; ask for it again if it is still wanted.';
  const texts: Record<State, string> = {
    pending: `It is still waiting for a person. ${again}`,
    confirmed: `It was already confirmed${by} and is running.`,
    in_flight: `It was already confirmed${by} and is running.`,
    done: `It was already confirmed${by} and done.`,
    partly: `It was already confirmed${by} and partly done.`,
    failed: `It was already confirmed${by} and failed.`,
    unknown: `It was already confirmed${by}; its outcome is unknown.`,
    declined:
      action.decidedVia === 'cancelled'
        ? `The question was withdrawn before a person decided. ${again}`
        : `Declined${by}. Nothing was sent.`,
    expired: `Nobody decided in time, so it expired. ${again}`,
  };
  const reason = reasonOf(action);
  return new SwitchboardError({
    code: 'not_confirmed',
    message: texts[action.state],
    outcome: 'not_done',
    ...(reason ? { reason } : {}),
  });
}

function reasonOf({ state, decidedVia }: Action): ErrorFace['reason'] {
  if (state === 'expired') return 'expired';
  if (state !== 'declined') return undefined;
  return decidedVia === 'cancelled' ? 'cancelled' : 'declined';
}

/** How actions end that were not, or may not have been, sent by the process that should have. */
export const FACES = {
  unsealed: {
    code: 'unavailable',
    message:
      'The record of this action does not carry the seal of this installation: it was changed, or made with another SEALING_KEY or an earlier version. Nothing was sent; ask for it again.',
    outcome: 'not_done',
  },
  tooLate: {
    code: 'unavailable',
    message: 'The process stopped before it was sent, too long ago to send it now. Nothing was done; ask for it again.',
    outcome: 'not_done',
  },
  interrupted: {
    code: 'network',
    message: 'The process stopped while this was being sent. It may have been done: check before trying again.',
    outcome: 'unknown',
  },
} as const satisfies Record<string, ErrorFace>;
