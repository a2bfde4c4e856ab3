import { around, find, findAll } from './dom.ts';
import { giveFocus } from './focus.ts';
import type { Screen } from './screen.ts';

/** The order of a table's rows, and the page that is shown. */
interface Turned {
  page: number;
  column?: number;
  isDown?: boolean;
}

/** Sorts data tables and turns their pages, as Slack's client does. Both outlive a new drawing of the table. */
export class Tables {
  /** By message and block. */
  readonly #turned = new Map<string, Turned>();

  constructor(screen: Screen) {
    screen.onDraw(() => {
      for (const table of findAll('.data-table')) if (this.#turned.has(keyOf(table))) this.#show(table);
    });
    document.addEventListener('click', (event) => this.#handleClick(event));
  }

  #handleClick(event: MouseEvent): void {
    const button = around<HTMLButtonElement>(event, '[data-sort], [data-turn]');
    const table = button?.closest<HTMLElement>('.data-table');
    if (!button || !table) return;
    const key = keyOf(table);
    const before = this.#turned.get(key) ?? { page: 0 };
    const { turn, sort } = button.dataset;
    this.#turned.set(
      key,
      turn === undefined ? sorted(before, Number(sort)) : { ...before, page: before.page + Number(turn) },
    );
    this.#show(table);
    // On the last page the button cannot be pressed any more. The focus goes to its neighbour.
    if (button.disabled) giveFocus(table.querySelector<HTMLElement>('[data-turn]:not(:disabled)'));
  }

  #show(table: HTMLElement): void {
    const { page, column, isDown = false } = this.#turned.get(keyOf(table)) ?? { page: 0 };
    const body = find('tbody', table);
    const rows = findAll('tr', body).sort((a, b) => Number(a.dataset.row) - Number(b.dataset.row));
    if (column !== undefined) rows.sort((a, b) => compare(a, b, column) * (isDown ? -1 : 1));
    const size = Number(table.dataset.size);
    rows.forEach((row, i) => {
      row.hidden = i < page * size || i >= (page + 1) * size;
    });
    body.append(...rows);
    for (const button of findAll('[data-sort]', table)) {
      const order = Number(button.dataset.sort) !== column ? 'none' : isDown ? 'descending' : 'ascending';
      button.parentElement?.setAttribute('aria-sort', order);
      find('span', button).textContent = { none: '', ascending: ' ↑', descending: ' ↓' }[order];
    }
    const pager = table.querySelector<HTMLElement>('.pager');
    if (pager) showPager(pager, page, size, rows.length);
  }
}

/** The first click on a column sorts upwards, the second downwards, and the third restores the app's order. */
function sorted({ column, isDown }: Turned, chosen: number): Turned {
  if (column !== chosen) return { page: 0, column: chosen };
  return isDown ? { page: 0 } : { page: 0, column: chosen, isDown: true };
}

function showPager(pager: HTMLElement, page: number, size: number, count: number): void {
  const text = `${page * size + 1}–${Math.min((page + 1) * size, count)} of ${count}`;
  const status = find('span', pager);
  if (status.textContent !== text) status.textContent = text;
  find<HTMLButtonElement>('[data-turn="-1"]', pager).disabled = page === 0;
  find<HTMLButtonElement>('[data-turn="1"]', pager).disabled = (page + 1) * size >= count;
}

function keyOf(table: HTMLElement): string {
  return `${table.closest<HTMLElement>('[data-ts]')?.dataset.ts}/${table.dataset.table}`;
}

/** Compares two rows by a column: numbers by their value, anything else as text. */
function compare(a: HTMLElement, b: HTMLElement, column: number): number {
  const [one, other] = [a.children[column], b.children[column]] as (HTMLElement | undefined)[];
  const [x, y] = [one?.dataset.value, other?.dataset.value];
  if (x !== undefined && y !== undefined) return Number(x) - Number(y);
  return (one?.textContent ?? '').localeCompare(other?.textContent ?? '', 'en', { numeric: true });
}
