import { inboxHistories } from '../../src/events/history.ts';
import { Inbox } from '../../src/events/inbox.ts';
import { Watches } from '../../src/events/watches.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { SqliteStore } from '../../src/store/sqlite.ts';
import { Jobs } from '../../src/work/jobs.ts';
import { tools } from '../../tools/index.ts';

/** Local history for a surface that a test opens by hand: in memory, or in files under `dir`. */
export function keptIn(ledger: Ledger, clock: Clock = systemClock, dir?: string) {
  const store = new SqliteStore({ path: dir === undefined ? ':memory:' : `${dir}/switchboard.db`, clock });
  const database = store.database('events');
  const inbox = new Inbox({ database, clock, jobs: new Jobs({ database, clock, owner: 'test' }) });
  const watches = new Watches({ database: store.database('watches'), clock });
  return {
    store,
    inbox,
    watches,
    history: inboxHistories({ inbox, watches, ledger, clock, tools }),
    close: async () => {
      inbox.close();
      await store.close();
    },
  };
}
