import { type Message, objects } from '../../../src/demo/playground/types.ts';
import { type ScriptedModel, scriptedModel } from '../../support/models.ts';
import { U_AGENT } from './ids.ts';
import { type Stage, type StageSettings, shown, stage, until } from './support.ts';

/** A stage for conversations in Slack, whose assistant has a scripted model. */
export type Talk = Awaited<ReturnType<typeof talking>>;

export interface Thread {
  channel: string;
  ts: string;
}

export const BOT = 'U000BOT';
/** The direct message of a person with the app. */
export const directOf = (s: Stage, user: string): string => s.ws.state.im(user).id;

/** A conversation whose model gives these answers. */
export async function answering(...answers: Parameters<ScriptedModel['answers']>) {
  const s = await talking();
  s.model.answers(...answers);
  return s;
}

export async function talking(
  settings: StageSettings = {},
  {
    steps = '12',
    requestsPerMinute,
    toolsets = 'core',
  }: { steps?: string; requestsPerMinute?: number; toolsets?: string } = {},
) {
  const model = await scriptedModel('openai-compatible');
  const env = { ASSISTANT_MODEL: 'scripted', ASSISTANT_URL: model.url, ASSISTANT_STEPS: steps, MCP_TOOLSETS: toolsets };
  const s = await stage(settings, { env, ...(requestsPerMinute !== undefined && { requestsPerMinute }) });
  /** A person writes, in their direct message with the app unless a channel is given. Resolves to the thread. */
  const writes = (text: string, at?: Parameters<typeof say>[2]) => say(s, text, at);
  return { ...s, model, env, say: writes };
}

/** A person writes. The thread is the message, or the one that it answers. */
export async function say(
  s: Stage,
  text: string,
  { user = U_AGENT, channel, threadTs }: { user?: string; channel?: string; threadTs?: string } = {},
): Promise<Thread> {
  const place = channel ?? directOf(s, user);
  const delivered = await s.ws.say({
    ...{ user, channel: place, text: channel === undefined ? text : `<@${BOT}> ${text}` },
    ...(threadTs !== undefined && { threadTs }),
  });
  if (delivered.status !== 200) throw new Error(`not delivered: ${JSON.stringify(delivered)}`);
  const said = s.ws.messages(place).findLast((message) => message.user === user && message.text.includes(text));
  return { channel: place, ts: threadTs ?? said?.ts ?? '' };
}

/** Returns the app's messages in a thread, oldest first. */
export function answers(s: Stage, { channel, ts }: Thread): Message[] {
  return s.ws.messages(channel).filter((message) => message.threadTs === ts && message.user === BOT);
}

/** Waits until the thread contains this text, and returns the thread's text. */
export async function heard(s: Stage, thread: Thread, says: string | RegExp): Promise<string> {
  const text = () => answers(s, thread).map(shown).join('\n');
  const fits = () => (typeof says === 'string' ? text().includes(says) : says.test(text()));
  await until(fits, `${String(says)} in the thread`).catch((error) => {
    throw new Error(
      `${error}; heard: ${text().slice(0, 3_000)}; log: ${s.logged
        .filter((l) => /^(warn|error)/.test(l))
        .join('\n')
        .slice(0, 2_000)}`,
    );
  });
  return text();
}

/** A person writes, and reads this in the thread, to which it resolves. */
export async function hears(s: Stage, text: string, says: string | RegExp, at?: Parameters<typeof say>[2]) {
  const thread = await say(s, text, at);
  await heard(s, thread, says);
  return thread;
}

/** Waits for a message in the thread that says this, by default a question with its yes, and returns it. */
export async function asks(s: Stage, thread: Thread, says = 'sb_confirm'): Promise<Message> {
  const found = () => answers(s, thread).find((one) => shown(one).includes(says));
  await until(() => found() !== undefined, `${says} in the thread`);
  return found() as Message;
}

/** Waits until the turn of a model in a thread has ended, and returns the thread's text. */
export async function ended(s: Stage, thread: Thread): Promise<string> {
  const status = () => s.ws.state.sessions.session(thread.channel, thread.ts)?.status;
  await until(() => ['active', 'suspended'].includes(status() ?? ''), 'the end of the turn');
  await s.settled();
  return answers(s, thread).map(shown).join('\n');
}

export const blocksOf = (s: Stage, thread: Thread) => answers(s, thread).flatMap(({ blocks }) => objects(blocks));

const READER = { id: 'cli:test', name: 'test', role: 'viewer', surface: 'cli', priority: 'person' } as const;

/** The status of a number, read from the platform. */
export async function stateOf(s: Stage, number: string): Promise<unknown> {
  const performed = await s.gate.perform('numbers_get', { Number: number }, READER);
  return performed.kind === 'done' ? performed.value.Status : undefined;
}
