// The markup of the playground's page: the parts that the script fills, and the sidebar of the demo.
import { escapeHtml } from './mrkdwn.ts';
import type { Command, Mention, TourStep } from './protocol.ts';

export interface ShellOptions {
  base: string;
  token: string;
  user: string;
  /** The channel to begin in, and the channel for events. */
  channel: string;
  events: string;
  /** The time zone of every time on the page. */
  zone: string;
  people: readonly { id: string; name: string }[];
  commands: readonly Command[];
  /** The app and the people that can be mentioned with `@name`. `text` is shown beside the name. */
  mentions: readonly Mention[];
  /** If left out, neither the tour nor the sandbox is offered. */
  tour?: readonly TourStep[] | undefined;
  /** Names the model that answers plain words; undefined without one. If left out, the page does not mention it. */
  answers?: { model: string | undefined } | undefined;
}

export function shellHtml({
  base,
  token,
  user,
  channel,
  events,
  zone,
  people,
  commands,
  mentions,
  tour,
  answers,
}: ShellOptions): string {
  const users = people.map(({ id, name }) => `<option value="${escapeHtml(id)}">${escapeHtml(name)}</option>`);
  return `<!doctype html>
<html lang="en" data-token="${token}" data-base="${base}" data-user="${user}" data-channel="${channel}" data-events="${events}" data-zone="${escapeHtml(zone)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Switchboard playground</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="${base}/app.css"></head>
<body><div class="page">
<nav class="side" id="side" aria-label="Workspace"><h1>Switchboard<small>local playground, demo data</small></h1><div id="places"></div>
${tour ? SANDBOX : ''}${answers ? answersHtml(answers.model) : ''}</nav>
<section class="who-am-i" id="person" aria-label="Person"><label for="user">You are</label><select id="user">${users.join('')}</select></section>
<main class="main"><div class="top"><button type="button" class="toggle" id="toggle" aria-label="Menu" aria-controls="side" aria-expanded="false">☰</button><h2 id="title"></h2><span id="note"></span><span id="zone">Times in ${escapeHtml(zoneName(zone))}</span></div>
${tour ? TOUR : ''}<div class="list" id="list" role="log" aria-label="Messages" tabindex="0"></div>
<form class="composer" id="composer"><div class="in-thread" id="in-thread" hidden><span id="thread-of"></span><button type="button" class="x" id="thread-end" aria-label="Leave the thread">✕</button></div><div class="line"><input id="input" role="combobox" aria-expanded="false" aria-controls="suggestions" aria-autocomplete="list" autocomplete="off" spellcheck="false" aria-label="Message or command"><button type="submit" class="btn primary">Send</button></div><div class="menu" id="suggestions" role="listbox" aria-label="Suggestions" hidden></div></form></main></div>
<div class="overlay" id="overlay" hidden></div><div class="overlay" id="sure" hidden></div><div class="toast" id="toast" role="status" hidden></div>
${json('commands', commands)}${json('mentions', mentions)}${tour ? json('steps', tour) : ''}<script src="${base}/app.js"></script></body></html>`;
}

const TOUR = `<div class="tour" id="tour" hidden><p id="tour-text" role="status" tabindex="-1"></p><div class="row"><button type="button" class="btn small primary" id="tour-do"></button><button type="button" class="btn small" id="tour-end"></button></div></div>
`;

const SANDBOX = `<section class="demo" aria-labelledby="about-tour"><h2 id="about-tour">Tour</h2><p>Cancel a number as Ana, approve it as Lee.</p><div class="row"><button type="button" id="tour-start">Start the tour</button></div></section>
<section class="demo" aria-labelledby="about-sandbox"><h2 id="about-sandbox">Sandbox</h2><p>Its clock: <time id="clock"></time></p><div class="row"><button type="button" data-cause="advance" data-by="2m" aria-label="+2 min: advance the clock">+2 min</button><button type="button" data-cause="advance" data-by="1d" aria-label="+1 day: advance the clock">+1 day</button></div>
<div class="under-way" id="under-way" hidden><h3 id="about-orders">Port-ins under way</h3><ul id="orders" aria-labelledby="about-orders"></ul></div>
<div class="row"><button type="button" data-cause="inbound">A customer texts</button><button type="button" data-cause="reject">A port-in is rejected</button><button type="button" data-cause="reset">Start anew</button></div></section>
`;

/** Says whether a model answers plain words, and how to set one. */
function answersHtml(model: string | undefined): string {
  const text =
    model === undefined
      ? 'No model is set: the catalogue answers. For example, with Ollama on this computer, start Switchboard with <code>ASSISTANT_MODEL=qwen3</code> <code>ASSISTANT_URL=http://127.0.0.1:11434/v1</code>'
      : `Answered by the model <code>${escapeHtml(model)}</code>.`;
  return `<section class="demo" aria-labelledby="about-answers"><h2 id="about-answers">Plain words</h2><p>${text}</p></section>`;
}

/** A zone as people write it: "New York", not "America/New_York". */
function zoneName(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

/** Embeds data for a script as JSON. */
function json(id: string, value: unknown): string {
  return `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;
}
