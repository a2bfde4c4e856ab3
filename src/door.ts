import { randomInt } from 'node:crypto';
import { type Actor, hasRole } from './actor.ts';
import { createAftermath } from './aftermath.ts';
import { mayAsk } from './catalogue.ts';
import {
  type Ask,
  type Confirmation,
  type DoorOptions,
  FACES,
  needsApprover,
  notConfirmed,
  type Performed,
  type PerformOptions,
  statusOf,
  withWarning,
} from './confirmation.ts';
import { asSwitchboardError, invalidInput, SwitchboardError, severity } from './errors.ts';
import { endpointPath } from './gate/token-endpoint.ts';
import { parseInput } from './input.ts';
import type { Action, State } from './ledger/ledger.ts';
import { type Call, type Consent, isGated, type Operation, type Tool } from './operation.ts';
import { keptSecret } from './redact.ts';

const DEADLINE_MS = 180_000;
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
  const changed = (id: string) => {
    const action = ledger.get(id);
    if (action) for (const listener of listeners) listener(action);
  };
  const step = (name: Parameters<NonNullable<DoorOptions['onStep']>>[0], id: string) => options.onStep?.(name, id);

  const aftermath = createAftermath({
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
    if (tool.risk === 'read') return finish(tool, input, await reading(tool, input, actor, deadline, how));

    const digest = ledger.digest(id, input);
    const doubt = await earlierAttempt(tool, digest, actor);
    if (doubt.done) return { kind: 'done', value: doubt.done.value, mismatched: [], actionId: doubt.done.id };
    if (!isGated(tool) && !doubt.warning) return runNow(tool, input, digest, actor, deadline, how);
    return ask(tool, input, digest, actor, deadline, how, doubt.warning);
  }

  /** A read has no action: nothing of it can be lost or done twice. */
  function reading(tool: Tool, input: Record<string, unknown>, actor: Actor, deadline: number, how: PerformOptions) {
    if (tool.kind === 'workflow') {
      const tell = (sofar: Record<string, unknown>) => how.onPart?.(redactor.strip(sofar));
      return tool.run(input, nested(actor, deadline, how, false), {}, tell, options.here(actor));
    }
    return send(tool, input, actor, deadline, how);
  }

  /** Calls made by a workflow: through this same door, gated ones only inside what a person has confirmed. */
  function nested(actor: Actor, deadline: number, how: PerformOptions, confirmed: boolean): Call {
    return async (id, raw) => {
      const tool = toolOf(id);
      const input = prepareInput(tool, raw);
      if (tool.risk === 'read') return finish(tool, input, await reading(tool, input, actor, deadline, how)).value;
      if (isGated(tool) && !confirmed) throw new Error(`${id} is gated and may not run before a person confirmed`);
      const done = await runNow(tool, input, ledger.digest(id, input), actor, deadline, how);
      return done.kind === 'done' ? done.value : {};
    };
  }

  /**
   * What the ledger knows of the same call made before. An unknown outcome is looked into by reading first;
   * what reading cannot tell is put before a person with a warning (design, rule 3).
   */
  async function earlierAttempt(
    tool: Tool,
    digest: string,
    actor: Actor,
  ): Promise<{ done?: { id: string; value: Record<string, unknown> }; warning?: string }> {
    if (tool.resend) return {};
    const twin = ledger.unsettledTwin(digest);
    if (!twin) return {};
    if (twin.state !== 'unknown') {
      const under = running.get(twin.id);
      if (under !== undefined) await under.catch(() => undefined);
      else {
        throw new SwitchboardError({
          code: 'not_confirmed',
          message: `The same call is already running (${twin.id}); nothing was sent again. Follow it with confirmations_get.`,
          outcome: 'not_done',
        });
      }
    }
    const settled = (await aftermath.reconcile(twin.id, actor)) ?? ledger.get(twin.id);
    if (settled?.state === 'done') return { done: { id: settled.id, value: settled.result ?? {} } };
    if (settled?.state !== 'unknown') return {};
    const when = new Date(twin.sentAt ?? twin.createdAt).toISOString();
    return {
      warning: `The same call was sent at ${when} and its outcome is unknown: it may have been done already. Check before confirming.`,
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
      const until = prepared.expiresAt === undefined ? Number.NaN : Date.parse(prepared.expiresAt);
      if (!Number.isNaN(until)) expiresAt = until;
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
    how: PerformOptions,
  ): Promise<Performed> {
    const { action } = ledger.create({
      operation: tool.id,
      actorId: actor.id,
      actorName: actor.name,
      surface: actor.surface,
      state: 'in_flight',
      input,
      shown: redactor.strip(input),
      known: {},
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
    how: PerformOptions,
  ): Promise<Performed> {
    const from: State[] = ['in_flight'];
    const made = tool.kind === 'operation' ? makeSecret(tool, input) : undefined;
    const full = { ...input, ...made };
    let raw: Record<string, unknown>;
    try {
      raw =
        tool.kind === 'workflow'
          ? await tool.run(full, nested(actor, deadline, how, true), action.known, () => undefined, options.here(actor))
          : await send(tool, full, actor, deadline, how);
      step('answered', action.id);
    } catch (error) {
      const failure = asSwitchboardError(error);
      if (failure.detail) log(severity(failure.face), { action: action.id, detail: failure.detail }, failure.message);
      const state = failure.face.outcome === 'unknown' ? 'unknown' : 'failed';
      ledger.settle(action.id, { from, state, error: failure.face });
      step('settled', action.id);
      throw state === 'unknown' ? withFollowUp(failure, action.id) : failure;
    }
    const done = finish(tool, full, raw);
    const keeps = tool.kind === 'operation' ? tool.keeps : undefined;
    const secret = keeps && keptSecret(raw, keeps.secret);
    const until = keeps ? Date.parse(String(raw[keeps.until])) : Number.NaN;
    ledger.settle(action.id, {
      from,
      state: 'done',
      result: done.value,
      ...(made ? { once: made } : {}),
      ...(keeps && secret !== undefined
        ? {
            keep: {
              operation: tool.id,
              key: String(raw[keeps.under]),
              secret,
              known: done.value,
              // platform.md, Limits: an AuthCode lives five minutes; used where the answer does not say until when.
              expiresAt: Number.isNaN(until) ? clock.now() + 300_000 : until,
            },
          }
        : {}),
    });
    step('settled', action.id);
    const result: Performed = { ...done, actionId: action.id };
    return made ? { ...result, once: made } : result;
  }

  /** A secret the caller left to us: digits from the system's random source. */
  function makeSecret(tool: Operation, input: Record<string, unknown>): Record<string, string> | undefined {
    if (!tool.makes || input[tool.makes.secret] !== undefined) return undefined;
    const digits = Array.from({ length: tool.makes.digits }, () => String(randomInt(10))).join('');
    return { [tool.makes.secret]: digits };
  }

  function send(
    tool: Operation,
    input: Record<string, unknown>,
    actor: Actor,
    deadline: number,
    how: PerformOptions,
  ): Promise<Record<string, unknown>> {
    const common = { priority: actor.priority, deadline, ...(how.signal ? { signal: how.signal } : {}) };
    if (tool.path === TOKEN_PATH) {
      // The client owns tokens; what callers may see of one is its expiry.
      const wanted = String(input.ApiEndpoint);
      return client.token(endpointPath(wanted, options.tools, options.platformUrl), common);
    }
    const taken = takeSecret(tool, input);
    const body = { ...(tool.send ? tool.send(input) : input), ...taken };
    const onWait = how.onWait;
    const secrets = redactor.secretsIn(body);
    const sent = client.send({
      method: tool.method,
      path: tool.path,
      input: body,
      read: tool.risk === 'read',
      resend: tool.resend,
      ...(tool.lane ? { lane: tool.lane } : {}),
      ...common,
      secrets,
      ...(onWait ? { onWait } : {}),
    });
    return sent.catch((error: unknown) => {
      throw redactor.error(error, secrets);
    });
  }

  function takeSecret(tool: Operation, input: Record<string, unknown>): Record<string, string> {
    if (!tool.takes) return {};
    const { from, under, secret } = tool.takes;
    keptFor(tool, input);
    const value = ledger.take(from, String(input[under]));
    return value === undefined ? {} : { [secret]: value };
  }

  /** Parses an answer: secrets out, warnings in, and the members that do not have their declared shape named. */
  function finish(
    tool: Tool,
    input: Record<string, unknown>,
    raw: Record<string, unknown>,
  ): Extract<Performed, { kind: 'done' }> {
    const value = redactor.strip(raw, redactor.secretsIn(input));
    const warning = tool.kind === 'operation' ? tool.warn?.(input) : undefined;
    if (warning) value.Warning = warning;
    options.known?.learn(value);
    const parsed = tool.output.safeParse(value);
    const mismatched = parsed.success ? [] : [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
    if (mismatched.length > 0)
      log('warn', { operation: tool.id, members: mismatched }, 'an answer has another shape than declared');
    return { kind: 'done', value, mismatched };
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
    const action = ledger.get(id);
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
    ...aftermath,
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
  };

  function withFollowUp(failure: SwitchboardError, id: string): SwitchboardError {
    // A workflow's step has named its own action; whoever asked can follow the whole only.
    const said = failure.face.message.replace(/ Follow it with confirmations_get, id \S+\.$/, '');
    return new SwitchboardError({ ...failure.face, message: `${said} Follow it with confirmations_get, id ${id}.` });
  }
}

export type { Ask, Confirmation, DoorOptions, Performed, PerformOptions } from './confirmation.ts';
export { statusOf } from './confirmation.ts';
