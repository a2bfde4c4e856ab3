import { act, type ChangeReader, followUps } from '../../../cards/actions.ts';
import type { Card } from '../../../cards/card.ts';
import { changedPart, undoPart } from '../../../cards/done.ts';
import { CANCEL } from '../../../cards/labels.ts';
import { actionCard, decidersOf, noticeParts } from '../../../cards/outcome.ts';
import { questionTitle } from '../../../cards/question.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { isWithdrawn } from '../../../gate/approval.ts';
import { changeDone } from '../../../gate/question.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import { levelOfAction } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Fields } from '../../../lib/json.ts';
import { type Elsewhere, isOwnQuestion, noteOf, type Reworder } from '../types.ts';
import { askedWhom } from './asked-whom.ts';
import { changeRow, draw, drawWhole, titleBlock } from './fitting.ts';
import { elementsOf, mrkdwnOf, requesterText } from './render.ts';
import {
  type Block,
  divider,
  header,
  MAX_BLOCKS,
  type Message,
  messageOf,
  noticeView,
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

export function titleOf(action: Action, tool: Tool | undefined): string {
  return questionTitle(tool, action);
}

/** The card as everyone in its channel reads it, or as `reader` does. */
function cardOf(action: Action, context: CardContext, reader: Partial<ChangeReader> = {}): Card {
  const { tool, timeZone, elsewhere, forApprovers: isCopy = false } = context;
  const askedAgain = noteOf(action).again !== undefined;
  const decides = elsewhere === undefined;
  const everyone: ChangeReader = { surface: 'slack', who: 'decider', decides, askedAgain, isCopy };
  return actionCard({ action, tool, timeZone, reader: { ...everyone, ...reader } });
}

/** A question with its actions, or with where it is decided if Slack may not confirm. */
function questionBlocks(
  action: Action,
  { mark, title, parts, actions }: Card,
  { elsewhere, reworded }: CardContext,
  { above = [], below = [], beside = '' }: { above?: readonly Block[]; below?: readonly Block[]; beside?: string } = {},
): Block[] {
  const { blocks, isWhole } = draw({ title, parts }, { reworded, beside });
  return [
    header(`${mark} ${title}`),
    ...(title.length <= FITS_HEADER ? [] : [titleBlock(title)]),
    ...above,
    ...blocks,
    ...below,
    ...(elsewhere ? [confirmElsewhere(elsewhere)] : []),
    ...changeRow(action, actions, { isWhole, reworded }),
  ];
}

/** The durable message of an action that a person confirms, drawn from the ledger's record alone. */
export function actionMessage(action: Action, context: CardContext): Message {
  const { reworded, forApprovers } = context;
  const card = cardOf(action, context);
  const { mark, title, state, effect = '', actions } = card;
  if (action.state === 'pending') {
    const { from } = noteOf(action);
    // Others do not see a direct message.
    const beside = forApprovers && from !== undefined && !from.startsWith('D') ? ` in <#${from}>` : '';
    const below = forApprovers ? [] : askedWhom(action);
    return messageOf(`${title}: waiting for a yes`, questionBlocks(action, card, context, { below, beside }));
  }
  // The headline of a partly done action has counts, so the title follows below, where it is not cut off.
  const isPartly = action.state === 'partly';
  const { blocks, cuts } = draw(card, { reworded });
  const shown = [
    ...(isPartly ? [header(`${mark} ${state}`), titleBlock(title)] : [header(`${mark} ${state}: ${title}`)]),
    ...(effect === '' ? [] : [say(effect)]),
    ...blocks,
  ];
  return messageOf(`${mark} ${state}${isPartly ? ' · ' : ': '}${title}`, [
    ...shown.slice(0, MAX_BLOCKS - 3),
    ...(actions.some(({ id }) => id === 'wasDone') ? [small(SETTLING)] : []),
    ...changeRow(action, actions, { isWhole: cuts.length === 0, reworded }),
    ...(noteOf(action).again === undefined ? [] : [small('Asked again, on a newer card.')]),
  ]);
}

/** Explains the buttons that resolve an unknown outcome. */
const SETTLING =
  '*Check now* reads the platform again. If you have seen for yourself how it ended, an approver can close it: *It was done* keeps it as done, *It was not done* lets it be asked again.';

/** The reminder for approvers: the card, which says while it waits that it is a reminder. */
export function reminderMessage(action: Action, context: CardContext): Message {
  const { text, blocks } = actionMessage(action, context);
  if (action.state !== 'pending') return { text, blocks };
  const still = say('⏰ ', rich.bold('Still waiting. '), 'It expires ', rich.date(action.expiresAt), '.');
  return messageOf(`⏰ ${titleOf(action, context.tool)}: still waiting for approval`, [still, ...blocks]);
}

/** Everything that will be sent, in a modal, where it can be decided too. An ended action shows its state instead. */
export function wholeView(action: Action, context: CardContext): Fields {
  // Ended actions list their input too.
  const asked = cardOf({ ...action, state: 'pending' }, context);
  const { blocks, isWhole } = drawWhole(asked, context.reworded);
  if (action.state !== 'pending') {
    const { mark, headline } = outcomeOf(action, context.tool);
    const more = isWhole ? [] : [say('Slack cannot show more of it.')];
    return noticeView('What was asked', ...blocks, ...more, divider, say(rich.bold(`${mark} ${headline}`)));
  }
  const who = `Asked by ${requesterText(action)} · waits until ${shortDate(action.expiresAt)}`;
  const below = isWhole ? decision(action, context, true) : beyondSlack(asked, action, context);
  return noticeView('What will be sent', ...blocks, small(who), ...below);
}

/** Blocks for a question that is too long for Slack, where it can be declined but not confirmed. */
function beyondSlack({ actions }: Card, action: Action, { elsewhere, pageUrl }: CardContext): Block[] {
  if (elsewhere) return [confirmElsewhere(elsewhere)];
  const next = pageUrl === undefined ? 'Ask for it in smaller parts.' : 'Confirm it on the confirmation page. ';
  const text = 'Slack cannot show all of it, so it cannot be confirmed in Slack.';
  const declines = actions.filter(({ id }) => id === 'decline');
  return [say('⚠️ ', rich.bold(text), ` ${next}`, ...linked(pageUrl, 'Open the page')), ...changeRow(action, declines)];
}

/** Refers to the confirmation page if Slack may not confirm. */
export function confirmElsewhere({ url }: Elsewhere): Block {
  const text = 'Confirm or decline this on the confirmation page. It cannot be decided in Slack.';
  return say(text, ...linked(url, 'Open the page'));
}

function linked(url: string | undefined, text: string) {
  return url === undefined ? [] : [' ', rich.link(url, text)];
}

/**
 * The yes and the no alone, for a place without room for the other actions.
 *
 * @param isRequesters the reader asked for it, and takes it back instead of declining it
 */
export function decision(action: Action, context: CardContext, isWhole: boolean, isRequesters = false): Block[] {
  const { elsewhere, reworded } = context;
  const taking = act('withdraw', action.id, levelOfAction(action) === 'own' ? { label: CANCEL } : {});
  const actions = cardOf(action, context)
    .actions.filter(({ id }) => id === 'confirm' || id === 'decline')
    .map((one) => (one.id === 'decline' && isRequesters ? taking : one));
  return [...(elsewhere ? [confirmElsewhere(elsewhere)] : []), ...changeRow(action, actions, { isWhole, reworded })];
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
  const { where = [], isOthers = false, isRepeat, isShared, isStep, elsewhere } = context;
  const isOwn = isOwnQuestion(action);
  const card = cardOf(action, context, {
    who: isOthers ? 'decider' : 'requester',
    decides: isOwn && elsewhere === undefined,
    ...(isStep && { inGuide: true }),
  });
  // A sentence tells the requester who asked and until when.
  const parts = card.parts.filter((part) => !(part.kind === 'facts' && part.small));
  const asked = rich.date(action.createdAt);
  const repeat = say(
    `${isOthers ? requesterText(action) : 'You'} asked for this at `,
    asked,
    '. It was not asked a second time.',
  );
  const question = questionBlocks(
    action,
    { ...card, parts },
    { ...context, elsewhere: isOwn ? elsewhere : undefined },
    {
      above: isOthers || isRepeat ? [repeat] : [],
      below: [
        ...where,
        untilBlock(action, isShared ? `Asked by ${requesterText(action)}. ` : isOthers ? '' : 'Only you see this. '),
      ],
    },
  );
  return messageOf(`${card.title}${isOwn ? ': apply?' : ' waits for an approver.'}`, question);
}

/**
 * For a requester who reads the card beside it: the buttons of a requester.
 *
 * @param waits whose yes it waits for
 */
export function besideCard(action: Action, context: CardContext, waits: string): Message {
  const { title, actions } = cardOf(action, context, { who: 'requester', decides: false });
  return messageOf(`${title} ${waits}.`, [
    say('🔐 ', rich.bold(title), ` ${waits}, on the card above.`),
    untilBlock(action, `Asked by ${requesterText(action)}. `),
    ...changeRow(action, actions, { reworded: context.reworded }),
  ]);
}

function untilBlock({ expiresAt }: Action, who: string): Block {
  return small(`${who}Nothing has been sent. It waits until ${shortDate(expiresAt)}.`);
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
  const partsOf = (parts: Card['parts']) => draw({ title, parts }, { reworded }).blocks;
  const { text, blocks } = messageOf(`${mark} ${headline}: ${title}${act}`, [
    say(`${mark} ${headline}: `, rich.bold(title), act, ...elementsOf(by), ...linked(link, 'Open the card')),
    ...partsOf(noticeParts({ action, tool })),
    ...(isDone ? changedBlocks(changeDone(tool, action), MOST_CHANGES, action.state === 'partly') : []),
    ...partsOf(undoPart({ action, tool })),
    ...(action.decidedReason === undefined ? [] : [quote(rich.text(action.decidedReason))]),
    ...toldRow(action, tool, reworded),
  ]);
  return { text: text + mrkdwnOf(by), blocks };
}

/** The outcome of an earlier call, for a person who asked for the same again. */
export function repeatNotice(action: Action, context: Pick<CardContext, 'tool' | 'reworded'>): Message {
  const { text, blocks } = outcomeNotice(action, context);
  const asked = rich.date(action.sentAt ?? action.createdAt);
  const first = say('ℹ️ ', rich.bold('Nothing was sent now.'), ' The same was asked for at ', asked, ' and ended so:');
  return { text, blocks: [first, ...blocks] };
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
