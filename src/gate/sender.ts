import { mayResend, type Operation, type Tool } from '../catalogue/operation.ts';
import { asSwitchboardError, type Failure } from '../lib/errors.ts';
import { defined, type Fields } from '../lib/json.ts';
import type { Redactor } from '../lib/redact.ts';
import type { Client } from '../platform/types.ts';
import { explained } from './confirmation.ts';
import type { Job } from './job.ts';
import type { OperationSecrets } from './operation-secrets.ts';
import { endpointPath } from './token-endpoint.ts';

const TOKEN_PATH = '/v1.0/oauth2/tokens';

export interface SenderOptions {
  tools: readonly Tool[];
  platformUrl: string | undefined;
  client: Client;
  redactor: Redactor;
  secrets: OperationSecrets;
}

/** Hands one operation to the platform's client, with its stored secret. */
export class Sender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  async send(tool: Operation, job: Job): Promise<Fields> {
    const { client, redactor, secrets, tools, platformUrl } = this.#options;
    const { input, actor, deadline, signal, onWait, mayBegin, mayWrite } = job;
    const common = defined({ priority: actor.priority, actor: actor.id, deadline, signal });
    if (tool.path === TOKEN_PATH) {
      // The client holds the tokens. Callers see only when one expires.
      return client.token(endpointPath(String(input.ApiEndpoint), tools, platformUrl), common);
    }
    const taken = await secrets.take(tool, input);
    const secret = tool.takes && taken ? { [tool.takes.secret]: taken.secret } : {};
    const body = { ...(tool.send ? tool.send(input) : input), ...secret };
    const hidden = [...redactor.secretsIn(body), ...(taken ? [String(taken.secret)] : [])];
    const isChange = tool.risk !== 'read';
    let written = false;
    try {
      return await client.send({
        ...common,
        method: tool.method,
        path: tool.path,
        input: body,
        read: !isChange,
        resend: mayResend(tool, input),
        secrets: hidden,
        ...defined({ lane: tool.lane, onWait, ...(isChange && { mayBegin, mayWrite }) }),
        onWritten: (at) => {
          written = true;
          if (isChange) job.onWritten?.(at);
        },
      });
    } catch (error) {
      if (taken && isStillUnused(asSwitchboardError(error).face, written)) await secrets.putBack(taken);
      throw redactor.error(tool.explains ? explained(tool, error) : error, hidden);
    }
  }
}

/** True if a single-use secret was certainly not used: the call was not sent, or was rejected before processing. */
function isStillUnused(face: Failure, written: boolean): boolean {
  if (face.outcome === 'unknown') return false;
  return !written || ['rate_limited', 'unavailable', 'unauthorized', 'forbidden'].includes(face.code);
}
