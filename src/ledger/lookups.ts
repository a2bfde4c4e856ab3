import type { Tool } from '../catalogue/operation.ts';
import { SwitchboardError } from '../lib/errors.ts';
import { type Fields, listOf, recordOf, textsIn } from '../lib/values.ts';
import { withholdActivation } from '../platform/dialect/redact.ts';
import { isRejected, openOrder, orderOutlook, orderState } from '../platform/dialect/verdict.ts';
import { marks } from '../store/key-values.ts';
import type { Queries, Value } from '../store/types.ts';
import { chunks } from '../work/jobs.ts';
import {
  type Action,
  type ActionRow,
  type AuditLine,
  actionOf,
  callText,
  canonical,
  canonicalCall,
  OPEN_STATES,
  type RepeatedCall,
  type SealedInput,
  type State,
} from './action.ts';
import { LedgerPart, type Seal } from './seal.ts';

/**
 * The parts of an action in which a value occurs, as bits, because an action is listed once for each value.
 * `exclusive`: only one call for the value may be open at a time.
 */
export const PLACES = { shown: 1, known: 2, result: 4, exclusive: 8 } as const;

/** The parts of an action, each with its values. */
type Places = Partial<Record<keyof typeof PLACES, unknown>>;

/** Phone numbers and ids: up to 64 characters without spaces, at least one of them a digit. */
const NAME = /^(?=\S*\d)\S{1,64}$/;
/** Rows of one INSERT: PostgreSQL and SQLite limit the number of values of a statement. */
const ROWS = 100;

/** True for a value that is listed. */
export const isName = (value: string): boolean => NAME.test(value);

/** Lists the values that an action names, so that a number's actions are found without reading all of them. */
export async function writeNames(queries: Queries, action: string, at: number, parts: Places): Promise<void> {
  const places = new Map<string, number>();
  // This table is not sealed, so no activation code of an eSIM is listed in it.
  for (const [part, bit] of Object.entries(PLACES))
    for (const { value } of textsIn(withholdActivation(parts[part as keyof typeof PLACES])))
      if (isName(value)) places.set(value, (places.get(value) ?? 0) | bit);
  for (const some of chunks([...places], ROWS)) {
    await queries.run(
      `INSERT INTO action_names (value, updated_at, action, places) VALUES ${some.map(() => '(?, ?, ?, ?)').join(', ')}
         ON CONFLICT (action, value) DO UPDATE SET updated_at = excluded.updated_at,
           places = action_names.places | excluded.places`,
      ...some.flatMap(([value, places]) => [value, at, action, places]),
    );
  }
}

/** Maximum number of values in one query. */
export const VALUES = 100;
/** Calls that wait, run or have no known end, and those that did something at a time or later. Takes now and that time. */
const COUNTS = `(a.state IN ('confirmed','in_flight','unknown') OR (a.state = 'pending' AND a.expires_at > ?)
  OR (a.state IN ('done','partly') AND a.updated_at >= ?))`;

/** An earlier call like another one. */
export interface Repeat {
  action: Action;
  /** The targets that both calls have, if not all of them. */
  values?: readonly string[];
}

/**
 * Finds calls that have not ended: repeats of one call, calls for the same numbers, and the questions of a requester.
 */
