import type { Clock } from '../../../lib/clock.ts';
import type { Message } from '../blocks/text.ts';
import type { Log } from '../types.ts';

type Answer = Record<string, unknown>;
/** One attempt at a Web API method; rejects as Slack's client does. */
export type ApiCall = (method: string, args: Record<string, unknown>) => Promise<unknown>;

/** A refusal of Slack's, by its own word: `not_in_channel`, `ratelimited`, `network`. */
export class SlackRefusal extends Error {
  override readonly name = 'SlackRefusal';
  readonly reason: string;
  readonly retryAfterMs: number | undefined;
  /** True where Slack may have done it although no answer came. */
  readonly ambiguous: boolean;
  /** With `ambiguous`: Slack did answer, with an error of its servers, so that it is through with the request. */
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

export interface Posted {
  channel: string;
  ts: string;
}

/** A message of ours as a channel's history has it. */
export interface Marked extends Posted {
  /** What `post` was given as `mark`. */
  mark: string;
}

export interface Person {
  name: string;
  team: string;
  zone: string | undefined;
  /** Of Enterprise Grid: the organisation this person is of. */
  enterprise: string | undefined;
  /** Slack Connect: somebody of another organisation. */
  stranger: boolean;
}

export type Web = ReturnType<typeof createWeb>;

const TRIES = 3;
/** Nobody waits longer than this for Slack to allow another try. */
const MAX_WAIT_MS = 10_000;
const RESPOND_MS = 4_000;
/** The type of the metadata that tells our own messages apart in a channel's history. */
const EVENT_TYPE = 'switchboard_message';
/** Pages of a history that are read at most, and how many messages a page has. */
const HISTORY_PAGES = 10;
const HISTORY_LIMIT = 200;

/** Slack's Web API as this surface uses it: bounded tries, every refusal by its name. */
export function createWeb(options: { call: ApiCall; clock: Clock; log: Log }) {
  const { clock, log } = options;
  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.setTimeout(resolve, ms));

