import type { Fields } from '../lib/json.ts';

/**
 * The effect of a call. `read` changes nothing; `write` changes records and can be corrected; `spend` costs money or
 * reaches a person; `destroy` takes service, data or control away. `spend` and `destroy` are gated: a person confirms
 * them.
 */
export type Risk = 'read' | 'write' | 'spend' | 'destroy';

/** A risk above that of the operation, caused by the input. */
export interface Raised {
  risk: 'destroy';
  /** The reason for asking a person, in one sentence. */
  reason: string;
  /** False if this input is never sent a second time, although the operation's other inputs may be. */
  resend?: false;
}

/** True if a person must confirm every call of this tool, regardless of its input. */
export function isGated(tool: { risk: Risk }): boolean {
  return tool.risk === 'spend' || tool.risk === 'destroy';
}

/** The highest risk that any input of this tool has. The tool's hints state it. */
export function highestRisk(tool: { risk: Risk; raisedBy?: unknown }): Risk {
  return tool.raisedBy === undefined ? tool.risk : 'destroy';
}

/** True if this input may be sent again when its outcome is unknown. */
export function mayResend(
  tool: { resend: boolean; raises?: (input: Fields, known: Fields) => Raised | undefined },
  input: Fields,
): boolean {
  return tool.resend && tool.raises?.(input, {})?.resend !== false;
}
