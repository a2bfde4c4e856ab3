import type { Presets } from '../../catalogue/offered.ts';
import type { Gate } from '../../gate/gate.ts';
import type { Actor, Role } from '../../lib/actor.ts';
import type { Changes } from '../../lib/changes.ts';
import type { Completions } from '../../lib/completions.ts';
import type { ListedTool } from './listed.ts';

/** The parts that tool calls need. Opened at the first call, so that listing tools costs nothing. */
export interface Backend {
  gate: Gate;
  known: Completions;
  /** Starts reporting new events, whichever process records them. */
  follow?: () => void;
}

/** The stream to a client over HTTP, which can be cut and reopened. */
export interface ClientStream {
  isOpen(): boolean;
  onOpen(listener: () => void): void;
}

export interface McpOptions {
  listed: readonly ListedTool[];
  presets: Presets;
  toolsets: readonly string[];
  readOnly: boolean;
  discover: boolean;
  /** Everything runs on a sandbox, which the instructions say. */
  demo?: boolean;
  actor: Actor;
  version: string;
  backend: () => Promise<Backend>;
  /** Whether requests of the server reach the client, so that it can ask its user (elicitation). */
  canAsk: boolean;
  /** Role of the client's user: the local user over stdio, who may confirm; the role of the identity over HTTP. */
  userRole: Role;
  onError?: (error: unknown) => void;
  /** Called with a confirmation that nobody was asked about yet, so that its page can be opened for the user. */
  onPending?: (id: string) => Promise<void>;
  /** Given if the connection can be cut and reopened. Changes during a cut are reported when it opens again. */
  stream?: ClientStream;
  /** Changes a client may subscribe to. Left out if the server cannot reach the client later. */
  changes?: Changes;
}
