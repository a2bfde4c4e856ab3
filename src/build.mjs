// Builds dist/ (esbuild, one bundle per entry) and derives files from the catalogue.
//   node src/build.mjs                      build
//   node src/build.mjs --generate           write tools/index.ts, manifest.json, .env.example and the README's tables
//   node src/build.mjs --generate --check   compare them, exit 1 where they differ
//   node src/build.mjs --mcpb [FILE]        pack dist/ and what it needs into FILE (dist/switchboard-VERSION-SYSTEM.mcpb)
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { zipSync } from 'fflate';
import { EXTERNAL, runtimePackages } from './start/runtime-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  absWorkingDir: root,
  logLevel: 'warning',
  // Native or reading its own files at run time: loaded from node_modules.
  external: EXTERNAL,
  // Some bundled packages are CommonJS and ask for `require`.
  banner: {
    js: "import { createRequire as __nodeRequire } from 'node:module'; const require = __nodeRequire(import.meta.url);",
  },
};

/** Modules that are replaced in the bundle by what is used of them. */
const replaced = [
  {
    name: "zod's error texts",
    filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/,
    contents: "export { default as en } from './en.js';",
  },
  {
    name: "the MCP SDK's JSON Schema validator",
    filter: /sdk[\\/]dist[\\/]esm[\\/]validation[\\/]ajv-provider\.js$/,
    contents:
      "export class AjvJsonSchemaValidator { getValidator() { throw new Error('no JSON Schema validator is bundled'); } }",
  },
  {
    name: "the second MCP SDK's JSON Schema validator",
    filter: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/,
    contents:
      "export { default as process } from 'node:process'; export class DefaultJsonSchemaValidator { getValidator() { throw new Error('no JSON Schema validator is bundled'); } }",
  },
];

/**
 * Half of what starting would load is never used: zod's error texts in forty languages, and a JSON Schema validator
 * for server features we do not call (the gate validates). Both are replaced by what is used of them.
 * @type {import('esbuild').Plugin}
 */
const lean = {
  name: 'lean',
  setup(bundle) {
    /** @type {Set<string>} */
    const unused = new Set(replaced.map(({ name }) => name));
    for (const { name, filter, contents } of replaced) {
      bundle.onLoad({ filter }, () => {
        unused.delete(name);
        return { contents, loader: 'js' };
      });
    }
    // A package that moved its files would make the replacement a no-op and the start slower.
    bundle.onEnd(() => {
      for (const name of unused) console.warn(`build: ${name} was not replaced; the package has moved that file.`);
    });
  },
};

const args = process.argv.slice(2);

/**
 * Bundles a module of ours and imports it.
 * @param {string} entry
 */
async function load(entry) {
  const folder = mkdtempSync(join(root, 'node_modules', '.derive-'));
  try {
    const outfile = join(folder, 'derive.mjs');
    await build({ ...common, entryPoints: [entry], outfile });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The text of a committed file; '' where it is missing.
 * @param {string} path
 */
function read(path) {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    return '';
  }
}

/** Writes derived files, or with `--check` names those that differ. */
async function generate() {
  const check = args.includes('--check');
  /** @type {string[]} */
  const stale = [];
  const put = (/** @type {{ path: string; text: string }} */ { path, text }) => {
    if (read(path) === text) return;
    if (check) stale.push(path);
    else writeFileSync(join(root, path), text);
  };

  // The index comes first: the other files are derived from the tools it names.
  const { toolsIndex } = await load('src/start/tools-index.ts');
  const paths = readdirSync(join(root, 'tools'), { recursive: true, encoding: 'utf8' });
  put({ path: 'tools/index.ts', text: toolsIndex(paths.map((path) => path.replaceAll('\\', '/'))) });
  const { files } = await load('src/start/derive.ts');
  for (const file of files(read)) put(file);

  if (stale.length > 0) {
    console.error(`Not as derived: ${stale.join(', ')}. Run: npm run generate`);
    process.exit(1);
  }
}

/**
 * Packs an MCPB bundle: the built program, the packages it loads at run time, and the bundle's manifest. `switchboard mcp` loads
 * nothing of Slack, so that is left out.
 */
async function packBundle() {
  const { mcpbManifest } = await load('src/start/derive.ts');
  const text = (/** @type {string} */ content) => new TextEncoder().encode(content);
  /** @type {Record<string, Uint8Array>} */
  const files = { 'manifest.json': text(`${JSON.stringify(mcpbManifest(process.platform), null, 2)}\n`) };
  const packages = runtimePackages(
    root,
    EXTERNAL.filter((name) => name !== '@slack/bolt'),
  );
  for (const place of ['package.json', 'dist', ...packages]) {
    for (const path of filesIn(place)) if (!path.endsWith('.mcpb')) files[path] = readFileSync(join(root, path));
  }
  const { version } = JSON.parse(read('package.json'));
  const named = args[args.indexOf('--mcpb') + 1];
  const path = named ?? join(root, 'dist', `switchboard-${version}-${process.platform}-${process.arch}.mcpb`);
  writeFileSync(path, zipSync(files, { level: 6 }));
  console.log(path);
}

/**
 * The files of a folder, at any depth, or the file itself. Paths are from the root, with forward slashes.
 * @param {string} place
 */
function filesIn(place) {
  if (statSync(join(root, place)).isFile()) return [place];
  return readdirSync(join(root, place), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

if (args.includes('--generate')) {
  await generate();
} else if (args.includes('--mcpb')) {
  await packBundle();
} else {
  const { listed } = await load('src/start/derive.ts');
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  await build({
    ...common,
    entryPoints: { cli: 'src/cli.ts' },
    outdir: 'dist',
    splitting: true,
    plugins: [lean],
    chunkNames: 'chunks/[name]-[hash]',
    minify: true,
  });
  writeFileSync(join(root, 'dist', 'listed.json'), JSON.stringify(listed()));
  chmodSync(join(root, 'dist', 'cli.js'), 0o755);
}
