import { afterSteps } from '../../../../tools/surfaces/tasks.ts';
import type { Card } from '../../../cards/card.ts';
import { actionCard, changedPart, decidersOf, noticeParts } from '../../../cards/outcome.ts';
import { questionTitle } from '../../../cards/question.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { isUndecided, isWithdrawn } from '../../../gate/approval.ts';
import { isPaid } from '../../../gate/confirmation.ts';
import { BATCH_RUN } from '../../../gate/frozen-batch.ts';
import { takesAway } from '../../../gate/quorum.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import { changeOf } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { levelOfAction } from '../../../ledger/level.ts';
import { type Fields, recordOf, scalarText } from '../../../lib/json.ts';
import { IDS } from '../ids.ts';
import { type Elsewhere, isOwnQuestion, noteOf, type Reworder } from '../types.ts';
import { askedWhom, awayLine } from './asked-whom.ts';
import { questionButtons, startedButtons } from './batch.ts';
import { draw, drawWhole, wholeButton } from './fitting.ts';
import { elementsOf, mrkdwnOf, requesterText } from './render.ts';
import {
  actions,
  type Block,
  button,
  cut,
  divider,
  type Element,
  escaped,
  header,
  label,
  type Message,
  PHONE,
  plainSentence,
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
      ...awayLine(action),
      ...(context.forApprovers ? [] : askedWhom(action)),
      ...(action.operation === BATCH_RUN ? [questionButtons(String(action.shown.Batch))] : []),
      ...decision(action, context, isWhole),
    ],
  };
}

function cardOf(action: Action, { tool, timeZone }: CardContext): Card {
  return actionCard({ action, tool, timeZone });
}

/** The header of a question, and its whole title if the header cuts it. */
function headOf({ mark, title }: Card): Block[] {
  return [header(`${mark} ${title}`), ...(title.length <= FITS_HEADER ? [] : [say(rich.bold(title))])];
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
      ...(cuts.length === 0 ? [] : [actions(`whole:${action.id}`, wholeButton(action.id))]),
      ...nextBlocks(action, context),
    ],
  };
}

/** What can be done after the end of an action. */
function nextBlocks(action: Action, { forApprovers }: CardContext): Block[] {
  const isDone = action.state === 'done' || action.state === 'partly';
  // The card of the run has the buttons too.
  const run =
    isDone && action.operation === BATCH_RUN && !forApprovers ? [startedButtons(String(action.shown.Batch))] : [];
  const again = mayAskAgain(action)
    ? [actions(`again:${action.id}`, button(IDS.again, 'Ask again', action.id))]
    : noteOf(action).again === undefined
      ? []
      : [small('Asked again, on a newer card.')];
  return [
    ...run,
    ...(action.state === 'unknown' ? [small(RESOLVING), resolveButtons(action)] : []),
    ...(isDone ? afterBlocks(action) : []),
    ...again,
  ];
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
  // What would be sent, in any state.
  const asked = cardOf({ ...action, state: 'pending' }, context);
  const { blocks, isWhole } = drawWhole(asked, context.reworded);
  const { mark, headline } = outcomeOf(action, context.tool);
  const who = `Asked by ${requesterText(action)} · waits until ${shortDate(action.expiresAt)}`;
  const below =
    action.state === 'pending'
      ? [small(who), ...(isWhole ? decision(action, context, true) : beyondSlack(action, context))]
      : [...(isWhole ? [] : [say('Slack cannot show more of it.')]), divider, say(rich.bold(`${mark} ${headline}`))];
  return {
    type: 'modal',
    title: label(action.state === 'pending' ? 'What will be sent' : 'What was asked', 24),
    close: label('Close', 24),
    blocks: [...blocks, ...below],
  };
}

