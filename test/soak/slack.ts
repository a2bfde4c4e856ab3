import type { Fault, Message, SentByApp } from '../../src/demo/playground/types.ts';
import { createWorkspace, IDS, type Workspace } from '../../src/demo/playground/workspace.ts';
import type { LedgerAction } from './agreement.ts';

export const SLACK_SETTINGS = {
  SLACK_BOT_TOKEN: 'xoxb-playground-bot',
  SLACK_SIGNING_SECRET: 'playground-signing-secret',
  SLACK_VIEWERS: IDS.U_VIEW,
  SLACK_OPERATORS: IDS.S_OPERATORS,
  SLACK_APPROVERS: IDS.S_APPROVERS,
  SLACK_EVENTS_CHANNEL: IDS.C_APPROVALS,
};

/** The mark of each state at the beginning of a card's header. */
const MARKS: Readonly<Record<string, string>> = {
  pending: '🔐',
  confirmed: '⏳',
  in_flight: '⏳',
  done: '✅',
  partly: '⚠️',
  failed: '❌',
  unknown: '❓',
  declined: '🚫',
  expired: '⌛',
};

/** The delay of a slow Slack in ms. The app waits longer. */
export const SLOW_MS = 700;

/** Slack is slow, refuses, loses the request, or does what was asked and loses the answer. */
export const SLACK_FAULTS: readonly { name: string; fault: Fault }[] = [
  { name: 'slow', fault: { lateMs: SLOW_MS } },
  { name: 'slow', fault: { hangMs: SLOW_MS } },
  // Longer than the app waits.
  { name: 'too slow', fault: { lateMs: 5_000 } },
  { name: 'refusing', fault: { status: 503 } },
  { name: 'refusing', fault: { status: 429, retryAfter: 1 } },
  { name: 'refusing', fault: { error: 'internal_error' } },
  { name: 'cut', fault: { drop: true } },
  { name: 'cut after the work', fault: { drop: true, afterCommit: true } },
];
export const SLACK_METHODS = ['chat.postMessage', 'chat.update', 'conversations.history'] as const;

/** Slack in this process, on the product's clock, with a note of every card that ever stood in it. */
export class SlackSide {
  readonly workspace: Workspace;
  /** The messages that asked about each action, in the order in which they came. */
  private readonly cards = new Map<string, Set<string>>();

  /** `now`: the product's clock, epoch ms. */
  constructor(now: () => number) {
    const clock = {
      now,
      setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
      clearTimeout: (handle: unknown) => clearTimeout(handle as NodeJS.Timeout),
    };
    this.workspace = createWorkspace({ clock, signatureTime: now });
    this.workspace.onChange(() => this.note());
  }

  /** The first card about an action that waits and that `known` does not have; undefined where there is none yet. */
  cardBeside(known: ReadonlySet<string>): { action: string; ts: string } | undefined {
    for (const [action, places] of this.cards) {
      const ts = [...places].find((one) => this.workspace.message(one) !== undefined);
      if (!known.has(action) && ts !== undefined) return { action, ts };
    }
    return undefined;
  }

  /** The actions that have had a card. */
  carded(): Set<string> {
    return new Set(this.cards.keys());
  }

  /** Posts of the app that Slack was asked for, whether or not it took them. */
  posts(): number {
    return this.workspace.bytesFromApp().filter(({ origin }: SentByApp) => origin === 'chat.postMessage').length;
  }

  /**
   * Compares the cards with the ledger, action by action. Returns their disagreements, in words.
   * An action has one card at most in a place. The mark of its state is on the card or, if Slack kept refusing to
   * update it, in its thread. An action that waits for a person has a card.
   */
  disagreements(actions: readonly LedgerAction[]): string[] {
    const found: string[] = [];
    for (const { id, state } of actions) {
      const mark = MARKS[state] ?? '?';
      const standing = [...(this.cards.get(id) ?? [])].flatMap((ts) => this.workspace.message(ts) ?? []);
      for (const channel of new Set(standing.map((card) => card.channel))) {
        const here = standing.filter((card) => card.channel === channel).length;
        // An approver gets a direct message, and one reminder.
        if (here > (channel.startsWith('D') ? 2 : 1)) found.push(`${id} has ${here} cards in ${channel}`);
      }
      if (standing.length === 0 && state === 'pending') found.push(`${id} waits for a person without a card`);
      for (const card of standing) {
        const said = [card, ...this.workspace.messages(card.channel, { threadTs: card.ts })].map(headerOf);
        if (!said.some((text) => text.startsWith(mark)))
          found.push(`${id} is ${state}, its card shows "${headerOf(card)}"`);
        if (state !== 'pending' && JSON.stringify(card.blocks).includes('sb_confirm') && said.length === 1)
          found.push(`${id} is ${state}, its card still asks`);
      }
    }
    for (const id of this.cards.keys())
      if (!actions.some((action) => action.id === id)) found.push(`a card is about ${id}, which is no action`);
    return found;
  }

  private note(): void {
    for (const channel of this.workspace.state.channels.keys())
      for (const message of this.workspace.messages(channel)) {
        if (message.ephemeralTo !== undefined) continue;
        const id = message.blocks.map((block) => /^card:(.+)$/.exec(String(block.block_id))?.[1]).find(Boolean);
        if (id === undefined) continue;
        this.cards.set(id, (this.cards.get(id) ?? new Set()).add(message.ts));
      }
  }
}

/** The header of a card, or its first line if it has none: a reminder becomes one line when its action ends. */
function headerOf({ blocks }: Message): string {
  const header = blocks.find((block) => block.type === 'header')?.text as { text?: unknown } | undefined;
  if (header) return String(header.text);
  const [line] = (blocks[0]?.elements ?? []) as { elements?: { text?: unknown }[] }[];
  return (line?.elements ?? []).map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}
