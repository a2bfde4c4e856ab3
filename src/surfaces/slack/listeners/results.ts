import type { Actor } from '../../../lib/actor.ts';
import { asSwitchboardError } from '../../../lib/errors.ts';
import { defined } from '../../../lib/json.ts';
import { reasonIn, whyNotHelpfulView } from '../blocks/form.ts';
import { jsonMessage, resultMessage, type StoredResult, sharedLine } from '../blocks/result.ts';
import { type Message, notice } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { admitted, type Flow, openView } from '../flows/engine.ts';
import type { Reply } from '../flows/reply.ts';
import { readAgain } from '../flows/run.ts';
import type { Origin } from '../types.ts';
import type { Click } from './click.ts';

/* Buttons under an answer: Share, JSON, Next and Back. */

interface Stored {
  result: StoredResult;
  page: number;
  zone: string | undefined;
  actor: Actor;
}

export async function shareResult(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const stored = await storedFor(slack, click, reply);
  if (!stored) return;
  const { page, actor } = stored;
  const { origin } = click;
  let result: StoredResult;
  try {
    // Others would take an old answer for the current state.
    result = await readAgain(slack, stored.result, actor);
  } catch (error) {
    const { message } = asSwitchboardError(error);
    await reply.add(notice('⚠️', `It could not be read again, so it was not shared. ${slack.reworded(message)}`));
    return;
  }
  const message = result.card
    ? sharedCard(result.card, origin, result.asOf)
    : resultMessage(result, { page, shared: origin.userId });
  await share(slack, message, origin, reply);
}

export async function showJson(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const stored = await storedFor(slack, click, reply);
  if (stored) await reply.add(jsonMessage(stored.result, stored.page));
}

export async function showPage(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const stored = await storedFor(slack, click, reply);
  if (!stored) return;
  const { result, page, zone } = stored;
  await reply.add(resultMessage(result, { page, ...defined({ zone }) }));
}

/** The stored answer of a button; undefined if it is gone or refused, which is answered. */
export async function storedFor(
  slack: SlackContext,
  { origin, value }: Click,
  reply: Reply,
): Promise<Stored | undefined> {
  const member = await admitted(slack, origin, 'viewer', reply);
  if (!member) return undefined;
  const [id = '', page = '0'] = value.split('|');
  const result = slack.memory.result(origin.userId, id);
  if (result) return { result, page: Number.parseInt(page, 10) || 0, zone: member.zone, actor: member.actor };
  await reply.add(
    notice(
      '🤔',
      'This answer is no longer available. Answers are kept for an hour, and not across restarts. Run it again.',
    ),
  );
  return undefined;
}

/** A card without its buttons, which belong to its reader, and with the name of the person who shared it. */
function sharedCard({ text, blocks }: Message, origin: Origin, asOf: number | undefined): Message {
  const kept = blocks.filter(({ type }) => type !== 'actions').map(({ accessory: _, ...block }) => block);
  return { text, blocks: [...kept.slice(0, 49), sharedLine(origin.userId, asOf)] };
}

async function share(slack: SlackContext, message: Message, origin: Origin, reply: Reply): Promise<void> {
  const { channel, threadTs, responseUrl } = origin;
  try {
    if (!channel) throw new Error('no channel');
    await slack.web.post(channel, message, threadTs === undefined ? {} : { threadTs });
    return;
  } catch (error) {
    slack.log('info', { error: String(error) }, 'the app cannot post in this channel; trying the response_url');
  }
  try {
    if (!responseUrl) throw new Error('no response_url');
    await slack.web.respond(responseUrl, { response_type: 'in_channel', replace_original: false, ...message });
  } catch {
    await reply.add(notice('⚠️', 'It could not be shared here. Invite the app to the channel and press Share again.'));
  }
}

/** Keeps what a reader thinks of an answer, and asks why it was not helpful. */
export async function keepFeedback(slack: SlackContext, { value, origin }: Click): Promise<void> {
  const [feedback, turn = '', conversation = ''] = value.split('|');
  if (feedback !== 'good' && feedback !== 'bad') return;
  const isNew = await slack.assistant.feedback(conversation, turn, feedback);
  if (feedback === 'good' || !isNew) return;
  const window = whyNotHelpfulView({ flow: 'not_helpful', turn, conversation });
  // The judgement itself is kept.
  await openView(slack, origin, window, { flow: 'not_helpful', level: 'info' });
}

/** The window that asks why an answer was not helpful. */
export const notHelpfulFlow: Flow<'not_helpful'> = {
  submit: async ({ assistant }, { state, values }) => ({
    ack: undefined,
    after: async () => {
      const reason = reasonIn(values)?.trim();
      if (reason) await assistant.explain(state.conversation, state.turn, reason);
    },
  }),
};
