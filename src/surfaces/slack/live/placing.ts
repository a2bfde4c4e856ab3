import type { Action, ActionsView, Notes } from '../../../gate/ledger/ledger.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Message } from '../blocks/text.ts';
import { type CardNote, type Log, noteOf, type SlackConfig } from '../types.ts';
import { type Doubt, MAX_POSTS, type Once, SETTLED_MS, type Sight } from './once.ts';
import { type Posted, SlackRefusal, type Web } from './web.ts';

/** A card that was posted nowhere is tried again after this, by whichever process looks first. */
const POST_AGAIN_MS = 60_000;
/** While it is open whether a card arrived, its places are looked at this often. */
const LOOK_AGAIN_MS = 10_000;

export type Placing = ReturnType<typeof createPlacing>;

/**
 * Puts an action's card where people see it, once: a place that may have taken it without answering is looked at before
 * the card is posted anywhere again, and copies that Slack shows late are removed.
 */
export function createPlacing(options: {
  config: SlackConfig;
  actions: ActionsView;
  notes: Notes;
  web: Web;
  once: Once;
  clock: Clock;
  log: Log;
  draw(action: Action, note: CardNote): Promise<Message>;
  /** A copy stands beside the card and has to be brought up to date. */
  changed(id: string): Promise<void>;
  /** Does this after whatever is under way for the action. */
  queued(id: string, what: (id: string) => Promise<void>): Promise<void>;
  isClosed(): boolean;
}) {
  const { config, actions, notes, web, once, clock, log, draw, changed, queued, isClosed } = options;
  const remember = (action: Action, note: CardNote) =>
    notes.remember(action.id, { slack: { ...noteOf(actions.get(action.id) ?? action), ...note } });

  async function post(action: Action, note: CardNote): Promise<void> {
    const open = Object.keys(note.sent ?? {}).length > 0;
    // One process posts, and not at every look: where nobody takes it now, nobody takes it a second later.
    if (!notes.claim(action.id, 'posting', clock.now() - (open ? LOOK_AGAIN_MS : POST_AGAIN_MS))) return;
    // Nothing is posted before Slack has said what stands where it may have been posted.
    if (await found(action, note)) return;
    const sent = () => noteOf(actions.get(action.id) ?? action).sent ?? {};
    const card = await draw(action, note);
    for (const place of placesOf(note)) {
      if (place in sent()) continue;
      if (Object.values(sent()).reduce((sum, { posts }) => sum + posts, 0) >= MAX_POSTS) return;
      const end = await attempt(action, place, card);
      if (end === 'posted' || end === 'unknown') return;
    }
  }

  /** Whether an earlier attempt left the card somewhere; also true where Slack cannot be asked now. */
  async function found(action: Action, note: CardNote): Promise<boolean> {
    for (const [place, doubt] of Object.entries(note.sent ?? {})) {
      const sight = await looked(action, doubt);
      if (!sight) return true;
      if (sight.kind === 'there') {
        adopt(action, sight.at, sight.left, place);
        return true;
      }
      if (sight.kind === 'never') putSent(action, place, undefined);
    }
    return false;
  }

  function putSent(action: Action, place: string, doubt: Doubt | undefined): void {
    const { [place]: _before, ...others } = noteOf(actions.get(action.id) ?? action).sent ?? {};
    remember(action, { sent: doubt ? { ...others, [place]: doubt } : others });
  }

  /** Where a card goes, in this order: channels, then the person who asked. */
  function placesOf(note: CardNote): string[] {
    // A direct message hides a card from those who may confirm it: the approvers' channel comes first there.
    const channels = [note.from, config.SLACK_EVENTS_CHANNEL].filter((channel) => channel !== undefined);
    if (note.from?.startsWith('D') === true) channels.reverse();
    return [...new Set([...channels, ...(note.asker ? [note.asker] : [])])];
  }

  /** `next`: it does not stand there. `unknown`: it may, and Slack cannot be asked now. */
  async function attempt(action: Action, place: string, card: Message): Promise<'posted' | 'next' | 'unknown'> {
    const put = (made: Doubt | undefined) => putSent(action, place, made);
    let doubt: Doubt | undefined;
    try {
      const channel = place.startsWith('U') || place.startsWith('W') ? await web.open(place) : place;
      doubt = once.next(undefined, channel);
      put(doubt);
      const at = await web.post(channel, card, undefined, doubt.mark);
      adopt(action, at, [], place);
      return 'posted';
    } catch (error) {
      log('warn', { action: action.id, place, error: String(error) }, 'a card could not be posted');
      if (!doubt) return 'next';
      if (!(error instanceof SlackRefusal) || !error.ambiguous) {
        put(undefined);
        return 'next';
      }
      if (error.answered) {
        doubt = { ...doubt, answered: true };
        put(doubt);
      }
    }
    // Slack may have taken it without answering in time: what stands there is looked at before it goes anywhere else.
    const sight = await looked(action, doubt);
    if (sight?.kind === 'never') put(undefined);
    if (sight?.kind !== 'there') return sight ? 'next' : 'unknown';
    adopt(action, sight.at, sight.left, place);
    return 'posted';
  }

  /** Undefined where Slack cannot be asked now. */
  async function looked(action: Action, doubt: Doubt): Promise<Sight | undefined> {
    try {
      return await once.look(doubt);
    } catch (error) {
      log('warn', { action: action.id, error: String(error) }, 'it could not be seen whether a card was posted');
      return undefined;
    }
  }

  /** The card stands there. Where it may stand elsewhere too, that is looked into once it is settled. */
  function adopt(action: Action, at: Posted, copies: readonly Posted[], place: string): void {
    const now = noteOf(actions.get(action.id) ?? action);
    const { [place]: _settled, ...sent } = now.sent ?? {};
    remember(action, { ...at, shown: action.state, sent, copies: [...(now.copies ?? []), ...copies] });
    if (Object.keys(sent).length > 0) clock.setTimeout(() => void queued(action.id, clearUp), SETTLED_MS);
  }

  /** Removes cards that Slack showed late, beside the one that is kept. */
  async function clearUp(id: string): Promise<void> {
    const action = isClosed() ? undefined : actions.get(id);
    const note = action && noteOf(action);
    if (!action || note?.ts === undefined) return;
    for (const [place, doubt] of Object.entries(note.sent ?? {})) {
      const sight = await looked(action, doubt);
      if (!sight || isClosed()) continue;
      const now = noteOf(actions.get(id) ?? action);
      const { [place]: _settled, ...sent } = now.sent ?? {};
      const copies = now.copies ?? [];
      // One that somebody has clicked on stays, and shows the end as the other does.
      if (sight.kind === 'there' && copies.some(({ ts }) => ts === sight.at.ts)) remember(action, { sent });
      else if (sight.kind === 'there') {
        const left = await web.remove(sight.at).then(
          () => sight.left,
          () => [sight.at, ...sight.left],
        );
        remember(action, { sent, copies: [...copies, ...left], ...(left.length > 0 ? { shown: undefined } : {}) });
        if (left.length > 0) void changed(id);
      } else if (sight.kind !== 'not yet') remember(action, { sent });
    }
  }

  return { post, found, clearUp };
}
