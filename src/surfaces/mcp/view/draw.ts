// Draws the parts of a card. Every text becomes a text node, so no text can be markup.
import type { StepState, ViewPart } from '../../../cards/view.ts';
import { type TimeStyle, timeText } from './theme.ts';

type Child = Node | string;

/** An element with these children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

const ISO = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A text whose times are written for the reader. */
export function textNodes(text: string, times: TimeStyle): Child[] {
  // Splitting at the pattern's group puts a time at each odd place.
  return text.split(ISO).map((piece, at) => {
    if (at % 2 === 0) return piece;
    const time = element('time', '', timeText(piece, times));
    time.dateTime = piece;
    return time;
  });
}

/** The elements of one part. */
export function drawPart(part: ViewPart, times: TimeStyle): HTMLElement {
  switch (part.kind) {
    case 'facts':
      return titled(part, factsOf(part.rows, times));
    case 'table':
      return titled(part, tableOf(part, times));
    case 'steps':
      return element('ol', 'steps', ...part.steps.map(stepOf));
    case 'progress':
      return progressOf(part);
    case 'note':
      return element('p', 'note', ...textNodes(part.text, times));
    case 'quote':
      return element('div', '', element('h2', '', part.title), element('blockquote', '', part.text));
  }
}

function titled({ title, folded }: { title?: string; folded?: string }, content: HTMLElement): HTMLElement {
  if (folded !== undefined) return element('details', '', element('summary', '', folded), content);
  return title === undefined ? content : element('section', '', element('h2', '', title), content);
}

function factsOf(rows: readonly [string, string][], times: TimeStyle): HTMLElement {
  return element(
    'dl',
    '',
    ...rows.flatMap(([label, value]) => [element('dt', '', label), element('dd', '', ...textNodes(value, times))]),
  );
}

/** A table that becomes one block for each row in a narrow window, where each cell has its column's name. */
function tableOf({ columns, rows, more }: ViewPart & { kind: 'table' }, times: TimeStyle): HTMLElement {
  const head = element(
    'tr',
    '',
    ...columns.map((column) => Object.assign(element('th', '', column), { scope: 'col' })),
  );
  const body = rows.map((row) => {
    const cells = row.slice(0, columns.length).map((cell, at) => {
      const made = element('td', '', ...textNodes(cell, times));
      made.dataset.label = columns[at] ?? '';
      return made;
    });
    return element('tr', '', ...cells);
  });
  // A wide table would need a scroll bar within the host's own.
  const table = element(
    'table',
    columns.length > 5 ? 'stacked' : '',
    element('thead', '', head),
    element('tbody', '', ...body),
  );
  if (more === undefined) return table;
  return element('div', '', table, element('p', 'small', `${more} more rows are not shown here.`));
}

const STEP_WORDS: Readonly<Record<StepState, string>> = {
  done: 'done',
  current: 'current',
  rejected: 'rejected',
  ahead: 'to come',
};

function stepOf({ label, state }: { label: string; state: StepState }): HTMLElement {
  // The marks before the labels say the same to people who see them.
  const word = element('span', state === 'rejected' ? 'small' : 'unseen', STEP_WORDS[state]);
  const made = element('li', state, element('span', '', label), word);
  if (state === 'current') made.setAttribute('aria-current', 'step');
  return made;
}

function progressOf({ done, of }: { done: number; of: number }): HTMLElement {
  const bar = element('progress', '');
  bar.max = Math.max(1, of);
  bar.value = done;
  bar.setAttribute('aria-label', 'Rows that have ended');
  return element('p', 'progress', bar, `${done} of ${of}`);
}