/** Blocks for a question that is too long for Slack, where it can be declined but not confirmed. */
function beyondSlack(action: Action, { elsewhere, pageUrl }: CardContext): Block[] {
  if (elsewhere) return [confirmElsewhere(elsewhere)];
  const open = pageUrl === undefined ? [] : [{ type: 'link', url: pageUrl, text: 'Open the page' }];
  const next = pageUrl === undefined ? 'Ask for it in smaller parts. ' : 'Confirm it on the confirmation page. ';
  return [
    say('⚠️ ', rich.bold('Slack cannot show all of it, so it cannot be confirmed in Slack.'), ` ${next}`, ...open),
    actions(`whole:${action.id}`, button(IDS.decline, 'Decline', action.id)),
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
 * The buttons of a decision. The first one of an approver names the act, and Slack's own dialog asks again before it
 * runs. A view that does not show the whole question opens it instead.
 */
export function decision(action: Action, { tool, reworded, elsewhere }: CardContext, isWhole: boolean): Block[] {
  if (elsewhere) {
    const whole = isWhole ? [] : [actions(`card:${action.id}`, wholeButton(action.id))];
    return [confirmElsewhere(elsewhere), ...whole];
  }
  const decline = button(IDS.decline, 'Decline', action.id);
  if (!isWhole) return [actions(`card:${action.id}`, wholeButton(action.id), decline)];
  const isOwn = levelOfAction(action) === 'own';
  if (isOwn && action.operation !== BATCH_RUN)
    return [actions(`card:${action.id}`, button(IDS.confirm, 'Apply', action.id, { style: 'primary' }), decline)];
  const yes = action.consent?.confirm ?? 'Confirm';
  const { consent } = action;
  const confirm = button(IDS.confirm, yes, action.id, {
    style: takesAway(tool, action) ? 'danger' : 'primary',
    confirm: {
      title: titleOf(action, tool),
      text: consent ? plainSentence(reworded(`${consent.consequence} ${consent.undo}`)) : 'This is sent immediately.',
      yes,
    },
  });
  return [actions(`card:${action.id}`, confirm, decline)];
}

/** True if a card offers to ask again, because nothing was done and the question was not asked again before. */
export function mayAskAgain(action: Action): boolean {
  if (noteOf(action).again !== undefined || isUndecided(action) || isWithdrawn(action)) return false;
  const { state, error } = action;
  return state === 'expired' || state === 'declined' || (state === 'failed' && error?.outcome !== 'unknown');
}

/** The place where a whole question is shown, and its reader. */
export interface RequesterContext extends CardContext {
  /** The card on which approvers decide. */
  where?: readonly Block[];
  /** Others see the message too, so it names the requester. */
  isShared?: boolean;
  /** The reader is another operator, who may apply an own change but neither edit nor withdraw it. */
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
  const { where = [], isOthers, isRepeat } = context;
  const card = cardOf(action, context);
  const isOwn = isOwnQuestion(action);
  const head = headOf(card);
  // Who asked and until when is said to the requester in a sentence.
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
      ...(isOwn ? ownButtons(action, context, isWhole) : waitingButtons(action, isWhole)),
    ],
  };
}

function untilText(action: Action, { isShared, isOthers }: RequesterContext): string {
  const seen = isShared ? `Asked by ${requesterText(action)}. ` : isOthers ? '' : 'Only you see this. ';
  return `${seen}Nothing has been sent. It waits until ${shortDate(action.expiresAt)}.`;
}

/** The buttons of an own change. A view that does not show the whole change opens it instead. */
function ownButtons(action: Action, { elsewhere, isOthers, isStep }: RequesterContext, isWhole: boolean): Block[] {
  const edit = isStep ? [] : [button(IDS.edit, 'Edit', action.id)];
  const own = isOthers ? [] : [...edit, button(IDS.withdraw, 'Cancel', action.id)];
  const whole = isWhole ? [] : [wholeButton(action.id)];
  if (elsewhere) return [confirmElsewhere(elsewhere), ...row(action, ...whole, ...own)];
  const apply = isWhole ? [button(IDS.confirm, 'Apply', action.id, { style: 'primary' })] : whole;
  return row(action, ...apply, ...own);
}

