import { ApiError } from './errors.ts';
import type { Fields } from './fields.ts';

/** A fault that happens `times` times at one exact request path (`POST /sandbox/faults`). */
export type Fault = { path: string; times: number } & (
  | { kind: 'status'; status: number; retryAfter: number | null }
  | { kind: 'hang'; ms: number }
  | { kind: 'dropAfterCommit' }
  | { kind: 'dropBeforeCommit' }
  /** The carrier refuses these numbers; the rest of the request is carried out. */
  | { kind: 'refuse'; numbers: string[] }
);

const KINDS = ['status', 'hangMs', 'dropAfterCommit', 'dropBeforeCommit', 'refuse'] as const;

/** Reads a fault from a request of the control plane. Throws 400 with the wrong field. */
export function readFault(body: Fields): Fault {
  const path = body.text('path');
  if (!path.startsWith('/')) throw body.wrong('path', 'must be a request path such as /v1.0/numbers');
  const times = body.optionalInteger('times') ?? 1;
  if (times < 1) throw body.wrong('times', 'must be at least 1');
  const given = KINDS.filter((name) => body.given(name) && body.raw(name) !== false);
  if (given.length !== 1) throw new ApiError(400, `Give exactly one of ${KINDS.join(', ')}`);
  const base = { path, times };
  switch (given[0]) {
    case 'status': {
      const status = body.optionalInteger('status') ?? 0;
      if (status < 400 || status > 599) throw body.wrong('status', 'must be an error status, 400 to 599');
      return { ...base, kind: 'status', status, retryAfter: body.optionalInteger('retryAfter') };
    }
    case 'hangMs':
      return { ...base, kind: 'hang', ms: body.optionalInteger('hangMs') ?? 0 };
    case 'refuse':
      return { ...base, kind: 'refuse', numbers: body.phones('refuse') };
    case 'dropAfterCommit':
      body.flag('dropAfterCommit');
      return { ...base, kind: 'dropAfterCommit' };
    default:
      body.flag('dropBeforeCommit');
      return { ...base, kind: 'dropBeforeCommit' };
  }
}

/** The pending faults, in the order in which they were set. */
export class Faults {
  #waiting: Fault[] = [];

  add(fault: Fault): void {
    this.#waiting.push(fault);
  }

  clear(): void {
    this.#waiting = [];
  }

  list(): readonly Fault[] {
    return this.#waiting;
  }

  take(path: string): Fault | null {
    const fault = this.#waiting.find((one) => one.path === path);
    if (fault === undefined) return null;
    fault.times -= 1;
    if (fault.times === 0) this.#waiting = this.#waiting.filter((one) => one !== fault);
    return fault;
  }
}
