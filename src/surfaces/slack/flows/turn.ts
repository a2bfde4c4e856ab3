import {
  type Card,
  STOPPED_TEXT,
  type Step,
  type TurnEnd,
  type TurnEvent,
  type TurnForm,
  type TurnNotice,
  type TurnRequest,
} from '../../../assistant/turn-events.ts';
import { LABELS } from '../../../cards/card.ts';
import { failureText, failureWords } from '../../../language/outcome.ts';
import type { Hit } from '../../../language/records.ts';
import { type Actor, personOf } from '../../../lib/actor.ts';
import { type Clock, DAY_MS, HOUR_MS, REDRAW_MS } from '../../../lib/clock.ts';
import { asSwitchboardError } from '../../../lib/errors.ts';
import { textOf } from '../../../lib/values.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import type { Handler } from '../../../work/worker.ts';
import type { Place, SessionStatus, WebApi } from '../api/web.ts';
import { hitsMessage, wholeButton } from '../blocks/fitting.ts';
import * as ui from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { Member } from '../people/roles.ts';
import { IDS, type Origin, type Posted } from '../types.ts';
import { admitted, answerPending, askerNotes, Reply } from './engine.ts';
import { actOf, showUnderstood, valueLines, waitingMessage } from './plain.ts';
import { doneMessage, failureNotice, formButton, run } from './run.ts';

/** Says who may do this. */
function notTheirs(what: string): ui.Message {
  return ui.notice('⛔', `Only the person who began it and approvers may ${what}. Nothing was done.`);
}

/** One message that is answered. */
interface Asked extends Pick<Required<TurnRequest>, 'text' | 'others' | 'forwarded' | 'files'> {
  /** Timestamp of the message. */
  ts: string;
  place: Place;
  member: Member;
  /** True at the top level of a direct message. */
  isTop: boolean;
  /** Sentences about files that could not be read. */
  notes: readonly string[];
}

type Thread = Pick<Place, 'channel' | 'threadTs'>;

/** Names the thread in the memory of conversations. Ids of channels are unique over workspaces. */
function threadKey({ channel, threadTs }: Thread): string {
  return `slack/${channel}/${threadTs}`;
}

/** Names the conversation in which turns run one after another: a direct message, or a thread elsewhere. */
function conversationKey(place: Thread): string {
  return place.channel.startsWith('D') ? `slack/${place.channel}/top` : threadKey(place);
}

/** Time for which the top level of a direct message is one conversation. */
const TOP_MS = 12 * HOUR_MS;

/**
 * The conversation of a message, and its memory. A direct message is one conversation: its top level remembers the
 * messages of its threads too, and an answer at the top level begins a thread.
 */
function memoryOf(place: Place, isTop: boolean, now: number) {
  const [own, thread] = [threadKey(place), conversationKey(place)];
  if (thread === own) return { thread, memories: [own] };
  const forgets = `slack/${place.channel}/`;
  if (!isTop) return { thread, memories: [own, thread], forgets };
  return { thread, memories: [thread, own], since: now - TOP_MS, forgets };
}

