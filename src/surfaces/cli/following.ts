import type { Gate } from '../../gate/gate.ts';
import { faceOf } from '../../language/failure.ts';
import type { Actor } from '../../lib/actor.ts';
import { invalidInput } from '../../lib/errors.ts';
import { defined, type Fields } from '../../lib/json.ts';
import { withheldIn } from '../../platform/dialect/activation.ts';
import { FOLLOW_USAGE } from './help.ts';

/** The id of `call confirmations_get id=act_…` (or of the words `confirmations get`); undefined for another operation. */
export function readFollow(words: readonly string[], json: string | undefined): string | undefined {
  const named = /^confirmations[_/ -]get(?: (.*))?$/i.exec(words.join(' '));
  if (named === null) return undefined;
  const id = /^(?:id=)?(act_[\w-]+)$/i.exec(named[1] ?? '')?.[1];
  if (id === undefined || json !== undefined)
    throw invalidInput('id', `id: give the id that a call returned, and nothing else: ${FOLLOW_USAGE}.`);
  return id;
}

/**
 * State and result of a call, as `confirmations_get` returns them over MCP. With `qr`, the result includes the
 * activation code of an eSIM.
 */
export async function followed(gate: Gate, id: string, actor: Actor, { qr }: { qr: boolean }): Promise<Fields> {
  const { status, decidedBy, result: shown, error } = await gate.follow(id, actor);
  const isAsked = qr && withheldIn(shown).length > 0;
  const result = (isAsked ? await gate.reveal({ action: id }, actor) : undefined) ?? shown;
  return { id, status, ...defined({ decidedBy, result, error: error && faceOf(error, 'terminal') }) };
}
