import type { Call, Finding, OtherCall, Receipt, Tool, Trace } from '../catalogue/operation.ts';
import { type Actor, hasRole, type Way } from '../lib/actor.ts';
import type { Clock } from '../lib/clock.ts';
import { readDate } from '../lib/dates.ts';
import { asSwitchboardError, type ErrorFace, SwitchboardError } from '../lib/errors.ts';
import type { Redactor } from '../lib/redact.ts';
import { type Confirmation, FACES, type GateOptions, notConfirmed, type Performed } from './confirmation.ts';
import { type Decisions, deciderOf } from './decisions.ts';
import type { Ends } from './ends.ts';
import type { Action, DecidedBy, Ledger } from './ledger/ledger.ts';
import type { OtherAction, OutcomeRecord } from './ledger/outcomes.ts';
import { partlyWarning, readVerdict, verdictError } from './verdict.ts';

/** A confirmed action whose process stopped is sent after a restart if its person said yes less than this ago. */
const RESUME_MS = 15 * 60_000;
/** Two readings that agree on "not done" lie at least this far apart, or the settling time if that is shorter. */
const APART_MS = 30_000;
/** What another call brought may carry a time of the platform's clock that lies this much before our sending. */
const BEFORE_MS = 60 * 60_000;
const FIRST_LOOK_MS = 15_000;
const LONGEST_LOOK_MS = 5 * 60_000;
const HOUR_MS = 60 * 60_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** Unknown outcomes read in one round, so that background reading does not use up the request budget. */
const ROUND = 20;
const MAX_SAW = 700;
/** Begins what the first reading saw of work that was done in part. */
const PARTLY = 'partly: ';

const SYSTEM: Actor = {
  id: 'switchboard',
  name: 'Switchboard',
  role: 'approver',
  surface: 'background',
  priority: 'background',
};

/** What the gate lends to the outcomes. */
export interface OutcomeParts {
  ledger: Ledger;
  clock: Clock;
  redactor: Redactor;
  log: NonNullable<GateOptions['log']>;
  toolOf: (id: string) => Tool;
  changed: (id: string) => void;
  refresh: (id: string) => Action;
  sweepExpired: () => void;
  confirmation: (action: Action) => Confirmation;
  /** Claims a confirmed action and runs it to its end. */
  execute: (action: Action, actor: Actor) => Promise<Performed>;
  /** Who may say how an unknown outcome ended. */
  decisions: Decisions;
  /** Reads on behalf of a reconciliation. */
  calls: (actor: Actor, deadline: number) => Call;
  ends: Ends;
  /** The longest the platform may take for one call, in ms from the last byte sent. */
  settleMs: number;
  /** IANA zone of dates without one. */
  timeZone: string;
  /** Delivery receipts of messages from a number since a moment (epoch ms). */
  receipts: (from: string, since: number) => readonly Receipt[];
}

/**
 * What became of actions after they were sent. An unknown outcome stays unknown until it is known: reading settles it
 * as done as soon as what identifies our work matches, and as not done only after the platform can no longer do it and
 * two readings agree. A person may say how it ended at any time.
 */
export class Outcomes {
  private readonly parts: OutcomeParts;
  private readonly reading = new Map<string, Promise<Action | undefined>>();
  private readonly apartMs: number;

  constructor(parts: OutcomeParts) {
    this.parts = parts;
    this.apartMs = Math.min(APART_MS, this.parts.settleMs);
  }

  /**
   * Reads what became of an unknown outcome. Returns the settled action, or undefined while reading cannot tell.
   * Never rejects because of the platform; calls for one action at the same time share one reading.
   */
  async reconcile(id: string, actor: Actor): Promise<Action | undefined> {
    const action = this.parts.ledger.get(id);
    if (action?.state !== 'unknown') return action;
    const under = this.reading.get(id) ?? this.look(action, actor).finally(() => this.reading.delete(id));
    this.reading.set(id, under);
    return under;
  }

