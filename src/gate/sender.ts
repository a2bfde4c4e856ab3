import { randomInt } from 'node:crypto';
import { mayResend, type Operation, type Tool } from '../catalogue/operation.ts';
import type { StoredSecret } from '../ledger/ledger.ts';
import type { SecretRecord } from '../ledger/vault.ts';
import { asSwitchboardError, type Failure, invalidInput } from '../lib/errors.ts';
import { isSecretNumber } from '../lib/hide.ts';
import { parseUrl } from '../lib/http.ts';
import { defined, type Fields, withoutTrailing } from '../lib/values.ts';
import { readMoment } from '../platform/dialect/dates.ts';
import { onlyAskedFor } from '../platform/dialect/number-lists.ts';
import { keptSecret } from '../platform/dialect/redact.ts';
import { explained, GatePart, type Job } from './confirmation.ts';

/** Lifetime of an AuthCode if the answer does not state it (PLATFORM.md, Cancellation). */
const SECRET_MS = 300_000;

/** The secrets that operations declare: `keeps` one of its answer, `takes` a stored one, `makes` one at random. */
export class OperationSecrets extends GatePart {
  /** The records of secrets that are being sent, by key. A change is built again with them. */
  readonly #taken = new Map<string, SecretRecord>();

  /** The record of the secret a call sends; undefined if it sends none, or none is stored or being sent. */
  async find(tool: Tool, input: Fields): Promise<SecretRecord | undefined> {
    const takes = tool.kind === 'operation' ? tool.takes : undefined;
    if (!takes) return undefined;
    const key = String(input[takes.under]);
    return (await this.parts.ledger.vault.find(takes.from, key)) ?? this.#taken.get(key);
  }

  /** Like `find`, but rejects with `invalid_input` if the call sends a stored secret and none is stored. */
  async require(tool: Tool, input: Fields): Promise<SecretRecord | undefined> {
    const takes = tool.kind === 'operation' ? tool.takes : undefined;
    if (!takes) return undefined;
    const record = await this.parts.ledger.vault.find(takes.from, String(input[takes.under]));
    if (record) return record;
    throw invalidInput(
      takes.under,
      `${takes.under}: no ${takes.secret} is stored for ${String(input[takes.under])}; it was used, has expired, or was requested elsewhere. Start again with ${takes.from}.`,
    );
  }

  /** Removes the stored secret of a call from the vault, so that concurrent calls cannot both send it, until `sent`. */
  async take(tool: Operation, input: Fields): Promise<StoredSecret | undefined> {
    if (!tool.takes) return undefined;
    await this.require(tool, input);
    const taken = await this.parts.ledger.vault.take(tool.takes.from, String(input[tool.takes.under]));
    if (taken) this.#taken.set(taken.key, taken);
    return taken;
  }

  /** The call that took this secret has ended. */
  sent({ key }: StoredSecret): void {
    this.#taken.delete(key);
  }

  /** Stores a secret that was requested again in place of the one that the call names. */
  async replace(takes: NonNullable<Operation['takes']>, input: Fields, answer: Fields): Promise<void> {
    const { vault } = this.parts.ledger;
    const renewed = await vault.take(takes.from, String(answer[takes.under]));
    if (renewed) await vault.put({ ...renewed, key: String(input[takes.under]) });
  }

  /** Stores the secret of a call that did not use it. An error while storing must not hide why the call failed. */
  async putBack(taken: StoredSecret): Promise<void> {
    try {
      await this.parts.ledger.vault.putBack(taken);
    } catch (error) {
      this.parts.log('error', { error: String(error) }, 'an unused secret could not be stored again');
    }
  }

  /** Generates a secret input that the caller left out: digits from the system's random source. */
  make(tool: Tool, input: Fields): Record<string, string> | undefined {
    const makes = tool.kind === 'operation' ? tool.makes : undefined;
    if (!makes || input[makes.secret] !== undefined) return undefined;
    const digits = Array.from({ length: makes.digits }, () => String(randomInt(10))).join('');
    return { [makes.secret]: digits };
  }

  /**
   * The secret to show once to the person who confirmed: the generated one, or the one of the answer if the platform
   * issued another. `replaced`: the platform did not use the one that was sent.
   */
  toShow(
    tool: Tool,
    { sent, made, answer }: { sent: Fields; made: Record<string, string> | undefined; answer: Fields },
  ): { once: Record<string, string> | undefined; replaced: boolean } {
    const makes = tool.kind === 'operation' ? tool.makes : undefined;
    if (!makes) return { once: made, replaced: false };
    const names = [makes.secret, ...makes.answeredAs];
    const issued = names.map((name) => keptSecret(answer, name)).find((value) => value !== undefined);
    const given = String(sent[makes.secret]);
    // A masked echo ("****12") is not a secret that could be shown.
    const isSame = issued === undefined || !/^[A-Za-z0-9]+$/.test(String(issued)) || String(issued) === given;
    if (isSame || (typeof issued === 'number' && isSecretNumber(issued, [given])))
      return { once: made, replaced: false };
    return { once: { [makes.secret]: String(issued) }, replaced: true };
  }

