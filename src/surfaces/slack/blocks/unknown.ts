import type { Tool } from '../../../catalogue/operation.ts';
import { isPaid } from '../../../gate/charges.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { WEEK_MS } from '../../../lib/clock.ts';
import type { Words } from '../../../lib/words.ts';
import { IDS } from '../ids.ts';
import type { Reworder } from '../types.ts';
import { actions, type Block, button, rich, say, sentence } from './text.ts';

/** Describes what an unknown outcome waits for, until when, and how to resolve it. */
export function unknownLine(
  { sentAt }: Pick<Action, 'sentAt'>,
  detail: Words,
  { tool, reworded }: { tool: Tool | undefined; reworded: Reworder },
): Block {
  const why = reworded(detail);
  // The platform is read by itself for a week after the call (`gate/observed.ts`).
  const until = sentAt === undefined ? '' : ` until ${new Date(sentAt + WEEK_MS).toISOString()}`;
  const next = tool?.reconcile
    ? `It waits until the platform shows what happened, and is read again by itself${until}. “Check now” reads the platform and shows what happened.`
    : 'It waits for a person. Look on the platform, then press “It was done” or “It was not done”.';
  return say(rich.bold('It may have been done.'), ' ', ...sentence(why === '' ? next : `${why} ${next}`));
}

/** Buttons that resolve an unknown outcome, by reading the platform or by the answer of a person who has checked. */
export function resolveButtons(action: Action): Block {
  const sure = (yes: string, text: string) => ({ confirm: { title: 'Have you checked?', text, yes } });
  return actions(
    `check:${action.id}`,
    button(IDS.check, 'Check now', action.id),
    button(
      IDS.wasDone,
      'It was done',
      action.id,
      sure(
        'It was done',
        'You have seen on the platform, or heard from the customer, that it was done. The action is closed as done.',
      ),
    ),
    button(
      IDS.wasNot,
      'It was not done',
      action.id,
      sure(
        'It was not done',
        `You have seen that it was not done${isPaid(action) ? ' and not charged' : ''}. The action is closed and can be requested again without a warning.`,
      ),
    ),
  );
}
