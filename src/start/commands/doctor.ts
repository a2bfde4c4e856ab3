import { errorWords } from '../../language/outcome.ts';
import { type Config, ConfigError } from '../../lib/config.ts';
import { hasColours, type Style, styleOf } from '../../lib/log.ts';
import { onTerminal } from '../../surfaces/cli/table.ts';
import * as checks from '../doctor/checks.ts';
import { checkSlack } from '../doctor/slack.ts';
import { readSettingsQuietly } from '../settings.ts';

const CHECKS: readonly (readonly [name: string, check: checks.Check])[] = [
  ['settings', checks.checkSettings],
  ['approvers', checks.checkConfirmations],
  ['data', checks.checkData],
  ['database', checks.checkStorage],
  ['proxy', checks.checkProxies],
  ['platform', checks.checkPlatform],
  ['slack', checkSlack],
  ['assistant', checks.checkAssistant],
  ['oauth', checks.checkOAuth],
  ['server', checks.checkServer],
];

/** Width of `ok  `, `warn` and `FAIL` before each line. */
const MARK = 4;
const COLOURS: Readonly<Record<checks.Verdict, keyof Style>> = { ok: 'green', warn: 'yellow', FAIL: 'red' };

/** `switchboard doctor`: prints one line for each check, and returns 1 if one fails. It changes nothing. */
export async function doctor(): Promise<number> {
  const style = styleOf(hasColours(process.stdout));
  let failed = false;
  const say = (verdict: checks.Verdict, what: string, detail: string) => {
    failed ||= verdict === 'FAIL';
    const line = onTerminal(`${verdict.padEnd(MARK)} ${what}: ${detail}`, process.stdout, MARK);
    process.stdout.write(`${style[COLOURS[verdict]](line.slice(0, MARK))}${line.slice(MARK)}\n`);
  };
  let config: Config;
  try {
    config = readSettingsQuietly();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const line of error.message.split('\n')) say('FAIL', 'settings', line);
    return 1;
  }
  for (const [name, check] of CHECKS) {
    try {
      for await (const [verdict, detail, what = name] of check(config)) say(verdict, what, detail);
    } catch (error) {
      say('FAIL', name, errorWords(error));
    }
  }
  return failed ? 1 : 0;
}