/** Answers a message, drawn while the answer is made. Then follow cards, questions, and the answer without a model. */
async function answerTurn(slack: SlackContext, asked: Asked, view: TurnView): Promise<void> {
  const { assistant, directory, clock, web } = slack;
  const { text, ts, place, member, others, forwarded, isTop, files } = asked;
  const { userId, channel, threadTs } = place;
  const { actor } = member;
  const add = (message: ui.Message) => new Reply(slack, place).add(message);
  const memory = memoryOf(place, isTop, clock.now());
  /** Cards of what was read, by call; the last one is shown above the answer. */
  const found = new Map<string, Card>();
  let shown: string | undefined;
  /** What is shown when the turn has ended. */
  const later: TurnEvent[] = [];

  const showFound = async () => {
    const last = [...found].at(-1);
    if (shown !== undefined || !last) return;
    const [key, card] = last;
    shown = key;
    const message = await cardMessage(slack, card, member, place);
    if (message && channel.startsWith('D')) view.card(message.blocks);
    else if (message) await add(message);
  };

  const turn = assistant.turn({
    ...memory,
    ...{ text, at: Number(ts) * 1000, others, forwarded, files, writer: actor, zone: member.zone },
    opensForms: true,
    nameOf: (value) => directory.nameOf(value),
    notes: { slack: { ...askerNotes(place).slack, turn: true } },
    interrupted: { kind: INTERRUPTED, payload: { channel, threadTs, userId } },
  });
  for await (const event of turn) {
    if (event.kind === 'step') view.step(event);
    else if (event.kind === 'text') {
      if (event.text.trim() !== '') await showFound();
      view.text(event.text);
    } else if (event.kind === 'card' && slack.gate.tool(event.operation)?.risk === 'read') {
      const key = `${event.operation} ${JSON.stringify(event.input)}`;
      found.delete(key);
      found.set(key, event);
    } else if (event.kind === 'queued') void web.status(place, 'answers an earlier message first…');
    else if (event.kind === 'busy') await add(ui.notice('⏳', BUSY));
    else if (event.kind === 'not_theirs') await add(notTheirs('have this conversation forgotten'));
    else later.push(event);
  }
  const [end] = eventsOf(later, 'end');
  const [failed] = eventsOf(later, 'failure');
  const notices = eventsOf(later, 'notice');

  if (end || failed) {
    // The answer ends before anybody decides: a stream does not wait for people.
    await showFound();
    const why = failed && failureText(failed.failure, 'slack');
    const others = [...found].filter(([key]) => key !== shown);
    const buttons = others.flatMap(([, { operation, input }], i) => {
      const value = String(Object.values(input).find((one) => typeof one === 'string') ?? '');
      const title = `${slack.gate.tool(operation)?.title ?? operation}: ${directory.nameOf(value) ?? value}`;
      return ui.operationButton(`${IDS.run}_${i}`, ui.cut(title, 70), operation, input);
    });
    const blocks = [
      ...ui.buttonRow('found', ...buttons.slice(0, 5)),
      ...(end ? endBlocks(end) : []),
      ...(why === undefined ? [] : [ui.small(`⚠️ ${ui.escaped(why)}`)]),
      ...notices.map(noticeLine),
      ...asked.notes.map((note) => ui.small(`📎 ${ui.escaped(note)}`)),
    ];
    const [question] = eventsOf(later, 'question');
    const summary = why ?? (question && `Waits for a yes: ${question.confirmation.summary}`);
    await view.finish(blocks.slice(0, 50), summary, question ? 'suspended' : 'active');
    await showLater(slack, later, asked);
  } else {
    for (const one of notices) await add({ text: ui.escaped(one.text), blocks: [noticeLine(one)] });
    for (const note of asked.notes) await add(ui.notice('📎', note));
  }
  const { understood } = failed ?? eventsOf(later, 'understood')[0] ?? {};
  // Below a record that was read, “not understood” would be false.
  const isRead = understood?.kind === 'told' && (end?.records.length ?? 0) > 0;
  if (understood && !isRead) await showUnderstood(slack, understood, { origin: place, actor, keys: memory.memories });
  if (!end) await view.cancel();
}

function eventsOf<K extends TurnEvent['kind']>(events: readonly TurnEvent[], kind: K) {
  return events.filter((event): event is Extract<TurnEvent, { kind: K }> => event.kind === kind);
}

