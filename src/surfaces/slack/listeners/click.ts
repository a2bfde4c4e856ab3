import type { SlackContext } from '../context.ts';
import type { SentView } from '../flow-state.ts';
import type { Reply } from '../flows/engine.ts';
import type { Origin } from '../types.ts';

/** A click on a button, or a choice in a menu. */
export interface Click {
  actionId: string;
  value: string;
  /** The message it is in; undefined in the App Home. */
  messageTs: string | undefined;
  /** The message it is in, unless only one person sees that. Others can answer it in its thread. */
  postedTs?: string;
  /** The text from outside that the message shows. */
  quoted?: string;
  /** The form it is in. */
  view?: SentView;
  /** The block it is in. */
  blockId: string;
  origin: Origin;
}

export type ClickHandler = (slack: SlackContext, click: Click, reply: Reply) => Promise<void>;
