import type { Snapshot } from '../protocol.ts';
import { type Client, StalePage } from './client.ts';
import type { Composer } from './composer.ts';
import type { Dialogs } from './dialogs.ts';
import { find, findAll, make, withData } from './dom.ts';
import { giveFocus, rememberFocus } from './focus.ts';
import { keepTyped } from './form-values.ts';
import type { Sidebar } from './sidebar.ts';
import type { Toast } from './toast.ts';

/** Distance from the end of the conversation, in px, within which new messages scroll it on. */
const NEAR_END = 120;
const RETRY_MS = 1500;

export interface ScreenOptions {
  client: Client;
  composer: Composer;
  dialogs: Dialogs;
  sidebar: Sidebar;
  toast: Toast;
}

/** Shows the chosen place to the chosen person, and follows what happens there. */
export class Screen {
  readonly #client: Client;
  readonly #composer: Composer;
  readonly #dialogs: Dialogs;
  readonly #sidebar: Sidebar;
  readonly #toast: Toast;
  readonly #list = find('#list');
  readonly #places = find('#places');
  readonly #picker = find<HTMLSelectElement>('#user');
  /** Number of messages that a person has seen, by person and place. */
  readonly #seen = new Map<string, number>();
  readonly #listeners: (() => void)[] = [];
  #version = -1;
  #wait = new AbortController();
  #drawnList = '';
  #drawnPlace = '';

  constructor({ client, composer, dialogs, sidebar, toast }: ScreenOptions) {
    this.#client = client;
    this.#composer = composer;
    this.#dialogs = dialogs;
    this.#sidebar = sidebar;
    this.#toast = toast;
    this.#picker.value = client.user;
    if (this.#picker.selectedIndex < 0) {
      this.#picker.selectedIndex = 0;
      client.chooseUser(this.#picker.value);
    }
    this.#picker.addEventListener('change', () => void this.become(this.#picker.value));
  }

  /** Runs after each drawing. */
  onDraw(run: () => void): void {
    this.#listeners.push(run);
  }

  /** Draws the page, then follows it until the server no longer knows this page. */
  async follow(): Promise<void> {
    await this.refresh();
    for (;;) {
      try {
        this.#wait = new AbortController();
        await this.#update(this.#version, this.#wait.signal);
      } catch (error) {
        if (error instanceof StalePage) return;
        const isAbort = error instanceof DOMException && error.name === 'AbortError';
        if (!isAbort) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** Draws the present state without waiting for a change. */
  refresh(): Promise<void> {
    this.#wait.abort();
    return this.#update(-1, new AbortController().signal);
  }

  /** Shows a conversation, or Home. */
  async goTo(channel: string): Promise<void> {
    if (this.#sidebar.isOpen) this.#sidebar.show(false);
    this.#client.chooseChannel(channel);
    this.#composer.leaveThread();
    await this.refresh();
    await this.#client.act({ kind: 'open', channel });
  }

  /** Acts as another person from now on. */
  async become(user: string): Promise<void> {
    this.#client.chooseUser(user);
    this.#composer.leaveThread();
    this.#picker.value = user;
    await this.refresh();
    const { channel } = this.#client;
    if (channel === 'home') await this.#client.act({ kind: 'open', channel });
  }

  /** Shows a message and focuses it. */
  async openMessage(channel: string, ts: string): Promise<void> {
    if (this.#client.channel !== channel) await this.goTo(channel);
    const message = document.querySelector<HTMLElement>(`.message${withData({ ts })}`);
    if (!message) return this.#toast.show('The message is not in a conversation of yours.');
    message.scrollIntoView({ block: 'center' });
    if (!giveFocus(message)) this.#toast.show('The message is behind this dialog.');
  }

  /** Asks for the state, and draws it unless another person or place was chosen meanwhile. */
  async #update(since: number, signal: AbortSignal): Promise<void> {
    const asked = this.#client.user + this.#client.channel;
    const state = await this.#client.state(since, signal);
    if (asked === this.#client.user + this.#client.channel) this.#draw(state);
  }

  #draw(state: Snapshot): void {
    this.#version = state.version;
    find('#title').textContent = state.title;
    find('#note').textContent = state.note;
    this.#drawPlaces(state.places);
    this.#drawList(state.list);
    this.#composer.draw(state);
    this.#dialogs.draw(state.modal);
    for (const run of this.#listeners) run();
  }

  #drawPlaces(html: string): void {
    const back = this.#places.contains(document.activeElement) ? rememberFocus() : undefined;
    this.#places.innerHTML = html;
    if (back) giveFocus(back());
    for (const place of findAll('.place[data-channel]', this.#places)) this.#markPlace(place);
  }

  /** Marks the chosen place, and the number of new messages in the others. */
  #markPlace(place: HTMLElement): void {
    const { channel = '', count = '0' } = place.dataset;
    const isChosen = channel === this.#client.channel;
    const key = this.#client.user + channel;
    place.classList.toggle('on', isChosen);
    if (isChosen) place.setAttribute('aria-current', 'page');
    if (isChosen || !this.#seen.has(key)) this.#seen.set(key, Number(count));
    const fresh = Number(count) - (this.#seen.get(key) ?? 0);
    if (fresh <= 0) return;
    place.classList.add('new');
    place.append(make('span', { class: 'dot', role: 'img', 'aria-label': `${fresh} new` }, String(fresh)));
  }

  #drawList(html: string): void {
    const list = this.#list;
    const place = this.#client.user + this.#client.channel;
    if (this.#drawnList === html && this.#drawnPlace === place) return;
    const wasAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END;
    const old = document.createDocumentFragment();
    const isInside = list.contains(document.activeElement) && document.activeElement !== list;
    const back = isInside ? rememberFocus() : undefined;
    old.append(...list.childNodes);
    list.innerHTML = html;
    keepTyped(old, list);
    if (back) giveFocus(back());
    if (wasAtEnd || this.#drawnPlace !== place)
      list.scrollTop = this.#client.channel === 'home' ? 0 : list.scrollHeight;
    this.#drawnList = html;
    this.#drawnPlace = place;
  }
}
