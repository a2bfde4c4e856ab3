import { act, type ChangeReader, followUps } from '../../../cards/actions.ts';
import type { Card } from '../../../cards/card.ts';
import { changedPart, undoPart } from '../../../cards/done.ts';
import { type ActionId, CANCEL } from '../../../cards/labels.ts';
import { actionCard, decidersOf, noticeParts } from '../../../cards/outcome.ts';
import { questionTitle } from '../../../cards/question.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { isWithdrawn } from '../../../gate/approval.ts';
import { changeDone } from '../../../gate/question.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { levelOfAction } from '../../../ledger/level.ts';
import type { Fields } from '../../../lib/json.ts';
import { type Elsewhere, isOwnQuestion, noteOf, type Reworder } from '../types.ts';
import { askedWhom } from './asked-whom.ts';
import { changeRow, draw, drawWhole } from './fitting.ts';
import { elementsOf, mrkdwnOf, requesterText } from './render.ts';
import {
  type Block,
  cut,
  divider,
  escaped,
  header,
  label,
  type Message,
  quote,
  rich,
  say,
  shortDate,
  small,
} from './text.ts';

/* The messages about an action: its card while it waits and after it, the question for its requester, and notices. */

export interface CardContext {
  /** Undefined for an operation that the catalogue no longer has. */
  tool: Tool | undefined;
  reworded: Reworder;
  /** Set if Slack may not confirm. */
  elsewhere?: Elsewhere | undefined;
  /** The confirmation page, if it may confirm. */
  pageUrl?: string | undefined;
  /** The message is read by approvers, not by everyone in the channel. */
  forApprovers?: boolean;
  /** IANA zone of times that carry none. */
  timeZone?: string;
}

/** Slack accepts 150 characters in a header, with the mark. */
const FITS_HEADER = 140;
/** Characters of a title that Slack accepts in a block. A longer one, of a record with such a name, takes the confirming button away. */
const MAX_TITLE = 2_900;
/** Slack accepts 50 blocks in a message. */
const MAX_BLOCKS = 50;

/** The durable message of an action that a person confirms, drawn from the ledger's record alone. */
export function actionMessage(action: Action, context: CardContext): Message {
  const card = cardOf(action, context);
  if (action.state !== 'pending') return endedMessage(action, card, context);
  const beside = context.forApprovers ? askedIn(action) : '';
  const { blocks, isWhole } = draw(card, { ...context, head: headOf(card), beside });
  return {
    text: cut(escaped(`${card.title}: waiting for a yes`), 3000),
    blocks: [
      ...blocks,
      ...(context.forApprovers ? [] : askedWhom(action)),
      ...decisionRow(action, card, context, isWhole),
    ],
  };
}

/** The card as everyone in its channel reads it, or as `reader` does. */
function cardOf(
  action: Action,
  { tool, timeZone, elsewhere, forApprovers: isCopy = false }: CardContext,
  reader: Partial<ChangeReader> = {},
): Card {
  const askedAgain = noteOf(action).again !== undefined;
  const decides = elsewhere === undefined;
  return actionCard({
    action,
    tool,
    timeZone,
    reader: { surface: 'slack', who: 'decider', decides, askedAgain, isCopy, ...reader },
  });
}

/** The header of a question, and its whole title if the header cuts it. */
function headOf({ mark, title }: Card): Block[] {
  return [header(`${mark} ${title}`), ...(title.length <= FITS_HEADER ? [] : [say(rich.bold(cut(title, MAX_TITLE)))])];
}

