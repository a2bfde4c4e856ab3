import { COMPOSER } from './client-composer.ts';
import { TABLES } from './client-table.ts';

// The page's script, served at /playground/app.js. Plain browser JavaScript without a build step or other resources.
export const CLIENT = String.raw`'use strict';
(() => {
  const $ = (selector, from) => (from || document).querySelector(selector);
  const root = document.documentElement;
  const token = root.dataset.token;
  const base = root.dataset.base;
  const commands = JSON.parse($('#commands').textContent);
  const people = JSON.parse($('#mentions').textContent);
  let user = sessionStorage.getItem('user') || root.dataset.user;
  let channel = sessionStorage.getItem('channel') || root.dataset.channel;
  let version = -1;
  let shownModal = '';
  let submitted = false;
  let wait = new AbortController();
  const seen = {};
  /** The forms that people left open, with what they typed, by person. */
  const typedBy = {};
  const history = JSON.parse(sessionStorage.getItem('history') || '[]');
  let historyAt = history.length;

  /** A way back to the focused element, which may be drawn again until then. */
  const remember = () => {
    const el = document.activeElement;
    if (!el || el === document.body) return () => null;
    if (el.id) return () => document.getElementById(el.id);
    const message = el.closest('.message');
    const scope = message ? '.message[data-ts="' + CSS.escape(message.dataset.ts) + '"] ' : el.closest('.home') ? '.home ' : el.closest('form.modal') ? 'form.modal ' : '';
    const names = ['action', 'block', 'value', 'channel', 'shortcut', 'global', 'try', 'thread', 'sort', 'turn'].filter((name) => el.dataset[name] !== undefined);
    const parts = names.map((name) => '[data-' + name + '="' + CSS.escape(el.dataset[name]) + '"]');
    if (el === message) return () => $('.message[data-ts="' + CSS.escape(el.dataset.ts) + '"]');
    return () => (el.isConnected || parts.length === 0 ? el : $(scope + el.tagName + parts.join('')));
  };
  const focus = (el) => { if (el && el.isConnected) el.focus(); return document.activeElement === el; };
  /** Only the dialog in front can be reached, by keyboard and by screen readers. */
  const onlyFront = () => {
    const sure = !$('#sure').hidden;
    const open = !$('#overlay').hidden;
    $('#overlay').inert = sure;
    $('#side').inert = sure || open;
    $('.main').inert = sure || open;
    // Each person has a dialog of their own, so one can change who one is while it is open.
    $('#person').inert = sure;
    $('.page').classList.toggle('asks', open && !sure);
  };
  /** What a dialog that opens next gives the focus back to; undefined: what has it then. */
  let opener;

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
    const place = $('#places').contains(document.activeElement) ? remember() : null;
    $('#places').innerHTML = state.places;
    if (place) focus(place());
    for (const button of document.querySelectorAll('.place')) {
      const id = button.dataset.channel;
      const count = Number(button.dataset.count);
      button.classList.toggle('on', id === channel);
      if (id === channel) button.setAttribute('aria-current', 'page');
      if (id === channel || seen[user + id] === undefined) seen[user + id] = count;
      const fresh = count - seen[user + id];
      if (fresh > 0) { button.classList.add('new'); const dot = document.createElement('span'); dot.className = 'dot'; dot.textContent = fresh; dot.setAttribute('role', 'img'); dot.setAttribute('aria-label', fresh + ' new'); button.append(dot); }
    }
    const list = $('#list');
    const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 120;
    if (list.dataset.drawn !== state.list) {
      const typed = list.cloneNode(true);
      list.querySelectorAll('.field').forEach((el, i) => { const c = typed.querySelectorAll('.field')[i]; if (c) c.value = el.value; });
      const inside = list.contains(document.activeElement) && document.activeElement !== list ? remember() : null;
      list.innerHTML = state.list;
      keepTyped(typed, list);
      if (inside) focus(inside());
      list.dataset.drawn = state.list;
      if (atEnd || list.dataset.place !== user + channel) list.scrollTop = channel === 'home' ? 0 : list.scrollHeight;
      list.dataset.place = user + channel;
    }
    $('#composer').hidden = channel === 'home';
    hint = state.hint;
    canMention = state.mentions;
    setHint();
    const overlay = $('#overlay');
    if (state.modal !== shownModal) {
      const old = $('form.modal', overlay);
      const isPicking = document.activeElement === picker;
      if (old && overlay.of !== user) typedBy[overlay.of] = old;
      overlay.of = user;
      const holder = document.createElement('div');
      holder.innerHTML = state.modal;
      const next = $('form.modal', holder);
      const before = [old, typedBy[user]].find((form) => form && next && form.dataset.view === next.dataset.view);
      if (before) keepTyped(before, next);
      const focused = old && next && document.activeElement && document.activeElement.dataset ? document.activeElement.dataset : null;
      if (next && !old) { overlay.back = opener || remember(); opener = undefined; }
      overlay.replaceChildren(...holder.childNodes);
      overlay.hidden = !next;
      shownModal = state.modal;
      onlyFront();
      const again = focused && focused.action ? $('[data-action="' + CSS.escape(focused.action) + '"]', overlay) : null;
      // After a press of the form's own button, what is wrong comes first.
      const wrong = submitted ? $('.wrong .field', overlay) : null;
      submitted = false;
      const target = isPicking ? null : wrong || again || $('.field, .btn.primary', overlay);
      if (next && target) target.focus();
      if (!next && !isPicking && !(overlay.back && focus(overlay.back())) && channel !== 'home') $('#input').focus();
    }
    document.dispatchEvent(new CustomEvent('drawn'));
  };

  const stateUrl = (since) => '/state?' + new URLSearchParams({ user, channel, since: String(since) });
  /** Asks for the state, and draws it unless somebody else or another place was chosen meanwhile. */
  const update = async (since, signal) => {
    const asked = user + channel;
    const state = await api(stateUrl(since), undefined, signal);
    if (asked === user + channel) draw(state);
  };
  const refresh = () => { wait.abort(); return update(-1); };
  const follow = async () => {
    for (;;) {
      try {
        wait = new AbortController();
        await update(version, wait.signal);
      } catch (error) {
        if (error.message === 'forbidden') return;
        if (error.name !== 'AbortError') await new Promise((resolve) => setTimeout(resolve, 1500));
      }
    }
  };

  /** A link to a message of this workspace leads to it here; there is no such address in the world. */
  const openMessage = async (event, href) => {
    const [, id, seconds, rest] = /\.slack\.com\/archives\/(\w+)\/p(\d+)(\d{6})$/.exec(href) || [];
    if (!id) return;
    event.preventDefault();
    if (channel !== id) await goTo(id);
    const message = $('.message[data-ts="' + seconds + '.' + rest + '"]');
    if (!message) return toast('The message is not in a conversation of yours.');
    message.scrollIntoView({ block: 'center' });
    if (!focus(message)) toast('The message stands behind this dialog.');
  };

  const goTo = async (id) => {
    channel = id;
    leaveThread();
    sessionStorage.setItem('channel', id);
    await refresh();
    if (id === 'home') await act({ kind: 'home' });
  };

  const ask = (confirm) => api('/confirm', { confirm }).then(({ html }) => new Promise((resolve) => {
    const box = $('#sure');
    const back = remember();
    box.innerHTML = html;
    box.hidden = false;
    onlyFront();
    $('[data-accept]', box).focus();
    const end = (answer) => { box.hidden = true; box.replaceChildren(); onlyFront(); focus(back()); resolve(answer); };
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
    const back = remember();
    opener = back;
    if (el.tagName === 'BUTTON') el.disabled = true;
    if (el.dataset.url && /^https?:/.test(el.dataset.url)) window.open(el.dataset.url, '_blank', 'noopener');
    const form = el.closest('form.modal');
    try {
      await act({ kind: 'click', ...where, actionId: el.dataset.action, blockId: el.dataset.block, value, values: form ? valuesOf(form) : undefined });
    } finally {
      if (el.tagName === 'BUTTON') setTimeout(() => { el.disabled = false; if (document.activeElement === document.body) focus(back()); }, 400);
    }
  };

  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href*="/archives/"]');
    if (link) return openMessage(event, link.href);
    const el = event.target.closest('button, summary');
    if (!event.target.closest('.overflow')) for (const open of document.querySelectorAll('.overflow[open]')) open.open = false;
    if (!el) return;
    if (el.dataset.channel) { showSide(false); return void goTo(el.dataset.channel); }
    if (el.dataset.copy !== undefined) return void navigator.clipboard.writeText($('pre', el.parentElement).textContent).then(() => toast('Copied.'), () => toast('This browser does not allow copying.'));
    if (el.dataset.try) return fill(el.dataset.try);
    if (el.dataset.thread) return enterThread(el.dataset.thread);
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
    submitted = true;
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

  // The sidebar, which a narrow window hides.
  const toggle = $('#toggle');
  const showSide = (open) => {
    if ($('.side').classList.toggle('open', open)) $('.side .place').focus();
    else if ($('.side').contains(document.activeElement) || $('#person').contains(document.activeElement)) toggle.focus();
    toggle.setAttribute('aria-expanded', String(open));
  };
  toggle.onclick = () => showSide(!$('.side').classList.contains('open'));
  $('.main').addEventListener('click', (event) => { if (!toggle.contains(event.target)) showSide(false); });

  const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]';
  /** Tab goes round in the dialog in front, and the person switch. */
  const trap = (event) => {
    const front = !$('#sure').hidden ? $('#sure') : !$('#overlay').hidden ? $('#overlay') : null;
    if (!front) return;
    const all = [...front.querySelectorAll(FOCUSABLE)].filter((el) => el.checkVisibility() && el.tabIndex >= 0);
    const [enter, leave] = event.shiftKey ? [all[all.length - 1], all[0]] : [all[0], all[all.length - 1]];
    const at = document.activeElement;
    if (front.contains(at) && at !== leave) return;
    event.preventDefault();
    // The person switch stays within reach of a dialog.
    focus(at === leave && !$('#person').inert ? picker : enter);
  };
  const escape = () => {
    const more = $('.overflow[open]');
    if (more) { more.open = false; return focus($('summary', more)); }
    if (!$('#sure').hidden) return $('[data-deny]', $('#sure')).click();
    const close = $('#overlay [data-close]');
    if (close) return close.click();
    if (thread && document.activeElement === input) return leaveThread();
    if ($('.side').classList.contains('open')) showSide(false);
  };
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented) return;
    if (event.key === 'Tab') return trap(event);
    if (event.key === 'Escape') return escape();
    const more = document.activeElement && document.activeElement.closest('.overflow');
    if (!more || !/^Arrow(Up|Down)$/.test(event.key)) return;
    event.preventDefault();
    more.open = true;
    const items = [...more.querySelectorAll('.item')];
    const step = event.key === 'ArrowDown' ? 1 : -1;
    const from = items.indexOf(document.activeElement);
    focus(items[from < 0 ? 0 : (from + step + items.length) % items.length]);
  });

  // Typeahead of external selects. Slack shows choices as soon as the list opens, if no text is needed first.
  let typing;
  const listOf = (el) => (el.choices ||= choices(el, el.nextElementSibling));
  const isTypeahead = (el) => el.dataset && /external_select/.test(el.dataset.type || '');
  /** Shows the choices for what was typed; all of them for a choice that was made before. */
  const offer = (el, wait) => {
    clearTimeout(typing);
    const list = listOf(el);
    const value = el.dataset.value === undefined ? el.value : '';
    if (value.length < Number(el.dataset.min)) return list.hide();
    typing = setTimeout(async () => {
      const done = await act({ kind: 'suggest', ...placeOf(el), actionId: el.dataset.action, blockId: el.dataset.block, value });
      if (document.activeElement !== el) return;
      list.show((done.options || []).map((option) => ({
        content: [option.text.text],
        take: () => {
          el.value = option.text.text;
          el.dataset.value = option.value;
          list.hide();
          if (el.dataset.act) void press(el, option.value);
        },
      })), 'No matches');
    }, wait);
  };
  document.addEventListener('keydown', (event) => {
    const el = event.target;
    if (!isTypeahead(el) || listOf(el).key(event) || event.key !== 'ArrowDown') return;
    event.preventDefault();
    offer(el, 0);
  }, true);
  document.addEventListener('click', ({ target }) => { if (isTypeahead(target) && target.nextElementSibling.hidden) offer(target, 0); });
  document.addEventListener('focusout', (event) => { if (isTypeahead(event.target)) listOf(event.target).hide(); });
  document.addEventListener('input', (event) => {
    const el = event.target;
    if (!isTypeahead(el)) return;
    delete el.dataset.value;
    offer(el, 150);
  });

${TABLES}
${COMPOSER}
  const picker = $('#user');
  picker.value = user;
  if (picker.selectedIndex < 0) { picker.selectedIndex = 0; user = picker.value; }
  const become = async (id) => {
    user = id;
    leaveThread();
    picker.value = id;
    sessionStorage.setItem('user', user);
    await refresh();
    if (channel === 'home') await act({ kind: 'home' });
  };
  picker.addEventListener('change', () => become(picker.value));
  window.playground = { ask, become, fill, goTo, toast, user: () => user, channel: () => channel };
  refresh().then(follow, () => { channel = root.dataset.channel; refresh().then(follow); });
  input.focus();
})();
`;
