import { randomInt } from 'node:crypto';
import { type Actor, hasRole } from './actor.ts';
import { mayAsk } from './catalogue.ts';
import {
  type Ask,
  type Confirmation,
  type Dispatch,
  type DoorOptions,
  FACES,
  needsApprover,
  notConfirmed,
  type Performed,
  type PerformOptions,
  statusOf,
  withWarning,
} from './confirmation.ts';
import { asSwitchboardError, type ErrorFace, invalidInput, SwitchboardError, severity } from './errors.ts';
import { Ends } from './gate/ends.ts';
import { Outcomes } from './gate/outcomes.ts';
import { type Earlier, earlierAttempt } from './gate/repeats.ts';
import { parseInput } from './input.ts';
import type { Action, KeptSecret, State } from './ledger/ledger.ts';
import { readMoment } from './lib/dates.ts';
import { type Call, type Consent, isGated, type Operation, type Tool } from './operation.ts';

const DEADLINE_MS = 180_000;
const SETTLE_MS = 300_000;
const TOKEN_PATH = '/v1.0/oauth2/tokens';

export type Door = ReturnType<typeof createDoor>;

/** The one door: validate → role → consent → ledger → send → parse → redact. Every surface comes through here. */
export function createDoor(options: DoorOptions) {
  const { client, ledger, clock, redactor } = options;
  const byId = new Map(options.tools.map((tool) => [tool.id, tool]));
  const listeners = new Set<(action: Action) => void>();
  const log = options.log ?? (() => undefined);
  const running = new Map<string, Promise<Performed>>();

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
  const step = (name: Parameters<NonNullable<DoorOptions['onStep']>>[0], id: string) => options.onStep?.(name, id);

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
    calls: (actor, deadline) => nested(actor, deadline, {}, false),
  });

  /** Everything a reader may see of an action. */
  function confirmation(action: Action): Confirmation {
    const url = action.state === 'pending' ? options.pageUrl(action.id) : undefined;
    return {
      id: action.id,
      status: statusOf(action.state),
      summary: action.consent?.title ?? byId.get(action.operation)?.title ?? action.operation,
      consequence: action.consent ? `${action.consent.consequence} ${action.consent.undo}` : '',
      ...(url === undefined ? {} : { url }),
      expiresAt: new Date(action.expiresAt).toISOString(),
      ...(action.result ? { result: action.result } : {}),
      ...(action.error ? { error: action.error } : {}),
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
    const input = prepareInput(tool, raw);
    const deadline = how.deadline ?? clock.now() + DEADLINE_MS;
    if (tool.risk === 'read') return finishRead(tool, input, await reading(tool, input, actor, deadline, how));

    const digest = ledger.digest(id, input);
    const doubt: Earlier = await earlierAttempt(
      { ledger, running, reconcile: (id, who) => outcomes.reconcile(id, who) },
      tool,
      digest,
      actor,
    );
    if (doubt.done) return { kind: 'done', value: doubt.done.result ?? {}, mismatched: [], actionId: doubt.done.id };
    if (!isGated(tool) && !doubt.warning) return runNow(tool, input, digest, actor, deadline, how);
    return ask(tool, input, digest, actor, deadline, how, doubt.warning);
  }

  /** A read has no action: nothing of it can be lost or done twice. */
  function reading(tool: Tool, input: Record<string, unknown>, actor: Actor, deadline: number, how: Dispatch) {
    if (tool.kind === 'workflow') {
      const tell = (sofar: Record<string, unknown>) => how.onPart?.(redactor.strip(sofar));
      return tool.run(input, nested(actor, deadline, how, false), {}, tell, options.here(actor));
    }
    return send(tool, input, actor, deadline, how);
  }

  /** Calls made by a workflow: through this same door, gated ones only inside what a person has confirmed. */
  function nested(actor: Actor, deadline: number, how: Dispatch, confirmed: boolean): Call {
    return async (id, raw) => {
      const tool = toolOf(id);
      const input = prepareInput(tool, raw);
      if (tool.risk === 'read') return finishRead(tool, input, await reading(tool, input, actor, deadline, how)).value;
      if (isGated(tool) && !confirmed) throw new Error(`${id} is gated and may not run before a person confirmed`);
      const done = await runNow(tool, input, ledger.digest(id, input), actor, deadline, how);
      return done.kind === 'done' ? done.value : {};
    };
  }

  async function ask(
    tool: Tool,
    input: Record<string, unknown>,
    digest: string,
    actor: Actor,
    deadline: number,
    how: PerformOptions,
    warning: string | undefined,
  ): Promise<Performed> {
    let action = ledger.pendingTwin(digest, actor.id);
    if (action && warning !== undefined && !action.consent?.consequence.startsWith(warning)) {
      // Whoever confirmed it would not have read the warning.
      ledger.decline(action.id, 'Switchboard', 'cancelled');
      changed(action.id);
      action = undefined;
    }
    if (!action) {
      const prepared = await prepareConsent(tool, input, actor, deadline, how);
      const consent = withWarning(prepared.consent, warning);
      const expiresAt = Math.min(clock.now() + options.confirmSeconds * 1000, prepared.expiresAt);
      action = ledger.create({
        operation: tool.id,
        actorId: actor.id,
        actorName: actor.name,
        surface: actor.surface,
        state: 'pending',
        input,
        shown: redactor.strip(input),
        known: redactor.strip(prepared.known),
        consent,
        digest,
        expiresAt,
      }).action;
      if (how.notes) ledger.remember(action.id, how.notes);
      step('asked', action.id);
      changed(action.id);
    }
    if (how.signal?.aborted) return voided(action, actor);
    if (!how.ask) return { kind: 'pending', action, confirmation: confirmation(action) };

    how.onWait?.('person', Math.max(0, Math.round((action.expiresAt - clock.now()) / 1000)));
    const answer = await askPerson(action, how.ask, how.signal);
    if (how.signal?.aborted) return voided(action, actor);
    if (answer === 'unavailable') return { kind: 'pending', action, confirmation: confirmation(action) };
    if (answer === 'decline') {
      ledger.decline(action.id, actor.name, actor.surface);
      changed(action.id);
      throw notConfirmed(ledger.get(action.id) ?? action);
    }
    const confirmed = ledger.confirm(action.id, actor.name, actor.surface);
    if (!confirmed) throw notConfirmed(ledger.get(action.id) ?? action);
    step('confirmed', action.id);
    changed(action.id);
    return execute(confirmed, actor, how);
  }

  async function askPerson(action: Action, asker: Ask, signal: AbortSignal | undefined) {
    const stop = new AbortController();
    const timer = clock.setTimeout(() => stop.abort(), Math.max(0, action.expiresAt - clock.now()));
    const gone = () => stop.abort();
    signal?.addEventListener('abort', gone, { once: true });
    try {
      const late = new Promise<'decline'>((resolve) => stop.signal.addEventListener('abort', () => resolve('decline')));
      return await Promise.race([asker(action, stop.signal), late]);
    } finally {
      clock.clearTimeout(timer);
      signal?.removeEventListener('abort', gone);
    }
  }

  function voided(action: Action, actor: Actor): never {
    ledger.decline(action.id, actor.name, 'cancelled');
    changed(action.id);
    throw notConfirmed(ledger.get(action.id) ?? action);
  }

  async function prepareConsent(
    tool: Tool,
    input: Record<string, unknown>,
    actor: Actor,
    deadline: number,
    how: PerformOptions,
  ): Promise<{ consent: Consent; known: Record<string, unknown>; expiresAt: number }> {
    let known: Record<string, unknown> = {};
    let expiresAt = Number.POSITIVE_INFINITY;
    if (tool.kind === 'workflow' && tool.prepare) {
      const prepared = await tool.prepare(input, nested(actor, deadline, how, false));
      known = prepared.known;
      const until = readMoment(prepared.expiresAt, timeZone);
      if (until !== undefined) expiresAt = until;
    }
    if (tool.kind === 'operation' && tool.takes) {
      const kept = keptFor(tool, input);
      known = kept.known;
      expiresAt = kept.expiresAt;
    }
    const consent = tool.consent?.(input, known) ?? {
      title: tool.title,
      consequence: 'An earlier attempt may already have made this change.',
      undo: '',
      confirm: 'Send it again',
    };
    return { consent, known, expiresAt };
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
    step('sent', action.id);
    return track(action.id, send1(tool, input, action, actor, deadline, how));
  }

  /** Claims a confirmed action and runs it to its end. */
  function execute(action: Action, actor: Actor, how: PerformOptions = {}): Promise<Performed> {
    const tool = toolOf(action.operation);
    let input: Record<string, unknown>;
    try {
      input = ledger.input(action.id);
    } catch (error) {
      ledger.settle(action.id, { from: ['confirmed'], state: 'failed', error: FACES.resealed });
      changed(action.id);
      return Promise.reject(new SwitchboardError(FACES.resealed, { cause: error }));
    }
    if (!ledger.claim(action.id)) return Promise.reject(notConfirmed(ledger.get(action.id) ?? action));
    step('sent', action.id);
    changed(action.id);
    return track(action.id, send1(tool, input, action, actor, clock.now() + DEADLINE_MS, how));
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
  async function send1(
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
          ? await tool.run(full, call, action.known, () => undefined, options.here(actor))
          : await send(tool, full, actor, deadline, dispatch);
      step('answered', action.id);
    } catch (error) {
      const failure = asSwitchboardError(error);
      if (failure.detail) log(severity(failure.face), { action: action.id, detail: failure.detail }, failure.message);
      const state = failure.face.outcome === 'unknown' ? 'unknown' : 'failed';
      ends.record(action.id, { from, state, error: failure.face, writtenAt });
      step('settled', action.id);
      throw state === 'unknown' ? withFollowUp(failure, action.id) : failure;
    }
    let done: Extract<Performed, { kind: 'done' }>;
    let keep: KeptSecret | undefined;
    try {
      done = finish(tool, full, raw);
      keep = tool.kind === 'operation' ? secretToKeep(tool, raw, done.value) : undefined;
    } catch (error) {
      const failure = ends.lost(action.id, error, writtenAt);
      log('error', { action: action.id, detail: failure.detail }, failure.message);
      throw withFollowUp(failure, action.id);
    }
    try {
      const once = made ? { once: made } : {};
      ends.write(action.id, { from, state: 'done', result: done.value, writtenAt, ...once, ...(keep ? { keep } : {}) });
    } catch (error) {
      throw withFollowUp(asSwitchboardError(error), action.id);
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
    const secret = raw[tool.keeps.secret];
    if (typeof secret !== 'string' && typeof secret !== 'number') return undefined;
    // platform.md, Limits: an AuthCode lives five minutes; used where the answer does not say until when.
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
    const common = { priority: actor.priority, deadline, ...(how.signal ? { signal: how.signal } : {}) };
    if (tool.path === TOKEN_PATH) {
      // The client owns tokens; what callers may see of one is its expiry.
      const wanted = String(input.ApiEndpoint);
      const named = byId.get(wanted);
      if (!named && !/^(https?:\/\/|\/v1\.0\/)/.test(wanted)) {
        throw invalidInput(
          'ApiEndpoint',
          `ApiEndpoint: ${wanted} is neither an operation id nor an endpoint URL; for example numbers_get.`,
        );
      }
      return client.token(named?.kind === 'operation' ? named.path : wanted, common);
    }
    const taken = takeSecret(tool, input);
    const secret = tool.takes && taken ? { [tool.takes.secret]: taken.secret } : {};
    const body = { ...(tool.send ? tool.send(input) : input), ...secret };
    const { onWait, mayWrite } = how;
    const change = tool.risk !== 'read';
    let written = false;
    try {
      return await client.send({
        method: tool.method,
        path: tool.path,
        input: body,
        read: !change,
        resend: tool.resend,
        ...(tool.lane ? { lane: tool.lane } : {}),
        ...common,
        secrets: [...redactor.secretsIn(body), ...(taken ? [String(taken.secret)] : [])],
        ...(onWait ? { onWait } : {}),
        ...(change && mayWrite ? { mayWrite } : {}),
        onWritten: (at) => {
          written = true;
          if (change) how.onWritten?.(at);
        },
      });
    } catch (error) {
      if (taken && stillUnused(asSwitchboardError(error).face, written)) putBack(taken);
      throw error;
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

  /** Parses an answer: secrets out, warnings in, and the members that do not have their declared shape named. */
  function finish(
    tool: Tool,
    input: Record<string, unknown>,
    raw: Record<string, unknown>,
  ): Extract<Performed, { kind: 'done' }> {
    const value = redactor.strip(raw);
    const warning = tool.kind === 'operation' ? tool.warn?.(input) : undefined;
    if (warning) value.Warning = warning;
    options.known?.learn(value);
    const parsed = tool.output.safeParse(value);
    const mismatched = parsed.success ? [] : [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
    if (mismatched.length > 0)
      log('warn', { operation: tool.id, members: mismatched }, 'an answer has another shape than declared');
    return { kind: 'done', value, mismatched };
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
  async function confirm(id: string, person: Actor, via: string, how: PerformOptions = {}): Promise<Performed> {
    if (!hasRole(person, 'approver')) throw needsApprover(person);
    const confirmed = ledger.confirm(id, person.name, via);
    if (!confirmed) throw notConfirmed(refresh(id));
    step('confirmed', id);
    changed(id);
    return execute(confirmed, { ...person, priority: 'person' }, how);
  }

  function decline(id: string, person: Actor, via: string): Action {
    const declined = ledger.decline(id, person.name, via);
    if (!declined) throw notConfirmed(refresh(id));
    changed(id);
    return declined;
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
    reconcile: (id: string, actor: Actor) => outcomes.reconcile(id, actor),
    settle: (id: string, person: Actor, outcome: 'done' | 'not_done', via: string) =>
      outcomes.settle(id, person, outcome, via),
    follow: (id: string, actor: Actor) => outcomes.follow(id, actor),
    recover: (silentMs: number) => outcomes.recover(silentMs),
    readAbout: (values: readonly string[]) => outcomes.readAbout(values),
    confirmation,
    refresh,
    sweepExpired,
    tool: (id: string): Tool | undefined => byId.get(id),
    /** Secrets made for whoever confirmed: answered once, then gone. */
    takeOnce: (id: string) => ledger.takeOnce(id),
    hasOnce: (id: string) => ledger.hasOnce(id),
    /** Where an action is shown to a person; undefined where no page is served. */
    pageUrl: options.pageUrl,
    /** What Switchboard keeps itself, as this actor uses it. */
    here: options.here,
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

  function withFollowUp(failure: SwitchboardError, id: string): SwitchboardError {
    // A workflow's step has named its own action; whoever asked can follow the whole only.
    const said = failure.face.message.replace(/ Follow it with confirmations_get, id \S+\.$/, '');
    return new SwitchboardError({ ...failure.face, message: `${said} Follow it with confirmations_get, id ${id}.` });
  }
}

/** Was a single-use secret certainly not used? The call never left, or was turned away before it was looked at. */
function stillUnused(face: ErrorFace, written: boolean): boolean {
  if (face.outcome === 'unknown') return false;
  return !written || ['rate_limited', 'unavailable', 'unauthorized', 'forbidden'].includes(face.code);
}

export type { Ask, Confirmation, DoorOptions, Performed, PerformOptions } from './confirmation.ts';
export { statusOf } from './confirmation.ts';
