import { isDeepStrictEqual } from 'node:util';
import { type BuilderStep, builderSteps } from '../../../../tools/surfaces/builder-steps.ts';
import { parseInput } from '../../../catalogue/input.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import { isWithdrawn } from '../../../gate/approval.ts';
import { ALSO_ASKED } from '../../../gate/confirmation.ts';
import type { Performed } from '../../../gate/gate.ts';
import { failureWords } from '../../../language/failure.ts';
import type { TakenName } from '../../../language/records.ts';
import { TAKEN } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Seal } from '../../../ledger/seal.ts';
import { type Actor, hasRole, personOf } from '../../../lib/actor.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/clock.ts';
import { asSwitchboardError, Blocked, SwitchboardError, severity, Unavailable } from '../../../lib/errors.ts';
import { defined, type Fields, recordOf, textOf } from '../../../lib/json.ts';
import { isStoreUnavailable, KeyValues } from '../../../store/key-values.ts';
import type { Database } from '../../../store/types.ts';
import { addJob, type Job } from '../../../work/jobs.ts';
import type { Run } from '../../../work/worker.ts';
import { SlackRefusal } from '../api/block-fallback.ts';
import type { SlackContext } from '../context.ts';
import {
  BUSY,
  noteOf,
  REASON_MS,
  STEP_BEGIN,
  STEPS_NOTE,
  STEPS_OFF,
  stepEndJob,
  stepsOf,
  type WaitingStep,
  workflowFor,
} from '../types.ts';
import { HOURS } from './definitions.ts';
import {
  endOfAction,
  invalidIn,
  outputs,
  type Problem,
  readStep,
  type StepCall,
  type StepEnd,
  unclearIn,
} from './inputs.ts';

/** An execution is remembered for longer than a step waits. */
const KEPT_MS = HOURS.most * HOUR_MS + DAY_MS;
/** Longest wait for Slack to say which role the named person has. */
const ROLE_MS = 15 * MINUTE_MS;
/** Pause between looks at a change that runs. Its end is usually told of. */
const RUNNING_MS = MINUTE_MS;
/** An unknown outcome is usually resolved by reading, within this time. */
const UNKNOWN_MS = 10 * MINUTE_MS;
/** The newest actions, among which that of an interrupted start is. */
const RECENT = 2_000;

/** The stored states of an execution: its start may have been interrupted, or it is complete. */
const BEGUN = 'begun';
const ASKED = 'asked';

const NOBODY =
  'Nobody could confirm this with the settings of Switchboard, so nothing was sent. Its log has the details.';
const GONE = 'Switchboard does not have this step any more.';

/** One execution of a step. */
interface Execution {
  id: string;
  step: BuilderStep;
  inputs: Fields;
  /** Epoch ms. */
  at: number;
}

/** The action that a step waits for. `joined`: it waited already when the step asked. */
interface Asked {
  asked: string;
  joined?: boolean;
}

export interface ExecutionsOptions {
  /** Seals the inputs, which may have secrets, until they are read. */
  seal: Pick<Seal, 'seal' | 'open'>;
  /** Area slack-seen. */
  database: Database;
}

/**
 * Steps of Slack's Workflow Builder. Each execution is stored before Slack gets its answer, asks at most once, and ends
 * when its change has ended or when its own time is over, in this process or in a later one. Slack's token for the
 * execution is not used: it ends with the step, and the buttons of a card have to outlast it.
 */
export class Executions {
  readonly #slack: SlackContext;
  readonly #seal: Pick<Seal, 'seal' | 'open'>;
  readonly #seen: KeyValues;
  /** The sealed inputs of steps that wait for a question of others, which may expire before the step does. */
  readonly #kept: KeyValues;

  constructor(slack: SlackContext, { seal, database }: ExecutionsOptions) {
    this.#slack = slack;
    this.#seal = seal;
    const { clock } = slack;
    this.#seen = new KeyValues({ database, clock, kind: 'workflow step' });
    this.#kept = new KeyValues({ database, clock, kind: 'joined workflow step' });
  }