export class OpenCalls extends LedgerPart {
  /**
   * The same calls of any actor that wait, run or have no known end, and those that did something and were last changed at
   * `since` (epoch ms) or later; the newest first. A repeat has the same input of the caller, or sends the same: the two
   * differ if a record was readable for one of the calls only. After them come those that say the same about some of the
   * same targets of a list.
   */
  async repeats(call: RepeatedCall, since: number, queries: Queries = this.parts.db): Promise<Repeat[]> {
    const { operation, list } = call;
    const now = this.parts.clock.now();
    // By each key of SEALING_KEY, so that a repeat of an older call is found.
    const digests = (fields: Fields) => this.parts.seal.digests(callText(operation, fields));
    const [given, full] = [digests(call.given), digests(call.sent)];
    const same = await selectActions(
      { ...this.parts, db: queries },
      `SELECT * FROM actions a WHERE (digest IN (${marks(given)}) OR full_digest IN (${marks(full)}))
         AND ${COUNTS} ORDER BY created_at DESC`,
      ...[...given, ...full, now, since],
    );
    const found = new Map(same.map((action): [string, Repeat] => [action.id, { action }]));
    if (list === undefined) return [...found.values()];
    const rest = ({ [list]: _, ...others }: Fields) => canonicalCall(others);
    const targets = new Set(listOf(call.sent[list]).map(canonical));
    const names = textsIn(call.sent[list]).flatMap(({ value }) => (isName(value) ? [value] : []));
    for (const some of chunks(names, VALUES)) {
      const rows = await queries.all<ActionRow>(
        `SELECT * FROM actions a WHERE operation = ? AND ${COUNTS} AND id IN
           (SELECT action FROM action_names WHERE value IN (${marks(some)}) AND (places & ${PLACES.shown}) <> 0)`,
        ...[operation, now, since, ...some],
      );
      for (const row of rows) {
        const { sent, given } = this.parts.seal.open(row.input, row.id) as SealedInput;
        const shared = listOf(sent[list]).filter((target) => targets.has(canonical(target)));
        const isAlike = rest(sent) === rest(call.sent) || rest(given) === rest(call.given);
        if (found.has(row.id) || !isAlike || shared.length === 0) continue;
        found.set(row.id, {
          action: actionOf(row, this.parts.seal),
          values: textsIn(shared).map(({ value }) => value),
        });
      }
    }
    return [...found.values()];
  }

  /** The id of this person's question about the call that waits, or that was not ended yet; empty for none. */
  async waiting(digest: string, person: string): Promise<string> {
    const sql = `SELECT id FROM actions WHERE digest = ? AND person = ? AND state = 'pending' AND part_of IS NULL`;
    return (await this.parts.db.get<{ id: string }>(sql, digest, person))?.id ?? '';
  }

  /** The waiting questions of this actor about one operation. */
  pendingOf(actorId: string, operation: string): Promise<Action[]> {
    return selectActions(
      this.parts,
      `SELECT * FROM actions WHERE actor_id = ? AND operation = ? AND state = 'pending' AND expires_at > ?`,
      ...[actorId, operation, this.parts.clock.now()],
    );
  }

  /** Actions in these states that hold one of the values exclusively, the oldest first. */
  async holding(values: readonly string[], states: readonly State[]): Promise<Action[]> {
    const found = new Map<string, Action>();
    for (const some of chunks(values, VALUES)) {
      const actions = await selectActions(
        this.parts,
        `SELECT a.* FROM action_names n JOIN actions a ON a.id = n.action
           WHERE n.value IN (${marks(some)}) AND (n.places & ${PLACES.exclusive}) <> 0 AND a.state IN (${marks(states)})`,
        ...some,
        ...states,
      );
      for (const action of actions) found.set(action.id, action);
    }
    return [...found.values()].sort((one, other) => one.createdAt - other.createdAt);
  }

  /** Throws `rate_limited` if this actor has `most` questions that wait for a person. */
  async requireRoom(actorId: string, most: number, queries: Queries = this.parts.db): Promise<void> {
    const open = await queries.get<{ n: number; first: number | null }>(
      `SELECT count(*) AS n, min(expires_at) AS first FROM actions
         WHERE state = 'pending' AND actor_id = ? AND expires_at > ?`,
      actorId,
      this.parts.clock.now(),
    );
    if (open === undefined || open.n < most) return;
    throw new SwitchboardError({
      code: 'rate_limited',
      message: `${open.n} of your requests already wait for a person, which is the limit.`,
      effect: 'nothing_sent',
      next: `Have some of them confirmed or declined first; the next one expires at ${new Date(open.first ?? 0).toISOString()}.`,
      outcome: 'not_done',
    });
  }
}

/** The actions whose rows a statement selects. */
async function selectActions(
  { db, seal }: { db: Queries; seal: Seal },
  sql: string,
  ...values: Value[]
): Promise<Action[]> {
  return (await db.all<ActionRow>(sql, ...values)).map((row) => actionOf(row, seal));
}

interface ActionFilter {
  actorId?: string;
  states?: readonly State[];
  /** Updated after this moment (epoch ms). */
  since?: number;
  /** 50 by default. */
  limit?: number;
  /** In the order in which they were asked for. */
  oldestFirst?: boolean;
  /** Without the steps of a workflow, whose own action covers them. */
  whole?: boolean;
}

