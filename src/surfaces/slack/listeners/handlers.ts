import { failureText } from '../../../language/failure.ts';
import { lookups } from '../../../language/lookup.ts';
import type { Actor } from '../../../lib/actor.ts';
import { asSwitchboardError } from '../../../lib/errors.ts';
import { defined, type Fields, recordOf, textOf } from '../../../lib/json.ts';
import { leaves, type Part } from '../../../lib/leaves.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import { isStoreUnavailable, levelOf } from '../../../store/unavailable.ts';
import { hitsFound } from '../blocks/choices.ts';
import { TEXT_BLOCK } from '../blocks/event.ts';
import { numbersFound } from '../blocks/found.ts';
import { type Message, notice } from '../blocks/text.ts';
import type { Executions } from '../builder/executions.ts';
import type { SlackContext } from '../context.ts';
import { sentView } from '../flow-state.ts';
import { admitted } from '../flows/engine.ts';
import { suggest } from '../flows/form-changes.ts';
import { openForm } from '../flows/forms.ts';
import { guidesFor } from '../flows/guide.ts';
import { startGuide } from '../flows/guide-flow.ts';
import { Reply } from '../flows/reply.ts';
import { failureNotice, run } from '../flows/run.ts';
import { answerTalk, type Said, type SentFile, showSign, stopTurn, suggestPrompts } from '../flows/talk.ts';
import { guideShortcut } from '../ids.ts';
import { typedLine } from '../typed.ts';
import { type Origin, STEPS_OFF } from '../types.ts';
import { closeView, onClick, submitView } from './actions.ts';
import { type Acked, onCommand } from './commands.ts';

/** Answers Slack, once. Rejects if the connection is gone, which does not stop the work. */
export type Ack = (response?: unknown) => Promise<void>;

const MAX_DEPTH = 8;
/** The subtype of a message that a person sent with files. */
const WITH_FILES = 'file_share';
const FAILED = notice(
  '❌',
  'Something failed inside Switchboard. The log has the details. Check the card or the app’s Home before you try again.',
);

/** What Slack shows to people about a step that could not be stored. */
const STEP_LOST = 'Switchboard could not store this step. Nothing was done. Run the workflow again later.';

/** Handles requests by kind, without Bolt's types: reads the person and place, acknowledges, then works. */
export class Handlers {
  readonly #slack: SlackContext;
  readonly #steps: (() => Promise<Executions>) | undefined;

  /** @param steps undefined without SLACK_WORKFLOW_STEPS */
  constructor(slack: SlackContext, steps: (() => Promise<Executions>) | undefined) {
    this.#slack = slack;
    this.#steps = steps;
  }

