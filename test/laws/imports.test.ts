import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/build.ts';
import { cycles, folderOf, forbidden, forbiddenIn, type Import, importsOf, SLACK, sources } from './import-rules.ts';

const imports = importsOf(sources);
const shown = ({ file, target }: Import) => `${file} -> ${target}`;

describe('imports', () => {
  it('are found, type-only and dynamic ones included', () => {
    const seen = imports.map(shown);
    expect(seen).toContain('src/surfaces/mcp/http.ts -> src/surfaces/mcp/server.ts');
    expect(seen).toContain('src/surfaces/mcp/server.ts -> src/surfaces/mcp/modern.ts');
    expect(seen).toContain('src/catalogue/operation.ts -> zod');
    expect(imports.length).toBeGreaterThan(500);
    const text = "import type { A } from '../a.ts';\nconst b = await import('./b.ts');\nexport { c } from './c.ts';";
    const targets = importsOf([{ file: 'src/x/y.ts', text }]).map(({ target }) => target);
    expect(targets).toEqual(['src/a.ts', 'src/x/b.ts', 'src/x/c.ts']);
  });

  it('run from higher folders to lower ones', () => {
    expect(forbidden(imports)).toEqual([]);
  });

  it.each([['src/surfaces/slack', SLACK]])('run one way between the folders of %s', (room, order) => {
    expect(forbiddenIn(room, order, imports)).toEqual([]);
    const folders = readdirSync(join(ROOT, room), { withFileTypes: true });
    expect(folders.flatMap((one) => (one.isDirectory() ? [one.name] : [])).sort()).toEqual([...order].sort());
    const upwards = { file: `${room}/${order[0]}/a.ts`, target: `${room}/${order.at(-1)}/b.ts` };
    expect(forbiddenIn(room, order, [upwards])).toHaveLength(1);
  });

  it('form no cycle', () => {
    expect(cycles(imports)).toEqual([]);
  });

  it('leave no file loose in src but the entry points and what explains them', () => {
    expect(sources.filter(({ file }) => folderOf(file) === undefined).map(({ file }) => file)).toEqual([]);
    const loose = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isFile());
    expect(loose.map(({ name }) => name).sort()).toEqual(['README.md', 'build.mjs', 'cli.ts']);
  });
});

describe('the rule', () => {
  const isRefused = (from: string, to: string) =>
    forbidden([{ file: `${from}/a.ts`, target: `${to}/b.ts` }]).length === 1;

  it('refuses an import of a higher folder, of one beside it, and of one that is not on its list', () => {
    expect(isRefused('src/lib', 'src/gate')).toBe(true);
    expect(isRefused('src/ledger', 'src/platform')).toBe(true);
    expect(isRefused('src/store', 'src/platform/dialect')).toBe(true);
    expect(isRefused('src/gate', 'src/ledger')).toBe(false);
  });

  it('finds a cycle over three files', () => {
    const files = ['src/lib/a.ts', 'src/lib/b.ts', 'src/lib/c.ts'];
    const round = files.map((file, at) => ({ file, target: files[(at + 1) % files.length] ?? '' }));
    expect(cycles(round)).toEqual([files]);
  });
});

describe('src/lib', () => {
  /** Settings have the names of environment variables, which say what they are for. `platform` alone is Node's word. */
  const isSettings = (file: string) => /^src\/lib\/(?:config|settings?)\b/.test(file);
  const FIELD_WORD = /slack|platform\B|\Bplatform|esim|iccid|carrier|subscriber|phone/i;
  /** The identifiers of a file: its code without comments, texts and patterns. */
  const identifiers = (text: string) => {
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$|'(?:[^'\\\n]|\\.)*'/gm, ' ');
    return [...new Set(code.match(/[A-Za-z_$][\w$]*/g))];
  };
  const fieldWords = (text: string) => identifiers(text).filter((name) => FIELD_WORD.test(name));

  it('knows neither the platform nor Slack', () => {
    const found = sources
      .filter(({ file }) => file.startsWith('src/lib/') && !isSettings(file))
      .flatMap(({ file, text }) => fieldWords(text).map((name) => `${file}: ${name}`));
    expect(found).toEqual([]);
  });

  it('is checked by the names in its code, not by comments and texts', () => {
    const code = "// Slack\nconst slackTeam = 'esim'; /* a phone */ readPhone(platformUrl)";
    expect(fieldWords(code)).toEqual(['slackTeam', 'readPhone', 'platformUrl']);
    expect(fieldWords('process.platform; NodeJS.Platform; simple')).toEqual([]);
  });
});

describe('single files', () => {
  it.each([
    [/^@modelcontextprotocol\/sdk/, 'src/surfaces/mcp/legacy.ts'],
    [/^@modelcontextprotocol\/(server|node)/, 'src/surfaces/mcp/modern.ts'],
  ])('each line of the MCP SDK (%s) is used by one adapter', (sdk, adapter) => {
    const users = imports.filter(({ target }) => sdk.test(target));
    expect(new Set(users.map(({ file }) => file))).toEqual(new Set([adapter]));
  });

  it('the MCP adapters are loaded by name only when a client needs one', () => {
    const adapters = /import\s(?!type)[^;]*?from '\.\/(legacy|modern)\.ts'/;
    expect(sources.filter(({ text }) => adapters.test(text)).map(({ file }) => file)).toEqual([]);
  });

  it('the library of the conversation is loaded only at the first turn', () => {
    const imported = /^import (?!type)[^;]*?from '(?:ai|@ai-sdk\/[^']+)'/m;
    expect(sources.filter(({ text }) => imported.test(text)).map(({ file }) => file)).toEqual([]);
    const users = imports.filter(({ target }) => /^(?:ai$|@ai-sdk\/)/.test(target)).map(({ file }) => file);
    expect(users.filter((file) => !file.startsWith('src/assistant/'))).toEqual([]);
    expect(users).toContain('src/assistant/model.ts');
  });

  it('only src/lib/config.ts reads the environment, and the launcher, which imports nothing of the program', () => {
    const readers = sources.filter(({ text }) => /process\s*\.\s*env\b|process\[/.test(text)).map(({ file }) => file);
    expect(readers.sort()).toEqual(['src/lib/config.ts', 'src/start/launch.ts']);
  });
});
