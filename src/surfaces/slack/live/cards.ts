import { type Gate, statusOf } from '../../../gate/gate.ts';
import type { Action } from '../../../gate/ledger/ledger.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import type { Clock } from '../../../lib/clock.ts';
import { actionCard, activationMessage, titleOf } from '../blocks/card.ts';
import { escaped, type Message, rich, say } from '../blocks/text.ts';
import type { Reworder } from '../people/said.ts';
import { type CardNote, elsewhereOf, type Log, noteOf, type SlackConfig } from '../types.ts';
import { createOnce } from './once.ts';
import { createPlacing } from './placing.ts';
import type { Posted, Web } from './web.ts';

export type Cards = ReturnType<typeof createCards>;

const POLL_MS = 3_000;
/** A changed card that Slack refuses is tried again at these distances, then its news goes another way. */
const AGAIN_MS = [1_000, 4_000, 15_000];
const SETTLED = ['done', 'partly', 'failed', 'unknown', 'declined', 'expired'];

/**
 * Keeps one durable message per action that waits or waited for a person, in step with the ledger, whoever moved the
 * action: this process, another one, the page, or time. What Slack does never changes an action's outcome.
 */
export function createCards(options: {
  config: SlackConfig;
  gate: Gate;
  web: Web;
  clock: Clock;
  log: Log;
  reworded: Reworder;
  /** Told of what other processes moved. */
  moved?: (id: string) => void;
}) {
  const { config, gate, web, clock, log } = options;
  const { actions, notes } = gate;
  const placing = createPlacing({
    config,
    actions,
    notes,
    web,
    once: createOnce({ web, clock, log }),
    clock,
    log,
    draw: async (action) => actionCard(action, contextOf(action)),
    queued,
    changed: (id) => sync(id),
    isClosed: () => closed,
  });
  const lanes = new Map<string, Promise<void>>();
  /** Ends whose card is being tried again: the poll leaves them alone. */
  const chased = new Set<string>();
  let since = 0;
  let timer: unknown;
  let closed = false;

  /** One update of a card at a time; each reads the ledger afresh, so the last one wins with the latest state. */
  const sync = (id: string): Promise<void> => queued(id, bring);

  function queued(id: string, what: (id: string) => Promise<void>): Promise<void> {
    const before = lanes.get(id) ?? Promise.resolve();
    const work = before
      .then(() => what(id))
      .catch((error: unknown) =>
        log('error', { action: id, error: String(error) }, 'a card could not be brought up to date'),
      );
    lanes.set(id, work);
    void work.then(() => {
      if (lanes.get(id) === work) lanes.delete(id);
    });
    return work;
  }

  /** Shows a card again as the ledger has it, whatever it shows now. */
  function refresh(id: string): Promise<void> {
    const action = actions.get(id);
    if (action) notes.remember(id, { slack: { ...noteOf(action), shown: undefined } });
    return sync(id);
  }

  async function bring(id: string): Promise<void> {
    const action = actions.get(id);
    if (!action || closed || chased.has(id)) return;
    const note = noteOf(action);
    if (isShown(note, action)) return;
    if (note.channel === undefined || note.ts === undefined) {
      if (action.state === 'pending' && isMine(action, note)) await placing.post(action, note);
      else if (await placing.found(action, note)) await settle(id);
      return;
    }
    await updateCard(action, { channel: note.channel, ts: note.ts });
  }

  /** A card that was found after its action had ended says how it ended. */
  async function settle(id: string): Promise<void> {
    const action = actions.get(id);
    const note = action && noteOf(action);
    if (action && note?.channel && note.ts) await updateCard(action, { channel: note.channel, ts: note.ts });
  }

  /** Asked in Slack, or by an assistant or a terminal, whose approvers' channel is known. */
  function isMine(action: Action, note: CardNote): boolean {
    if (note.asker !== undefined) return true;
    return config.SLACK_EVENTS_CHANNEL !== undefined && ['mcp', 'cli'].includes(action.surface);
  }

  const remember = (action: Action, note: CardNote) =>
    notes.remember(action.id, { slack: { ...noteOf(actions.get(action.id) ?? action), ...note } });
  const contextOf = (action: Action) => ({
    tool: gate.tool(action.operation),
    reworded: options.reworded,
    elsewhere: elsewhereOf(gate, action.id),
  });

  async function updateCard(action: Action, at: Posted): Promise<void> {
    const card = actionCard(action, contextOf(action));
    try {
      await web.update(at, card);
      remember(action, { shown: action.state });
      for (const copy of noteOf(action).copies ?? [])
        await web.update(copy, card).catch((error: unknown) => {
          log('info', { action: action.id, error: String(error) }, 'a second card of an action could not be updated');
        });
    } catch (error) {
      log('warn', { action: action.id, error: String(error) }, 'a card could not be updated');
      // Only the end is worth a message of its own; a card that says "running" is followed by one that says how it ended.
      if (SETTLED.includes(action.state)) later(action.id, 0);
    }
  }

  function later(id: string, attempt: number): void {
    const wait = AGAIN_MS[attempt];
    if (closed) return;
    chased.add(id);
    if (wait === undefined) {
      void elsewhere(id)
        .finally(() => chased.delete(id))
        .catch((error: unknown) =>
          log('error', { action: id, error: String(error) }, 'the end of an action could not be told in Slack'),
        );
      return;
    }
    clock.setTimeout(() => {
      if (closed) return;
      const action = actions.get(id);
      const note = action && noteOf(action);
      if (!action || !note?.channel || !note.ts || isShown(note, action) || closed) {
        chased.delete(id);
        return;
      }
      web.update({ channel: note.channel, ts: note.ts }, actionCard(action, contextOf(action))).then(
        () => {
          remember(action, { shown: action.state });
          chased.delete(id);
        },
        () => later(id, attempt + 1),
      );
    }, wait);
  }

  /** The card is gone or its channel closed: the news goes into the thread, then to the asker. */
  async function elsewhere(id: string): Promise<void> {
    const action = actions.get(id);
    const note = action && noteOf(action);
    if (!action || !note?.channel || !note.ts) return;
    const { text, blocks } = actionCard(action, contextOf(action));
    const message: Message = {
      text,
      blocks: [
        ...blocks.filter((block) => block.type !== 'actions'),
        say(rich.italic('The card itself could not be updated.')),
      ],
    };
    try {
      await web.post(note.channel, message, note.ts);
    } catch {
      if (!note.asker) return;
      await web.direct(note.asker, message);
    }
    remember(action, { shown: action.state });
  }

  /** What other processes and time have moved since the last look. */
  async function poll(): Promise<void> {
    gate.sweepExpired();
    const changed = actions.list({ since: since - 1, limit: 200 });
    for (const action of changed) since = Math.max(since, action.updatedAt);
    // What waits without a card is looked at each time: posting it may have failed.
    const waiting = actions.list({ states: ['pending'], limit: 100 });
    const all = new Map([...changed, ...waiting].map((action) => [action.id, action]));
    for (const { id } of changed) options.moved?.(id);
    for (const action of all.values()) {
      const note = noteOf(action);
      if (!isShown(note, action) && (note.ts !== undefined || isMine(action, note))) await sync(action.id);
    }
  }

  function tick(): void {
    if (closed) return;
    timer = clock.setTimeout(() => {
      void poll()
        .catch((error: unknown) =>
          log('error', { error: String(error) }, 'cards could not be compared with the ledger'),
        )
        .then(tick);
    }, POLL_MS);
  }

  const stop = gate.onChange((action) => void sync(action.id));

  return {
    sync,
    poll,
    /** Where an action's card stands, posted now if need be. */
    async ensure(id: string): Promise<Posted | undefined> {
      await sync(id);
      const action = actions.get(id);
      const note = action ? noteOf(action) : {};
      return note.channel !== undefined && note.ts !== undefined ? { channel: note.channel, ts: note.ts } : undefined;
    },
    refresh,
    /**
     * Somebody clicked on a card with this action's button. False where that card is another action's. A further card of
     * this one is kept up to date from now on.
     */
    clicked(action: Action, at: { channel: string | undefined; ts: string }): boolean {
      const note = noteOf(actions.get(action.id) ?? action);
      if (isAt(note, at.ts)) return true;
      if (actions.list({ limit: 500 }).some((other) => other.id !== action.id && isAt(noteOf(other), at.ts)))
        return false;
      const { channel, ts } = at;
      if (channel === undefined) return true;
      if (note.ts === undefined) remember(action, { channel, ts, shown: undefined });
      else remember(action, { copies: [...(note.copies ?? []), { channel, ts }] });
      return true;
    },
    /** Tells whoever asked how it ended, where somebody else decided. Fleeting: the card is the record. */
    async tellAsker(action: Action, deciderId: string): Promise<void> {
      const note = noteOf(action);
      if (!note.asker || note.asker === deciderId || !SETTLED.includes(action.state)) return;
      const tool = gate.tool(action.operation);
      const { mark, headline } = outcomeOf(action, tool);
      const title = titleOf(action, tool);
      const link = note.channel && note.ts ? await web.permalink({ channel: note.channel, ts: note.ts }) : undefined;
      const activation = action.result && activationMessage(action.result);
      const message: Message = {
        text: `${mark} ${escaped(`${headline}: ${title}`)}`,
        blocks: [
          say(
            `${mark} ${headline}: `,
            rich.bold(title),
            ...(link ? ['  ', { type: 'link', url: link, text: 'Open the card' }] : []),
          ),
        ],
      };
      // Only where Slack does not keep it: never in the direct message below.
      const told = { ...message, blocks: [...message.blocks, ...(activation?.blocks ?? [])] };
      try {
        if (!note.from) throw new Error('no channel');
        await web.whisper(note.from, note.asker, told);
      } catch {
        await web.direct(note.asker, message).catch(() => undefined);
      }
    },
    /** After a start: every card that shows another state than the ledger's. */
    async start(): Promise<void> {
      since = clock.now() - 1;
      tick();
      gate.sweepExpired();
      for (const action of actions.list({ limit: 500 })) {
        const note = noteOf(action);
        if (!isShown(note, action) && (note.ts !== undefined || (action.state === 'pending' && isMine(action, note))))
          await sync(action.id);
        if (note.ts !== undefined && Object.keys(note.sent ?? {}).length > 0) await queued(action.id, placing.clearUp);
      }
    },
    async close(): Promise<void> {
      stop();
      clock.clearTimeout(timer);
      await Promise.allSettled([...lanes.values()]);
      closed = true;
    },
  };
}

/** Whether the card, or a copy of it, is the message `ts`. */
function isAt(note: CardNote, ts: string): boolean {
  return [note, ...(note.copies ?? [])].some((one) => one.ts === ts);
}

/** Whether the card shows this already; "confirmed" and "sent" look the same on it. */
function isShown(note: CardNote, action: Action): boolean {
  return note.shown !== undefined && statusOf(note.shown) === statusOf(action.state);
}