/** Shows what follows an answer as messages of its own. */
async function showLater(slack: SlackContext, events: readonly TurnEvent[], { member, place }: Asked): Promise<void> {
  const { gate, batches, cards } = slack;
  const posts = (question: ui.Message) => slack.web.post(place.channel, question, { threadTs: place.threadTs });
  // A model may ask for the same call more than once in a turn, which is one question.
  for (const id of new Set(eventsOf(events, 'question').map(({ confirmation }) => confirmation.id))) {
    const action = await gate.actions.get(id);
    const where = { reply: new Reply(slack, place), person: personOf(member.actor), posts };
    // One that Slack refuses hides no other part of the answer.
    const text = 'Slack did not take a question that waits. It is behind this button, and in the app’s Home.';
    const refused = (error: unknown) => {
      slack.log('warn', { action: id, error: String(error) }, 'failed to ask a question in a conversation');
      return new Reply(slack, place).add(ui.notice('⚠️', text, ...ui.buttonRow('asked', wholeButton(id))));
    };
    if (action) await answerPending(slack, { action }, where).catch(refused);
  }
  for (const form of eventsOf(events, 'form')) await showForm(slack, form, member, place);
  for (const card of eventsOf(events, 'card')) {
    const message = await cardMessage(slack, card, member, place);
    if (message) await new Reply(slack, place).add(message);
  }
  for (const id of new Set(eventsOf(events, 'batch').map((batch) => batch.id)))
    await cards.postBatch(await batches.view(id, member.actor), place.userId, place);
}

/**
 * Shows a form that the model filled in. Nothing is sent until a person sends it. For a writer who may not make the
 * change, it names those who may.
 */
async function showForm(slack: SlackContext, form: TurnForm, member: Member, origin: Origin): Promise<void> {
  const { operation, input, isAllowed } = form;
  const tool = slack.gate.tool(operation);
  if (!tool) return;
  const next = isAllowed ? 'Nothing was done yet. Check the form and send it.' : 'This needs the role operator.';
  const who = isAllowed ? [next] : slack.roles.lacking('operator', member.actor.role);
  const message = ui.messageOf(`${tool.title}: ${next}`, [
    ui.say(ui.bold(actOf(tool, input).title), '\n', ...valueLines(tool, input), ...who),
    ...(isAllowed ? formButton(tool, input) : []),
  ]);
  await new Reply(slack, origin).add(message);
}

/** The card of a call, as a command shows it. */
async function cardMessage(slack: SlackContext, { operation, input, done }: Card, member: Member, origin: Origin) {
  const tool = slack.gate.tool(operation);
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
    const state = await slack.assistant.conversations.settleInterrupted(textOf(payload.thread), textOf(payload.turn));
    if (state !== 'lost') return state === 'ended' ? undefined : state;
    const text =
      'A restart interrupted this answer: the app’s Home lists what was done, and you can send the message again.';
    await slack.web.post(channel, ui.notice('⚠️', text), { threadTs });
    await slack.web.session({ channel, threadTs }, 'active');
    return undefined;
  };
}

/** A mention of the app, or a direct message to it. */
export interface Said {
  text: string;
  /** The text of messages that it forwards, which somebody else wrote; undefined if it forwards none. */
  forwarded: string | undefined;
  /** Timestamp of the message. */
  ts: string;
  /** Files that came with it. */
  files: readonly SentFile[];
  origin: Origin & { channel: string };
}

/** A file of a message, as Slack describes it. */
export interface SentFile {
  name: string;
  /** Slack's name of the type: "csv", "text", "png". */
  type: string;
  /** Its `url_private_download`; empty for a file that is not stored in Slack. */
  url: string;
}

const STOP = /^stop[.!]?$/i;
/** A suggested message that the ledger answers, so that no model is asked. */
const WHAT_WAITS = 'What is waiting for me?';
/** Messages of others that are given to the model. */
const MAX_OTHERS = 20;
const MAX_OTHER = 2_000;
/** Maximum time that an answer waits for its sign. */
const SIGN_MS = 400;
/** In place of a forwarded message that has no text, for example a picture. */
const UNREAD = '(a message without text, which was not read)';

