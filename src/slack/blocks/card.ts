import type { Action, State } from '../../ledger/ledger.ts';
import { activationsIn, withoutActivation } from '../../lib/activation.ts';
import { isGated, type Tool } from '../../operation.ts';
import { rowsOf } from '../../words/show.ts';
import { IDS } from '../ids.ts';
import type { Said } from '../said.ts';
import type { Elsewhere } from '../types.ts';
import { pairLines, values } from './result.ts';
import {
  actions,
  type Block,
  button,
  cut,
  type Element,
  escaped,
  header,
  line,
  lines,
  type Message,
  quote,
  rich,
  say,
  shortDate,
  small,
} from './text.ts';

/** The states of an action at a glance: a mark and a word, so that colour and shape do not matter. */
export const MARKS: Readonly<Record<State, { mark: string; word: string }>> = {
  pending: { mark: '🔐', word: 'Waiting for a person' },
  confirmed: { mark: '⏳', word: 'Running' },
  in_flight: { mark: '⏳', word: 'Running' },
  done: { mark: '✅', word: 'Done' },
  failed: { mark: '❌', word: 'Failed' },
  unknown: { mark: '❓', word: 'Outcome unknown' },
  declined: { mark: '🚫', word: 'Declined' },
  expired: { mark: '⌛', word: 'Expired' },
};

/** What was asked for is done; an order that was placed by it goes on at the platform. */
export function markOf(action: Action): { mark: string; word: string } {
  const status = action.result?.OrderStatus ?? action.result?.Status;
  return action.state === 'done' && status === 'Submitted'
    ? { mark: '✅', word: 'Done (order submitted)' }
    : MARKS[action.state];
}

export interface CardContext {
  /** What the operation is; undefined for one the catalogue no longer has. */
  tool: Tool | undefined;
  /** Slack id of who asked, where they asked in Slack. */
  asker?: string;
  /** Whom it concerns. */
  customer?: string;
  /** Words for this surface. */
  said: Said;
  /** Set where Slack may not confirm: where to go instead. */
  elsewhere?: Elsewhere | undefined;
}

const MAX_PAIRS = 24;

/** The durable message of an action that a person confirms. A pure picture of the ledger's record. */
export function actionCard(action: Action, context: CardContext): Message {
  const title = titleOf(action, context.tool);
  const { mark, word } = markOf(action);
  const head = action.state === 'pending' ? `${mark} ${title}` : `${mark} ${word}: ${title}`;
  const body = action.state === 'pending' ? pendingBody(action, context) : settledBody(action, context);
  return {
    text: cut(escaped(action.state === 'pending' ? `${title}: waiting for a person` : head), 3000),
    blocks: [header(head), ...body],
  };
}

/** The eSIM's activation code of an answer, for whoever asked or confirmed, and only for them. */
export function activationMessage(value: Record<string, unknown>): Message | undefined {
  const found = Object.entries(activationsIn(value));
  if (found.length === 0) return undefined;
  return {
    text: 'The eSIM’s activation code, shown only to you.',
    blocks: [
      say('🔑 Shown only to you: whoever has it can load this SIM.'),
      ...found.map(([name, code]) => say(rich.bold(name), '  ', rich.code(cut(code, 1000)))),
    ],
  };
}

export function titleOf(action: Action, tool: Tool | undefined): string {
  return action.consent?.title ?? tool?.title ?? action.operation;
}

function pendingBody(action: Action, context: CardContext): Block[] {
  const { consent } = action;
  const blocks: Block[] = [];
  if (context.customer) blocks.push(say(rich.bold('Customer'), '  ', cut(context.customer, 500)));
  if (consent) {
    blocks.push(
      lines([
        [rich.bold('What happens'), '  ', ...amounts(context.said(consent.consequence))],
        ...(consent.undo === '' ? [] : [[rich.bold('Undo'), '  ', ...amounts(context.said(consent.undo))]]),
      ]),
    );
    if (consent.statement) {
      blocks.push(say(rich.bold('By confirming you give this consent')), quote(rich.text(consent.statement)));
    }
  }
  const given = details(action.shown);
  if (given) blocks.push(given);
  blocks.push(
    small(`Asked by ${askerOf(action, context)} · confirm by ${shortDate(action.expiresAt)}, then it expires`),
  );
  blocks.push(decision(action, context));
  return blocks;
}

/** Says where to confirm when that is not Slack. */
export function confirmElsewhere({ url }: Elsewhere): Block {
  return say(
    'Confirm or decline it on the confirmation page; it cannot be decided in Slack. ',
    ...(url === undefined ? [] : [{ type: 'link', url, text: 'Open the page' }]),
  );
}

/** The two buttons. The first names the act; Slack's own dialog stands in front of it. */
export function decision(action: Action, { tool, said, elsewhere }: CardContext, where = 'card'): Block {
  if (elsewhere) return confirmElsewhere(elsewhere);
  const yes = action.consent?.confirm ?? 'Confirm';
  const style = tool?.risk === 'spend' ? 'primary' : 'danger';
  const { consent } = action;
  return actions(
    `${where}:${action.id}`,
    button(IDS.confirm, yes, action.id, {
      style,
      confirm: {
        title: titleOf(action, tool),
        text: consent ? said(`${consent.consequence} ${consent.undo}`) : 'This is sent at once.',
        yes,
      },
    }),
    button(IDS.decline, 'Decline', action.id),
  );
}

