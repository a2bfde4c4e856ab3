import { batchTemplate, confirmationTemplate, templates } from '../../tools/surfaces/assistants.ts';
import type { Batches } from '../batches/batches.ts';
import { isChange, type Tool } from '../catalogue/operation.ts';
import type { Inbox } from '../events/inbox.ts';
import type { PlatformEvent } from '../events/parse.ts';
import type { Action, Ledger } from '../ledger/ledger.ts';
import { type Clock, LOOK_MS, SECOND_MS } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { textsIn } from '../lib/values.ts';
import { isPossiblePhone } from '../platform/dialect/phone.ts';
import { orderOf } from '../platform/dialect/verdict.ts';
import { levelOf } from '../store/key-values.ts';
import type { Changes } from '../surfaces/mcp/protocol.ts';

/** Time span that each read looks back, because an entry may reach the disk later than it is dated. */
const BACK_MS = 3 * LOOK_MS;
/** Maximum number of entries per read, which is more than can change within `BACK_MS`. */
const MAX_ENTRIES = 10_000;

interface FollowerOptions {
  changes: Changes;
  ledger: Pick<Ledger, 'since'>;
  batches: Pick<Batches, 'updatedSince'>;
  tools: readonly Tool[];
  inbox: Inbox;
  clock: Clock;
  log: Log;
}

/**
 * Announces resources that change. Actions of this process are announced at once. From `start` on, events and actions
 * that any process writes to the shared files are announced too.
 */
export function createFollower({ changes, ledger, batches, tools, inbox, clock, log }: FollowerOptions) {
  /** Changes that were announced already, with their times. */
  const announced = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let startedAt: number | undefined;

  async function look(): Promise<void> {
    if (startedAt === undefined) return;
    await read(startedAt).catch((error: unknown) => {
      const message = 'changes of other processes could not be read; trying again';
      log(levelOf(error, 'warn'), { error: String(error) }, message);
    });
  }

  async function read(startedAt: number): Promise<void> {
    const from = clock.now() - BACK_MS;
    for (const [key, at] of announced) if (at < from) announced.delete(key);
    const isNew = (key: string, at: number): boolean => {
      if (at < startedAt || announced.has(key)) return false;
      announced.set(key, at);
      return true;
    };
    for (const { id, arrivedAt, event } of await inbox.since(from, MAX_ENTRIES))
      if (isNew(`event ${id} ${arrivedAt}`, arrivedAt)) announce(urisOfEvent(event));
    for (const action of await ledger.since(from, MAX_ENTRIES))
      if (isNew(keyOf(action), action.updatedAt)) announce(urisOf(action));
    for (const { id, at } of await batches.updatedSince(from))
      if (isNew(`batch ${id} ${at}`, at)) announce([fill(batchTemplate.uriTemplate, id)]);
  }

  /** Returns the URIs of the MCP resources that an action changes: its confirmation, its order and its numbers. */
  function urisOf(action: Action): string[] {
    const { id, operation, state, shown, known, result } = action;
    const order = orderOf(action);
    const tool = tools.find((one) => one.id === operation);
    const isDone = CHANGED.includes(state) && tool !== undefined && isChange(tool);
    const texts = isDone ? textsIn([shown, known, result]).map(({ value }) => value) : [];
    return [
      fill(confirmationTemplate.uriTemplate, id),
      ...(order === undefined ? [] : [uriOf('order', order)]),
      ...[...new Set(texts.filter(isPossiblePhone))].map((phone) => uriOf('number', phone)),
    ];
  }

  function announce(uris: readonly string[]): void {
    for (const uri of uris) changes.announce(uri);
  }

  return {
    /** Announces an action of this process. */
    actionChanged: (action: Action) => {
      if (startedAt !== undefined) announced.set(keyOf(action), action.updatedAt);
      announce(urisOf(action));
    },
    /** Follows the shared files from now on. */
    start: () => {
      if (startedAt !== undefined) return;
      startedAt = clock.now();
      timer = setInterval(() => void look(), SECOND_MS).unref();
    },
    stop: () => {
      startedAt = undefined;
      clearInterval(timer);
    },
  };
}

function keyOf({ id, updatedAt, state }: Action): string {
  return `${id} ${updatedAt} ${state}`;
}

/** Returns the URIs of the MCP resources that an event changes. */
function urisOfEvent(event: PlatformEvent): string[] {
  switch (event.kind) {
    case 'order':
      return [uriOf('order', event.orderId)];
    case 'message':
    case 'status':
      return [event.from, ...event.to].map((phone) => uriOf('messages', phone));
    case 'watch':
      return [uriOf('number', event.phone)];
    default:
      return [];
  }
}

/** States in which something was or may have been changed. */
const CHANGED: readonly Action['state'][] = ['done', 'partly', 'unknown'];

function uriOf(name: string, id: string): string {
  return fill(templates.find((template) => template.name === name)?.uriTemplate ?? '', id);
}

function fill(template: string, id: string): string {
  return `${template.split('{')[0] ?? ''}${id}`;
}
