// A part of the page's script, within client.ts: sorting and paging of data tables, as Slack's client does them.
export const TABLES = `  /** How each table is sorted and which page of it is shown, by message and block. They outlive a new drawing. */
  const turned = {};
  const keyOf = (box) => (box.closest('[data-ts]') || { dataset: {} }).dataset.ts + '/' + box.dataset.table;
  const valueOf = (row, column) => {
    const cell = row.children[column];
    return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
  };
  const compare = (a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true }));
  const showTable = (box) => {
    const { page = 0, column, down } = turned[keyOf(box)] || {};
    const body = $('tbody', box);
    const rows = [...body.children].sort((a, b) => a.dataset.row - b.dataset.row);
    if (column !== undefined) rows.sort((a, b) => compare(valueOf(a, column), valueOf(b, column)) * (down ? -1 : 1));
    const size = Number(box.dataset.size);
    rows.forEach((row, i) => { row.hidden = i < page * size || i >= (page + 1) * size; });
    body.append(...rows);
    for (const button of box.querySelectorAll('[data-sort]')) {
      const state = Number(button.dataset.sort) === column ? (down ? 'descending' : 'ascending') : 'none';
      button.parentElement.setAttribute('aria-sort', state);
      button.lastElementChild.textContent = { none: '', ascending: ' ↑', descending: ' ↓' }[state];
    }
    const pager = $('.pager', box);
    if (!pager) return;
    const text = page * size + 1 + '–' + Math.min((page + 1) * size, rows.length) + ' of ' + rows.length;
    if ($('span', pager).textContent !== text) $('span', pager).textContent = text;
    $('[data-turn="-1"]', pager).disabled = page === 0;
    $('[data-turn="1"]', pager).disabled = (page + 1) * size >= rows.length;
  };
  document.addEventListener('drawn', () => {
    for (const box of document.querySelectorAll('.data-table')) if (turned[keyOf(box)]) showTable(box);
  });
  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-sort], [data-turn]');
    const box = button && button.closest('.data-table');
    if (!box) return;
    const { page = 0, column, down } = turned[keyOf(box)] || {};
    if (button.dataset.turn) turned[keyOf(box)] = { page: page + Number(button.dataset.turn), column, down };
    else {
      // The first click sorts upwards, the second downwards, the third as the app sent it.
      const chosen = Number(button.dataset.sort);
      turned[keyOf(box)] = column !== chosen ? { column: chosen, down: false } : down ? {} : { column, down: true };
    }
    showTable(box);
    // A button at the last page cannot be pressed any more; the focus goes to its neighbour.
    if (button.disabled) focus($('[data-turn]:not(:disabled)', box));
  });
`;
