import type { BatchView } from '../../../batches/batches.ts';
import { CANCEL, type Card } from '../../../cards/card.ts';
import { actionCard, decidersOf, endedText } from '../../../cards/outcome.ts';
import { act, type ChangeReader, questionTitle, requesterOf } from '../../../cards/question.ts';
import { isUndecided } from '../../../gate/approval.ts';
import type { Gate } from '../../../gate/gate.ts';
import { batchText } from '../../../language/batch-words.ts';
import { codesMade, outcomeOf } from '../../../language/outcome.ts';
import { levelOfAction } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Fields } from '../../../lib/values.ts';
import { approversOf, cardAt, channelTold, isPerson, noteOf, type Reworder, tellingOf, UNREAD } from '../types.ts';
import { changeRow, draw, drawWhole, FITS_HEADER, headed, titleBlock } from './fitting.ts';
import { qrButtons } from './result.ts';
import * as ui from './text.ts';

/** Names on the line. Further ones are counted. */
const MAX_NAMES = 5;
const TELL_THEM = 'Tell an approver yourself. They also find it in the app’s Home.';
/** Why nobody could be told. The other reasons need no words. */
const NOBODY: Readonly<Record<string, string>> = {
  unnamed:
    'SLACK_APPROVERS names nobody else who may: guests, bots, deactivated people, people of other organizations and, with CONFIRM_TWO_PERSON, the requester may not. It can be confirmed outside Slack only.',
  unread: 'Slack does not say who is in the user groups of SLACK_APPROVERS. It is asked again every minute.',
};

/**
 * The line of a waiting card that says which approvers were notified, or that none could be. Empty while none has been
 * notified yet, and if the card itself notifies them.
 */
export function askedWhom(action: Action): ui.Block[] {
  const { nobody, places: all = [], more = 0 } = approversOf(action);
  const warning = (...why: (ui.Element | string)[]) => [ui.say('⚠️ ', ui.bold('Nobody was told:'), ' ', ...why)];
  if (nobody === 'everyone')
    return cardAt(action)?.channel.startsWith('D') ? warning(`this card is in direct messages. ${TELL_THEM}`) : [];
  if (nobody !== undefined) return NOBODY[nobody] === undefined ? [] : warning(NOBODY[nobody]);
  const places = all.filter((place) => place !== channelTold(action));
  const told = places.filter((place) => tellingOf(action, place)?.at !== undefined);
  const refused = places.filter((place) => tellingOf(action, place)?.refused !== undefined);
  if (told.length > 0)
    return [
      ui.say(
        ui.bold('Asked:'),
        ' ',
        ...named(told),
        ...(more > 0 ? [`. ${more} more approvers were not told: set SLACK_APPROVALS_CHANNEL`] : []),
        ...(refused.length === 0 ? [] : ['. Not reached: ', ...named(refused)]),
      ),
    ];
  const [first] = refused;
  // Say nothing as long as one of them may still be notified.
  if (first === undefined || refused.length < places.length) return [];
  const reason = tellingOf(action, first)?.refused ?? '';
  if (reason === UNREAD) return warning('Slack does not return their profiles. They are read again every minute.');
  return warning('Slack does not let the app write to ', ...named(refused), ` (${reason}). ${TELL_THEM}`);
}

const LIST = new Intl.ListFormat('en-GB');

/** People and channels as a list: "Lee, Kim and 3 others". */
function named(places: readonly string[]): (ui.Element | string)[] {
  const left = places.length - MAX_NAMES;
  const all = [...places.slice(0, MAX_NAMES), ...(left > 0 ? [`${left} others`] : [])];
  return LIST.formatToParts(all).map(({ value }) => {
    if (!places.includes(value)) return value;
    return isPerson(value) ? ui.user(value) : ui.channel(value);
  });
}

/* The messages about an action: its card while it waits and after it, the question for its requester, and notices. */

