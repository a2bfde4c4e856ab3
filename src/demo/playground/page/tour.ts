import type { TourStep } from '../protocol.ts';
import type { Client } from './client.ts';
import type { Composer } from './composer.ts';
import { embedded, find, findAll, withData } from './dom.ts';
import type { Sandbox } from './sandbox.ts';
import type { Screen } from './screen.ts';

const SAVED_STEP = 'tour';
const SAVED_NUMBER = 'tour-number';
const SAVED_END = 'tour-end';

/** The tour above the conversation. Each step is done when the page shows what the step asks for. */
export class Tour {
  readonly #client: Client;
  readonly #screen: Screen;
  readonly #composer: Composer;
  readonly #sandbox: Sandbox;
  readonly #script = JSON.stringify(embedded<TourStep[]>('steps'));
  /** The number that the script is written for. */
  readonly #named = (JSON.parse(this.#script) as TourStep[]).find(({ shows }) => shows)?.shows?.about ?? '';
  readonly #home: string;
  #steps: TourStep[];
  /** Index of the step; -1 if the tour is not running. */
  #at = Number(sessionStorage.getItem(SAVED_STEP) ?? -1);
  #end = sessionStorage.getItem(SAVED_END) ?? '';

  /** @param root the element whose data attributes name the channel of the tour */
  constructor(root: HTMLElement, client: Client, screen: Screen, composer: Composer, sandbox: Sandbox) {
    this.#client = client;
    this.#screen = screen;
    this.#composer = composer;
    this.#sandbox = sandbox;
    this.#home = root.dataset.channel ?? '';
    this.#steps = this.#about(sessionStorage.getItem(SAVED_NUMBER) ?? this.#named);
    find('#tour-start').addEventListener('click', () => void this.#start());
    find('#tour-do').addEventListener('click', () => void this.#do());
    find('#tour-end').addEventListener('click', () => {
      this.#move(-1);
      composer.focus();
    });
    sandbox.onReset(() => this.#move(-1));
    screen.onDraw(() => this.#advance());
    this.#show();
  }

  #about(number: string): TourStep[] {
    return JSON.parse(this.#script.replaceAll(this.#named, number)) as TourStep[];
  }

  #advance(): void {
    for (let step = this.#steps[this.#at]; step; step = this.#steps[this.#at]) {
      const end = this.#endOf(step);
      if (end === undefined) return;
      if (end !== '') {
        this.#end = end;
        sessionStorage.setItem(SAVED_END, end);
      }
      this.#move(this.#at + 1);
    }
  }

  /** The closing text if the step is done, '' if it has none; undefined if the step is not done. */
  #endOf({ becomes, shows, ends = [] }: TourStep): string | undefined {
    if (becomes) return this.#client.user === becomes ? '' : undefined;
    if (!shows) return undefined;
    const last = findAll('.message')
      .filter(({ textContent }) => textContent?.includes(shows.about))
      .at(-1);
    const offers = last?.querySelector(withData({ action: shows.action })) !== null;
    if (!last || offers !== shows.offered) return undefined;
    if (shows.offered) return '';
    return ends.find(({ says }) => new RegExp(says).test(last.textContent ?? ''))?.text;
  }

  #show(): void {
    const step = this.#steps[this.#at];
    find('#tour').hidden = this.#at < 0;
    find('#tour-start').textContent = this.#at < 0 ? 'Start the tour' : 'Start again';
    if (this.#at < 0) return;
    const text = step ? `Step ${this.#at + 1} of ${this.#steps.length}: ${step.text}` : this.#end;
    const line = find('#tour-text');
    if (line.textContent !== text) line.textContent = text;
    const button = find('#tour-do');
    button.hidden = !step?.button;
    button.textContent = step?.button ?? '';
    find('#tour-end').textContent = step ? 'End the tour' : 'Close';
  }

  #move(to: number): void {
    this.#at = to;
    sessionStorage.setItem(SAVED_STEP, String(to));
    this.#show();
  }

  async #start(): Promise<void> {
    await this.#choose();
    this.#move(0);
    const [first] = this.#steps;
    if (first) await this.#screen.become(first.as);
    await this.#screen.goTo(this.#home);
    find('#tour-text').focus();
  }

  /** Takes another active number of the same customer if the script's number is no longer active. */
  async #choose(): Promise<void> {
    const { numbers } = await this.#sandbox.state();
    const own = numbers.find(({ Number: number }) => number === this.#named);
    const isFree = (one: (typeof numbers)[number]) =>
      one.Status === 'Active' && one.AssignedSubscriberId === own?.AssignedSubscriberId;
    const free = own && isFree(own) ? own : numbers.find(isFree);
    const number = free?.Number ?? this.#named;
    sessionStorage.setItem(SAVED_NUMBER, number);
    this.#steps = this.#about(number);
  }

  async #do(): Promise<void> {
    const step = this.#steps[this.#at];
    if (step?.becomes) return this.#screen.become(step.becomes);
    if (this.#client.channel !== this.#home) await this.#screen.goTo(this.#home);
    this.#composer.fill(step?.fill ?? '');
  }
}
