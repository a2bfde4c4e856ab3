import type { Card, TurnEnd, TurnForm, TurnNotice, TurnQuestion, TurnRequest } from '../../../assistant/turn-events.ts';
import type { GivenFile } from '../../../language/assistants/offer.ts';
import { failureText } from '../../../language/outcome.ts';
import { type Actor, personOf } from '../../../lib/actor.ts';
import { HOUR_MS } from '../../../lib/clock.ts';
import type { Failure } from '../../../lib/errors.ts';
import { textOf } from '../../../lib/values.ts';
import type { Understood } from '../../../nlu/reader.ts';
import type { Handler } from '../../../work/worker.ts';
import type { Place } from '../api/agent.ts';
import {
  actions,
  button,
  cut,
  escaped,
  MAX_BUTTON_VALUE,
  type Message,
  notice,
  personElement,
  refusalMessage,
  rich,
  say,
  slackUser,
  small,
} from '../blocks/text.ts';
import { endBlocks, foundButtons, noticeLine } from '../blocks/turn.ts';
import type { SlackContext } from '../context.ts';
import type { TurnView } from '../live/turn-view.ts';
import { askerNotes, IDS, type Origin } from '../types.ts';
import { answerPending, Reply } from './engine.ts';
import { actOf, showUnderstood, valueLines } from './plain.ts';
import { doneMessage, formButton } from './run.ts';

/** Says who may do this, besides approvers. `only`: an identity. */
export function notTheirs({ roles }: SlackContext, only: string, actor: Actor, what: string): Message {
  const [, ...approvers] = roles.lacking('approver', actor.role);
  const user = slackUser(only);
  const may = ` and approvers may ${what}. Nothing was done.`;
  const person = personElement(only, undefined);
  const { blocks } = refusalMessage([rich.text('Only '), person, rich.text(`${may} `), ...approvers]);
  return { text: `⛔ Only ${user === undefined ? escaped(only) : `<@${user}>`}${may}`, blocks };
}

/** One message that is answered. */
export interface Asked {
  text: string;
  /** Timestamp of the message. */
  ts: string;
  place: Place;
  member: { actor: Actor; zone: string | undefined };
  others: readonly { person: string; name: string; text: string; at: number }[];
  forwarded: TurnRequest['forwarded'];
  /** True at the top level of a direct message. */
  isTop: boolean;
  /** Lists that came with the message. */
  files: readonly GivenFile[];
  /** Sentences about files that could not be read. */
  notes: readonly string[];
}

/** Names the thread in the memory of conversations. Ids of channels are unique over workspaces. */
export function threadKey({ channel, threadTs }: Pick<Place, 'channel' | 'threadTs'>): string {
  return `slack/${channel}/${threadTs}`;
}

/** Names the conversation in which turns run one after another: a direct message, or a thread elsewhere. */
export function conversationKey(place: Pick<Place, 'channel' | 'threadTs'>): string {
  return place.channel.startsWith('D') ? `slack/${place.channel}/top` : threadKey(place);
}

/** Time for which the top level of a direct message is one conversation. */
const TOP_MS = 12 * HOUR_MS;

/**
 * The conversation of a message, and its memory. A direct message is one conversation: its top level remembers the
 * messages of its threads too, and an answer at the top level begins a thread.
 */
function memoryOf(
  place: Place,
  isTop: boolean,
  now: number,
): Pick<TurnRequest, 'thread' | 'since' | 'forgets'> & { memories: readonly string[] } {
  const [own, thread] = [threadKey(place), conversationKey(place)];
  if (thread === own) return { thread, memories: [own] };
  const forgets = `slack/${place.channel}/`;
  if (!isTop) return { thread, memories: [own, thread], forgets };
  return { thread, memories: [thread, own], since: now - TOP_MS, forgets };
}

