import { askedOf, questionTitle } from '../../../cards/question.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { isUndecided, isWithdrawn, levelOfAction } from '../../../gate/approval.ts';
import { BATCH_RUN } from '../../../gate/batch.ts';
import { changeDone } from '../../../gate/change-done.ts';
import { isPaid } from '../../../gate/charges.ts';
import { factsOf } from '../../../gate/question.ts';
import { takesAway } from '../../../gate/quorum.ts';
import { NOTHING_CHARGED } from '../../../language/failure.ts';
import { isBlank } from '../../../language/member-words.ts';
import { outcomeOf, settledResult } from '../../../language/outcome.ts';
import { lower, rowsOf, type ShownOptions } from '../../../language/show.ts';
import { changeOf } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { MINUTE_MS } from '../../../lib/clock.ts';
import { type Fields, isRecord } from '../../../lib/json.ts';
import { plainText } from '../../../lib/words.ts';
import { isSame } from '../../../platform/dialect/readings.ts';
import { IDS } from '../ids.ts';
import { type Elsewhere, noteOf, type Reworder } from '../types.ts';
import { afterBlocks } from './after.ts';
import { approvalsLine, askedWhom, awayLine } from './asked-whom.ts';
import { questionButtons, startedButtons } from './batch.ts';
import { changedLines } from './changed.ts';
import { deciderElement, deciderText, requesterText } from './people.ts';
import { cardQuestion, cardRows, cutsLine, showsAll, wholeButton, wholeQuestion, withWholeButton } from './question.ts';
import { askedBecause, declinedBecause } from './reasons.ts';
import { pairLines, values } from './render.ts';
import {
  actions,
  type Block,
  button,
  cut,
  divider,
  escaped,
  header,
  label,
  lines,
  type Message,
  plainSentence,
  rich,
  say,
  sentence,
  shortDate,
  small,
} from './text.ts';
import { resolveButtons, unknownLine } from './unknown.ts';

export interface CardContext {
  /** Undefined for an operation that the catalogue no longer has. */
  tool: Tool | undefined;
  reworded: Reworder;
  /** Set if Slack may not confirm. */
  elsewhere?: Elsewhere | undefined;
  /** The confirmation page, if it may confirm. */
  pageUrl?: string | undefined;
  /** The card is for approvers, outside the channel of the request. */
  forApprovers?: boolean;
  /** IANA zone of times in results that carry none. */
  timeZone?: string;
}

const MAX_PAIRS = 24;
/** Texts for the ways to decide other than on a card. */
const WAYS: Readonly<Record<string, string>> = {
  page: ' on the page',
  client: ' in the client',
  terminal: ' in the terminal',
};

/** The durable message of an action that a person confirms, drawn from the ledger's record alone. */
export function actionCard(action: Action, context: CardContext): Message {
  const title = titleOf(action, context.tool);
  const { mark, headline } = outcomeOf(action, context.tool);
  // The headline of a partly done action has counts, so the title follows below, where it is not cut off.
  const partly = action.state === 'partly';
  const head =
    action.state === 'pending'
      ? pendingHead(action, title)
      : partly
        ? `${mark} ${headline}`
        : `${mark} ${headline}: ${title}`;
  const body = action.state === 'pending' ? pendingBody(action, context) : settledBody(action, context);
  if (partly) {
    return {
      text: cut(escaped(`${head} · ${title}`), 3000),
      blocks: [header(head), say(rich.bold(title)), ...body],
    };
  }
  return {
    text: cut(escaped(action.state === 'pending' ? `${title}: waiting for a yes` : head), 3000),
    blocks: [header(head), ...body],
  };
}

/** The reminder for approvers: the card while the action waits, one line afterwards. */
export function reminderCard(action: Action, context: CardContext): Message {
  const card = actionCard(action, context);
  if (action.state === 'pending') {
    return {
      text: cut(`⏰ ${escaped(`${titleOf(action, context.tool)}: still waiting for approval`)}`, 3000),
      blocks: [
        say('⏰ ', rich.bold('Still waiting. '), 'It expires ', rich.date(action.expiresAt), '.'),
        ...card.blocks,
      ],
    };
  }
  const { mark, headline } = outcomeOf(action, context.tool);
  return { text: card.text, blocks: [say(`${mark} ${headline}: `, rich.bold(titleOf(action, context.tool)))] };
}

export function titleOf(action: Action, tool: Tool | undefined): string {
  return questionTitle(tool, action);
}

export function pendingHead(action: Action, title: string): string {
  return `${outcomeOf(action, undefined).mark} ${title}`;
}

/** Slack accepts 150 characters in a header, with the mark. */
export function fitsHeader(title: string): boolean {
  return title.length <= 140;
}

