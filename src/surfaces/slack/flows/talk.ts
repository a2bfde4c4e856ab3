import { failureWords } from '../../../language/outcome.ts';
import type { Hit } from '../../../language/records.ts';
import { lookups } from '../../../language/typed-values.ts';
import type { Actor } from '../../../lib/actor.ts';
import { DAY_MS, HOUR_MS } from '../../../lib/clock.ts';
import { asSwitchboardError } from '../../../lib/errors.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import type { Place } from '../api/agent.ts';
import { hitsFound } from '../blocks/found.ts';
import { escaped, notice, refusalMessage } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { TurnView } from '../live/turn-view.ts';
import { typedText } from '../typed.ts';
import type { Origin } from '../types.ts';
import { Reply } from './engine.ts';
import { waitingMessage } from './plain.ts';
import { failureNotice, run } from './run.ts';
import { type Asked, answerTurn, conversationKey, notTheirs, threadKey } from './turn.ts';

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
/** In place of a forwarded message that has no text, for example a picture. */
const UNREAD = '(a message without text, which was not read)';
/** A message is answered once, also if Slack sends it again under another event. */
const ANSWERED_MS = HOUR_MS;

/**
 * Shows at once that a message was received. Called before the message is looked up in the store, where it would wait
 * for the transactions of other turns.
 */
export function showSign({ assistant, signs }: SlackContext, { text, ts, origin }: Said): void {
  if (!STOP.test(addressed(text))) void signs.show(placeOf(origin, ts), ts, assistant.hasModel);
}

/** Answers plain words: with the owner's model, or by what was learned from examples. */
export async function answerTalk(slack: SlackContext, message: Said): Promise<void> {
  const { ts, origin, files: sent } = message;
  const { assistant, agent, web, clock, signs, answered } = slack;
  const { channel } = origin;
  if (!(await answered.add(`${channel} ${ts}`, clock.now() + ANSWERED_MS).catch(() => true))) return;
  const place = placeOf(origin, ts);
  const hasModel = assistant.hasModel;
  const isStop = STOP.test(addressed(message.text));
  if (!isStop) await signs.show(place, ts, hasModel);
  const view = new TurnView({ place, agent, web, clock, hasSession: hasModel });
  const member = await slack.roles.admit(origin, 'viewer');
  const isDirect = channel.startsWith('D');
  // Without a model, only one person sees an answer in a channel, so that it has to be where they are reading.
  const reply = new Reply(slack, isDirect || hasModel ? { ...origin, threadTs: place.threadTs } : origin);
  if ('refused' in member) {
    await reply.show(refusalMessage(member.refused));
    return view.cancel();
  }
  if (isStop && (await stopTurn(slack, place, { origin, actor: member.actor }))) return;
  const text = await wholeText(slack, message.text);
  if (text === WHAT_WAITS) {
    await reply.show(await waitingMessage(slack, member.actor));
    return view.cancel();
  }
  if (text === '' && message.forwarded !== undefined && !hasModel) {
    await lookUpMentioned(slack, message.forwarded, { origin, reply, actor: member.actor });
    return view.cancel();
  }
  view.begin();
  const { files, notes: unread } = await readFiles(slack, sent, hasModel);
  const others = isDirect || origin.threadTs === undefined || !hasModel ? [] : await othersIn(slack, place, ts);
  const { forwarded: said } = message;
  const subject = hasModel || said === undefined ? undefined : await subjectOf(slack, said, member.actor);
  const forwarded = said === undefined ? undefined : { text: said || UNREAD, subject };
  const notes = said === '' ? [...unread, 'The forwarded message was not read: it has no text.'] : unread;
  const isTop = isDirect && origin.threadTs === undefined;
  await answerTurn(slack, { text, ts, place, member, others, forwarded, isTop, files, notes }, view);
}

/** Lists that one message may have. */
const MAX_FILES = 3;
const LISTS = /^(?:csv|tsv|text|plain|txt|space)\b|\.(?:csv|tsv|txt)$/i;

/** The lists that came with a message, and a sentence about each file that is none. */
async function readFiles(
  { downloads, reworded }: SlackContext,
  sent: readonly SentFile[],
  hasModel: boolean,
): Promise<Pick<Asked, 'files' | 'notes'>> {
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

function placeOf({ userId, teamId, channel, threadTs }: Said['origin'], ts: string): Place {
  return { userId, teamId, channel, threadTs: threadTs ?? ts };
}

/** Stops the turn of a conversation, or says who may. False if none runs. */
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

/** The only line that a forwarded message names. */
async function subjectOf(slack: SlackContext, text: string, actor: Actor): Promise<string | undefined> {
  const [only, ...others] = (await slack.web.inTime(linesIn(slack, text, actor).catch(() => []))) ?? [];
  return others.length === 0 ? only?.value : undefined;
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
  const [lookup] = lookups(slack.tools, slack.groups);
  if (!lookup) return void (await reply.show(notice('🤔', 'Number lookup is not available.')));
  try {
    const [only, ...others] = await linesIn(slack, text, actor);
    if (only === undefined)
      await reply.show(notice('🤔', 'There is no phone number, last digits or name of a customer in that message.'));
    else if (others.length > 0) await reply.show(hitsFound([only, ...others]));
    else await run(slack, { tool: lookup.tool, input: { [lookup.field]: only.value }, origin, reply });
  } catch (error) {
    await reply.show(failureNotice(slack, lookup.tool, asSwitchboardError(error).face));
  }
}
