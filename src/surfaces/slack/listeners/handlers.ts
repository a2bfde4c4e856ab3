import { numbersFound } from '../blocks/lookup.ts';
import { header, type Message, notice, say } from '../blocks/text.ts';
import { onClick } from './actions.ts';
import { type Acked, onCommand } from './commands.ts';
import { onSubmit, onSuggest, openForm, type SentView } from '../flows/forms.ts';
import { guidesFor } from '../flows/guide.ts';
import { IDS } from '../ids.ts';
import { lookups, numbersIn } from '../flows/lookup.ts';
import { createReply } from '../flows/reply.ts';
import { refusalMessage, run } from '../flows/run.ts';
import type { Desk, Where } from '../types.ts';

type Body = Record<string, unknown>;
/** Answers Slack, once. Rejects where the connection is gone, which is no reason to stop. */
export type Ack = (response?: unknown) => Promise<void>;

const failed = notice(
  '❌',
  'Something failed inside Switchboard; the log has the details. Check the card or the app’s Home before trying again.',
);

/** What arrives, by kind, free of Bolt: reads who and where, acknowledges at once, hands on. */
export function createHandlers(desk: Desk) {
  /** Whoever pressed or typed hears of a failure that nobody foresaw; the log has the rest. */
  async function guarded(where: Where, work: (() => Promise<void>) | undefined): Promise<void> {
    try {
      await work?.();
    } catch (error) {
      await createReply(desk.web, desk.log, where, false).add(failed);
      throw error;
    }
  }
  const asAck = (message: Message) => ({ response_type: 'ephemeral', text: message.text, blocks: message.blocks });

  return {
    async command(body: Body, ack: Ack): Promise<void> {
      const where = whereOf(body);
      let acked: Acked;
      try {
        acked = onCommand(desk, text(body.command), text(body.text), where);
      } catch (error) {
        await ack(asAck(failed));
        throw error;
      }
      await ack(acked.now ? asAck(acked.now) : undefined);
      await guarded(where, acked.after);
    },
    async click(body: Body, ack: Ack): Promise<void> {
      await ack();
      const [action] = list(body.actions);
      if (!action) return;
      const chosen = record(action.selected_option);
      const where = whereOf(body);
      await guarded(where, () =>
        onClick(desk, {
          actionId: text(action.action_id),
          value: text(chosen.value) || text(action.value),
          messageTs: text(record(body.container).message_ts) || undefined,
          ...(text(record(body.view).type) === 'modal'
            ? { view: { id: text(record(body.view).id), metadata: text(record(body.view).private_metadata) } }
            : {}),
          where,
        }),
      );
    },
    async suggest(body: Body, ack: Ack): Promise<void> {
      const view = record(body.view);
      const options = await onSuggest(desk, viewOf(view), text(body.block_id), text(body.value), whereOf(body));
      await ack({ options });
    },
    async submit(body: Body, ack: Ack): Promise<void> {
      const answer = await onSubmit(desk, viewOf(record(body.view)), whereOf(body));
      await ack(answer.ack);
      await guarded(whereOf(body), answer.after);
    },
    /** "Look up numbers in this message". */
    async messageShortcut(body: Body, ack: Ack): Promise<void> {
      await ack();
      const where = whereOf(body);
      const reply = createReply(desk.web, desk.log, where, false);
      const refused = desk.roles.refusal(await desk.roles.standing(where), 'viewer');
      if (refused) return void (await reply.show(refusalMessage(refused)));
      const numbers = numbersIn(textsIn(body.message).join('\n'));
      const [lookup] = lookups(desk.tools, desk.groups);
      const [only] = numbers;
      if (!lookup || only === undefined) {
        await reply.show(notice('🤔', 'There is no phone number in that message.'));
      } else if (numbers.length === 1) {
        await run(desk, { tool: lookup.tool, input: { [lookup.field]: only }, where, reply });
      } else await reply.show(numbersFound(numbers));
    },
    async globalShortcut(body: Body, ack: Ack): Promise<void> {
      await ack();
      const where = whereOf(body);
      const named = guidesFor(desk.tools).find(({ name }) => guideShortcut(name) === text(body.callback_id));
      if (named) return desk.guides.start(named, '', where);
      const [lookup] = lookups(desk.tools, desk.groups);
      if (lookup) await openForm(desk, lookup.tool, {}, where);
    },
    async homeOpened(body: Body): Promise<void> {
      const event = record(body.event);
      if (text(event.tab) !== 'home' && text(event.tab) !== '') return;
      await desk.home.opened({ userId: text(event.user), teamId: text(body.team_id) || text(body.context_team_id) });
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

function whereOf(body: Body): Where {
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
