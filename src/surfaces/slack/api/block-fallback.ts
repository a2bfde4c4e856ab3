import { recordOf, textOf } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import { type Block, rich, say } from '../blocks/text.ts';

/** A kind of block that not every workspace accepts, and its replacement. */
export interface NewerBlock {
  type: string;
  plain(block: Block): Block;
  /** False if Slack would refuse this block, so that the plain one is sent. */
  fits?(block: Block): boolean;
}

/** A table that people can sort and page in Slack. */
export const DATA_TABLE: NewerBlock = {
  type: 'data_table',
  plain: (block) => {
    const { rows, block_id } = recordOf(block);
    return { type: 'table', rows, ...(block_id === undefined ? {} : { block_id }) };
  },
};

const MARKS: Readonly<Record<string, string>> = { error: '❌ ', warning: '⚠️ ', info: 'ℹ️ ', success: '✅ ' };

/** Maximum length of an alert. Slack's SDK for Java documents it. */
const MAX_ALERT = 200;

/** A highlighted sentence in a modal. */
export const ALERT: NewerBlock = {
  type: 'alert',
  fits: ({ text }) => textOf(recordOf(text).text).length <= MAX_ALERT,
  plain: ({ text, level }) => say(MARKS[textOf(level)] ?? '', rich.bold(textOf(recordOf(text).text))),
};

/**
 * Slack's errors for blocks that it does not accept: codes of the Web API for messages and views, and the status of a
 * response_url.
 */
const REFUSED: ReadonlySet<string> = new Set(['invalid_blocks', 'invalid_arguments', 'status 400']);
/** The first try used up the modal's trigger, so Slack did not check the blocks of the second one. */
const NO_TRIGGER: ReadonlySet<string> = new Set(['exchanged_trigger_id', 'expired_trigger_id', 'invalid_trigger_id']);

/** Sends blocks of one newer kind. After Slack refuses them, the process sends plain ones. */
export class BlockFallback {
  readonly #kind: NewerBlock;
  readonly #log: Log;
  #isPlain = false;

  constructor(kind: NewerBlock, log: Log) {
    this.#kind = kind;
    this.#log = log;
  }

  /** Sends blocks, and retries with plain ones if Slack refuses them. Rejects with Slack's last refusal. */
  async send<T>(all: readonly Block[], run: (blocks: readonly Block[]) => Promise<T>): Promise<T> {
    const { plain, fits = () => true } = this.#kind;
    const blocks = all.map((block) => (this.#isNewer(block) && !fits(block) ? plain(block) : block));
    if (this.#isPlain || !blocks.some((block) => this.#isNewer(block))) return run(this.#plain(blocks));
    try {
      return await run(blocks);
    } catch (error) {
      if (!(error instanceof SlackRefusal) || error.ambiguous || !REFUSED.has(error.reason)) throw error;
      try {
        const sent = await run(this.#plain(blocks));
        this.#remember(error);
        return sent;
      } catch (second) {
        // At least the next modal will open.
        if (second instanceof SlackRefusal && NO_TRIGGER.has(second.reason)) this.#remember(error);
        throw second;
      }
    }
  }

  #remember(error: SlackRefusal): void {
    this.#isPlain = true;
    const { type } = this.#kind;
    this.#log(
      'info',
      { error: String(error) },
      `Slack refused blocks of type ${type}; plain ones are sent from now on`,
    );
  }

  #plain(blocks: readonly Block[]): readonly Block[] {
    return blocks.map((block) => (this.#isNewer(block) ? this.#kind.plain(block) : block));
  }

  #isNewer({ type }: Block): boolean {
    return type === this.#kind.type;
  }
}

/** A failed call to Slack, with Slack's own error code as `reason`, such as `not_in_channel` or `ratelimited`. */
export class SlackRefusal extends Error {
  override readonly name = 'SlackRefusal';
  readonly reason: string;
  readonly retryAfterMs: number | undefined;
  /** Slack may have performed the call although no answer came. */
  readonly ambiguous: boolean;
  /** With `ambiguous`: Slack answered with a server error, so the request is no longer in progress. */
  readonly answered: boolean;

  constructor(
    method: string,
    reason: string,
    more: { retryAfterMs?: number; ambiguous?: boolean; answered?: boolean; detail?: string } = {},
  ) {
    super(`${method}: ${reason}${more.detail ? ` (${more.detail})` : ''}`);
    this.reason = reason;
    this.retryAfterMs = more.retryAfterMs;
    this.ambiguous = more.ambiguous ?? false;
    this.answered = more.answered ?? false;
  }
}

/** True unless Slack clearly refused: the call may have taken effect. */
export function isAmbiguous(error: unknown): error is SlackRefusal {
  return error instanceof SlackRefusal && error.ambiguous;
}

/** An error of Slack's client as a `SlackRefusal`. */
export function refusalOf(method: string, error: unknown): SlackRefusal {
  if (error instanceof SlackRefusal) return error;
  const thrown = recordOf(error);
  const data = recordOf(thrown.data);
  switch (thrown.code) {
    case 'slack_webapi_platform_error': {
      const { messages } = recordOf(data.response_metadata);
      const detail = Array.isArray(messages) ? messages.map(String).join('; ').slice(0, 500) : '';
      // Slack's errors are codes. Anything else did not come from Slack; it may be the page of a proxy.
      if (typeof data.error === 'string' && /^[a-z0-9_]{1,80}$/.test(data.error))
        return new SlackRefusal(method, data.error, { detail });
      return new SlackRefusal(method, 'not_slack', {
        ambiguous: true,
        answered: true,
        detail: 'the answer is not from Slack',
      });
    }
    case 'slack_webapi_rate_limited_error':
      return new SlackRefusal(method, 'ratelimited', { retryAfterMs: Number(thrown.retryAfter ?? 1) * 1000 });
    default:
      return new SlackRefusal(method, 'network', {
        ambiguous: true,
        answered: thrown.code === 'slack_webapi_http_error',
        detail: error instanceof Error ? error.message.slice(0, 200) : '',
      });
  }
}
