import { mayResend, type Operation, type Tool } from '../catalogue/operation.ts';
import { asSwitchboardError, type Failure, invalidInput } from '../lib/errors.ts';
import { defined, type Fields } from '../lib/json.ts';
import type { Redactor } from '../lib/redact.ts';
import { withoutTrailing } from '../lib/text.ts';
import type { Client } from '../platform/types.ts';
import { explained } from './confirmation.ts';
import type { Job } from './job.ts';
import type { OperationSecrets } from './operation-secrets.ts';

const TOKEN_PATH = '/v1.0/oauth2/tokens';

export interface SenderOptions {
  tools: readonly Tool[];
  platformUrl?: string | undefined;
  client: Client;
  redactor: Redactor;
  secrets: OperationSecrets;
}

/** The platform's answer, and the secrets that were sent for it. */
export interface Sent {
  answer: Fields;
  secrets: readonly string[];
}

/** Hands one operation to the platform's client, with its stored secret. */
export class Sender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  async send(tool: Operation, job: Job): Promise<Sent> {
    const { client, redactor, secrets: stored, tools, platformUrl } = this.#options;
    const { input, actor, deadline, signal, onWait, mayBegin, mayWrite } = job;
    const common = defined({ priority: actor.priority, actor: actor.id, deadline, signal });
    if (tool.path === TOKEN_PATH) {
      // The client holds the tokens. Callers see only when one expires.
      const answer = await client.token(endpointPath(String(input.ApiEndpoint), tools, platformUrl), common);
      return { answer, secrets: [] };
    }
    const taken = await stored.take(tool, input);
    const secret = tool.takes && taken ? { [tool.takes.secret]: taken.secret } : {};
    const body = { ...(tool.send ? tool.send(input) : input), ...secret };
    const secrets = [...redactor.secretsIn(body), ...(taken ? [String(taken.secret)] : [])];
    const isChange = tool.risk !== 'read';
    let written = false;
    try {
      const answer = await client.send({
        ...common,
        method: tool.method,
        path: tool.path,
        input: body,
        read: !isChange,
        resend: mayResend(tool, input),
        redact: (text, token) =>
          redactor.text(text, { secrets: token === undefined ? secrets : [...secrets, token], written: input }),
        ...defined({ lane: tool.lane, onWait, ...(isChange && { mayBegin, mayWrite }) }),
        onWritten: (at) => {
          written = true;
          if (isChange) job.onWritten?.(at);
        },
      });
      return { answer, secrets };
    } catch (error) {
      if (taken && isStillUnused(asSwitchboardError(error).face, written)) await stored.putBack(taken);
      throw redactor.error(tool.explains ? explained(tool, error) : error, { secrets, written: input });
    }
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
function endpointPath(wanted: string, tools: readonly Tool[], platformUrl: string | undefined): string {
  const operations = tools.filter((tool) => tool.kind === 'operation');
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
  if (platformUrl === undefined || !URL.canParse(wanted)) return undefined;
  const given = new URL(wanted);
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
