import type { Guide } from '../../../tools/surfaces/guides/guide.ts';
import type { Assistant } from '../../assistant/assistant.ts';
import type { Batches } from '../../batches/batches.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { Gate } from '../../gate/gate.ts';
import type { RecordSearch } from '../../language/records.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Fields } from '../../lib/json.ts';
import type { Log } from '../../lib/log.ts';
import type { Job, Jobs } from '../../work/jobs.ts';
import type { Worker } from '../../work/worker.ts';
import type { AgentApi } from './api/agent.ts';
import type { Downloads } from './api/downloads.ts';
import type { WebApi } from './api/web.ts';
import type { OrderShown } from './blocks/event.ts';
import type { Press, ViewAnswer, ViewOf } from './flow-state.ts';
import type { BatchCards } from './live/batch-cards.ts';
import type { Cards } from './live/cards.ts';
import type { Home } from './live/home.ts';
import type { Pictures } from './live/pictures.ts';
import type { Signs } from './live/signs.ts';
import type { Directory } from './people/directory.ts';
import type { Memory } from './people/memory.ts';
import type { Recipients } from './people/recipients.ts';
import type { Roles } from './people/roles.ts';
import type { Origin, Reworder, SlackConfig, SlackGroup } from './types.ts';

/** Services that listeners and flows use. */
export interface SlackServices {
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

/** Guided flows in one modal. */
export interface Guides {
  /** Opens a guide at its first step with these values, or at the order that they name. */
  start(guide: Guide, known: Fields, origin: Origin): Promise<void>;
  /** Opens a guide where it was when it asked for this action. */
  resume(guide: Guide, action: string, origin: Origin): Promise<void>;
  /**
   * Opens the form that corrects an order, at the details that the carrier refused. `input` names the order, and may
   * have details that were entered before. False if Slack did not open it.
   */
  correct(guide: Guide, input: Fields, origin: Origin): Promise<boolean>;
  submit(view: ViewOf<'guide'>, origin: Origin): Promise<ViewAnswer>;
  /** A button inside a guide. */
  press(view: ViewOf<'guide'>, press: Press): Promise<void>;
  /** Continues the guide that waits for this action. */
  actionChanged(id: string): void;
  /** Handles the job that continues a guide after a restart. */
  goOn(job: Job): Promise<number | undefined>;
  /** Updates the views that show this order. */
  orderChanged(order: OrderShown): Promise<void>;
  close(): Promise<void>;
}

export interface SlackContext extends SlackServices {
  guides: Guides;
}
