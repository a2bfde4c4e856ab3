import { failureWords } from '../../../language/failure.ts';
import type { Actor } from '../../../lib/actor.ts';
import { DAY_MS } from '../../../lib/clock.ts';
import { asSwitchboardError } from '../../../lib/errors.ts';
import { refusalMessage } from '../blocks/notices.ts';
import { notice, small } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { Place } from '../live/agent.ts';
import { TurnView } from '../live/turn-view.ts';
import { typedText } from '../typed.ts';
import type { Origin } from '../types.ts';
import { deskAnswer, openQuestion } from './desk.ts';
import { showGuided } from './guided.ts';
import { Reply } from './reply.ts';
import { type Asked, conversationKey, FORGETS, memoryOf, notTheirs, Turn, threadKey } from './turn.ts';

/** A mention of the app, or a direct message to it. */
export interface Said {
  text: string;
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

const STOP = /^(?:please\s+)?(?:stop|cancel that|abort)[.!]?$/i;
/** Messages of others that are given to the model. */
const MAX_OTHERS = 20;
const MAX_OTHER = 2_000;

/**
 * Shows at once that a message was received. Called before the message is looked up in the store, where it would wait
 * for the transactions of other turns.
 */
export function showSign({ assistant, signs }: SlackContext, { text, ts, origin }: Said): void {
  if (!STOP.test(plainText(text))) void signs.show(placeOf(origin, ts), ts, assistant.hasModel);
}

/** Answers plain words: with the owner's model, or with the catalogue. */
export async function answerTalk(slack: SlackContext, { text, ts, origin, files: sent }: Said): Promise<void> {
  const { assistant, agent, web, clock, signs } = slack;
  const said = plainText(text);
  const { channel } = origin;
  const place = placeOf(origin, ts);
  const hasModel = assistant.hasModel;
  const isStop = STOP.test(said);
  if (!isStop) await signs.show(place, ts, hasModel);
  const view = new TurnView({ place, agent, web, clock, hasSession: hasModel });
  const member = await slack.roles.admit(origin, 'viewer');
  if (isStop && !('refused' in member) && (await stopTurn(slack, place, { origin, actor: member.actor }))) return;
  view.begin();
  const isTop = channel.startsWith('D') && origin.threadTs === undefined;
  // In a channel, a message that only one person sees has to be where they are reading.
  const isDirect = channel.startsWith('D');
  const inThread = isDirect || hasModel ? { ...origin, threadTs: place.threadTs } : origin;
  const answer =
    'refused' in member
      ? refusalMessage(member.refused)
      : ((await openQuestion(slack, said, { ...place, isTop })) ?? (await deskAnswer(slack, said, member.actor)));
  if ('refused' in member || answer) {
    if (answer) await new Reply(slack, inThread).show(answer);
    return view.cancel();
  }
  const { files, notes } = await readFiles(slack, sent, hasModel);
  if (!hasModel || (said === '' && files.length === 0))
    return guided(slack, { text: said, origin: inThread, member, view, place, isTop, notes });
  const others = isDirect || origin.threadTs === undefined ? [] : await othersIn(slack, place, ts);
  const asked = { text: said, at: Number(ts) * 1000, place, member, others, isTop, files, notes };
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
        files.push({ name, text: await downloads.text(url) });
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

/** The answer of the catalogue. It passes through the assistant, which removes secrets and forgets threads. */
async function guided(
  slack: SlackContext,
  asked: Pick<Asked, 'text' | 'member' | 'place' | 'isTop' | 'notes'> & { origin: Origin; view: TurnView },
): Promise<void> {
  const { text, origin, view, place, isTop, notes } = asked;
  const { actor, zone } = asked.member;
  const reply = new Reply(slack, origin);
  for (const note of notes) await reply.add(notice('📎', note));
  if (text === '' && notes.length > 0) return view.cancel();
  const memory = memoryOf(place, isTop, slack.clock.now());
  for await (const event of slack.assistant.turn({ ...memory, text, writer: actor, zone })) {
    if (event.kind === 'guided') await showGuided(slack, event.guided, { text, origin, actor });
    else if (event.kind === 'notice') await reply.add({ text: event.text, blocks: [small(`🔒 ${event.text}`)] });
    else if (event.kind === 'not_theirs') await reply.add(notTheirs(slack, event.only, actor, FORGETS));
    else if (event.kind === 'end' && event.text !== '') await reply.add(notice('🧹', event.text));
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
    return before.map(({ user, text, ts: at }) => ({
      ...{ person: `slack:${user}`, name: `@${user}`, at: Number(at) * 1000 },
      text: plainText(text).slice(0, MAX_OTHER),
    }));
  } catch (error) {
    log('info', { error: String(error) }, 'the messages of a thread could not be read');
    return [];
  }
}

/** The text of a message as a person typed it, without mentions. */
function plainText(text: string): string {
  return typedText(text.slice(0, 4_000).replace(/<[@!#][^>|]*>/g, ' ')).trim();
}