interface SinceFilter {
  /** Updated before this moment (epoch ms). */
  until?: number;
  /** Phone numbers and ids that must all occur in the shown input or the result. */
  about?: readonly string[];
  /** Only the actions of this operation. */
  operation?: string;
  /** Without the steps of a workflow, whose own action covers them. */
  whole?: boolean;
}

/** The parts of an action that were shown to people. */
const VISIBLE = PLACES.shown | PLACES.result;

/** The reading side of the ledger: all that surfaces see of it. */
export type ActionsView = Pick<ActionsReader, keyof ActionsReader>;

/** Reads actions and their audit trail. It has no way to write. */
export class ActionsReader extends LedgerPart {
  async get(id: string): Promise<Action | undefined> {
    return (await selectActions(this.parts, 'SELECT * FROM actions WHERE id = ?', id))[0];
  }

  /** The most recently updated first, unless the filter says otherwise. */
  list({ actorId, states, since, limit = 50, oldestFirst, whole }: ActionFilter): Promise<Action[]> {
    const where: [condition: string, ...values: Value[]][] = [[whole ? 'part_of IS NULL' : '1=1']];
    if (actorId !== undefined) where.push(['actor_id = ?', actorId]);
    if (states) where.push([`state IN (${marks(states)})`, ...states]);
    if (since !== undefined) where.push(['updated_at > ?', since]);
    const conditions = where.map(([condition]) => condition).join(' AND ');
    const order = oldestFirst ? 'created_at, id' : 'updated_at DESC';
    const sql = `SELECT * FROM actions WHERE ${conditions} ORDER BY ${order} LIMIT ?`;
    return selectActions(this.parts, sql, ...where.flatMap(([, ...values]) => values), limit);
  }

  /**
   * Actions updated at or after `at` (epoch ms), oldest first. If there are more than `limit`, the newest of them.
   */
  async since(at: number, limit: number, only: SinceFilter = {}): Promise<Action[]> {
    const { about = [], until = Number.MAX_SAFE_INTEGER, operation = null } = only;
    const wanted = `${only.whole ? 'a.part_of IS NULL' : '1=1'} AND a.operation = COALESCE(?, a.operation)`;
    const [first, ...others] = about;
    const found =
      first === undefined
        ? selectActions(
            this.parts,
            `SELECT a.* FROM actions a WHERE a.updated_at >= ? AND a.updated_at < ? AND ${wanted}
               ORDER BY a.updated_at DESC LIMIT ?`,
            ...[at, until, operation, limit],
          )
        : selectActions(
            this.parts,
            `SELECT a.* FROM action_names n CROSS JOIN actions a
               WHERE n.value = ? AND n.updated_at >= ? AND n.updated_at < ? AND (n.places & ${VISIBLE}) <> 0
                 AND a.id = n.action AND ${wanted} ${others.map(() => `AND ${NAMES_TOO}`).join(' ')}
               ORDER BY n.updated_at DESC LIMIT ?`,
            ...[first, at, until, operation, ...others, limit],
          );
    return (await found).reverse();
  }

  /** Actions whose shown input or result names this value (a phone number), newest first. */
  async about(value: string, limit = 5, only: Pick<SinceFilter, 'whole' | 'operation'> = {}): Promise<Action[]> {
    return (await this.since(0, limit, { ...only, about: [value] })).reverse();
  }

  /** The actions that sent rows of a batch. */
  ofBatch(id: string): Promise<Action[]> {
    return selectActions(this.parts, 'SELECT * FROM actions WHERE batch = ? ORDER BY created_at', id);
  }

  /** The newest lines of the audit trail, the latest first. */
  audit(limit = 100): Promise<AuditLine[]> {
    return this.parts.db.all<AuditLine>('SELECT * FROM audit ORDER BY seq DESC LIMIT ?', limit);
  }

  /** Counts the open actions in each state; states without any are left out. */
  counts(): Promise<{ state: State; n: number }[]> {
    const sql = `SELECT state, count(*) AS n FROM actions WHERE state IN (${marks(OPEN_STATES)}) GROUP BY state`;
    return this.parts.db.all(sql, ...OPEN_STATES);
  }
}

