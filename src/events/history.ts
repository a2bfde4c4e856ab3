import { showBatchJob } from '../batches/store.ts';
import { changeLines, changeText } from '../cards/card.ts';
import { costDone } from '../cards/outcome.ts';
import { numbersOf, questionTitle } from '../cards/question.ts';
import { type ChangeRow, withNames } from '../catalogue/change.ts';
import {
  type Change,
  type Charge,
  type Happening,
  type Histories,
  type LocalHistory,
  markedNames,
  type StartedWork,
  type Tool,
} from '../catalogue/operation.ts';
import { isUndecided, isWithdrawn } from '../gate/approval.ts';
import { decidedByOf, operationOf } from '../gate/confirmation.ts';
import { changeDone, factsOf } from '../gate/question.ts';
import { codesMade } from '../language/outcome.ts';
import { changeOf } from '../ledger/action.ts';
import type { Action, ActionsView } from '../ledger/ledger.ts';
import { isOrderOver, REPORTED, reportOf, standingOf } from '../ledger/lookups.ts';
import { laterJob, type Notes } from '../ledger/rows.ts';
import { type Actor, identified } from '../lib/actor.ts';
import { type Clock, MINUTE_MS } from '../lib/clock.ts';
import { defined, type Fields, isRecord, lowerFirst, recordsIn, textOf } from '../lib/values.ts';
import { isNotDoneFor, orderOf, orderState, orderStatus, startedOrder } from '../platform/dialect/verdict.ts';
import type { Inbox, OrderState, StoredEvent } from './inbox.ts';
import type { PlatformEvent } from './parse.ts';
import { EVERY_MS, type Watches } from './watches.ts';

const MAX_TEXT = 2_000;
const MAX_FIELDS = 500;
const MAX_SENT = 20;
/** Actions about a number that are searched for those that wait. */
const MAX_ABOUT = 100;
/** Actions that name an order or a message, of which one placed or sent it. */
const MAX_NAMING = 50;
/** Maximum number of delivery receipts that are searched for one message. */
const MAX_RECEIPTS = 1_000;

interface HistoryOptions {
  inbox: Inbox;
  watches: Watches;
  ledger: Pick<ActionsView, 'since' | 'about'> & { notes: Pick<Notes, 'merge'> };
  clock: Clock;
  tools: readonly Tool[];
}

/** The history that the gate and workflows read: events, actions and watched numbers. */
export function inboxHistories(options: HistoryOptions): Histories {
  return {
    of: (actor) => historyOf(options, actor),
    // The inbox also has the receipts that other processes received.
    receipts: async (from, since) => {
      const found = await options.inbox.since(since, MAX_RECEIPTS, { kinds: ['status'], about: [from] });
      return found.flatMap(({ event }) => {
        if (event.kind !== 'status') return [];
        const { messageId, to, text, status } = event;
        return [{ messageId, from: event.from, to, body: text, status }];
      });
    },
  };
}

/** The parts that keep a report. */
export interface ReportKeepers {
  actions: Pick<ActionsView, 'about'>;
  notes: Pick<Notes, 'merge'>;
  inbox: Pick<Inbox, 'jobs'>;
  clock: Clock;
}

/**
 * Keeps what the platform reported with the actions that it is about, and has their cards drawn again.
 *
 * @param about a number or id that the actions name
 */
export async function keepReport(
  { actions, notes: kept, inbox, clock }: ReportKeepers,
  about: string,
  report: Fields,
  isAbout: (action: Action) => boolean,
): Promise<void> {
  const named = (await actions.about(about, MAX_NAMING)).filter(isAbout);
  for (const { id, batch, notes } of named) {
    const before = reportOf({ notes });
    if (Object.entries(report).every(([name, value]) => before[name] === value)) continue;
    await kept.merge(id, REPORTED, report);
    await inbox.jobs.add(batch === undefined ? laterJob('show', id) : showBatchJob(batch, clock.now()));
  }
}

