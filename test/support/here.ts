import { createHistory } from '../../src/events/history.ts';
import { openInbox } from '../../src/events/inbox.ts';
import { openWatches } from '../../src/events/watch/watches.ts';
import type { Ledger } from '../../src/gate/ledger/ledger.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { tools } from '../../tools/index.ts';

/** What Switchboard keeps, for a door made by hand: in memory, or in files under `dir`. */
export function keptIn(ledger: Ledger, clock: Clock = systemClock, dir?: string) {
  const inbox = openInbox({ path: dir === undefined ? ':memory:' : `${dir}/events.db`, clock });
  const watches = openWatches({ path: dir === undefined ? ':memory:' : `${dir}/watches.db`, clock });
  return {
    inbox,
    watches,
    history: createHistory({ inbox: () => inbox, watches: () => watches, ledger, clock, tools }),
    close: () => {
      inbox.close();
      watches.close();
    },
  };
}
