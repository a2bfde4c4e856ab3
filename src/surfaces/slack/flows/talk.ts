import { asksOnlyWhatWaits } from '../../../assistant/guided/answers/outside.ts';
import { asksForBatches } from '../../../assistant/guided/reads/batches.ts';
import { isBack } from '../../../assistant/guided/threads/thread.ts';
import { actionText } from '../../../cards/outcome.ts';
import { failureWords } from '../../../language/failure.ts';
import { slackStyle } from '../../../language/help.ts';
import { type Actor, hasRole, personOf } from '../../../lib/actor.ts';
import { DAY_MS } from '../../../lib/clock.ts';
import { asSwitchboardError } from '../../../lib/errors.ts';
import { defined } from '../../../lib/json.ts';
import type { Place, Prompt } from '../api/agent.ts';
import { batchList } from '../blocks/batch.ts';
import { titleOf } from '../blocks/card.ts';
import { orderList } from '../blocks/home.ts';
import { elementsOf } from '../blocks/render.ts';
import { escaped, type Message, notice, PHONE, refusalMessage, rich, say } from '../blocks/text.ts';
import { noticeLine } from '../blocks/turn.ts';
import type { SlackContext } from '../context.ts';
import { TurnView } from '../live/turn-view.ts';
import { typedText } from '../typed.ts';
import { cardAt, type Origin } from '../types.ts';
import { BATCH_WORD } from './batch.ts';
import { linkTo, Reply } from './engine.ts';
import { guidesMessage } from './guide.ts';
import { showGuided } from './guided.ts';
import { isLatest } from './retracted.ts';
import { keepShown } from './shown.ts';
import {
  besideWaiting,
  dropOffers,
  keepOffer,
  replaced,
  takenBack,
  waitingHere,
  withdrawal,
  writtenAt,
} from './taken-back.ts';
import { type Asked, conversationKey, FORGETS, memoryOf, notTheirs, Turn, threadKey } from './turn.ts';
import { aboutWaiting, MAX_LISTED, moreOf, shownAt, stateHere, waitingFor, withdrawOwn } from './waiting-questions.ts';