  /** `again`: calling twice does no harm. What may have been posted is not posted again. */
  async function call(method: string, args: Record<string, unknown>, again = true, tries = TRIES): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await options.call(method, args)) as Answer;
      } catch (error) {
        const refusal = refusalOf(method, error);
        const mayRetry = refusal.retryAfterMs !== undefined || refusal.ambiguous ? again || !refusal.ambiguous : false;
        const wait = refusal.retryAfterMs ?? 250 * 2 ** (attempt - 1);
        if (!mayRetry || attempt >= tries || wait > MAX_WAIT_MS) throw refusal;
        log('debug', { method, attempt, reason: refusal.reason }, 'Slack is asked again');
        await sleep(wait);
      }
    }
  }

  const content = (message: Message) => ({
    text: message.text,
    blocks: message.blocks,
    unfurl_links: false,
    unfurl_media: false,
  });

  /** `mark`: written into the message's metadata, so that `marked` finds it again. */
  async function post(channel: string, message: Message, threadTs?: string, mark?: string): Promise<Posted> {
    const thread = threadTs ? { thread_ts: threadTs } : {};
    const metadata = mark ? { metadata: { event_type: EVENT_TYPE, event_payload: { id: mark } } } : {};
    const answer = await call('chat.postMessage', { channel, ...content(message), ...thread, ...metadata }, false);
    // Said to be posted, but not where: it may stand there, and nobody could find it again.
    if (typeof answer?.ts !== 'string')
      throw new SlackRefusal('chat.postMessage', 'no_ts', { ambiguous: true, detail: 'an answer without ts' });
    return { channel: typeof answer.channel === 'string' ? answer.channel : channel, ts: answer.ts };
  }

  async function open(user: string): Promise<string> {
    const opened = await call('conversations.open', { users: user });
    return String((opened.channel as Answer | undefined)?.id);
  }

  /**
   * Our marked messages of a channel, or of one of its threads, oldest first. A channel is read backwards from its end
   * until `since` (epoch ms), but one page in any case, because Slack's clock may not be ours. Needs the scope
   * `channels:history`, `groups:history`, `im:history` or `mpim:history`, by the kind of channel.
   */
  async function marked(channel: string, since: number, threadTs?: string): Promise<Marked[]> {
    const found: Marked[] = [];
    let cursor = '';
    for (let pages = 0; pages < HISTORY_PAGES; pages += 1) {
      const answer = await call(
        threadTs ? 'conversations.replies' : 'conversations.history',
        {
          channel,
          ...(threadTs ? { ts: threadTs } : {}),
          ...(cursor === '' ? {} : { cursor }),
          include_all_metadata: true,
          limit: HISTORY_LIMIT,
        },
        true,
        2,
      );
      const messages = (Array.isArray(answer.messages) ? answer.messages : []) as Answer[];
      for (const message of messages) {
        const { event_type, event_payload } = (message.metadata ?? {}) as Answer;
        const mark = ((event_payload ?? {}) as Answer).id;
        if (event_type === EVENT_TYPE && typeof mark === 'string' && typeof message.ts === 'string')
          found.push({ channel, ts: message.ts, mark });
      }
      const oldest = Math.min(...messages.map(({ ts }) => Number(ts) * 1000));
      cursor = String(((answer.response_metadata ?? {}) as Answer).next_cursor ?? '');
      if (cursor === '' || (!threadTs && oldest < since)) break;
    }
    return found.sort((a, b) => Number(a.ts) - Number(b.ts));
  }

  return {
    post,
    marked,
    async whisper(channel: string, user: string, message: Message, threadTs?: string): Promise<void> {
      const thread = threadTs ? { thread_ts: threadTs } : {};
      await call(
        'chat.postEphemeral',
        { channel, user, text: message.text, blocks: message.blocks, ...thread },
        false,
        2,
      );
    },
    async direct(user: string, message: Message): Promise<Posted> {
      return post(await open(user), message);
    },
    /** The channel of direct messages with this person. */
    open,
    async remove(at: Posted): Promise<void> {
      await call('chat.delete', { channel: at.channel, ts: at.ts });
    },
    async update(at: Posted, message: Message): Promise<void> {
      await call('chat.update', { channel: at.channel, ts: at.ts, text: message.text, blocks: message.blocks });
    },
    async openView(triggerId: string, view: Record<string, unknown>): Promise<string> {
      // A trigger is good for three seconds and one use: no second try.
      const answer = await call('views.open', { trigger_id: triggerId, view }, false, 1);
      return String((answer.view as Answer | undefined)?.id);
    },
    async updateView(viewId: string, view: Record<string, unknown>): Promise<void> {
      await call('views.update', { view_id: viewId, view }, true, 2);
    },
    async publish(user: string, view: Record<string, unknown>): Promise<void> {
      await call('views.publish', { user_id: user, view });
    },
    async person(user: string): Promise<Person> {
      const answer = await call('users.info', { user }, true, 2);
      const found = (answer.user ?? {}) as Answer;
      const profile = (found.profile ?? {}) as Answer;
      const org = (found.enterprise_user ?? {}) as Answer;
      const name = [profile.display_name, profile.real_name, found.name].find(
        (text) => typeof text === 'string' && text !== '',
      );
      return {
        name: String(name ?? user),
        team: typeof found.team_id === 'string' ? found.team_id : '',
        zone: typeof found.tz === 'string' ? found.tz : undefined,
        enterprise: typeof org.enterprise_id === 'string' ? org.enterprise_id : undefined,
        stranger: found.is_stranger === true,
      };
    },
    async groupMembers(group: string): Promise<string[]> {
      const answer = await call('usergroups.users.list', { usergroup: group }, true, 2);
      return Array.isArray(answer.users) ? answer.users.map(String) : [];
    },
    async identity(): Promise<{ team: string; enterprise: string | undefined; user: string }> {
      const answer = await call('auth.test', {}, true, 2);
      const enterprise = typeof answer.enterprise_id === 'string' ? answer.enterprise_id : undefined;
      return { team: String(answer.team_id), enterprise, user: String(answer.user_id) };
    },
    async permalink(at: Posted): Promise<string | undefined> {
      const answer = await call('chat.getPermalink', { channel: at.channel, message_ts: at.ts }, true, 1).catch(
        () => undefined,
      );
      return typeof answer?.permalink === 'string' ? answer.permalink : undefined;
    },
    /** Answers through a response_url. Rejects with `SlackRefusal`. */
    async respond(url: string, body: Record<string, unknown>): Promise<void> {
      let status: number;
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json; charset=utf-8' },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(RESPOND_MS),
          redirect: 'error',
        });
        status = response.status;
        await response.arrayBuffer();
      } catch (error) {
        throw new SlackRefusal('response_url', 'network', {
          ambiguous: true,
          detail: error instanceof Error ? error.name : '',
        });
      }
      if (status < 200 || status > 299) throw new SlackRefusal('response_url', `status ${status}`);
    },
    sleep,
  };
}

function refusalOf(method: string, error: unknown): SlackRefusal {
  if (error instanceof SlackRefusal) return error;
  const thrown = (typeof error === 'object' && error !== null ? error : {}) as Answer;
  const data = (thrown.data ?? {}) as Answer;
  switch (thrown.code) {
    case 'slack_webapi_platform_error': {
      const messages = ((data.response_metadata ?? {}) as Answer).messages;
      const detail = Array.isArray(messages) ? messages.map(String).join('; ').slice(0, 500) : '';
      // A word of Slack's; anything else is an answer that was none of Slack's, such as a page of a proxy.
      const word = typeof data.error === 'string' && /^[a-z0-9_]{1,80}$/.test(data.error) ? data.error : undefined;
      return word === undefined
        ? new SlackRefusal(method, 'not_slack', {
            ambiguous: true,
            answered: true,
            detail: 'the answer is not Slack’s',
          })
        : new SlackRefusal(method, word, { detail });
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