function endedMessage(action: Action, card: Card, context: CardContext): Message {
  const { mark, title, state, effect = '', parts } = card;
  // The headline of a partly done action has counts, so the title follows below, where it is not cut off.
  const isPartly = action.state === 'partly';
  const head = isPartly ? [header(`${mark} ${state}`), say(rich.bold(title))] : [header(`${mark} ${state}: ${title}`)];
  const { blocks, cuts } = draw(
    { title, parts },
    { ...context, head: [...head, ...(effect === '' ? [] : [say(effect)])] },
  );
  return {
    text: cut(escaped(isPartly ? `${mark} ${state} · ${title}` : `${mark} ${state}: ${title}`), 3000),
    blocks: [
      ...blocks.slice(0, MAX_BLOCKS - 4),
      ...resolvingLine(card),
      ...changeRow(action, card.actions, { isWhole: cuts.length === 0, reworded: context.reworded }),
      ...(noteOf(action).again === undefined ? [] : [small('Asked again, on a newer card.')]),
    ],
  };
}

const CHECKING = '*Check now* reads the platform again and changes nothing.';
const SETTLING =
  'If you have seen for yourself how it ended, an approver can close it: *It was done* keeps it as done, *It was not done* lets it be asked again.';

/** Explains the buttons that resolve an unknown outcome. */
function resolvingLine({ actions: offered }: Card): Block[] {
  const has = (name: ActionId) => offered.some(({ id }) => id === name);
  const lines = [...(has('check') ? [CHECKING] : []), ...(has('wasDone') ? [SETTLING] : [])];
  return lines.length === 0 ? [] : [small(lines.join(' '))];
}

/** The reminder for approvers: the card while the action waits, one line afterwards. */
export function reminderMessage(action: Action, context: CardContext): Message {
  const card = actionMessage(action, context);
  const title = titleOf(action, context.tool);
  if (action.state === 'pending') {
    return {
      text: cut(`⏰ ${escaped(`${title}: still waiting for approval`)}`, 3000),
      blocks: [
        say('⏰ ', rich.bold('Still waiting. '), 'It expires ', rich.date(action.expiresAt), '.'),
        ...card.blocks,
      ],
    };
  }
  const { mark, headline } = outcomeOf(action, context.tool);
  return { text: card.text, blocks: [say(`${mark} ${headline}: `, rich.bold(title))] };
}

export function titleOf(action: Action, tool: Tool | undefined): string {
  return questionTitle(tool, action);
}

/** Everything that will be sent, in a modal, where it can be decided too. An ended action shows its state instead. */
export function wholeView(action: Action, context: CardContext): Fields {
  // Ended actions list their input too.
  const asked = cardOf({ ...action, state: 'pending' }, context);
  const { blocks, isWhole } = drawWhole(asked, context.reworded);
  const { mark, headline } = outcomeOf(action, context.tool);
  const who = `Asked by ${requesterText(action)} · waits until ${shortDate(action.expiresAt)}`;
  const below =
    action.state === 'pending'
      ? [small(who), ...(isWhole ? decision(action, context, true) : beyondSlack(asked, action, context))]
      : [...(isWhole ? [] : [say('Slack cannot show more of it.')]), divider, say(rich.bold(`${mark} ${headline}`))];
  return {
    type: 'modal',
    title: label(action.state === 'pending' ? 'What will be sent' : 'What was asked', 24),
    close: label('Close', 24),
    blocks: [...blocks, ...below],
  };
}

/** Blocks for a question that is too long for Slack, where it can be declined but not confirmed. */
function beyondSlack({ actions: offered }: Card, action: Action, { elsewhere, pageUrl }: CardContext): Block[] {
  if (elsewhere) return [confirmElsewhere(elsewhere)];
  const open = pageUrl === undefined ? [] : [{ type: 'link', url: pageUrl, text: 'Open the page' }];
  const next = pageUrl === undefined ? 'Ask for it in smaller parts. ' : 'Confirm it on the confirmation page. ';
  return [
    say('⚠️ ', rich.bold('Slack cannot show all of it, so it cannot be confirmed in Slack.'), ` ${next}`, ...open),
    ...changeRow(
      action,
      offered.filter(({ id }) => id === 'decline'),
    ),
  ];
}

/** The channel of the request, in mrkdwn. Empty for a direct message, which others cannot see. */
function askedIn(action: Action): string {
  const { from } = noteOf(action);
  return from === undefined || from.startsWith('D') ? '' : ` in <#${from}>`;
}

