import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Actor, identified, personOf } from '../actor.ts';
import { decidedByOf } from '../confirmation.ts';
import { type Door, statusOf } from '../door.ts';
import { asSwitchboardError } from '../errors.ts';
import { type Asked, askedOf } from '../language/asked.ts';
import { outcomeOf } from '../language/outcome.ts';
import type { Action } from '../ledger/ledger.ts';
import { BodyTooLarge, fromLoopback, readBody, sameSecret } from './guard.ts';

export interface ConfirmPageOptions {
  door: () => Promise<Door>;
  /** The local user, whom a browser on this computer stands for. */
  user: string;
  /** Tokens of people who may confirm where the page is not on loopback. */
  tokens: readonly { name: string; role: Actor['role']; token: string }[];
  /** Secret of this process, for CSRF tokens. */
  csrf?: string;
}

/** How long a click waits for the platform before the page says "running". */
const PATIENCE_MS = 20_000;

/**
 * `/confirm/{id}`: who asks, what, for which number, at what cost, whether it can be undone, until when; Confirm and
 * Decline. Plain HTML forms: works without JavaScript. On loopback it confirms for whoever opens it; served to others
 * it wants the token of an approver (contract.md).
 */
export function createConfirmPage(options: ConfirmPageOptions) {
  const key = options.csrf ?? randomBytes(32).toString('base64url');

  async function handle(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    const door = await options.door();
    let action: Action;
    try {
      action = door.refresh(id);
    } catch {
      return page(
        response,
        404,
        'No such confirmation',
        '<p>There is no confirmation at this address. It may have been mistyped.</p>',
      );
    }
    const local = fromLoopback(request);
    if (request.method === 'GET' || request.method === 'HEAD') return show(response, door, action, { local });
    if (request.method !== 'POST') return page(response, 405, 'Not allowed', '<p>Open this page in a browser.</p>');

    const form = await readForm(request);
    if (!form)
      return page(
        response,
        413,
        'Too large',
        '<p>The form was too large to be one of this page. Nothing was done.</p>',
      );
    const cookie = /(?:^|;\s*)sb_csrf=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    const sent = form.get('csrf') ?? '';
    const [nonce = ''] = sent.split('.');
    if (!sameSecret(sent, csrfFor(id, nonce)) || !sameSecret(cookie, nonce)) {
      return show(response, door, action, {
        local,
        problem: 'The form was not the one of this page. Nothing was done; try again.',
        status: 403,
      });
    }
    const person = who(local, form.get('token') ?? '');
    if (!person) {
      return show(response, door, action, {
        local,
        problem: 'The token of an approver is needed. Nothing was done.',
        status: 403,
      });
    }
    const act = form.get('act');
    if (act === 'once') {
      const once = door.takeOnce(id, personOf(person));
      return show(response, door, door.refresh(id), {
        local,
        ...(once
          ? { once }
          : { problem: 'It has been shown already. It is shown once, and only to the person who confirmed.' }),
      });
    }
    try {
      if (act === 'decline') door.decline(id, person, 'page');
      else if (act === 'confirm') await patiently(door.confirm(id, person, 'page'));
      else return show(response, door, action, { local, problem: 'Press Confirm or Decline.', status: 400 });
    } catch (error) {
      const { face } = asSwitchboardError(error);
      // What the platform answered stands on the action and is shown with it; only a refusal of the click is a problem of the page.
      if (face.code === 'not_confirmed' || face.code === 'forbidden_by_role') {
        const status = face.code === 'forbidden_by_role' ? 403 : 409;
        return show(response, door, door.refresh(id), { local, problem: face.message, status });
      }
    }
    const now = door.refresh(id);
    const once = now.state === 'done' || now.state === 'partly' ? door.takeOnce(id, personOf(person)) : undefined;
    return show(response, door, now, { local, ...(once ? { once } : {}) });
  }

  function who(local: boolean, token: string): Actor | undefined {
    if (local)
      return {
        id: 'page:loopback',
        name: 'the person at this computer',
        person: `local:${options.user}`,
        role: 'approver',
        surface: 'page',
        priority: 'person',
      };
    const match = options.tokens.find((entry) => sameSecret(token, entry.token));
    if (match?.role !== 'approver') return undefined;
    return {
      id: `page:${match.name}`,
      name: match.name,
      person: `token:${match.name}`,
      role: 'approver',
      surface: 'page',
      priority: 'person',
    };
  }

  const csrfFor = (id: string, nonce: string) => `${nonce}.${sign(key, `${id}\n${nonce}`)}`;

  function show(
    response: ServerResponse,
    door: Door,
    action: Action,
    how: { local: boolean; problem?: string; once?: Record<string, string>; status?: number },
  ): void {
    const { consent } = action;
    const asked = askedOf(door.tool(action.operation), action);
    const state = statusOf(action.state);
    const rows: [string, string][] = [
      ['Asked by', `${identified(action.person, action.actorName)}, ${SURFACE[action.surface] ?? action.surface}`],
      ...askedRows(asked),
      [
        state === 'pending' ? 'Waits until' : 'Asked at',
        time(state === 'pending' ? action.expiresAt : action.createdAt),
      ],
    ];
    const decidedBy = decidedByOf(action);
    if (decidedBy !== undefined && action.decidedVia !== 'cancelled')
      rows.push([
        action.state === 'declined' ? 'Declined by' : 'Confirmed by',
        `${decidedBy}, ${time(action.decidedAt ?? 0)}`,
      ]);
    const nonce = randomBytes(16).toString('base64url');
    const allowed = door.decidesBy('page');
    const open = state === 'pending' && allowed;
    const tokenField = how.local
      ? ''
      : '<p><label>Token of an approver <input name="token" type="password" autocomplete="off" required></label></p>';
    const hidden = `<input type="hidden" name="csrf" value="${csrfFor(action.id, nonce)}">`;
    const body = [
      `<p class="state ${state}">${escapeHtml(stateWords(action, door))}</p>`,
      notDoneList(action, door),
      how.problem ? `<p class="problem" role="alert">${escapeHtml(how.problem)}</p>` : '',
      `<dl>${rows
        .filter(([, value]) => value !== '')
        .map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`)
        .join('')}</dl>`,
      state === 'pending' ? statementHtml(asked) : '',
      action.error ? `<p class="problem">${escapeHtml(action.error.message)}</p>` : '',
      action.result
        ? `<details open><summary>Result</summary><pre>${escapeHtml(JSON.stringify(action.result, null, 2))}</pre></details>`
        : '',
      how.once
        ? Object.entries(how.once)
            .map(
              ([name, value]) =>
                `<p class="once">${escapeHtml(name)}: <code>${escapeHtml(value)}</code><br>Shown this once. Write it down now.</p>`,
            )
            .join('')
        : '',
      open
        ? `<form method="post">${hidden}${tokenField}<div class="buttons"><button class="${consent ? 'danger' : ''}" name="act" value="confirm">Confirm: ${escapeHtml(consent?.confirm ?? 'do it')}</button><button name="act" value="decline">Decline</button></div></form>`
        : '',
      state === 'pending' && !allowed
        ? '<p>This is not decided on the confirmation page: CONFIRM_VIA leaves it out.</p>'
        : '',
      !how.once && allowed && action.decidedVia !== 'slack' && door.hasOnce(action.id)
        ? `<form method="post">${hidden}${tokenField}<button name="act" value="once">Show the secret once</button></form>`
        : '',
      state === 'running' ? '<p>Still running. <a href="">Look again</a></p>' : '',
    ].join('\n');
    response.setHeader('set-cookie', `sb_csrf=${nonce}; Path=/confirm; HttpOnly; SameSite=Strict`);
    page(response, how.status ?? 200, asked.title, body);
  }

  return { handle };
}

const SURFACE: Record<string, string> = { mcp: 'over MCP', cli: 'in the terminal', slack: 'in Slack' };

/** The first line of the page: where the action stands, and what that means. */
function stateWords(action: Action, door: Door): string {
  const state = statusOf(action.state);
  if (state === 'pending') return 'Waits for you. Nothing has been done yet.';
  if (state === 'done') return 'Done.';
  if (state === 'running') return 'Confirmed, running.';
  if (state === 'unknown') return 'Outcome unknown: it may have been done. It is being looked into.';
  const { headline, effect } = outcomeOf(action, door.tool(action.operation));
  return effect === '' ? `${headline}.` : `${headline}. ${effect}`;
}

/** What was not done, each with the platform's reason. */
function notDoneList(action: Action, door: Door): string {
  if (action.state !== 'partly') return '';
  const { notDone, detail } = outcomeOf(action, door.tool(action.operation));
  if (notDone.length === 0) return detail === '' ? '' : `<p class="problem">${escapeHtml(detail)}</p>`;
  const rows = notDone.map(({ what, why }) => escapeHtml(why === '' ? what : `${what}: ${why}`));
  return `<div class="problem">Not done:<ul>${rows.map((row) => `<li>${row}</li>`).join('')}</ul></div>`;
}

/** Every page: no caching, nothing from elsewhere, no frames. */
export function page(response: ServerResponse, status: number, title: string, body: string): void {
  const nonce = randomBytes(16).toString('base64url');
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Switchboard</title><style nonce="${nonce}">${CSS}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`;
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    // Not no-referrer: a browser would then send the form with `Origin: null`, which is refused like any other page's.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  response.end(html);
}

