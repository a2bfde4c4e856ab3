import { groups } from '../../tools/groups.ts';
import { operations, tools, workflows } from '../../tools/index.ts';
import type { MemberRules } from '../catalogue/operation.ts';
import { type ListedTool, listTool } from '../language/assistants/listed.ts';
import { settings } from '../lib/config.ts';
import { buildManifest } from '../surfaces/slack/manifest.ts';
import { mcpbManifest, type Published, serverJson } from './packages.ts';

/** The MCP tools as clients see them, derived at build time. */
export function listed(): ListedTool[] {
  // Workflows come first: an assistant should prefer them.
  return [...workflows, ...operations].map(listTool);
}

/**
 * Returns the committed files that are derived, with the text they should have. `read` returns the present text of a
 * file.
 */
export function files(read: (path: string) => string): { path: string; text: string }[] {
  return [
    { path: 'manifest.json', text: `${JSON.stringify(buildManifest({ tools, groups }), null, 2)}\n` },
    { path: '.env.example', text: envExample() },
    {
      path: 'tools/server.json',
      text: `${JSON.stringify(serverJson(JSON.parse(read('package.json')) as Published), null, 2)}\n`,
    },
    {
      path: 'tools/README.md',
      text: fill(fill(read('tools/README.md'), 'operations', operationsTable()), 'members', membersTable()),
    },
    { path: 'src/start/README.md', text: fill(read('src/start/README.md'), 'settings', settingsTable()) },
  ];
}

export { mcpbManifest };

const HEADINGS: Record<string, string> = {
  PLATFORM: 'The platform. Leave all three out for demo mode on the embedded sandbox.',
  HOST: 'This server',
  SLACK: 'Slack. Values from https://api.slack.com/apps after creating the app from manifest.json.',
  MCP: 'MCP',
  CONFIRM: 'Confirmations',
  EVENTS: 'Credentials that the platform must present to /events/...',
};

function envExample(): string {
  const lines: string[] = ['# Copy to .env and fill in what you need. Derived from src/lib/config.ts.'];
  let last = '';
  for (const [name, setting] of Object.entries(settings)) {
    const section = name.split('_')[0] ?? '';
    if (section !== last && HEADINGS[section] !== undefined) lines.push('', `# ${HEADINGS[section]}`);
    if (section in HEADINGS) last = section;
    lines.push(`# ${setting.about}`, `#${name}=${defaultOf(setting.type)}`);
  }
  return `${lines.join('\n')}\n`;
}

function settingsTable(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const value = defaultOf(setting.type);
    return `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${setting.about.replaceAll('|', '\\|')} |`;
  });
  return ['| setting | default | what it is |', '|---|---|---|', ...rows].join('\n');
}

function defaultOf(type: { safeParse: (value: undefined) => { success: boolean; data?: unknown } }): string {
  const parsed = type.safeParse(undefined);
  if (!parsed.success || parsed.data === undefined) return '';
  return Array.isArray(parsed.data) ? parsed.data.join(',') : String(parsed.data);
}

function operationsTable(): string {
  const rows = operations.map(
    (operation) =>
      `| \`${operation.id}\` | ${operation.title} | \`${operation.endpoint}\` | ${operation.risk}${operation.raisedBy ? ', raised' : ''} | ${operation.source} | ${operation.notes.replaceAll('|', '\\|')} |`,
  );
  const flows = workflows.map(
    (flow) => `| \`${flow.id}\` | ${flow.title} | workflow | ${flow.risk} | | several operations as one |`,
  );
  return [
    '| tool | what it does | endpoint | risk | source | based on |',
    '|---|---|---|---|---|---|',
    ...flows,
    ...rows,
  ].join('\n');
}

/**
 * Builds the table of the members of each operation that changes records: harmless, or the reason why a person is
 * asked.
 */
function membersTable(): string {
  const rows = tools.flatMap(({ id, input, members }) =>
    members === undefined
      ? []
      : Object.keys(input.shape).map((member) => {
          const { isHarmless, why } = memberWords(members, member);
          return `| \`${id}\` | \`${member}\` | ${isHarmless} | ${why.replaceAll('|', '\\|')} |`;
        }),
  );
  return ['| operation | member | harmless | why, or what a person must confirm |', '|---|---|---|---|', ...rows].join(
    '\n',
  );
}

function memberWords({ harmless, raised }: MemberRules, member: string): { isHarmless: string; why: string } {
  const what = raised[member]?.what ?? 'any value';
  const rule = harmless[member];
  if (rule === undefined) return { isHarmless: 'no', why: what };
  return rule.holds === undefined ? { isHarmless: 'yes', why: rule.words } : { isHarmless: rule.words, why: what };
}

function fill(text: string, name: string, content: string): string {
  const open = `<!-- derived: ${name} -->`;
  const close = `<!-- /derived: ${name} -->`;
  const start = text.indexOf(open);
  const end = text.indexOf(close);
  if (start < 0 || end < start) throw new Error(`There is no place for the derived table of ${name}`);
  return `${text.slice(0, start)}${open}\n${content}\n${text.slice(end)}`;
}