/** Refers to the confirmation page if Slack may not confirm. */
export function confirmElsewhere({ url }: Elsewhere): Block {
  return say(
    'Confirm or decline this on the confirmation page. It cannot be decided in Slack. ',
    ...(url === undefined ? [] : [{ type: 'link', url, text: 'Open the page' }]),
  );
}

/**
 * The yes and the no alone, for a place without room for the other actions.
 *
 * @param isRequesters the reader asked for it, and takes it back instead of declining it
 */
export function decision(action: Action, context: CardContext, isWhole: boolean, isRequesters = false): Block[] {
  const { actions: offered } = cardOf(action, context);
  const isOwn = levelOfAction(action) === 'own';
  const decides = offered.flatMap((one) => {
    if (one.id === 'decline' && isRequesters) return [act('withdraw', action.id, isOwn ? { label: CANCEL } : {})];
    return one.id === 'confirm' || one.id === 'decline' ? [one] : [];
  });
  return decisionRow(action, { actions: decides }, context, isWhole);
}

/** The actions of a question, or where it is decided if Slack may not confirm. */
function decisionRow(
  action: Action,
  { actions: offered }: Pick<Card, 'actions'>,
  { elsewhere, reworded }: CardContext,
  isWhole: boolean,
): Block[] {
  return [...(elsewhere ? [confirmElsewhere(elsewhere)] : []), ...changeRow(action, offered, { isWhole, reworded })];
}

/** The place where a whole question is shown, and its reader. */
export interface RequesterContext extends CardContext {
  /** The card on which approvers decide. */
  where?: readonly Block[];
  /** Others see the message too, so it names the requester. */
  isShared?: boolean;
  /** The reader is another operator, who may apply or decline an own change but not edit it. */
  isOthers?: boolean;
  /** The question is a step of a guide, which has the form. */
  isStep?: boolean;
  /** An earlier call of the reader asked this already. */
  isRepeat?: boolean;
}

/**
 * The whole question for its requester, where it was asked. An own change is decided here. Any other change waits for an
 * approver, and `where` says on which card.
 */
export function requesterMessage(action: Action, context: RequesterContext): Message {
  const { where = [], isOthers, isRepeat, isStep, elsewhere } = context;
  const isOwn = isOwnQuestion(action);
  const card = cardOf(action, context, {
    who: isOthers ? 'decider' : 'requester',
    decides: isOwn && elsewhere === undefined,
    ...(isStep && { inGuide: true }),
  });
  const head = headOf(card);
  // A sentence tells the requester who asked and until when.
  const parts = card.parts.filter((part) => !(part.kind === 'facts' && part.small));
  const { blocks, isWhole } = draw({ ...card, parts }, { ...context, head });
  const who = isOthers ? requesterText(action) : 'You';
  const repeat = [say(`${who} asked for this at `, rich.date(action.createdAt), '. It was not asked a second time.')];
  return {
    text: cut(escaped(isOwn ? `${card.title}: apply?` : `${card.title} waits for an approver.`), 3000),
    blocks: [
      ...head.slice(0, 1),
      ...(isOthers || isRepeat ? repeat : []),
      ...blocks.slice(1),
      ...where,
      small(untilText(action, context)),
      ...decisionRow(action, card, { ...context, elsewhere: isOwn ? elsewhere : undefined }, isWhole),
    ],
  };
}

/**
 * For a requester who reads the card beside it: the buttons of a requester.
 *
 * @param waits whose yes it waits for
 */
export function besideCard(action: Action, context: CardContext, waits: string): Message {
  const card = cardOf(action, context, { who: 'requester', decides: false });
  return {
    text: cut(escaped(`${card.title} ${waits}.`), 3000),
    blocks: [
      say('🔐 ', rich.bold(card.title), ` ${waits}, on the card above.`),
      small(untilText(action, { isShared: true })),
      ...decisionRow(action, card, context, true),
    ],
  };
}

