import { questionCard } from '../../../cards/question.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { type Performed, statusOf } from '../../../gate/gate.ts';
import { SLACKBOT_BLOCKS, SLACKBOT_TYPES, type SlackbotPerson } from '../../../language/assistants/listed.ts';
import { errorOutcome, failureWords, partlyOutcome } from '../../../language/outcome.ts';
import { levelOfAction } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Actor } from '../../../lib/actor.ts';
import type { Failure } from '../../../lib/errors.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { actionMessage, confirmElsewhere, titleOf } from '../blocks/card.ts';
import { draw, wholeButton } from '../blocks/fitting.ts';
import { withoutSecrets } from '../blocks/form-values.ts';
import { resultMessage } from '../blocks/result.ts';
import { actions, type Block, type Element, notice, refusalMessage, rich, say, small } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { linkTo } from '../flows/engine.ts';
import { cardOf } from '../flows/number-card.ts';
import { failureNotice } from '../flows/run.ts';
import { askerNotes, elsewhereOf, type Origin } from '../types.ts';
import type { SlackSignatures } from './receiver.ts';

type Done = Extract<Performed, { kind: 'done' }>;

/**
 * Retry delay while Slack does not return roles. A lookup is repeated after ten seconds, but the text says a minute.
 */
const RETRY_SECONDS = 60;

/** The outcome of a call. */
type Outcome =
  | { kind: 'done'; operation: string; input: Fields; done: Done }
  | { kind: 'pending'; action: string }
  | { kind: 'action'; action: string }
  | { kind: 'failed'; operation?: string; error: Failure };

/** Blocks for Slackbot, and a sentence for it to say. */
interface Presented {
  blocks: Block[];
  text?: string;
}

/**
 * Calls of tools that Slackbot makes over MCP for a person. Finds the person's role and presents answers as blocks. The
 * blocks have no buttons, because elements of an app do nothing in Slackbot. People confirm on the card that the app
 * posts.
 */
export class SlackbotCalls {
  readonly signatures: SlackSignatures;
  readonly #slack: SlackContext;

  constructor(slack: SlackContext, signatures: SlackSignatures) {
    this.#slack = slack;
    this.signatures = signatures;
  }

  /** The person with the identity and role that they have in commands, or a refusal. */
  async admit({
    userId,
    teamId,
    channel,
  }: SlackbotPerson): Promise<
    | { actor: Actor; answers: { notes: Fields; present(outcome: Outcome): Promise<Presented> } }
    | { refused: { text: string; blocks: Block[]; retryAfterSeconds?: number } }
  > {
    const origin: Origin = { userId, teamId, ...defined({ channel }) };
    const member = await this.#slack.roles.membership(origin);
    if ('refused' in member) {
      const { blocks } = refusalMessage(member.refused);
      const retry = member.unread ? { retryAfterSeconds: RETRY_SECONDS } : {};
      return { refused: { text: plainText(member.refused), blocks, ...retry } };
    }
    const { actor, zone } = member;
    const notes = { slack: { ...askerNotes(origin).slack, slackbot: true } };
    const present = async (outcome: Outcome) => {
      const { blocks, text } = await this.#present(outcome, zone);
      // Slackbot drops all blocks of a result if it does not accept one of them.
      const accepted = blocks.filter(({ type }) => SLACKBOT_TYPES.has(String(type))).slice(0, SLACKBOT_BLOCKS);
      return { blocks: accepted, ...defined({ text }) };
    };
    return { actor, answers: { notes, present } };
  }

  async #present(outcome: Outcome, zone: string | undefined): Promise<Presented> {
    const { gate, reworded } = this.#slack;
    if (outcome.kind === 'done') return this.#done(outcome, zone);
    if (outcome.kind === 'failed') {
      const { operation = '', error } = outcome;
      const tool = gate.tool(operation);
      const { mark } = errorOutcome(error);
      const { blocks } = tool
        ? failureNotice(this.#slack, tool, error)
        : notice(mark, reworded(failureWords(error, 'slack')));
      return { blocks };
    }
    const action = await gate.actions.get(outcome.action);
    if (!action) return { blocks: [] };
    if (outcome.kind === 'pending' || statusOf(action.state) === 'pending') return this.#pending(action);
    const { blocks } = actionMessage(action, { tool: gate.tool(action.operation), reworded, timeZone: gate.timeZone });
    return { blocks };
  }

  async #done({ operation, input, done }: Extract<Outcome, { kind: 'done' }>, zone?: string): Promise<Presented> {
    const slack = this.#slack;
    const tool = slack.gate.tool(operation);
    if (!tool) return { blocks: [] };
    // An empty handle: the whole card, and no buttons that would need a stored answer.
    const card = await cardOf(slack, { tool, input }, done.value, { handle: '' });
    if (card) return { blocks: card.blocks };
    const result = {
      title: tool.title,
      value: done.value,
      changed: tool.risk !== 'read',
      ...(done.partly ? { partly: partlyOutcome(done.partly, done.value) } : {}),
      mismatched: done.mismatched,
      asked: withoutSecrets(fieldsOf(tool), input),
      timeZone: slack.gate.timeZone,
    };
    return { blocks: resultMessage(result, { assistant: true, ...defined({ zone }) }).blocks };
  }

  /** The waiting action, and the place of its card. */
  async #pending(action: Action): Promise<Presented> {
    const slack = this.#slack;
    const at = await slack.cards.ensure(action.id);
    const tool = slack.gate.tool(action.operation);
    const elsewhere = elsewhereOf(slack.gate, action.id);
    const link = await linkTo(slack, at);
    const who = levelOfAction(action) === 'own' ? 'an operator' : 'an approver';
    const { blocks, cuts } = draw(questionCard(tool, action), { reworded: slack.reworded });
    const place = !at
      ? "in the app's Home"
      : at.channel.startsWith('D')
        ? "on a card in your direct messages with the app, or in the app's Home"
        : 'on a card in Slack';
    const isShared = at !== undefined && !at.channel.startsWith('D');
    const where = say(
      `It is ${place}. `,
      ...(isShared ? [rich.channel(at.channel), ' '] : []),
      ...(link ? [link] : []),
    );
    return {
      blocks: [
        say('🔐 ', rich.bold(titleOf(action, tool)), ` waits for ${who}. Nothing has been sent.`),
        ...blocks,
        ...(cuts.length === 0 ? [] : [actions(`whole:${action.id}`, wholeButton(action.id))]),
        elsewhere ? confirmElsewhere(elsewhere) : where,
        small('Allowing the tool in Slackbot, once or always, does not confirm this.'),
      ],
      text: `It waits for ${who} ${elsewhere ? 'on the confirmation page' : place}. Nothing has been sent. Allowing the tool in Slackbot does not confirm it.`,
    };
  }
}

/** Elements as text; mentions as their ids. */
function plainText(elements: readonly Element[]): string {
  return elements.map(({ text, user_id: user, usergroup_id: group }) => String(text ?? user ?? group ?? '')).join('');
}
