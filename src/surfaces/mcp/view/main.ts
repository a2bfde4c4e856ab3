// The script of the view: one card, kept current, with a link to the page where a person decides.
import type { ViewAction, ViewCard, ViewRecord } from '../../../cards/view.ts';
import { drawPart, element, textNodes } from './draw.ts';
import { Following, readingOf, withdrawalOf } from './following.ts';
import { Host, type HostInfo } from './host.ts';
import { cardOf, isNotFound, sentencesIn } from './result.ts';
import { isRecord, type Members } from './shapes.ts';
import { applyOwnTheme, applyTheme, type TimeStyle, timeStyleOf } from './theme.ts';

const find = <T extends Element>(selector: string) => document.querySelector(selector) as T;

/** Greatest height in px that the view asks for. Beyond it the frame scrolls. */
const MAX_HEIGHT = 4_000;

class View {
  readonly #main = find<HTMLElement>('main');
  readonly #title = find<HTMLElement>('h1');
  /** Stays in the page, so that screen readers announce its changes. */
  readonly #state = find<HTMLElement>('#state');
  readonly #parts = find<HTMLElement>('#parts');
  readonly #acts = find<HTMLElement>('#acts');
  readonly #host: Host;
  readonly #following = new Following(() => this.#reread());
  #info: HostInfo = { capabilities: {}, context: {} };
  #times: TimeStyle = { locale: undefined, timeZone: undefined };
  #card: ViewCard | undefined;
  /** When the card's state was read. */
  #readAt = new Date();
  /** Counts readings and the host's results, and the one of them that is shown. An older one is not drawn over it. */
  #lastAsked = 0;
  #shownAt = 0;
  /** The card as it was drawn, to leave a page alone in which nothing has changed. */
  #drawn = '';
  /** Set between the first and the second click of a withdrawal. */
  #asksWithdrawal = false;
  /** The problem of the last click, until something else is shown; empty if there is none. */
  #said = '';
  #height = 0;