/** Keeps the state of an order, in the platform's spelling, and why it is in it, with the actions that submitted it, first or again. */
export function keepOrder(parts: ReportKeepers, orderId: string, { status, message }: OrderState): Promise<void> {
  const isSubmitted = (action: Action) =>
    startedOrder(action) === orderId || (orderOf(action) === orderId && orderState(action.result) === 'Submitted');
  return keepReport(
    parts,
    orderId,
    { OrderStatus: orderStatus(status), ErrorMessage: message || undefined },
    isSubmitted,
  );
}

function historyOf({ inbox, watches, ledger, clock, tools }: HistoryOptions, actor: Actor): LocalHistory {
  const toolOf = (id: string) => tools.find((tool) => tool.id === id);

  /** An action with the longer work that it started, such as the rows of a batch about this number. */
  const happenedBy = async (action: Action, of: string | undefined): Promise<Happening> => {
    const tool = toolOf(action.operation);
    const started =
      tool?.kind === 'workflow' && action.state === 'done' ? await tool.started?.(action.shown, of) : undefined;
    return fromAction(action, { tool, started, now: clock.now(), rowTool: toolOf(operationOf(action)) });
  };

  const isDone = (about: string, { operation, state, result = {}, shown, known }: Action) => {
    const tool = toolOf(operation);
    if (state !== 'partly' || tool === undefined) return state === 'done' || state === 'partly';
    return !isNotDoneFor(about, tool, { answer: result, input: shown, known });
  };

  const sentAbout: LocalHistory['sentAbout'] = async (orderId) =>
    (await ledger.about(orderId, MAX_SENT))
      .filter((action) => isDone(orderId, action))
      .map((action) => ({
        operation: action.operation,
        customer: factsOf(action).customer,
        at: new Date(action.updatedAt).toISOString(),
        shown: action.shown,
        started: startedOrder(action) === orderId,
        order: orderState(action.result),
        isOver: isOrderOver(action),
        madeSim: codesMade(action).some(({ phone = orderId }) => phone === orderId),
      }));

  /**
   * False if the checks of watched numbers are late by a whole interval. The process that runs them is the one that
   * receives events, so no process receives any.
   */
  const isListening = async () => clock.now() - ((await watches.nextRoundAt()) ?? 0) < EVERY_MS;

  return {
    now: () => new Date(clock.now()),
    /**
     * Every viewer sees the requester and the operation of each action, on every surface. Only the requester sees
     * results and errors.
     */
    happened: async ({ since, until, kinds, about, of, limit }) => {
      const filter = { until: until.getTime(), about };
      const eventKinds = kinds.filter((kind) => kind !== 'action');
      const events = await inbox.since(since.getTime(), limit + 1, { ...filter, kinds: eventKinds });
      const actions = kinds.includes('action')
        ? await ledger.since(since.getTime(), limit + 1, { ...filter, whole: true })
        : [];
      const done = await Promise.all(actions.map((action) => happenedBy(action, of)));
      const all = [...events.map(fromStored), ...done].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
      if (all.length <= limit) return { list: all, more: false };
      const list = all.slice(-limit);
      // Entries with the same time as an omitted one go to the next page with it, so that no page splits them.
      const start = list.findIndex(({ at }) => at !== all.at(-limit - 1)?.at);
      return { list: start < 0 ? list : list.slice(start), more: true };
    },
    lastMessage: async (phone) => {
      const newest = await inbox.since(0, MAX_SENT, { kinds: ['message'], about: [phone] });
      // A message between two of our lines is one that its sender has not received.
      const found = newest.findLast(({ event }) => event.kind === 'message' && event.from !== phone);
      return found && fromStored(found);
    },
    sentAbout,
    keepOrder: async (orderId, order) => {
      const [latest] = (await sentAbout(orderId)).filter((call) => call.order !== '');
      if (latest === undefined) return;
      await inbox.keepRead(orderId, order, latest.order);
      await keepOrder({ actions: ledger, notes: ledger.notes, inbox, clock }, orderId, order);
    },
    waitingFor: async (phone) => {
      const actions = await ledger.about(phone, MAX_ABOUT, { whole: true });
      const now = clock.now();
      return actions
        .filter(({ state, expiresAt }) => state === 'pending' && expiresAt > now)
        .sort((one, other) => one.createdAt - other.createdAt)
        .map((action) => ({
          id: action.id,
          what: action.consent?.title ?? toolOf(action.operation)?.title ?? action.operation,
          askedBy: action.actorName,
          person: action.person,
          at: new Date(action.createdAt).toISOString(),
          // Those whom a text goes to and the contacts of a filter are no lines.
          others: numbersOf([action.shown, ...recordsIn(action.shown.Rows)]).filter((other) => other !== phone),
        }));
    },
    watch: async (phone) => {
      await watches.add(phone, actor.id);
      return { everyMinutes: EVERY_MS / MINUTE_MS, looks: await isListening() };
    },
    isListening,
    unwatch: (phone) => watches.remove(phone),
    watched: async () =>
      (await watches.list()).map(({ phone, by, used, remaining, behaviour, checkedAt }) => ({
        ...{ phone, by, used, remaining, behaviour },
        checkedAt: checkedAt === undefined ? undefined : new Date(checkedAt).toISOString(),
      })),
  };
}