  async command(body: Fields, ack: Ack): Promise<void> {
    const origin = originOf(body);
    let acked: Acked;
    try {
      acked = onCommand(this.#slack, textOf(body.command), typedLine(textOf(body.text)), origin);
    } catch (error) {
      await ack(ephemeral(FAILED));
      throw error;
    }
    await ack(acked.now ? ephemeral(acked.now) : undefined);
    await this.#guard(origin, acked.after);
  }

  async click(body: Fields, ack: Ack): Promise<void> {
    await ack();
    const [first] = Array.isArray(body.actions) ? body.actions : [];
    if (first === undefined) return;
    const action = recordOf(first);
    const isForm = recordOf(body.view).type === 'modal';
    const origin = originOf(body);
    await this.#guard(origin, () =>
      onClick(this.#slack, {
        actionId: textOf(action.action_id),
        value: textOf(recordOf(action.selected_option).value) || textOf(action.value),
        messageTs: textOf(recordOf(body.container).message_ts) || undefined,
        ...defined({ quoted: quotedIn(body.message), postedTs: textOf(recordOf(body.message).ts) || undefined }),
        blockId: textOf(action.block_id),
        ...(isForm ? { view: sentView(body.view) } : {}),
        origin,
      }),
    );
  }

  async suggest(body: Fields, ack: Ack): Promise<void> {
    const asked = { blockId: textOf(body.block_id), typed: textOf(body.value), origin: originOf(body) };
    await ack({ options: await suggest(this.#slack, sentView(body.view), asked) });
  }

  async submit(body: Fields, ack: Ack): Promise<void> {
    const origin = originOf(body);
    const answer = await submitView(this.#slack, sentView(body.view), origin);
    await ack(answer.ack);
    await this.#guard(origin, answer.after);
  }

  /** Handles the closing of a window that requested this event (`notify_on_close`). */
  async viewClosed(body: Fields, ack: Ack): Promise<void> {
    await ack();
    await closeView(this.#slack, sentView(body.view));
  }

  /** "Look up numbers" on a message. */
  async messageShortcut(body: Fields, ack: Ack): Promise<void> {
    await ack();
    const { tools, groups } = this.#slack;
    const origin = originOf(body);
    const reply = new Reply(this.#slack, origin);
    const member = await admitted(this.#slack, origin, 'viewer', reply);
    if (!member) return;
    const texts = [...new Set(textsOf(body.message))].join('\n');
    const numbers = phonesIn(texts);
    const [lookup] = lookups(tools, groups);
    const [only] = numbers;
    if (!lookup || only === undefined) {
      await lookUpMentioned(this.#slack, texts, { origin, reply, actor: member.actor });
    } else if (numbers.length === 1) {
      await run(this.#slack, { tool: lookup.tool, input: { [lookup.field]: only }, origin, reply });
    } else await reply.show(numbersFound(numbers));
  }

  /** "Look up a number", and the shortcuts that open guides. */
  async globalShortcut(body: Fields, ack: Ack): Promise<void> {
    await ack();
    const { tools, groups } = this.#slack;
    const origin = originOf(body);
    const guide = guidesFor(tools).find(({ name }) => guideShortcut(name) === textOf(body.callback_id));
    if (guide) return startGuide(this.#slack, guide, {}, origin);
    const [lookup] = lookups(tools, groups);
    if (lookup) await openForm(this.#slack, lookup.tool, {}, origin);
  }

  async homeOpened(body: Fields): Promise<void> {
    const event = recordOf(body.event);
    const teamId = textOf(body.team_id) || textOf(body.context_team_id);
    const [tab, channel] = [textOf(event.tab), textOf(event.channel)];
    if (tab === 'messages' && channel !== '')
      return suggestPrompts(this.#slack, { userId: textOf(event.user), teamId, channel });
    if (tab !== 'home' && tab !== '') return;
    await this.#slack.home.opened({ userId: textOf(event.user), teamId });
  }

  /**
   * Handles a mention of the app, or a direct message to it. Edits, joins and messages of bots, including this one, get
   * no answer.
   */
  async talk(body: Fields): Promise<void> {
    const said = saidIn(body);
    if (!said || (await this.#slack.roles.isOwnBot(said.origin.userId))) return;
    await this.#guard(said.origin, () => answerTalk(this.#slack, said));
  }

  /** Shows the sign for a message that `talk` will answer. Reads and stores nothing. */
  sign(body: Fields): void {
    const said = saidIn(body);
    if (said) showSign(this.#slack, said);
  }

  /**
   * Handles the Stop button of a session. Slack has ended its streams; the turn ends here, and sets the status. For a
   * person who may not stop it, the turn goes on, and its answer arrives as a message.
   */
  async sessionStopped(body: Fields): Promise<void> {
    const event = recordOf(body.event);
    const place = { channel: textOf(event.channel), threadTs: textOf(event.thread_ts) };
    if (place.channel === '' || place.threadTs === '') return;
    const teamId = textOf(event.user_team) || textOf(body.team_id);
    const origin = { ...place, userId: textOf(event.user), teamId };
    const member = await admitted(this.#slack, origin, 'viewer', new Reply(this.#slack, origin));
    if (!member) return;
    // The process that ran the turn may have ended, and then no other process sets the status.
    const isAnswered = await stopTurn(this.#slack, place, { origin, actor: member.actor });
    if (!isAnswered) await this.#slack.agent.session(place, 'active');
  }

  /** Handles a step of a workflow that begins. Slack gets its answer once the step is stored. */
  async stepBegins(body: Fields, ack: Ack): Promise<void> {
    const event = recordOf(body.event);
    const execution = textOf(event.function_execution_id);
    if (execution === '') return ack();
    let refused = this.#steps ? undefined : STEPS_OFF;
    try {
      const executions = await this.#steps?.();
      await executions?.receive(execution, event);
    } catch (error) {
      this.#slack.log(levelOf(error, 'error'), { error: String(error) }, 'failed to store a step of a workflow');
      refused = STEP_LOST;
    }
    await ack();
    if (refused !== undefined) await this.#slack.web.endStep(execution, { error: refused });
  }

  /** Sends the person a message about an unexpected failure. The error is rethrown for the log. */
  async #guard(origin: Origin, work: (() => Promise<void>) | undefined): Promise<void> {
    try {
      await work?.();
    } catch (error) {
      const isAway = isStoreUnavailable(error);
      await new Reply(this.#slack, origin).add(isAway ? notice('❌', failureText(error.face, 'slack')) : FAILED);
      // The store itself logs that the database is away.
      if (!isAway) throw error;
    }
  }
}

function ephemeral({ text, blocks }: Message): Fields {
  return { response_type: 'ephemeral', text, blocks };
}

/** The mention or direct message in an event; undefined for all that the app does not answer. */
function saidIn(body: Fields): Said | undefined {
  const event = recordOf(body.event);
  const isMessage = event.type === 'message' && event.channel_type === 'im';
  if (!isMessage && event.type !== 'app_mention') return undefined;
  const subtype = event.subtype === WITH_FILES ? undefined : event.subtype;
  if ([subtype, event.bot_id, event.bot_profile, event.app_id].some((mark) => mark !== undefined)) return undefined;
  const userId = textOf(event.user);
  const channel = textOf(event.channel);
  if (userId === '' || channel === '') return undefined;
  const threadTs = textOf(event.thread_ts) || undefined;
  const teamId = textOf(event.user_team) || textOf(event.team) || textOf(body.team_id);
  return {
    text: textOf(event.text),
    ts: textOf(event.ts),
    files: (Array.isArray(event.files) ? event.files : []).map(sentFile),
    origin: { userId, teamId, channel, ...defined({ threadTs }) },
  };
}

function sentFile(file: unknown): SentFile {
  const {
    name,
    filetype,
    mode,
    is_external: isExternal,
    url_private_download: download,
    url_private: url,
  } = recordOf(file);
  // Any app can register a file at any address. Only files that Slack stores are read.
  const isStored = isExternal !== true && textOf(mode) !== 'external';
  return {
    name: textOf(name) || 'file',
    type: textOf(filetype),
    url: isStored ? textOf(download) || textOf(url) : '',
  };
}

function originOf(body: Fields): Origin {
  const user = recordOf(body.user);
  const container = recordOf(body.container);
  const channel = textOf(body.channel_id) || textOf(recordOf(body.channel).id) || textOf(container.channel_id);
  const threadTs = textOf(container.thread_ts) || textOf(recordOf(body.message).thread_ts);
  const responseUrl = textOf(body.response_url);
  const triggerId = textOf(body.trigger_id);
  return {
    userId: textOf(body.user_id) || textOf(user.id),
    teamId: textOf(user.team_id) || textOf(body.team_id) || textOf(recordOf(body.team).id),
    ...defined({
      channel: channel || undefined,
      threadTs: threadTs || undefined,
      responseUrl: responseUrl || undefined,
      triggerId: triggerId || undefined,
    }),
  };
}

/** The text from outside in a message of this app; undefined if it shows none. */
function quotedIn(message: unknown): string | undefined {
  const { blocks } = recordOf(message);
  const found = Array.isArray(blocks) ? blocks.map(recordOf).find((one) => one.block_id === TEXT_BLOCK) : undefined;
  return found && textsOf(found.elements).join('');
}

/** Every text in a message, including its blocks and attachments. */
function textsOf(message: unknown): string[] {
  const into = ({ depth }: Part) => depth <= MAX_DEPTH;
  return leaves(message, into).flatMap(({ key, value }) =>
    typeof value === 'string' && (key === 'text' || key === 'fallback') ? [value] : [],
  );
}

/**
 * Looks up the number that a text names by last digits or by a customer's name. Of several, the person chooses one. Only
 * reads are performed.
 */
export async function lookUpMentioned(
  slack: SlackContext,
  text: string,
  { origin, reply, actor }: { origin: Origin; reply: Reply; actor: Actor },
): Promise<void> {
  const [lookup] = lookups(slack.tools, slack.groups);
  if (!lookup) return void (await reply.show(notice('🤔', 'Number lookup is not available.')));
  try {
    const { hits } = await slack.records.mentionedIn(text, actor);
    slack.directory.note(hits);
    const [only, ...others] = hits;
    if (only === undefined)
      await reply.show(notice('🤔', 'There is no phone number, last digits or name of a customer in that message.'));
    else if (others.length > 0) await reply.show(hitsFound(hits));
    else await run(slack, { tool: lookup.tool, input: { [lookup.field]: only.value }, origin, reply });
  } catch (error) {
    await reply.show(failureNotice(slack, lookup.tool, asSwitchboardError(error).face));
  }
}
