import type { BuilderStep } from '../../../../tools/surfaces/builder-steps.ts';
import { isUndecided, isWithdrawn } from '../../../gate/approval.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import { clean } from '../../../language/show.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Fields, recordOf, scalarText } from '../../../lib/json.ts';
import { joined } from '../../../lib/words.ts';
import { titleOf } from '../blocks/card.ts';
import type { SlackContext } from '../context.ts';
import { cardAt } from '../types.ts';
import { type ASK_WORDS, outputsOf, type READ_WORDS } from './definitions.ts';

/* The outputs of steps: plain texts, for the messages and branches of a workflow. */

type AskWord = (typeof ASK_WORDS)[number];
export type StepWord = AskWord | (typeof READ_WORDS)[number];

/** Longest output, in characters. */
const MOST = 1_000;

/** The end of a step. */
export interface StepEnd {
  status: StepWord;
  message: string;
  /** The answer of the operation. */
  value?: Fields | undefined;
  more?: Readonly<Record<string, string | undefined>>;
}

/** Every output of the step. Those without a value are empty, because a workflow may use them. */
export function outputs(slack: SlackContext, step: BuilderStep, { status, message, value, more }: StepEnd): Fields {
  const values: Readonly<Record<string, string | undefined>> = {
    ...Object.fromEntries(Object.entries(step.answers).map(([name, { from }]) => [name, firstOf(value ?? {}, from)])),
    ...more,
    status,
    message,
  };
  return Object.fromEntries(outputsOf(step, slack.tools).map(({ name }) => [name, plain(values[name] ?? '')]));
}

/** A text that means nothing to Slack: a workflow may put it into a message, and a name may look like a mention. */
function plain(text: string): string {
  const harmless = clean(text).replaceAll('<', '‹').replaceAll('>', '›');
  return [...harmless].slice(0, MOST).join('');
}

/** The end of a step by its action. An action that is still pending means that the time of the step is over. */
export async function endOfAction(slack: SlackContext, action: Action): Promise<StepEnd> {
  const { gate, web, reworded } = slack;
  const tool = gate.tool(action.operation);
  const at = cardAt(action);
  const { headline, detail } = outcomeOf(action, tool);
  const still = 'The time of this step is over, and the change still waits for an approver.';
  const words = action.state === 'pending' ? still : reworded(joined([`${headline}.`, detail]));
  return {
    status: wordOf(action),
    message: `${titleOf(action, tool)}: ${words}`,
    value: action.result,
    more: {
      decided_by: gate.confirmation(action).decidedBy,
      operation_id: action.id,
      link: (at && (await web.permalink(at))) ?? gate.pageUrl(action.id),
    },
  };
}

function wordOf(action: Action): AskWord {
  const { state } = action;
  switch (state) {
    case 'declined':
      return isUndecided(action) || isWithdrawn(action) ? 'withdrawn' : 'declined';
    // It waits for another requester.
    case 'pending':
      return 'expired';
    case 'confirmed':
    case 'in_flight':
      return 'unknown';
    default:
      return state;
  }
}

/** The first member that has a value, by path. */
function firstOf(value: Fields, paths: readonly string[]): string | undefined {
  const found = paths.map((path) => path.split('.').reduce<unknown>((part, name) => recordOf(part)[name], value));
  return found.map(scalarText).find((text) => text !== '');
}
