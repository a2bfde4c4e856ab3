import type { Call, Checked, Histories, Look, Tool } from '../catalogue/operation.ts';
import { canonical } from '../ledger/action.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Clock } from '../lib/clock.ts';
import { asSwitchboardError, SwitchboardError } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';
import type { JobContext } from './job.ts';
import type { OperationSecrets } from './operation-secrets.ts';
import type { ToolIndex } from './tool-index.ts';

/** Maximum number of earlier calls for one value that a check reads. */
const MOST_DONE = 20;

export interface ChecksOptions {
  clock: Clock;
  ledger: Pick<Ledger, 'about'>;
  tools: ToolIndex;
  secrets: OperationSecrets;
  history: Histories;
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

  /**
   * @param said the caller's own input, without what was filled in
   * @param call reads on behalf of the caller
   */
  async run(tool: Tool, said: Fields, { actor, signal }: JobContext, call: Call): Promise<CheckResult> {
    const { clock, tools, secrets } = this.#options;
    const unread: { read: string; error: SwitchboardError }[] = [];
    const read: Look['read'] = async (operation, asked) => {
      if (tools.get(operation).risk !== 'read')
        throw new Error(`${operation} is not a read and may not run in a check`);
      try {
        return { found: await call(operation, asked) };
      } catch (error) {
        // A cancelled call is not a failure of the platform.
        if (!(error instanceof SwitchboardError) || signal?.aborted) throw error;
        unread.push({ read: `${operation} ${canonical(asked)}`, error: asSwitchboardError(error) });
        const { message, code } = error.face;
        return { found: undefined, why: error.message, message, code };
      }
    };
    const known = (await secrets.find(tool, said))?.known ?? {};
    const look: Look = {
      read,
      known,
      done: (value) => this.#done(tool, value),
      now: new Date(clock.now()),
      history: this.#options.history.of(actor),
    };
    const checked = await tool.before?.(said, look);
    return { ...checked, unread };
  }

  async #done(tool: Tool, value: string): ReturnType<Look['done']> {
    const actions = await this.#options.ledger.about(value, MOST_DONE);
    return actions
      .filter(({ operation, state }) => operation === tool.id && (state === 'done' || state === 'partly'))
      .map(({ id, shown, consent, updatedAt, actorName }) => ({
        id,
        shown,
        title: consent?.title ?? tool.title,
        at: new Date(updatedAt),
        by: actorName,
      }));
  }
}