const NAMES_TOO = `EXISTS (SELECT 1 FROM action_names m
  WHERE m.action = n.action AND m.value = ? AND (m.places & ${VISIBLE}) <> 0)`;

/* Reports of the platform about a done action after its answer. */

/** Name of the note with what the platform reported about a done action later, such as the delivery of a message. */
export const REPORTED = 'reported';

/** The members of the answer that the platform reported later. */
export function reportOf({ notes = {} }: { notes?: Fields | undefined }): Fields {
  return recordOf(notes[REPORTED]);
}

/** True if the platform reported that the order of an action has ended. */
export function isOrderOver(action: Pick<Action, 'notes'>): boolean {
  return orderOutlook(orderState(reportOf(action))) !== 'open';
}

/**
 * The later day on which an action takes effect if it was done, in words. Undefined once that day has come or the platform
 * reported the end of its order.
 *
 * @param now epoch ms; that of the call if left out
 */
export function laterDay(
  { shown, sentAt, result = {}, notes = {} }: Ended,
  tool: Pick<Tool, 'answer'> | undefined,
  now = sentAt,
): string | undefined {
  if (shown === undefined || now === undefined || isOrderOver({ notes })) return undefined;
  return tool?.answer?.scheduled?.(shown, new Date(now), result);
}

/** The members of an action, or of a result without one, by which an end is told. */
export type Ended = Pick<Action, 'state'> & Partial<Action>;

/** The member of the result of a call that a person settled as done, with the sentence of who says so. */
export const SAID = 'Said';

/** The words for how a done call stands now, which are the same for a single call and for a row of a batch. */
export interface Standing {
  headline: string;
  /**
   * `set`: its headline says how what it set goes on. `later`: it takes effect on a later day. `partly`, `failed`: the platform
   * ended its order so.
   */
  how: 'done' | 'set' | 'requested' | 'begun' | 'without_effect' | 'later' | 'partly' | 'failed';
  /** The later day, in words. */
  day?: string;
}

/**
 * How a done call stands: by the last report of the platform, or by its answer. Nothing more is said of a call that a person
 * settled as done.
 *
 * @param now epoch ms, for a change that was scheduled; that of the call if left out
 */
export function standingOf(action: Ended, tool: Pick<Tool, 'answer'> | undefined, now?: number): Standing {
  const { result = {}, consent } = action;
  const { leaves, begins } = tool?.answer ?? {};
  if (leaves !== undefined) return { how: 'requested', headline: `Requested, ${leaves}` };
  if (begins !== undefined) return { how: 'begun', headline: begins };
  const stands = standsIn({ ...result, ...reportOf(action) }, tool);
  if (stands !== undefined) return { how: 'set', headline: `Done, ${stands}` };
  if (consent?.remains !== undefined) return { how: 'without_effect', headline: 'Done, no effect yet' };
  const isDone = (action.state === 'done' && result[SAID] === undefined) || action.state === 'partly';
  const day = isDone ? laterDay(action, tool, now) : undefined;
  if (day !== undefined) return { how: 'later', headline: `Scheduled for ${day}`, day };
  const reported = orderState(reportOf(action));
  const outlook = orderOutlook(reported);
  // A word of our own: the platform's may be any text.
  if (outlook === 'cancelled') return { how: 'failed', headline: 'Order cancelled' };
  if (outlook === 'failed') return { how: 'failed', headline: `Order ${isRejected(reported) ? 'rejected' : 'failed'}` };
  if (outlook === 'partly') return { how: 'partly', headline: 'Order partly completed' };
  const open = outlook === 'open' ? openOrder(result) : undefined;
  return { how: 'done', headline: open === undefined ? 'Done' : `Done (order ${open})` };
}

/**
 * The state of what a done call set, in words, such as a PIN; undefined once the order that set it has ended, or if a person
 * settled the call as done.
 */
export function standsIn(result: Fields, tool: Pick<Tool, 'answer'> | undefined): string | undefined {
  const { OrderStatus } = result;
  const isOver = OrderStatus !== undefined && orderOutlook(orderState({ OrderStatus })) !== 'open';
  return isOver || result[SAID] !== undefined ? undefined : tool?.answer?.stands?.(result);
}