  private async look(action: Action, actor: Actor): Promise<Action | undefined> {
    const began = this.parts.clock.now();
    const record = this.parts.ledger.outcome(action.id) ?? this.firstRecord(action, began);
    const tool = this.parts.toolOf(action.operation);
    this.parts.ledger.checked(action.id);
    if (!tool.reconcile) {
      this.parts.ledger.keepOutcome(action.id, { ...record, lookAt: began + WEEK_MS });
      return undefined;
    }
    const settled = this.settledAt(action, record);
    let finding: Finding;
    try {
      finding = await tool.reconcile(this.parts.ledger.input(action.id), this.traceOf(action, settled, actor));
    } catch (error) {
      this.parts.log(
        'warn',
        { action: action.id, error: asSwitchboardError(error).message },
        'an unknown outcome was not read',
      );
      this.parts.ledger.keepOutcome(action.id, this.later(record, began, settled));
      return undefined;
    }
    const saw = clean(finding.saw);
    const seen = finding.outcome === 'partly' ? `${PARTLY}${saw}` : saw;
    if (finding.outcome === 'done') {
      const by = `Resolved at ${iso(this.parts.clock.now())} by reading: ${saw}.`;
      const { doubt } = this.end(action, finding.result, by, 'reading');
      if (doubt === undefined) return this.parts.ledger.get(action.id);
      this.stillUnknown(
        action,
        { ...this.later(record, began, settled), notDone: undefined },
        `${saw}, which ${doubt}`,
        began,
      );
      return undefined;
    }
    if (finding.outcome !== 'unknown' && began >= settled) {
      const first = agrees(record.notDone, finding.outcome, seen) ? record.notDone : undefined;
      if (first !== undefined && began - first.at >= this.apartMs) {
        const by = `Resolved by reading at ${iso(first.at)} and ${iso(began)}: ${saw}.`;
        if (finding.outcome === 'partly') this.end(action, finding.result, by, 'reading');
        else this.end(action, undefined, `${by} It was not done and may be asked for again.`, 'reading');
        return this.parts.ledger.get(action.id);
      }
      const notDone = first ?? { at: began, saw: seen };
      const lookAt = notDone.at + this.apartMs;
      this.stillUnknown(action, { ...record, looks: record.looks + 1, notDone, lookAt }, saw, began);
      return undefined;
    }
    this.stillUnknown(action, { ...this.later(record, began, settled), notDone: undefined }, saw, began);
    return undefined;
  }

  private firstRecord(action: Action, now: number): OutcomeRecord {
    return { writtenAt: undefined, notDone: undefined, saw: undefined, lookAt: now, looks: 0, error: action.error };
  }

  /** Until when the platform may have worked on it. Of a process that died, nothing was sent after it was found dead. */
  private settledAt(action: Action, record: OutcomeRecord | undefined): number {
    return (record?.writtenAt ?? action.finishedAt ?? action.updatedAt) + this.parts.settleMs;
  }

  /** Until when the platform may still be working on an action, in epoch ms; undefined for an id nobody has. */
  workedUntil(id: string): number | undefined {
    const action = this.parts.ledger.get(id);
    return action && this.settledAt(action, this.parts.ledger.outcome(id));
  }

  /** When it is read next: soon at first, every hour after the first hour, and after a week only when somebody asks. */
  private later(record: OutcomeRecord, began: number, settled: number): OutcomeRecord {
    const wait = Math.min(LONGEST_LOOK_MS, FIRST_LOOK_MS * 2 ** Math.min(record.looks, 10));
    const age = began - settled;
    const next = age > WEEK_MS ? Number.MAX_SAFE_INTEGER : began + (age > HOUR_MS ? HOUR_MS : wait);
    const lookAt = began < settled ? Math.min(next, settled) : next;
    return { ...record, looks: record.looks + 1, lookAt };
  }

  /** Says what was read beside the error that made the outcome unknown, once for each thing seen. */
  private stillUnknown(action: Action, record: OutcomeRecord, saw: string, began: number): void {
    const error = record.error ?? action.error;
    this.parts.ledger.keepOutcome(action.id, { ...record, saw, ...(error ? { error } : {}) });
    if (record.saw === saw || error === undefined) return;
    const settled = this.settledAt(action, record);
    const open = began < settled ? ` The platform may still be working on it until ${iso(settled)}.` : '';
    if (
      this.parts.ledger.restate(action.id, {
        ...error,
        message: `${error.message} Read at ${iso(began)}: ${saw}.${open}`,
      })
    )
      this.parts.changed(action.id);
  }

