import type { Gate } from '../../gate/gate.ts';
import { faceOf } from '../../language/failure.ts';
import type { Actor } from '../../lib/actor.ts';
import { invalidInput } from '../../lib/errors.ts';
import { defined, type Fields } from '../../lib/json.ts';
import { withheldIn } from '../../platform/dialect/activation.ts';

export const FOLLOW_USAGE = 'switchboard call confirmations_get id=act_…';

/** The id of `call confirmations_get id=act_…` (or of the words `confirmations get`); undefined for another operation. */
export function readFollow(words: readonly string[], json: string | undefined): string | undefined {
  const [first = '', second = ''] = words.map((word) => word.toLowerCase());
  const joined = /^confirmations[_/-]get$/.test(first);
  if (!joined && !(first === 'confirmations' && second === 'get')) return undefined;
  const fields = words.slice(joined ? 1 : 2);
  const given = fields.map((word) => /^(?:id=)?(act_[\w-]+)$/i.exec(word)?.[1]);
  const [id] = given;
  if (id === undefined || given.length > 1 || json !== undefined) {
    throw invalidInput('id', `id: give the id that a call returned, and nothing else: ${FOLLOW_USAGE}.`);
  }
  return id;
}

/**
 * State and result of a call, as `confirmations_get` returns them over MCP. With `qr`, the result includes the
 * activation code of an eSIM.
 */
export async function follow(gate: Gate, id: string, actor: Actor, options: { qr: boolean }): Promise<Fields> {
  const { status, approvals, decidedBy, result: shown, error } = await gate.follow(id, actor);
  const isAsked = options.qr && withheldIn(shown).length > 0;
  const result = (isAsked ? await gate.reveal({ action: id }, actor) : undefined) ?? shown;
  return {
    id,
    status,
    ...defined({ approvals, decidedBy, result, error: error && faceOf(error, 'terminal') }),
  };
}
