import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/build.ts';

interface Import {
  /** "mcp/http.ts"-like path of the importing file, from the root. */
  file: string;
  /** Path from the root, or a package name. */
  target: string;
}

const files = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? files(`${folder}/${entry.name}`)
      : entry.name.endsWith('.ts')
        ? [`${folder}/${entry.name}`]
        : [],
  );

const sources = [...files('src'), ...files('tools')].map((file) => ({
  file,
  text: readFileSync(join(ROOT, file), 'utf8'),
}));

const imports: Import[] = sources.flatMap(({ file, text }) =>
  [
    ...text.matchAll(
      /(?:^|\s)(?:import|export)\s[^;'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|^import\s+['"]([^'"]+)['"]/gm,
    ),
  ].map((match) => {
    const target = match[1] ?? match[2] ?? match[3] ?? '';
    return {
      file,
      target: target.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(file), target)) : target,
    };
  }),
);

const from = (...folders: string[]) =>
  imports.filter(({ file }) => folders.some((folder) => file === folder || file.startsWith(`${folder}/`)));
const isLocal = (target: string) => target.startsWith('src/') || target.startsWith('tools/');
const say = ({ file, target }: Import) => `${file} -> ${target}`;
const surfaces = ['mcp', 'slack', 'events', 'cli', 'web'];
const surfaceOf = (path: string) => surfaces.find((name) => path.startsWith(`src/${name}/`));

describe('who may import whom', () => {
  it('sees imports at all', () => {
    expect(imports.map(say)).toContain('src/mcp/http.ts -> src/mcp/server.ts');
    expect(imports.map(say)).toContain('src/mcp/stdio.ts -> src/start/page-server.ts');
    expect(imports.length).toBeGreaterThan(150);
  });

  it('the sandbox shares no code with the client: only itself and packages', () => {
    const wrong = from('src/sandbox').filter(({ target }) => isLocal(target) && !target.startsWith('src/sandbox/'));
    expect(wrong.map(say)).toEqual([]);
  });

  it('nobody but the demo and the sandbox command knows the sandbox', () => {
    const allowed = ['src/runtime.ts', 'src/cli/sandbox.ts'];
    const wrong = imports.filter(
      ({ file, target }) =>
        target.startsWith('src/sandbox/') && !file.startsWith('src/sandbox/') && !allowed.includes(file),
    );
    expect(wrong.map(say)).toEqual([]);
  });

  it('definitions are data: tools know each other, the operation contract, zod and phone numbers', () => {
    const allowed = ['src/operation.ts', 'src/lib', 'zod', 'libphonenumber-js'];
    const wrong = from('tools').filter(
      ({ target }) =>
        !target.startsWith('tools/') && !allowed.some((ok) => target === ok || target.startsWith(`${ok}/`)),
    );
    expect(wrong.map(say)).toEqual([]);
  });

  it('the core knows no surface', () => {
    const core = ['platform', 'client', 'ledger', 'store', 'gate', 'lib'].map((folder) => `src/${folder}`);
    const single = [
      'door',
      'confirmation',
      'operation',
      'catalogue',
      'input',
      'redact',
      'errors',
      'actor',
      'known',
      'clock',
      'log',
    ];
    const wrong = from(...core, ...single.map((name) => `src/${name}.ts`)).filter(
      ({ target }) =>
        surfaceOf(target) !== undefined || target.startsWith('src/playground/') || target === 'src/main.ts',
    );
    expect(wrong.map(say)).toEqual([]);
  });

  it('the core knows no operation: the catalogue is handed in', () => {
    const wrong = from('src/platform', 'src/client', 'src/ledger', 'src/store', 'src/door.ts').filter(({ target }) =>
      target.startsWith('tools/'),
    );
    expect(wrong.map(say)).toEqual([]);
  });

  it('surfaces do not know one another', () => {
    const allowed = [
      'src/mcp/http.ts -> src/web/guard.ts',
      // A command of the terminal that makes a key for the page.
      'src/cli/key.ts -> src/web/pairing.ts',
      // A command of the terminal that is the events' own work: registering us with the platform.
      'src/cli/webhooks.ts -> src/events/sync.ts',
      // The doctor looks at every room.
      'src/cli/doctor.ts -> src/events/inbox.ts',
      'src/cli/doctor.ts -> src/events/metrics.ts',
    ];
    const wrong = imports.filter(({ file, target }) => {
      const own = surfaceOf(file);
      const other = surfaceOf(target);
      return own !== undefined && other !== undefined && own !== other;
    });
    expect(
      wrong
        .map(say)
        .filter((line) => !allowed.includes(line) && !/^src\/(slack|events)\/\S+ -> src\/web\/guard\.ts$/.test(line)),
    ).toEqual([]);
  });

  it('one file touches the SDK server, one its HTTP transport, one its stdio transport', () => {
    const users = imports.filter(({ target }) => target.startsWith('@modelcontextprotocol/sdk'));
    expect(new Set(users.map(({ file }) => file))).toEqual(
      new Set(['src/mcp/server.ts', 'src/mcp/http.ts', 'src/mcp/stdio.ts']),
    );
  });

  it('dates of answers are read by src/lib/dates.ts, in the zone of the platform', () => {
    // These read our own dates, dates people typed, or HTTP's, all of which say their zone.
    const allowed = [
      'src/platform/retry.ts',
      'src/slack/blocks/lookup.ts',
      'src/slack/blocks/result.ts',
      'src/slack/blocks/home.ts',
      'src/cli/sandbox.ts',
      'tools/fields.ts',
      'tools/numbers/status.ts',
    ];
    const readers = sources.filter(({ text }) => /\bDate\.parse\(/.test(text)).map(({ file }) => file);
    const own = /^src\/(sandbox|playground)\//;
    expect(readers.filter((file) => !allowed.includes(file) && !own.test(file))).toEqual([]);
  });

  it('only src/config.ts reads the environment', () => {
    const readers = sources.filter(({ text }) => /process\s*\.\s*env\b|process\[/.test(text)).map(({ file }) => file);
    expect(readers).toEqual(['src/config.ts']);
  });
});