function pendingBody(action: Action, context: CardContext): Block[] {
  const asked = askedOf(context.tool, action);
  const { blocks, cuts } = cardQuestion(asked, context.reworded);
  const shown = [...(fitsHeader(asked.title) ? [] : [say(rich.bold(asked.title))]), ...blocks];
  const isWhole = showsAll([header(pendingHead(action, asked.title)), ...shown], asked, context.reworded);
  return [
    ...shown,
    ...cutsLine(cuts),
    small(
      `Asked by ${requesterText(action)}${context.forApprovers ? askedIn(action) : ''} · confirm by ${shortDate(action.expiresAt)}, then it expires`,
    ),
    ...approvalsLine(action),
    ...awayLine(action),
    ...(context.forApprovers ? [] : askedWhom(action)),
    ...(action.operation === BATCH_RUN ? [questionButtons(String(action.shown.Batch))] : []),
    ...decision(action, context, isWhole),
  ];
}

/** Everything that will be sent, in a modal, where it can be decided too. An ended action shows its state instead. */
export function wholeView(action: Action, context: CardContext): Fields {
  const asked = askedOf(context.tool, action);
  const blocks = wholeQuestion(asked, context.reworded);
  const isWhole = showsAll(blocks, asked, context.reworded);
  const { mark, headline } = outcomeOf(action, context.tool);
  const below =
    action.state === 'pending'
      ? [
          small(`Asked by ${requesterText(action)} · confirm by ${shortDate(action.expiresAt)}, then it expires`),
          ...approvalsLine(action),
          ...(isWhole ? decision(action, context, true) : beyondSlack(action, context)),
        ]
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
  const style = takesAway(tool, action) ? 'danger' : 'primary';
  const { consent } = action;
  const confirm = button(IDS.confirm, yes, action.id, {
    style,
    confirm: {
      title: titleOf(action, tool),
      text: consent ? plainSentence(reworded(`${consent.consequence} ${consent.undo}`)) : 'This is sent immediately.',
      yes,
    },
  });
  return [actions(`card:${action.id}`, confirm, decline)];
}

function settledBody(action: Action, context: CardContext): Block[] {
  const blocks: Block[] = [];
  const who = deciderText(action);
  const via = WAYS[action.decidedVia ?? ''] ?? '';
  const at = action.decidedAt;
  const when = at === undefined ? '' : ` ${shortDate(at)}`;
  const { detail } = outcomeOf(action, context.tool);
  const nothing = `Nothing was sent.${isPaid(action) ? ` ${NOTHING_CHARGED}` : ''}`;
  switch (action.state) {
    case 'confirmed':
    case 'in_flight':
      blocks.push(say('Confirmed and running. This card will show the outcome.'));
      break;
    case 'declined':
      blocks.push(
        isUndecided(action)
          ? say(`${context.reworded(detail)} ${nothing}`)
          : say(
              `${isWithdrawn(action) ? 'Withdrawn' : 'Declined'} by `,
              deciderElement(action) ?? 'a person',
              `${via}. ${nothing}`,
            ),
        ...declinedBecause(action),
      );
      break;
    case 'partly':
      blocks.push(...partlyDone(action, context));
      break;
    case 'expired':
      blocks.push(say(`Nobody confirmed it in time. ${nothing}`));
      break;
    case 'failed':
      blocks.push(say(...sentence(context.reworded(detail === '' ? 'It failed.' : detail))));
      break;
    case 'unknown':
      blocks.push(unknownLine(action, detail, context));
      break;
    default:
  }
  const { customer } = factsOf(action);
  if (customer !== undefined) blocks.push(say(rich.bold('Customer'), '  ', cut(customer, 500)));
  blocks.push(...askedBecause(action));
  blocks.push(...valuesOf(action, context));
  const confirmed = who && !['declined', 'expired'].includes(action.state) ? ` · confirmed by ${who}${via}${when}` : '';
  const ended =
    action.finishedAt === undefined || (confirmed !== '' && action.finishedAt - (at ?? 0) < MINUTE_MS)
      ? ''
      : ` · ${action.state === 'expired' ? 'expired' : 'ended'} ${shortDate(action.finishedAt)}`;
  const log = action.error?.transactionLogId ? ` · log id \`${escaped(action.error.transactionLogId)}\`` : '';
  blocks.push(small(`Asked by ${requesterText(action)}${confirmed}${ended}${log}`));
  if (action.state === 'unknown') blocks.push(resolveButtons(action));
  if (action.state === 'done' || action.state === 'partly') blocks.push(...afterBlocks(action));
  if (mayAskAgain(action)) blocks.push(actions(`again:${action.id}`, button(IDS.again, 'Ask again', action.id)));
  else if (noteOf(action).again !== undefined) blocks.push(small('Asked again, on a newer card.'));
  return blocks;
}

