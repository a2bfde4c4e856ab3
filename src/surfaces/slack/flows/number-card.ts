import { type CardAction, headlineOf } from '../../../cards/card.ts';
import type { ActionId } from '../../../cards/labels.ts';
import { lineOf } from '../../../cards/line-of.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { lookups } from '../../../language/typed-values.ts';
import type { Actor } from '../../../lib/actor.ts';
import type { Fields } from '../../../lib/json.ts';
import { buttonsOf, draw } from '../blocks/fitting.ts';
import { actions, cut, escaped, header, type Message } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { SLACK_ACTOR } from '../types.ts';
import { hasGuard } from './guard.ts';

/** Buttons in the row of the next steps. */
const MAX_STEPS = 5;
/** Drawn at the end of the card. */
const LAST: readonly ActionId[] = ['moreSteps', 'page', 'share'];
/** Slack accepts 50 blocks in a message. */
const MAX_BLOCKS = 50;

/** The reader of a card. */
export interface CardReader {
  /** Chooses the buttons; undefined for a card without buttons. */
  actor?: Actor;
  /** Handle of the stored answer; empty for a card without buttons; undefined while the answer is incomplete. */
  handle?: string;
}

/** The card of a looked-up number; undefined for other operations. */
export async function cardOf(
  slack: SlackContext,
  job: { tool: Tool; input: Fields },
  value: Fields,
  { actor, handle }: CardReader,
): Promise<Message | undefined> {
  const field = lookupField(slack, job.tool);
  const asked = field && job.input[field];
  if (typeof asked !== 'string') return undefined;
  const { gate, tools, groups, records } = slack;
  const card = await lineOf(gate, value, {
    ...{ tools, groups, records, asked, actor, handle, own: SLACK_ACTOR, hasGuard: hasGuard(tools) },
    ...{ isPart: handle === undefined, isShared: handle === '' },
  });
  const { phone } = card;
  const rowOf = (name: string, offered: readonly CardAction[]) => {
    const buttons = buttonsOf(offered);
    return buttons.length === 0 ? [] : [actions(`${name}:${phone}`, ...buttons.slice(0, MAX_STEPS))];
  };
  const isLast = ({ id }: CardAction) => LAST.includes(id);
  const steps = card.actions.filter((one) => !isLast(one));
  const drawn = draw(card, { buttons: rowOf('next', steps), head: [header(headlineOf(card))] });
  const blocks = [...drawn.blocks, ...rowOf('more', card.actions.filter(isLast))];
  return { text: cut(escaped(headlineOf(card)), 300), blocks: blocks.slice(0, MAX_BLOCKS) };
}

/** The phone field of an operation that is the lookup of its group. */
export function lookupField({ tools, groups }: SlackContext, tool: Tool): string | undefined {
  return lookups(tools, groups).find((lookup) => lookup.tool.id === tool.id)?.field;
}
