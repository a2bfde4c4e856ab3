import { canonical } from '../../ledger/action.ts';
import type { Seal } from '../../ledger/seal.ts';
import { type Actor, personOf } from '../../lib/actor.ts';
import { type Fields, isRecord } from '../../lib/json.ts';
import { INVALID_PARAMS, ProtocolError } from './protocol.ts';

/** A call as the client makes it. */
export interface Call {
  name: string;
  input: Fields;
}

/** The state that a client returns when it repeats a call that needed its user. */
export interface CallState {
  /** The action that the user was asked about. */
  action: string;
  /** Number of calls so far. */
  rounds: number;
}

/** Seals the state for one identity and one exact call. The client can neither read nor change it. */
export function sealState(seal: Seal, state: CallState, actor: Actor, call: Call): string {
  return Buffer.from(seal.seal(state, recordOf(actor, call))).toString('base64url');
}

/** Opens a state. Throws `ProtocolError` if it was made for another identity or call, or not by this installation. */
export function openState(seal: Seal, sealed: string, actor: Actor, call: Call): CallState {
  try {
    const bytes = Buffer.from(sealed, 'base64url');
    // Decoding ignores an extra character, so the text is compared as well.
    const asGiven = bytes.toString('base64url') === sealed;
    const state = asGiven ? seal.open(bytes, recordOf(actor, call)) : undefined;
    if (isRecord(state) && typeof state.action === 'string' && typeof state.rounds === 'number')
      return { action: state.action, rounds: state.rounds };
  } catch {
    // A state that cannot be opened is refused below.
  }
  throw new ProtocolError(
    INVALID_PARAMS,
    'requestState: does not belong to this call. Repeat the call with the same arguments and the state as it was given, or call anew without it. Nothing was sent.',
  );
}

/** The identity and the exact call that a state is bound to. */
function recordOf(actor: Actor, { name, input }: Call): string {
  return canonical(['mcp call', actor.id, personOf(actor), name, input]);
}
