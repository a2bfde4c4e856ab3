// A part of the page's script, within client.ts: the composer with its commands, mentions, threads and history.
export const COMPOSER = String.raw`  // The composer: commands, mentions, their list, threads, and history.
  const input = $('#input');
  const menu = choices(input, $('#suggestions'));
  let hint = '';
  let canMention = false;
  /** The thread that the composer answers in; undefined: the conversation itself. */
  let thread;
  const setHint = () => { input.placeholder = thread ? 'Reply, with @switchboard to ask it' : hint; };
  const enterThread = (ts) => {
    const first = $('.message[data-ts="' + CSS.escape(ts) + '"] .who b');
    thread = ts;
    $('#thread-of').textContent = 'In the thread of ' + (first ? first.textContent : 'a message');
    $('#in-thread').hidden = false;
    setHint();
    input.focus();
  };
  const leaveThread = () => { thread = undefined; $('#in-thread').hidden = true; setHint(); };
  $('#thread-end').onclick = () => { leaveThread(); input.focus(); };
  const choice = (name, text, take, value) => {
    const bold = document.createElement('b');
    bold.textContent = name;
    const rest = document.createElement('span');
    rest.textContent = text;
    return { content: [bold, ' ', rest], take, value };
  };
  const suggest = () => {
    const typed = input.value;
    if (typed.startsWith('/') && !typed.includes(' ')) {
      const found = commands.filter((one) => one.command.startsWith(typed)).slice(0, 12);
      return menu.show(found.map((one) => choice(one.command, [one.usageHint, one.description].filter(Boolean).join(' — '), () => fill(one.command + ' '), one.command)));
    }
    const [, before, name] = /^([\s\S]*?(?:^|\s))@(\w*)$/.exec(typed) || [];
    if (!canMention || name === undefined) return menu.show([]);
    const found = people.filter((one) => one.name.startsWith(name.toLowerCase()));
    menu.show(found.map((one) => choice('@' + one.name, one.text, () => fill(before + '@' + one.name + ' '))));
  };
  const fill = (text) => { input.value = text; input.focus(); suggest(); };
  input.addEventListener('input', suggest);
  input.addEventListener('keydown', (event) => {
    if (menu.key(event)) return;
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
    const at = { channel, threadTs: thread };
    // Whoever sends something wants to see its answer.
    $('#list').scrollTop = $('#list').scrollHeight;
    if (match) await act({ kind: 'command', ...at, command: match[1], text: match[2] });
    else await act({ kind: 'say', ...at, text });
  };`;
