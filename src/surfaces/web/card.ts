import { type CardAction, type Part, type Piece, plainOf, type Text } from '../../cards/card.ts';
import { withDaysInWords } from '../../platform/dialect/dates.ts';
import { escapeHtml } from './html.ts';

/* Draws the parts of a card as HTML, with every value escaped. It knows no operation. */

/** The parts of a card as HTML. */
export function cardHtml(parts: readonly Part[]): string {
  return parts.map(partHtml).join('\n');
}

function partHtml(part: Part): string {
  switch (part.kind) {
    case 'facts': {
      const rows = part.rows.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${textHtml(value)}</dd>`);
      const list = `<dl>${rows.join('')}</dl>`;
      if (part.folded !== undefined) return `<details><summary>${escapeHtml(part.folded)}</summary>${list}</details>`;
      return part.title === undefined ? list : `<h2>${escapeHtml(part.title)}</h2>${list}`;
    }
    case 'table':
      return tableHtml(part);
    case 'note': {
      const lines = part.lines.map(textHtml);
      return part.warns
        ? lines.map((line) => `<p class="problem">${line}</p>`).join('')
        : `<p>${part.title === undefined ? '' : `${escapeHtml(part.title)}: `}${lines.join('<br>')}</p>`;
    }
    case 'quote':
      return `<p>${textHtml(part.title)}:</p><blockquote>${escapeHtml(part.text)}</blockquote>`;
    case 'small':
      return `<p>${escapeHtml(part.text)}</p>`;
    // The page shows no list of several things, and draws the actions itself.
    default:
      return '';
  }
}

export function formHtml(hidden: string, content: string): string {
  return `<form method="post">${hidden}${content}</form>`;
}

/** An action as a button, of the form around it or of another one. */
export function buttonHtml({ id, label, style }: CardAction, form?: string): string {
  const attributes = [style && `class="${style}"`, 'name="act"', `value="${id}"`, form && `form="${form}"`];
  return `<button ${attributes.filter(Boolean).join(' ')}>${escapeHtml(label)}</button>`;
}

/** Actions as one form, with what they ask before them. Empty without actions. `hidden`: its hidden field. */
export function actionsHtml(actions: readonly CardAction[], hidden: string): string {
  if (actions.length === 0) return '';
  const asked = actions.flatMap(({ label, confirm }) =>
    confirm ? [`<p>${escapeHtml(label)}: ${escapeHtml(confirm.text)}</p>`] : [],
  );
  const buttons = actions.map((action) => buttonHtml(action)).join('');
  return formHtml(hidden, `${asked.join('')}<div class="buttons">${buttons}</div>`);
}

/** A table that can be scrolled in a narrow window. `first`: a column of HTML before the others. */
export function tableHtml(
  { title, columns, rows }: Pick<Part & { kind: 'table' }, 'title' | 'columns' | 'rows'>,
  first?: { title: string; cells: readonly string[] },
): string {
  const cells = (tag: string, html: string | undefined, row: readonly string[]) =>
    [...(html === undefined ? [] : [html]), ...row.map(escapeHtml)].map((one) => `<${tag}>${one}</${tag}>`).join('');
  const body = rows.map((row, at) => `<tr>${cells('td', first?.cells[at], row)}</tr>`).join('');
  return `<h2>${escapeHtml(title)}</h2><div class="scroll" role="region" aria-label="${escapeHtml(title)}" tabindex="0"><table><tr>${cells('th', first?.title, columns)}</tr>${body}</table></div>`;
}

function textHtml(text: Text): string {
  return typeof text === 'string' ? pieceHtml({ value: text }) : text.map(pieceHtml).join('');
}

function pieceHtml(piece: Piece): string {
  if (typeof piece === 'object' && 'bar' in piece)
    return `<progress max="1" value="${piece.bar}">${escapeHtml(piece.of)}</progress> ${escapeHtml(piece.of)}`;
  if (typeof piece === 'object' && 'strong' in piece) return `<strong>${escapeHtml(piece.strong)}</strong>`;
  const html = escapeHtml(plainOf([piece]));
  // A value that is sent is shown as it is sent, and a person's text as it was written.
  if (typeof piece === 'object' && ('sent' in piece || 'said' in piece)) return html;
  // The page's script writes times and days as the reader's browser does, times in its zone.
  const time = (at: string, words: string) => `<time datetime="${at}">${words}</time>`;
  return withDaysInWords(html, time).replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (found) => {
    const at = Date.parse(found);
    if (Number.isNaN(at)) return found;
    const iso = new Date(at).toISOString();
    return time(iso, `${iso.replace('T', ' ').slice(0, 19)} UTC`);
  });
}
