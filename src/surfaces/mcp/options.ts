import type { Presets } from '../../catalogue/offered.ts';
import type { Gate } from '../../gate/gate.ts';
import type { Seal } from '../../gate/ledger/seal.ts';
import type { Actor, Role } from '../../lib/actor.ts';
import type { Changes } from '../../lib/changes.ts';
import type { Completions } from '../../lib/completions.ts';
import type { ListedTool } from './listed.ts';
import type { ClientStream } from './protocol.ts';
import type { SlackbotAnswers } from './slackbot.ts';

/** The parts that tool calls need. Opened at the first call, so that listing tools costs nothing. */
export interface Backend {
  gate: Gate;
  known: Completions;
  /** Seals what a client hands back with a repeated call. */
  seal: Seal;
  /** Starts reporting new events, whichever process records them. */
  follow?: () => void;
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
  /** Role of the client's user: the local user over stdio, who may confirm; the role of the identity over HTTP. */
  userRole: Role;
  /** Role of the client's user on the confirmation page, where they sign in or their browser is paired. */
  pageRole: Role;
  onError?: (error: unknown) => void;
  /** Called with a confirmation that nobody was asked about yet, so that its page can be opened for the user. */
  onPending?: (id: string) => Promise<void>;
  /** Given if the connection can be cut and reopened. Changes during a cut are reported when it opens again. */
  stream?: ClientStream;
  /** Set for a person who calls through Slack's own assistant. Nobody is asked there: what it allows is no confirmation. */
  slackbot?: SlackbotAnswers;
  /** Changes a client may subscribe to. Left out if the server cannot reach the client later. */
  changes?: Changes;
}
