import { around, find, findAll } from './dom.ts';
import { focused, giveFocus, rememberFocus } from './focus.ts';
import { fieldValue, isTypeahead, valuesOf } from './form-values.ts';
import type { Screen, ScreenOptions } from './screen.ts';
import type { Toast } from './toast.ts';

/** Time for which a pressed button takes no second click, in ms. */
const REST_MS = 400;
const MESSAGE_LINK = /\.slack\.com\/archives\/(\w+)\/p(\d+)(\d{6})$/;

export interface ControlsOptions extends ScreenOptions {
  screen: Screen;
}

/** Handles clicks, keys and changes in messages, forms, Home and the sidebar. */
export class Controls {
  readonly #options: ControlsOptions;

  constructor(options: ControlsOptions) {
    this.#options = options;
    document.addEventListener('click', (event) => void this.#handleClick(event));
    document.addEventListener('submit', (event) => void this.#handleSubmit(event));
    document.addEventListener('change', (event) => void this.#handleChange(event));
    document.addEventListener('keydown', (event) => this.#handleKey(event));
  }

  /** Sends an element's action to the app, after its confirm dialog. */
  async press(element: HTMLElement, value: unknown): Promise<void> {
    const { client, dialogs } = this.#options;
    const where = placeOf(element);
    const { confirm, url, action, block } = element.dataset;
    if (confirm !== undefined && !(await dialogs.ask(JSON.parse(confirm)))) return;
    const back = rememberFocus();
    dialogs.openFrom(back);
    const button = element instanceof HTMLButtonElement ? element : undefined;
    if (button) button.disabled = true;
    if (url !== undefined && /^https?:/.test(url)) window.open(url, '_blank', 'noopener');
    const form = element.closest<HTMLElement>('form.modal');
    const values = form ? { values: valuesOf(form) } : {};
    try {
      await client.act({ kind: 'click', ...where, actionId: action, blockId: block, value, ...values });
    } finally {
      if (button) setTimeout(() => release(button, back()), REST_MS);
    }
  }

  async #handleClick(event: MouseEvent): Promise<void> {
    const link = around<HTMLAnchorElement>(event, 'a[href*="/archives/"]');
    const [, channel, seconds, rest] = MESSAGE_LINK.exec(link?.href ?? '') ?? [];
    if (channel !== undefined) {
      // The address is of a workspace that does not exist outside of this page.
      event.preventDefault();
      return this.#options.screen.openMessage(channel, `${seconds}.${rest}`);
    }
    if (!around(event, '.overflow')) closeMenus();
    const element = around(event, 'button, summary');
    if (element) await this.#use(element);
  }

  async #use(element: HTMLElement): Promise<void> {
    const { client, composer, screen, toast } = this.#options;
    const data = element.dataset;
    const messageTs = element.closest<HTMLElement>('.message')?.dataset.ts;
    if (data.channel !== undefined) await screen.goTo(data.channel);
    else if (data.copy !== undefined) await copy(element, toast);
    else if (data.try !== undefined) composer.fill(data.try);
    else if (data.thread !== undefined) composer.enterThread(data.thread);
    else if (data.prompt !== undefined)
      await client.act({ kind: 'say', channel: client.channel, text: data.prompt, ...threadOf(data.in) });
    else if (data.stop !== undefined) await client.act({ kind: 'stop', channel: client.channel, threadTs: data.stop });
    else if (data.shortcut !== undefined)
      await client.act({ kind: 'messageShortcut', callbackId: data.shortcut, messageTs });
    else if (data.global !== undefined) await client.act({ kind: 'shortcut', callbackId: data.global });
    else if (data.close !== undefined)
      await client.act({ kind: 'close', viewId: element.closest<HTMLElement>('form')?.dataset.view });
    else if (data.act !== undefined && data.action !== undefined) await this.press(element, data.value);
  }

  async #handleSubmit(event: SubmitEvent): Promise<void> {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches('form.modal')) return;
    event.preventDefault();
    const { client, dialogs } = this.#options;
    const button = find<HTMLButtonElement>('footer .primary', form);
    button.disabled = true;
    try {
      const { errors = {} } = await client.act({ kind: 'submit', viewId: form.dataset.view, values: valuesOf(form) });
      dialogs.refused(Object.keys(errors));
    } finally {
      button.disabled = false;
    }
  }

  /** Sends the action of a menu, a date or a box at once where its block asks for that. */
  async #handleChange(event: Event): Promise<void> {
    const element = around(event, '[data-act="1"][data-action]');
    if (!element || element.tagName === 'BUTTON' || isTypeahead(element)) return;
    const value = fieldValue(element);
    await this.press(element, value === null ? '' : value);
  }

  #handleKey(event: KeyboardEvent): void {
    if (event.defaultPrevented) return;
    if (event.key === 'Tab') this.#options.dialogs.trap(event);
    else if (event.key === 'Escape') this.#escape();
    const menu = focused()?.closest<HTMLDetailsElement>('.overflow');
    if (menu && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      moveInMenu(menu, event.key === 'ArrowDown' ? 1 : -1);
    }
  }

  /** Closes what is in front: a menu, a dialog, the thread, the sidebar. */
  #escape(): void {
    const { composer, dialogs, sidebar } = this.#options;
    const menu = document.querySelector<HTMLDetailsElement>('.overflow[open]');
    if (menu) {
      menu.open = false;
      giveFocus(find('summary', menu));
    } else if (!dialogs.escape() && !composer.escape() && sidebar.isOpen) sidebar.show(false);
  }
}

/** The message, the dialog or the Home that an element belongs to. */
export function placeOf(element: HTMLElement): { view?: string; home?: true; messageTs?: string } {
  const { view } = element.closest<HTMLElement>('form.modal')?.dataset ?? {};
  if (view !== undefined) return { view };
  if (element.closest('.home')) return { home: true };
  const { ts } = element.closest<HTMLElement>('.message')?.dataset ?? {};
  return ts === undefined ? {} : { messageTs: ts };
}

function threadOf(ts: string | undefined): { threadTs?: string } {
  return ts ? { threadTs: ts } : {};
}

function release(button: HTMLButtonElement, back: HTMLElement | null): void {
  button.disabled = false;
  if (document.activeElement === document.body) giveFocus(back);
}

function closeMenus(): void {
  for (const menu of findAll<HTMLDetailsElement>('.overflow[open]')) menu.open = false;
}

function moveInMenu(menu: HTMLDetailsElement, step: 1 | -1): void {
  menu.open = true;
  const items = findAll('.item', menu);
  const at = items.indexOf(document.activeElement as HTMLElement);
  giveFocus(items[at < 0 ? 0 : (at + step + items.length) % items.length]);
}

async function copy(button: HTMLElement, toast: Toast): Promise<void> {
  const code = button.parentElement?.querySelector('pre')?.textContent ?? '';
  try {
    await navigator.clipboard.writeText(code);
    toast.show('Copied.');
  } catch {
    toast.show('This browser does not allow copying.');
  }
}
