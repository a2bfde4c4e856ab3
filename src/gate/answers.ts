import type { Tool } from '../catalogue/operation.ts';
import type { Action } from '../ledger/ledger.ts';
import { type Failure, SwitchboardError } from '../lib/errors.ts';
import { type Fields, plainText, textOf } from '../lib/values.ts';
import { scheduledText } from '../platform/dialect/dates.ts';
import { withholdActivation } from '../platform/dialect/redact.ts';
import { flagWarning, partlyWarning, readVerdict, verdictFailure } from '../platform/dialect/verdict.ts';
import { GatePart, type Job, type Performed } from './confirmation.ts';
import type { Sent } from './sender.ts';

/** Maximum number of remembered mismatches, so that answers with changing members do not fill the memory. */
const MAX_MISMATCHES = 1000;

type Done = Extract<Performed, { kind: 'done' }>;
/**
 * The result of reading an answer. `refused` is set if the platform says that it did not do the work, or does not say
 * that it did.
 */
export type ReadAnswer = Done & { refused?: Failure };

type Asked = Partial<Pick<Action, 'known' | 'consent'>>;

/** Turns the platform's answers into results. */
export class Answers extends GatePart {
  /** Operation and member of each mismatch that was logged. */
  readonly #logged = new Set<string>();

  /**
   * Reads an answer: removes secrets, adds warnings, names the members that do not have their declared shape, and
   * decides whether the platform did the work. `asked`: the facts known when a person was asked, and what that question
   * said about the outcome.
   */
  read({ tool, input }: Pick<Job, 'tool' | 'input'>, { answer, secrets, renewed }: Sent, asked?: Asked): ReadAnswer {
    const { known = {}, consent } = asked ?? {};
    // A workflow's answer is built from answers that were read here already; the rest is text of its caller.
    const value =
      tool.kind === 'operation'
        ? this.parts.redactor.strip(answer, { secrets, written: input })
        : this.parts.redactor.omit(answer);
    const verdict = readVerdict(tool, { answer: value, input, known });
    const isDone = verdict.state === 'done' || verdict.state === 'partly';
    const doubtful = isDone && tool.kind === 'operation' && tool.risk !== 'read' ? flagWarning(value) : undefined;
    const date = tool.answer?.scheduled?.(input, new Date(this.parts.clock.now()), value);
    const warnings = [
      renewed &&
        `The order ${renewed.asked} was made anew when this was confirmed: ${renewed.sent} was sent in its place.`,
      tool.risk === 'read' ? textOf(value.Warning) || undefined : undefined,
      date === undefined ? undefined : scheduledText(date),
      tool.caution?.(input),
      verdict.state === 'partly' ? plainText(partlyWarning(verdict)) : undefined,
      doubtful === undefined ? undefined : plainText(doubtful),
      isDone ? consent?.remains : undefined,
    ].filter((text) => text !== undefined);
    if (warnings.length > 0) value.Warning = withholdActivation(warnings.join(' '));
    this.parts.completions?.learn(value);
    const done: ReadAnswer = { kind: 'done', value, mismatched: this.#mismatches(tool, value) };
    if (verdict.state === 'partly') return { ...done, partly: verdict };
    const refused = verdictFailure(tool, value, verdict);
    return refused ? { ...done, refused: withholdActivation(refused) } : done;
  }

  /** The answer of a read. A failure here changed nothing at the platform. */
  readOfRead(job: Pick<Job, 'tool' | 'input'>, sent: Sent): ReadAnswer {
    try {
      return this.read(job, sent);
    } catch (error) {
      const message = `The platform answered, but Switchboard could not process the answer (${String(error).slice(0, 200)}).`;
      throw new SwitchboardError(
        { code: 'server_error', message, effect: 'nothing_changed', outcome: 'not_done' },
        { cause: error },
      );
    }
  }

  /** The result of an earlier call, for a repeat that was not sent. */
  repeated(tool: Tool, { id: actionId, result = {}, shown: input, known, sentAt, createdAt }: Action): Performed {
    const verdict = readVerdict(tool, { answer: result, input, known });
    const at = new Date(sentAt ?? createdAt).toISOString();
    const notice = `Nothing was sent now: this is the result of the same call of ${at} (${actionId}).`;
    const earlier = typeof result.Warning === 'string' ? `${result.Warning} ` : '';
    const value = { ...result, Warning: `${earlier}${notice}` };
    const done: Done = { kind: 'done', value, mismatched: [], actionId, isRepeat: true };
    return verdict.state === 'partly' ? { ...done, partly: verdict } : done;
  }

  /** Top-level members that do not have their declared shape. Each mismatch is logged once per process. */
  #mismatches(tool: Tool, value: Fields): string[] {
    const parsed = tool.output.safeParse(value);
    if (parsed.success) return [];
    const fresh = parsed.error.issues
      .map(({ path }) => path.map((part) => (typeof part === 'number' ? '*' : String(part))).join('.'))
      .filter((path) => !this.#logged.has(`${tool.id} ${path}`) && this.#logged.size < MAX_MISMATCHES);
    for (const path of fresh) this.#logged.add(`${tool.id} ${path}`);
    if (fresh.length > 0) {
      const members = [...new Set(fresh)];
      this.parts.log('warn', { operation: tool.id, members }, 'an answer does not have its declared shape');
    }
    return [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
  }
}
