import type { Call, Checked, LocalHistory, Look, Tool } from '../catalogue/operation.ts';
import type { Actor } from '../lib/actor.ts';
import type { Clock } from '../lib/clock.ts';
import { asSwitchboardError, SwitchboardError } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';
import type { JobContext } from './job.ts';
import { canonical } from './ledger/action.ts';
import type { OperationSecrets } from './operation-secrets.ts';
import type { ToolIndex } from './tool-index.ts';

export interface ChecksOptions {
  clock: Clock;
  tools: ToolIndex;
  secrets: OperationSecrets;
  history: (actor: Actor) => LocalHistory;
  /** Calls on behalf of the caller: reads, and steps that need no confirmation. */
  calls: (context: JobContext) => Call;
}

/** A check, with the reads that failed. */
export interface CheckResult extends Checked {
  unread: readonly { read: string; error: SwitchboardError }[];
}

/** Runs the reads of an operation's `before`. They change nothing. */
export class Checks {
  readonly #options: ChecksOptions;

  constructor(options: ChecksOptions) {
    this.#options = options;
  }

  /** @param said the caller's own input, without what was filled in */
  async run(tool: Tool, said: Fields, context: JobContext): Promise<CheckResult> {
    const { clock, tools, secrets } = this.#options;
    const unread: { read: string; error: SwitchboardError }[] = [];
    const call = this.#options.calls({ ...context, confirmed: false });
    const read: Look['read'] = async (operation, asked) => {
      if (tools.get(operation).risk !== 'read')
        throw new Error(`${operation} is not a read and may not run in a check`);
      try {
        return { found: await call(operation, asked) };
      } catch (error) {
        // A cancelled call is not a failure of the platform.
        if (!(error instanceof SwitchboardError) || context.signal?.aborted) throw error;
        unread.push({ read: `${operation} ${canonical(asked)}`, error: asSwitchboardError(error) });
        return { found: undefined, why: error.face.message };
      }
    };
    const known = (await secrets.find(tool, said))?.known ?? {};
    const history = this.#options.history(context.actor);
    const checked = await tool.before?.(said, { read, known, now: new Date(clock.now()), history });
    return { ...checked, unread };
  }
}
