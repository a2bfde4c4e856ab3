import type { Decider } from '../gate/approval.ts';
import type { GivenFile } from '../language/assistants/caller.ts';
import type { Actor } from '../lib/actor.ts';
import type { Fields } from '../lib/json.ts';
import type { Interrupted } from './conversations.ts';

/** One message that is answered. */
export interface TurnRequest {
  /** Names the conversation. Its turns run one after another. */
  thread: string;
  /** Names of the memories that keep this turn, the first of which is read; that of the thread if left out. */
  memories?: readonly string[];
  /** Names begin so that are forgotten together with the thread. */
  forgets?: string | undefined;
  /** Messages before this time (epoch ms) are not remembered in this turn. */
  since?: number | undefined;
  text: string;
  /** When it was written, epoch ms of the surface's clock; now if left out. */
  at?: number;
  /** The person who wrote it. Their role decides the tools. */
  writer: Actor;
  /** IANA time zone of the writer; UTC if left out. */
  zone?: string | undefined;
  /** Other people's messages in the thread since the last answer. */
  others?: readonly { person: string; name: string; text: string; at: number }[];
  /** A message of another person that this one forwards. `subject`: the only line that it names; "it" means no other. */
  forwarded?: { text: string; subject?: string | undefined } | undefined;
  /** The person who decides, and the way, for a surface that asks after the turn. */
  decider?: Decider;
  /** Lists that came with the message, by name. */
  files?: readonly GivenFile[];
  /** True if the surface can show forms. */
  opensForms?: boolean;
  /** The name of a number or id, as far as the surface has learned it. */
  nameOf?: (value: string) => string | undefined;
  /** Stored with actions that wait, for the surface that shows their cards. */
  notes?: Fields;
  /** Runs in any process if this one ends in the turn, with `thread` and `turn` added to its payload. */
  interrupted?: Interrupted;
}
