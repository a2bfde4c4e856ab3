import { numbersFound } from '../blocks/lookup.ts';
import { header, type Message, notice, say } from '../blocks/text.ts';
import { onSubmit, onSuggest, openForm, type SentView } from '../flows/forms.ts';
import { guidesFor } from '../flows/guide.ts';
import { lookups, numbersIn } from '../flows/lookup.ts';
import { createReply } from '../flows/reply.ts';
import { refusalMessage, run } from '../flows/run.ts';
import { IDS } from '../ids.ts';
import type { Origin, SlackContext } from '../types.ts';
import { onClick } from './actions.ts';
import { type Acked, onCommand } from './commands.ts';

type Body = Record<string, unknown>;
/** Answers Slack, once. Rejects where the connection is gone, which is no reason to stop. */
export type Ack = (response?: unknown) => Promise<void>;

const failed = notice(
  '❌',
  'Something failed inside Switchboard; the log has the details. Check the card or the app’s Home before trying again.',
);

/** What arrives, by kind, free of Bolt: reads who and where, acknowledges at once, hands on. */
export function createHandlers(slack: SlackContext) {
  /** Whoever pressed or typed hears of a failure that nobody foresaw; the log has the rest. */
  async function guarded(origin: Origin, work: (() => Promise<void>) | undefined): Promise<void> {
    try {
      await work?.();
    } catch (error) {
      await createReply(slack.web, slack.log, origin, false).add(failed);
      throw error;
    }
  }
  const asAck = (message: Message) => ({ response_type: 'ephemeral', text: message.text, blocks: message.blocks });

  return {
    async command(body: Body, ack: Ack): Promise<void> {
      const origin = whereOf(body);
      let acked: Acked;
      try {
        acked = onCommand(slack, text(body.command), text(body.text), origin);
      } catch (error) {
        await ack(asAck(failed));
        throw error;
      }
      await ack(acked.now ? asAck(acked.now) : undefined);
      await guarded(origin, acked.after);
    },
    async click(body: Body, ack: Ack): Promise<void> {
      await ack();
      const [action] = list(body.actions);
      if (!action) return;
      const chosen = record(action.selected_option);
      const origin = whereOf(body);
      await guarded(origin, () =>
        onClick(slack, {
          actionId: text(action.action_id),
          value: text(chosen.value) || text(action.value),
          messageTs: text(record(body.container).message_ts) || undefined,
          ...(text(record(body.view).type) === 'modal'
            ? { view: { id: text(record(body.view).id), metadata: text(record(body.view).private_metadata) } }
            : {}),
          origin,
        }),
      );
    },
    async suggest(body: Body, ack: Ack): Promise<void> {
      const view = record(body.view);
      const options = await onSuggest(slack, viewOf(view), text(body.block_id), text(body.value), whereOf(body));
      await ack({ options });
    },
    async submit(body: Body, ack: Ack): Promise<void> {
      const answer = await onSubmit(slack, viewOf(record(body.view)), whereOf(body));
      await ack(answer.ack);
      await guarded(whereOf(body), answer.after);
    },
    /** "Look up numbers in this message". */
    async messageShortcut(body: Body, ack: Ack): Promise<void> {
      await ack();
      const origin = whereOf(body);
      const reply = createReply(slack.web, slack.log, origin, false);
      const refused = slack.roles.refusal(await slack.roles.membership(origin), 'viewer');
      if (refused) return void (await reply.show(refusalMessage(refused)));
      const numbers = numbersIn(textsIn(body.message).join('\n'));
      const [lookup] = lookups(slack.tools, slack.groups);
      const [only] = numbers;
      if (!lookup || only === undefined) {
        await reply.show(notice('🤔', 'There is no phone number in that message.'));
      } else if (numbers.length === 1) {
        await run(slack, { tool: lookup.tool, input: { [lookup.field]: only }, origin, reply });
      } else await reply.show(numbersFound(numbers));
    },
    async globalShortcut(body: Body, ack: Ack): Promise<void> {
      await ack();
      const origin = whereOf(body);
      const named = guidesFor(slack.tools).find(({ name }) => guideShortcut(name) === text(body.callback_id));
      if (named) return slack.guides.start(named, '', origin);
      const [lookup] = lookups(slack.tools, slack.groups);
      if (lookup) await openForm(slack, lookup.tool, {}, origin);
    },
    async homeOpened(body: Body): Promise<void> {
      const event = record(body.event);
      if (text(event.tab) !== 'home' && text(event.tab) !== '') return;
      await slack.home.opened({ userId: text(event.user), teamId: text(body.team_id) || text(body.context_team_id) });
    },
  };
}

/** Something that happened at the platform, for the events channel: all of it is text from outside. */
export interface PlatformEvent {
  title: string;
  lines: readonly (readonly [name: string, value: string])[];
  /** A message's body, as it came. */
  body?: string;
}

export function eventMessage(event: PlatformEvent, render: (lines: PlatformEvent['lines']) => Body): Message {
  return {
    text: event.title.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    blocks: [
      header(event.title),
      ...(event.lines.length > 0 ? [render(event.lines)] : []),
      ...(event.body === undefined || event.body === '' ? [] : [say(event.body.slice(0, 10_000))]),
    ],
  };
}

function whereOf(body: Body): Origin {
  const user = record(body.user);
  const container = record(body.container);
  const channel = text(body.channel_id) || text(record(body.channel).id) || text(container.channel_id);
  const threadTs = text(container.thread_ts) || text(record(body.message).thread_ts);
  const responseUrl = text(body.response_url);
  const triggerId = text(body.trigger_id);
  return {
    userId: text(body.user_id) || text(user.id),
    teamId: text(user.team_id) || text(body.team_id) || text(record(body.team).id),
    ...(channel ? { channel } : {}),
    ...(threadTs ? { threadTs } : {}),
    ...(responseUrl ? { responseUrl } : {}),
    ...(triggerId ? { triggerId } : {}),
  };
}

function viewOf(view: Body): SentView {
  return { id: text(view.id), metadata: text(view.private_metadata), values: record(record(view.state).values) };
}

/** Every text of a message: its own and those in its blocks and attachments. */
function textsIn(value: unknown, depth = 0): string[] {
  if (depth > 8) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, depth + 1));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, member]) =>
    typeof member === 'string' ? (key === 'text' || key === 'fallback' ? [member] : []) : textsIn(member, depth + 1),
  );
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function record(value: unknown): Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : {};
}

function list(value: unknown): Body[] {
  return Array.isArray(value) ? value.map(record) : [];
}

/** The shortcut that opens a guide from anywhere. */
export const guideShortcut = (name: string) => `${IDS.guide}_${name}`;

export const SHORTCUTS = { message: IDS.messageShortcut, global: IDS.globalShortcut };
