// A part of the page's script: the list below or above a field, for commands and typeahead.
export const CHOICES = `'use strict';
/** A list of choices beside a field that keeps the focus: arrows mark one, Enter and Tab take it, Escape closes. */
const choices = (field, menu) => {
  const items = () => [...menu.querySelectorAll('.item')];
  const marked = () => items().findIndex((item) => item.getAttribute('aria-selected') === 'true');
  const mark = (index) => {
    items().forEach((item, i) => item.setAttribute('aria-selected', String(i === index)));
    const item = items()[index];
    if (!item) return field.removeAttribute('aria-activedescendant');
    field.setAttribute('aria-activedescendant', item.id);
    item.scrollIntoView({ block: 'nearest' });
  };
  const hide = () => { menu.hidden = true; field.setAttribute('aria-expanded', 'false'); field.removeAttribute('aria-activedescendant'); };
  return {
    hide,
    show: (found, none) => {
      menu.replaceChildren(...found.map(({ content, take, value }, i) => {
        const item = document.createElement('div');
        item.className = 'item';
        item.id = (menu.id || 'typeahead') + '-' + i;
        if (value !== undefined) item.dataset.value = value;
        item.setAttribute('role', 'option');
        item.append(...content);
        // The field keeps the focus.
        item.onmousedown = (event) => event.preventDefault();
        item.onclick = (event) => { event.preventDefault(); take(); };
        return item;
      }));
      if (!found.length && none) { const row = document.createElement('div'); row.className = 'none'; row.setAttribute('role', 'option'); row.setAttribute('aria-disabled', 'true'); row.textContent = none; menu.append(row); }
      if (!found.length && !none) return hide();
      menu.hidden = false;
      field.setAttribute('aria-expanded', 'true');
      mark(found.length ? 0 : -1);
    },
    /** True if the key was for the list. */
    key: (event) => {
      if (menu.hidden) return false;
      const count = items().length;
      const item = items()[marked()];
      // What is typed whole already is sent by Enter.
      if (event.key === 'Enter' && item && item.dataset.value === field.value) { hide(); return false; }
      if (event.key === 'Escape') hide();
      else if (event.key === 'ArrowDown' && count) mark((marked() + 1) % count);
      else if (event.key === 'ArrowUp' && count) mark((marked() - 1 + count) % count);
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && item) item.click();
      else return false;
      event.preventDefault();
      return true;
    },
  };
};
`;
