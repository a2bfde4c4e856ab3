import type { Client } from './client.ts';
import { find, findAll, withData } from './dom.ts';
import { focused, giveFocus, rememberFocus, type WayBack } from './focus.ts';
import { keepTyped } from './form-values.ts';

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]';

/** The app's dialog of the chosen person, and the question in front of it. Keeps the focus inside, and gives it back. */
export class Dialogs {
  readonly #client: Client;
  readonly #overlay = find('#overlay');
  readonly #question = find('#sure');
  readonly #picker = find<HTMLSelectElement>('#user');
  #shown = '';
  #shownTo = '';
  /** The dialogs that people left open, with what they typed, by person. */
  readonly #left = new Map<string, HTMLElement>();
  /** Takes the focus when the dialog closes. */
  #back: WayBack | undefined;
  /** The element that opens the next dialog. */
  #opener: WayBack | undefined;
  /** The blocks at fault of a refused form, until the first one has the focus. */
  #wrong: readonly string[] = [];

  constructor(client: Client) {
    this.#client = client;
  }

  /** Notes what the next dialog gives the focus back to. */
  openFrom(opener: WayBack): void {
    this.#opener = opener;
  }

  /** Focuses the first field at fault of a refused form, at once or when the errors are drawn. */
  refused(blocks: readonly string[]): void {
    this.#wrong = blocks;
    this.#focusWrong();
  }

  /** Shows the dialog of the chosen person. @param html its markup; '' for none */
  draw(html: string): void {
    if (html === this.#shown) return;
    const { user } = this.#client;
    const old = this.#form();
    const isPicking = document.activeElement === this.#picker;
    const { action, block } = (old && focused()?.dataset) ?? {};
    if (old && this.#shownTo !== user) this.#left.set(this.#shownTo, old);
    this.#shownTo = user;
    const holder = document.createElement('div');
    holder.innerHTML = html;
    const next = holder.querySelector<HTMLElement>('form.modal');
    this.#keep(old, next);
    if (next && !old) {
      this.#back = this.#opener ?? rememberFocus();
      this.#opener = undefined;
    }
    this.#overlay.replaceChildren(...holder.childNodes);
    this.#overlay.hidden = !next;
    this.#shown = html;
    this.#reachFrontOnly();
    if (!next) this.#wrong = [];
    if (isPicking) return;
    if (next) this.#enter(action === undefined ? undefined : withData({ action, block }));
    else if (!giveFocus(this.#back?.()) && this.#client.channel !== 'home') find('#input').focus();
  }

  /** Asks a question in a dialog. Resolves to true if the person accepts. */
  async ask(confirm: unknown): Promise<boolean> {
    const html = await this.#client.confirmHtml(confirm);
    const back = rememberFocus();
    this.#question.innerHTML = html;
    this.#question.hidden = false;
    this.#reachFrontOnly();
    const accept = find('[data-accept]', this.#question);
    accept.focus();
    const answer = await new Promise<boolean>((resolve) => {
      accept.addEventListener('click', () => resolve(true));
      find('[data-deny]', this.#question).addEventListener('click', () => resolve(false));
    });
    this.#question.hidden = true;
    this.#question.replaceChildren();
    this.#reachFrontOnly();
    giveFocus(back());
    return answer;
  }

  /** Declines the question in front, or closes the dialog. False if there is neither. */
  escape(): boolean {
    const end = this.#question.hidden
      ? this.#overlay.querySelector<HTMLElement>('[data-close]')
      : find('[data-deny]', this.#question);
    end?.click();
    return Boolean(end);
  }

  /** Keeps Tab within the dialog in front and the person switch. */
  trap(event: KeyboardEvent): void {
    const front = !this.#question.hidden ? this.#question : !this.#overlay.hidden ? this.#overlay : null;
    if (!front) return;
    const stops = findAll(FOCUSABLE, front).filter((element) => element.checkVisibility() && element.tabIndex >= 0);
    const [enter, leave] = event.shiftKey ? [stops.at(-1), stops[0]] : [stops[0], stops.at(-1)];
    const at = document.activeElement;
    if (front.contains(at) && at !== leave) return;
    event.preventDefault();
    giveFocus(at === leave && !find('#person').inert ? this.#picker : enter);
  }

  #form(): HTMLElement | null {
    return this.#overlay.querySelector<HTMLElement>('form.modal');
  }

  /** Carries over what was typed, from the form on screen or the one that this person left. */
  #keep(old: HTMLElement | null, next: HTMLElement | null): void {
    if (!next) return;
    const left = this.#left.get(this.#client.user) ?? null;
    const same = [old, left].find((form) => form?.dataset.view === next.dataset.view);
    if (same) keepTyped(same, next);
  }

  /**
   * Focuses what is wrong, the element that was used last, or the first field.
   *
   * @param acted selector of the element that was used last
   */
  #enter(acted: string | undefined): void {
    if (this.#focusWrong()) return;
    const again = acted === undefined ? null : this.#overlay.querySelector<HTMLElement>(acted);
    const target = again ?? this.#overlay.querySelector<HTMLElement>('.field, .btn.primary');
    target?.focus();
  }

  /** True if the first field at fault has the focus now. False before all errors are drawn. */
  #focusWrong(): boolean {
    const fields = this.#wrong.map((block) =>
      this.#overlay.querySelector<HTMLElement>(`.wrong ${withData({ block })}`),
    );
    const inOrder = findAll('.wrong [data-block]', this.#overlay).filter((field) => fields.includes(field));
    const [first] = inOrder;
    if (first === undefined || fields.includes(null)) return false;
    this.#wrong = [];
    first.focus();
    // With its label above and the error below.
    (first.closest('.block') ?? first).scrollIntoView({ block: 'center' });
    return true;
  }

  /** Makes everything but the dialog in front unreachable for keyboards and screen readers. */
  #reachFrontOnly(): void {
    const asks = !this.#question.hidden;
    const isOpen = !this.#overlay.hidden;
    this.#overlay.inert = asks;
    find('#side').inert = asks || isOpen;
    find('.main').inert = asks || isOpen;
    // Dialogs belong to persons, so the person can be changed while one is open.
    find('#person').inert = asks;
    find('.page').classList.toggle('asks', isOpen && !asks);
  }
}