/** A mention of the app, or a direct message to it. */
export interface Said {
  text: string;
  /** Timestamp of the message. */
  ts: string;
  /** When its text was changed, which is answered as a new message. */
  edited?: string;
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

/** After its list, “stop it” ends a watch, and takes back no request. */
const WATCHES = 'numbers_watches';
const STOP = /^(?:please\s+)?(?:stop|cancel that|abort)[.!]?$/i;
/** Messages of others that are given to the model. */
const MAX_OTHERS = 20;
const MAX_OTHER = 2_000;

/**
 * Shows at once that a message was received. Called before the message is looked up in the store, where it would wait
 * for the transactions of other turns.
 */
export function showSign({ assistant, signs }: SlackContext, { text, ts, edited = ts, origin }: Said): void {
  if (!STOP.test(addressed(text))) void signs.show(placeOf(origin, ts), edited, assistant.hasModel);
}

/** Answers plain words: with the owner's model, or with the catalogue. */
export async function answerTalk(slack: SlackContext, message: Said): Promise<void> {
  const { text, ts, edited = ts, origin, files: sent } = message;
  const { assistant, agent, web, clock, signs } = slack;
  const bare = addressed(text);
  const { channel } = origin;
  const place = placeOf(origin, ts);
  const hasModel = assistant.hasModel;
  const isStop = STOP.test(bare);
  if (!isStop) await signs.show(place, edited, hasModel);
  const view = new TurnView({ place, agent, web, clock, hasSession: hasModel });
  const member = await slack.roles.admit(origin, 'viewer');
  if (isStop && !('refused' in member) && (await stopTurn(slack, place, { origin, actor: member.actor }))) return;
  view.begin();
  const said = await wholeText(slack, text);
  const isTop = channel.startsWith('D') && origin.threadTs === undefined;
  // In a channel, a message that only one person sees has to be where they are reading.
  const isDirect = channel.startsWith('D');
  const inThread = isDirect || hasModel ? { ...origin, threadTs: place.threadTs } : origin;
  const answer =
    'refused' in member
      ? refusalMessage(member.refused)
      : ((await openQuestion(slack, bare, { ...place, isTop }, shownAt(slack, keyOf(place, isTop)))) ??
        (hasModel
          ? undefined
          : isBack(said) && slack.memory.topics.get(keyOf(place, isTop))?.last !== WATCHES
            ? (await takenBack(slack, { ...place, isTop, key: keyOf(place, isTop), isOfTopic: true }, member.actor))
                ?.message
            : undefined) ??
        (hasModel ? undefined : await withdrawal(slack, said, keyOf(place, isTop), member.actor)) ??
        (hasModel ? undefined : await aboutWaiting(slack, said, keyOf(place, isTop), member.actor)) ??
        (await deskAnswer(slack, bare, member.actor)));
  if ('refused' in member || answer) {
    if (answer) await new Reply(slack, inThread).show(answer);
    return view.cancel();
  }
  const { files, notes } = await readFiles(slack, sent, hasModel);
  if (!isLatest(slack, message)) return view.cancel();
  if (!hasModel || (said === '' && files.length === 0))
    return guided(slack, { text: said, origin: inThread, member, view, place, ts, isTop, notes });
  const others = isDirect || origin.threadTs === undefined ? [] : await othersIn(slack, place, ts);
  const asked = { text: said, ts, place, member, others, isTop, files, notes };
  if (!isLatest(slack, message)) return view.cancel();
  await new Turn(slack, asked, view).run();
}

/** Lists that one message may have. */
const MAX_FILES = 3;

/** The lists that came with a message, and a sentence about each file that is none. */
async function readFiles(
  { downloads, reworded }: SlackContext,
  sent: readonly SentFile[],
  hasModel: boolean,
): Promise<{ files: Asked['files']; notes: string[] }> {
  const files: Asked['files'][number][] = [];
  const notes: string[] = [];
  for (const [i, { name, type, url }] of sent.entries()) {
    if (i >= MAX_FILES) notes.push(`“${name}” was not read: a message may have ${MAX_FILES} lists.`);
    else if (!LISTS.test(`${type} ${name}`))
      notes.push(`“${name}” was not read. Only lists are: CSV, or text with a value in each line.`);
    else if (!hasModel)
      notes.push(`“${name}” was not read. A list is given in the form of /batch, as a file or pasted.`);
    else
      try {
        const text = await downloads.text(url);
        if (text.trim() === '') notes.push(`“${name}” is empty.`);
        else files.push({ name, text });
      } catch (error) {
        const why = reworded(failureWords(asSwitchboardError(error).face, 'slack')).replace(/^File: /, '');
        notes.push(`“${name}” was not read: ${why}`);
      }
  }
  return { files, notes };
}

const LISTS = /^(?:csv|tsv|text|plain|txt|space)\b|\.(?:csv|tsv|txt)$/i;

function placeOf({ userId, teamId, channel, threadTs }: Said['origin'], ts: string): Place {
  return { userId, teamId, channel, threadTs: threadTs ?? ts };
}

/** Names the conversation of a message: its thread, or the top level of a direct message. */
function keyOf(place: Place, isTop: boolean): string {
  return isTop ? conversationKey(place) : threadKey(place);
}

/** The answer of the catalogue. It passes through the assistant, which removes secrets and forgets threads. */
async function guided(
  slack: SlackContext,
  asked: Pick<Asked, 'text' | 'ts' | 'member' | 'place' | 'isTop' | 'notes'> & { origin: Origin; view: TurnView },
): Promise<void> {
  const { text, ts, origin, view, place, isTop, notes } = asked;
  const { actor, zone } = asked.member;
  const reply = new Reply(slack, origin);
  for (const note of notes) await reply.add(notice('📎', note));
  if (text === '' && notes.length > 0) return view.cancel();
  const memory = memoryOf(place, isTop, slack.clock.now());
  const key = keyOf(place, isTop);
  // The answer to a message at the top level begins a thread.
  const keys = [key, threadKey(place)];
  const shown = slack.memory.shown.get(key) ?? [];
  for await (const event of slack.assistant.turn({ ...memory, text, at: writtenAt(ts), writer: actor, zone, shown })) {
    if (event.kind === 'guided') {
      const { kind: drawn, withdraws, withdrawsAlso, takesBack, stateOf, operation } = event.guided;
      const { topics } = slack.memory;
      const now = slack.clock.now();
      const showsNew = drawn !== 'help' && stateOf === undefined && takesBack === undefined;
      for (const one of keys) {
        const { since = now, shownAt: before } = topics.get(one) ?? {};
        topics.set(one, { since, last: operation, ...defined({ shownAt: showsNew ? now : before }) });
      }
      const here = { ...place, isTop, key };
      const waits = takesBack === undefined ? undefined : await takenBack(slack, here, actor, takesBack);
      const request = () => takenBack(slack, here, actor, takesBack ?? operation);
      const taken = { request, ...defined({ also: withdrawsAlso, only: takesBack }) };
      const left = withdraws && !waits ? await replaced(slack, key, taken) : undefined;
      if (left?.message) await reply.add(left.message);
      // Requests of earlier topics are meant only where nothing of this one is.
      const isOpen = drawn === 'help' && takesBack === undefined && !withdraws && isBack(text);
      const earlier = isOpen ? (await takenBack(slack, here, actor))?.message : undefined;
      // A yes that nothing in the topic explains may be for a request that waits from before it.
      const isYes = drawn === 'help' && operation === undefined;
      const state =
        waits?.message ??
        earlier ??
        (stateOf && (await stateHere(slack, here, actor, stateOf))) ??
        (isYes ? await openQuestion(slack, text, { ...place, isTop }) : undefined);
      // The answer to the rest of a message is shown behind the request that it takes back.
      if (waits && drawn !== 'help') await reply.add(waits.message);
      const before = left?.waits ?? waits;
      if (state && (!waits || drawn === 'help')) await reply.show(state);
      else
        await showGuided(slack, before ? besideWaiting(event.guided, before) : event.guided, {
          ...(before && { showsWaiting: true as const }),
          text,
          origin,
          actor,
          shows: (one) => keepShown(slack, keys, text, one),
          posted: ({ kind, operation }, sent) => {
            // A record that was shown offers nothing that could be taken back.
            if (kind !== 'form' && kind !== 'question') return;
            keepOffer(slack, { keys, operation, channel: place.channel, said: ts, ...sent });
          },
        });
    } else if (event.kind === 'notice') await reply.add({ text: event.text, blocks: [noticeLine(event)] });
    else if (event.kind === 'not_theirs') await reply.add(notTheirs(slack, event.only, actor, FORGETS));
    else if (event.kind === 'end' && event.text !== '') {
      await dropOffers(slack, keys);
      for (const one of keys) {
        slack.memory.shown.delete(one);
        slack.memory.topics.delete(one);
      }
      await reply.add(notice('🧹', event.text));
    }
  }
  await view.cancel();
}

/** Stops the turn of a thread, or says who may. False if none runs. */
export async function stopTurn(
  slack: SlackContext,
  place: Pick<Place, 'channel' | 'threadTs'>,
  { origin, actor }: { origin: Origin; actor: Actor },
): Promise<boolean> {
  const stopped = await slack.assistant.stop(conversationKey(place), actor);
  if (stopped === 'none') return false;
  if (stopped !== 'stopped') {
    const where = { ...origin, threadTs: place.threadTs };
    await new Reply(slack, where).add(notTheirs(slack, stopped.only, actor, 'stop this answer'));
  }
  return true;
}

/** The messages of people in the thread since the last answer. If Slack does not say, the answer goes without it. */
async function othersIn(slack: SlackContext, place: Place, ts: string): Promise<Asked['others']> {
  const { assistant, web, clock, log } = slack;
  try {
    // Slack's own times are used, because messages during the last answer are not in the memory yet.
    const last = await assistant.readUntil(threadKey(place));
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

/** The text of a message without mentions. */
function addressed(text: string): string {
  return typedText(text.replace(MENTIONS, ' ')).trim();
}

/**
 * The text of a message as a person typed it, with the names of the people whom it mentions: it may be the text of an SMS.
 * Mentions of the app, and those that say whom the message is for, are left out.
 */
async function wholeText({ roles }: SlackContext, text: string): Promise<string> {
  const rest = text.replace(FIRST, '');
  const people = [...new Set([...rest.matchAll(PERSON)].map(([, id = '']) => id))].slice(0, MAX_NAMES);
  const names = new Map(
    await Promise.all(
      people.map(async (id): Promise<[string, string | undefined]> => {
        if (await roles.isOwnBot(id)) return [id, ' '];
        const name = (await roles.profileOf(id))?.name;
        return [id, name && `@${name}`];
      }),
    ),
  );
  // The name is a person's text in Slack, so it is put in before the escaped text is read.
  return typedText(
    rest.replace(PERSON, (all, id: string) => {
      const name = names.get(id);
      return name === undefined ? all : escaped(name);
    }),
  ).trim();
}

/** Hours in UTC in which people ask about the night. */
const MORNING = { from: 4, to: 14 };

/** Sets the prompts on top of a conversation: open questions, the person's orders, the news, a lookup. */
export async function suggestPrompts(slack: SlackContext, origin: Origin & { channel: string }): Promise<void> {
  const membership = await slack.roles.membership(origin);
  if ('refused' in membership) return;
  const { actor } = membership;
  const { gate, home, clock } = slack;
  const own = await gate.actions.list({ actorId: actor.id, limit: 50 });
  const open = own.filter(({ state }) => state === 'pending').length;
  const waiting = hasRole(actor, 'operator') ? (await home.waitingFor(actor)).length : 0;
  const orders = await home.ordersOf(actor.id);
  const phone = own.flatMap(({ shown }) => Object.values(shown)).find((value) => PHONE.test(String(value)));
  const hour = new Date(clock.now()).getUTCHours();
  const isMorning = hour >= MORNING.from && hour < MORNING.to;
  const prompts: (Prompt | undefined)[] = [
    waiting + open > 0
      ? { title: `What waits for me (${waiting + open})`, message: 'What is waiting for me?' }
      : undefined,
    orders.length > 0 ? { title: 'My orders', message: 'Show my orders' } : undefined,
    isMorning
      ? { title: 'What happened overnight?', message: 'What happened overnight?' }
      : { title: 'What happened today?', message: 'What happened today?' },
    {
      title: phone === undefined ? 'Look up a number' : `Look up ${String(phone)}`,
      message: `Look up ${String(phone ?? '0101')}`,
    },
    { title: 'What can you do?', message: 'What can you do?' },
  ];
  await slack.agent.prompts(
    origin.channel,
    prompts.filter((one) => one !== undefined),
  );
}

/* Answers about what waits for a person and about their orders. The ledger has them, so no model is asked. */

const WAITING =
  /^\W*(?:what|anything)\b.{0,14}\b(?:pending|outstanding|unanswered)\b[\s?!.]*$|\b(?:what|anything|something|who|is there)\b.{0,40}\bwait(?:s|ing)?\b.{0,12}\b(?:for )?(?:me|my|us)\b|\bmy (?:open )?(?:approvals|confirmations|requests)\b/i;
/** "What happened to my requests from this morning" asks for those that are done, too. */
const WENT =
  /\b(?:happened|became|become|went|go(?:ne)?|through|done|today|yesterday|morning|afternoon|last|since|week|approved|declined|rejected|confirmed|failed)\b/i;
/** "Who has to approve my requests", and not who approved one. */
const DECIDERS =
  /^\W*who\b(?!.*\b(?:approved|confirmed|declined|decided|rejected)\b).{0,25}\b(?:approves?|approvers?|confirms?|decides?|signs? off|says? yes)\b/i;
/** "Withdraw my request", which names none: each open one has its button. */
const WITHDRAWS =
  /^\W*(?:(?:please|pls|hi|hey|ok|so|sorry|can|could|i|we|you|want|need|to|like|would)[\s,]+)*(?:withdraw|retract|recall|cancel|pull\s+back|take\s+back|undo|revoke)\s+(?:(?:all\s+(?:of\s+)?)?(?:my|our)\s+(?:(?:open|pending|waiting|last|latest|own)\s+)*(?:requests?|asks?)|(?:everything|all|what)\s+(?:that\s+)?(?:i|we)\s+(?:have\s+|['’]ve\s+)?(?:asked(?:\s+for)?|requested))(?:\s+(?:back|again|now|please|pls|(?:from\s+|of\s+)?(?:this\s+morning|today|yesterday)))*[\s.!?]*$/i;
const ORDERS = /^(?:.{0,24}\b)?(?:my|our) (?:open |latest )?(?:orders?|port-?ins?)\b(?:.{0,24})$/i;
const GUIDES = /^(?:show (?:me )?(?:the )?)?guides?[.?!]?$/i;
const THANKS =
  /^(?:(?:ok(?:ay)?|great|perfect|cool|nice|awesome|lol|yay|wow|oh|yes|got it|all good)[\s,!.]+)*(?:thanks?|thank\s+you|thx|tnx|ty|tysm|cheers|much appreciated|appreciate it|(?:(?:that|it|this|everything)\s+)?(?:works|worked|did\s+(?:it|the\s+trick)|helped|fixed\s+it)|nice(?:\s+one)?|(?:good|nice|great)\s+(?:job|work|bot)|well\s+done|you\s+rock|love\s+it)(?:[\s,!.]+(?:(?:that|it|this)\s+(?:works|worked|helped|did\s+(?:it|the\s+trick)|fixed\s+it)|all\s+good|works|now|fine|great|perfectly|thanks?|thx|a lot|so much|very much|again|everyone|all|team|mate|you|that(?:'|’|\s+i)?s (?:all|it)(?: for (?:now|today))?|bye|good\s+(?:night|bye|day)|see you))*[\s!.🙏👍]*$/iu;
const YES =
  'yes|yep|yeah|y|ok|okay|sure|do it|go ahead|go for it|approved?|i approve|confirm|confirmed|i confirm|please do';
/** Words that may follow a yes. Any other word makes the message a question or another instruction. */
const AFTER_YES =
  'please|thanks|thank you|just|now|cancel|proceed|send|it|that|this|them|all|both|him|her|the|and|i|we|you|can|may|agree|want|am|sure|of course';
const IS_YES = new RegExp(`^(?:${YES})(?:[\\s,.!;:]+(?:${YES}|${AFTER_YES}))*[\\s.!]*$`, 'i');
const MAX_OPEN = 5;

/** The answer if a message asks about the person's own desk, or for the guides; undefined otherwise. */
export async function deskAnswer(slack: SlackContext, text: string, actor: Actor): Promise<Message | undefined> {
  if (DECIDERS.test(text)) return decidersMessage(slack);
  const asksWaiting = WAITING.test(text) && !(/\bmy\b/i.test(text) && WENT.test(text));
  if (asksWaiting || WITHDRAWS.test(text) || asksOnlyWhatWaits(text)) return waitingMessage(slack, actor);
  if (asksForBatches(text) && !/\d{4}/.test(text)) {
    const command = slackStyle(slack.config.SLACK_COMMAND_PREFIX).command(BATCH_WORD);
    return batchList(await slack.batches.list(actor), command);
  }
  if (ORDERS.test(text)) return ordersMessage(slack, actor);
  if (GUIDES.test(text)) return guidesMessage(slack, actor);
  if (THANKS.test(text)) return notice('🙂', 'You’re welcome.');
  return undefined;
}

/**
 * The answer to a yes in a thread, or a direct message, with open questions, which names the places of their buttons;
 * undefined otherwise.
 *
 * @param since requests before this time are not meant, since something else was shown after them
 */
export async function openQuestion(
  slack: SlackContext,
  text: string,
  place: Place & { isTop: boolean },
  since = 0,
): Promise<Message | undefined> {
  if (!IS_YES.test(text)) return undefined;
  const here = (await waitingHere(slack, place)).filter(({ createdAt }) => createdAt >= since);
  if (here.length === 0) return undefined;
  const titles = here.map((action) => titleOf(action, slack.gate.tool(action.operation)));
  const lines = here.slice(0, MAX_OPEN).map(async (action, i) => {
    const link = await linkTo(slack, cardAt(action), 'open its card');
    return say(rich.bold(titles[i] ?? ''), ': ', link ?? 'it is on the card in the app’s Home', '.');
  });
  const before = `🔐 Words do not confirm, and nothing was done. Use the button on the card${here.length > 1 ? 's' : ''}.`;
  return {
    text: escaped(`${before} ${titles.slice(0, MAX_OPEN).join('; ')}`),
    blocks: [say(before), ...(await Promise.all(lines))],
  };
}

async function waitingMessage(slack: SlackContext, actor: Actor): Promise<Message> {
  const { forMe, own } = await waitingFor(slack, actor);
  const all = [...forMe, ...own];
  if (all.length === 0) return notice('✅', 'Nothing waits for your decision, and none of your requests is open.');
  const rows = await Promise.all(
    all.slice(0, MAX_LISTED).map(async (action) => {
      const link = await linkTo(slack, cardAt(action));
      const told = elementsOf(actionText(action, slack.gate.tool(action.operation)));
      return [say(...told, ...(link ? ['  ', link] : [])), ...withdrawOwn(action, actor)];
    }),
  );
  // An approver may decide an own request too, which is then both.
  const asked = all.filter(({ person }) => person === personOf(actor)).length;
  const title = forMe.length > 0 ? `${forMe.length} to decide, ${asked} of your own` : 'Your open requests';
  return { text: escaped(title), blocks: [say(rich.bold(title)), ...rows.flat(), ...moreOf(all)] };
}

/** Says who decides changes for an approver, and where they are asked. */
function decidersMessage({ roles, config }: SlackContext): Message {
  const channel = config.SLACK_APPROVALS_CHANNEL;
  const title = 'What costs money or takes something away waits for an approver.';
  const who = ['Approvers: ', ...roles.holding('approver')];
  const where = channel === undefined ? [] : ['. They are asked in ', rich.channel(channel), '.'];
  const own = 'Other changes are confirmed by the person who asks, or by any operator.';
  return { text: title, blocks: [say(rich.bold(title), '\n', ...who, ...where), say(own)] };
}

async function ordersMessage({ home }: SlackContext, actor: Actor): Promise<Message> {
  const orders = await home.ordersOf(actor.id);
  if (orders.length === 0) return notice('📦', 'You have started no orders yet.');
  return { text: `Your ${orders.length} orders`, blocks: [say(rich.bold('Your orders')), orderList(orders)] };
}
