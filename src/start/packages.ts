import { listSettings } from '../lib/settings.ts';
import { VERSION } from '../lib/version.ts';

/*
 * Descriptions of the package for those that install it: server.json for the MCP registry, and the manifest of an MCPB
 * bundle for Claude Desktop. Names and words of settings come from lib/settings.ts.
 */

/** The name in the MCP registry. Publishing needs a name in your name space, here and in package.json. */
const REGISTRY_NAME = 'com.example/switchboard';
const TITLE = 'Switchboard';
/** At most 100 characters, as the registry requires. */
const DESCRIPTION = 'A mobile communications platform as tools: numbers, SIMs, port-ins, SMS, with confirmation.';

/** The settings of `switchboard mcp` that a person may want to fill in at installation. */
function offered() {
  return listSettings().flatMap(({ name, help, secret, offered }) =>
    offered === undefined ? [] : [{ name, help, isSecret: secret !== undefined, ...offered }],
  );
}

/** The members of package.json that concern publishing. */
export interface Published {
  name: string;
  private?: boolean;
}

/**
 * Returns server.json of the MCP registry, in the schema of 2025-12-11. `mcp-publisher publish PATH` takes it from any
 * place. While the package is private it names no npm package, because clients would run any package that a stranger
 * publishes under that name.
 */
export function serverJson(published: Published): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: REGISTRY_NAME,
    title: TITLE,
    description: DESCRIPTION,
    version: VERSION,
    ...(published.private !== true && { packages: [npmPackage(published.name)] }),
  };
}

function npmPackage(identifier: string): object {
  return {
    registryType: 'npm',
    identifier,
    version: VERSION,
    runtimeHint: 'npx',
    transport: { type: 'stdio' },
    packageArguments: [{ type: 'positional', value: 'mcp' }],
    environmentVariables: offered().map(({ name, help, isSecret, format }) => ({
      name,
      description: help,
      isRequired: false,
      isSecret,
      format: format ?? 'string',
    })),
  };
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
    display_name: TITLE,
    version: VERSION,
    description: DESCRIPTION,
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
