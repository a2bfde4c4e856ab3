import type { Batches } from '../../batches/batches.ts';
import type { Presets } from '../../catalogue/offered.ts';
import type { Gate } from '../../gate/gate.ts';
import type { ListedTool } from '../../language/assistants/listed.ts';
import type { Seal } from '../../ledger/seal.ts';
import type { Actor, Role } from '../../lib/actor.ts';
import type { Changes } from '../../lib/changes.ts';
import type { Completions } from '../../platform/dialect/orders.ts';
import type { ClientStream } from './protocol.ts';
import type { SlackbotAnswers } from './slackbot.ts';

/** The parts that tool calls need. They are opened at the first call, so that listing tools stays cheap. */
export interface Backend {
  gate: Gate;
  batches: Batches;
  known: Completions;
  /** Seals the state that a client returns with a repeated call. */
  seal: Seal;
  /** Starts reporting new events, including those that other processes record. */
  follow?: () => void;
}

export interface McpOptions {
  listed: readonly ListedTool[];
  presets: Presets;
  toolsets: readonly string[];
  readOnly: boolean;
  discover: boolean;
  /** True if everything runs on a sandbox. The instructions say so. */
  demo?: boolean;
  actor: Actor;
  version: string;
  backend: () => Promise<Backend>;
  /** Role of the client's user: over stdio that of the local user, who may confirm; over HTTP that of the identity. */
  userRole: Role;
  /** Role of the client's user on the confirmation page, after signing in or pairing a browser. */
  pageRole: Role;
  onError?: (error: unknown) => void;
  /** Called with a new confirmation before any person is asked, so that its page can be opened for the user. */
  onPending?: (id: string) => Promise<void>;
  /** Set if the connection can be cut and reopened. Changes during a cut are reported when it opens again. */
  stream?: ClientStream;
  /**
   * Set for a person who calls through Slack's own assistant. No question is asked there, because a permission given in
   * that assistant is not a confirmation.
   */
  slackbot?: SlackbotAnswers;
  /** Fires when the process stops. A call that waits for its client's user is then answered as waiting. */
  stopping?: AbortSignal;
  /** Changes a client may subscribe to. Left out if the server cannot reach the client later. */
  changes?: Changes;
}