  /** The secret of an answer, to be stored for a later operation. `known`: the part of the answer that may be shown. */
  toStore(tool: Tool, answer: Fields, known: Fields): StoredSecret | undefined {
    const keeps = tool.kind === 'operation' ? tool.keeps : undefined;
    const secret = keeps && keptSecret(answer, keeps.secret);
    if (keeps === undefined || secret === undefined) return undefined;
    const { timeZone, clock } = this.parts;
    const expiresAt = readMoment(answer[keeps.until], timeZone) ?? clock.now() + SECRET_MS;
    return { operation: tool.id, key: String(answer[keeps.under]), secret, known, expiresAt };
  }
}

const TOKEN_PATH = '/v1.0/oauth2/tokens';

/** The platform's answer, and the secrets that were sent for it. */
export interface Sent {
  answer: Fields;
  secrets: readonly string[];
  /** Set if an order that was requested again was sent in place of the one that the call names: the ids of both. */
  renewed?: { asked: string; sent: string };
}

/** Hands one operation to the platform's client, with its stored secret. */
export class Sender extends GatePart<{ secrets: OperationSecrets }> {
  async send(tool: Operation, job: Job): Promise<Sent> {
    const { client, redactor, secrets: stored, tools, platformUrl } = this.parts;
    const { input, actor, deadline, signal, maxPauseMs, onWait, mayBegin, mayWrite } = job;
    const common = defined({ priority: actor.priority, actor: actor.id, deadline, signal, maxPauseMs });
    if (tool.path === TOKEN_PATH) {
      // The client holds the tokens. Callers see only when one expires.
      const answer = await client.token(endpointPath(String(input.ApiEndpoint), tools.operations, platformUrl), common);
      return { answer, secrets: [] };
    }
    const taken = await stored.take(tool, input);
    const { under = '', secret = '' } = tool.takes ?? {};
    // A secret that was requested again belongs to another order than the one that the call names.
    const [asked, sent] = [String(input[under]), String(taken?.known[under] ?? input[under])];
    const own = taken ? { [under]: sent, [secret]: taken.secret } : {};
    const body = { ...(tool.send ? tool.send(input) : input), ...own };
    const secrets = [...redactor.secretsIn(body), ...(taken ? [String(taken.secret)] : [])];
    const isChange = tool.risk !== 'read';
    let written = false;
    const begins: Job['mayBegin'] = async (attempt) => {
      // An attempt follows only on one that did nothing.
      written = false;
      return (await mayBegin?.(attempt)) ?? true;
    };
    let answer: Fields;
    try {
      answer = await client.send({
        ...common,
        method: tool.method,
        path: tool.path,
        input: body,
        read: !isChange,
        resend: mayResend(tool, input),
        redact: (text, token) =>
          redactor.text(text, { secrets: token === undefined ? secrets : [...secrets, token], written: input }),
        ...defined({ lane: tool.lane, onWait, ...(isChange && { mayBegin: begins, mayWrite }) }),
        onWritten: (at) => {
          written = true;
          if (isChange) job.onWritten?.(at);
        },
      });
    } catch (error) {
      if (taken && isStillUnused(asSwitchboardError(error).face, written)) await stored.putBack(taken);
      throw redactor.error(tool.explains ? explained(tool, error) : error, { secrets, written: input });
    } finally {
      if (taken) stored.sent(taken);
    }
    // The name `Warning` is for the gate's warnings.
    const { Warning, ...rest } = answer;
    if (Warning !== undefined) answer = { ...rest, PlatformWarning: Warning };
    if (!isChange) return { answer: onlyAskedFor(body, answer), secrets };
    return { answer, secrets, ...(asked !== sent && { renewed: { asked, sent } }) };
  }
}

/** True if a single-use secret was certainly not used: the call was not sent, or was rejected before processing. */
function isStillUnused(face: Failure, written: boolean): boolean {
  if (face.outcome === 'unknown') return false;
  return !written || ['rate_limited', 'unavailable', 'unauthorized', 'forbidden'].includes(face.code);
}

/**
 * The path to request a token for, from the input of `oauth2_tokens`: an operation id, a path, or a full URL on the
 * configured platform. Throws `invalid_input` for anything else, because a token request carries the account's secret
 * and tokens are stored per endpoint.
 */
function endpointPath(wanted: string, operations: readonly Operation[], platformUrl: string | undefined): string {
  const named = operations.find(({ id }) => id === wanted);
  if (named) return named.path;
  const path = wanted.startsWith('/') ? wanted : pathBelow(wanted, platformUrl);
  const known = operations.find((operation) => operation.path === path?.split(/[?#]/, 1)[0]);
  if (known) return known.path;
  const where = platformUrl === undefined ? '' : `, or ${origin(platformUrl)}/v1.0/…`;
  throw invalidInput(
    'ApiEndpoint',
    `ApiEndpoint: is not an endpoint of the configured platform. Give an operation id such as numbers_get${where}.`,
  );
}

function pathBelow(wanted: string, platformUrl: string | undefined): string | undefined {
  const given = parseUrl(wanted);
  if (platformUrl === undefined || given === undefined) return undefined;
  if (given.username !== '' || given.password !== '') return undefined;
  const base = origin(platformUrl);
  const whole = `${given.origin}${given.pathname}`;
  return whole.startsWith(`${base}/`) ? whole.slice(base.length) : undefined;
}

/** Host and prefix, without a slash at the end. */
function origin(platformUrl: string): string {
  const url = new URL(platformUrl);
  return `${url.origin}${withoutTrailing(url.pathname, '/')}`;
}
