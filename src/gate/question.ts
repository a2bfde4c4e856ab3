import type { AskedBefore, Call, Checked, Look, Raised, Tool } from '../catalogue/operation.ts';
import { type Action, canonical } from '../ledger/action.ts';
import { asSwitchboardError, type Failure, SwitchboardError } from '../lib/errors.ts';
import { defined, type Fields, recordOf } from '../lib/json.ts';
import { joined, type Words, words } from '../lib/words.ts';
import { quoted } from '../platform/dialect/plain-values.ts';
import { isNotDoneFor } from '../platform/dialect/verdict.ts';
import { isPaid } from './charges.ts';
import type { GateParts, JobContext } from './confirmation.ts';
import type { OperationSecrets } from './sender.ts';

/** Maximum number of earlier calls for one value that a check reads. */
const MOST_DONE = 20;

type ChecksOptions = GateParts & {
  secrets: OperationSecrets;
};

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
   * @param given the caller's own input, without what was filled in
   * @param call reads on behalf of the caller
   * @param asked the findings of the question, if this check repeats it
   */
  async run(
    tool: Tool,
    given: Fields,
    { actor, signal }: JobContext,
    call: Call,
    asked?: AskedBefore,
  ): Promise<CheckResult> {
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
    const known = (await secrets.find(tool, given))?.known ?? {};
    const look: Look = {
      read,
      known,
      done: (value) => this.#done(tool, value),
      now: new Date(clock.now()),
      ...(asked && { asked }),
      history: this.#options.history.of(actor),
    };
    const checked = await tool.before?.(given, look);
    return { ...checked, unread };
  }

  async #done(tool: Tool, value: string): ReturnType<Look['done']> {
    const actions = await this.#options.ledger.about(value, MOST_DONE);
    return actions
      .filter(({ operation, state }) => operation === tool.id && (state === 'done' || state === 'partly'))
      .filter(({ result = {}, shown, known }) => !isNotDoneFor(value, tool, { answer: result, input: shown, known }))
      .map(({ id, shown, consent, updatedAt, actorName }) => ({
        id,
        shown,
        title: consent?.title ?? tool.title,
        at: new Date(updatedAt),
        by: actorName,
      }));
  }
}

/** Facts about a question, stored under `known.question` of its action. No secrets. */
export interface QuestionFacts {
  /** The customer concerned: name and account. */
  customer?: string;
  /** The reason for asking a person although the operation itself needs no confirmation. */
  raised?: Raised;
  /** Warnings: reads that failed, and fields that will be left out. */
  warnings: readonly string[];
  /** Paths of the secret fields that are sent; their values are never shown. */
  hidden: readonly string[];
  /** The members of the question that repeat text from outside, such as a customer's name. */
  outside: readonly ('summary' | 'consequence')[];
  /** Ids of earlier identical calls whose outcome was unknown when this was asked. The question warns about them. */
  doubted: readonly string[];
  /**
   * Ids of all earlier identical calls that the question warns about: with an unknown outcome, or by another person.
   */
  warned: readonly string[];
  /** Owner, state and account of the records that were read, by record. */
  rests: Readonly<Record<string, Fields>>;
  /** Fields of the input that the caller left out and that were filled in. */
  filled: readonly string[];
  /** The reads that failed. */
  unread: readonly string[];
  /** True if a person is asked only because an earlier call may have done the same. */
  isRepeatOnly: boolean;
}

/** The facts of an action's question; empty for an action without a question. */
export function factsOf(action: Pick<Action, 'known'>): QuestionFacts {
  const stored = action.known.question;
  const facts = stored !== null && typeof stored === 'object' ? (stored as Partial<QuestionFacts>) : {};
  return {
    ...facts,
    warnings: facts.warnings ?? [],
    hidden: facts.hidden ?? [],
    outside: facts.outside ?? [],
    doubted: facts.doubted ?? [],
    warned: facts.warned ?? [],
    rests: facts.rests ?? {},
    filled: facts.filled ?? [],
    unread: facts.unread ?? [],
    isRepeatOnly: facts.isRepeatOnly ?? false,
  };
}

