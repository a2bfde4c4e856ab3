import type { NextStep } from '../../../tools/groups.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { Gate } from '../../gate/gate.ts';
import type { Action } from '../../gate/ledger/ledger.ts';
import type { Actor } from '../../lib/actor.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import type { Guides } from './flows/guide.ts';
import type { Cards } from './live/cards.ts';
import type { Home } from './live/home.ts';
import type { Doubt } from './live/once.ts';
import type { Posted, Web } from './live/web.ts';
import type { Directory } from './people/directory.ts';
import type { Memory } from './people/memory.ts';
import type { Roles } from './people/roles.ts';
import type { Reworder } from './people/said.ts';

export type Log = (
  level: 'debug' | 'info' | 'warn' | 'error',
  fields: Record<string, unknown>,
  message: string,
) => void;

/** The settings this surface needs. */
export type SlackConfig = Pick<
  Config,
  | 'SLACK_BOT_TOKEN'
  | 'SLACK_APP_TOKEN'
  | 'SLACK_SIGNING_SECRET'
  | 'SLACK_API_URL'
  | 'SLACK_COMMAND_PREFIX'
  | 'SLACK_VIEWERS'
  | 'SLACK_OPERATORS'
  | 'SLACK_APPROVERS'
  | 'SLACK_EVENTS_CHANNEL'
  | 'PLATFORM_ACCOUNT_ID'
>;

/** Where a person confirms instead, where CONFIRM_VIA leaves Slack out; undefined where Slack may. */
export function elsewhereOf(gate: Gate, id: string): Elsewhere | undefined {
  return gate.decidesBy('slack') ? undefined : { url: gate.pageUrl(id) };
}

/** The page that confirms; without `url` no page is served by this process. */
export interface Elsewhere {
  url: string | undefined;
}

/** As much of a group (tools/groups.ts) as Slack needs. */
export interface SlackGroup {
  title: string;
  description: string;
  example: string;
  /** The tool behind the short lookup command. */
  lookup?: string;
  /** Operations offered as buttons under a lookup, where the number's state is one of `states` (or `states` is left out). */
  next?: readonly NextStep[];
}

/** Who did something in Slack, and where. */
export interface Origin {
  userId: string;
  teamId: string;
  channel?: string;
  threadTs?: string;
  responseUrl?: string;
  triggerId?: string;
}

/** Everything the rooms of this surface share. */
export interface SlackContext {
  config: SlackConfig;
  gate: Gate;
  tools: readonly Tool[];
  groups: Readonly<Record<string, SlackGroup>>;
  clock: Clock;
  log: Log;
  web: Web;
  roles: Roles;
  memory: Memory;
  directory: Directory;
  cards: Cards;
  reworded: Reworder;
  home: Home;
  guides: Guides;
  /** What was given before for a record, without secrets, so that a correction starts from the old values. */
  before(tool: Tool, given: Record<string, unknown>): Record<string, unknown>;
}

/** What a card's whereabouts look like in an action's notes. */
export interface CardNote {
  /** Slack user who asked, where it was asked in Slack. */
  asker?: string;
  /** Channel it was asked in. */
  from?: string;
  channel?: string;
  ts?: string;
  /** By channel or person: the card was sent there, and no answer told whether it arrived. */
  sent?: Record<string, Doubt>;
  /** Further places where the card stands, because Slack showed it twice; each is kept up to date too. */
  copies?: Posted[];
  /** The state the card shows. */
  shown?: Action['state'] | undefined;
}

export function noteOf(action: Action): CardNote {
  const note = action.notes.slack;
  return note !== null && typeof note === 'object' ? (note as CardNote) : {};
}

export type { Actor };
