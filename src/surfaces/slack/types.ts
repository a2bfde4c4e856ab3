import * as z from 'zod';
import { type ActionId, LABELS } from '../../cards/card.ts';
import { levelOfAction } from '../../ledger/action.ts';
import type { Action } from '../../ledger/ledger.ts';
import type { Actor } from '../../lib/actor.ts';
import type { Config } from '../../lib/config.ts';
import type { Log } from '../../lib/log.ts';
import type { ProxySettings } from '../../lib/proxies.ts';
import { type Fields, objectIn, recordOf, textOf, type Words } from '../../lib/values.ts';

/** Names of the buttons of cards: each is that of its action. */
const CARD_IDS = Object.fromEntries(Object.keys(LABELS).map((id) => [id, `sb_${id}`])) as {
  readonly [Id in ActionId]: `sb_${Id}`;
};

/** Names of buttons, forms and shortcuts that Slack sends back. */
export const IDS = {
  ...CARD_IDS,
  reason: 'sb_reason',
  /** Something that can be done with a row of a list. */
  rowStep: 'sb_do',
  pick: 'sb_pick',
  value: 'sb_value',
  batchNew: 'sb_batch_new',
  batchChosen: 'sb_batch_chosen',
  batchShow: 'sb_batch_show',
  messageShortcut: 'sb_find_numbers',
  globalShortcut: 'sb_lookup',
} as const;

/** The shortcut that opens a guide from anywhere in Slack. */
export const guideShortcut = (name: string) => `${IDS.guide}_${name}`;

/* Types that several folders of this surface share. Imports no other file of the surface. */

/** The settings this surface needs. */
export type SlackConfig = Pick<
  Config,
  Extract<keyof Config, `SLACK_${string}`> | 'PLATFORM_ACCOUNT_ID' | 'CONFIRM_OWN'
> &
  ProxySettings;

/** Rewrites a sentence made for every surface for Slack. */
export type Reworder = (text: Words) => string;

/** The person and place of a request in Slack. */
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

/** Handles an error that is only logged. The work goes on without a result. */
export function logged({ log }: { log: Log }, level: Parameters<Log>[0], text: string, fields: Fields = {}) {
  return (error: unknown): undefined => log(level, { ...fields, error: String(error) }, text) as undefined;
}

/** The part of an action's notes that belongs to Slack. Stored in the ledger, as JSON. */
export interface CardNote {
  /** Slack user who asked. */
  asker?: string;
  /** True if Slack's own assistant asked for the person. */
  slackbot?: true;
  /** True if a turn of the conversation asked, whose thread is told every outcome. */
  turn?: true;
  /** True if the requester was told the outcome. */
  told?: true;
  /** True while the last known outcome is that it is unknown. */
  toldUnknown?: true | undefined;
  /** Channel it was asked in. */
  from?: string;
  /** Thread of that channel it was asked in. */
  thread?: string;
  /** The action that "Ask again" made of this one. */
  again?: string;
}

export function noteOf(action: Action): CardNote {
  return recordOf(action.notes.slack) as CardNote;
}

/** The thread that a card in this channel belongs to; undefined for the channel itself. */
export function threadAt({ from, thread }: CardNote, channel: string): string | undefined {
  return channel === from ? thread : undefined;
}

/** The approvers to notify of a waiting action. Stored in the ledger, as JSON. */
export interface ApproversNote {
  /** Channels and users to notify. */
  places?: string[];
  /** Number of approvers beyond the maximum for direct messages. */
  more?: number;
  /**
   * The reason why no approver is notified outside the card's channel: everyone may confirm; nobody else is named who may;
   * the only one is the requester, who may confirm; a user group could not be read; Slack may not confirm.
   */
  nobody?: 'everyone' | 'unnamed' | 'own' | 'unread' | 'way';
}

/** A message about an action. Stored in the ledger by its key, as JSON. */
export interface ActionMessage {
  /** Its place; undefined before Slack has taken it. */
  at?: Posted;
  /** Digest of what it shows. */
  shown?: string;
  /** Time of the last attempt to post it (epoch ms), and the number of attempts that failed. */
  triedAt: number;
  tries?: number;
  /** Slack's reason for refusing it. Without it, a message that has no place may have been posted. */
  refused?: string;
}

/** True for a message that Slack may have taken without an answer. */
export function isUnsure(message: ActionMessage | undefined): boolean {
  return message !== undefined && message.at === undefined && message.refused === undefined;
}

/** Slack's reasons that pass by themselves. */
export const BUSY = /^(network|rate_?limited|internal_error|fatal_error|service_unavailable|request_timeout)$/;

/**
 * Switchboard's reasons for sending nothing to a person: they lack the role, or Slack does not say whether they have
 * it.
 */
export const NO_ROLE = 'no_role';
export const UNREAD = 'unread';

export function approversOf(action: Action): ApproversNote {
  return recordOf(action.notes.approvers) as ApproversNote;
}

/**
 * The messages about an action. Keys: `card`; `copy <ts>`, the card shown twice; `mine`, the requester's card where it was
 * asked if the card for approvers is in another place; `asked <place>` and `reminder <place>`, the messages to approvers.
 */
