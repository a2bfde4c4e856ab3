/** Finds an element of the page's own markup. Throws if it is missing. */
export function find<E extends HTMLElement = HTMLElement>(selector: string, from: ParentNode = document): E {
  const found = from.querySelector<E>(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
}

export function findAll<E extends HTMLElement = HTMLElement>(selector: string, from: ParentNode = document): E[] {
  return [...from.querySelectorAll<E>(selector)];
}

/** The nearest element around the target of an event that matches; null if there is none. */
export function around<E extends HTMLElement = HTMLElement>(event: Event, selector: string): E | null {
  return event.target instanceof Element ? event.target.closest<E>(selector) : null;
}

/** Makes an element with attributes and content. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}

/** A selector for elements whose data attributes have these values. */
export function withData(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `[data-${name}="${CSS.escape(value ?? '')}"]`)
    .join('');
}

/** Reads the JSON that the server put into the page. */
export function embedded<T>(id: string): T {
  return JSON.parse(find(`#${id}`).textContent ?? 'null') as T;
}
