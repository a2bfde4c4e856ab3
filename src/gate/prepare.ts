import {
  type Call,
  type Checked,
  type Consent,
  isGated,
  type Look,
  type Problem,
  type Raised,
  type Tool,
} from '../catalogue/operation.ts';
import type { Actor } from '../lib/actor.ts';
import type { Clock } from '../lib/clock.ts';
import { readMoment } from '../lib/dates.ts';
import { asSwitchboardError, invalidInput, SwitchboardError } from '../lib/errors.ts';
import type { Redactor } from '../lib/redact.ts';
import type { QuestionFacts } from './facts.ts';
import type { Action, Ledger } from './ledger/ledger.ts';

/** Reads before a question may take so long; a platform that is down must not keep anybody from asking. */
const READ_MS = 10_000;

/** A call that was weighed and checked, before anything of it was sent. */
export interface Weighed {
  /** The input, with the fields that were filled in from the platform's records. */
  input: Record<string, unknown>;
  /** True where a person must confirm this call. */
  asks: boolean;
  raised: Raised | undefined;
  checked: Checked;
}

/** What a question is made of. */
export interface Question {
  consent: Consent;
  known: Record<string, unknown>;
  /** Epoch ms; infinite where nothing shortens the wait. */
  expiresAt: number;
}

interface Kept {
  known: Record<string, unknown>;
  expiresAt: number;
}

export interface PrepareOptions {
  ledger: Ledger;
  clock: Clock;
  redactor: Redactor;
  toolOf: (id: string) => Tool;
  /** Calls on behalf of the caller: reads, and steps that need nobody's yes. */
  calls: (
    actor: Actor,
    deadline: number,
    signal: AbortSignal | undefined,
    /** Told the id of the action of each change among them. */
    onStage?: (id: string) => void,
  ) => Call;
  /** What is known of a kept secret the call takes; undefined where it takes none or none is held. */
  kept: (tool: Tool, input: Record<string, unknown>) => Kept | undefined;
  /** The same; throws `invalid_input` where the call takes a secret and none is held. */
  keptOrRefused: (tool: Tool, input: Record<string, unknown>) => Kept | undefined;
  pageUrl: (id: string) => string | undefined;
  /** IANA zone of dates without one. */
  timeZone: string;
}

export type Preparation = ReturnType<typeof createPreparation>;

/**
 * What happens before a person is asked: how much a call weighs (its risk, raised by what it says), what can be read
 * about it, and whether another call for the same number already waits. Nothing here changes anything for a customer.
 */
