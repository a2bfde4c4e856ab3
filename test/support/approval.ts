import { secretNames } from '../../src/catalogue/input.ts';
import { inboxHistories } from '../../src/events/history.ts';
import { Inbox } from '../../src/events/inbox.ts';
import { Watches } from '../../src/events/watches.ts';
import type { Approval } from '../../src/gate/approval.ts';
import type { GateOptions } from '../../src/gate/confirmation.ts';
import { Gate } from '../../src/gate/gate.ts';
import { type Actor, WAYS } from '../../src/lib/actor.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Client } from '../../src/platform/client.ts';
import { createRedactor } from '../../src/platform/dialect/redact.ts';
import { SqliteStore } from '../../src/store/sqlite.ts';
import { Jobs } from '../../src/work/jobs.ts';
import { tools } from '../../tools/index.ts';

/** The rules of an installation where every way is open and one person is enough, for doors made by hand. */
export function everyWay(more: Partial<Approval> = {}): Approval {
  return {
    via: WAYS,
    twoPerson: false,
    asksOwn: true,
    slackOperators: true,
    slackApprovers: ['*'],
    pageApprovers: [],
    oauth: false,
    pairing: true,
    ...more,
  };
}

/** A gate made by hand, on the catalogue, with these rules unless others are given. */
export function gateOn(given: Pick<GateOptions, 'client' | 'ledger' | 'worker'> & Partial<GateOptions>): Gate {
  const { clock = systemClock, ledger } = given;
  const store = new SqliteStore({ path: ':memory:', clock });
  const database = store.database('events');
  const inbox = new Inbox({ database, clock, jobs: new Jobs({ database, clock, owner: 'test' }) });
  const watches = new Watches({ database: store.database('watches'), clock });
  return new Gate({
    tools,
    clock,
    requesters: { refusal: async () => undefined },
    redactor: createRedactor(secretNames(tools)),
    approval: everyWay(),
    confirmSeconds: 300,
    settleMs: 300_000,
    timeZone: 'UTC',
    log: () => undefined,
    history: inboxHistories({ inbox, watches, ledger, clock, tools }),
    ...given,
  });
}

/** A platform that answers each request by a function, without tokens and limits. */
export const answering = (send: Client['send']): Client => ({
  send,
  token: async () => ({ successful: true, tokenExpiry: '' }),
  budget: async () => ({ used: 0, limit: 120, waiting: 0 }),
  close: async () => undefined,
  metrics: () => [],
  secrets: () => [],
});

/** An approver at the page, unless `more` says otherwise. The name is the end of the id. */
export const actorOf = (id: string, more: Partial<Actor> = {}): Actor => ({
  ...{ id, name: id.split(/[:/]/).at(-1) ?? '', role: 'approver', surface: 'page', priority: 'person' },
  ...more,
});