  private traceOf(action: Action, settled: number, actor: Actor): Trace {
    const now = this.parts.clock.now();
    const sentAt = action.sentAt ?? action.createdAt;
    return {
      call: this.parts.calls(actor, now + 60_000),
      known: action.known,
      sentAt: new Date(sentAt),
      workedUntil: new Date(settled),
      now: new Date(now),
      date: (text) => readDate(text, this.parts.timeZone),
      done: this.parts.ledger
        .doneLike(action.operation, action.id, sentAt - BEFORE_MS)
        .map((other) => this.otherCall(other)),
      open: this.parts.ledger.openLike(action.operation, action.id).map((other) => this.otherCall(other)),
      about: (value) => this.parts.ledger.sentAbout(value, action.id, sentAt),
      receipts: (from) => this.parts.receipts(from, sentAt),
    };
  }

  private otherCall(other: OtherAction): OtherCall {
    const { endedAt, result = {} } = other;
    return { input: this.readable(other.id), result, endedAt: endedAt === undefined ? undefined : new Date(endedAt) };
  }

  /** The input of an action, or undefined where it was sealed with another key. */
  private readable(id: string): Record<string, unknown> | undefined {
    try {
      return this.parts.ledger.input(id);
    } catch (error) {
      this.parts.log('debug', { action: id, error: String(error) }, 'an action was sealed with another key');
      return undefined;
    }
  }

  /**
   * Writes how an unknown outcome ended: with a result, or not done. `won` is false where somebody was faster. What
   * reading found is judged like an answer; where it does not tell either, nothing is written and `doubt` says why.
   */
  private end(
    action: Action,
    found: Record<string, unknown> | undefined,
    why: string,
    who: string,
    by?: DecidedBy,
  ): { won: boolean; doubt?: string } {
    const one = this.endOne(action, found, why, who, by);
    if (one.won) for (const stage of this.stagesOf(action)) this.endOne(stage, found, why, who, by);
    return one;
  }

  private endOne(
    action: Action,
    found: Record<string, unknown> | undefined,
    why: string,
    who: string,
    by: DecidedBy | undefined,
  ): { won: boolean; doubt?: string } {
    const tool = this.parts.toolOf(action.operation);
    const result: Record<string, unknown> | undefined = found && {
      ...(by ? found : this.parts.redactor.strip(found)),
      ...(by ? {} : { Resolved: why }),
    };
    let state: 'done' | 'partly' | 'failed' = result ? 'done' : 'failed';
    let error: ErrorFace = { code: action.error?.code ?? 'network', message: why, outcome: 'not_done' };
    if (found && result && by === undefined) {
      const verdict = readVerdict(tool, { answer: found, input: action.shown, known: action.known });
      if (verdict.state === 'unknown') return { won: false, doubt: `${verdict.doubt}` };
      const refused = verdictError(tool, found, verdict);
      if (refused) error = { ...refused, message: `${refused.message} ${why}` };
      state = refused ? 'failed' : verdict.state === 'partly' ? 'partly' : 'done';
      if (state === 'partly') result.Warning = partlyWarning(verdict);
    }
    const won = this.parts.ledger.settle(action.id, {
      from: ['unknown'],
      state,
      ...(result ? { result } : {}),
      ...(state === 'failed' ? { error } : {}),
      who,
      detail: why,
      ...(by ? { by } : {}),
    });
    if (won) this.parts.changed(action.id);
    return { won };
  }

  /** A workflow and the operation it sent for the same order are one piece of work: they end together. */
  private stagesOf(action: Action): Action[] {
    const order = orderOf(action);
    if (typeof order !== 'string' || order === '') return [];
    const { kind } = this.parts.toolOf(action.operation);
    return this.parts.ledger
      .sentAbout(order, action.id, action.createdAt)
      .filter((other) => other.open && orderOf(other) === order && this.parts.toolOf(other.operation).kind !== kind)
      .flatMap(({ id }) => {
        const stage = this.parts.ledger.get(id);
        return stage?.state === 'unknown' ? [stage] : [];
      });
  }

