import { isDeepStrictEqual } from 'node:util';
import { questionText } from '../../cards/card.ts';
import { questionCard } from '../../cards/question.ts';
import { Registrations, runSync, type SyncOutcome } from '../../events/sync.ts';
import { approvalOf, terminalDecides } from '../../gate/approval.ts';
import type { Ask, Performed, Previewed } from '../../gate/confirmation.ts';
import { deciderOf } from '../../gate/decisions.ts';
import { clean } from '../../language/show.ts';
import { changeOf } from '../../ledger/action.ts';
import { REACH_MS } from '../../lib/clock.ts';
import { ConfigError } from '../../lib/config.ts';
import { SwitchboardError } from '../../lib/errors.ts';
import { defined, type Fields, hasSpaces, NO_SPACES, plainUrl } from '../../lib/values.ts';
import { readArguments, wrongUsage } from '../../surfaces/cli/flags.ts';
import { agreed, type CallIo } from '../../surfaces/cli/io.ts';
import { fitted, onTerminal } from '../../surfaces/cli/table.ts';
import { closing } from '../installation.ts';
import { openRuntime } from '../runtime.ts';
import { readSettings } from '../settings.ts';
import { localActor, quieted } from './call.ts';

const USAGE = 'switchboard webhooks sync --url URL [--account AID-…] [--route MRID-… …] [--force] [--yes]';

const OPTIONS = {
  url: { type: 'string' },
  account: { type: 'string' },
  route: { type: 'string', multiple: true },
  force: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
} as const;

type Terminal = Pick<CallIo, 'stdin' | 'stdout' | 'stderr'>;

/**
 * `switchboard webhooks sync`: registers this server for the platform's events. Shows the plan, asks, and carries it
 * out. A change that is another one by the time it is its turn is not sent.
 */
export async function runWebhooks(args: string[], io: Terminal = process): Promise<number> {
  const { values, positionals } = readArguments(args, USAGE, OPTIONS, true);
  const config = readSettings();
  const typed = urlOf(positionals, values.url ?? config.PUBLIC_URL);
  if (hasSpaces(typed)) throw new ConfigError(`--url ${NO_SPACES}`);
  const url = plainUrl(typed);
  // The person agrees to several calls at once, so the decision cannot be left to another surface.
  if (!terminalDecides(approvalOf(config)))
    throw new SwitchboardError({
      code: 'not_confirmed',
      message: 'webhooks sync is confirmed on the terminal, and CONFIRM_VIA or CONFIRM_TWO_PERSON does not allow that.',
      effect: 'nothing_sent',
      next: 'An administrator of this installation can run it with CONFIRM_VIA=terminal and CONFIRM_TWO_PERSON=false for this one command.',
      outcome: 'not_done',
    });
  const actor = localActor(config.user);
  const shown = new Map<Fields, Previewed>();
  return closing(await openRuntime(quieted(config), { reachMs: REACH_MS }), async (runtime) => {
    const answerOf = (done: Performed) => {
      if (done.kind === 'done') return done.value;
      throw new Error(`it waits for ${runtime.gate.whoCan(actor)} (${done.confirmation.id})`);
    };
    const outcome = await runSync({
      url,
      messageRoutes: values.route ?? [],
      ...defined({ namedAccountId: values.account, accountId: values.account ?? config.PLATFORM_ACCOUNT_ID }),
      registrations: new Registrations(runtime.store, runtime.seal),
      platform: runtime.platformUrl,
      force: values.force,
      show: (lines) => io.stderr.write(`${onTerminal(lines.join('\n'), io.stderr, 3)}\n`),
      ask: async (steps) => {
        for (const { operation, input } of steps) {
          const question = await runtime.gate.preview(operation, input, actor);
          shown.set(input, question);
          const text = questionText(questionCard(runtime.gate.tool(operation), question));
          io.stderr.write(`\n${fitted(clean(text), io.stderr.columns || 80)}\n\n`);
        }
        return agreed(steps.length === 1 ? 'Do this?' : 'Do all of this?', values.yes, io);
      },
      read: async (operation, input) => answerOf(await runtime.gate.perform(operation, input, actor)),
      // The person has agreed to the changes as they were shown. Another one is not sent.
      perform: async (operation, input) => {
        let isOther = false;
        const ask: Ask = async (action) => {
          const seen = shown.get(input);
          isOther = seen === undefined || !isDeepStrictEqual(changeOf(action), changeOf(seen));
          return isOther ? 'cancel' : 'accept';
        };
        const decider = deciderOf(actor, 'terminal');
        return answerOf(
          await runtime.gate.perform(operation, input, actor, { ask, decider }).catch((error: unknown) => {
            throw isOther ? new Error(CHANGED) : error;
          }),
        );
      },
    });
    tell(outcome, url, io);
    return outcome.kind === 'done' ? 0 : outcome.kind === 'declined' ? 3 : 1;
  });
}

/**
 * Returns the URL at which the platform reaches this server. Throws ConfigError if the arguments are not those of
 * `sync`.
 */
function urlOf([verb, extra]: readonly string[], url: string | undefined): string {
  if (verb === undefined) throw wrongUsage('The command sync is missing.', USAGE);
  if (verb !== 'sync') throw wrongUsage(`${verb} is not a command of webhooks. The command is sync.`, USAGE);
  if (extra !== undefined) throw wrongUsage(`${extra} is one word too many.`, USAGE);
  const missing = '--url (or PUBLIC_URL) is missing: how the platform reaches this server.';
  if (url === undefined) throw wrongUsage(missing, USAGE);
  return url;
}

const CHANGED =
  'Its record has changed since it was shown, so nothing was sent. Run it again to agree to the change as it is now.';

/** Prints the outcome: as JSON to a pipe, and as text on a terminal, which shows the plan above it. */
function tell(outcome: SyncOutcome, url: string, { stdout }: Terminal): void {
  if (!stdout.isTTY) stdout.write(`${JSON.stringify(outcome, null, 2)}\n`);
  else if (outcome.kind === 'failed') {
    const steps = outcome.failed.map(({ why, reason }) => `Not done: ${why} ${reason}\n`);
    stdout.write(
      `${steps.join('')}${outcome.done.length === 0 ? 'Nothing was done.' : 'The other steps were done; run it again for the rest.'}\n`,
    );
  } else if (outcome.kind === 'done' && outcome.done.length > 0)
    stdout.write(`Done. The platform delivers its events to ${url} from now on.\n`);
}