/** Answers plain words: with the owner's model, or by what was learned from examples. */
export async function answerTalk(slack: SlackContext, message: Said): Promise<void> {
  const { ts, origin, files: sent } = message;
  const { assistant, web, clock, answered } = slack;
  const { channel, threadTs = ts } = origin;
  const place: Place = { ...origin, threadTs };
  const { hasModel } = assistant;
  const isStop = STOP.test(ui.typedText(message.text.replace(MENTIONS, ' ')).trim());
  // A message is answered once, also if Slack sends it again under another event.
  if (!(await answered.add(`${channel} ${ts}`, clock.now() + HOUR_MS).catch(() => true))) return;
  // The first sign comes before roles, files and the platform are read, unless Slack is slow.
  if (!isStop) await web.inTime(web.status(place, hasModel ? 'is thinking…' : 'is looking…'), SIGN_MS);
  const view = new TurnView({ place, web, clock, hasSession: hasModel });
  const isDirect = channel.startsWith('D');
  // Without a model, only one person sees an answer in a channel, so that it has to be where they are reading.
  const reply = new Reply(slack, isDirect || hasModel ? { ...origin, threadTs: place.threadTs } : origin);
  const member = await admitted(slack, origin, 'viewer', reply);
  if (!member) return view.cancel();
  if (isStop && (await stopTurn(slack, place, origin, member.actor))) return;
  const text = await wholeText(slack, message.text);
  if (text === WHAT_WAITS) {
    await reply.show(await waitingMessage(slack, member.actor));
    return view.cancel();
  }
  if (text === '' && message.forwarded !== undefined && !hasModel) {
    await lookUpMentioned(slack, message.forwarded, { origin, reply, actor: member.actor });
    return view.cancel();
  }
  // Does not wait for Slack.
  if (hasModel) void web.session(place, 'processing');
  const { files, notes: unread } = await readFiles(slack, sent, hasModel);
  const others = isDirect || origin.threadTs === undefined || !hasModel ? [] : await othersIn(slack, place, ts);
  const { forwarded: said } = message;
  // The only line that a forwarded message names.
  const searching = hasModel || said === undefined ? [] : linesIn(slack, said, member.actor).catch(() => []);
  const [line, ...otherLines] = (await web.inTime(Promise.resolve(searching))) ?? [];
  const subject = otherLines.length === 0 ? line?.value : undefined;
  const forwarded = said === undefined ? undefined : { text: said || UNREAD, subject };
  const notes = said === '' ? [...unread, 'The forwarded message was not read: it has no text.'] : unread;
  const isTop = isDirect && origin.threadTs === undefined;
  await answerTurn(slack, { text, ts, place, member, others, forwarded, isTop, files, notes }, view);
}

/** Lists that one message may have. */
const MAX_FILES = 3;
const LISTS = /^(?:csv|tsv|text|plain|txt|space)\b|\.(?:csv|tsv|txt)$/i;

/** The lists that came with a message, and a sentence about each file that is none. */
async function readFiles(slack: SlackContext, sent: readonly SentFile[], hasModel: boolean) {
  const files: Asked['files'][number][] = [];
  const notes: string[] = [];
  for (const [i, { name, type, url }] of sent.entries()) {
    const isList = LISTS.test(`${type} ${name}`);
    if (i >= MAX_FILES) notes.push(`“${name}” was not read: a message may have ${MAX_FILES} lists.`);
    else if (!isList) notes.push(`“${name}” was not read. Only lists are: CSV, or text with a value in each line.`);
    else if (!hasModel)
      notes.push(`“${name}” was not read. A list is given in the form of /batch, as a file or pasted.`);
    else
      try {
        const text = await slack.download(url);
        if (text.trim() === '') notes.push(`“${name}” is empty.`);
        else files.push({ name, text });
      } catch (error) {
        const why = slack.reworded(failureWords(asSwitchboardError(error).face, 'slack')).replace(/^File: /, '');
        notes.push(`“${name}” was not read: ${why}`);
      }
  }
  return { files, notes };
}

/** Stops the turn of a conversation, or says who may. False if none runs. */
export async function stopTurn(slack: SlackContext, place: Thread, origin: Origin, actor: Actor): Promise<boolean> {
  const stopped = await slack.assistant.stop(conversationKey(place), actor);
  if (stopped === 'none') return false;
  if (stopped === 'not_theirs')
    await new Reply(slack, { ...origin, threadTs: place.threadTs }).add(notTheirs('stop this answer'));
  return true;
}