/** What draws the messages about an action. */
interface CardServices {
  gate: Pick<Gate, 'tool' | 'decidesBy' | 'pageUrl' | 'timeZone'>;
  reworded: Reworder;
}

/** The readers of a message. */
type CardReaders = 'approvers' | 'requester' | 'everyone';

/** The card as the readers of its message see it. */
function cardOf({ gate }: CardServices, action: Action, reader: CardReaders, more: Partial<ChangeReader> = {}): Card {
  const { again, asker } = noteOf(action);
  const changeReader: ChangeReader = {
    surface: 'slack',
    who: reader === 'requester' ? 'requester' : reader === 'everyone' && asker !== undefined ? 'everyone' : 'decider',
    decides: gate.decidesBy('slack') && reader !== 'requester',
    askedAgain: again !== undefined,
    isCopy: reader === 'approvers',
    isAlone: reader === 'everyone' && cardAt(action)?.channel.startsWith('D') === true,
    ...(action.notes.guide !== undefined && { inGuide: true }),
    ...more,
  };
  return actionCard({ action, tool: gate.tool(action.operation), timeZone: gate.timeZone, reader: changeReader });
}

/** A question with its actions, or with where it is decided if Slack may not confirm. */
function questionBlocks(
  slack: CardServices,
  action: Action,
  { mark, title, parts, actions }: Card,
  { above = [], below, beside = '' }: { above?: readonly ui.Block[]; below: readonly ui.Block[]; beside?: string },
): ui.Block[] {
  const { reworded } = slack;
  const { blocks, isWhole } = draw({ title, parts }, { reworded, beside });
  return [
    ui.header(`${mark} ${title}`),
    ...(title.length <= FITS_HEADER ? [] : [titleBlock(title)]),
    ...above,
    ...blocks,
    ...below,
    ...elsewhere(slack, action),
    ...changeRow(action, actions, { isWhole, reworded }),
  ];
}

/** The durable message of an action that a person confirms, drawn from the ledger's record alone. */
export function actionMessage(slack: CardServices, action: Action, reader: CardReaders = 'everyone'): ui.Message {
  const { reworded } = slack;
  const card = cardOf(slack, action, reader);
  const { mark, title, state, effect = '', actions } = card;
  if (action.state === 'pending') {
    const { from } = noteOf(action);
    const askedIn = cardAt(action)?.channel;
    // Others do not see a direct message.
    const beside = reader === 'approvers' && from !== undefined && !from.startsWith('D') ? ` in <#${from}>` : '';
    const where = reader === 'requester' && askedIn ? [ui.say(ui.bold('Asked in:'), ' ', ui.channel(askedIn))] : [];
    const below = reader === 'approvers' ? [] : [...where, ...askedWhom(action)];
    const whom = levelOfAction(action) === 'own' ? 'an operator' : 'an approver';
    return ui.messageOf(`${title} waits for ${whom}`, questionBlocks(slack, action, card, { below, beside }));
  }
  // The headline of a partly done action has counts, so the title follows below, where it is not cut off.
  const isPartly = action.state === 'partly';
  const { blocks, isWhole } = draw(card, { reworded });
  const shown = [
    ...(isPartly ? [ui.header(`${mark} ${state}`), titleBlock(title)] : headed(`${mark} ${state}`, title)),
    ...(effect === '' ? [] : [ui.say(effect)]),
    ...blocks,
  ];
  return ui.messageOf(`${mark} ${state}${isPartly ? ' · ' : ': '}${title}`, [
    ...shown.slice(0, ui.MAX_BLOCKS - 3),
    ...(actions.some(({ id }) => id === 'wasDone') ? [ui.small(SETTLING)] : []),
    ...ui.buttonRow(`qr:${action.id}`, ...qrButtons(action.id, codesMade(action))),
    ...changeRow(action, actions, { isWhole, reworded }),
    ...(noteOf(action).again === undefined ? [] : [ui.small('Asked again, on a newer card.')]),
  ]);
}

