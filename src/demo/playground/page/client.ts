import type { Act, Chosen, Done, Snapshot } from '../protocol.ts';
import type { Toast } from './toast.ts';

/** The server does not know this page any more. */
export class StalePage extends Error {
  override readonly name = 'StalePage';
}

/** Refusals that are no news to the person, who saw what happened. */
const SILENT = /not told of it|notify_on_close/;

/** Sends what people do to the playground, and reads what they see. Knows who is acting, and where. */
export class Client {
  user: string;
  channel: string;
  readonly #token: string;
  readonly #base: string;
  readonly #toast: Toast;

  /** @param root the element whose data attributes hold the page's token and where to begin */
  constructor(root: HTMLElement, toast: Toast) {
    const { token = '', base = '', user = '', channel = '' } = root.dataset;
    this.#token = token;
    this.#base = base;
    this.#toast = toast;
    this.user = sessionStorage.getItem('user') ?? user;
    this.channel = sessionStorage.getItem('channel') ?? channel;
  }

  /** Chooses the person, for this tab. */
  chooseUser(id: string): void {
    this.user = id;
    sessionStorage.setItem('user', id);
  }

  /** Chooses the conversation, or Home, for this tab. */
  chooseChannel(id: string): void {
    this.channel = id;
    sessionStorage.setItem('channel', id);
  }

  /** The state of the page. Waits for the next change if the version is still `since`. */
  state(since: number, signal: AbortSignal): Promise<Snapshot> {
    const query = new URLSearchParams({ user: this.user, channel: this.channel, since: String(since) });
    return this.#request<Snapshot>(`/state?${query}`, { signal });
  }

  /** Does something as the chosen person, and says why if it was not done. */
  async act(act: Act): Promise<Done> {
    const done = await this.#post<Done>('/do', { user: this.user, ...act });
    const atFields = Object.keys(done.errors ?? {}).length > 0;
    if (done.outcome !== 'acked' && done.reason && !atFields && !SILENT.test(done.reason))
      this.#toast.show(done.reason);
    return done;
  }

  /** The HTML of the dialog in which Slack asks before an element's action. */
  async confirmHtml(confirm: unknown): Promise<string> {
    return (await this.#post<{ html: string }>('/confirm', { confirm })).html;
  }

  /** Uploads a file that the person chose in a form. */
  async upload(file: File): Promise<Chosen | undefined> {
    const query = new URLSearchParams({ user: this.user, name: file.name });
    const body = await file.arrayBuffer();
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await this.#request<Partial<Chosen> & { error?: string }>(`/upload?${query}`, {
      method: 'POST',
      headers,
      body,
    });
    if (answer.error !== undefined) this.#toast.show(answer.error);
    return answer.id === undefined ? undefined : { id: answer.id, name: file.name };
  }

  #post<T>(path: string, body: unknown): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    return this.#request<T>(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #request<T>(path: string, init: RequestInit): Promise<T> {
    const headers = { ...init.headers, 'x-playground-token': this.#token };
    const answer = await fetch(this.#base + path, { ...init, headers });
    if (answer.status === 403) {
      this.#toast.show('This page is out of date. Reload it.');
      throw new StalePage();
    }
    return (await answer.json()) as T;
  }
}