/** The messages of people in the thread since the last answer. If Slack does not say, the answer goes without it. */
async function othersIn(slack: SlackContext, place: Place, ts: string): Promise<Asked['others']> {
  const { assistant, web, clock, log } = slack;
  try {
    // Slack's own times are used, because messages during the last answer are not in the memory yet.
    const last = await assistant.conversations.readUntil(threadKey(place));
    const found = await web.replies(place.channel, place.threadTs, last ?? clock.now() - DAY_MS);
    const before = found.filter((one) => one.ts !== ts && Number(one.ts) < Number(ts)).slice(-MAX_OTHERS);
    return await Promise.all(
      before.map(async ({ user, text, ts: at }) => ({
        ...{ person: `slack:${user}`, name: `@${user}`, at: Number(at) * 1000 },
        text: (await wholeText(slack, text)).slice(0, MAX_OTHER),
      })),
    );
  } catch (error) {
    log('info', { error: String(error) }, 'the messages of a thread could not be read');
    return [];
  }
}

/** A mention of a person, a channel or a group. */
const MENTIONS = /<[@!#][^>|]*>/g;
const PERSON = /<@([UW]\w+)>/g;
/** The mentions that a message begins with, which say whom it is for. */
const FIRST = /^(?:\s*<@[UW]\w+>[\s,:]*)+/;
/** People of one message whose names are looked up. */
const MAX_NAMES = 10;

/**
 * The text of a message as a person typed it, with the names of the people whom it mentions: it may be the text of an SMS.
 * Mentions of the app, and those that say whom the message is for, are left out.
 */
async function wholeText({ roles }: SlackContext, text: string): Promise<string> {
  const rest = text.replace(FIRST, '');
  const people = [...new Set([...rest.matchAll(PERSON)].map(([, id = '']) => id))].slice(0, MAX_NAMES);
  const naming = people.map(async (id): Promise<[string, string | undefined]> => {
    if (await roles.isOwnBot(id)) return [id, ' '];
    const name = (await roles.profileOf(id))?.name;
    return [id, name && ui.escaped(`@${name}`)];
  });
  const names = new Map(await Promise.all(naming));
  // The name is a person's text in Slack, so it is put in before the escaped text is read.
  return ui.typedText(rest.replace(PERSON, (all, id: string) => names.get(id) ?? all)).trim();
}

/** The lines that a text names, by their numbers, last digits or the names of customers. */
async function linesIn({ records, directory }: SlackContext, text: string, actor: Actor): Promise<readonly Hit[]> {
  const phones = phonesIn(text).map((phone) => ({ value: phone, label: directory.nameOf(phone) ?? phone }));
  const hits = phones.length > 0 ? phones : (await records.mentionedIn(text, actor)).hits;
  directory.note(hits);
  return hits;
}

/**
 * Looks up the number that a text names. Of several, the person chooses one. Only reads are performed.
 */
export async function lookUpMentioned(
  slack: SlackContext,
  text: string,
  { origin, reply, actor }: { origin: Origin; reply: Reply; actor: Actor },
): Promise<void> {
  const { lookup } = slack;
  try {
    const [only, ...others] = await linesIn(slack, text, actor);
    if (only === undefined)
      await reply.show(ui.notice('🤔', 'There is no phone number, last digits or name of a customer in that message.'));
    else if (others.length > 0) {
      const title = `${others.length + 1} numbers fit that message. Which one?`;
      const look = (value: string, i: number) => ui.button(`${IDS.look}_${i}`, LABELS.look, value);
      await reply.show(hitsMessage(title, [only, ...others], look));
    } else await run(slack, { tool: lookup.tool, input: { [lookup.field]: only.value }, origin, reply });
  } catch (error) {
    await reply.show(failureNotice(slack, lookup.tool, asSwitchboardError(error).face));
  }
}

/** The calls of the turn by outcome, and the records that the answer rests on. */
function endBlocks({ done, unknown, records, stopped, doubted }: TurnEnd): ui.Block[] {
  const [first] = records;
  const titles = [...new Set(records.map(({ title }) => title))].slice(0, 10).map(ui.escaped);
  const texts = [
    ...done.map(({ title }) => `✅ Done: ${ui.escaped(title)}`),
    ...unknown.map(({ title }) => `❓ Outcome unknown: ${ui.escaped(title)}. The app’s Home has _Check now_.`),
    ...(stopped === undefined ? [] : [`⏹️ ${STOPPED_TEXT[stopped]}`]),
    ...(doubted.length === 0 ? [] : [`⚠️ In no record of this conversation: ${doubted.map(ui.escaped).join(', ')}`]),
    ...(first ? [`Read ${ui.shortDate(first.at)}: ${titles.join('; ')}`] : []),
  ];
  return texts.map((text) => ui.small(ui.cut(text, 2_000)));
}

const NOTICES: Readonly<Record<TurnNotice['about'], string>> = { secret: '🔒', length: '✂️', topic: '🧹' };

/** A sentence of the assistant itself. */
export function noticeLine({ about, text }: TurnNotice): ui.Block {
  return ui.small(`${NOTICES[about]} ${ui.escaped(text)}`);
}

/**
 * Text of a model without anything that acts by itself: mentions notify people, and Slack opens links for a preview,
 * which would carry text to the owner of the address.
 */
function defused(text: string): string {
  return text
    .replace(/<(?=[!@#])/g, '‹')
    .replace(/!\[/g, '[')
    .replace(/`?(\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s<>|"'`)\]]+)`?/gi, '`$1`')
    .replace(/\]\((?=mailto:|tel:|slack:|\/\/)/gi, '] (')
    .replace(/(^|[\s(<|])(www\.[^\s<>|"'`)\]]+)/gi, '$1`$2`');
}