function settledBody(action: Action, context: CardContext): Block[] {
  const blocks: Block[] = [];
  const who = action.decidedBy;
  const via = action.decidedVia && action.decidedVia !== 'slack' ? ` (${action.decidedVia})` : '';
  const at = action.decidedAt;
  const when = at === undefined ? '' : ` ${shortDate(at)}`;
  switch (action.state) {
    case 'confirmed':
    case 'in_flight':
      blocks.push(say('Confirmed and running. This card will say how it ends.'));
      break;
    case 'declined':
      blocks.push(
        say(
          action.decidedVia === 'cancelled'
            ? 'Whoever asked went away, so it was voided.'
            : `Declined by ${who ?? 'a person'}${via}.`,
          ' Nothing was sent.',
        ),
      );
      break;
    case 'expired':
      blocks.push(say('Nobody confirmed it in time. Nothing was sent; ask for it again if it is still wanted.'));
      break;
    case 'failed':
      blocks.push(say(rich.text(context.said(action.error?.message ?? 'It failed.'))));
      break;
    case 'unknown':
      blocks.push(
        say(
          rich.bold('It may have been done.'),
          ' ',
          rich.text(context.said(action.error?.message ?? '')),
          ' Do not ask for it again before you have checked.',
        ),
      );
      break;
    default: {
      // A channel reads this card.
      const result = action.result && details(withoutActivation(action.result));
      if (result) blocks.push(result);
    }
  }
  const given = details(action.shown);
  if (given && action.state !== 'done') blocks.push(given);
  if (context.customer) blocks.push(say(rich.bold('Customer'), '  ', cut(context.customer, 500)));
  const confirmed =
    who && !['declined', 'expired'].includes(action.state)
      ? ` · confirmed by ${escaped(who)}${escaped(via)}${when}`
      : '';
  const ended =
    action.finishedAt === undefined
      ? ''
      : ` · ${action.state === 'expired' ? 'expired' : 'ended'} ${shortDate(action.finishedAt)}`;
  const log = action.error?.transactionLogId ? ` · log id \`${escaped(action.error.transactionLogId)}\`` : '';
  blocks.push(small(`Asked by ${askerOf(action, context)}${confirmed}${ended}${log}`));
  if (action.state === 'unknown') blocks.push(whatBecame(action));
  return blocks;
}

/** Reading may find it out; otherwise a person looks, and says so. */
function whatBecame(action: Action): Block {
  const sure = (yes: string, text: string) => ({ confirm: { title: 'Have you looked?', text, yes } });
  return actions(
    `check:${action.id}`,
    button(IDS.check, 'Check now', action.id),
    button(
      IDS.wasDone,
      'It was done',
      action.id,
      sure(
        'It was done',
        'You have seen at the platform, or heard from the customer, that it was done. It is closed as done.',
      ),
    ),
    button(
      IDS.wasNot,
      'It was not done',
      action.id,
      sure(
        'It was not done',
        'You have seen that it was not done. It is closed, and may be asked for again without a warning.',
      ),
    ),
  );
}

/** Everything given or answered, one line each; what is too long for a card is counted. */
function details(record: Record<string, unknown>): Block | undefined {
  const shown = rowsOf(record);
  const pairs: [string, string][] = [...shown.pairs];
  for (const table of shown.tables) {
    const cells = table.rows.slice(0, 10).map((row) => row.filter((cell) => cell !== '').join(' · '));
    const more = table.rows.length > 10 ? ` … ${table.rows.length - 10} more` : '';
    pairs.push([table.title, `${cells.join(', ')}${more}`]);
  }
  const kept = pairs.slice(0, MAX_PAIRS).map(([name, text]): [string, string] => [name, cut(text, 500)]);
  if (pairs.length > kept.length) kept.push(['More', `${pairs.length - kept.length} more values`]);
  return kept.length === 0 ? undefined : pairLines(kept);
}

function askerOf(action: Action, { asker }: CardContext): string {
  if (asker) return `<@${asker}>`;
  return `${escaped(action.actorName)} over ${escaped(action.surface)}`;
}

/** What it costs stands out. */
function amounts(text: string): Element[] {
  return text
    .split(/(\d+(?:\.\d+)? USD)/)
    .filter((piece) => piece !== '')
    .map((piece) => (/^\d.* USD$/.test(piece) ? rich.bold(piece) : rich.text(piece)));
}

/** One line of a list of actions. */
export function actionLine(action: Action, tool: Tool | undefined): Element[] {
  const { mark, word } = markOf(action);
  const by = action.decidedBy
    ? `, ${action.state === 'declined' ? 'declined' : 'confirmed'} by ${action.decidedBy}`
    : '';
  const target = tool && isGated(tool) ? [] : subject(action);
  return [
    rich.text(`${mark} ${titleOf(action, tool)} `),
    ...target,
    rich.text(` ${word.toLowerCase()}${by}, `),
    rich.date(action.updatedAt),
  ];
}

/** The first number or id of an input: what the action is about. */
function subject(action: Action): Element[] {
  const found = rowsOf(action.shown).pairs.find(([, text]) => /^(\+\d{7,15}|[A-Z]{2,7}-\S+)$/.test(text));
  return found ? values(found[1]) : [];
}

/** Several lines of actions as one block. */
export function actionList(found: readonly { action: Action; tool: Tool | undefined }[]): Block {
  return {
    type: 'rich_text',
    elements: [
      line(
        ...found.flatMap(({ action, tool }, i) =>
          i === 0 ? actionLine(action, tool) : ['\n', ...actionLine(action, tool)],
        ),
      ),
    ],
  };
}
