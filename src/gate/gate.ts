import { randomInt } from 'node:crypto';
import { parseInput } from '../catalogue/input.ts';
import { mayAsk } from '../catalogue/offered.ts';
import { type Call, isGated, mayResend, type Operation, type Tool } from '../catalogue/operation.ts';
import { type Actor, personOf, type Way } from '../lib/actor.ts';
import { readMoment } from '../lib/dates.ts';
import { asSwitchboardError, type ErrorFace, invalidInput, SwitchboardError, severity } from '../lib/errors.ts';
import { keptSecret } from '../lib/redact.ts';
import {
  type Ask,
  type Confirmation,
  type Dispatch,
  decidedByOf,
  explained,
  type GateOptions,
  notConfirmed,
  type Performed,
  type PerformOptions,
  statusOf,
  warningLine,
  withWarning,
} from './confirmation.ts';
import { type Decider, type Decision, nobodyCan, type Refusal, whoCan } from './decide.ts';
import { Decisions, deciderOf } from './decisions.ts';
import { Ends } from './ends.ts';
import { factsOf } from './facts.ts';
import { withFollowUp, withoutFollowUp } from './follow-up.ts';
import type { Action, KeptSecret, State } from './ledger/ledger.ts';
import { Outcomes } from './outcomes.ts';
import { createPreparation, refused, type Weighed } from './prepare.ts';
import { alikeCalls, type Earlier, earlierAttempt } from './repeats.ts';
import { endpointPath } from './token-endpoint.ts';
import { partlyWarning, readVerdict, verdictError } from './verdict.ts';

/** Does the question of a waiting action warn of these earlier calls? */
function hasWarning(waiting: Action, { warning, doubted }: Earlier): boolean {
  if (warning !== undefined && waiting.consent?.consequence.startsWith(warningLine(warning)) !== true) return false;
  const told = factsOf(waiting).doubted;
  return doubted.every((id) => told.includes(id));
}

const DEADLINE_MS = 180_000;
const SETTLE_MS = 300_000;
/** What an answer comes to; `refused` is the error of one that says it did not do the work, or does not say it did. */
type Finished = Extract<Performed, { kind: 'done' }> & { refused?: ErrorFace };

const TOKEN_PATH = '/v1.0/oauth2/tokens';
/** Of these are kept in memory; an answer with ever new members is not remembered for good. */
const MAX_ODDITIES = 1000;

export type Gate = ReturnType<typeof createGate>;