/** Slack's limit for each text of a step. */
const MAX_STEP = 250;
/** Slack's limit for one piece of text is 12,000 characters. Defusing adds some. */
const MAX_CHUNK = 8_000;
/** Blocks of the card above an answer; a message has at most 50, with those below it. */
const MAX_CARD = 35;
const NOTHING = { chunks: [], blocks: [] };

/** A part of an answer that was not sent yet, as Slack takes it. The text of a model is not defused yet. */
type Chunk =
  | { type: 'markdown_text'; text: string }
  | { type: 'task_update'; id: string; title: string; status: string }
  | { type: 'blocks'; blocks: readonly ui.Block[] };

/** `hasSession`: the turn can be stopped by a button. */
type TurnViewOptions = { place: Place; web: WebApi; clock: Clock; hasSession: boolean };

/**
 * An answer while it is made: one streamed message with its steps and text. If Slack does not stream, or no longer, the
 * answer is one plain message at the end.
 */
class TurnView {
  readonly #options: TurnViewOptions;
  #stream: Posted | undefined;
  /** No more is streamed, because Slack refused or ended it. */
  #isPlain = false;
  #text = '';
  #card: readonly ui.Block[] = [];
  #chunks: Chunk[] = [];
  /** The next update; undefined while none is due. */
  #timer: unknown;
  #work: Promise<void> = Promise.resolve();

  constructor(options: TurnViewOptions) {
    this.#options = options;
  }