function fromStored({ arrivedAt, event }: StoredEvent): Happening {
  return { at: new Date(arrivedAt).toISOString(), kind: event.kind, values: valuesOf(event) };
}

function valuesOf(event: PlatformEvent): Fields {
  switch (event.kind) {
    case 'order':
      return {
        Status: event.status,
        PhoneNumbers: event.numbers ?? [],
        ErrorMessage: event.message,
        OrderId: event.orderId,
      };
    case 'message':
      return { From: event.from, Body: cut(event.text), To: event.to, Media: event.media, MessageId: event.messageId };
    case 'status':
      return { Status: event.status, To: event.to, MessageId: event.messageId };
    case 'call':
      return { Event: event.event, From: event.from, To: event.to, CallId: event.callId };
    case 'watch':
      return { PhoneNumber: event.phone, Found: event.found, Used: event.fields.Used };
    case 'unknown':
      return { Event: event.name, Fields: JSON.stringify(event.fields).slice(0, MAX_FIELDS) };
  }
}

/** Shortens a text for a summary. The whole text can be read by the id of the message. */
function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}

/** The message that an action sent. `Settled`: its state when a delivery receipt settled an outcome that was unknown. */
function messageOf(result: Fields | undefined): Fields {
  if (typeof result?.MessageId !== 'string') return {};
  const { MessageId, Status, Resolved } = result;
  return { MessageId, ...(typeof Resolved === 'string' && typeof Status === 'string' ? { Settled: Status } : {}) };
}

/** The cost of an action that was or may have been billed: that of the answer, or what a person confirmed. */
function costOf(action: Action, { tool, started }: ActionParts): Pick<StartedWork, 'cost' | 'maybeCost'> {
  const { state, consent } = action;
  if (started !== undefined) return started;
  if (consent?.cost === undefined) return {};
  if (state === 'unknown') return { maybeCost: consent.cost };
  return state === 'done' || state === 'partly' ? { cost: costDone({ action, tool }) } : {};
}

/** The same for each customer who pays. */
function chargesOf(action: Action, parts: ActionParts): readonly Charge[] {
  if (parts.started !== undefined) return parts.started.charges;
  const { cost, maybeCost } = costOf(action, parts);
  const { customer, customers = {} } = factsOf(action);
  const line = parts.tool?.paidBy === undefined ? undefined : textOf(action.shown[parts.tool.paidBy]);
  const payer = line === undefined ? { customer } : { customer: customers[line] ?? customer, payers: [line] };
  const known = cost === undefined ? [] : [{ cost, ...defined(payer) }];
  return maybeCost === undefined ? known : [...known, { cost: maybeCost, maybe: true, ...defined(payer) }];
}

/**
 * The state of an action, or of the longer work that it started. A question that expired, or that its requester took
 * back, was not declined.
 */
function stateOf(action: Action, { tool, started, now }: ActionParts): string {
  if (started !== undefined) return started.state;
  if (action.state === 'done') {
    const { how, headline } = standingOf(action, tool, now);
    // The delivery of a message is beside it.
    return how === 'set' || how === 'begun' ? 'done' : lowerFirst(headline);
  }
  if (action.state !== 'declined') return action.state;
  if (isUndecided(action)) return action.decidedVia ?? 'withdrawn';
  return isWithdrawn(action) ? 'withdrawn' : 'declined';
}

