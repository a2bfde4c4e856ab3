import { createHash, timingSafeEqual } from 'node:crypto';
import type { Seal } from './seal.ts';

/*
 * A row of the ledger proves two things with this installation's key: that what a person is asked about is what was
 * asked for, and that the decision is one a person made here. Whoever can only write the file can prove neither.
 * What it does not prove is age: an old copy of a whole file carries proofs of its own.
 */

/** The columns that are proven, as they stand in the file. */
export interface ProvenRow {
  id: string;
  operation: string;
  actor_id: string;
  actor_name: string;
  surface: string;
  person: string | null;
  digest: string;
  input: Uint8Array;
  shown: string;
  known: string;
  consent: string | null;
  created_at: number;
  expires_at: number;
  decided_by: string | null;
  decided_person: string | null;
  decided_via: string | null;
  decided_at: number | null;
  bound: string | null;
  proof: string | null;
  sent_at: number | null;
  finished_at: number | null;
  result: string | null;
  error: string | null;
}

/** Clocks of processes that share a file may differ by this much. */
const TOLERANCE_MS = 60_000;

/** Binds what is asked for to what a person sees of it: operation, input, consent, requester and times. */
export function bindingOf(row: ProvenRow, seal: Seal): string {
  const input = createHash('sha256').update(row.input).digest('base64url');
  return seal.mac(
    JSON.stringify([
      'asked',
      row.id,
      row.operation,
      row.digest,
      input,
      row.shown,
      row.known,
      row.consent,
      row.person,
      row.actor_id,
      row.actor_name,
      row.surface,
      row.created_at,
      row.expires_at,
    ]),
  );
}

/** Proves a decision over a row that is bound. */
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
    ]),
  );
}

/** Why a waiting row may not be confirmed; undefined where it is what was asked for. `now`: epoch ms. */
export function flawOfAsked(row: ProvenRow, seal: Seal, now: number): string | undefined {
  if (row.bound === null) return 'it carries no seal';
  if (!same(row.bound, bindingOf(row, seal))) return 'its seal does not fit what it asks for';
  return row.created_at > now + TOLERANCE_MS ? 'it was asked for in the future' : undefined;
}

/**
 * Why a confirmed row may not be run; undefined where a person here confirmed exactly this. `now`: epoch ms.
 * `traces`: what the audit trail has of it beside the question and the decision. A decision is run once, so a row that
 * was sent or has ended was set back by somebody else.
 */
export function flawOfConfirmed(
  row: ProvenRow,
  seal: Seal,
  now: number,
  traces: readonly string[],
): string | undefined {
  const flaw = flawOfAsked(row, seal, now);
  if (flaw !== undefined) return flaw;
  if (row.proof === null) return 'its decision carries no seal';
  if (!same(row.proof, proofOf(row, 'confirmed', seal))) return 'the seal does not fit its decision';
  if (row.sent_at !== null || row.finished_at !== null || row.result !== null || row.error !== null)
    return 'it was sent already';
  if (traces.length > 0) return `it was sent already (the audit trail has: ${traces.join(', ')})`;
  return (row.decided_at ?? Number.POSITIVE_INFINITY) > now + TOLERANCE_MS
    ? 'it was confirmed in the future'
    : undefined;
}

function same(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
