import type { Clock } from '../lib/clock.ts';
import type { Inbox } from './inbox.ts';

const COUNTERS: Readonly<Record<string, { name: string; label: string; help: string }>> = {
  received: { name: 'received', label: 'kind', help: 'Events kept, each once.' },
  repeated: { name: 'repeated', label: 'kind', help: 'Deliveries of events that were kept before.' },
  refused: { name: 'refused', label: 'reason', help: 'Deliveries turned away.' },
  handled: { name: 'handled', label: 'kind', help: 'Events shown to whom they concern.' },
  retried: { name: 'retried', label: 'kind', help: 'Failed attempts to handle an event.' },
  waited: { name: 'waited', label: 'kind', help: 'Attempts put off because the other side was down.' },
  died: { name: 'died', label: 'kind', help: 'Events that went to the dead-letter list.' },
};

/** What `/metrics` shows of events, in Prometheus' text format; every line ends with a line feed. */
export function eventMetrics(inbox: Pick<Inbox, 'counts' | 'tallies'>, clock: Clock): string {
  const tallies = inbox.tallies();
  const lines: string[] = [];
  for (const [what, { name, label, help }] of Object.entries(COUNTERS)) {
    const metric = `switchboard_events_${name}_total`;
    lines.push(`# HELP ${metric} ${help}`, `# TYPE ${metric} counter`);
    for (const tally of tallies)
      if (tally.what === what)
        lines.push(`${metric}{${label}="${tally.label.replace(/[\\"\n]/g, '_')}"} ${tally.count}`);
  }
  const { open, dead, oldestOpenAt } = inbox.counts();
  const age = oldestOpenAt === undefined ? 0 : Math.max(0, (clock.now() - oldestOpenAt) / 1000);
  const gauge = (name: string, help: string, value: number) =>
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`);
  gauge('switchboard_events_open', 'Events that wait to be handled.', open);
  gauge('switchboard_events_oldest_seconds', 'How long the oldest of them has waited.', age);
  gauge('switchboard_events_dead', 'Events on the dead-letter list.', dead);
  return `${lines.join('\n')}\n`;
}

/** One line for `switchboard doctor`. */
export function eventHealth(inbox: Pick<Inbox, 'counts' | 'dead'>, clock: Clock): { ok: boolean; line: string } {
  const { open, dead, oldestOpenAt } = inbox.counts();
  const minutes = oldestOpenAt === undefined ? 0 : Math.round((clock.now() - oldestOpenAt) / 60_000);
  const waiting = open === 0 ? 'none waiting' : `${open} waiting, the oldest for ${minutes} min`;
  const last = inbox.dead(1)[0];
  const lost = last
    ? `, ${dead} on the dead-letter list (last: ${last.event.kind}, ${last.reason}); see switchboard events list`
    : '';
  return { ok: dead === 0, line: `events: ${waiting}${lost}` };
}
