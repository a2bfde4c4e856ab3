import { createHash, timingSafeEqual } from 'node:crypto';
import { AHEAD_MS } from '../lib/durations.ts';
import type { Seal } from './seal.ts';

/*
 * Proofs over rows of the ledger, made with this installation's key. The binding proves that the question shows what
 * was requested. The proof proves that a person decided through this installation. A person who can write the file but
 * does not have the key can forge neither. The proofs do not cover age: an old copy of the whole file is valid.
 */

/** The columns that the proofs cover, as stored. */
export interface ProvenRow {
  id: string;
  operation: string;
  actor_id: string;
  actor_name: string;
  surface: string;
  person: string | null;
  digest: string;
  full_digest: string;
  input: Uint8Array;
  shown: string;
  known: string;
  consent: string | null;
  reason: string | null;
  created_at: number;
  expires_at: number;
  decided_by: string | null;
  decided_person: string | null;
  decided_via: string | null;
  decided_at: number | null;
  decided_reason: string | null;
  bound: string | null;
  proof: string | null;
  sent_at: number | null;
  finished_at: number | null;
  result: string | null;
  error: string | null;
}

/** Binds a request to the text that a person sees of it: operation, input, consent, requester and times. */
export function bindingOf(row: ProvenRow, seal: Seal): string {
  const input = createHash('sha256').update(row.input).digest('base64url');
  return seal.mac(
    JSON.stringify([
      'asked',
      row.id,
      row.operation,
      row.digest,
      row.full_digest,
      input,
      row.shown,
      row.known,
      row.consent,
      row.reason,
      row.person,
      row.actor_id,
      row.actor_name,
      row.surface,
      row.created_at,
      row.expires_at,
    ]),
  );
}

/** Proves a decision about a bound row. */
export function proofOf(row: ProvenRow, state: 'confirmed' | 'declined', seal: Seal): string {
  return seal.mac(
    JSON.stringify([
      'decided',
      row.id,
      row.operation,
      row.digest,
      row.bound,
      state,
      row.decided_person,
      row.decided_by,
      row.decided_via,
      row.decided_at,
      row.decided_reason,
    ]),
  );
}

/** The reason why a pending row may not be confirmed; undefined if its binding is valid. `now`: epoch ms. */
export function flawOfAsked(row: ProvenRow, seal: Seal, now: number): string | undefined {
  if (row.bound === null) return 'it has no seal';
  if (!same(row.bound, bindingOf(row, seal))) return 'its seal does not match its content';
  return row.created_at > now + AHEAD_MS ? 'its request time is in the future' : undefined;
}

/**
 * The reason why a confirmed row may not run; undefined if its proof is valid. `now`: epoch ms. `traces`: further steps
 * of the row in the audit trail. A decision runs once, so a confirmed row that was already sent or ended has been
 * tampered with.
 */
export function flawOfConfirmed(
  row: ProvenRow,
  seal: Seal,
  now: number,
  traces: readonly string[],
): string | undefined {
  const flaw = flawOfDecision(row, seal, now);
  if (flaw !== undefined) return flaw;
  if (row.sent_at !== null || row.finished_at !== null || row.result !== null || row.error !== null)
    return 'it was already sent';
  if (traces.length > 0) return `it was already sent (the audit trail has: ${traces.join(', ')})`;
  return undefined;
}

/** The reason why a row does not prove that a person decided it so; undefined if it does. `now`: epoch ms. */
export function flawOfDecision(
  row: ProvenRow,
  seal: Seal,
  now: number,
  state: 'confirmed' | 'declined' = 'confirmed',
): string | undefined {
  const flaw = flawOfAsked(row, seal, now);
  if (flaw !== undefined) return flaw;
  if (row.proof === null) return 'its decision has no seal';
  if (!same(row.proof, proofOf(row, state, seal))) return 'the seal of its decision does not match';
  return (row.decided_at ?? Number.POSITIVE_INFINITY) > now + AHEAD_MS
    ? 'its decision time is in the future'
    : undefined;
}

function same(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