const CSS = `body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#f6f6f7;color:#1d1c1d}main{max-width:38rem;margin:3rem auto;padding:1.5rem 2rem 2rem;background:#fff;border:1px solid #ddd;border-radius:8px}h1{font-size:1.4rem;margin:0 0 .5rem;overflow-wrap:anywhere}dl{display:grid;grid-template-columns:10rem 1fr;gap:.35rem 1rem}dt{color:#616061}dd{margin:0;overflow-wrap:anywhere}blockquote{border-left:4px solid #e8a33d;margin:1rem 0;padding:.25rem 1rem;background:#fdf7ec}.state{font-weight:600}.done{color:#1a7f4b}.failed,.declined,.expired{color:#616061}.unknown,.partly{color:#b35c00}.problem{background:#fdecec;border-radius:4px;padding:.5rem .75rem}.once{background:#eef6ff;border-radius:4px;padding:.5rem .75rem;font-size:1.1rem}.buttons{display:flex;gap:.75rem;margin-top:1rem}button{font:inherit;padding:.55rem 1.1rem;border-radius:6px;border:1px solid #bbb;background:#fff;cursor:pointer}button.danger{background:#c0143c;border-color:#c0143c;color:#fff;font-weight:600}pre{overflow:auto;background:#f6f6f7;padding:.75rem;border-radius:4px}@media(max-width:34rem){dl{grid-template-columns:1fr}main{margin:0;border:0}}`;

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Undefined for more than any form of this page can hold. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  try {
    return new URLSearchParams((await readBody(request, 16 * 1024)).toString('utf8'));
  } catch (error) {
    if (error instanceof BodyTooLarge) return undefined;
    throw error;
  }
}

