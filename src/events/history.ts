import type { Happening, LocalHistory, Tool, Watched } from '../catalogue/operation.ts';
import { decidedByOf } from '../gate/confirmation.ts';
import type { Action, ActionsView } from '../gate/ledger/ledger.ts';
import { type Actor, identified } from '../lib/actor.ts';
import type { Clock } from '../lib/clock.ts';
import type { Inbox, StoredEvent } from './inbox.ts';
import { EVERY_MS } from './watch/poller.ts';
import type { Watch, Watches } from './watch/watches.ts';

/** A looker that was not heard of for so long is gone. */
const SILENT_MS = 15 * 60_000;
const MAX_TEXT = 2_000;

/** What Switchboard keeps itself, put together for workflows. */
export function createHistory(options: {
  inbox: () => Inbox;
  watches: () => Watches;
  ledger: Pick<ActionsView, 'since'>;
  clock: Clock;
  tools: readonly Tool[];
}): (actor: Actor) => LocalHistory {
  const { inbox, watches, ledger, clock } = options;
  const titles = new Map(options.tools.map(({ id, title }) => [id, title]));
  return (actor) => ({
    now: () => new Date(clock.now()),
    // Whoever may look sees who asked for what, on every surface; results and errors stay with the asker.
    happened({ since, until, kinds, about, limit }) {
      const only = { until: until.getTime(), about };
      const told = kinds.filter((kind) => kind !== 'action');
      const events = inbox().since(since.getTime(), limit + 1, { ...only, kinds: told });
      const actions = kinds.includes('action')
        ? ledger.since(since.getTime(), limit + 1, { ...only, whole: true })
        : [];
      const all = [
        ...events.map((kept) => fromKept(kept, inbox())),
        ...actions.map((action) => fromAction(action, titles.get(action.operation) ?? action.operation)),
      ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
      if (all.length <= limit) return { list: all, more: false };
      const list = all.slice(-limit);
      // What shares its moment with something left out goes to the next page with it, so that pages fit.
      const whole = list.findIndex(({ at }) => at !== all.at(-limit - 1)?.at);
      return { list: whole < 0 ? list : list.slice(whole), more: true };
    },
    lastMessage(phone) {
      const [found] = inbox().since(0, 1, { kinds: ['message'], about: [phone] });
      return found && fromKept(found, inbox());
    },
    order: (orderId) => inbox().lastReport(`order ${orderId}`),
    watch(phone) {
      watches().add(phone, actor.id);
      return { everyMinutes: EVERY_MS / 60_000, looks: clock.now() - (watches().beatAt() ?? 0) < SILENT_MS };
    },
    unwatch: (phone) => watches().remove(phone),
    watched: () => watches().list().map(shown),
  });
}

function shown({ phone, by, used, remaining, behaviour, checkedAt }: Watch): Watched {
  const at = checkedAt === undefined ? undefined : new Date(checkedAt).toISOString();
  return { phone, by, used, remaining, behaviour, checkedAt: at };
}

function fromKept(kept: StoredEvent, inbox: Inbox): Happening {
  return { at: new Date(kept.arrivedAt).toISOString(), kind: kept.event.kind, values: valuesOf(kept, inbox) };
}

function valuesOf({ event, state }: StoredEvent, inbox: Inbox): Record<string, unknown> {
  switch (event.kind) {
    case 'order': {
      // An update is a hint: what was read after it counts, as soon as it was read and told.
      const told = state === 'delivered' ? inbox.lastReport(event.subject) : undefined;
      const now = told ?? event;
      return {
        Status: now.status,
        PhoneNumbers: told?.numbers ?? [],
        ErrorMessage: now.message,
        OrderId: event.orderId,
      };
    }
    case 'message':
      return { From: event.from, Body: cut(event.text), To: event.to, Media: event.media, MessageId: event.messageId };
    case 'status':
      return { Status: event.status, To: event.to, MessageId: event.messageId };
    case 'call':
      return { Event: event.event, From: event.from, To: event.to, CallId: event.callId };
    case 'watch':
      return { PhoneNumber: event.phone, Found: event.found, Used: event.fields.Used };
    case 'unknown':
      return { Event: event.name, Fields: JSON.stringify(event.fields).slice(0, 500) };
  }
}

/** A summary is no archive: the whole text is read by the message's id. */
function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}

function fromAction(action: Action, title: string): Happening {
  const decidedBy = decidedByOf(action);
  return {
    at: new Date(action.updatedAt).toISOString(),
    kind: 'action',
    values: {
      What: action.consent?.title ?? title,
      State: action.state,
      AskedBy: identified(action.person, action.actorName),
      ...(decidedBy === undefined ? {} : { DecidedBy: decidedBy }),
      ...(action.decidedVia === undefined ? {} : { DecidedVia: action.decidedVia }),
      Operation: action.operation,
      Id: action.id,
    },
  };
}
