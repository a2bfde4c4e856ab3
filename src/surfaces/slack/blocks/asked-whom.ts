import type { Action } from '../../../ledger/ledger.ts';
import { approversOf, BUSY, cardAt, channelTold, isPerson, tellingOf, UNREAD } from '../types.ts';
import { type Block, type Element, rich, say } from './text.ts';

/** Names on the line. Further ones are counted. */
const MAX_NAMES = 5;
const TELL_THEM = 'Tell an approver yourself. They also find it in the app’s Home.';
const OUTSIDE = 'It can be confirmed outside Slack only.';
/** Why nobody could be told. The other reasons need no words. */
const NOBODY: Readonly<Record<string, string>> = {
  unnamed: `SLACK_APPROVERS names nobody who may: guests, bots, deactivated people and people of other organizations may not. ${OUTSIDE}`,
  barred: `the requester is the only approver in SLACK_APPROVERS, and CONFIRM_TWO_PERSON requires another one. ${OUTSIDE}`,
  unread: 'Slack does not say who is in the user groups of SLACK_APPROVERS. It is asked again every minute.',
};

/**
 * The line of a waiting card that says which approvers were notified, or that none could be. Empty while none has been
 * notified yet, and if the card itself notifies them.
 */
export function askedWhom(action: Action): Block[] {
  const { nobody, places: all = [], more = 0 } = approversOf(action);
  const warning = (...why: (Element | string)[]) => [say('⚠️ ', rich.bold('Nobody was told:'), ' ', ...why)];
  if (nobody === 'everyone')
    return cardAt(action)?.channel.startsWith('D') ? warning(`this card is in direct messages. ${TELL_THEM}`) : [];
  if (nobody !== undefined) return NOBODY[nobody] === undefined ? [] : warning(NOBODY[nobody]);
  const places = all.filter((place) => place !== channelTold(action));
  const told = places.filter((place) => tellingOf(action, 'asked', place)?.at !== undefined);
  const refused = places.filter((place) => tellingOf(action, 'asked', place)?.refused !== undefined);
  if (told.length > 0)
    return [
      say(
        rich.bold('Asked:'),
        ' ',
        ...named(told),
        ...(more > 0 ? [`. ${more} more approvers were not told: set SLACK_APPROVALS_CHANNEL`] : []),
        ...(refused.length === 0 ? [] : ['. Not reached: ', ...named(refused)]),
      ),
    ];
  const [first] = refused;
  // Say nothing as long as one of them may still be notified.
  if (first === undefined || refused.length < places.length) return [];
  const reason = tellingOf(action, 'asked', first)?.refused ?? '';
  if (BUSY.has(reason)) return warning(`Slack is busy (${reason}). It is tried again in a few seconds.`);
  if (reason === UNREAD) return warning('Slack does not return their profiles. They are read again every minute.');
  return warning('Slack does not let the app write to ', ...named(refused), ` (${reason}). ${TELL_THEM}`);
}

/** People and channels as a list: "Lee, Kim and 3 others". */
function named(places: readonly string[]): (Element | string)[] {
  const shown = places.slice(0, MAX_NAMES);
  const left = places.length - shown.length;
  const elements = shown.flatMap((place, i) => {
    const separator = i === 0 ? [] : [i === shown.length - 1 && left === 0 ? ' and ' : ', '];
    return [...separator, isPerson(place) ? rich.user(place) : rich.channel(place)];
  });
  return left > 0 ? [...elements, ` and ${left} others`] : elements;
}
