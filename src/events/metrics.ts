import type { Clock } from '../lib/clock.ts';
import { gauge, type Metric, perLabel } from '../lib/metrics.ts';
import { REFUSAL_REASONS, type RefusalReason } from './http.ts';
import type { Inbox } from './inbox.ts';
import type { PlatformEvent } from './parse.ts';

/** The counters of the inbox by their name. */
const COUNTERS: Readonly<Record<string, { label: 'kind' | 'reason'; help: string }>> = {
  received: { label: 'kind', help: 'Events received, each counted once.' },
  repeated: { label: 'kind', help: 'Deliveries of events that had been received before.' },
  refused: { label: 'reason', help: 'Deliveries that were refused.' },
  handled: { label: 'kind', help: 'Events that were handled.' },
  retried: { label: 'kind', help: 'Failed attempts to handle an event.' },
  waited: { label: 'kind', help: 'Attempts put off because the other side was down.' },
  died: { label: 'kind', help: 'Events that were put on the dead-letter list.' },
};
/** The values of the labels. */
const KNOWN: Readonly<{ kind: readonly PlatformEvent['kind'][]; reason: readonly RefusalReason[] }> = {
  kind: ['order', 'message', 'status', 'call', 'watch', 'unknown'],
  reason: REFUSAL_REASONS,
};

export async function eventMetrics(inbox: Pick<Inbox, 'counts' | 'counters'>, clock: Clock): Promise<Metric[]> {
  const counts = inbox.counters.all();
  const counters = Object.entries(COUNTERS).map(
    ([what, { label, help }]): Metric =>
      perLabel({
        name: `switchboard_events_${what}_total`,
        help,
        type: 'counter',
        label,
        known: KNOWN[label],
        counts: new Map(counts.filter((one) => one.what === what).map((one) => [one.label, one.count])),
      }),
  );
  const { open, dead, oldestOpenAt } = await inbox.counts();
  const age = oldestOpenAt === undefined ? 0 : Math.max(0, (clock.now() - oldestOpenAt) / 1000);
  return [
    ...counters,
    gauge('switchboard_events_open', 'Events that wait to be handled.', open),
    gauge('switchboard_events_oldest_seconds', 'How long the oldest waiting event has waited.', age),
    gauge('switchboard_events_dead', 'Events on the dead-letter list.', dead),
  ];
}

/** One line for `switchboard doctor`. */
export async function eventHealth(
  inbox: Pick<Inbox, 'counts' | 'dead'>,
  clock: Clock,
): Promise<{ ok: boolean; line: string }> {
  const { open, dead, oldestOpenAt } = await inbox.counts();
  const minutes = oldestOpenAt === undefined ? 0 : Math.round((clock.now() - oldestOpenAt) / 60_000);
  const waiting = open === 0 ? 'none waiting' : `${open} waiting, the oldest for ${minutes} min`;
  const [last] = await inbox.dead(1);
  const lost = last
    ? `, ${dead} on the dead-letter list (last: ${last.stored.event.kind}, ${last.lastError}); see switchboard events list`
    : '';
  return { ok: dead === 0, line: `${waiting}${lost}` };
}
