import type { Fields } from '../../../lib/values.ts';
import type { Dialogs } from './dialogs.ts';
import { around, find, make, withData } from './dom.ts';
import { focused } from './focus.ts';
import type { Screen } from './screen.ts';
import type { Toast } from './toast.ts';

/** The part of the sandbox's state that the page reads. */
export interface SandboxState {
  now: string;
  numbers: { Number: string; Status: string; AssignedSubscriberId: string }[];
  orders: Order[];
}

interface Order {
  OrderId: string;
  OrderType: string;
  OrderStatus: string;
  Numbers: string[];
}

/** The state that follows each state of a port-in. */
const NEXT: Readonly<Record<string, string>> = {
  Submitted: 'Pending Carrier Approval',
  'Pending Carrier Approval': 'Scheduled',
  Scheduled: 'Completed',
};
const TICK_MS = 20_000;
/** Time after a drawing before the port-ins are read again, in ms. */
const SETTLE_MS = 300;
const plain = (text: string) => ({ type: 'plain_text', text });
const START_ANEW = {
  title: plain('Start anew?'),
  text: plain(
    'The sandbox forgets everything that was done in it. Its numbers, orders and clock are as on the first day. Switchboard forgets its actions and watched numbers, and this page its messages.',
  ),
  confirm: plain('Start anew'),
  deny: plain('Keep'),
  style: 'danger',
};

/** The controls of the sandbox in the sidebar: its clock, and what can happen in it. */
export class Sandbox {
  readonly #screen: Screen;
  readonly #dialogs: Dialogs;
  readonly #toast: Toast;
  readonly #events: string;
  readonly #zone: string;
  readonly #clock = find<HTMLTimeElement>('#clock');
  readonly #orders = find('#orders');
  readonly #onReset: (() => void)[] = [];
  /** The time by which the sandbox's clock is ahead of this computer's, in ms. */
  #ahead = 0;
  #drawnOrders = '';
  #reading: ReturnType<typeof setTimeout> | undefined;

  /** @param root the element whose data attributes name the channel for events and the time zone */
  constructor(root: HTMLElement, screen: Screen, dialogs: Dialogs, toast: Toast) {
    this.#screen = screen;
    this.#dialogs = dialogs;
    this.#toast = toast;
    this.#events = root.dataset.events ?? '';
    this.#zone = root.dataset.zone ?? 'UTC';
    document.addEventListener('click', (event) => {
      const button = around(event, '[data-cause]');
      if (button) void this.#cause(button);
    });
    screen.onDraw(() => {
      clearTimeout(this.#reading);
      this.#reading = setTimeout(() => void this.#readOrders(), SETTLE_MS);
    });
  }

  /** Shows the sandbox's clock from now on. */
  async start(): Promise<void> {
    await this.state();
    setInterval(() => this.#tick(), TICK_MS);
  }

  /** Runs after each reset of the sandbox. */
  onReset(run: () => void): void {
    this.#onReset.push(run);
  }

  state(): Promise<SandboxState> {
    return this.#ask<SandboxState>('state');
  }

  #tick(): void {
    const now = new Date(Date.now() + this.#ahead);
    const format = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
    this.#clock.dateTime = now.toISOString();
    this.#clock.textContent = now.toLocaleString('en-GB', { ...format, timeZone: this.#zone, timeZoneName: 'short' });
  }

  async #ask<Answer>(path: string, body?: Fields): Promise<Answer & { now?: string; Message?: string }> {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const answer = await fetch(`/sandbox/${path}`, init);
    const content = await answer.json();
    if (!answer.ok) {
      this.#toast.show(content.Message ?? 'The sandbox refused it.');
      throw new Error(`${path} ${answer.status}`);
    }
    if (typeof content.now === 'string') {
      this.#ahead = Date.parse(content.now) - Date.now();
      this.#tick();
    }
    return content;
  }

  async #cause(button: HTMLElement): Promise<void> {
    button.setAttribute('aria-busy', 'true');
    try {
      await this.#run(button.dataset);
    } finally {
      button.removeAttribute('aria-busy');
    }
    await this.#readOrders();
  }

  async #run({ cause, by, order, status }: DOMStringMap): Promise<void> {
    switch (cause) {
      case 'advance':
        await this.#ask('clock', { advance: by });
        return this.#toast.show(`The sandbox’s clock now shows ${this.#clock.textContent}.`);
      case 'inbound':
        await this.#ask('inbound', { From: '+12015550199', To: '+12015550101', Body: 'Where is my SIM?' });
        return this.#screen.goTo(this.#events);
      case 'reject':
        return this.#rejectFirst();
      case 'order':
        return void (await this.#ask('orders', { OrderId: order, Status: status }));
      case 'reset':
        return this.#startAnew();
      default:
    }
  }

  async #rejectFirst(): Promise<void> {
    const first = (await this.#readOrders()).find(({ OrderStatus }) => OrderStatus !== 'Scheduled');
    if (!first) {
      return this.#toast.show('No port-in is under way. Begin one with “/numbers portin guide +13125550190”.');
    }
    await this.#ask('orders', { OrderId: first.OrderId, Status: 'Rejected' });
    await this.#screen.goTo(this.#events);
  }

  async #startAnew(): Promise<void> {
    if (!(await this.#dialogs.ask(START_ANEW))) return;
    await this.#ask('reset', {});
    for (const run of this.#onReset) run();
    this.#toast.show('The sandbox starts anew.');
  }

  /** Shows the port-ins under way, each with buttons for its next state. */
  async #readOrders(): Promise<Order[]> {
    const { orders } = await this.state();
    const open = orders.filter(({ OrderType, OrderStatus }) => OrderType === 'portin' && NEXT[OrderStatus]);
    const shown = JSON.stringify(open);
    if (this.#drawnOrders === shown) return open;
    this.#drawnOrders = shown;
    const used = focused()?.dataset.order;
    find('#under-way').hidden = open.length === 0;
    this.#orders.replaceChildren(...open.map(orderRow));
    // The button that was pressed is gone. The focus stays with its order, or goes to the next control.
    if (used)
      (this.#orders.querySelector<HTMLElement>(withData({ order: used })) ?? find('[data-cause=inbound]')).focus();
    return open;
  }
}

function orderRow({ OrderId, OrderStatus, Numbers: [number = ''] }: Order): HTMLElement {
  const next = NEXT[OrderStatus] ?? '';
  const buttons = [orderButton(OrderId, 'Next state', next, `Next state: ${number} becomes ${next}`)];
  if (OrderStatus !== 'Scheduled') buttons.push(orderButton(OrderId, 'Reject', 'Rejected', `Reject: ${number}`));
  return make(
    'li',
    {},
    make('span', {}, make('b', {}, number), ` ${OrderStatus}`),
    make('div', { class: 'row' }, ...buttons),
  );
}

function orderButton(order: string, label: string, status: string, name: string): HTMLElement {
  const data = { 'data-cause': 'order', 'data-order': order, 'data-status': status };
  return make('button', { type: 'button', 'aria-label': name, ...data }, label);
}
