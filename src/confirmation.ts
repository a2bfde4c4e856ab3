import type { Actor } from './actor.ts';
import type { Clock } from './clock.ts';
import { type ErrorFace, SwitchboardError } from './errors.ts';
import type { Known } from './known.ts';
import type { Action, Ledger, State } from './ledger/ledger.ts';
import type { Consent, Here, Tool } from './operation.ts';
import type { Client } from './platform/types.ts';
import type { Redactor } from './redact.ts';

/* What goes into the door and comes out of it, and the words of what a person did not confirm. */

/** What a person, a page, a card or `confirmations_get` sees of an action. */
export interface Confirmation {
  id: string;
  status: 'pending' | 'running' | 'done' | 'failed' | 'unknown' | 'declined' | 'expired';
  summary: string;
  consequence: string;
  url?: string;
  /** ISO 8601. */
  expiresAt: string;
  result?: Record<string, unknown>;
  error?: ErrorFace;
}

/** Asks the caller's own person. `unavailable`: there is nobody to ask this way, the confirmation stays pending. */
export type Ask = (action: Action, signal: AbortSignal) => Promise<'accept' | 'decline' | 'unavailable'>;

export interface PerformOptions {
  ask?: Ask;
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

export type Performed =
  /** `mismatched`: top-level members whose shape is not the declared one. `once`: secrets for the person who confirmed. */
  | {
      kind: 'done';
      value: Record<string, unknown>;
      mismatched: string[];
      actionId?: string;
      once?: Record<string, string>;
    }
  | { kind: 'pending'; action: Action; confirmation: Confirmation };

export interface DoorOptions {
  tools: readonly Tool[];
  client: Client;
  ledger: Ledger;
  clock: Clock;
  redactor: Redactor;
  /** Of pending confirmations. */
  confirmSeconds: number;
  /** Where a person confirms; undefined where no page is served. */
  pageUrl: (id: string) => string | undefined;
  /** Of the platform: `oauth2_tokens` takes full URLs below it only. Left out: operation ids and paths only. */
  platformUrl?: string;
  /** What Switchboard keeps itself, as this actor uses it. */
  here: (actor: Actor) => Here;
  /** Filled in where an operation has the field and the caller left it out. */
  defaultAccountId?: string;
  /** Learns ids and numbers from answers, for completion. */
  known?: Known;
  log?: (level: 'debug' | 'info' | 'warn' | 'error', fields: Record<string, unknown>, message: string) => void;
  /** Told after every durable step of an action; tests stop the process here. */
  onStep?: (step: 'asked' | 'confirmed' | 'sent' | 'answered' | 'settled', actionId: string) => void;
}

export function statusOf(state: State): Confirmation['status'] {
  return state === 'confirmed' || state === 'in_flight' ? 'running' : state;
}

export function withWarning(consent: Consent, warning: string | undefined): Consent {
  return warning === undefined ? consent : { ...consent, consequence: `${warning} ${consent.consequence}` };
}

export function needsApprover(person: Actor): SwitchboardError {
  return new SwitchboardError({
    code: 'forbidden_by_role',
    message: `Confirming needs the role approver; ${person.name} has ${person.role}. Nothing was done.`,
    outcome: 'not_done',
  });
}

export function notConfirmed(action: Action): SwitchboardError {
  const by = action.decidedBy ? ` by ${action.decidedBy}` : '';
  const said: Record<State, string> = {
    pending: 'It is still waiting for a person.',
    confirmed: `It was already confirmed${by} and is running.`,
    in_flight: `It was already confirmed${by} and is running.`,
    done: `It was already confirmed${by} and done.`,
    failed: `It was already confirmed${by} and failed.`,
    unknown: `It was already confirmed${by}; its outcome is unknown.`,
    declined: action.decidedVia === 'cancelled' ? 'The caller went away, so it was voided.' : `It was declined${by}.`,
    expired: 'Nobody confirmed it in time, so it expired.',
  };
  const nothing = ['declined', 'expired', 'pending'].includes(action.state)
    ? ' Nothing was sent; ask for it again if it is still wanted.'
    : '';
  return new SwitchboardError({
    code: 'not_confirmed',
    message: `${said[action.state]}${nothing}`,
    outcome: 'not_done',
  });
}

/** How actions end that were not, or may not have been, sent by the process that should have. */
export const FACES = {
  resealed: {
    code: 'unavailable',
    message: 'The action cannot be read: it was sealed with another SEALING_KEY. Nothing was sent; ask for it again.',
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