export function messagesOf(action: Action): Readonly<Record<string, ActionMessage>> {
  return recordOf(action.notes.messages) as Record<string, ActionMessage>;
}

/** The first message about an action to this place. */
export function tellingOf(action: Action, place: string): ActionMessage | undefined {
  return messagesOf(action)[`asked ${place}`];
}

/**
 * True for an own change of a person in Slack, which that person is asked about where they wrote. A request of
 * Slack's own assistant has a card, as that of any assistant.
 */
export function isOwnQuestion(action: Action): boolean {
  const { asker, slackbot } = noteOf(action);
  return asker !== undefined && !slackbot && levelOfAction(action) === 'own';
}

/** The thread where an action's end is told: of the conversation that asked, otherwise of the card that its requester reads. */
export function threadOf(action: Action): { channel: string; threadTs: string } | undefined {
  const note = noteOf(action);
  const at = messagesOf(action).mine?.at ?? cardAt(action);
  if (at) return { channel: at.channel, threadTs: threadAt(note, at.channel) ?? at.ts };
  return note.from && note.thread ? { channel: note.from, threadTs: note.thread } : undefined;
}

/** The message with an action's card. */
export function cardAt(action: Action): Posted | undefined {
  return messagesOf(action).card?.at;
}

/** The channel whose people see the card. Undefined for a card in a thread, because few people see it. */
export function channelTold(action: Action): string | undefined {
  const channel = cardAt(action)?.channel;
  return channel === undefined || threadAt(noteOf(action), channel) !== undefined ? undefined : channel;
}

/** True for a user, who is notified by direct message; false for a channel. */
export function isPerson(place: string): boolean {
  return place.startsWith('U') || place.startsWith('W');
}

/*
 * The state that a modal carries from one step to the next, in its `private_metadata`: one union, written and read here
 * alone.
 */

const text = z.string().optional();
const values = z.record(z.string(), z.unknown()).optional();

/** The members of every form that is derived from an operation. */
const form = {
  /** Operation, or a form of a guide's own. Undefined for a view without inputs. */
  operation: text,
  channel: text,
  /** Thread in which the form was opened. The outcome is posted there. */
  thread: text,
  /** Values that are sent and that the form has no input for. */
  carried: values,
  /** The only fields that it asks for, beside those that name the record. */
  only: z.array(z.string()).optional(),
  /** Fields that must be filled in although the operation does not need them: secrets, or what earlier steps require. */
  needs: z.array(z.string()).optional(),
  /** The values of the record from which the form started. */
  start: values,
  /** Fields whose value of the record the form did not show, because a sentence or a command had filled them in. */
  filledIn: z.array(z.string()).optional(),
  /** The reason that was typed before the form was opened. */
  reason: text,
};

const flowState = z.discriminatedUnion('flow', [
  z.object({
    flow: z.literal('form'),
    ...form,
    /** The waiting question that the form edits. */
    replaces: text,
  }),
  z.object({
    flow: z.literal('guide'),
    guide: z.string(),
    step: text,
    ...form,
    /** The values known so far, without secrets. */
    known: values,
    /** The action whose end led to this view. */
    action: text,
  }),
  z.object({
    flow: z.literal('batch'),
    /** Undefined while it is being chosen. */
    operation: text,
    channel: text,
    /** The list that the form starts from, while the operation is being chosen. */
    list: text,
    /** The planned batch that the list takes the place of. */
    edits: text,
    /** Values of all rows that the form has no input for: those of programs, and removals. */
    carried: values,
  }),
  z.object({ flow: z.literal('leave_out'), batch: z.string(), channel: text }),
  z.object({
    flow: z.literal('decline'),
    action: z.string(),
    channel: text,
    /** The view below this one, which shows the question. */
    below: text,
  }),
  z.object({ flow: z.literal('qr') }),
]);

export type FlowState = z.infer<typeof flowState>;
export type FlowName = FlowState['flow'];
export type StateOf<F extends FlowName> = Extract<FlowState, { flow: F }>;

/** Slack accepts 3,000 characters. */
const MAX_METADATA = 3_000;

/** True if a view can carry the state. */
export function fitsView(state: FlowState): boolean {
  return JSON.stringify(state).length <= MAX_METADATA;
}

/** A submitted or open modal, as Slack sends it. `state` is undefined if no flow of this app made the modal. */
export interface SentView<S extends FlowState | undefined = FlowState | undefined> {
  id: string;
  state: S;
  /** Its current blocks. */
  blocks: readonly Fields[];
  /** `state.values`, by block and action. */
  values: Fields;
}

/** Reads the modal of a request. */
export function sentView(sent: unknown): SentView {
  const view = recordOf(sent);
  return {
    id: textOf(view.id),
    state: flowState.safeParse(objectIn(textOf(view.private_metadata))).data,
    blocks: Array.isArray(view.blocks) ? view.blocks.map(recordOf) : [],
    values: recordOf(recordOf(view.state).values),
  };
}

/** A modal of one flow. */
export type ViewOf<F extends FlowName> = SentView<StateOf<F>>;

/** The answer to a submitted modal, and the work that follows it. */
export interface ViewAnswer {
  ack: Fields | undefined;
  after?: () => Promise<void>;
}
