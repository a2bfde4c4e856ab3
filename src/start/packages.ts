import { listSettings } from '../lib/settings.ts';
import { VERSION } from '../lib/version.ts';

/** The settings of `switchboard mcp` that a person may want to fill in at installation. */
function offered() {
  return listSettings().flatMap(({ name, help, secret, offered }) =>
    offered === undefined ? [] : [{ name, help, isSecret: secret !== undefined, ...offered }],
  );
}

/**
 * Returns manifest.json of an MCPB bundle, version 0.3. The bundle has the database driver of one system, so the
 * manifest names that system.
 *
 * @param platform the system that the bundle is made on, as `process.platform`
 */
export function mcpbManifest(platform: string): object {
  const variable = (name: string) => name.toLowerCase();
  return {
    manifest_version: '0.3',
    name: 'switchboard',
    display_name: 'Switchboard',
    version: VERSION,
    description: 'A mobile communications platform as tools: numbers, SIMs, port-ins, SMS, with confirmation.',
    author: { name: 'Switchboard maintainers' },
    server: {
      type: 'node',
      entry_point: 'dist/cli.js',
      mcp_config: {
        command: 'node',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Desktop fills these in.
        args: ['${__dirname}/dist/cli.js', 'mcp'],
        env: Object.fromEntries(offered().map(({ name }) => [name, `\${user_config.${variable(name)}}`])),
      },
    },
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms: [platform], runtimes: { node: '>=20.20' } },
    user_config: Object.fromEntries(
      offered().map(({ name, title, help, isSecret, format }) => [
        variable(name),
        {
          type: format ?? 'string',
          title,
          description: help,
          required: false,
          ...(isSecret && { sensitive: true }),
          // A blank value counts as not set.
          default: format === 'boolean' ? false : '',
        },
      ]),
    ),
  };
}
