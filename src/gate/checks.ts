import type { Call, Checked, Look, Tool } from '../catalogue/operation.ts';
import { canonical } from '../ledger/action.ts';
import { isOrderOver } from '../ledger/reports.ts';
import { asSwitchboardError, SwitchboardError } from '../lib/errors.ts';
import { type Fields, textsIn } from '../lib/values.ts';
import { OtherRecord } from '../platform/dialect/number-lists.ts';
import { orderState } from '../platform/dialect/orders.ts';
import { isNotDoneFor } from '../platform/dialect/verdict.ts';
import { GatePart, type JobContext } from './confirmation.ts';
import type { OperationSecrets } from './sender.ts';

/** Maximum number of earlier calls for one value that a check reads. */
const MOST_DONE = 20;

/** A read that failed, by operation and input. */
export interface Unread {
  read: string;
  /** The same in words: "Number details of +12015550101". */
  what: string;
  error: SwitchboardError;
  /** Only a name is missing. */
  isName?: true;
}

/** A check, with the reads that failed. */
export interface CheckResult extends Checked {
  unread: readonly Unread[];
}

/** Runs the reads of an operation's `before`. They change nothing. */
export class Checks extends GatePart<{
  secrets: OperationSecrets;
}> {
  /** A reader that asks for each record once and remembers which reads failed. `call`: reads on behalf of the caller. */
  reader({ signal }: Pick<JobContext, 'signal'>, call: Call): { read: Look['read']; unread: Unread[] } {
    const { tools } = this.parts;
    const unread: Unread[] = [];
    const answers = new Map<string, ReturnType<Look['read']>>();
    const send = async (key: string, operation: string, input: Fields, purpose?: 'name'): ReturnType<Look['read']> => {
      try {
        return { found: await call(operation, input) };
      } catch (error) {
        // A cancelled call is not a failure of the platform. Of another record's values nothing may be asked.
        if (!(error instanceof SwitchboardError) || signal?.aborted || error instanceof OtherRecord) throw error;
        const { message, code } = error.face;
        // Without a record there is no name, so nothing is missing.
        if (purpose === undefined || code !== 'not_found') {
          const [subject] = textsIn(input);
          const what = `${tools.get(operation).title}${subject === undefined ? '' : ` of ${subject.value}`}`;
          unread.push({ read: key, what, error: asSwitchboardError(error), ...(purpose && { isName: true }) });
        }
        return { found: undefined, message, code };
      }
    };
    const read: Look['read'] = (operation, input, purpose) => {
      if (tools.get(operation).risk !== 'read')
        throw new Error(`${operation} is not a read and may not run in a check`);
      const key = `${operation} ${canonical(input)}`;
      const answer = answers.get(key) ?? send(key, operation, input, purpose);
      answers.set(key, answer);
      // A check may end with the error of another read before it waits for this one.
      answer.catch(() => undefined);
      return answer;
    };
    return { read, unread };
  }

  /** @param given the caller's own input, without what was filled in */
  async run(
    tool: Tool,
    given: Fields,
    context: Pick<JobContext, 'actor'> & { read: Look['read']; isRow?: Look['isRow'] | undefined },
  ): Promise<Checked> {
    const { clock, secrets, history } = this.parts;
    const known = (await secrets.find(tool, given))?.known ?? {};
    const look: Look = {
      read: context.read,
      known,
      done: (value) => this.#done(tool, value),
      now: new Date(clock.now()),
      ...(context.isRow && { isRow: true as const }),
      history: history.of(context.actor),
    };
    return (await tool.before?.(given, look)) ?? {};
  }

  async #done(tool: Tool, value: string): ReturnType<Look['done']> {
    const actions = await this.parts.ledger.about(value, MOST_DONE);
    return actions
      .filter(({ operation, state }) => operation === tool.id && (state === 'done' || state === 'partly'))
      .filter(({ result = {}, shown, known }) => !isNotDoneFor(value, tool, { answer: result, input: shown, known }))
      .map(({ id, shown, result, notes, consent, updatedAt, actorName }) => ({
        id,
        shown,
        order: orderState(result),
        isOver: isOrderOver({ notes }),
        title: consent?.title ?? tool.title,
        at: new Date(updatedAt),
        by: actorName,
      }));
  }
}