/** The requester's buttons of a change that waits for an approver. A batch is changed by leaving rows out. */
function waitingButtons(action: Action, isWhole: boolean): Block[] {
  const edit = action.operation === BATCH_RUN ? [] : [button(IDS.edit, 'Edit', action.id)];
  const withdraw = button(IDS.withdraw, 'Withdraw', action.id);
  return row(action, ...(isWhole ? [] : [wholeButton(action.id)]), ...edit, withdraw);
}

function row(action: Action, ...buttons: Block[]): Block[] {
  return buttons.length === 0 ? [] : [actions(`own:${action.id}`, ...buttons)];
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
  const change = changeOf(action);
  const changed = action.state === 'done' ? changedBlocks(change, MOST_CHANGES) : [];
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
      ...(action.decidedReason === undefined ? [] : [quote(rich.text(action.decidedReason))]),
    ],
  };
}

/** What was changed, one member a line. */
export function changedBlocks(change: Parameters<typeof changedPart>[0], most: number, isPart = false): Block[] {
  const parts = changedPart(change, isPart).map((part) =>
    part.kind === 'facts' ? { ...part, rows: part.rows.slice(0, most) } : part,
  );
  const more = (change?.rows.length ?? 0) - most;
  return [...draw({ title: '', parts }).blocks, ...(more > 0 ? [small(`… ${more} more changes`)] : [])];
}

const RESOLVING =
  '*Check now* reads the platform again and changes nothing. If you have seen for yourself how it ended, an approver can close it: *It was done* keeps it as done, *It was not done* lets it be asked again.';

/** Buttons that resolve an unknown outcome, by reading the platform or by the answer of a person who has checked. */
function resolveButtons(action: Action): Block {
  const sure = (yes: string, text: string) => ({ confirm: { title: 'Have you checked?', text, yes } });
  return actions(
    `check:${action.id}`,
    button(IDS.check, 'Check now', action.id),
    button(
      IDS.wasDone,
      'It was done',
      action.id,
      sure(
        'It was done',
        'You have seen on the platform, or heard from the customer, that it was done. The action is closed as done.',
      ),
    ),
    button(
      IDS.wasNot,
      'It was not done',
      action.id,
      sure(
        'It was not done',
        `You have seen that it was not done${isPaid(action) ? ' and not charged' : ''}. The action is closed and can be requested again without a warning.`,
      ),
    ),
  );
}

/** The buttons for what often follows an action that was done: its next steps, and the lookup of its number. */
function afterBlocks({ operation, shown, result, id }: Action): Block[] {
  const phone = onlyNumber([shown, result ?? {}]);
  if (phone === undefined) return [];
  const steps = (afterSteps[operation] ?? [])
    .filter(({ unless }) => unless === undefined || shown[unless] === undefined)
    .map(
      (step, i): Element =>
        step.guide === undefined
          ? button(`${IDS.fill}_${i}`, step.label, `${step.operation}|${JSON.stringify({ [step.field]: phone })}`)
          : button(`${IDS.guide}_${i}`, step.label, `${step.guide}|${phone}`),
    );
  return [actions(`after:${id}`, ...steps, button(`${IDS.look}_0`, 'Look up', phone))];
}

/** The number that an action is about; undefined if there is none or several. */
function onlyNumber(records: readonly Fields[]): string | undefined {
  const found = new Set(
    records.flatMap((record) => {
      const { PhoneNumber, PhoneNumberAssigned, PhoneNumbers } = record;
      const rows = Array.isArray(PhoneNumbers) ? PhoneNumbers.map((one) => recordOf(one).Number ?? one) : [];
      return [PhoneNumber, PhoneNumberAssigned, ...rows].map(scalarText).filter((one) => PHONE.test(one));
    }),
  );
  const [phone] = found;
  return found.size === 1 ? phone : undefined;
}
