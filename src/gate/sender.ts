import { randomInt } from 'node:crypto';
import { otherwiseIn } from '../catalogue/compare.ts';
import { mayResend, type Operation, type Tool } from '../catalogue/operation.ts';
import type { Action, StoredSecret } from '../ledger/ledger.ts';
import type { SecretRecord } from '../ledger/rows.ts';
import { asSwitchboardError, type Failure, invalidInput, SwitchboardError } from '../lib/errors.ts';
import { isSecretNumber } from '../lib/hide.ts';
import { defined, type Fields, plainText, textOf, withoutTrailing } from '../lib/values.ts';
import { onlyAskedFor, overruledIn } from '../platform/dialect/number-lists.ts';
import { readMoment, scheduledText } from '../platform/dialect/readings.ts';
import { keptSecret, withholdActivation } from '../platform/dialect/redact.ts';
import { flagWarning, isNotDoneFor, partlyWarning, readVerdict, verdictFailure } from '../platform/dialect/verdict.ts';
import { explained, GatePart, type Job, type Performed, withWarnings } from './confirmation.ts';

/** The shortest lifetime of a stored secret: that of an AuthCode (PLATFORM.md, Cancellation). */
const SECRET_MS = 300_000;

/** The secrets that operations declare: `keeps` one of its answer, `takes` a stored one, `makes` one at random. */
export class OperationSecrets extends GatePart {
  /** The records of secrets that are being sent, by key. A change is built again with them. */
  readonly #taken = new Map<string, SecretRecord>();

  /**
   * The record of the secret a call sends; undefined if it sends none, or none is stored or being sent. `isRequired`: rejects
   * with `invalid_input` if none is stored.
   */
  async find(tool: Tool, input: Fields, isRequired = false): Promise<SecretRecord | undefined> {
    const takes = tool.kind === 'operation' ? tool.takes : undefined;
    if (!takes) return undefined;
    const key = String(input[takes.under]);
    const found = await this.parts.ledger.vault.find(takes.from, key);
    return found ?? (isRequired ? noSecret(takes, key) : this.#taken.get(key));
  }

  /** Removes the stored secret of a call from the vault, so that concurrent calls cannot both send it, until `sent`. */
  async take(tool: Operation, input: Fields): Promise<StoredSecret | undefined> {
    if (!tool.takes) return undefined;
    await this.find(tool, input, true);
    const taken = await this.parts.ledger.vault.take(tool.takes.from, String(input[tool.takes.under]));
    if (taken) this.#taken.set(taken.key, taken);
    return taken;
  }

  /**
   * The call that took this secret has ended. `isUnused`: it did not use it, so it is stored again. An error while storing
   * must not hide why the call failed.
   */
  async sent(taken: StoredSecret, isUnused: boolean): Promise<void> {
    if (isUnused)
      await this.parts.ledger.vault.put(taken).catch((error: unknown) => {
        this.parts.log('error', { error: String(error) }, 'an unused secret could not be stored again');
      });
    this.#taken.delete(taken.key);
  }

  /** Stores a secret that was requested again in place of the one that the call names. Rejects if the answer had none. */
  async replace(takes: NonNullable<Operation['takes']>, input: Fields, answer: Fields): Promise<void> {
    const { vault } = this.parts.ledger;
    const key = String(answer[takes.under]);
    const renewed = (await vault.take(takes.from, key)) ?? noSecret(takes, key);
    await vault.put({ ...renewed, key: String(input[takes.under]) });
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
  ) {
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
    const { clock, timeZone } = this.parts;
    const keeps = tool.kind === 'operation' ? tool.keeps : undefined;
    const secret = keeps && keptSecret(answer, keeps.secret);
    if (keeps === undefined || secret === undefined) return undefined;
    // Only the platform's clock says when it has ended, and this one may be ahead of it.
    const expiresAt = Math.max(readMoment(answer[keeps.until], timeZone) ?? 0, clock.now() + SECRET_MS);
    return { operation: tool.id, key: String(answer[keeps.under]), secret, known, expiresAt };
  }
}

function noSecret({ under, secret, from }: NonNullable<Operation['takes']>, key: string): never {
  const message = `${under}: no ${secret} is stored for ${key}; it was used, has expired, or was requested elsewhere. Start again with ${from}.`;
  throw invalidInput(under, message);
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
    const { input, actor, deadline, signal, onWait, mayBegin, mayWrite } = job;
    const common = defined({ priority: actor.priority, actor: actor.id, deadline, signal });
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
    let isUnused = false;
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
      const { outcome, code } = asSwitchboardError(error).face;
      // A single-use secret was certainly not used: the call was not sent, or was rejected before processing.
      const isRejected = ['rate_limited', 'unavailable', 'unauthorized', 'forbidden'].includes(code);
      isUnused = outcome !== 'unknown' && (!written || isRejected);
      throw redactor.error(tool.explains ? explained(tool, error) : error, { secrets, written: input });
    } finally {
      if (taken) await stored.sent(taken, isUnused);
    }
    // The name `Warning` is for the gate's warnings.
    const { Warning, ...rest } = answer;
    if (Warning !== undefined) answer = { ...rest, PlatformWarning: Warning };
    if (!isChange) return { answer: onlyAskedFor(body, answer), secrets };
    return { answer, secrets, ...(asked !== sent && { renewed: { asked, sent } }) };
  }
}

