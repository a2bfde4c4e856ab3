import type { Batches } from '../../../batches/batches.ts';
import type { Gate } from '../../../gate/gate.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { Database } from '../../../store/types.ts';
import type { Jobs } from '../../../work/jobs.ts';
import type { Worker } from '../../../work/worker.ts';
import type { AgentApi } from '../api/agent.ts';
import type { WebApi } from '../api/web.ts';
import type { Recipients } from '../people/directory.ts';
import type { Roles } from '../people/roles.ts';
import type { Reworder, SlackConfig } from '../types.ts';

/** What everything in this surface works with. */
export interface Services {
  config: SlackConfig;
  gate: Gate;
  batches: Batches;
  /** The later work of this surface, in this process or another one. */
  jobs: Jobs;
  worker: Worker;
  /** Values that all processes share (area slack-seen). */
  database: Database;
  clock: Clock;
  log: Log;
  web: WebApi;
  agent: AgentApi;
  roles: Roles;
  recipients: Recipients;
  reworded: Reworder;
}
