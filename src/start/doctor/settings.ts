import { statSync } from 'node:fs';
import { type Config, excessBudget } from '../../lib/config.ts';
import { isOwn } from '../../lib/data-dir.ts';
import { cutWarning } from '../../lib/setting-names.ts';
import type { Say } from './report.ts';

/** Group members may read a settings file, as a service's group does, but only its owner may change it. */
const TOO_OPEN = 0o026;

/** Names settings that do not exist, values that are cut, and a settings file that other users can read or change. */
export function checkSettings(config: Config, say: Say): void {
  const { settingsFile, unknownSettings, cutSettings } = config;
  const from = settingsFile === undefined ? 'from the environment' : `from ${settingsFile}`;
  if (unknownSettings.length === 0 && cutSettings.length === 0) say('ok', 'settings', `all valid, ${from}`);
  for (const { name, nearest, place } of unknownSettings) {
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    say('warn', 'settings', `${name} is not a setting${hint} (${place})`);
  }
  for (const name of cutSettings) say('FAIL', 'settings', cutWarning(name, settingsFile));
  const excess = excessBudget(config);
  if (excess !== undefined) say('warn', 'settings', excess);
  if (settingsFile !== undefined && process.platform !== 'win32') checkMode(settingsFile, say);
}

function checkMode(path: string, say: Say): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
  const whatFor = (found.mode & 0o022) === 0 ? 'read' : 'changed';
  if ((found.mode & TOO_OPEN) !== 0)
    say('warn', 'settings file', `${path} can be ${whatFor} by other users (mode ${mode}); chmod 600 ${path}`);
  else if (!isOwn(found) && found.uid !== 0)
    say('warn', 'settings file', `${path} belongs to another user (uid ${found.uid}), who can change the settings`);
}
