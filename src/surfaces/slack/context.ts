import type { Assistant } from '../../assistant/assistant.ts';
import type { Batches } from '../../batches/batches.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { Gate } from '../../gate/gate.ts';
import type { RecordSearch } from '../../language/records.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { KeyValues } from '../../store/key-values.ts';
import type { Jobs } from '../../work/jobs.ts';
import type { Worker } from '../../work/worker.ts';
import type { AgentApi, Downloads } from './api/agent.ts';
import type { WebApi } from './api/web.ts';
import type { BatchCards } from './live/batch-cards.ts';
import type { Cards } from './live/cards.ts';
import type { Home } from './live/home.ts';
import type { Pictures } from './live/pictures.ts';
import type { Signs } from './live/turn-view.ts';
import type { Directory, Recipients } from './people/directory.ts';
import type { Memory } from './people/memory.ts';
import type { Roles } from './people/roles.ts';
import type { Reworder, SlackConfig, SlackGroup } from './types.ts';

/** Services that listeners and flows use. */
export interface SlackContext {
  config: SlackConfig;
  gate: Gate;
  tools: readonly Tool[];
  groups: Readonly<Record<string, SlackGroup>>;
  /** The later work of this surface, in this process or another one. */
  jobs: Jobs;
  worker: Worker;
  clock: Clock;
  log: Log;
  web: WebApi;
  agent: AgentApi;
  signs: Signs;
  /** Messages that were answered, by channel and time. */
  answered: KeyValues;
  /** The last change that is offered in each conversation, with its message. */
  offers: KeyValues;
  /** Answers plain words. */
  assistant: Assistant;
  roles: Roles;
  recipients: Recipients;
  memory: Memory;
  directory: Directory;
  /** Finds records by last digits and names. */
  records: RecordSearch;
  cards: Cards;
  pictures: Pictures;
  batches: Batches;
  batchCards: BatchCards;
  downloads: Downloads;
  reworded: Reworder;
  home: Home;
}
