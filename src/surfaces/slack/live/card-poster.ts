import type { Action, ActionsView, Notes } from '../../../ledger/ledger.ts';
import type { Clock } from '../../../lib/clock.ts';
import { RETRY_MS } from '../../../lib/durations.ts';
import { defined } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import { levelOf } from '../../../store/unavailable.ts';
import { isAmbiguous } from '../api/refusal.ts';
import { REFUSED_MS, type WebApi } from '../api/web.ts';
import type { Message } from '../blocks/text.ts';
import type { Recipients } from '../people/recipients.ts';
import { type CardNote, noteOf, type Posted, type SlackConfig, threadAt, type UnconfirmedPost } from '../types.ts';
import { ARRIVAL_MS, type Arrival, MAX_POSTS, type OncePoster } from './post-once.ts';

export interface CardPosterOptions {
  config: SlackConfig;
  actions: ActionsView;
  notes: Notes;
  web: WebApi;
  once: OncePoster;
  recipients: Recipients;
  clock: Clock;
  log: Log;
  draw(action: Action): Message;
}

/**
 * Posts an action's card once. A channel that may have accepted it without answering is checked before the card is
 * posted again anywhere, and copies that Slack shows late are removed.
 */
export class CardPoster {
  readonly #options: CardPosterOptions;

  constructor(options: CardPosterOptions) {
    this.#options = options;
  }

  async post(action: Action, note: CardNote): Promise<void> {
    const { notes, clock } = this.#options;
    const unconfirmed = Object.keys(note.sent ?? {}).length > 0;
    // A channel that refuses the card now will refuse it a second later too.
    const stale = clock.now() - (unconfirmed ? RETRY_MS : REFUSED_MS);
    if (!(await notes.claim(action.id, 'posting', stale))) return;
    if (await this.found(action, note)) return;
    const card = this.#options.draw(action);
    for (const place of this.placesOf(note)) {
      const { sent = {} } = await this.#noteOf(action);
      if (place in sent) continue;
      if (Object.values(sent).reduce((sum, { posts }) => sum + posts, 0) >= MAX_POSTS) return;
      const end = await this.#attempt(action, place, card);
      if (end === 'posted' || end === 'unknown') return;
    }
    await this.#remember(action, { unplaced: true });
  }

  /** True if an earlier attempt left the card somewhere, or if Slack cannot be asked now. */
  async found(action: Action, note: CardNote): Promise<boolean> {
    for (const [place, post] of Object.entries(note.sent ?? {})) {
      const arrival = await this.#look(action, post);
      if (!arrival) return true;
      if (arrival.kind === 'arrived') {
        await this.#adopt(action, place, arrival.at, arrival.left);
        return true;
      }
      // The card of an ended action is not posted again, so a channel that the app cannot read is not checked again
      // either.
      const abandoned = arrival.kind === 'unreadable' && action.state !== 'pending';
      if (arrival.kind === 'lost' || abandoned) await this.#putSent(action, place, undefined);
    }
    return false;
  }

