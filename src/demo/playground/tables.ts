// Renders tables as HTML. A data_table has all its rows in the page, and the page's script sorts them and turns pages.
import { type Fields, isRecord } from '../../lib/values.ts';
import { escapeHtml, renderPlain } from './mrkdwn.ts';
import { objects, str, textOf } from './types.ts';

/** Number of rows of a data_table that are shown at a time if the block does not say it. */
const PAGE_SIZE = 5;

/** Renders the rich text of a cell. */
type Rich = (element: Fields) => string;

/** Renders a `table` block. */
export function tableHtml(block: Fields, rich: Rich): string {
  const settings = Array.isArray(block.column_settings) ? block.column_settings : [];
  const rows = rowsOf(block).map((cells, i) => {
    const tag = i === 0 ? 'th' : 'td';
    const shown = cells.map((cell, j) => {
      const setting: unknown = settings[j];
      const align = isRecord(setting) && /^(center|right)$/.test(String(setting.align)) ? String(setting.align) : '';
      const wrap = isRecord(setting) && setting.is_wrapped === true ? ' wrapped' : '';
      return `<${tag} class="${align}${wrap}">${cellHtml(cell, rich)}</${tag}>`;
    });
    return `<tr>${shown.join('')}</tr>`;
  });
  return `<div class="table"><table>${caption(block)}${rows.join('')}</table></div>`;
}

/** Renders the first page of a `data_table` block, with buttons that sort and turn pages. */
export function dataTableHtml(block: Fields, rich: Rich): string {
  const [head = [], ...rows] = rowsOf(block);
  const size = typeof block.page_size === 'number' ? block.page_size : PAGE_SIZE;
  const named = typeof block.row_header_column_index === 'number' ? block.row_header_column_index : 0;
  const heads = head.map(
    (cell, j) =>
      `<th scope="col" aria-sort="none"><button type="button" class="sort" data-sort="${j}">${cellHtml(cell, rich)}<span aria-hidden="true"></span></button></th>`,
  );
  const body = rows.map((cells, i) => {
    const shown = cells.map((cell, j) => {
      const value = cell.type === 'raw_number' ? ` data-value="${escapeHtml(String(cell.value))}" class="right"` : '';
      return j === named
        ? `<th scope="row"${value}>${cellHtml(cell, rich)}</th>`
        : `<td${value}>${cellHtml(cell, rich)}</td>`;
    });
    return `<tr data-row="${i}"${i < size ? '' : ' hidden'}>${shown.join('')}</tr>`;
  });
  const pager =
    rows.length <= size
      ? ''
      : `<div class="pager"><button type="button" class="btn small" data-turn="-1" disabled>Previous</button><span role="status">1–${size} of ${rows.length}</span><button type="button" class="btn small" data-turn="1">Next</button></div>`;
  const id = escapeHtml(String(block.block_id));
  return (
    `<div class="data-table" data-table="${id}" data-size="${size}"><div class="table"><table>${caption(block)}` +
    `<thead><tr>${heads.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>${pager}</div>`
  );
}

function rowsOf(block: Fields): Fields[][] {
  return (Array.isArray(block.rows) ? block.rows : []).map((row) => objects(row));
}

function caption(block: Fields): string {
  const text = str(block.caption);
  return text ? `<caption>${renderPlain(text)}</caption>` : '';
}

function cellHtml(cell: Fields, rich: Rich): string {
  return cell.type === 'rich_text' ? objects(cell.elements).map(rich).join('') : renderPlain(textOf(cell));
}
