import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parseDuration, SECOND } from './clock.ts';
import type { Control } from './control-types.ts';
import { ApiError, badField, notFound } from './errors.ts';
import { readFault } from './faults.ts';
import { Fields } from './fields.ts';
import { stoppedBy } from './filtering.ts';
import { type Answer, hostName, isLoopback, jsonAnswer, parseObject, parseUrl, readBody } from './http.ts';
import type { JsonObject } from './json.ts';
import { receiveMessage, receives } from './messaging.ts';
import { DEFAULT_REJECTION, moveOrder, ORDER_STATES } from './orders.ts';
import type { Call } from './records.ts';
import { CALL_EVENTS } from './routes/webhooks.ts';
import { withoutSecrets } from './store.ts';

type Act = (control: Control, body: Fields) => unknown;

/** Moves the clock, and runs the jobs and deliveries that become due before it answers. */
async function moveClock(control: Control, body: Fields) {
  const { clock, jobs } = control;
  const advance = body.filledText('advance');
  const to = body.filledText('now');
  if ((advance === null) === (to === null)) throw new ApiError(400, 'Give exactly one of advance, now');
  if (advance !== null) {
    const ms = parseDuration(advance);
    if (ms === null) throw badField('advance', 'must be a duration such as 30d, 2h, 5m, 61s or 1500ms');
    await jobs.advance(() => clock.now() + ms);
  }
  if (to !== null) {
    const at = Date.parse(to);
    if (Number.isNaN(at)) throw badField('now', 'must be an ISO 8601 time');
    if (at < clock.now()) throw badField('now', 'must not lie before the sandbox clock: it never goes back');
    await jobs.advance(() => at);
  }
  return { now: clock.iso() };
}

/** Moves an order to any state; the platform's own transitions do not apply. */
async function setOrder(control: Control, body: Fields) {
  const id = body.text('OrderId');
  const status = body.choice('Status', [...ORDER_STATES, 'Complete']);
  const message = body.optionalText('ErrorMessage');
  const order = control.store.state.orders.find((row) => row.OrderId === id);
  if (order === undefined) throw notFound(`Order ${id}`);
  const to = status === 'Complete' ? 'Completed' : status;
  moveOrder(control, order, to, message ?? (to === 'Rejected' ? DEFAULT_REJECTION : ''));
  await control.deliveries.settled();
  return { OrderId: id, Status: order.OrderStatus, ErrorMessage: order.ErrorMessage };
}

function mediaUrls(body: Fields): { MediaUrl: string }[] {
  const value = body.raw('MediaUrls') ?? [];
  if (!Array.isArray(value)) throw badField('MediaUrls', 'must be an array of URLs');
  return value.map((url: unknown) => {
    if (typeof url !== 'string' || parseUrl(url) === undefined) throw badField('MediaUrls', 'must be an array of URLs');
    return { MediaUrl: url };
  });
}

async function inbound(control: Control, body: Fields) {
  const from = body.phone('From');
  const to = body.phone('To');
  const media = mediaUrls(body);
  const text = media.length > 0 ? (body.optionalText('Body') ?? '') : body.text('Body');
  const number = control.store.anyNumber(to);
  if (number === undefined) throw notFound(`Number ${to}`);
  if (!receives(number)) throw badField('To', `${to} is not an active number with messaging enabled`);
  const draft = { from, to: [to], body: text, media, mms: media.length > 0 };
  const message = receiveMessage(control, number, draft);
  await control.deliveries.settled();
  return 'MessageId' in message ? { MessageId: message.MessageId } : { MessageId: null, StoppedBy: message };
}

/**
 * Returns the call with this CallId or, without one, the call between From and To that has not completed. Adds a call
 * if there is none.
 */
function callOf(control: Control, from: string, to: string, id: string | null): Call {
  const { calls } = control.store.state;
  const known = calls.find((row) =>
    id === null ? row.From === from && row.To === to && row.LastEvent !== 'Call_Completed' : row.CallId === id,
  );
  if (known !== undefined) return known;
  const call: Call = {
    CallId: id ?? `CALL-${randomUUID()}`,
    From: from,
    To: to,
    StartedAt: control.clock.now(),
    LastEvent: '',
  };
  calls.push(call);
  return call;
}

async function callEvent(control: Control, body: Fields) {
  const from = body.phone('From');
  const to = body.phone('To');
  const event = body.choice('Event', CALL_EVENTS);
  const id = body.filledText('CallId');
  const duration = body.optionalInteger('DurationSeconds');
  const recording = body.filledText('RecordingUrl');
  const called = control.store.anyNumber(to);
  const number = called ?? control.store.anyNumber(from);
  if (number === undefined) throw notFound(`Number ${to}`);
  const call = callOf(control, from, to, id);
  call.LastEvent = event;
  const elapsed = Math.round((control.clock.now() - call.StartedAt) / 1000);
  const payload = {
    CallId: call.CallId,
    Event: event,
    From: from,
    To: to,
    Direction: called === undefined ? 'OUTBOUND' : 'INBOUND',
    StartedOn: control.clock.iso(call.StartedAt),
    ...(event === 'Call_Completed' || duration !== null ? { DurationSeconds: duration ?? elapsed } : {}),
    ...(event === 'Call_Recording' || recording !== null
      ? { RecordingUrl: recording ?? `https://example.invalid/recordings/${call.CallId}` }
      : {}),
  };
  const stopped = called && stoppedBy(control, called, { from });
  if (stopped !== undefined) {
    control.deliveries.stop('voice', event, stopped, payload);
    return { ...payload, StoppedBy: stopped };
  }
  control.deliveries.fire(event, number.AccountId, payload);
  control.deliveries.toRoute('voice', event, number.VoiceRouteId, payload);
  await control.deliveries.settled();
  return payload;
}

