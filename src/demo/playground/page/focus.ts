import { withData } from './dom.ts';

/** Finds an element again after its surroundings were drawn again. */
export type WayBack = () => HTMLElement | null;

/** The data attributes that tell the controls of one message or form apart. */
const NAMES = ['action', 'block', 'value', 'channel', 'shortcut', 'global', 'try', 'thread', 'sort', 'turn', 'prompt'];

/** The element that has the focus; null if it is the page itself. */
export function focused(): HTMLElement | null {
  const element = document.activeElement;
  return element instanceof HTMLElement && element !== document.body ? element : null;
}

/** Returns a way back to the element that has the focus now. */
export function rememberFocus(): WayBack {
  const element = focused();
  if (!element) return () => null;
  if (element.id) return () => document.getElementById(element.id);
  const message = element.closest<HTMLElement>('.message');
  if (message && element === message)
    return () => document.querySelector(`.message${withData({ ts: message.dataset.ts })}`);
  const data = withData(Object.fromEntries(NAMES.map((name) => [name, element.dataset[name]])));
  const selector = `${scopeOf(element, message)}${element.tagName}${data}`;
  return () => (element.isConnected || data === '' ? element : document.querySelector<HTMLElement>(selector));
}

function scopeOf(element: HTMLElement, message: HTMLElement | null): string {
  if (message) return `.message${withData({ ts: message.dataset.ts })} `;
  if (element.closest('.home')) return '.home ';
  return element.closest('form.modal') ? 'form.modal ' : '';
}

/** Focuses an element. False if it cannot have the focus. */
export function giveFocus(element: HTMLElement | null | undefined): boolean {
  if (element?.isConnected) element.focus();
  return document.activeElement === element;
}