  /**
   * A person has looked, and says how an unknown outcome ended: what reading cannot find out (a message, a creation).
   * Rejects with `not_confirmed` where it is not unknown any more.
   */
  settle(id: string, person: Actor, outcome: 'done' | 'not_done', way: Way): Action {
    const action = this.parts.refresh(id);
    const decider = deciderOf(person, way);
    this.parts.decisions.require('settle', action, decider);
    const seen = `${person.name} looked and says that it was ${outcome === 'done' ? 'done' : 'not done'}.`;
    const result = outcome === 'done' ? { Message: seen } : undefined;
    const { won } = this.end(action, result, seen, `${person.name} (${way})`, decider);
    if (!won) throw notConfirmed(this.parts.refresh(id));
    return this.parts.refresh(id);
  }

  /** State and result of an action for its own actor or an approver. Unknown outcomes are looked into. */
  async follow(id: string, actor: Actor): Promise<Confirmation> {
    const action = this.parts.ledger.get(id);
    if (!action || (action.actorId !== actor.id && !hasRole(actor, 'approver'))) {
      throw new SwitchboardError({
        code: 'not_found',
        message: `id: there is no confirmation ${id} of yours. Use the id a gated call returned.`,
        outcome: 'not_done',
        field: 'id',
      });
    }
    this.parts.refresh(id);
    await this.reconcile(id, actor);
    return this.parts.confirmation(this.parts.refresh(id));
  }

  /**
   * Takes up what a dead process left behind, and reads the unknown outcomes that are due. A confirmed action that was
   * not sent is sent now, if its person said yes less than 15 minutes ago; one that may have been sent becomes unknown.
   * Trouble with one action never keeps the others waiting.
   * @param silentMs an owner that wrote no sign of life for so long is dead
   */
  async recover(silentMs: number): Promise<void> {
    this.parts.sweepExpired();
    for (const action of this.parts.ledger.orphans(silentMs)) {
      try {
        this.takeUp(action);
      } catch (error) {
        this.parts.log(
          'error',
          { action: action.id, error: String(error) },
          'an interrupted action could not be taken up',
        );
      }
    }
    for (const id of this.parts.ledger.dueOutcomes(ROUND)) {
      try {
        await this.reconcile(id, SYSTEM);
      } catch (error) {
        this.parts.log('error', { action: id, error: String(error) }, 'an unknown outcome could not be looked into');
      }
    }
  }

  private takeUp(action: Action): void {
    if (action.state === 'confirmed' && this.parts.clock.now() - (action.decidedAt ?? 0) <= RESUME_MS) {
      // Its end is in the ledger; nobody here waits for it.
      this.parts.execute(action, SYSTEM).catch((error: unknown) => {
        // A record that proves no decision was logged where that was found.
        if (asSwitchboardError(error).face !== FACES.unsealed)
          this.parts.log('warn', { action: action.id }, String(error));
      });
      return;
    }
    if (action.state === 'confirmed')
      this.parts.ledger.settle(action.id, { from: ['confirmed'], state: 'failed', error: FACES.tooLate });
    else this.parts.ledger.settle(action.id, { from: ['in_flight'], state: 'unknown', error: FACES.interrupted });
    this.parts.changed(action.id);
  }

  /** Something arrived that names these numbers (a delivery receipt): unknown outcomes about them are read now. */
  async readAbout(values: readonly string[]): Promise<void> {
    for (const id of new Set(values.flatMap((value) => this.parts.ledger.unknownAbout(value))))
      await this.reconcile(id, SYSTEM);
  }
}

/** The order a call is about: its own, or the one its request stage made. */
function orderOf({ shown, known }: Pick<Action, 'shown' | 'known'>): unknown {
  return shown.OrderId ?? known.OrderId;
}

/** Two readings agree where both saw the same part done, or both saw nothing done. */
function agrees(first: OutcomeRecord['notDone'], outcome: 'partly' | 'not_done', seen: string): boolean {
  return outcome === 'partly' ? first?.saw === seen : first?.saw.startsWith(PARTLY) === false;
}

const iso = (at: number) => new Date(at).toISOString();

/** One line of limited length: what was read holds texts of the platform. */
function clean(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069\s]+/gu, ' ').trim();
  return line.length > MAX_SAW ? `${line.slice(0, MAX_SAW - 1)}…` : line;
}