/** Sets the data that a number has used, in MB. Numbers of the sandbox use no data by themselves. */
function setUsage(control: Control, body: Fields) {
  const phone = body.phone('Number');
  const used = body.amount('UsedMb');
  const number = control.store.anyNumber(phone);
  if (number === undefined) throw notFound(`Number ${phone}`);
  number.DataUsage = { ...number.DataUsage, UsedMb: used };
  return { Number: phone, ...number.DataUsage };
}

function setFault(control: Control, body: Fields) {
  const fault = readFault(body);
  control.faults.add(fault);
  return { waiting: control.faults.list().length };
}

function setSettings(control: Control, body: Fields) {
  const { settings } = control.store.state;
  const positive = (name: string): number | null => {
    const value = body.optionalInteger(name);
    if (value === 0) throw body.wrong(name, 'must be at least 1');
    return value;
  };
  const tokenSeconds = positive('tokenSeconds');
  const requestsPerMinute = positive('requestsPerMinute');
  settings.tokenSeconds = tokenSeconds ?? settings.tokenSeconds;
  settings.requestsPerMinute = requestsPerMinute ?? settings.requestsPerMinute;
  return settings;
}

/** Waits up to a second for attempts in progress, so that the list has those that the last request caused. */
async function listDeliveries(control: Control) {
  await control.deliveries.settledWithin(SECOND);
  return control.store.state.deliveries;
}

/** Returns all state except secrets. */
export function publicState(control: Pick<Control, 'store' | 'clock' | 'faults'>): unknown {
  const { pendingDeliveries, deliveries: _, subscribers, ...records } = control.store.state;
  const listed = subscribers.map((row) => ({ ...row, PhoneNumbers: control.store.numbersOf(row.SubscriberId) }));
  return {
    now: control.clock.iso(),
    ...(withoutSecrets({ ...records, subscribers: listed, pendingDeliveries }) as JsonObject),
    faults: control.faults.list(),
  };
}

const ACTS: Readonly<Record<string, { method: 'GET' | 'POST'; act: Act }>> = {
  '/sandbox/clock': { method: 'POST', act: moveClock },
  '/sandbox/orders': { method: 'POST', act: setOrder },
  '/sandbox/inbound': { method: 'POST', act: inbound },
  '/sandbox/calls': { method: 'POST', act: callEvent },
  '/sandbox/faults': { method: 'POST', act: setFault },
  '/sandbox/usage': { method: 'POST', act: setUsage },
  '/sandbox/settings': { method: 'POST', act: setSettings },
  '/sandbox/expire-tokens': {
    method: 'POST',
    act: (control) => {
      control.tokens.expireAll();
      return { expired: true };
    },
  },
  '/sandbox/reset': {
    method: 'POST',
    act: async (control, body) => {
      await control.reset(body.optionalFlag('keepTokens') ?? false);
      return { now: control.clock.iso() };
    },
  },
  '/sandbox/state': { method: 'GET', act: publicState },
  '/sandbox/deliveries': { method: 'GET', act: listDeliveries },
  '/sandbox/requests': { method: 'GET', act: (control) => control.requests },
};

/**
 * The control plane needs no token, so it answers only programs on this computer. Origin or Sec-Fetch-Site reveals a
 * page of another origin, including another port of this computer. Host reveals a rebound DNS name, and added headers
 * reveal a proxy.
 */
function checkLocal(req: IncomingMessage): void {
  const { host, origin } = req.headers;
  const peer = (req.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  if (peer !== '::1' && !isLoopback(peer))
    throw new ApiError(403, 'The control plane is available on this computer only');
  if (host === undefined || !isLoopback(hostName(host))) throw new ApiError(403, 'Host must be loopback');
  const forwarded = Object.keys(req.headers).find((name) => /^(x-forwarded|forwarded$|via$|x-real-ip$)/.test(name));
  if (forwarded !== undefined)
    throw new ApiError(403, `The control plane does not accept forwarded requests (${forwarded})`);
  if (origin !== undefined && origin !== `http://${host}`)
    throw new ApiError(403, 'The control plane does not accept requests from other origins');
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new ApiError(403, 'The control plane does not accept requests from other sites');
}

export async function answerControl(
  control: Control,
  req: IncomingMessage,
  path: string,
  failed: (error: unknown) => Answer,
): Promise<Answer> {
  try {
    checkLocal(req);
    const found = Object.hasOwn(ACTS, path) ? ACTS[path] : undefined;
    if (found === undefined) throw new ApiError(404, `No such endpoint: ${path}`);
    if (req.method !== found.method) throw new ApiError(405, 'Method not allowed', { Allow: found.method });
    const body = new Fields(found.method === 'POST' ? parseObject(await readBody(req)) : {});
    const result = await found.act(control, body);
    control.commit();
    return jsonAnswer(200, result);
  } catch (error) {
    return failed(error);
  }
}