function untilText(action: Action, { isShared, isOthers }: Pick<RequesterContext, 'isShared' | 'isOthers'>): string {
  const seen = isShared ? `Asked by ${requesterText(action)}. ` : isOthers ? '' : 'Only you see this. ';
  return `${seen}Nothing has been sent. It waits until ${shortDate(action.expiresAt)}.`;
}

/** Takes the place of the message that says that an action waits. The outcome is posted separately. */
export function decidedNotice(action: Action, tool: Tool | undefined, link: string | undefined): Message {
  const title = titleOf(action, tool);
  const text = ' no longer waits for an approver. ';
  return {
    text: escaped(`${title}${text}`),
    blocks: [say('🔐 ', rich.bold(title), text, ...(link ? [{ type: 'link', url: link, text: 'Open the card' }] : []))],
  };
}

/** Rows of a change in a notice. The card has all of them. */
const MOST_CHANGES = 5;

/** The outcome of an action for its requester. `link`: to its card. */
export function outcomeNotice(
  action: Action,
  { tool, reworded }: Pick<CardContext, 'tool' | 'reworded'>,
  link?: string,
): Message {
  const { mark, headline } = outcomeOf(action, tool);
  const title = titleOf(action, tool);
  const by = isWithdrawn(action) ? [] : decidersOf(action);
  const act = by.length === 0 ? '' : ` · ${action.state === 'declined' ? 'declined' : 'confirmed'} by `;
  const isDone = action.state === 'done' || action.state === 'partly';
  const changed = isDone ? changedBlocks(changeDone(tool, action), MOST_CHANGES, action.state === 'partly') : [];
  return {
    text: `${mark} ${escaped(`${headline}: ${title}`)}${act}${mrkdwnOf(by)}`,
    blocks: [
      say(
        `${mark} ${headline}: `,
        rich.bold(title),
        act,
        ...elementsOf(by),
        ...(link ? ['  ', { type: 'link', url: link, text: 'Open the card' }] : []),
      ),
      ...draw({ title, parts: noticeParts({ action, tool }) }, { reworded }).blocks,
      ...changed,
      ...draw({ title, parts: undoPart({ action, tool }) }, { reworded }).blocks,
      ...(action.decidedReason === undefined ? [] : [quote(rich.text(action.decidedReason))]),
      ...toldRow(action, tool, reworded),
    ],
  };
}

/** The outcome of an earlier call, for a person who asked for the same again. */
export function repeatNotice(action: Action, context: Pick<CardContext, 'tool' | 'reworded'>): Message {
  const { text, blocks } = outcomeNotice(action, context);
  const asked = action.sentAt ?? action.createdAt;
  return {
    text,
    blocks: [
      say('ℹ️ ', rich.bold('Nothing was sent now.'), ' The same was asked for at ', rich.date(asked), ' and ended so:'),
      ...blocks,
    ],
  };
}

/** The next actions after an outcome, below a message that is no card. */
export function toldRow(action: Action, tool: Tool | undefined, reworded: Reworder): Block[] {
  return changeRow(action, followUps(action, tool), { reworded, name: TOLD });
}

/** Begins the ids of such rows. */
const TOLD = 'told';
/** True for a button below a message that tells of an outcome. */
export const isTold = (blockId: string): boolean => blockId.startsWith(`${TOLD}:`);

/** Lists changes, one member a line. */
export function changedBlocks(change: Parameters<typeof changedPart>[0], most: number, isPart = false): Block[] {
  const parts = changedPart(change, { isPart }).map((part) =>
    part.kind === 'facts' ? { ...part, rows: part.rows.slice(0, most) } : part,
  );
  const more = (change?.rows.length ?? 0) - most;
  return [
    ...draw({ title: '', parts }).blocks,
    ...(more > 0 ? [small(`… ${more} more ${more === 1 ? 'detail' : 'details'}`)] : []),
  ];
}
