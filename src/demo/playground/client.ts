// The page's script, served at /playground/app.js. Plain browser JavaScript without a build step or other resources.
export const CLIENT = String.raw`'use strict';
(() => {
  const $ = (selector, from) => (from || document).querySelector(selector);
  const root = document.documentElement;
  const token = root.dataset.token;
  const base = root.dataset.base;
  const commands = JSON.parse($('#commands').textContent);
  let user = sessionStorage.getItem('user') || root.dataset.user;
  let channel = sessionStorage.getItem('channel') || root.dataset.channel;
  let version = -1;
  let shownModal = '';
  let wait = new AbortController();
  const seen = {};
  const history = JSON.parse(sessionStorage.getItem('history') || '[]');
  let historyAt = history.length;

  const toast = (text) => {
    const box = $('#toast');
    box.textContent = text;
    box.hidden = false;
    clearTimeout(toast.timer);
    toast.timer = setTimeout(() => { box.hidden = true; }, 6000);
  };

  const api = async (path, body, signal) => {
    const res = await fetch(base + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-playground-token': token, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body ? JSON.stringify(body) : undefined,
      signal,
    });
    if (res.status === 403) { toast('This page is out of date. Reload it.'); throw new Error('forbidden'); }
    return res.json();
  };

  const act = async (body) => {
    const done = await api('/do', { user, ...body });
    if (done.outcome !== 'acked' && done.reason && !(done.errors && Object.keys(done.errors).length)) {
      if (!/not told of it|notify_on_close/.test(done.reason)) toast(done.reason);
    }
    return done;
  };

  // Keep what was typed when the same form is redrawn.
  const valuesOf = (form) => {
    const values = {};
    for (const el of form.querySelectorAll('[data-action]')) {
      if (el.closest('.block') && el.tagName === 'BUTTON') continue;
      const key = el.dataset.block + '/' + el.dataset.action;
      if (el.classList.contains('boxes')) {
        const picked = [...el.querySelectorAll('input:checked')].map((input) => input.value);
        values[key] = el.dataset.type === 'radio_buttons' ? picked[0] || null : picked;
      } else if (/external_select/.test(el.dataset.type)) {
        const value = el.dataset.value || null;
        values[key] = el.dataset.type.startsWith('multi_') ? (value ? [value] : []) : value;
      } else if (el.tagName === 'SELECT' && el.multiple) {
        values[key] = [...el.selectedOptions].map((option) => option.value);
      } else if (el.dataset.type === 'datetimepicker') {
        values[key] = el.value ? { zoned: el.value, tz: el.dataset.tz } : null;
      } else values[key] = el.value === '' ? null : el.value;
    }
    return values;
  };
  const keepTyped = (from, to) => {
    for (const el of to.querySelectorAll('input.field[data-action], textarea[data-action], select[data-action]')) {
      const old = from.querySelector('[data-block="' + CSS.escape(el.dataset.block) + '"][data-action="' + CSS.escape(el.dataset.action) + '"]');
      if (!old || old.dataset.type !== el.dataset.type) continue;
      if (el.multiple) { for (const o of el.options) o.selected = [...old.selectedOptions].some((p) => p.value === o.value); continue; }
      el.value = old.value;
      if (old.dataset.value) el.dataset.value = old.dataset.value;
    }
    for (const box of to.querySelectorAll('.boxes input')) {
      const old = from.querySelector('.boxes input[name="' + CSS.escape(box.name) + '"][value="' + CSS.escape(box.value) + '"]');
      if (old) box.checked = old.checked;
    }
  };

  const draw = (state) => {
    version = state.version;
    $('#title').textContent = state.title;
    $('#note').textContent = state.note;
    $('#places').innerHTML = state.places;
    for (const button of document.querySelectorAll('.place')) {
      const id = button.dataset.channel;
      const count = Number(button.dataset.count);
      button.classList.toggle('on', id === channel);
      if (id === channel || seen[user + id] === undefined) seen[user + id] = count;
      const fresh = count - seen[user + id];
      if (fresh > 0) { button.classList.add('new'); const dot = document.createElement('span'); dot.className = 'dot'; dot.textContent = fresh; button.append(dot); }
    }
    const list = $('#list');
    const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 120;
    if (list.dataset.drawn !== state.list) {
      const typed = list.cloneNode(true);
      list.querySelectorAll('.field').forEach((el, i) => { const c = typed.querySelectorAll('.field')[i]; if (c) c.value = el.value; });
      list.innerHTML = state.list;
      keepTyped(typed, list);
      list.dataset.drawn = state.list;
      if (atEnd || list.dataset.place !== user + channel) list.scrollTop = channel === 'home' ? 0 : list.scrollHeight;
      list.dataset.place = user + channel;
    }
    $('#composer').hidden = channel === 'home';
    const overlay = $('#overlay');
    if (state.modal !== shownModal) {
      const old = $('form.modal', overlay);
      const holder = document.createElement('div');
      holder.innerHTML = state.modal;
      const next = $('form.modal', holder);
      if (old && next && old.dataset.view === next.dataset.view) keepTyped(old, next);
      const focused = old && next && document.activeElement && document.activeElement.dataset ? document.activeElement.dataset : null;
      overlay.replaceChildren(...holder.childNodes);
      overlay.hidden = !next;
      shownModal = state.modal;
      const again = focused && focused.action ? $('[data-action="' + CSS.escape(focused.action) + '"]', overlay) : null;
      const target = again || $('.wrong .field, .field, .btn.primary', overlay);
      if (next && target) target.focus();
      if (!next && channel !== 'home') $('#input').focus();
    }
  };

  const stateUrl = (since) => '/state?' + new URLSearchParams({ user, channel, since: String(since) });
  const refresh = async () => { wait.abort(); draw(await api(stateUrl(-1))); };
  const follow = async () => {
    for (;;) {
      try {
        wait = new AbortController();
        draw(await api(stateUrl(version), undefined, wait.signal));
      } catch (error) {
        if (error.message === 'forbidden') return;
        if (error.name !== 'AbortError') await new Promise((resolve) => setTimeout(resolve, 1500));
      }
    }
  };

  const goTo = async (id) => {
    channel = id;
    sessionStorage.setItem('channel', id);
    await refresh();
    if (id === 'home') await act({ kind: 'home' });
  };

  const ask = (confirm) => api('/confirm', { confirm }).then(({ html }) => new Promise((resolve) => {
    const box = $('#sure');
    box.innerHTML = html;
    box.hidden = false;
    $('[data-accept]', box).focus();
    const end = (answer) => { box.hidden = true; box.replaceChildren(); resolve(answer); };
    $('[data-accept]', box).onclick = () => end(true);
    $('[data-deny]', box).onclick = () => end(false);
  }));

  const placeOf = (el) => {
    const modal = el.closest('form.modal');
    if (modal) return { view: modal.dataset.view };
    const home = el.closest('.home');
    return home ? { home: true } : { messageTs: el.closest('.message').dataset.ts };
  };

  const press = async (el, value) => {
    const where = placeOf(el);
    if (el.dataset.confirm && !(await ask(JSON.parse(el.dataset.confirm)))) return;
    if (el.tagName === 'BUTTON') el.disabled = true;
    if (el.dataset.url && /^https?:/.test(el.dataset.url)) window.open(el.dataset.url, '_blank', 'noopener');
    const form = el.closest('form.modal');
    try {
      await act({ kind: 'click', ...where, actionId: el.dataset.action, blockId: el.dataset.block, value, values: form ? valuesOf(form) : undefined });
    } finally {
      if (el.tagName === 'BUTTON') setTimeout(() => { el.disabled = false; }, 400);
    }
  };

  document.addEventListener('click', (event) => {
    const el = event.target.closest('button, summary');
    if (!event.target.closest('.overflow')) for (const open of document.querySelectorAll('.overflow[open]')) open.open = false;
    if (!el) return;
    if (el.dataset.channel) return void goTo(el.dataset.channel);
    if (el.dataset.try) { const input = $('#input'); input.value = el.dataset.try; input.focus(); suggest(); return; }
    if (el.dataset.shortcut) return void act({ kind: 'messageShortcut', callbackId: el.dataset.shortcut, messageTs: el.closest('.message').dataset.ts });
    if (el.dataset.global) return void act({ kind: 'shortcut', callbackId: el.dataset.global });
    if (el.hasAttribute('data-close')) return void act({ kind: 'close', viewId: el.closest('form').dataset.view });
    if (el.dataset.act && el.dataset.action) return void press(el, el.dataset.value);
  });

  document.addEventListener('submit', (event) => {
    event.preventDefault();
    const form = event.target;
    if (form.id === 'composer') return void send();
    const button = $('footer .primary', form);
    button.disabled = true;
    act({ kind: 'submit', viewId: form.dataset.view, values: valuesOf(form) })
      .finally(() => { button.disabled = false; });
  });

  document.addEventListener('change', (event) => {
    const el = event.target.closest('[data-act="1"][data-action]');
    if (!el || el.tagName === 'BUTTON' || /external_select/.test(el.dataset.type)) return;
    const holder = document.createElement('div');
    holder.append(el.cloneNode(true));
    let value = el.value;
    if (el.classList.contains('boxes')) {
      const picked = [...el.querySelectorAll('input:checked')].map((input) => input.value);
      value = el.dataset.type === 'radio_buttons' ? picked[0] : picked;
    } else if (el.multiple) value = [...el.selectedOptions].map((option) => option.value);
    void press(el, value);
  });

  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    if (!$('#sure').hidden) return $('[data-deny]', $('#sure')).click();
    const close = $('#overlay [data-close]');
    if (close) close.click();
  });

  // Typeahead of external selects.
  let typing;
  document.addEventListener('input', (event) => {
    const el = event.target;
    if (!el.dataset || !/external_select/.test(el.dataset.type || '')) return;
    delete el.dataset.value;
    clearTimeout(typing);
    const menu = el.nextElementSibling;
    if (el.value.length < Number(el.dataset.min)) { menu.hidden = true; return; }
    typing = setTimeout(async () => {
      const done = await act({ kind: 'suggest', ...placeOf(el), actionId: el.dataset.action, blockId: el.dataset.block, value: el.value });
      menu.replaceChildren(...(done.options || []).map((option) => {
        const item = document.createElement('button');
        item.type = 'button';
        item.className = 'item';
        item.textContent = option.text.text;
        item.onclick = () => {
          el.value = option.text.text;
          el.dataset.value = option.value;
          menu.hidden = true;
          if (el.dataset.act) void press(el, option.value);
        };
        return item;
      }));
      if (!(done.options || []).length) { const none = document.createElement('span'); none.className = 'none'; none.textContent = 'No matches'; menu.append(none); }
      menu.hidden = false;
    }, 150);
  });

  // The composer: commands, their list, and history.
  const input = $('#input');
  const menu = $('#suggestions');
  const suggest = () => {
    const typed = input.value;
    const found = typed.startsWith('/') && !typed.includes(' ') ? commands.filter((one) => one.command.startsWith(typed)).slice(0, 12) : [];
    menu.replaceChildren(...found.map((one) => {
      const item = document.createElement('button');
      item.type = 'button';
      item.className = 'item';
      const name = document.createElement('b');
      name.textContent = one.command;
      const text = document.createElement('span');
      text.textContent = [one.usageHint, one.description].filter(Boolean).join(' — ');
      item.append(name, ' ', text);
      item.onclick = () => { input.value = one.command + ' '; input.focus(); suggest(); };
      return item;
    }));
    menu.hidden = found.length === 0;
  };
  input.addEventListener('input', suggest);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Tab' && !menu.hidden) { event.preventDefault(); menu.firstElementChild.click(); return; }
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    if (event.key === 'ArrowUp') historyAt = Math.max(0, historyAt - 1);
    else historyAt = Math.min(history.length, historyAt + 1);
    event.preventDefault();
    input.value = history[historyAt] || '';
    suggest();
  });
  const send = async () => {
    const text = input.value.trim();
    if (!text) return;
    history.push(text);
    if (history.length > 100) history.shift();
    historyAt = history.length;
    sessionStorage.setItem('history', JSON.stringify(history));
    input.value = '';
    suggest();
    const match = /^(\/\S+)\s*([\s\S]*)$/.exec(text);
    if (match) await act({ kind: 'command', channel, command: match[1], text: match[2] });
    else await act({ kind: 'say', channel, text });
  };

  const picker = $('#user');
  picker.value = user;
  if (picker.selectedIndex < 0) { picker.selectedIndex = 0; user = picker.value; }
  picker.addEventListener('change', async () => {
    user = picker.value;
    sessionStorage.setItem('user', user);
    await refresh();
    if (channel === 'home') await act({ kind: 'home' });
  });
  refresh().then(follow, () => { channel = root.dataset.channel; refresh().then(follow); });
  input.focus();
})();
`;
