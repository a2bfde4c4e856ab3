import type { NextStep } from '../../../tools/groups.ts';
import type { Gate } from '../../gate/gate.ts';
import type { Action } from '../../gate/ledger/ledger.ts';
import type { Actor } from '../../lib/actor.ts';
import type { Config } from '../../lib/config.ts';
import { defined, type Fields, isRecord } from '../../lib/json.ts';

/* Types that several folders of this surface share. Imports no other file of the surface. */

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

/** The part of a group (tools/groups.ts) that Slack needs. */
export interface SlackGroup {
  title: string;
  description: string;
  example: string;
  /** The tool behind the short lookup command. */
  lookup?: string;
  /** Operations offered as buttons under a lookup. */
  next?: readonly NextStep[];
}

/** Rewrites a sentence made for every surface for Slack. */
export type Reworder = (text: string) => string;

/** Who did something in Slack, and where. */
export interface Origin {
  userId: string;
  teamId: string;
  channel?: string;
  threadTs?: string;
  responseUrl?: string;
  triggerId?: string;
}

/** Reads and writes data for the process itself, with no person asking. */
export const SLACK_ACTOR: Actor = { id: 'slack', name: 'Slack', role: 'viewer', surface: 'slack', priority: 'person' };

/** A message in Slack. */
export interface Posted {
  channel: string;
  ts: string;
}

/** A message that was sent to Slack without an answer that confirms its arrival. Stored by the caller, as JSON. */
export interface UnconfirmedPost {
  channel: string;
  threadTs?: string;
  /** Written into the message's metadata; the same for every time it is sent. */
  mark: string;
  /** How often it was sent, and when first and last (epoch ms). */
  posts: number;
  since: number;
  last: number;
  /** Slack answered each time, with a server error: none of the requests is still in progress. */
  answered?: true;
}

/** The part of an action's notes that belongs to Slack. Stored in the ledger, as JSON. */
export interface CardNote {
  /** Slack user who asked. */
  asker?: string;
  /** Channel it was asked in. */
  from?: string;
  channel?: string;
  ts?: string;
  /** By channel or user: the card was sent there, and its arrival is unconfirmed. */
  sent?: Record<string, UnconfirmedPost>;
  /** Further copies of the card, which Slack showed twice. Each is updated too. */
  copies?: Posted[];
  /** The state the card shows. */
  shown?: Action['state'] | undefined;
}

export function noteOf(action: Action): CardNote {
  const note = action.notes.slack;
  return isRecord(note) ? (note as CardNote) : {};
}

/** The notes of an action that was asked for in Slack. */
export function askerNotes({ userId, channel }: Origin): { slack: CardNote } {
  return { slack: { asker: userId, ...defined({ from: channel || undefined }) } };
}

/** The message with an action's card. */
export function cardAt({ channel, ts }: CardNote): Posted | undefined {
  return channel !== undefined && ts !== undefined ? { channel, ts } : undefined;
}

/** Where a person confirms if CONFIRM_VIA excludes Slack. Without `url`, this process serves no page. */
export interface Elsewhere {
  url: string | undefined;
}

export function elsewhereOf(gate: Gate, id: string): Elsewhere | undefined {
  return gate.decidesBy('slack') ? undefined : { url: gate.pageUrl(id) };
}

/** A submitted or open form, as Slack sends it. */
export interface SentView {
  id: string;
  metadata: string;
  /** `state.values`, by block and action. */
  values: Fields;
}

/** The answer to a submitted form, and the work that follows it. */
export interface ViewAnswer {
  ack: Fields | undefined;
  after?: () => Promise<void>;
}