  step({ id, title, state }: Step): void {
    if (this.#isPlain && state === 'running') void this.#options.web.status(this.#options.place, ui.cut(title, 100));
    // Red is for unknown outcomes. A failure is named in the title of its step.
    const status = state === 'running' ? 'in_progress' : state === 'unknown' ? 'error' : 'complete';
    const step = { type: 'task_update' as const, id, title: ui.cut(defused(title), MAX_STEP), status };
    const earlier = this.#chunks.find((chunk) => chunk.type === 'task_update' && chunk.id === id);
    if (earlier) Object.assign(earlier, step);
    else this.#chunks.push(step);
    this.#schedule();
  }

  /** Shows the one card of what was found, above the text that follows. */
  card(blocks: readonly ui.Block[]): void {
    this.#card = blocks.slice(0, MAX_CARD);
    this.#chunks.push({ type: 'blocks', blocks: this.#card });
    this.#schedule();
  }

  text(text: string): void {
    this.#text += text;
    const last = this.#chunks.at(-1);
    if (last?.type === 'markdown_text') last.text += text;
    else this.#chunks.push({ type: 'markdown_text', text });
    this.#schedule();
  }

  /**
   * Ends the answer.
   *
   * @param blocks below the answer
   * @param summary what a notification shows if the answer has no text
   */
  async finish(blocks: readonly ui.Block[], summary: string | undefined, session: SessionStatus): Promise<void> {
    const { web, place, hasSession, clock } = this.#options;
    clock.clearTimeout(this.#timer);
    await this.#work;
    const stream = this.#stream;
    const end = this.#isPlain ? NOTHING : { chunks: this.#take(true), blocks };
    const isEnded = stream !== undefined && (await web.stopStream(stream, end));
    // Slack updates and removes no message that is still streamed.
    if (stream && !isEnded) await web.stopStream(stream, NOTHING);
    if (!isEnded || this.#isPlain) await this.#post(blocks, summary);
    if (hasSession) await web.session(place, session);
  }

  /** Ends without an answer, because the person has been notified elsewhere. */
  async cancel(): Promise<void> {
    const { web, place, hasSession } = this.#options;
    await web.status(place, '');
    if (hasSession) await web.session(place, 'active');
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isPlain) return;
    this.#timer = this.#options.clock.setTimeout(
      () => {
        this.#timer = undefined;
        this.#work = this.#work.then(() => this.#update());
      },
      // Slack accepts 100 updates a minute in a workspace.
      this.#stream ? REDRAW_MS : 0,
    );
  }

  /** Sends what is new. One update at a time, because two first ones would start two streams. */
  async #update(): Promise<void> {
    const { web, place } = this.#options;
    const chunks = this.#isPlain ? [] : this.#take(false);
    if (chunks.length === 0) return;
    if (!this.#stream) {
      this.#stream = await web.startStream(place, chunks);
      this.#isPlain = this.#stream === undefined;
      return;
    }
    this.#isPlain = !(await web.append(this.#stream, chunks));
  }

  /** Takes what is new, as Slack's chunks. Text at the end is taken up to the end of a word, or all of it at last. */
  #take(isLast: boolean): Chunk[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    const last = chunks.at(-1);
    if (!isLast && last?.type === 'markdown_text') {
      // A part ends with a whole word, so that an address is never defused in halves.
      const end = Math.max(last.text.lastIndexOf(' '), last.text.lastIndexOf('\n')) + 1;
      this.#chunks = [{ ...last, text: last.text.slice(end) }];
      last.text = last.text.slice(0, end);
    }
    return chunks.flatMap((chunk): Chunk[] => {
      if (chunk.type !== 'markdown_text') return [chunk];
      const texts = chunk.text === '' ? [] : ui.pieces(defused(chunk.text), MAX_CHUNK);
      return texts.map((text) => ({ ...chunk, text }));
    });
  }

  /** The whole answer in plain messages. The first takes the place of a stream, if Slack lets it. */
  async #post(blocks: readonly ui.Block[], summary: string | undefined): Promise<void> {
    const { web, place } = this.#options;
    const parts = ui.pieces(defused(this.#text), MAX_CHUNK);
    const stream = this.#stream;
    const messages = parts.map((part, i): ui.Message => {
      const said = part.trim();
      const markdown = said === '' ? [] : [{ type: 'markdown', text: said }];
      const all = [...(i === 0 ? this.#card : []), ...markdown, ...(i === parts.length - 1 ? blocks : [])];
      return {
        text: ui.cut(ui.escaped(said || (summary ?? 'No answer.')), 1_000),
        blocks: all.slice(0, ui.MAX_BLOCKS),
      };
    });
    const [first, ...others] = messages;
    const replacing = stream && first ? web.update(stream, first).then(() => true) : Promise.resolve(false);
    const isReplaced = await replacing.catch(() => false);
    for (const message of isReplaced ? others : messages)
      if (message.blocks.length > 0) await web.post(place.channel, message, { threadTs: place.threadTs });
    if (stream && !isReplaced) await web.remove(stream);
  }
}
