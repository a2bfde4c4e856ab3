import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { eventOperations, subscribableEvents } from '../../tools/events.ts';
import type { Actor } from '../actor.ts';
import { systemClock } from '../clock.ts';
import { ConfigError, loadConfig } from '../config.ts';
import { openRegistrations, runSync } from '../events/sync.ts';
import { hasCredentials, NO_CREDENTIALS } from '../lib/url.ts';
import { openRuntime } from '../runtime.ts';

/** `switchboard webhooks sync --url PUBLIC_URL`: registers us with the platform. Shows the plan, asks, carries it out. */
export async function runWebhooks(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      account: { type: 'string' },
      route: { type: 'string', multiple: true, default: [] },
      yes: { type: 'boolean', default: false },
    },
  });
  const config = loadConfig();
  const url = values.url ?? config.PUBLIC_URL;
  if (
    positionals[0] !== 'sync' ||
    url === undefined ||
    !URL.canParse(url) ||
    !/^https?:$/.test(new URL(url).protocol)
  ) {
    throw new ConfigError(
      'switchboard webhooks sync --url https://your.host [--account AID-…] [--route MRID-… …] [--yes]\n--url (or PUBLIC_URL) is how the platform reaches this server.',
    );
  }
  if (hasCredentials(url)) throw new ConfigError(`--url ${NO_CREDENTIALS}`);
  const runtime = await openRuntime(config, { pageUrl: () => undefined });
  const registrations = openRegistrations({ path: runtime.file('events.db'), seal: runtime.seal, clock: systemClock });
  const actor: Actor = {
    id: `cli:${config.user}`,
    name: config.user,
    role: 'approver',
    surface: 'cli',
    priority: 'person',
  };
  const account = values.account ?? config.PLATFORM_ACCOUNT_ID;
  try {
    const outcome = await runSync({
      url,
      operations: eventOperations.sync,
      events: subscribableEvents,
      messageRoutes: values.route,
      ...(account === undefined ? {} : { accountId: account }),
      registrations,
      show: (lines) => process.stderr.write(`${lines.join('\n')}\n`),
      ask: () => agreed(values.yes),
      // The person has said yes to the whole plan, which names every step.
      perform: async (operation, input) => {
        const done = await runtime.door.perform(operation, input, actor, { ask: async () => 'accept' });
        return done.kind === 'done' ? done.value : {};
      },
    });
    process.stdout.write(`${JSON.stringify(outcome, null, 2)}\n`);
    return outcome.kind === 'done' ? 0 : outcome.kind === 'declined' ? 3 : 1;
  } finally {
    registrations.close();
    await runtime.close();
  }
}

async function agreed(yes: boolean): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) {
    process.stderr.write('Nothing was done: run it on a terminal, or add --yes.\n');
    return false;
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question('Do this? [y/N] ')).trim());
  } finally {
    prompt.close();
  }
}