/** The caller's own part of an input: without the fields that were filled in. */
export function givenOf(input: Fields, { known }: Pick<Action, 'known'>): Fields {
  const { filled } = factsOf({ known });
  return Object.fromEntries(Object.entries(input).filter(([name]) => !filled.includes(name)));
}

/** The order a call is about: the one in its input, or the one its request stage created. */
export function orderOf({ shown, known }: Pick<Action, 'shown' | 'known'>): unknown {
  return shown.OrderId ?? known.OrderId;
}

/*
 * Compares the records that a question was based on with the same records read later. A confirmation holds only for the
 * records as the person saw them.
 */

type Asked = Pick<Action, 'shown' | 'known' | 'consent'>;

/** A difference. `what` completes the sentence "… since this was asked". */
export interface Difference {
  what: Words;
  /** The error of a read that worked when the question was asked. */
  unread?: Failure;
}

/**
 * The first difference between a question and a new check; undefined if the question would be the same.
 * @param input the input to send, with its secrets
 */
export function differenceOf(tool: Tool, asked: Asked, input: Fields, now: CheckResult): Difference | undefined {
  const facts = factsOf(asked);
  if (facts.isRepeatOnly) return undefined;
  const lost = now.unread.find(({ read }) => !facts.unread.includes(read));
  if (lost) return { what: 'could not be read again', unread: asSwitchboardError(lost.error).face };
  if (now.problem) return { what: now.problem.message };
  const changed = Object.entries(facts.rests).flatMap(([record, values]) =>
    changesOf(record, values, now.rests?.[record]),
  );
  if (changed.length > 0) return { what: joined(changed, '; ') };
  const filled = facts.filled.find(
    (name) => now.fill?.[name] !== undefined && !same(now.fill[name], asked.shown[name]),
  );
  if (filled !== undefined) return { what: `the ${filled} of the record has changed` };
  // If a read failed when the question was asked, its result now can only add to the question.
  if (now.unread.length < facts.unread.length) return undefined;
  if ((now.customer ?? '') !== (facts.customer ?? '')) return { what: 'the customer has changed' };
  return isSameConsent(tool, asked, input, now) ? undefined : { what: 'the question would read differently now' };
}

function changesOf(record: string, before: Fields, now: Fields | undefined): Words[] {
  if (now === undefined) return [`${record} could not be found again`];
  return Object.entries(before)
    .filter(([name, value]) => !same(value, now[name]))
    .map(([name, value]) => words`the ${name} of ${record} was ${worded(value)} and is ${worded(now[name])} now`);
}

function isSameConsent(tool: Tool, asked: Asked, input: Fields, now: CheckResult): boolean {
  const { consent } = asked;
  if (consent === undefined || tool.consent === undefined) return true;
  const drifting = Object.fromEntries((now.drifts ?? []).map((name) => [name, asked.known[name]]));
  const next = tool.consent(input, { ...asked.known, ...now.known, ...drifting });
  // A warning about earlier calls precedes the consequence.
  const isSameText = consent.consequence === next.consequence || consent.consequence.endsWith(`\n${next.consequence}`);
  return isSameText && same({ ...recordOf(consent), consequence: '' }, { ...next, consequence: '' });
}

/** The failure of a confirmed call that was not sent because of this difference. */
export function differenceError({ what, unread }: Difference, asked: Pick<Action, 'consent'>): Failure {
  const charge = isPaid(asked) ? ({ charge: 'none' } as const) : {};
  const rest = { outcome: 'not_done', effect: 'nothing_sent', ...charge } as const;
  if (unread) {
    const { code, status, retryAfterSeconds } = unread;
    const message = words`What this rests on could not be read again before sending: ${unread.message}`;
    return { ...rest, code, message, next: 'Ask for it again.', ...defined({ status, retryAfterSeconds }) };
  }
  return {
    ...rest,
    code: 'not_confirmed',
    reason: 'cancelled',
    message: words`It was confirmed, but the record has changed since it was asked: ${what}.`,
    next: 'Ask for it again to see it as it is now.',
  };
}

function same(one: unknown, other: unknown): boolean {
  return canonical(one ?? null) === canonical(other ?? null);
}

function worded(value: unknown): Words {
  return value === undefined || value === null || value === '' ? 'not set' : words`${quoted(value)}`;
}
