import type { Queries } from '../store/types.ts';
import { type NewJob, removeJob } from '../work/jobs.ts';

/* The jobs of the ledger. They are added and removed in the transactions that change actions. */

/** Kinds of jobs, each with a handler in `start/`. */
export const LATER = {
  /** The time of a question is over. */
  expire: 'action.expire',
  /** Held by the process that sends the action, so the handler runs only when that process is gone. */
  send: 'action.send',
  /** An unknown outcome is read. */
  read: 'action.read',
  /** A surface draws an action that a person decides, after each change of its state. */
  show: 'action.show',
  /** Secrets that have expired are deleted. */
  secrets: 'ledger.secrets',
  /** Old actions are deleted. */
  retention: 'ledger.retention',
} as const;

/** The wait before the first reading of an unknown outcome. */
const FIRST_READING_MS = 1_000;

export const sendKey = (id: string) => `${LATER.send} ${id}`;
export const showKey = (id: string) => `${LATER.show} ${id}`;

/** `at`: epoch ms. */
export function expireJob(id: string, at: number): NewJob {
  return { kind: LATER.expire, key: `${LATER.expire} ${id}`, payload: { action: id }, runAt: at };
}

/** `owner`: the process that sends the action. */
export function sendJob(id: string, owner: string): NewJob {
  return { kind: LATER.send, key: sendKey(id), payload: { action: id }, heldBy: owner };
}

/** `now`: epoch ms of the end of the action. */
export function readJob(id: string, now: number): NewJob {
  return { kind: LATER.read, key: `${LATER.read} ${id}`, payload: { action: id }, runAt: now + FIRST_READING_MS };
}

export function showJob(id: string): NewJob & { key: string } {
  return { kind: LATER.show, key: showKey(id), payload: { action: id } };
}

/** Removes jobs of an action that has left the state they belong to. */
export async function removeLater(
  queries: Queries,
  id: string,
  kinds: readonly ('expire' | 'send' | 'read')[],
): Promise<void> {
  for (const kind of kinds) await removeJob(queries, `${LATER[kind]} ${id}`);
}