/** The one door: validate → role → consent → ledger → send → parse → redact. Every surface comes through here. */
export function createGate(options: GateOptions) {
  const { client, ledger, clock, redactor } = options;
  const byId = new Map(options.tools.map((tool) => [tool.id, tool]));
  const listeners = new Set<(action: Action) => void>();
  const log = options.log ?? (() => undefined);
  const running = new Map<string, Promise<Performed>>();
  /** Operation and member of each odd answer that was logged. */
  const oddOnce = new Set<string>();

  const toolOf = (id: string): Tool => {
    const tool = byId.get(id);
    if (!tool) throw invalidInput(undefined, `There is no operation ${id}.`);
    return tool;
  };
  /** The action as a reader should see it: an end that could not be written yet counts as unknown. */
  const current = (id: string): Action | undefined => {
    const action = ledger.get(id);
    const error = action?.state === 'in_flight' ? ends.unwritten(id) : undefined;
    return action && error ? { ...action, state: 'unknown', error } : action;
  };
  const changed = (id: string) => {
    const action = current(id);
    if (!action) return;
    for (const listener of listeners) {
      try {
        listener(action);
      } catch (error) {
        log('error', { action: id, error: String(error) }, 'a surface failed to take note of an action');
      }
    }
  };
  const { approval } = options;
  const decisions = new Decisions({ ledger, approval, log, toolOf, refresh, changed });
  /** Where a person may look at an action and decide; undefined where the page may not be used, or is not served. */
  const pageUrl = (id: string) => (approval.via.includes('page') ? options.pageUrl(id) : undefined);
  const step = (name: Parameters<NonNullable<GateOptions['onStep']>>[0], id: string) => options.onStep?.(name, id);

  const { settleMs = SETTLE_MS, timeZone = 'UTC', receipts = () => [] } = options;
  const ends = new Ends({ ledger, clock, log, changed });
  const outcomes = new Outcomes({
    ends,
    settleMs,
    timeZone,
    receipts,
    ledger,
    clock,
    redactor,
    log,
    toolOf,
    changed,
    refresh,
    sweepExpired,
    confirmation,
    execute,
    decisions,
    calls: (actor, deadline) => nested(actor, deadline, {}, false),
  });

  const preparation = createPreparation({
    ledger,
    clock,
    redactor,
    toolOf,
    calls: (actor, deadline, signal, onStage) =>
      nested(actor, deadline, { ...(signal ? { signal } : {}), ...(onStage ? { onStage } : {}) }, false),
    kept: (tool, input) => {
      const takes = tool.kind === 'operation' ? tool.takes : undefined;
      return takes && ledger.kept(takes.from, String(input[takes.under]));
    },
    keptOrRefused: (tool, input) => (tool.kind === 'operation' && tool.takes ? keptFor(tool, input) : undefined),
    pageUrl,
    timeZone,
  });

  /** Everything a reader may see of an action. */
  function confirmation(action: Action): Confirmation {
    const url = action.state === 'pending' ? pageUrl(action.id) : undefined;
    const decidedBy = decidedByOf(action);
    const unwritten = ends.unwritten(action.id);
    if (unwritten !== undefined && action.state === 'in_flight')
      return confirmation({ ...action, state: 'unknown', error: unwritten });
    const over = action.state === 'declined' || action.state === 'expired';
    const error = over ? notConfirmed(action).face : action.error;
    const { customer } = factsOf(action);
    return {
      id: action.id,
      status: statusOf(action.state),
      summary: action.consent?.title ?? byId.get(action.operation)?.title ?? action.operation,
      consequence: action.consent ? `${action.consent.consequence} ${action.consent.undo}` : '',
      ...(customer === undefined ? {} : { customer }),
      ...(url === undefined ? {} : { url }),
      expiresAt: new Date(action.expiresAt).toISOString(),
      ...(decidedBy === undefined ? {} : { decidedBy }),
      ...(action.result ? { result: action.result } : {}),
      ...(error ? { error } : {}),
    };
  }

  function prepareInput(tool: Tool, raw: unknown): Record<string, unknown> {
    const withDefault =
      options.defaultAccountId !== undefined &&
      'AccountId' in tool.input.shape &&
      raw !== null &&
      typeof raw === 'object' &&
      !('AccountId' in raw)
        ? { ...raw, AccountId: options.defaultAccountId }
        : raw;
    return parseInput(tool, withDefault, new Date(clock.now()));
  }

  async function perform(id: string, raw: unknown, actor: Actor, how: PerformOptions = {}): Promise<Performed> {
    const tool = toolOf(id);
    if (!mayAsk(actor.role, tool)) {
      throw new SwitchboardError({
        code: 'forbidden_by_role',
        message: `${tool.title} needs the role operator; ${actor.name} has ${actor.role}. Ask an operator, or have the role raised in the settings.`,
        outcome: 'not_done',
      });
    }
    const parsed = prepareInput(tool, raw);
    const deadline = how.deadline ?? clock.now() + DEADLINE_MS;
    if (tool.risk === 'read') return finishRead(tool, parsed, await reading(tool, parsed, actor, deadline, how));

    const ownAccount = raw !== null && typeof raw === 'object' && 'AccountId' in raw;
    const weighed = await preparation.weigh(tool, parsed, actor, { deadline, signal: how.signal, ownAccount });
    const { input } = weighed;
    const digest = ledger.digest(id, input);
    const doubt: Earlier = await earlierAttempt(
      { ledger, current, running, reconcile: (id, who) => outcomes.reconcile(id, who) },
      mayResend(tool, input),
      digest,
      actor,
      weighed.asks ? alikeCalls({ ledger, toolOf }, tool, preparation.valuesOf(tool, input)) : [],
    );
    if (doubt.done) return repeated(tool, doubt.done);
    if (weighed.asks || doubt.warning) return ask(tool, weighed, digest, actor, deadline, how, doubt);
    if (weighed.checked.problem) throw refused(weighed.checked.problem);
    return preparation.alone(tool, input, async () => {
      const other = preparation.other(tool, input);
      if (other) throw preparation.pointTo(tool, other);
      return runNow(tool, input, digest, actor, deadline, how);
    });
  }

  /** The result of an earlier attempt of the same person that reading has settled by now. */
  function repeated(tool: Tool, { id: actionId, result: value = {}, shown: input, known }: Action): Performed {
    const verdict = readVerdict(tool, { answer: value, input, known });
    const partly = verdict.state === 'partly' ? { partly: verdict } : {};
    return { kind: 'done', value, mismatched: [], actionId, ...partly };
  }

  /** A read has no action: nothing of it can be lost or done twice. */
  function reading(tool: Tool, input: Record<string, unknown>, actor: Actor, deadline: number, how: Dispatch) {
    if (tool.kind === 'workflow') {
      const tell = (sofar: Record<string, unknown>) => how.onPart?.(redactor.strip(sofar));
      return tool.run(input, nested(actor, deadline, how, false), {}, tell, options.history(actor));
    }
    return send(tool, input, actor, deadline, how);
  }

  /** Calls made by a workflow: through this same door, gated ones only inside what a person has confirmed. */
  function nested(actor: Actor, deadline: number, how: Dispatch, confirmed: boolean): Call {
    return async (id, raw) => {
      const tool = toolOf(id);
      const input = prepareInput(tool, raw);
      if (tool.risk === 'read') return finishRead(tool, input, await reading(tool, input, actor, deadline, how)).value;
      if ((isGated(tool) || tool.raises?.(input, {})) && !confirmed)
        throw new Error(`${id} is gated and may not run before a person confirmed`);
      const done = await runNow(tool, input, ledger.digest(id, input), actor, deadline, how);
      return done.kind === 'done' ? done.value : {};
    };
  }

  async function ask(
    tool: Tool,
    weighed: Weighed,
    digest: string,
    actor: Actor,
    deadline: number,
    how: PerformOptions,
    earlier: Earlier,
  ): Promise<Performed> {
    const decider = how.ask && (how.decider ?? callerOf(actor));
    // Before anything is prepared: a preparing step may already be a call that the platform keeps.
    const nobody = nobodyCan(personOf(actor), decider, approval);
    if (nobody) throw nobody;
    const asked = await preparation.alone(tool, weighed.input, async () => {
      const waiting = ledger.pendingTwin(digest, actor.id);
      if (waiting && hasWarning(waiting, earlier)) return { action: waiting, mine: true };
      if (waiting) {
        // Whoever confirmed it would not have read the warning.
        ledger.decline(waiting.id, undefined);
        changed(waiting.id);
      }
      if (weighed.checked.problem) throw refused(weighed.checked.problem);
      const other = preparation.other(tool, weighed.input);
      // The very same question of somebody else is shown, not asked a second time.
      if (other?.same && other.action.state === 'pending') return { action: other.action, mine: false };
      if (other) throw preparation.pointTo(tool, other);
      return { action: await newQuestion(tool, weighed, digest, actor, deadline, how, earlier), mine: true };
    });
    const { action } = asked;
    if (!asked.mine) return { kind: 'pending', action, confirmation: confirmation(action) };
    if (how.signal?.aborted) return voided(action);
    // Whoever may not decide is not asked: the action waits for somebody who may.
    if (!how.ask || !decider || decisions.refusal('confirm', action, decider))
      return { kind: 'pending', action, confirmation: confirmation(action) };

    how.onWait?.('person', Math.max(0, Math.round((action.expiresAt - clock.now()) / 1000)));
    const answer = await askPerson(action, how.ask, how.signal);
    if (how.signal?.aborted) return voided(action);
    if (answer === 'unavailable') return { kind: 'pending', action, confirmation: confirmation(action) };
    if (answer === 'expired' || clock.now() >= action.expiresAt) throw notConfirmed(refresh(action.id));
    if (answer === 'cancel') return voided(action);
    if (answer === 'decline') throw notConfirmed(decisions.decline(action.id, decider));
    const confirmed = decisions.confirm(action.id, decider);
    step('confirmed', action.id);
    return execute(confirmed, actor, how);
  }

  async function askPerson(action: Action, asker: Ask, signal: AbortSignal | undefined) {
    const stop = new AbortController();
    const timer = clock.setTimeout(() => stop.abort(), Math.max(0, action.expiresAt - clock.now()));
    const gone = () => stop.abort();
    signal?.addEventListener('abort', gone, { once: true });
    try {
      const late = new Promise<'expired'>((resolve) => stop.signal.addEventListener('abort', () => resolve('expired')));
      return await Promise.race([asker(action, stop.signal), late]);
    } finally {
      clock.clearTimeout(timer);
      signal?.removeEventListener('abort', gone);
    }
  }

  /** Whoever asks for a gated call without saying who answers: a client's user never counts as the assistant. */
  function callerOf(actor: Actor): Decider {
    return deciderOf(actor, actor.surface === 'mcp' ? 'client' : 'terminal');
  }

  function voided(action: Action): never {
    ledger.decline(action.id, undefined);
    changed(action.id);
    throw notConfirmed(ledger.get(action.id) ?? action);
  }

  /** Writes a question into the ledger: everything that will be sent, in the words of the operation. */
  async function newQuestion(
    tool: Tool,
    weighed: Weighed,
    digest: string,
    actor: Actor,
    deadline: number,
    how: PerformOptions,
    earlier: Earlier,
  ): Promise<Action> {
    const { input } = weighed;
    const stages: string[] = [];
    const within = { deadline, signal: how.signal, onStage: (id: string) => void stages.push(id) };
    const question = await preparation.question(tool, weighed, actor, within, earlier);
    const { action } = ledger.create({
      operation: tool.id,
      actorId: actor.id,
      actorName: actor.name,
      person: personOf(actor),
      surface: actor.surface,
      state: 'pending',
      input,
      shown: redactor.strip(input),
      known: redactor.strip(question.known),
      consent: withWarning(question.consent, earlier.warning),
      digest,
      expiresAt: Math.min(clock.now() + options.confirmSeconds * 1000, question.expiresAt),
    });
    if (how.notes) ledger.remember(action.id, how.notes);
    for (const stage of stages) ledger.remember(stage, { partOf: action.id });
    step('asked', action.id);
    changed(action.id);
    return action;
  }

  function keptFor(tool: Operation, input: Record<string, unknown>) {
    const takes = tool.takes;
    const kept = takes && ledger.kept(takes.from, String(input[takes.under]));
    if (takes && !kept) {
      throw invalidInput(
        takes.under,
        `${takes.under}: no ${takes.secret} is held here for ${String(input[takes.under])}; it was used, expired, or requested elsewhere. Start again with ${takes.from}.`,
      );
    }
    return kept ?? { known: {}, expiresAt: Number.POSITIVE_INFINITY };
  }

  /** A write: no person is asked, but it is in the ledger before a byte goes out. */
  function runNow(
    tool: Tool,
    input: Record<string, unknown>,
    digest: string,
    actor: Actor,
    deadline: number,
    how: Dispatch,
  ): Promise<Performed> {
    const { action } = ledger.create({
      operation: tool.id,
      actorId: actor.id,
      actorName: actor.name,
      person: personOf(actor),
      surface: actor.surface,
      state: 'in_flight',
      input,
      shown: redactor.strip(input),
      // What came with a kept secret: the numbers of a cancel order, by which its outcome can be read.
      known: (tool.kind === 'operation' && tool.takes && keptFor(tool, input).known) || {},
      consent: undefined,
      digest,
      expiresAt: deadline,
    });
    how.onStage?.(action.id);
    step('sent', action.id);
    return track(action.id, dispatch(tool, input, action, actor, deadline, how));
  }

  /** Claims a confirmed action and runs it to its end; one whose record proves no decision is ended instead. */
  async function execute({ id }: Action, actor: Actor, how: PerformOptions = {}): Promise<Performed> {
    const proven = ledger.confirmed(id);
    if ('flaw' in proven) {
      const now = refresh(id);
      throw now.state === 'confirmed' ? decisions.distrust(id, proven.flaw) : notConfirmed(now);
    }
    const { action, input } = proven;
    const tool = toolOf(action.operation);
    if (!ledger.claim(id)) throw notConfirmed(refresh(id));
    step('sent', id);
    changed(id);
    const sender: Actor = { ...actor, priority: 'confirmed' };
    return track(id, dispatch(tool, input, action, sender, clock.now() + DEADLINE_MS, how));
  }

  function track(id: string, work: Promise<Performed>): Promise<Performed> {
    running.set(id, work);
    const done = () => {
      running.delete(id);
      changed(id);
    };
    work.then(done, done);
    return work;
  }

  /** Sends an action that stands in_flight and writes its end, whatever that is. */
  async function dispatch(
    tool: Tool,
    input: Record<string, unknown>,
    action: Action,
    actor: Actor,
    deadline: number,
    how: Dispatch,
  ): Promise<Performed> {
    const from: State[] = ['in_flight'];
    const made = tool.kind === 'operation' ? makeSecret(tool, input) : undefined;
    const full = { ...input, ...made };
    let writtenAt: number | undefined;
    const dispatch: Dispatch = {
      ...how,
      onStage: (stage) => ledger.remember(stage, { partOf: action.id }),
      mayWrite: () => (how.mayWrite?.() ?? true) && holdsClaim(action.id),
      onWritten: (at) => {
        writtenAt = at;
        how.onWritten?.(at);
      },
    };
    let raw: Record<string, unknown>;
    try {
      const call = nested(actor, deadline, dispatch, true);
      raw =
        tool.kind === 'workflow'
          ? await tool.run(full, call, action.known, () => undefined, options.history(actor))
          : await send(tool, full, actor, deadline, dispatch);
      step('answered', action.id);
    } catch (error) {
      const failure = withoutFollowUp(asSwitchboardError(error));
      if (failure.detail) log(severity(failure.face), { action: action.id, detail: failure.detail }, failure.message);
      const state = failure.face.outcome === 'unknown' ? 'unknown' : 'failed';
      ends.record(action.id, { from, state, error: failure.face, writtenAt });
      step('settled', action.id);
      throw state === 'unknown' ? withFollowUp(failure, action.id) : failure;
    }
    let done: Finished;
    let keep: KeptSecret | undefined;
    try {
      done = finish(tool, full, raw, action.known);
      keep = tool.kind === 'operation' ? secretToKeep(tool, raw, done.value) : undefined;
    } catch (error) {
      const failure = ends.lost(action.id, error, writtenAt);
      log('error', { action: action.id, detail: failure.detail }, failure.message);
      throw withFollowUp(failure, action.id);
    }
    try {
      const once = made ? { once: made } : {};
      if (done.refused?.outcome === 'unknown')
        ends.write(action.id, { from, state: 'unknown', error: done.refused, writtenAt });
      else if (done.refused)
        ends.write(action.id, { from, state: 'failed', result: done.value, error: done.refused, writtenAt });
      else
        ends.write(action.id, {
          from,
          state: done.partly ? 'partly' : 'done',
          result: done.value,
          writtenAt,
          ...once,
          ...(keep ? { keep } : {}),
        });
    } catch (error) {
      throw withFollowUp(asSwitchboardError(error), action.id);
    }
    if (done.refused) {
      step('settled', action.id);
      const failure = new SwitchboardError(done.refused);
      throw done.refused.outcome === 'unknown' ? withFollowUp(failure, action.id) : failure;
    }
    step('settled', action.id);
    const result: Performed = { ...done, actionId: action.id };
    return made ? { ...result, once: made } : result;
  }

  /** Whether this process still has the right to send an action; where that cannot be read, it has not. */
  function holdsClaim(id: string): boolean {
    try {
      return ledger.holdsClaim(id, ledger.ownerId);
    } catch (error) {
      log('error', { action: id, error: String(error) }, 'the ledger could not be read, so nothing was sent');
      return false;
    }
  }

  /** A secret of an answer that a later operation sends: it stays here, sealed, and is never shown. */
  function secretToKeep(
    tool: Operation,
    raw: Record<string, unknown>,
    known: Record<string, unknown>,
  ): KeptSecret | undefined {
    if (!tool.keeps) return undefined;
    const secret = keptSecret(raw, tool.keeps.secret);
    if (secret === undefined) return undefined;
    // PLATFORM.md, Cancellation: an AuthCode lives five minutes; used where the answer does not say until when.
    const expiresAt = readMoment(raw[tool.keeps.until], timeZone) ?? clock.now() + 300_000;
    return { operation: tool.id, key: String(raw[tool.keeps.under]), secret, known, expiresAt };
  }

  /** A secret the caller left to us: digits from the system's random source. */
  function makeSecret(tool: Operation, input: Record<string, unknown>): Record<string, string> | undefined {
    if (!tool.makes || input[tool.makes.secret] !== undefined) return undefined;
    const digits = Array.from({ length: tool.makes.digits }, () => String(randomInt(10))).join('');
    return { [tool.makes.secret]: digits };
  }

  async function send(
    tool: Operation,
    input: Record<string, unknown>,
    actor: Actor,
    deadline: number,
    how: Dispatch,
  ): Promise<Record<string, unknown>> {
    const common = {
      priority: actor.priority,
      actor: actor.id,
      deadline,
      ...(how.signal ? { signal: how.signal } : {}),
    };
    if (tool.path === TOKEN_PATH) {
      // The client owns tokens; what callers may see of one is its expiry.
      const wanted = String(input.ApiEndpoint);
      return client.token(endpointPath(wanted, options.tools, options.platformUrl), common);
    }
    const taken = takeSecret(tool, input);
    const secret = tool.takes && taken ? { [tool.takes.secret]: taken.secret } : {};
    const body = { ...(tool.send ? tool.send(input) : input), ...secret };
    const secrets = [...redactor.secretsIn(body), ...(taken ? [String(taken.secret)] : [])];
    const { onWait, mayWrite } = how;
    const change = tool.risk !== 'read';
    let written = false;
    try {
      return await client.send({
        method: tool.method,
        path: tool.path,
        input: body,
        read: !change,
        resend: mayResend(tool, input),
        ...(tool.lane ? { lane: tool.lane } : {}),
        ...common,
        secrets,
        ...(onWait ? { onWait } : {}),
        ...(change && mayWrite ? { mayWrite } : {}),
        onWritten: (at) => {
          written = true;
          if (change) how.onWritten?.(at);
        },
      });
    } catch (error) {
      if (taken && stillUnused(asSwitchboardError(error).face, written)) putBack(taken);
      throw redactor.error(tool.explains ? explained(tool, error) : error, secrets);
    }
  }

  /** Takes the secret a call sends out of the vault: two calls at once cannot both send it. */
  function takeSecret(tool: Operation, input: Record<string, unknown>): KeptSecret | undefined {
    if (!tool.takes) return undefined;
    keptFor(tool, input);
    return ledger.take(tool.takes.from, String(input[tool.takes.under]));
  }

  /** Keeps the secret of a call that did not use it. A failure here must not hide why the call failed. */
  function putBack(taken: KeptSecret): void {
    try {
      ledger.putBack(taken);
    } catch (error) {
      log('error', { error: String(error) }, 'a secret that was not used could not be kept again');
    }
  }

  /**
   * Parses an answer: secrets out, warnings in, the members that do not have their declared shape named, and whether
   * the platform says that it did the work. `refused` is the error of an answer that says it did not.
   */
  function finish(
    tool: Tool,
    input: Record<string, unknown>,
    raw: Record<string, unknown>,
    known: Record<string, unknown> = {},
  ): Finished {
    const value = redactor.strip(raw, redactor.secretsIn(input));
    const verdict = readVerdict(tool, { answer: value, input, known });
    const warnings = [
      tool.kind === 'operation' ? tool.warn?.(input) : undefined,
      tool.kind === 'operation' ? tool.caution?.(input) : undefined,
      verdict.state === 'partly' ? partlyWarning(verdict) : undefined,
    ].filter((text) => text !== undefined);
    if (warnings.length > 0) value.Warning = warnings.join(' ');
    options.known?.learn(value);
    const done = { kind: 'done', value, mismatched: oddities(tool, value) } as const;
    if (verdict.state === 'partly') return { ...done, partly: verdict };
    const refused = verdictError(tool, value, verdict);
    return refused ? { ...done, refused } : done;
  }

  /** Top-level members that do not have their declared shape. Each oddity is logged once in the life of a process. */
  function oddities(tool: Tool, value: Record<string, unknown>): string[] {
    const parsed = tool.output.safeParse(value);
    if (parsed.success) return [];
    const fresh = parsed.error.issues
      .map(({ path }) => path.map((part) => (typeof part === 'number' ? '*' : String(part))).join('.'))
      .filter((path) => !oddOnce.has(`${tool.id} ${path}`) && oddOnce.size < MAX_ODDITIES);
    for (const path of fresh) oddOnce.add(`${tool.id} ${path}`);
    if (fresh.length > 0)
      log('warn', { operation: tool.id, members: [...new Set(fresh)] }, 'an answer has another shape than declared');
    return [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
  }

  /** The answer of a read. What fails about it changed nothing at the platform. */
  function finishRead(tool: Tool, input: Record<string, unknown>, raw: Record<string, unknown>) {
    try {
      return finish(tool, input, raw);
    } catch (error) {
      const message = `The platform answered, but Switchboard could not process the answer (${String(error).slice(0, 200)}). Nothing was changed.`;
      throw new SwitchboardError({ code: 'server_error', message, outcome: 'not_done' }, { cause: error });
    }
  }

  /** A person's yes from a page, a card or another process. Rejects with `not_confirmed` when it is too late or not theirs to say. */
  async function confirm(id: string, person: Actor, way: Way, how: PerformOptions = {}): Promise<Performed> {
    const confirmed = decisions.confirm(id, deciderOf(person, way));
    step('confirmed', id);
    return execute(confirmed, { ...person, priority: 'person' }, how);
  }

  /** A person's no. Throws as `confirm` rejects; whoever asked may always take their own request back. */
  function decline(id: string, person: Actor, way: Way): Action {
    return decisions.decline(id, deciderOf(person, way));
  }

  /** Why this person may not decide about an action by this way; undefined where they may. The same rules as `confirm`. */
  function refusal(decision: Decision, action: Action, person: Actor, way: Way): Refusal | undefined {
    return decisions.refusal(decision, action, deciderOf(person, way));
  }

  /** The action as it is now; what nobody confirmed in time is expired first. */
  function refresh(id: string): Action {
    const action = current(id);
    if (!action)
      throw new SwitchboardError({
        code: 'not_found',
        message: `There is no confirmation ${id}.`,
        outcome: 'not_done',
      });
    if (action.state !== 'pending' || action.expiresAt > clock.now()) return action;
    sweepExpired();
    return ledger.get(id) ?? action;
  }

  function sweepExpired(): void {
    for (const action of ledger.expire()) changed(action.id);
  }

  return {
    perform,
    confirm,
    decline,
    /** Until when the platform may still be working on an action, in epoch ms. */
    workedUntil: (id: string) => outcomes.workedUntil(id),
    reconcile: (id: string, actor: Actor) => outcomes.reconcile(id, actor),
    settle: (id: string, person: Actor, outcome: 'done' | 'not_done', way: Way) =>
      outcomes.settle(id, person, outcome, way),
    follow: (id: string, actor: Actor) => outcomes.follow(id, actor),
    recover: (silentMs: number) => outcomes.recover(silentMs),
    readAbout: (values: readonly string[]) => outcomes.readAbout(values),
    confirmation,
    refresh,
    sweepExpired,
    tool: (id: string): Tool | undefined => byId.get(id),
    refusal,
    /** True where CONFIRM_VIA has this way. */
    decidesBy: (way: Way): boolean => approval.via.includes(way),
    /** Who could confirm what this actor asks for, as part of a sentence. */
    whoCan: (actor: Actor): string => whoCan(personOf(actor), undefined, approval),
    /** Secrets made for whoever confirmed: answered once, to that person, then gone. */
    takeOnce: (id: string, person: string) =>
      ledger.get(id)?.decidedPerson === person ? ledger.takeOnce(id) : undefined,
    hasOnce: (id: string) => ledger.hasOnce(id),
    pageUrl,
    /** What Switchboard keeps itself, as this actor uses it. */
    history: options.history,
    ledger,
    client,
    redactor,
    onChange(listener: (action: Action) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Resolves when nothing this process sent is under way any more. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.allSettled([...running.values()]);
    },
    /** Before the ledger is closed: writes what could not be written so far. */
    close: () => ends.close(),
  };
}

/** Was a single-use secret certainly not used? The call never left, or was turned away before it was looked at. */
function stillUnused(face: ErrorFace, written: boolean): boolean {
  if (face.outcome === 'unknown') return false;
  return !written || ['rate_limited', 'unavailable', 'unauthorized', 'forbidden'].includes(face.code);
}

export type { Ask, Confirmation, GateOptions, Performed, PerformOptions } from './confirmation.ts';
export { statusOf } from './confirmation.ts';