/** Explains the buttons that resolve an unknown outcome. */
const SETTLING =
  '*Check now* reads the platform again. If you have seen for yourself how it ended, an approver can close it: *It was done* keeps it as done, *It was not done* lets it be asked again.';

/** The reminder for approvers: the card, which says while it waits that it is a reminder. */
export function reminderMessage(slack: CardServices, action: Action): ui.Message {
  const { text, blocks } = actionMessage(slack, action, 'approvers');
  if (action.state !== 'pending') return { text, blocks };
  const title = questionTitle(slack.gate.tool(action.operation), action);
  const still = ui.say('⏰ ', ui.bold('Still waiting. '), 'It expires ', ui.date(action.expiresAt), '.');
  return ui.messageOf(`⏰ ${title}: still waiting for approval`, [still, ...blocks]);
}

/** Everything that will be sent, in a modal, where it can be decided too. An ended action shows its state instead. */
export function wholeView(slack: CardServices, action: Action): Fields {
  // Ended actions list their input too.
  const asked = cardOf(slack, { ...action, state: 'pending' }, 'everyone');
  const { blocks, isWhole } = drawWhole(asked, slack.reworded);
  if (action.state !== 'pending') {
    const { mark, headline } = outcomeOf(action, slack.gate.tool(action.operation));
    const more = isWhole ? [] : [ui.say('Slack cannot show more of it.')];
    return ui.noticeView('What was asked', ...blocks, ...more, ui.divider, ui.say(ui.bold(`${mark} ${headline}`)));
  }
  const who = `Asked by ${ui.requesterText(action)} · waits until ${ui.shortDate(action.expiresAt)}`;
  const below = isWhole || !slack.gate.decidesBy('slack') ? decision(slack, action) : beyondSlack(slack, action, asked);
  return ui.noticeView('What will be sent', ...blocks, ui.small(who), ...below);
}

/** Blocks for a question that is too long for Slack, where it can be declined but not confirmed. */
function beyondSlack({ gate }: CardServices, action: Action, { actions }: Card): ui.Block[] {
  const url = gate.pageUrl(action.id);
  const next = url === undefined ? 'Ask for it in smaller parts.' : 'Confirm it on the confirmation page. ';
  const text = 'Slack cannot show all of it, so it cannot be confirmed in Slack.';
  const declines = actions.filter(({ id }) => id === 'decline');
  return [ui.say('⚠️ ', ui.bold(text), ` ${next}`, ...pageLink(url)), ...changeRow(action, declines)];
}

/** Refers to the confirmation page if Slack may not confirm. Without an address, this process serves no page. */
export function elsewhere({ gate }: CardServices, { id }: Pick<Action, 'id'>): ui.Block[] {
  if (gate.decidesBy('slack')) return [];
  const text = gate.decidesBy('page')
    ? 'Confirm or decline this on the confirmation page. It cannot be decided in Slack.'
    : 'It cannot be decided in Slack (CONFIRM_VIA). If nobody can decide it elsewhere, its requester can withdraw it and ask for it again.';
  return [ui.say(text, ...pageLink(gate.pageUrl(id)))];
}

function pageLink(url: string | undefined) {
  return url === undefined ? [] : [' ', ui.link(url, 'Open the page')];
}

/**
 * The yes and the no alone, for a place without room for the other actions.
 *
 * @param place.isRequesters the reader asked for it, and takes it back instead of declining it
 */
export function decision(slack: CardServices, action: Action, { isWhole = true, isRequesters = false } = {}) {
  const taking = act('withdraw', action.id, levelOfAction(action) === 'own' ? { label: CANCEL } : {});
  const actions = cardOf(slack, action, 'everyone')
    .actions.filter(({ id }) => id === 'confirm' || id === 'decline')
    .map((one) => (one.id === 'decline' && isRequesters ? taking : one));
  return [...elsewhere(slack, action), ...changeRow(action, actions, { isWhole, reworded: slack.reworded })];
}