/** Answers a message, drawn while the answer is made. Then follow cards, questions, and the answer without a model. */
export async function answerTurn(slack: SlackContext, asked: Asked, view: TurnView): Promise<void> {
  const { assistant, directory, clock, agent } = slack;
  const { text, ts, place, member, others, forwarded, isTop, files } = asked;
  const { userId, teamId, channel, threadTs } = place;
  const { actor } = member;
  const origin = { userId, teamId, channel, threadTs };
  const add = (message: Message) => new Reply(slack, origin).add(message);
  const memory = memoryOf(place, isTop, clock.now());
  /** Cards of what was read, by call; the last one is shown above the answer. */
  const found = new Map<string, Card>();
  let shown: string | undefined;
  const parts: Parts = { changes: [], batches: [], questions: [], notices: [], forms: [] };
  let understood: Understood | undefined;
  let failure: Failure | undefined;
  let end: TurnEnd | undefined;

  const showFound = async () => {
    const last = [...found].at(-1);
    if (shown !== undefined || !last) return;
    const [key, card] = last;
    shown = key;
    const message = await cardMessage(slack, card, asked, origin);
    if (message && channel.startsWith('D')) view.card(message.blocks);
    else if (message) await add(message);
  };

  const turn = assistant.turn({
    ...memory,
    ...{ text, at: Number(ts) * 1000, others, forwarded, files, writer: actor, zone: member.zone },
    opensForms: true,
    nameOf: (value) => directory.nameOf(value),
    notes: { slack: { ...askerNotes(origin).slack, turn: true } },
    interrupted: { kind: INTERRUPTED, payload: { channel, threadTs, userId } },
  });
  for await (const event of turn) {
    if (event.kind === 'step') view.step(event);
    else if (event.kind === 'text') {
      if (event.text.trim() !== '') await showFound();
      view.text(event.text);
    } else if (event.kind === 'card') {
      const key = `${event.operation} ${JSON.stringify(event.input)}`;
      found.delete(key);
      if (slack.gate.tool(event.operation)?.risk === 'read') found.set(key, event);
      else parts.changes.push(event);
    } else if (event.kind === 'batch') parts.batches.push(event.id);
    else if (event.kind === 'question') parts.questions.push(event);
    else if (event.kind === 'form') parts.forms.push(event);
    else if (event.kind === 'queued') void agent.status(place, 'answers an earlier message first…');
    else if (event.kind === 'notice') parts.notices.push(event);
    else if (event.kind === 'understood') understood = event.understood;
    else if (event.kind === 'failure') [failure, understood] = [event.failure, event.understood];
    else if (event.kind === 'end') end = event;
    else if (event.kind === 'busy') await add(notice('⏳', BUSY));
    else if (event.kind === 'not_theirs')
      await add(notTheirs(slack, event.only, actor, 'have this conversation forgotten'));
  }

  if (end || failure) {
    // The answer ends before anybody decides: a stream does not wait for people.
    await showFound();
    const why = failure && failureText(failure, 'slack');
    const blocks = [
      ...foundButtons(
        [...found].filter(([key]) => key !== shown).map(([, { operation, input }]) => titled(slack, operation, input)),
      ),
      ...(end ? endBlocks(end) : []),
      ...(why === undefined ? [] : [small(`⚠️ ${escaped(why)}`)]),
      ...parts.notices.map(noticeLine),
      ...asked.notes.map((note) => small(`📎 ${escaped(note)}`)),
    ];
    const [question] = parts.questions;
    const summary = why ?? (question && `Waits for a yes: ${question.confirmation.summary}`);
    await view.finish({ blocks: blocks.slice(0, 50), summary }, question ? 'suspended' : 'active');
    await showParts(slack, parts, asked, origin);
  } else {
    for (const one of parts.notices) await add({ text: escaped(one.text), blocks: [noticeLine(one)] });
    for (const note of asked.notes) await add(notice('📎', note));
  }
  // Below a record that was read, “not understood” would be false.
  const isRead = understood?.kind === 'told' && (end?.records.length ?? 0) > 0;
  if (understood && !isRead) await showUnderstood(slack, understood, { origin, actor, keys: memory.memories });
  if (!end) await view.cancel();
}

/** What follows an answer as messages of its own. */
interface Parts {
  changes: Card[];
  batches: string[];
  questions: TurnQuestion[];
  notices: TurnNotice[];
  forms: TurnForm[];
}

