import type { Decider } from '../../gate/decide.ts';
import type { Ask } from '../../gate/gate.ts';
import { askedOf, askedText } from '../../language/asked.ts';
import { type Actor, personOf, type Role } from '../../lib/actor.ts';
import type { Backend } from './options.ts';
import type { ClientInfo, RequestContext } from './protocol.ts';

/** Asks the client's user to confirm a call. */
export class Elicitation {
  readonly #options: { backend: () => Promise<Backend>; actor: Actor; userRole: Role };
  readonly #client: ClientInfo;

  constructor(options: { backend: () => Promise<Backend>; actor: Actor; userRole: Role }, client: ClientInfo) {
    this.#options = options;
    this.#client = client;
  }

  /** Whether the client shows forms. A client that only opens URLs gets the URL of the confirmation page instead. */
  isSupported(): boolean {
    const capability = this.#client.elicitation();
    // `{}` means form, from before URL mode existed (MCP 2025-06-18).
    return capability !== undefined && ('form' in capability || !('url' in capability));
  }

  /** The person at the client. The assistant never decides. The client's name is what the client calls itself. */
  decider(): Decider {
    const { actor, userRole } = this.#options;
    const client = this.#client.name() ?? 'an unnamed client';
    return { person: personOf(actor), name: `the user of ${client}`, role: userRole, way: 'client' };
  }

  /** Shows the question of an action to the client's user. */
  asker(context: RequestContext): Ask {
    return async (action, signal) => {
      const { gate } = await this.#options.backend();
      const message = [
        askedText(askedOf(gate.tool(action.operation), action)),
        '',
        `Accept: ${action.consent?.confirm ?? 'do it'}. Anything else does nothing. Waits until ${new Date(action.expiresAt).toISOString()}.`,
      ].join('\n');
      // The gate ends the question when the action expires; this timeout only bounds the request itself.
      return context.elicit(message, { signal, timeout: Math.max(1000, action.expiresAt - Date.now() + 1000) });
    };
  }
}
