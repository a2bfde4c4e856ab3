import { operations, tools, workflows } from '../../tools/index.ts';
import { secretNames, writableNames } from '../catalogue/input.ts';
import type { MemberRules } from '../catalogue/operation.ts';
import { type ListedTool, listTool } from '../language/assistants/own-tools.ts';
import { listSettings } from '../lib/settings.ts';
import { VERSION } from '../lib/version.ts';
import { buildManifest } from '../surfaces/slack/manifest.ts';

/** The MCP tools as clients see them, derived at build time. */
export function listed(): ListedTool[] {
  // Workflows come first: an assistant should prefer them.
  return [...workflows, ...operations].map(listTool);
}

/**
 * The names of members that the redactor needs: those that the catalogue marks secret, and those with texts and numbers that
 * a caller may have written.
 */
export function memberNames() {
  return { secret: [...secretNames(tools)], writable: [...writableNames(tools)] };
}

/**
 * Returns the committed files that are derived, with the text they should have. `read` returns the present text of a
 * file.
 */
export function files(read: (path: string) => string): { path: string; text: string }[] {
  const settings = listSettings();
  const examples = settings.flatMap(({ name, section, help, default: value = '' }) => [
    ...(section === undefined ? [] : ['', `# ${section}`]),
    `# ${help}`,
    `#${name}=${value}`,
  ]);
  const example = ['# Copy to .env and fill in what you need. Derived from src/lib/settings.ts.', ...examples];
  const rows = settings.map(({ name, help, default: value }) => {
    const shown = value ? `\`${value}\`` : '';
    return `| \`${name}\` | ${shown} | ${help.replaceAll('|', '\\|')} |`;
  });
  const settingsTable = ['| setting | default | what it is |', '|---|---|---|', ...rows].join('\n');
  return [
    { path: 'manifest.json', text: `${JSON.stringify(buildManifest({ tools }), null, 2)}\n` },
    { path: '.env.example', text: `${example.join('\n')}\n` },
    {
      path: 'tools/README.md',
      text: fill(fill(read('tools/README.md'), 'operations', operationsTable()), 'members', membersTable()),
    },
    { path: 'src/start/README.md', text: fill(read('src/start/README.md'), 'settings', settingsTable) },
  ];
}

function operationsTable(): string {
  const rows = operations.map(
    (operation) =>
      `| \`${operation.id}\` | ${operation.title} | \`${operation.endpoint}\` | ${operation.risk}${operation.raisedBy ? ', raised' : ''} | ${operation.source} | ${operation.notes.replaceAll('|', '\\|')} |`,
  );
  return [
    '| tool | what it does | endpoint | risk | source | based on |',
    '|---|---|---|---|---|---|',
    ...workflows.map(
      (flow) => `| \`${flow.id}\` | ${flow.title} | workflow | ${flow.risk} | | several operations as one |`,
    ),
    ...rows,
  ].join('\n');
}

/**
 * Builds the table of the members of each operation that changes records: its level, and the reason why an approver is
 * asked.
 */
function membersTable(): string {
  const rows = tools.flatMap(({ id, input, members }) =>
    members === undefined
      ? []
      : Object.keys(input.shape).map((member) => {
          const { level, why } = memberWords(members, member);
          return `| \`${id}\` | \`${member}\` | ${level} | ${why.replaceAll('|', '\\|')} |`;
        }),
  );
  return ['| operation | member | level | why |', '|---|---|---|---|', ...rows].join('\n');
}

function memberWords({ keys, ordinary, raised }: MemberRules, member: string): { level: string; why: string } {
  const what = raised[member] ?? 'any value';
  const rule = ordinary[member];
  if (keys.includes(member)) return { level: '', why: 'names the record' };
  if (rule === undefined) return { level: 'approver', why: what };
  return rule.holds === undefined
    ? { level: 'own', why: rule.words }
    : { level: `own ${rule.words}, otherwise approver`, why: what };
}

function fill(text: string, name: string, content: string): string {
  const open = `<!-- derived: ${name} -->`;
  const close = `<!-- /derived: ${name} -->`;
  const start = text.indexOf(open);
  const end = text.indexOf(close);
  if (start < 0 || end < start) throw new Error(`There is no place for the derived table of ${name}`);
  return `${text.slice(0, start)}${open}\n${content}\n${text.slice(end)}`;
}

/**
 * Returns manifest.json of an MCPB bundle, version 0.3. The bundle has the database driver of one system, so the
 * manifest names that system.
 *
 * @param platform the system that the bundle is made on, as `process.platform`
 */
export function mcpbManifest(platform: string): object {
  const variable = (name: string) => name.toLowerCase();
  // The settings of `switchboard mcp` that a person may want to fill in at installation.
  const offered = listSettings().flatMap(({ name, help, secret, offered }) =>
    offered === undefined ? [] : [{ name, help, isSecret: secret !== undefined, ...offered }],
  );
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
        env: Object.fromEntries(offered.map(({ name }) => [name, `\${user_config.${variable(name)}}`])),
      },
    },
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms: [platform], runtimes: { node: '>=20.20' } },
    user_config: Object.fromEntries(
      offered.map(({ name, title, help, isSecret, format }) => [
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