export function createPreparation(options: PrepareOptions) {
  const { ledger, clock, redactor, toolOf } = options;
  /** Values (phone numbers) whose exclusive call is being prepared in this process right now. */
  const preparing = new Map<string, Promise<unknown>>();

  /**
   * Weighs a call and reads what can be known about it. `ownAccount` is false where the account in `input` is the
   * configured default: the record's own account then takes its place. Reads that fail are named in `warnings`.
   */
  async function weigh(
    tool: Tool,
    input: Record<string, unknown>,
    actor: Actor,
    how: { deadline: number; signal?: AbortSignal | undefined; ownAccount: boolean },
  ): Promise<Weighed> {
    // With nothing known it is the worst this input can be; reads can only make it less.
    const worst = tool.raises?.(input, {});
    const kept = options.kept(tool, input);
    const worthReading = tool.before !== undefined && (tool.raises === undefined || worst !== undefined);
    const checked = worthReading ? await check(tool, input, actor, how, kept?.known ?? {}) : {};
    const full = { ...input, ...checked.fill };
    const raised = worst && tool.raises?.(full, checked.known ?? {});
    return { input: full, asks: isGated(tool) || raised !== undefined, raised, checked };
  }

  async function check(
    tool: Tool,
    input: Record<string, unknown>,
    actor: Actor,
    how: { deadline: number; signal?: AbortSignal | undefined; ownAccount: boolean },
    known: Record<string, unknown>,
  ): Promise<Checked> {
    const call = options.calls(actor, Math.min(how.deadline, clock.now() + READ_MS), how.signal);
    const read: Look['read'] = async (operation, asked) => {
      if (toolOf(operation).risk !== 'read') throw new Error(`${operation} is no read and may not run in a check`);
      try {
        return { found: await call(operation, asked) };
      } catch (error) {
        // A caller that went away is no failure of the platform.
        if (!(error instanceof SwitchboardError) || how.signal?.aborted) throw error;
        return { found: undefined, why: asSwitchboardError(error).face.message };
      }
    };
    const { AccountId: _account, ...unowned } = input;
    return (await tool.before?.(how.ownAccount ? input : unowned, { read, known })) ?? {};
  }

  /**
   * Makes the question: preparing steps first, then its words. `earlier`: the same calls made before, of which the
   * question warns. Throws where a step shows that the call cannot work.
   */
  async function question(
    tool: Tool,
    weighed: Weighed,
    actor: Actor,
    how: { deadline: number; signal?: AbortSignal | undefined; onStage?: (id: string) => void },
    earlier: Pick<QuestionFacts, 'doubted' | 'warned'>,
  ): Promise<Question> {
    const { input, checked, raised } = weighed;
    const kept = options.keptOrRefused(tool, input);
    let known: Record<string, unknown> = { ...checked.known, ...kept?.known };
    let expiresAt = kept?.expiresAt ?? Number.POSITIVE_INFINITY;
    const warnings = [...(checked.warnings ?? [])];
    if (tool.kind === 'workflow' && tool.prepare) {
      const step = await tool.prepare(input, options.calls(actor, how.deadline, how.signal, how.onStage));
      if (step.problem) throw refused(step.problem);
      known = { ...known, ...step.known };
      warnings.push(...(step.warnings ?? []));
      expiresAt = readMoment(step.expiresAt, options.timeZone) ?? expiresAt;
    }
    const consent =
      weighed.asks && tool.consent
        ? tool.consent(input, known)
        : {
            title: tool.title,
            consequence: 'An earlier attempt may already have made this change.',
            undo: '',
            confirm: 'Send it again',
          };
    const facts: QuestionFacts = {
      ...(checked.customer === undefined ? {} : { customer: checked.customer }),
      ...(raised === undefined ? {} : { raised }),
      warnings,
      hidden: hiddenIn(input, redactor),
      doubted: earlier.doubted,
      warned: earlier.warned,
    };
    return { consent, known: { ...known, question: facts }, expiresAt };
  }

  /**
   * The call that waits for a person or runs for one of the same values, where this tool lets only one through.
   * `same`: it is the same operation for the same values.
   */
  function other(
    tool: Tool,
    input: Record<string, unknown>,
  ): { action: Action; values: string[]; same: boolean } | undefined {
    const mine = valuesOf(tool, input);
    if (mine.length === 0) return undefined;
    const live = ledger.list({ states: ['pending', 'confirmed', 'in_flight'], limit: 1000 });
    for (const action of live) {
      if (!tool.exclusive?.with.includes(action.operation)) continue;
      if (action.state === 'pending' && action.expiresAt <= clock.now()) continue;
      const theirs = toolOf(action.operation).exclusive?.values(action.shown, action.known) ?? [];
      const values = mine.filter((value) => theirs.includes(value));
      if (values.length === 0) continue;
      const same = action.operation === tool.id && values.length === mine.length && values.length === theirs.length;
      return { action, values, same };
    }
    return undefined;
  }

  /** The values (phone numbers) of a call that is let through one at a time. */
  function valuesOf(tool: Tool, input: Record<string, unknown>): string[] {
    if (!tool.exclusive) return [];
    return [...new Set(tool.exclusive.values(input, options.kept(tool, input)?.known ?? {}))];
  }

  /** Runs `work` while no other exclusive call for one of these values is prepared in this process. */
  async function alone<T>(tool: Tool, input: Record<string, unknown>, work: () => Promise<T>): Promise<T> {
    const values = valuesOf(tool, input);
    for (;;) {
      const busy = values.map((value) => preparing.get(value)).filter((one) => one !== undefined);
      if (busy.length === 0) break;
      await Promise.allSettled(busy);
    }
    const running = work();
    for (const value of values) preparing.set(value, running);
    try {
      return await running;
    } finally {
      for (const value of values) if (preparing.get(value) === running) preparing.delete(value);
    }
  }

  /** The refusal that points to the call that is there already. */
  function pointTo(tool: Tool, { action, values }: { action: Action; values: string[] }): SwitchboardError {
    const field = 'PhoneNumbers' in tool.input.shape ? 'PhoneNumbers' : Object.keys(tool.input.shape)[0];
    const url = action.state === 'pending' ? options.pageUrl(action.id) : undefined;
    const what = action.consent?.title ?? toolOf(action.operation).title;
    const state =
      action.state === 'pending'
        ? `waits for a person until ${new Date(action.expiresAt).toISOString()}${url === undefined ? '' : `, on ${url}`}`
        : 'was confirmed and is running';
    const way = action.state === 'pending' ? 'Have that one confirmed or declined.' : 'Wait for its end.';
    return invalidInput(
      field,
      `${field}: ${values.slice(0, 3).join(', ')}: "${what}", asked by ${action.actorName}, ${state} (${action.id}). Nothing was sent for this call. ${way}`,
    );
  }

  return { weigh, question, other, alone, pointTo, valuesOf };
}

/** A check's or a step's finding as the error callers see. */
export function refused({ field, message, code }: Problem & { code?: 'bad_request' }): SwitchboardError {
  const sentence = `${field}: ${/[.?!]$/.test(message) ? message : `${message}.`}`;
  if (code === undefined) return invalidInput(field, sentence);
  return new SwitchboardError({ code, message: sentence, outcome: 'not_done', field });
}

/** The secret members of an input, as paths ("CurrentAccountPassword"): named to whoever confirms, never shown. */
function hiddenIn(value: unknown, redactor: Redactor, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((member) => hiddenIn(member, redactor, path));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const at = path === '' ? key : `${path}.${key}`;
    if (member === undefined || member === null) return [];
    return redactor.isSecret(key) ? [at] : hiddenIn(member, redactor, at);
  });
}
