// The script of the sidebar's tour and of its sandbox controls, served at /playground/demo.js.
export const DEMO_CLIENT = `'use strict';
(() => {
  const $ = (selector) => document.querySelector(selector);
  const { ask, become, channel, fill, goTo, toast, user } = window.playground;
  const { channel: home, events } = document.documentElement.dataset;
  const plain = (text) => ({ type: 'plain_text', text });

  // The tour: each step is done when the page shows what it asks for.
  const script = $('#steps').textContent;
  const named = JSON.parse(script).find(({ shows }) => shows).shows.about;
  const about = (number) => JSON.parse(script.replaceAll(named, number));
  let steps = about(sessionStorage.getItem('tour-number') ?? named);
  const bar = $('#tour');
  let at = Number(sessionStorage.getItem('tour') ?? -1);
  const isDone = ({ becomes, shows }) => {
    if (becomes) return user() === becomes;
    const messages = [...document.querySelectorAll('.message')].filter((one) => one.textContent.includes(shows.about));
    const last = messages[messages.length - 1];
    if (!last) return false;
    const offers = last.querySelector('[data-action="' + shows.action + '"]') !== null;
    return shows.offered ? offers : !offers && new RegExp(shows.says).test(last.textContent);
  };
  const show = () => {
    const step = steps[at];
    bar.hidden = at < 0;
    $('#tour-start').textContent = at < 0 ? 'Start the tour' : 'Start again';
    if (at < 0) return;
    const text = step ? 'Step ' + (at + 1) + ' of ' + steps.length + ': ' + step.text : 'Done. Nothing was cancelled before Lee said yes, and both names are in the audit trail. “Start anew” in the sidebar brings the number back.';
    if ($('#tour-text').textContent !== text) $('#tour-text').textContent = text;
    $('#tour-do').hidden = !(step && step.button);
    if (step && step.button) $('#tour-do').textContent = step.button;
    $('#tour-end').textContent = step ? 'End the tour' : 'Close';
  };
  const move = (to) => { at = to; sessionStorage.setItem('tour', String(at)); show(); };
  document.addEventListener('drawn', () => { while (steps[at] && isDone(steps[at])) move(at + 1); });
  // If the number of the tour is not active any more, another one of the same customer takes its place.
  const choose = async () => {
    const { numbers } = await sandbox('state');
    const own = numbers.find((one) => one.Number === named);
    const free = [own, ...numbers].find((one) => one && one.Status === 'Active' && one.AssignedSubscriberId === own.AssignedSubscriberId);
    const number = free ? free.Number : named;
    sessionStorage.setItem('tour-number', number);
    steps = about(number);
  };
  const start = async () => { await choose(); move(0); await become(steps[0].as); await goTo(home); $('#tour-text').focus(); };
  $('#tour-start').onclick = start;
  $('#tour-do').onclick = async () => {
    const step = steps[at];
    if (step.becomes) return become(step.becomes);
    if (channel() !== home) await goTo(home);
    fill(step.fill);
  };
  $('#tour-end').onclick = () => { move(-1); $('#input').focus(); };
  show();

  // The sandbox: its clock, and what can happen in it.
  let ahead = 0;
  const clock = $('#clock');
  const tick = () => {
    const now = new Date(Date.now() + ahead);
    clock.dateTime = now.toISOString();
    clock.textContent = now.toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });
  };
  const sandbox = async (path, body) => {
    const res = await fetch('/sandbox/' + path, body ? { method: 'POST', body: JSON.stringify(body) } : {});
    const answer = await res.json();
    if (!res.ok) { toast(answer.Message || 'The sandbox refused it.'); throw new Error(path + ' ' + res.status); }
    if (answer.now) { ahead = Date.parse(answer.now) - Date.now(); tick(); }
    return answer;
  };
  const causes = {
    advance: async (button) => { await sandbox('clock', { advance: button.dataset.by }); toast('The sandbox’s clock now shows ' + clock.textContent + '.'); },
    inbound: async () => { await sandbox('inbound', { From: '+12015550199', To: '+12015550101', Body: 'Where is my SIM?' }); await goTo(events); },
    reject: async () => {
      const [first] = (await readOrders()).filter((one) => one.OrderStatus !== 'Scheduled');
      if (!first) return toast('No port-in is under way. Begin one with “/numbers portin guide +13125550190”.');
      await sandbox('orders', { OrderId: first.OrderId, Status: 'Rejected' });
      await goTo(events);
    },
    order: (button) => sandbox('orders', { OrderId: button.dataset.order, Status: button.dataset.status }),
    reset: async () => {
      const yes = await ask({ title: plain('Start anew?'), text: plain('The sandbox forgets everything that was done in it. Its numbers, orders and clock are as on the first day.'), confirm: plain('Start anew'), deny: plain('Keep'), style: 'danger' });
      if (!yes) return;
      await sandbox('reset', {});
      toast('The sandbox starts anew.');
    },
  };
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('[data-cause]');
    if (!button) return;
    button.setAttribute('aria-busy', 'true');
    try { await causes[button.dataset.cause](button); } finally { button.removeAttribute('aria-busy'); }
    await readOrders();
  });

  // The port-ins under way, each with its next state.
  const NEXT = { Submitted: 'Pending Carrier Approval', 'Pending Carrier Approval': 'Scheduled', Scheduled: 'Completed' };
  const readOrders = async () => {
    const { orders } = await sandbox('state');
    const open = orders.filter((one) => one.OrderType === 'portin' && NEXT[one.OrderStatus]);
    const shown = JSON.stringify(open);
    if ($('#orders').shown === shown) return open;
    $('#orders').shown = shown;
    const focused = document.activeElement.dataset && document.activeElement.dataset.order;
    $('#under-way').hidden = open.length === 0;
    $('#orders').replaceChildren(...open.map(({ OrderId, OrderStatus, Numbers }) => {
      const item = document.createElement('li');
      const text = document.createElement('span');
      const number = document.createElement('b');
      number.textContent = Numbers[0];
      text.append(number, ' ' + OrderStatus);
      const buttons = document.createElement('div');
      buttons.className = 'row';
      for (const [label, status] of [['Next state', NEXT[OrderStatus]], ['Reject', 'Rejected']]) {
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = label;
        button.setAttribute('aria-label', label + (status === 'Rejected' ? ': ' + Numbers[0] : ': ' + Numbers[0] + ' becomes ' + status));
        Object.assign(button.dataset, { cause: 'order', order: OrderId, status });
        if (OrderStatus !== 'Scheduled' || status !== 'Rejected') buttons.append(button);
      }
      item.append(text, buttons);
      return item;
    }));
    // The button that was pressed is gone; the focus stays with its order, or with the list's neighbour.
    if (focused) ($('#orders [data-order="' + CSS.escape(focused) + '"]') || $('[data-cause=inbound]')).focus();
    return open;
  };
  let reading;
  document.addEventListener('drawn', () => { clearTimeout(reading); reading = setTimeout(readOrders, 300); });
  sandbox('state').then(() => setInterval(tick, 20000));
})();
`;