/** Everything that is asked, as rows of the page. */
function askedRows(asked: Asked): [string, string][] {
  return [
    ['Customer', asked.customer],
    ['What it means', asked.consequence],
    ['Cost', asked.cost],
    ['Undo', asked.undo],
    ...asked.warnings.map((warning): [string, string] => ['Note', warning]),
    ...asked.rows.map(({ label, value }): [string, string] => [label, value]),
  ];
}

function statementHtml({ statement, statementMissing }: Asked): string {
  if (statementMissing !== '') return `<p>${escapeHtml(statementMissing)}</p>`;
  if (statement === '') return '';
  return `<p>By confirming you give this consent:</p><blockquote>${escapeHtml(statement)}</blockquote>`;
}

function time(at: number): string {
  return `${new Date(at).toISOString().replace('T', ' ').slice(0, 19)} UTC`;
}

function sign(key: string, value: string): string {
  return createHmac('sha256', key).update(value).digest('base64url');
}

/** Waits for the click's work as long as a reader would; what takes longer goes on and is shown when looked at again. */
async function patiently(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  try {
    await Promise.race([work, enough]);
  } finally {
    clearTimeout(timer);
    // Its end is written to the ledger by the door; a late failure has no other reader here.
    work.catch(() => undefined);
  }
}