async function showParts(slack: SlackContext, parts: Parts, asked: Asked, origin: Origin): Promise<void> {
  const { gate, log, batches, batchCards } = slack;
  const { member, place } = asked;
  const posts = (question: Message) => slack.web.post(place.channel, question, { threadTs: place.threadTs });
  // A model may ask for the same call more than once in a turn, which is one question.
  for (const id of new Set(parts.questions.map(({ confirmation }) => confirmation.id))) {
    const action = await gate.actions.get(id);
    if (action)
      await answerPending(
        slack,
        { action },
        { reply: new Reply(slack, origin), person: personOf(member.actor), posts },
      ).catch((error: unknown) => {
        log('warn', { action: id, error: String(error) }, 'failed to say in a conversation what waits');
      });
  }
  // The last form of each operation.
  for (const form of new Map(parts.forms.map((one) => [one.operation, one])).values())
    await showForm(slack, form, asked, origin);
  for (const card of parts.changes) {
    const message = await cardMessage(slack, card, asked, origin);
    if (message) await new Reply(slack, origin).add(message);
  }
  for (const id of new Set(parts.batches))
    await batchCards.post(await batches.view(id, member.actor), place.userId, place);
}

/**
 * Shows a form that the model filled in. Nothing is sent until a person sends it. For a writer who may not make the
 * change, it names those who may; in a channel they can open it.
 */
async function showForm(
  slack: SlackContext,
  { operation, input, isAllowed }: TurnForm,
  { place: { channel, threadTs }, member }: Asked,
  origin: Origin,
): Promise<void> {
  const tool = slack.gate.tool(operation);
  if (!tool) return;
  const next = isAllowed ? 'Nothing was done yet. Check the form and send it.' : 'This needs the role operator.';
  const who = isAllowed ? [next] : slack.roles.lacking('operator', member.actor.role);
  const message: Message = {
    text: cut(escaped(`${tool.title}: ${next}`), 1_000),
    blocks: [say(rich.bold(actOf(tool, input).title), '\n', ...valueLines(tool, input), ...who)],
  };
  if (isAllowed) message.blocks.push(formButton(slack, tool, input, origin));
  if (isAllowed || channel.startsWith('D')) return void (await new Reply(slack, origin).add(message));
  // The people who may make the change find it where it was asked for.
  const value = `${operation}|${JSON.stringify(input)}`;
  const opens = value.length <= MAX_BUTTON_VALUE ? value : `${operation}|{}`;
  message.blocks.push(actions('handed', button(`${IDS.fill}_0`, 'Open the form', opens)));
  await slack.web.post(channel, message, { threadTs });
}

/** A call with its title and what it is about. */
function titled({ directory, gate }: SlackContext, operation: string, input: Card['input']) {
  const value = String(Object.values(input).find((one) => typeof one === 'string') ?? '');
  const title = `${gate.tool(operation)?.title ?? operation}: ${directory.nameOf(value) ?? value}`;
  return { title: cut(title, 70), operation, input };
}

/** The card of a call, as a command shows it. */
async function cardMessage(
  slack: SlackContext,
  { operation, input, done }: Card,
  { member }: Asked,
  origin: Origin,
): Promise<Message | undefined> {
  const tool = slack.gate.tool(operation);
  slack.directory.learn(done.value);
  return tool && doneMessage(slack, { tool, input, origin }, done, member);
}

const BUSY =
  'Three messages wait for an answer here, so this one was not read. Send it again when they are answered. The writer of a message and approvers can write “stop”.';

/** The kind of the job that tells a writer that a process ended while it answered. */
export const INTERRUPTED = 'slack-turn-interrupted';

/** Tells the writer, in any process, once the turn is known to be lost. */
export function tellInterrupted(slack: SlackContext): Handler {
  return async ({ payload }) => {
    const [channel, threadTs] = [textOf(payload.channel), textOf(payload.threadTs)];
    const { conversations } = slack.assistant;
    const state = await conversations.settleInterrupted(textOf(payload.thread), textOf(payload.turn));
    if (state !== 'lost') return state === 'ended' ? undefined : state;
    const text =
      'A restart interrupted this answer: the app’s Home lists what was done, and you can send the message again.';
    await slack.web.post(channel, notice('⚠️', text), { threadTs });
    await slack.agent.session({ channel, threadTs }, 'active');
    return undefined;
  };
}