/** Largest number of lines and changed values that one entry names. */
const MAX_NAMED = 5;
const PHONE = /^\+\d{7,15}$/;

/** The lines that an action is about. */
function linesOf({ shown, known }: Action): string[] {
  const rows = changeOf({ known })?.rows ?? [];
  const given = [shown.PhoneNumbers, shown.PhoneNumber, shown.Number, shown.PortInNumber, shown.From].flat();
  const all = [...rows.map(({ of }) => of), ...given.map((entry) => (isRecord(entry) ? entry.Number : entry))];
  return [...new Set(all.filter((one): one is string => typeof one === 'string' && PHONE.test(one)))];
}

/**
 * The changes of an action, made or asked for: "Data limit: 20 MB → 300 MB" if it was asked for one record, which the
 * title names, otherwise "Data limit of +12015550105 (Ava Stone · Acme Mobile): 20 → 300". What only its own card shows is left
 * out: secrets, and details of a person that the operation marks `private`.
 */
function changesOf(
  change: Pick<Change, 'rows' | 'names'> | undefined,
  asked: Change | undefined,
  tool: Tool | undefined,
  what: string,
): string[] {
  if (change === undefined) return [];
  const hidden = new Set(tool ? markedNames(tool.input, 'input', 'private') : []);
  const rows = change.rows.filter((row) => !row.hidden && !hidden.has(row.member ?? '') && !isTold(row, what));
  const { changes, more } = changeLines({ ...change, rows }, MAX_NAMED);
  const isOne = new Set(asked?.rows.map(({ of }) => of)).size === 1;
  const texts = changes.map((line) => {
    const value = changeText(line);
    return `${line.what}${isOne || value === line.of ? '' : ` of ${line.of}`}: ${value}`;
  });
  return more > 0 ? [...texts, `and ${more} more`] : texts;
}

/** True for a number of a call that its title names. */
function isTold({ before, after }: ChangeRow, what: string): boolean {
  return before === undefined && typeof after === 'string' && PHONE.test(after) && what.includes(after);
}

/** "Set data limits of +12015550105": the title, and the lines if it names none. */
function subjectOf(title: string, phones: readonly string[]): string {
  if (phones.length === 0 || /\d{4}/.test(title)) return title;
  return `${title} of ${phones.length > MAX_NAMED ? `${phones.length} lines` : phones.join(', ')}`;
}

/** The definitions that describe an action, and the work that it started. */
interface ActionParts {
  tool: Tool | undefined;
  /** That of the rows of a batch. */
  rowTool: Tool | undefined;
  started: StartedWork | undefined;
  /** Epoch ms. */
  now: number;
}

function fromAction(action: Action, parts: ActionParts): Happening {
  const { tool, rowTool, started } = parts;
  const title = tool?.title ?? action.operation;
  const decidedBy = isUndecided(action) ? undefined : decidedByOf(action);
  const { customer } = factsOf(action);
  const phones = linesOf(action);
  const { cost, maybeCost } = costOf(action, parts);
  const What = withNames(
    subjectOf(action.consent ? questionTitle(tool, action) : title, phones),
    changeOf(action)?.names,
  );
  return {
    at: new Date(action.updatedAt).toISOString(),
    kind: 'action',
    charges: chargesOf(action, parts),
    values: {
      What,
      State: stateOf(action, parts),
      ...defined({
        Customer: customer,
        AskedBy: identified(action.person, action.actorName),
        DecidedBy: decidedBy,
        DecidedVia: decidedBy === undefined ? undefined : action.decidedVia,
        DecidedReason: action.decidedReason,
        Reason: action.reason,
      }),
      PhoneNumbers: phones,
      Changes: changesOf(started?.change ?? changeDone(tool, action), changeOf(action), rowTool, What),
      ...defined({ Charged: cost, MaybeCharged: maybeCost }),
      ...defined({ OrderId: orderOf(action) }),
      ...messageOf(action.result),
      Operation: action.operation,
      Id: action.id,
    },
  };
}