  constructor(hostWindow: Window) {
    this.#host = new Host(hostWindow, {
      result: (params) => this.#show(cardOf(params), this.#ask()),
      cancelled: () => this.#tell('The call was cancelled.'),
      context: (changed) => this.#adopt(changed),
      teardown: () => this.#following.end(),
    });
  }

  async open(): Promise<void> {
    applyOwnTheme();
    new ResizeObserver(() => this.#reportHeight()).observe(this.#main);
    const info = await this.#host.open();
    if (info === undefined) return this.#tell('The host shows no views.');
    this.#info = { ...info, context: {} };
    this.#adopt(info.context);
    this.#reportHeight();
  }

  #adopt(changed: Members): void {
    this.#info.context = { ...this.#info.context, ...changed };
    applyTheme(changed);
    this.#times = timeStyleOf(this.#info.context);
    if (this.#card) this.#draw(this.#card);
  }

  #tell(text: string): void {
    if (this.#card === undefined) this.#state.textContent = text;
  }

  /** The number of a new reading or result. */
  #ask(): number {
    this.#lastAsked += 1;
    return this.#lastAsked;
  }

  /** Shows a card. `at`: the number of the reading or the result that has it. */
  #show(card: ViewCard, at: number): void {
    const isNews = JSON.stringify(card) !== JSON.stringify(this.#card);
    if (isNews) {
      this.#asksWithdrawal = false;
      this.#said = '';
    }
    this.#card = card;
    this.#shownAt = at;
    this.#readAt = new Date();
    this.#following.heard('read');
    this.#draw(card);
    this.#following.follow(this.#follows(card) ? card.record?.kind : undefined, isNews);
  }

  #follows({ changes, record }: ViewCard): boolean {
    return changes === true && record !== undefined && this.#can('serverTools');
  }

  #can(capability: 'serverTools' | 'openLinks'): boolean {
    return isRecord(this.#info.capabilities[capability]);
  }

  /** Draws the card unless nothing has changed. Open details stay open, and the focus stays at the same control. */
  #draw(given: ViewCard): void {
    const card = this.#following.isUnread ? withoutState(given, this.#readAt) : given;
    const shown = JSON.stringify([card, this.#asksWithdrawal, this.#said, this.#times, this.#info.capabilities]);
    if (shown === this.#drawn) return;
    this.#drawn = shown;
    const open = new Set([...this.#parts.querySelectorAll('details[open] > summary')].map((one) => one.textContent));
    const focused = document.activeElement?.textContent;
    this.#title.textContent = card.title;
    this.#state.className = card.state?.name ?? '';
    this.#state.replaceChildren(...textNodes(card.state?.text ?? '', this.#times));
    this.#parts.replaceChildren(...card.parts.map((part) => drawPart(part, this.#times)));
    for (const details of this.#parts.querySelectorAll('details'))
      details.open = open.has(details.querySelector('summary')?.textContent ?? '');
    this.#acts.replaceChildren(...this.#drawActs(card));
    const again = [...this.#main.querySelectorAll<HTMLElement>('button, summary')];
    again.find((one) => focused !== '' && one.textContent === focused)?.focus();
  }

  #drawActs(card: ViewCard): Node[] {
    const { actions = [], changes } = card;
    const decideAt = addressOf(card);
    const buttons = actions.flatMap((action) => this.#buttonsOf(action, card));
    const asked = actions.find(({ id }) => id === 'withdraw')?.confirm;
    return [
      ...(this.#asksWithdrawal && asked ? [element('p', '', asked.text)] : []),
      ...(buttons.length > 0 ? [element('div', 'buttons', ...buttons)] : []),
      ...(this.#said === '' ? [] : [Object.assign(element('p', 'note', this.#said), { role: 'alert' })]),
      ...(decideAt === undefined
        ? []
        : [element('p', 'small', 'A person decides at this address: ', element('code', 'address', decideAt))]),
      ...(changes && !this.#can('serverTools')
        ? [element('p', 'small', 'This host does not keep the view current. Ask the assistant for the state.')]
        : []),
    ];
  }

  #buttonsOf({ id, label, value: target, confirm }: ViewAction, card: ViewCard): HTMLButtonElement[] {
    if (id === 'open') return this.#can('openLinks') ? [button(label, 'primary', () => this.#open(target))] : [];
    if (!this.#can('serverTools') || !confirm) return [];
    const asks = (value: boolean) => () => {
      this.#asksWithdrawal = value;
      this.#draw(card);
      this.#acts.querySelector<HTMLElement>(value ? '.keep' : '.withdraw')?.focus();
    };
    if (!this.#asksWithdrawal) return [button(label, 'withdraw', asks(true))];
    return [button(confirm.no ?? '', 'keep', asks(false)), button(confirm.yes, '', () => this.#withdraw(card))];
  }

  async #open(url: string): Promise<void> {
    const answer = await this.#host.request('ui/open-link', { url });
    if (!this.#card || addressOf(this.#card) !== url) return;
    const isRefused = 'error' in answer || answer.result.isError === true;
    this.#said = isRefused ? 'The host did not open the address. Copy it into your browser.' : '';
    this.#draw(this.#card);
    if (!isRefused) this.#following.soon();
  }

  async #withdraw({ record }: ViewCard): Promise<void> {
    const call = record && withdrawalOf(record);
    if (!call) return;
    this.#asksWithdrawal = false;
    const answer = await this.#host.request('tools/call', call);
    const failed =
      'error' in answer ? answer.error : answer.result.isError === true ? sentencesIn(answer.result)[0] : '';
    const isDone = failed === '' && 'result' in answer;
    const said = isDone ? '' : `It was not withdrawn. ${failed ?? ''}`.trim();
    this.#say(said, record);
    await this.#reread();
    // The state that was read is news, which clears the sentence.
    this.#say(said, record);
  }

  /** Shows the problem of a click about this record, unless another one is shown by now. */
  #say(text: string, { kind, id }: ViewRecord): void {
    const { record } = this.#card ?? {};
    if (!this.#card || record?.kind !== kind || record.id !== id) return;
    this.#said = text;
    this.#draw(this.#card);
  }

  /** Reads the record again. After some failures in a row the view says that it does not know the state. */
  async #reread(): Promise<void> {
    const record = this.#card?.record;
    if (record === undefined) return;
    const at = this.#ask();
    const answer = await this.#host.request('tools/call', readingOf(record));
    if (at < this.#shownAt || this.#card === undefined) return;
    if ('result' in answer && answer.result.isError !== true && isRecord(answer.result.structuredContent)) {
      this.#show(cardOf(answer.result), at);
      return;
    }
    this.#following.heard('result' in answer && isNotFound(answer.result) ? 'gone' : 'failed');
    if (this.#following.isUnread) this.#asksWithdrawal = false;
    this.#draw(this.#card);
  }

  #reportHeight(): void {
    const height = Math.min(MAX_HEIGHT, Math.ceil(this.#main.getBoundingClientRect().height));
    if (height === this.#height) return;
    this.#height = height;
    this.#host.notify('ui/notifications/size-changed', { height });
  }
}

/** A card whose state may be out of date, without what depends on the state. */
function withoutState(card: ViewCard, readAt: Date): ViewCard {
  const text = `This state could not be read since ${readAt.toISOString()}. Ask the assistant for it.`;
  const parts = card.parts.filter(({ kind }) => kind !== 'steps' && kind !== 'progress');
  const actions = (card.actions ?? []).filter(({ id }) => id === 'open');
  return { ...card, state: { name: 'unknown', text }, parts, actions };
}

/** The page on which a person decides. */
function addressOf({ actions = [] }: ViewCard): string | undefined {
  return actions.find(({ id }) => id === 'open')?.value;
}

function button(text: string, className: string, press: () => unknown): HTMLButtonElement {
  const made = element('button', className, text);
  made.type = 'button';
  made.addEventListener('click', () => void press());
  return made;
}

void new View(window.parent).open();
