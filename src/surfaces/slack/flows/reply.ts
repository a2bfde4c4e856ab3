import { type Message, notice } from '../blocks/text.ts';
import type { Web } from '../live/web.ts';
import type { Log, Origin } from '../types.ts';

/** How one person is answered, so that only they see it. */
export interface Reply {
  /** Replaces what stands there ("Looking that up…"); never more than the address has uses for. */
  progress(sofar: string | Message): void;
  /** The answer, in place of the progress where that is possible. */
  show(message: Message): Promise<boolean>;
  /** A secret: only where Slack does not keep it, never a direct message. `channel`: where else the person may be. */
  fleeting(message: Message, channel?: string): Promise<boolean>;
  /** One more message, beside what stands there. */
  add(message: Message): Promise<boolean>;
}

const USES = 5;
/** Progress leaves these for the answer. */
const RESERVED = 3;

/**
 * Tries the interaction's own address first (it needs no membership and can replace), then an ephemeral message, then
 * a direct one. `replaces`: an earlier message of ours stands there.
 */
export function createReply(web: Web, log: Log, origin: Origin, replaces: boolean): Reply {
  let left = origin.responseUrl ? USES : 0;
  let queue: Promise<unknown> = Promise.resolve();
  let answered = false;

  async function respond(message: Message, replace: boolean): Promise<boolean> {
    if (!origin.responseUrl || left <= 0) return false;
    left -= 1;
    try {
      await web.respond(origin.responseUrl, {
        response_type: 'ephemeral',
        replace_original: replace,
        text: message.text,
        blocks: message.blocks,
      });
      return true;
    } catch (error) {
      log('warn', { error: String(error) }, 'a response_url did not take an answer');
      // An address that is used up or gone will not come back.
      if (!(error instanceof Error && 'ambiguous' in error && error.ambiguous)) left = 0;
      return false;
    }
  }

  async function otherwise(message: Message): Promise<boolean> {
    try {
      if (origin.channel) {
        await web.whisper(origin.channel, origin.userId, message, origin.threadTs);
        return true;
      }
    } catch (error) {
      log('info', { error: String(error) }, 'an ephemeral message was not taken; a direct one follows');
    }
    try {
      await web.direct(origin.userId, message);
      return true;
    } catch (error) {
      log('error', { user: origin.userId, error: String(error) }, 'a person could not be answered in Slack');
      return false;
    }
  }

  const next = <T>(work: () => Promise<T>): Promise<T> => {
    const done = queue.then(work, work);
    queue = done.catch(() => undefined);
    return done;
  };

  return {
    progress(sofar) {
      if (!replaces || left <= RESERVED) return;
      void next(async () => {
        if (!answered && left > RESERVED) await respond(typeof sofar === 'string' ? notice('⏳', sofar) : sofar, true);
      });
    },
    show(message) {
      answered = true;
      return next(async () => (await respond(message, replaces)) || (await otherwise(message)));
    },
    fleeting: (message, channel) =>
      next(async () => {
        if (await respond(message, false)) return true;
        const place = origin.channel ?? channel;
        if (!place || place.startsWith('D')) return false;
        return web.whisper(place, origin.userId, message).then(
          () => true,
          () => false,
        );
      }),
    add: (message) => next(async () => (await respond(message, false)) || (await otherwise(message))),
  };
}
