import type { Finding, Trace } from '../catalogue/operation.ts';
import type { Action, DecidedBy } from '../ledger/ledger.ts';
import { SAID } from '../ledger/lookups.ts';
import { MAX_OBSERVED, newReading, nextReadingAt, type ReadingRecord } from '../ledger/rows.ts';
import { type Actor, backgroundActor, hasRole, personOf, type Way } from '../lib/actor.ts';
import { AHEAD_MS, WEEK_MS } from '../lib/clock.ts';
import { asSwitchboardError, type Failure, SwitchboardError } from '../lib/errors.ts';
import {
  defined,
  type Fields,
  joined,
  mapWords,
  plainLine,
  plainText,
  recordOf,
  type Words,
  words,
} from '../lib/values.ts';
import { readDate } from '../platform/dialect/readings.ts';
import { partlyWarning, readVerdict, verdictFailure } from '../platform/dialect/verdict.ts';
import { isStoreUnavailable, levelOf } from '../store/key-values.ts';
import {
  ALSO_ASKED,
  type Confirmation,
  END_TOLD,
  FACES,
  GatePart,
  isEnded,
  notConfirmed,
  requestOf,
} from './confirmation.ts';
import { type ActionStates, type Decisions, deciderOf } from './decisions.ts';
import { type Dispatcher, READS_MS } from './dispatch.ts';
import { knownOf, orderOf } from './question.ts';

/** After a restart, a confirmed action that was not sent is sent only if it was confirmed less than this long ago. */
const RESUME_MS = 15 * 60_000;
/** Minimum time between two readings that agree on "not done". The settling time is used instead if it is shorter. */
const APART_MS = 30_000;

/** Name in the audit trail for outcomes that a reading resolved. */
const READING = 'reading';

const SYSTEM = backgroundActor('switchboard', 'Switchboard', 'approver');

/** The decision that settles an unknown outcome. */
interface Resolution {
  /** The result; undefined if the work was not done. */
  found: Fields | undefined;
  /** For the result, the error and the audit trail. */
  why: Words;
  /** Name for the audit trail. */
  who: string;
  /** The person who settles it; undefined for a reading. */
  by?: DecidedBy;
}

/** The result of a reading: the action if its outcome is known, and the time of the next one (epoch ms) if one is needed. */
interface Reading {
  action?: Action | undefined;
  nextAt?: number | undefined;
}

/**
 * Resolves actions whose outcome is unknown. A reading settles an action as done as soon as it finds work that matches
 * the action. It settles an action as not done only once the platform can no longer do the work and two readings agree.
 * A person may settle an action at any time.
 */
export class Reconciler extends GatePart<{ states: ActionStates; dispatcher: Dispatcher; decisions: Decisions }> {
  /** Readings under way, by action id. */
  readonly #readings = new Map<string, Promise<Reading>>();

  /**
   * Reads the platform to resolve an unknown outcome. Returns the settled action, or undefined if the reading was
   * inconclusive. Does not reject on platform errors. Concurrent calls for one action share one reading.
   */
  async reconcile(id: string, actor: Actor): Promise<Action | undefined> {
    return (await this.read(id, actor)).action;
  }

  /** Reads like `reconcile`, and resolves to the time of the next reading too. `actor`: by default the background. */
  async read(id: string, actor = SYSTEM): Promise<Reading> {
    const action = await this.parts.ledger.get(id);
    if (action?.state !== 'unknown') return { action };
    const running = this.#readings.get(id) ?? this.#resolve(action, actor).finally(() => this.#readings.delete(id));
    this.#readings.set(id, running);
    return running;
  }