  /** Stores an execution that begins. Slack may send it several times. */
  async receive(id: string, event: Fields): Promise<void> {
    const { clock, jobs, worker } = this.#slack;
    const content = { step: recordOf(event.function).callback_id, inputs: event.inputs, at: clock.now() };
    const sealed = Buffer.from(this.#seal.seal(content, sealedAs(id))).toString('base64');
    await jobs.ensure(beginJob(id, sealed));
    worker.look();
  }

  /** Begins an execution once. After a crash, the question that it asked already is found. */
  async begin({ payload }: Job, run: Run): Promise<undefined> {
    const id = textOf(payload.execution);
    const until = this.#slack.clock.now() + KEPT_MS;
    const isFirst = await this.#seen.add(id, until, BEGUN);
    if (!isFirst && (await this.#seen.get(id)) !== BEGUN) return;
    const content = recordOf(this.#seal.open(Buffer.from(textOf(payload.sealed), 'base64'), sealedAs(id)));
    const step = builderSteps.find((one) => one.id === content.step);
    const at = Number(content.at);
    const begun = step
      ? await this.#perform({ id, step, inputs: recordOf(content.inputs), at }, isFirst)
      : { error: GONE };
    if ('joined' in begun && begun.joined) await this.#kept.add(id, until, textOf(payload.sealed));
    if ('asked' in begun) run.onDone((tx) => addJob(tx, stepEndJob(begun.asked, id), this.#slack.clock.now()));
    else await finish(this.#slack, id, begun);
    await this.#seen.change(id, until, () => ASKED);
  }

  /** Looks up or asks. Resolves to the action that the step waits for, or to its end. */
  async #perform(execution: Execution, isFirst: boolean): Promise<Asked | End> {
    const { config, tools, clock, records } = this.#slack;
    const { step, inputs, at } = execution;
    // Found before anything is refused: its question may be confirmed, even if other records have changed since.
    const asked = isFirst ? undefined : await this.#askedBefore(execution);
    if (asked) return asked;
    const read = readStep(step, inputs, { tools, prefix: config.SLACK_COMMAND_PREFIX });
    if ('problem' in read) return { error: read.problem };
    if (!config.SLACK_WORKFLOW_STEPS) return { error: STEPS_OFF };
    const actor = await this.#actorOf(read, at);
    if ('problem' in actor) return { error: actor.problem };
    try {
      const resolved = await records.resolve(read.tool, read.input, actor);
      if (resolved.kind === 'unclear') return { error: unclearIn(step, read.tool, resolved.reference) };
      const { input, taken } = resolved;
      const invalid = invalidIn(step, { tool: read.tool, input }, clock.now());
      if (invalid !== undefined) return { error: invalid };
      const call = { ...read, input };
      const joined = isFirst ? undefined : await this.#joinedBefore(execution, call, actor);
      return joined ?? (await this.#ask(execution, call, actor, taken));
    } catch (error) {
      return this.#failed(step, read, error);
    }
  }

  async #ask(execution: Execution, call: StepCall, actor: Actor, taken: readonly TakenName[]): Promise<Asked | End> {
    const { gate, clock, log } = this.#slack;
    const { id, step, at } = execution;
    const until = at + call.hours * HOUR_MS;
    if (clock.now() >= until) return { outputs: outputs(this.#slack, step, TOO_LATE) };
    const waiting: Record<string, WaitingStep> = { [id]: { step: step.id, until } };
    const performed = await gate.perform(call.tool.id, call.input, actor, {
      ...defined({ reason: call.reason }),
      // A yes after the end of the step would run a change that no workflow waits for.
      ...(call.tool.risk !== 'read' && {
        until,
        notes: { [STEPS_NOTE]: waiting, ...(taken.length > 0 && { [TAKEN]: taken }) },
      }),
    });
    if (call.tool.risk === 'read')
      log('info', { execution: id, step: step.id, claimed: call.claimed }, 'a step of a workflow looked something up');
    if (performed.kind === 'done') return { outputs: outputs(this.#slack, step, doneAtOnce(call, performed)) };
    const { action } = performed;
    // The same question may wait already: of another execution, or of another requester.
    if (stepsOf(action)[id] === undefined) return this.#join(execution, action.id, until);
    return { asked: action.id };
  }

  async #join({ id, step }: Execution, action: string, until: number): Promise<Asked> {
    const waiting: WaitingStep = { step: step.id, until, joined: true };
    await this.#slack.gate.notes.merge(action, STEPS_NOTE, { [id]: waiting });
    return { asked: action, joined: true };
  }

  /** The end of a step whose call failed. It is an output, because a workflow cannot branch on an error. */
  #failed(step: BuilderStep, { tool }: StepCall, error: unknown): End {
    if (isStoreUnavailable(error) || !(error instanceof SwitchboardError)) throw error;
    const { log, reworded } = this.#slack;
    const failure = asSwitchboardError(error);
    if (failure.detail) log(severity(failure.face), { operation: tool.id, detail: failure.detail }, failure.message);
    const isAbsent = tool.risk === 'read' && failure.face.code === 'not_found';
    // The role was checked before, so the settings give no person the right to confirm this change.
    const isNobodys = tool.risk !== 'read' && failure.face.code === 'forbidden_by_role';
    if (isNobodys) log('warn', { operation: tool.id }, failure.message);
    const message = isNobodys ? NOBODY : reworded(failureWords(failure.face, 'slack'));
    return { outputs: outputs(this.#slack, step, { status: isAbsent ? 'not_found' : 'failed', message }) };
  }

  /**
   * The requester: a workflow, for the person whom it names. The name is not verified, so the actor has only the role that
   * it needs to ask, and the gate has an approver decide.
   */
  async #actorOf({ claimed, tool }: StepCall, at: number): Promise<Actor | Problem> {
    const { roles, clock } = this.#slack;
    const needed = neededRole(tool).ask;
    const member = await roles.confirmedMembership(claimed);
    if (member && 'actor' in member && hasRole(member.actor, needed)) {
      const { id, name, person } = member.actor;
      return {
        id: workflowFor(id),
        name: `a workflow, for ${name}`,
        role: needed,
        surface: 'workflow',
        priority: 'assistant',
        claimed: true,
        ...defined({ person }),
      };
    }
    if (!member && roles.isAbsent(claimed))
      return { problem: 'Slack has no such person as the one named in the step.' };
    if (member && !member.unread) return { problem: `The person named in the step lacks the role ${needed}.` };
    if (clock.now() < at + ROLE_MS) throw new Unavailable('Slack does not say which role the person in a step has');
    return { problem: 'Slack did not say which role the person named in the step has.' };
  }

  /** The action that an interrupted start asked for; undefined if it did not come so far. */
  async #askedBefore({ id, at }: Execution): Promise<Asked | undefined> {
    const recent = await this.#slack.gate.actions.list({ since: at - HOUR_MS, limit: RECENT });
    for (const action of recent) {
      const joined = stepsOf(action)[id]?.joined === true;
      if (stepsOf(action)[id] !== undefined && !(joined && action.state === 'expired'))
        return { asked: action.id, joined };
    }
    return undefined;
  }

  /** The question of others that an interrupted start had joined, and not noted yet. It may have ended since. */
  async #joinedBefore(execution: Execution, call: StepCall, actor: Actor): Promise<Asked | undefined> {
    const { gate, clock } = this.#slack;
    const { at } = execution;
    if (call.tool.risk === 'read') return undefined;
    const input = parseInput(call.tool, call.input, new Date(clock.now()));
    const recent = await gate.actions.list({ since: at - HOUR_MS, limit: RECENT });
    const joined = recent.find(
      ({ operation, notes, shown, state, decidedAt = Number.POSITIVE_INFINITY }) =>
        operation === call.tool.id &&
        state !== 'expired' &&
        recordOf(notes[ALSO_ASKED])[personOf(actor)] === true &&
        decidedAt >= at &&
        // `shown` has no secrets.
        Object.entries(input).every(([name, value]) => !(name in shown) || isDeepStrictEqual(shown[name], value)),
    );
    return joined && this.#join(execution, joined.id, at + call.hours * HOUR_MS);
  }

  /** Ends a step whose change has ended, or whose time is over. Resolves to the time (epoch ms) of the next look. */
  async end({ payload }: Job): Promise<number | undefined> {
    const { gate, clock } = this.#slack;
    const id = textOf(payload.execution);
    const known = await gate.actions.get(textOf(payload.action));
    const waiting = known && stepsOf(known)[id];
    if (known === undefined || waiting === undefined) return undefined;
    const action = await gate.refresh(known.id);
    const next = nextLook(action, waiting.until, clock.now());
    if (next !== undefined) return next;
    const isEarly = action.state === 'expired' && clock.now() < waiting.until;
    if (isEarly && waiting.joined && (await this.#askAgain(id))) {
      await gate.notes.merge(action.id, STEPS_NOTE, { [id]: undefined });
      return undefined;
    }
    const step = builderSteps.find((one) => one.id === waiting.step);
    const end = await endOfAction(this.#slack, action);
    await finish(this.#slack, id, step ? { outputs: outputs(this.#slack, step, end) } : { error: GONE });
    if (waiting.joined) await this.#kept.take(id);
    await gate.notes.merge(action.id, STEPS_NOTE, { [id]: undefined });
    return undefined;
  }

  /** Begins an execution again, with its own deadline. False if its inputs are gone. */
  async #askAgain(id: string): Promise<boolean> {
    const { clock, jobs, worker } = this.#slack;
    const sealed = await this.#kept.get(id);
    if (sealed === undefined) return false;
    await this.#seen.change(id, clock.now() + KEPT_MS, () => BEGUN);
    await jobs.ensure(beginJob(id, sealed));
    worker.look();
    return true;
  }
}

/** The end of a step that could not begin in its time, because no process ran. */
const TOO_LATE: StepEnd = {
  status: 'expired',
  message: 'The time of this step was over before it began. Nothing was sent.',
};

/** The job that begins an execution. `sealed`: its inputs. */
function beginJob(execution: string, sealed: string) {
  return { kind: STEP_BEGIN, key: `${STEP_BEGIN} ${execution}`, payload: { execution, sealed } };
}

/** The name under which the inputs of an execution are sealed. */
const sealedAs = (id: string) => `workflow step ${id}`;

/** Time (epoch ms) at which a waiting step is looked at again; undefined if it ends now. */
function nextLook(action: Action, until: number, now: number): number | undefined {
  const { state, finishedAt = 0 } = action;
  if (state === 'declined') {
    const end = reasonUntil(action);
    return end !== undefined && now < end ? end : undefined;
  }
  if (state === 'pending') return now < until ? until : undefined;
  if (state === 'confirmed' || state === 'in_flight') return now + RUNNING_MS;
  return state === 'unknown' && now < finishedAt + UNKNOWN_MS ? finishedAt + UNKNOWN_MS : undefined;
}

/** Time (epoch ms) until which the person who declined may give a reason; undefined if none is waited for. */
function reasonUntil(action: Action): number | undefined {
  const { decidedVia, decidedReason, decidedAt = 0 } = action;
  const isSettled = decidedReason !== undefined || isWithdrawn(action) || noteOf(action).noReason === true;
  return decidedVia === 'slack' && !isSettled ? decidedAt + REASON_MS : undefined;
}

/** The end of a step without a question, such as a lookup or a change that is in effect already. */
function doneAtOnce({ tool }: StepCall, { value, partly, actionId }: Extract<Performed, { kind: 'done' }>): StepEnd {
  const words = [value.Summary, value.Warning, value.Message].map(textOf).find((text) => text !== '');
  if (tool.risk === 'read') return { status: 'found', message: words ?? 'Found.', value };
  return { status: partly ? 'partly' : 'done', message: words ?? 'Done.', value, more: { operation_id: actionId } };
}

/** The end of a step: outputs, or a sentence that Slack shows to people. */
type End = { outputs: Fields } | { error: string };

/** Slack's refusals of every call, until a person gives the app a valid token or the scopes that it needs. */
const TOKEN: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'missing_scope',
  'org_login_required',
  'team_access_not_granted',
]);
/** Refusals that may concern this execution only, and that a person can lift. */
const ACCESS: ReadonlySet<string> = new Set(['not_allowed', 'no_permission', 'access_denied', 'ekm_access_denied']);

/** Slack's refusal of the outputs, for example when the workflow was built with an older manifest. */
const NOT_FITTING = 'parameter_validation_failed';
const UNREADABLE =
  'Slack did not take the answer of this step. See Switchboard for how it ended. Build the step into the workflow again.';

/**
 * Ends a step by the app's own token. Rejects with `Unavailable` if Slack takes no answer now, and with `Blocked` if it
 * takes none until a person has acted.
 */
async function finish(slack: SlackContext, execution: string, end: End): Promise<void> {
  const { web, log } = slack;
  try {
    await web.endStep(execution, end);
  } catch (error) {
    if (!(error instanceof SlackRefusal)) throw error;
    if (error.reason === NOT_FITTING && 'outputs' in end) {
      log(
        'warn',
        { execution, reason: error.message },
        'Slack refused the outputs of a step, so it ends with an error',
      );
      return finish(slack, execution, { error: UNREADABLE });
    }
    const tells = `${error.message}. Workflows wait for the end of their steps`;
    if (TOKEN.has(error.reason)) throw new Blocked(`${tells}; switchboard doctor names what the app lacks`);
    if (error.ambiguous || BUSY.has(error.reason) || ACCESS.has(error.reason)) throw new Unavailable(tells);
    throw error;
  }
}
