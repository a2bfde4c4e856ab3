import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tools } from '../../../tools/index.ts';
import { type Config, ConfigError, packageFolder } from '../../lib/config.ts';
import { settings } from '../../lib/settings.ts';
import { defined, hasCredentials, NO_CREDENTIALS, parseUrl } from '../../lib/values.ts';
import { readArguments } from '../../surfaces/cli/flags.ts';
import { buildManifest } from '../../surfaces/slack/manifest.ts';
import { readSettings } from '../settings.ts';

/**
 * `switchboard manifest`: prints the manifest, writes it to manifest.json at the package's root, or compares that file.
 */
export function runManifest(args: string[]): number {
  const { values } = readArguments(args, 'switchboard manifest [--prefix P] [--url URL] [--write] [--check]', {
    check: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    prefix: { type: 'string' },
    url: { type: 'string' },
  });
  if (values.check && values.write) throw new ConfigError('Give either --check or --write, not both.');
  if (values.prefix !== undefined) {
    const prefix = settings.shape.SLACK_COMMAND_PREFIX.safeParse(values.prefix);
    if (!prefix.success)
      throw new ConfigError(`--prefix ${prefix.error.issues[0]?.message ?? 'is not valid'}, for example sb`);
  }
  if (values.url !== undefined && parseUrl(values.url)?.protocol !== 'https:') {
    throw new ConfigError(
      `--url must be an https:// URL, for example https://switchboard.example.com, not ${values.url}`,
    );
  }
  if (values.url !== undefined && hasCredentials(values.url)) throw new ConfigError(`--url ${NO_CREDENTIALS}`);
  // The settings the app will run with, unless a flag says otherwise.
  const config = ownSettings();
  const own = config?.slack === 'http' ? config.PUBLIC_URL : undefined;
  const path = join(packageFolder(), 'manifest.json');
  const prefix = values.prefix ?? config?.SLACK_COMMAND_PREFIX;
  const url = values.url ?? (own?.startsWith('https:') ? own : undefined);
  const text = `${JSON.stringify(buildManifest({ tools, ...defined({ prefix, url }) }), null, 2)}\n`;
  if (values.write) {
    writeFileSync(path, text);
    process.stdout.write(`${path} written\n`);
    return 0;
  }
  if (!values.check) {
    process.stdout.write(text);
    return 0;
  }
  const same = readFileSync(path, 'utf8') === text;
  const differs = 'differs from the catalogue; run: switchboard manifest --write';
  process.stdout.write(`manifest.json ${same ? 'is as derived' : differs}\n`);
  return same ? 0 : 1;
}

/** The manifest is needed before there are tokens, so settings that are not complete yet are ignored with a note. */
function ownSettings(): Config | undefined {
  try {
    return readSettings();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`The settings are ignored because they are not valid yet: ${error.message}\n`);
    return undefined;
  }
}
