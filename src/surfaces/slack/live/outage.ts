import { Blocked } from '../../../lib/errors.ts';
import { type Message, rich, say } from '../blocks/text.ts';
import type { Log, SlackConfig } from '../types.ts';
import type { Once } from './once.ts';
import type { Threads } from './threads.ts';
import type { Web } from './web.ts';

/** Why Slack refuses every event, and what a person can do about it. `token`: nobody can be told in Slack either. */
interface Cause {
  is: string;
  mend: string;
  token?: true;
}

const INVITE: Cause = {
  is: 'Switchboard is not a member of it, or it does not exist',
  mend: 'Invite the app there (/invite @Switchboard)',
};
const POLICY: Cause = {
  is: 'the rules of the workspace or of the channel do not let Switchboard post',
  mend: 'Let the app post there',
};
const TOKEN: Cause = {
  is: 'the bot token is no longer valid',
  mend: 'Install the app again, set the new SLACK_BOT_TOKEN and restart Switchboard',
  token: true,
};
/** By Slack's own word (https://docs.slack.dev/reference/methods/chat.postMessage, errors). */
const CAUSES: Readonly<Record<string, Cause>> = {
  not_in_channel: INVITE,
  channel_not_found: INVITE,
  is_archived: { is: 'it is archived', mend: 'Unarchive it and invite the app there' },
  missing_scope: {
    is: 'the app lacks a scope',
    mend: 'Install the app again from manifest.json; switchboard doctor names the scope',
  },
  restricted_action: POLICY,
  restricted_action_read_only_channel: POLICY,
  restricted_action_thread_only_channel: POLICY,
  restricted_action_non_threadable_channel: POLICY,
  no_permission: POLICY,
  access_denied: POLICY,
  ekm_access_denied: POLICY,
  team_access_not_granted: POLICY,
  invalid_auth: TOKEN,
  not_authed: TOKEN,
  account_inactive: TOKEN,
  token_revoked: TOKEN,
  token_expired: TOKEN,
  org_login_required: TOKEN,
};

/** More people are not told one by one. */
const MAX_TOLD = 50;

export type Outages = ReturnType<typeof createOutages>;

/** Keeps in mind that Slack refuses events, and tells the approvers once per outage. */
export function createOutages(options: {
  config: SlackConfig;
  channel: string;
  threads: Threads;
  once: Once;
  web: Web;
  log: Log;
  now: () => number;
}) {
  const { config, channel, threads, once, web, log } = options;
  /** The outage of which everybody was told, by its beginning. */
  let toldOf: number | undefined;
  let telling: Promise<void> | undefined;

  /** SLACK_APPROVERS, the members of user groups one by one. `*` names nobody. */
  async function approvers(): Promise<string[]> {
    const ids = new Set<string>();
    for (const id of config.SLACK_APPROVERS) {
      if (id === '*') continue;
      if (!id.startsWith('S')) ids.add(id);
      else
        for (const user of await web.groupMembers(id).catch((error: unknown) => {
          log('warn', { group: id, error: String(error) }, 'the members of a Slack user group cannot be read');
          return [];
        }))
          ids.add(user);
    }
    return [...ids].slice(0, MAX_TOLD);
  }

  async function tell(reason: string, cause: Cause): Promise<void> {
    const outage = threads.outage();
    if (!outage || outage.since === toldOf) return;
    const people = (await approvers()).filter((id) => !outage.told.includes(id));
    for (const user of people) {
      const name = `outage ${outage.since} ${user}`;
      try {
        await once.post({
          channel: await web.open(user),
          message: warning(channel, reason, cause),
          doubt: threads.doubt(name),
          keep: (doubt) => threads.putDoubt(name, name, doubt),
        });
        outage.told.push(user);
        threads.putOutage(outage);
        threads.putDoubt(name, name, undefined);
      } catch (error) {
        log(
          'warn',
          { user, error: String(error) },
          'an approver could not be told that events wait; it is tried again',
        );
      }
    }
    if (people.some((user) => !outage.told.includes(user))) return;
    toldOf = outage.since;
    if (outage.told.length === 0)
      log('warn', { channel }, 'SLACK_APPROVERS names nobody who could be told that events wait');
  }

  return {
    /**
     * What to throw for Slack's refusal of an event: `Blocked` where a person can mend it, `undefined` where it is about
     * this one event.
     */
    refused(reason: string): Blocked | undefined {
      const cause = CAUSES[reason];
      if (!cause) return undefined;
      const known = threads.outage();
      if (!known || known.channel !== channel) {
        threads.putOutage({ channel, reason, since: options.now(), told: [] });
        log('error', { channel, reason }, `Slack refuses events: ${cause.is}. They wait. ${cause.mend}.`);
      } else if (known.reason !== reason) {
        threads.putOutage({ ...known, reason });
        log('error', { channel, reason }, `Slack still refuses events: ${cause.is}. ${cause.mend}.`);
      }
      if (!cause.token)
        telling ??= tell(reason, cause)
          .catch((error: unknown) =>
            log('error', { error: String(error) }, 'approvers could not be told that events wait'),
          )
          .finally(() => {
            telling = undefined;
          });
      return new Blocked(`Slack refuses events in ${channel} (${reason}): ${cause.is}. ${cause.mend}.`);
    },

    /** Slack took an event. */
    over(): void {
      const known = threads.outage();
      if (!known) return;
      log('info', { channel, reason: known.reason }, 'Slack takes events again');
      threads.putOutage(undefined);
    },

    /** One sentence while Slack refuses events, for /readyz. Reads what other processes found too. */
    problem(): string | undefined {
      const outage = threads.outage();
      if (!outage || outage.channel !== channel) return undefined;
      const cause = CAUSES[outage.reason];
      return `Slack refuses SLACK_EVENTS_CHANNEL ${channel} since ${new Date(outage.since).toISOString()} (${outage.reason}): ${cause?.is ?? 'unknown'}. ${cause?.mend ?? 'See the log'}.`;
    },

    /** Resolves when nobody is being told. */
    settled: async () => {
      await telling;
    },
  };
}

function warning(channel: string, reason: string, cause: Cause): Message {
  return {
    text: `Events of the platform wait: Slack refuses them in <#${channel}> (${channel}), because ${cause.is}. ${cause.mend}, or name another channel in SLACK_EVENTS_CHANNEL and restart Switchboard.`,
    blocks: [
      say(
        '⚠️ ',
        rich.bold('Events of the platform wait.'),
        ' Slack refuses them in ',
        rich.channel(channel),
        ` (${channel}, ${reason}), because ${cause.is}.`,
      ),
      say(
        `${cause.mend}, or name another channel in SLACK_EVENTS_CHANNEL and restart Switchboard. No event is lost: they appear there in order within seconds.`,
      ),
    ],
  };
}
