import { type Actor, hasRole, identified, personOf } from '../lib/actor.ts';
import type { Fields } from '../lib/values.ts';
import { activationsIn, activationsOf } from '../platform/dialect/redact.ts';
import { forbidden, isOwn } from './approval.ts';
import { GatePart } from './confirmation.ts';
import { DEADLINE_MS, type Dispatcher, patienceOf } from './dispatch.ts';
import { traitsOf } from './surfaces.ts';

/** The answer with an eSIM's activation code: that of an action, or of a read that is made now. */
export type RevealSource = { action: string } | { operation: string; input: Fields };

/** Hands out the activation codes of eSIMs, which every other result of the gate leaves out. */
export class Reveals extends GatePart<{ dispatcher: Dispatcher }> {
  /** The answer with its codes; undefined if it has none. Rejects with `forbidden_by_role`. */
  async reveal(source: RevealSource, actor: Actor): Promise<Fields | undefined> {
    const { ledger } = this.parts;
    const person = personOf(actor);
    const who = identified(person, actor.name);
    if ('action' in source) {
      const action = await ledger.get(source.action);
      if (!action || !(isOwn(action, person) || hasRole(actor, 'operator')) || isAssistant(actor)) throw refused(actor);
      return ledger.reveal(action.id, { who, detail: actor.surface });
    }
    if (!hasRole(actor, 'operator') || isAssistant(actor)) throw refused(actor);
    const answer = await this.#read(source, actor);
    if (Object.keys(activationsIn(answer)).length === 0) return undefined;
    const about = activationsOf(answer).flatMap(({ phone }) => phone ?? []);
    const detail = [actor.surface, ...about.slice(0, 3), ...(about.length > 3 ? [`and ${about.length - 3} more`] : [])];
    await ledger.revealed({
      who,
      detail: detail.join(' '),
      action: '',
      operation: source.operation,
      requester: person,
    });
    return answer;
  }

  async #read({ operation, input }: { operation: string; input: Fields }, actor: Actor): Promise<Fields> {
    const { tools, dispatcher, clock } = this.parts;
    const tool = tools.get(operation);
    if (tool.risk !== 'read') throw new Error(`${operation} is not a read`);
    const parsed = tools.parse(tool, input);
    const deadline = clock.now() + DEADLINE_MS;
    const job = { tool, input: parsed, given: parsed, actor, deadline, confirmed: false, ...patienceOf(actor) };
    return (await dispatcher.read(job)).value;
  }
}

/** True for an assistant, because its answers leave this installation with the conversation. */
function isAssistant({ surface }: Actor): boolean {
  return traitsOf(surface).isAssistant;
}

function refused({ name, role }: Actor) {
  return forbidden(
    `The activation code of an eSIM is shown to operators, and not to assistants; ${name} has the role ${role}. Nothing was done. Ask an operator.`,
  );
}
