import { type Config, ConfigError } from '../../lib/config.ts';
import { checkConfirmations } from '../doctor/confirmations.ts';
import { checkAssistant } from '../doctor/model.ts';
import { checkPlatform } from '../doctor/platform.ts';
import { checkProxies } from '../doctor/proxies.ts';
import { Report } from '../doctor/report.ts';
import { checkServer } from '../doctor/server.ts';
import { checkSettings } from '../doctor/settings.ts';
import { checkSlack } from '../doctor/slack.ts';
import { checkData, checkStorage } from '../doctor/storage.ts';
import { checkOAuth } from '../oauth/check.ts';
import { readSettingsQuietly } from '../settings.ts';

/** `switchboard doctor`: prints one line for each check, and returns 1 if one fails. It changes nothing. */
export async function doctor(): Promise<number> {
  const report = new Report();
  const { say } = report;
  let config: Config;
  try {
    config = readSettingsQuietly();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const line of error.message.split('\n')) say('FAIL', 'settings', line);
    return 1;
  }
  checkSettings(config, say);
  checkConfirmations(config, say);
  checkData(config, say);
  checkProxies(config, say);
  await checkPlatform(config, say);
  await checkSlack(config, say);
  await checkAssistant(config, say);
  await checkOAuth(config, say);
  await checkServer(config, say);
  await checkStorage(config, say);
  return report.failed ? 1 : 0;
}