  /** Removes cards that Slack showed late in addition to the one that is kept. */
  async removeLateCopies(action: Action, note: CardNote): Promise<void> {
    for (const [place, post] of Object.entries(note.sent ?? {})) {
      if (this.#options.clock.now() < post.last + ARRIVAL_MS) continue;
      const arrival = await this.#look(action, post);
      if (arrival && arrival.kind !== 'pending') await this.#settle(action, place, arrival);
    }
  }

  /**
   * Time (epoch ms) at which the card has to be posted or looked for again; undefined if it was posted or is not wanted.
   * @param isOurs true if the card is posted while the action waits
   */
  nextLook(action: Action, isOurs: boolean): number | undefined {
    const { clock } = this.#options;
    const note = noteOf(action);
    const unconfirmed = Object.values(note.sent ?? {});
    if (note.ts !== undefined)
      return unconfirmed.length === 0
        ? undefined
        : Math.max(clock.now() + RETRY_MS, ...unconfirmed.map(({ last }) => last + ARRIVAL_MS));
    if (unconfirmed.length > 0) return clock.now() + RETRY_MS;
    return action.state === 'pending' && isOurs ? clock.now() + REFUSED_MS : undefined;
  }

  /** Records if the card arrived in a second place, and removes it there. */
  async #settle(action: Action, place: string, arrival: Arrival): Promise<void> {
    const now = await this.#noteOf(action);
    const { [place]: _settled, ...sent } = now.sent ?? {};
    const copies = now.copies ?? [];
    // A copy that was clicked stays, and shows the outcome too.
    if (arrival.kind !== 'arrived' || copies.some(({ ts }) => ts === arrival.at.ts)) {
      await this.#remember(action, { sent });
      return;
    }
    const left = await this.#options.web.remove(arrival.at).then(
      () => arrival.left,
      () => [arrival.at, ...arrival.left],
    );
    await this.#remember(action, {
      sent,
      copies: [...copies, ...left],
      ...(left.length > 0 ? { shown: undefined } : {}),
    });
  }

  /** Channels and users that the card may be posted to, in order: channels first, then the requester. */
  placesOf(note: CardNote): string[] {
    // Approvers cannot see a card in a direct message, so their channel comes first then.
    const { SLACK_APPROVALS_CHANNEL, SLACK_EVENTS_CHANNEL } = this.#options.config;
    const channels = [note.from, SLACK_APPROVALS_CHANNEL, SLACK_EVENTS_CHANNEL].filter((one) => one !== undefined);
    if (note.from?.startsWith('D') === true) channels.push(...channels.splice(0, 1));
    return [...new Set([...channels, ...(note.asker ? [note.asker] : [])])];
  }

  /** `next`: the card is not there. `unknown`: it may be there, and Slack cannot be asked now. */
  async #attempt(action: Action, place: string, card: Message): Promise<'posted' | 'next' | 'unknown'> {
    const { web, once, recipients, log } = this.#options;
    let post: UnconfirmedPost | undefined;
    try {
      const channel = place.startsWith('U') || place.startsWith('W') ? await recipients.open(place, 'viewer') : place;
      const threadTs = threadAt(noteOf(action), place);
      post = once.next(undefined, channel, threadTs);
      await this.#putSent(action, place, post);
      const at = await web.post(channel, card, { mark: post.mark, ...defined({ threadTs }) });
      await this.#adopt(action, place, at, []);
      return 'posted';
    } catch (error) {
      log(levelOf(error, 'warn'), { action: action.id, place, error: String(error) }, 'failed to post a card');
      if (!post) return 'next';
      if (!isAmbiguous(error)) {
        await this.#putSent(action, place, undefined);
        return 'next';
      }
      if (error.answered) {
        post = { ...post, answered: true };
        await this.#putSent(action, place, post);
      }
    }
    // Slack may have accepted the card without answering in time, so the channel is checked before the next is tried.
    const arrival = await this.#look(action, post);
    if (arrival?.kind === 'lost') await this.#putSent(action, place, undefined);
    if (arrival?.kind !== 'arrived') return arrival ? 'next' : 'unknown';
    await this.#adopt(action, place, arrival.at, arrival.left);
    return 'posted';
  }

  /** Undefined if Slack cannot be asked now. */
  async #look(action: Action, post: UnconfirmedPost): Promise<Arrival | undefined> {
    try {
      return await this.#options.once.look(post);
    } catch (error) {
      this.#options.log(
        'warn',
        { action: action.id, error: String(error) },
        'failed to check whether a card was posted',
      );
      return undefined;
    }
  }

  /**
   * Records the card at `at`, which was posted while the action was pending. Other places that may have the card too
   * are checked later, when its arrival there is certain.
   */
  async #adopt(action: Action, place: string, at: Posted, copies: readonly Posted[]): Promise<void> {
    const now = await this.#noteOf(action);
    const { [place]: _settled, ...sent } = now.sent ?? {};
    await this.#remember(action, { ...at, shown: 'pending', sent, copies: [...(now.copies ?? []), ...copies] });
  }

  async #putSent(action: Action, place: string, post: UnconfirmedPost | undefined): Promise<void> {
    const { [place]: _before, ...others } = (await this.#noteOf(action)).sent ?? {};
    await this.#remember(action, { sent: post ? { ...others, [place]: post } : others });
  }

  /** The note that the ledger has now. */
  async #noteOf(action: Action): Promise<CardNote> {
    return noteOf((await this.#options.actions.get(action.id)) ?? action);
  }

  #remember(action: Action, note: CardNote): Promise<void> {
    return this.#options.notes.merge(action.id, 'slack', { ...note });
  }
}