/**
 * The path to request a token for, from the input of `oauth2_tokens`: an operation id, a path, or a full URL on the
 * configured platform. Throws `invalid_input` for anything else, because a token request carries the account's secret
 * and tokens are stored per endpoint.
 */
function endpointPath(wanted: string, operations: readonly Operation[], platformUrl: string | undefined): string {
  // Host and prefix, without a slash at the end.
  const url = platformUrl === undefined ? undefined : new URL(platformUrl);
  const base = url && `${url.origin}${withoutTrailing(url.pathname, '/')}`;
  const below = base !== undefined && wanted.startsWith(`${base}/`) ? wanted.slice(base.length) : wanted;
  const path = below.split(/[?#]/, 1)[0];
  const known = operations.find((operation) => operation.id === wanted || operation.path === path);
  if (known) return known.path;
  const where = base === undefined ? '' : `, or ${base}/v1.0/…`;
  const message = `ApiEndpoint: is not an endpoint of the configured platform. Give an operation id such as numbers_get${where}.`;
  throw invalidInput('ApiEndpoint', message);
}

type Done = Extract<Performed, { kind: 'done' }>;
/**
 * The result of reading an answer. `refused` is set if the platform says that it did not do the work, or does not say
 * that it did.
 */
export type ReadAnswer = Done & { refused?: Failure };

type Asked = Partial<Pick<Action, 'known' | 'consent'>>;

/** Turns the platform's answers into results. */
export class Answers extends GatePart {
  /**
   * Reads an answer: removes secrets, adds warnings, and decides whether the platform did the work. `asked`: the facts
   * known when a person was asked, and what that question said about the outcome.
   */
  read({ tool, input }: Pick<Job, 'tool' | 'input'>, { answer, secrets, renewed }: Sent, asked?: Asked): ReadAnswer {
    const { known = {}, consent } = asked ?? {};
    // A workflow's answer is built from answers that were read here already; the rest is text of its caller.
    const value =
      tool.kind === 'operation'
        ? this.parts.redactor.strip(answer, { secrets, written: input })
        : this.parts.redactor.omit(answer);
    const verdict = readVerdict(tool, { answer: value, input, known });
    const isDone = verdict.state === 'done' || verdict.state === 'partly';
    const doubtful = isDone && tool.kind === 'operation' && tool.risk !== 'read' ? flagWarning(value) : undefined;
    const others = isDone ? otherwiseIn(tool, input, value) : [];
    const overruled = overruledIn({ answer: value, known }, tool.answer).filter(
      (number) => isDone && tool.risk !== 'read' && !isNotDoneFor(number, tool, { answer: value, input, known }),
    );
    const date = tool.answer?.scheduled?.(input, new Date(this.parts.clock.now()), value);
    const warnings = [
      renewed &&
        `The order ${renewed.asked} was made anew when this was confirmed: ${renewed.sent} was sent in its place.`,
      tool.risk === 'read' && textOf(value.Warning),
      date && scheduledText(date),
      tool.caution?.(input),
      verdict.state === 'partly' && plainText(partlyWarning(verdict)),
      doubtful && plainText(doubtful),
      others.length > 0 && `The platform’s answer shows other values than were sent: ${others.join(', ')}.`,
      overruled.length > 0 &&
        `The platform refused ${overruled.join(', ')} when it was asked, and its answer lists it as done now. Check it.`,
      isDone && consent?.remains,
    ].filter((text) => typeof text === 'string' && text !== '');
    if (warnings.length > 0) value.Warning = withholdActivation(warnings.join(' '));
    this.parts.completions?.learn(value);
    const done: ReadAnswer = { kind: 'done', value };
    if (verdict.state === 'partly') return { ...done, partly: verdict };
    const refused = verdictFailure(tool, value, verdict);
    return refused ? { ...done, refused: withholdActivation(refused) } : done;
  }

  /** The answer of a read. A failure here changed nothing at the platform. */
  readOfRead(job: Pick<Job, 'tool' | 'input'>, sent: Sent): ReadAnswer {
    try {
      return this.read(job, sent);
    } catch (error) {
      const message = `The platform answered, but Switchboard could not process the answer (${String(error).slice(0, 200)}).`;
      throw new SwitchboardError(
        { code: 'server_error', message, effect: 'nothing_changed', outcome: 'not_done' },
        { cause: error },
      );
    }
  }

  /** The result of an earlier call, for a repeat that was not sent. */
  repeated(tool: Tool, { id: actionId, result = {}, shown: input, known, sentAt, createdAt }: Action): Performed {
    const verdict = readVerdict(tool, { answer: result, input, known });
    const at = new Date(sentAt ?? createdAt).toISOString();
    const notice = `Nothing was sent now: this is the result of the same call of ${at} (${actionId}).`;
    const done: Done = { kind: 'done', value: withWarnings(result, notice), actionId, isRepeat: true };
    return verdict.state === 'partly' ? { ...done, partly: verdict } : done;
  }
}
