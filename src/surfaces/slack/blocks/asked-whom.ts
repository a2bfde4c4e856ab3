import type { Action } from '../../../ledger/ledger.ts';
import { approversOf, BUSY, cardAt, channelTold, NO_ROLE, tellingOf, UNREAD } from '../types.ts';
import { type Block, type Element, rich, say } from './text.ts';

/** Names on the line. Further ones are counted. */
const MAX_NAMES = 5;
/** Slack's errors that last until a person fixes them, each with instructions. */
const REFUSALS: Readonly<Record<string, readonly [string, string]>> = {
  not_in_channel: ['the app is not in ', '. Invite it there: /invite @Switchboard.'],
  channel_not_found: [
    'Slack does not show the app the channel ',
    '. Check SLACK_APPROVALS_CHANNEL, or invite the app.',
  ],
  is_archived: ['the channel ', ' is archived. Set SLACK_APPROVALS_CHANNEL to another one.'],
};
const TELL_THEM = ' Tell an approver yourself. They also find it in the app’s Home.';

/**
 * The line of a waiting card that says which approvers were notified, or that none could be. Empty while none has been
 * notified yet, and if the card itself notifies them.
 */
export function askedWhom(action: Action): Block[] {
  const plan = approversOf(action);
  if (plan.nobody !== undefined) return nobodyLine(plan.nobody, cardAt(action)?.channel);
  const places = (plan.places ?? []).filter((place) => place !== channelTold(action));
  const told = places.filter((place) => tellingOf(action, 'asked', place)?.at !== undefined);
  const refused = places.filter((place) => tellingOf(action, 'asked', place)?.refused !== undefined);
  if (told.length > 0) {
    const missed = refused.length === 0 ? [] : [rich.text('. Not reached: '), ...named(refused)];
    return [say(rich.bold('Asked:'), ' ', ...named(told, plan.more), ...missed)];
  }
  const [first] = refused;
  // Say nothing as long as one of them may still be notified.
  if (first === undefined || refused.length < places.length) return [];
  const reason = tellingOf(action, 'asked', first)?.refused ?? '';
  if (BUSY.has(reason))
    return [
      say('⚠️ ', rich.bold('Nobody was told yet:'), ` Slack is busy (${reason}). It is tried again in a few seconds.`),
    ];
  return [say('⚠️ ', rich.bold('Nobody was told:'), ' ', ...refusal(first, reason), TELL_THEM)];
}

/** Returns the text of a waiting card about the approvers, for comparison with the content of a posted card. */
export function askedWhomText(action: Action): string {
  const blocks = askedWhom(action);
  return blocks.length === 0 ? '' : JSON.stringify(blocks);
}

function nobodyLine(why: NonNullable<ReturnType<typeof approversOf>['nobody']>, channel: string | undefined): Block[] {
  const warning = (text: string) => [say('⚠️ ', rich.bold('Nobody was told:'), ` ${text}`)];
  switch (why) {
    case 'everyone':
      return channel?.startsWith('D') === true ? warning(`this card is in direct messages.${TELL_THEM}`) : [];
    case 'unnamed':
      return warning('SLACK_APPROVERS names nobody. It can be confirmed outside Slack only.');
    case 'outsiders':
      return warning(
        'SLACK_APPROVERS names only guests, bots, deactivated people or people of other organizations. It can be confirmed outside Slack only.',
      );
    case 'barred':
      return warning(
        'the requester is the only approver in SLACK_APPROVERS, and CONFIRM_TWO_PERSON requires another one. It can be confirmed outside Slack only.',
      );
    case 'unread':
      return warning(
        'Slack does not say who is in the user groups of SLACK_APPROVERS. It is asked again every minute.',
      );
    case 'own':
    case 'way':
      return [];
  }
}

function refusal(place: string, reason: string): (Element | string)[] {
  if (reason === UNREAD)
    return [
      'Slack does not return the profiles of the approvers, so nothing was sent to them. They are read again every minute.',
    ];
  if (reason === NO_ROLE) return ['The approvers do not have the role any more.'];
  if (!isChannel(place)) return [`Slack refused the direct messages (${reason}).`];
  const known = REFUSALS[reason];
  if (!known) return ['Slack refused the message in ', mention(place), ` (${reason}).`];
  return [known[0], mention(place), known[1]];
}

/** People and channels as a list: "Lee, Kim and 3 others". */
function named(places: readonly string[], more = 0): Element[] {
  const shown = places.slice(0, MAX_NAMES);
  const left = places.length - shown.length;
  const last = left > 0 ? `${left} others` : undefined;
  const elements = shown.flatMap((place, i): Element[] => {
    if (i === 0) return [mention(place)];
    return [rich.text(i === shown.length - 1 && last === undefined ? ' and ' : ', '), mention(place)];
  });
  return [
    ...elements,
    ...(last === undefined ? [] : [rich.text(` and ${last}`)]),
    ...(more > 0 ? [rich.text(`. ${more} more approvers were not told: set SLACK_APPROVALS_CHANNEL`)] : []),
  ];
}

function mention(place: string): Element {
  return isChannel(place) ? rich.channel(place) : rich.user(place);
}

function isChannel(place: string): boolean {
  return !place.startsWith('U') && !place.startsWith('W');
}