/** The result of an action that was done, otherwise the request. */
function valuesOf(action: Action, { tool, timeZone, reworded, forApprovers }: CardContext): Block[] {
  if (action.state !== 'done' && action.state !== 'partly')
    return withWholeButton(cardRows(askedOf(tool, action), reworded), action.id);
  // The card of the run has the buttons.
  if (action.operation === BATCH_RUN) return forApprovers ? [] : [startedButtons(String(action.shown.Batch))];
  const { Resolved, ...answer } = action.result ?? {};
  const result = settledResult(answer, tool);
  const { Warning: _, FailedChange: __, NumbersInvalid: ___, ...partly } = result;
  // The whole channel can read this card.
  const shown = action.state === 'partly' ? partly : result;
  const resolved = typeof Resolved === 'string' ? [say(...sentence(reworded(Resolved)))] : [];
  return [
    ...resolved,
    ...changedLines(changeDone(tool, action), MAX_PAIRS, action.state === 'partly'),
    ...details(unsaid(shown, action), { asked: changedMembers(action), known: action.known, timeZone, brief: true }),
  ];
}

/** An id or a phone number, which people copy from a card. */
const COPIED = /^([A-Z]{2,7}-[0-9a-f-]{4,40}|\+\d{5,15})$/;

/**
 * An answer without the values that it repeats from the input: the rows of the change say them, or they stay as they
 * were. Ids, phone numbers and rows, which have a status each, remain.
 */
function unsaid(answer: Fields, action: Action): Fields {
  if (changeOf(action) === undefined) return answer;
  const { shown } = action;
  const isNew = ([name, value]: [string, unknown]) =>
    isBlank(value) ||
    (Array.isArray(value) && value.some(isRecord)) ||
    COPIED.test(String(value)) ||
    !(name in shown) ||
    !isSame(shown[name], value);
  return Object.fromEntries(Object.entries(answer).filter(isNew));
}

/** The input without the members that stay as they are, which an input that replaces a record whole has too. */
function changedMembers(action: Action): Fields {
  const kept = new Set(changeOf(action)?.keeps.map(({ member }) => member));
  return Object.fromEntries(Object.entries(action.shown).filter(([name]) => !kept.has(name)));
}

/** True if a card offers to ask again, because nothing was done and the question was not asked again before. */
export function mayAskAgain(action: Action): boolean {
  if (noteOf(action).again !== undefined || isUndecided(action) || isWithdrawn(action)) return false;
  const { state } = action;
  return (
    state === 'expired' || state === 'declined' || (action.state === 'failed' && action.error?.outcome !== 'unknown')
  );
}

/** Everything that was not done, with the platform's reasons, followed by what was done. */
function partlyDone(action: Action, context: CardContext): Block[] {
  const { notDone, detail } = outcomeOf(action, context.tool);
  const rows = notDone
    .slice(0, MAX_PAIRS)
    .map(({ what, why }) => [
      rich.bold('Not done'),
      '  ',
      ...values(plainText(what)),
      why === '' ? '' : `  ${cut(plainText(why), 300)}`,
    ]);
  const more = notDone.length - rows.length;
  return [
    ...(rows.length > 0
      ? [lines(rows.map((row) => row.filter((part) => part !== '')))]
      : [say(context.reworded(detail))]),
    ...(more > 0 ? [small(`… ${more} more were not done`)] : []),
  ];
}

/** The values of an answer, one line each. Values that do not fit on a card are counted. */
function details(record: Fields, options: ShownOptions): Block[] {
  const shown = rowsOf(record, options);
  const pairs: [string, string][] = [...shown.pairs];
  for (const { title, columns, rows } of shown.tables) {
    const kept = rows.slice(0, 10).map((row) => rowText(columns, row));
    const more = rows.length > 10 ? ` … ${rows.length - 10} more` : '';
    pairs.push([title, `${kept.join(', ')}${more}`]);
  }
  const kept = pairs.slice(0, MAX_PAIRS).map(([name, text]): [string, string] => [name, cut(text, 500)]);
  if (pairs.length > kept.length) kept.push(['More', `${pairs.length - kept.length} more values`]);
  return kept.length === 0 ? [] : [pairLines(kept)];
}

/** One row of a list. Numbers, ids, names and states need no label. */
function rowText(columns: readonly string[], row: readonly string[]): string {
  return row
    .flatMap((cell, i) => {
      const label = columns[i] ?? '';
      const isBare = /name|status|^number$/i.test(label) || /^(\+\d{7,15}|[A-Z]{2,7}-\S+)$/.test(cell);
      return cell === '' ? [] : [isBare ? cell : `${lower(label)} ${cell}`];
    })
    .join(' · ');
}
