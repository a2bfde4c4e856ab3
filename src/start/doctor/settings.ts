import { statSync } from 'node:fs';
import { type Config, excessBudget } from '../../lib/config.ts';
import { isOwn } from '../../lib/data-dir.ts';
import { cutWarning } from '../../lib/setting-names.ts';
import type { Finding } from './report.ts';

/** Names settings that do not exist, values that are cut, and a settings file that other users can read or change. */
export function* checkSettings(config: Config): Iterable<Finding> {
  const { settingsFile, unknownSettings, cutSettings } = config;
  if (unknownSettings.length === 0 && cutSettings.length === 0)
    yield ['ok', `all valid, from ${settingsFile ?? 'the environment'}`];
  for (const { name, nearest, place } of unknownSettings)
    yield ['warn', `${name} is not a setting${nearest === undefined ? '' : `; did you mean ${nearest}?`} (${place})`];
  for (const name of cutSettings) yield ['FAIL', cutWarning(name, settingsFile)];
  const excess = excessBudget(config);
  if (excess !== undefined) yield ['warn', excess];
  const found = statSync(settingsFile ?? '', { throwIfNoEntry: false });
  if (found === undefined || process.platform === 'win32') return undefined;
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
  const whatFor = (found.mode & 0o022) === 0 ? 'read' : 'changed';
  // Group members may read it, as a service's group does, but only its owner may change it.
  if ((found.mode & 0o026) !== 0)
    yield [
      'warn',
      `${settingsFile} can be ${whatFor} by other users (mode ${mode}); chmod 600 ${settingsFile}`,
      'settings file',
    ];
  else if (!isOwn(found) && found.uid !== 0)
    yield [
      'warn',
      `${settingsFile} belongs to another user (uid ${found.uid}), who can change the settings`,
      'settings file',
    ];
  return undefined;
}