  async #resolve(action: Action, actor: Actor): Promise<Reading> {
    const { ledger, clock, tools, log, settleMs } = this.parts;
    const { id } = action;
    const began = clock.now();
    const before = (await ledger.readings.find(id)) ?? newReading(undefined, action.error);
    const tool = tools.get(action.operation);
    if (!tool.reconcile) return { nextAt: began + WEEK_MS };
    const settled = this.#settledAt(action, before);
    const record = { ...before, attempts: before.attempts + 1 };
    const nextAt = nextReadingAt(before.attempts, began, settled);
    let finding: Finding;
    try {
      const trace = await this.#traceOf(action, settled, actor);
      finding = await tool.reconcile(await ledger.input(id), trace);
    } catch (error) {
      const { message } = asSwitchboardError(error);
      log(levelOf(error, 'warn'), { action: id, error: message }, 'reading an unknown outcome failed');
      await ledger.readings.save(id, record);
      return { nextAt };
    }
    // The spaces beside a quotation stay.
    const inOneLine = (text: string) => text.replace(/\S.*\S|\S/s, (inner) => plainLine(inner, MAX_OBSERVED));
    let observed = mapWords(finding.saw, inOneLine);
    if (finding.outcome === 'done') {
      const why = words`Resolved at ${iso(clock.now())} by reading: ${observed}.`;
      const { doubt } = await this.#settle(action, { found: finding.result, why, who: READING });
      if (doubt === undefined) return { action: await ledger.get(id) };
      observed = words`${observed}, which ${doubt}`;
    } else if (finding.outcome !== 'unknown' && began >= settled) {
      // Two readings that agree settle the outcome. The first one is stored.
      const part = finding.outcome === 'partly' ? `partly: ${plainText(observed)}` : '';
      const first = record.notDone?.observed === part ? record.notDone : undefined;
      const apartMs = Math.min(APART_MS, settleMs);
      if (first !== undefined && began - first.at >= apartMs) {
        const seen = words`Resolved by reading at ${iso(first.at)} and ${iso(began)}: ${observed}.`;
        const resolution =
          finding.outcome === 'partly'
            ? { found: finding.result, why: seen }
            : { found: undefined, why: words`${seen} It was not done and may be asked for again.` };
        await this.#settle(action, { ...resolution, who: READING });
        return { action: await ledger.get(id) };
      }
      const notDone = first ?? { at: began, observed: part };
      await this.#recordUnknown(action, { ...record, notDone }, observed, began);
      return { nextAt: notDone.at + apartMs };
    }
    await this.#recordUnknown(action, { ...record, notDone: undefined }, observed, began);
    return { nextAt };
  }

  /**
   * Time (epoch ms) from which the platform can no longer be working on the action. Without a recorded send time, the
   * time the action was last updated is used: a process that died sent nothing after it was found dead.
   */
  #settledAt(action: Action, record: ReadingRecord | undefined): number {
    return (record?.writtenAt ?? action.finishedAt ?? action.updatedAt) + this.parts.settleMs;
  }

  /** Time (epoch ms) until which the platform may still be working on an action; undefined for an unknown id. */
  async workedUntil(id: string): Promise<number | undefined> {
    const action = await this.parts.ledger.get(id);
    return action && this.#settledAt(action, await this.parts.ledger.readings.find(id));
  }

  /** Saves an inconclusive reading. If it differs from the previous one, the action's error message is updated. */
  async #recordUnknown(action: Action, record: ReadingRecord, observed: Words, began: number): Promise<void> {
    const error = record.error ?? action.error;
    const text = plainText(observed);
    await this.parts.ledger.readings.save(action.id, { ...record, observed: text, ...(error ? { error } : {}) });
    if (record.observed === text || error === undefined) return;
    const next = joined([error.next, words`Read at ${iso(began)}: ${observed}.`]);
    if (!(await this.parts.ledger.readings.updateError(action.id, { ...error, next }))) return;
    this.parts.states.changed(await this.parts.ledger.get(action.id));
  }

  async #traceOf(action: Action, settled: number, actor: Actor): Promise<Trace> {
    const { id, operation } = action;
    const { ledger, clock, log } = this.parts;
    const { readings } = ledger;
    const now = clock.now();
    const inputOf = (other: string) =>
      ledger.input(other).catch((error: unknown) => {
        if (isStoreUnavailable(error)) throw error;
        log('debug', { action: other, error: String(error) }, 'an action is sealed with another key');
        return undefined;
      });
    const sentAt = action.sentAt ?? action.createdAt;
    const open = await readings.openLike(operation, id);
    return {
      call: this.parts.dispatcher.calls({ actor, deadline: now + READS_MS, confirmed: false }),
      known: knownOf(action),
      sentAt: new Date(sentAt),
      workedUntil: new Date(settled),
      now: new Date(now),
      date: (text) => readDate(text, this.parts.timeZone),
      claimed: (values) => readings.claimed(operation, { values, except: id, since: sentAt - AHEAD_MS }),
      open: await Promise.all(open.map(inputOf)),
      about: (value) => readings.sentAbout(value, id, sentAt),
      receipts: (from) => this.parts.history.receipts(from, sentAt),
    };
  }

  /**
   * Settles an unknown outcome, and the stages that belong to the same work. `settled` is false if another process or
   * person settled it first. A result found by a reading is judged like an answer of the platform. If that verdict is
   * unknown too, nothing is written and `doubt` gives the reason.
   */
  async #settle(action: Action, resolution: Resolution) {
    const result = await this.#settleOne(action, resolution);
    if (result.settled) for (const stage of await this.#stagesOf(action)) await this.#settleOne(stage, resolution);
    return result;
  }

  async #settleOne(action: Action, { found, why, who, by }: Resolution): Promise<{ settled: boolean; doubt?: Words }> {
    const tool = this.parts.tools.get(action.operation);
    const read = found && !by ? { ...this.parts.redactor.omit(found), Resolved: plainText(why) } : found;
    const result: Fields | undefined = read && { ...read };
    let state: 'done' | 'partly' | 'failed' = result ? 'done' : 'failed';
    let error: Failure = { code: action.error?.code ?? 'network', message: why, outcome: 'not_done' };
    if (found && result && by === undefined) {
      const verdict = readVerdict(tool, { answer: found, input: action.shown, known: knownOf(action) });
      if (verdict.state === 'unknown') return { settled: false, doubt: verdict.doubt ?? '' };
      const refused = verdictFailure(tool, found, verdict);
      if (refused) error = { ...refused, message: joined([refused.message, why]) };
      state = refused ? 'failed' : verdict.state === 'partly' ? 'partly' : 'done';
      if (state === 'partly') result.Warning = plainText(partlyWarning(verdict));
    }
    const settled = await this.parts.ledger.settle(action.id, {
      from: ['unknown'],
      state,
      ...(result ? { result } : {}),
      ...(state === 'failed' ? { error } : {}),
      who,
      detail: plainText(why),
      ...(by ? { by } : {}),
    });
    this.parts.states.changed(settled);
    return { settled: settled !== undefined };
  }

  /** Unknown actions to settle together with this one: a workflow and the operation it sent for the same order. */
  async #stagesOf(action: Action): Promise<Action[]> {
    const order = orderOf(action);
    if (typeof order !== 'string' || order === '') return [];
    const { ledger, tools } = this.parts;
    const { kind } = tools.get(action.operation);
    const sent = await ledger.readings.sentAbout(order, action.id, action.createdAt);
    const same = sent.filter(
      (one) => one.open && orderOf({ ...one, notes: {} }) === order && tools.get(one.operation).kind !== kind,
    );
    const stages = await Promise.all(same.map(({ id }) => ledger.get(id)));
    return stages.filter((stage) => stage !== undefined).filter(({ state }) => state === 'unknown');
  }

  /**
   * Settles an unknown outcome as a person states it. This covers what reading cannot resolve (a message, a creation).
   * Rejects with `not_confirmed` if the outcome is no longer unknown, and `forbidden_by_role` if this person may not
   * settle it.
   */
  async settle(id: string, person: Actor, outcome: 'done' | 'not_done', way: Way): Promise<Action> {
    const action = await this.parts.states.refresh(id);
    const decider = deciderOf(person, way);
    this.parts.decisions.require('settle', action, decider);
    const why = `${person.name} looked and says that it was ${outcome === 'done' ? 'done' : 'not done'}.`;
    const result = outcome === 'done' ? { [SAID]: why } : undefined;
    const who = `${person.name} (${way})`;
    const { settled } = await this.#settle(action, { found: result, why, who, by: decider });
    if (!settled) throw notConfirmed(await this.parts.states.refresh(id));
    return this.parts.states.refresh(id);
  }

  /** State and result of an action for its requester or an approver. An unknown outcome is read first. */
  async follow(id: string, actor: Actor): Promise<Confirmation> {
    const { ledger, tools } = this.parts;
    const action = await ledger.get(id);
    // The same person may have started it on another surface.
    const own = action && (action.actorId === actor.id || action.person === personOf(actor));
    const isReader = own || hasRole(actor, 'approver');
    if (!action || !(isReader || recordOf(action.notes[ALSO_ASKED])[personOf(actor)])) {
      const message = `id: there is no confirmation ${id} of yours. Use the id a gated call returned.`;
      throw new SwitchboardError({ code: 'not_found', message, outcome: 'not_done', field: 'id' });
    }
    await this.parts.states.refresh(id);
    await this.reconcile(id, actor);
    const now = await this.parts.states.refresh(id);
    const described = this.parts.states.describe(now);
    // Once the requester knows the end of an action whose outcome was unknown, a repeat is a new call.
    const isNews = isEnded(now) && now.actorId === actor.id && now.notes[END_TOLD] === undefined;
    if (isNews && (await ledger.readings.find(id)) !== undefined) await ledger.notes.remember(id, { [END_TOLD]: true });
    const tool = now.state === 'done' ? tools.find(now.operation) : undefined;
    const started = tool?.kind === 'workflow' ? await tool.started?.(now.shown) : undefined;
    const confirmation = { ...described, ...(started && { status: started.status, result: started.result }) };
    if (isReader) return confirmation;
    // Another requester of the same call may read the state and the decider, without the result.
    const { status, summary, expiresAt, decidedBy } = confirmation;
    return { id, status, summary, consequence: '', expiresAt, ...defined({ decidedBy }), ...requestOf(now) };
  }

  /**
   * Takes over an action whose process no longer renews its claim. A confirmed action that was not sent is sent now if it
   * was confirmed less than 15 minutes ago. One that may have been sent becomes unknown.
   */
  async takeOver(id: string): Promise<void> {
    const { ledger, clock, dispatcher, log, states } = this.parts;
    const taken = await ledger.takeOver(id, FACES.interrupted, states.running.has(id));
    if (taken?.state !== 'confirmed') return states.changed(taken);
    if (clock.now() - (taken.decidedAt ?? 0) > RESUME_MS)
      return states.changed(await ledger.settle(id, { from: ['confirmed'], state: 'failed', error: FACES.tooLate }));
    // The end is written to the ledger; no caller waits for the result.
    dispatcher.execute(taken, SYSTEM).catch((error: unknown) => {
      // A record that cannot be trusted has been logged already.
      const { face } = asSwitchboardError(error);
      if (face !== FACES.unsealed && face !== FACES.clockSetBack) log('warn', { action: id }, String(error));
    });
  }

  /** Reads the unknown outcomes about these numbers, for example because a delivery receipt names them. */
  async readAbout(values: readonly string[]): Promise<void> {
    const found = await Promise.all(values.map((value) => this.parts.ledger.readings.unknownAbout(value)));
    for (const id of new Set(found.flat())) await this.reconcile(id, SYSTEM);
  }
}

const iso = (at: number) => new Date(at).toISOString();