/**
 * The question of an own change where it was asked, and is decided.
 *
 * @param place.isShared others see the message too, so it names the requester
 * @param place.isOthers the reader is another operator, who may apply or decline it but not edit it
 * @param place.isStep the question is a step of a guide, which has the form
 * @param place.isRepeat an earlier call of the reader asked this already
 */
export function ownQuestion(
  slack: CardServices,
  action: Action,
  { isShared = false, isOthers = false, isStep = false, isRepeat = false } = {},
): ui.Message {
  const reader: Partial<ChangeReader> = { who: isOthers ? 'decider' : 'requester', ...(isStep && { inGuide: true }) };
  const card = cardOf(slack, action, 'everyone', reader);
  // A sentence tells the requester who asked and until when.
  const parts = card.parts.filter((part) => !(part.kind === 'facts' && part.small));
  const who = isShared ? `Asked by ${ui.requesterText(action)}. ` : isOthers ? '' : 'Only you see this. ';
  const until = ui.small(`${who}Nothing has been sent. It waits until ${ui.shortDate(action.expiresAt)}.`);
  const above = isOthers || isRepeat ? [ui.say(...askedBefore(action, isOthers))] : [];
  const question = questionBlocks(slack, action, { ...card, parts }, { above, below: [until] });
  return ui.messageOf(`${card.title}: apply?`, question);
}

/** Says that a question was asked before. */
export function askedBefore(action: Action, isOthers: boolean): (ui.Element | string)[] {
  const who = isOthers ? ui.elementsOf([requesterOf(action)]) : ['You'];
  return [...who, ' asked for this (', ui.date(action.createdAt), '). It was not asked a second time.'];
}

/** One line that tells the requester the outcome. The card above it has the rest. */
export function toldMessage({ gate, reworded }: CardServices, action: Action, asker: string): ui.Message {
  const tool = gate.tool(action.operation);
  const { mark, word, headline, effect, detail } = outcomeOf(action, tool);
  const { state, decidedReason } = action;
  // What a later report changes is on the card alone, which follows it.
  const ended = state === 'partly' ? headline : word;
  const title = questionTitle(tool, action);
  const by = isUndecided(action) ? [] : decidersOf(action);
  const act = by.length === 0 ? '' : ` · ${state === 'declined' ? word.toLowerCase() : 'confirmed'} by `;
  const says = reworded(detail);
  const isQuiet = state === 'done' || state === 'partly';
  const why = isQuiet ? '' : [says.includes(effect) ? '' : effect, state === 'declined' ? '' : says].join(' ').trim();
  const line = [
    ...ui.sentence(`${mark} ${ended}: `),
    ui.bold(title),
    ...(act === '' ? [] : [act]),
    ...ui.elementsOf(by),
    ...(why === '' ? [] : ['. ', ...ui.sentence(why)]),
  ];
  return {
    text: `<@${asker}> ${ui.messageOf(`${mark} ${ended}: ${title}${act}`, []).text}${ui.mrkdwnOf(by)}`,
    blocks: [
      ui.say(ui.user(asker), ' ', ...line),
      ...(decidedReason === undefined ? [] : [ui.quote(ui.text(decidedReason))]),
    ],
  };
}

/**
 * Answers a press on a question that has ended, with the decider, the time and the outcome.
 *
 * @param lost what the press did not do: "Your edit was not sent."
 * @param batch the batch that the question was about
 */
export function endedNotice(slack: CardServices, action: Action, lost = '', batch?: BatchView): ui.Message {
  const tool = slack.gate.tool(action.operation);
  const text = endedText(action, tool, batch && batchText(batch, 'slack'));
  const mark = lost === '' ? 'ℹ️ ' : `ℹ️ ${lost} `;
  return { text: ui.escaped(mark) + ui.mrkdwnOf(text), blocks: [ui.say(mark, ...ui.elementsOf(text, slack.reworded))] };
}
