// Builds dist/ (rolldown: one entry, split where code is loaded later) and derives files from the catalogue.
//   node src/build.mjs                      build dist/, with the script and the stylesheet of the playground's page, and
//                                           the licences of the packages that it holds
//   node src/build.mjs --generate           write tools/all.ts, manifest.json, .env.example, the tables of
//                                           src/start/README.md and tools/README.md, and tools/words.model
//   node src/build.mjs --generate --check   compare them, exit 1 if they differ
//   node src/build.mjs --learn FILE         learn the model of plain words again, into FILE
//   node src/build.mjs --mcpb [FILE]        pack dist/ and its packages into FILE
//                                           (dist/switchboard-VERSION-SYSTEM.mcpb)
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { zipSync } from 'fflate';
import { build } from 'rolldown';
import { EXTERNAL, runtimePackages } from './start/runtime-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {readonly string[]} names packages that are loaded from node_modules, with the files below them */
const loaded = (names) => new RegExp(`^(${names.join('|')})(/|$)`);

/**
 * Modules that the bundle replaces with smaller ones.
 * @type {{ name: string; filter: RegExp; contents: string | ((path: string) => string) }[]}
 */
const replaced = [
  {
    name: "zod's error texts",
    filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/,
    contents: "export { default as en } from './en.js';",
  },
  {
    name: "the MCP SDK's use of zod 3",
    filter: /sdk[\\/]dist[\\/]esm[\\/]server[\\/]zod-compat\.js$/,
    contents: (path) =>
      readFileSync(path, 'utf8').replace("import * as z3rt from 'zod/v3';", 'const z3rt = { object: undefined };'),
  },
  {
    // The index also loads fetch, web sockets, caches and mocks, in every process that calls the platform.
    name: "undici's index",
    filter: /node_modules[\\/]undici[\\/]index\.js$/,
    contents: `
      const Dispatcher = require('./lib/dispatcher/dispatcher.js');
      // ProxyAgent asks for its tunnels with it.
      Dispatcher.prototype.connect = require('./lib/api/api-connect.js');
      exports.Agent = require('./lib/dispatcher/agent.js');
      exports.Pool = require('./lib/dispatcher/pool.js');
      exports.ProxyAgent = require('./lib/dispatcher/proxy-agent.js');
      exports.util = require('./lib/core/util.js');`,
  },
  {
    // The models of its vendor, with another package for them. A model is always given, so none of it is called.
    name: "ai's own provider",
    filter: /@ai-sdk[\\/]gateway[\\/]dist[\\/]index\.mjs$/,
    contents: `
      export const gateway = undefined, createGateway = undefined;
      class None { static isInstance() { return false; } }
      export { None as GatewayError, None as GatewayAuthenticationError };`,
  },
  {
    // It loads node:http2, which takes 20 ms, and no client asks for HTTP/2.
    name: "undici's HTTP/2",
    filter: /undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/,
    contents: "module.exports = () => { throw new Error('HTTP/2 is not bundled'); };",
  },
  {
    // The package detects the C library first, which takes 10 ms. Where that is not GNU's, GNU's part does not load.
    name: "libsql's choice of its native part",
    filter: /node_modules[\\/]libsql[\\/]index\.js$/,
    contents: (path) =>
      readFileSync(path, 'utf8')
        // The module that detects it loads node:child_process.
        .replace(/const \{ familySync.*/, '')
        .replace(
          'let target =',
          `const load = require('node:module').createRequire(__filename);
           try {
             if (process.platform === 'linux' && process.arch !== 'arm') return load('@libsql/linux-' + process.arch + '-gnu');
           } catch {
             // The package finds its part itself.
           }
           const { familySync, GLIBC, MUSL } = require('detect-libc');
           let target =`,
        )
        .replace('return require(', 'return load('),
  },
  {
    // Making a segmenter takes 30 ms, and few texts need it.
    name: "string-width's segmenter",
    filter: /node_modules[\\/]string-width[\\/]index\.js$/,
    contents: (path) =>
      readFileSync(path, 'utf8')
        .replace('const segmenter = new Intl.Segmenter();', 'let segmenter;')
        .replace('of segmenter.segment(', 'of (segmenter ??= new Intl.Segmenter()).segment('),
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
 * Replaces zod's error texts in forty languages by the English ones, and the MCP SDKs' JSON Schema validators by stubs.
 * The validators belong to server features that are not called, because the gate validates. Together they are half of
 * the code that startup would load.
 * @returns {import('rolldown').Plugin}
 */
function lean() {
  const unused = new Set(replaced.map(({ name }) => name));
  return {
    name: 'lean',
    load(id) {
      const found = replaced.find(({ filter }) => filter.test(id));
      if (!found) return null;
      unused.delete(found.name);
      const { contents } = found;
      return { code: typeof contents === 'string' ? contents : contents(id), moduleType: 'js' };
    },
    // A package that moved its files would make the replacement a no-op and the start slower.
    buildEnd() {
      for (const name of unused) this.warn(`${name} was not replaced; the package has moved that file.`);
    },
  };
}

/**
 * @param {Record<string, string>} input
 * @param {readonly string[]} external packages that are not bundled
 * @param {import('rolldown').OutputOptions} output
 * @param {import('rolldown').Plugin[]} [plugins]
 */
function bundle(input, external, output, plugins = []) {
  // bottleneck hides its optional imports of Redis clients from bundlers.
  const checks = { eval: false, ineffectiveDynamicImport: false };
  return build({ input, cwd: root, platform: 'node', external: loaded(external), plugins, checks, output });
}

/**
 * Bundles the program's first code into dist/cli.js. The build's files are CommonJS, which Node starts faster than
 * modules, so the folder says so.
 * @param {string} main the name of the chunk to start with
 */
async function buildLauncher(main) {
  await build({
    input: { cli: 'src/start/launch.ts' },
    cwd: root,
    platform: 'node',
    transform: { define: { MAIN: JSON.stringify(main) } },
    output: { dir: join(root, 'dist'), format: 'cjs', minify: true, entryFileNames: '[name].js' },
  });
  writeFileSync(join(root, 'dist', 'package.json'), '{ "type": "commonjs" }\n');
}

/**
 * Writes the licences of the packages whose code is in these chunks, as they ask for in copies.
 * @param {import('rolldown').RolldownOutput['output']} output
 */
function writeLicences(output) {
  /** @type {Set<string>} */
  const folders = new Set();
  for (const chunk of output)
    for (const [id, { renderedLength }] of Object.entries(chunk.type === 'chunk' ? chunk.modules : {})) {
      const isStub = replaced.some(({ filter, contents }) => typeof contents === 'string' && filter.test(id));
      const [folder] = /^.*node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? [];
      if (folder !== undefined && renderedLength > 0 && !isStub) folders.add(folder);
    }
  const parts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    const words = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...words].join('\n\n');
  });
  writeFileSync(join(root, 'dist', 'LICENSES.txt'), `${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
}

/** The folder of the playground's page, and its stylesheets in the order in which they apply. */
const PAGE = 'src/demo/playground/page';
const STYLES = ['base', 'message', 'blocks', 'fields', 'dialog', 'sidebar', 'conversation', 'narrow'];

/** Bundles the script of the playground's page into one file for browsers, and its stylesheets into another. */
async function buildPage() {
  await build({
    input: { playground: `${PAGE}/main.ts` },
    cwd: root,
    platform: 'browser',
    output: { dir: join(root, 'dist'), format: 'iife', minify: true, entryFileNames: '[name].js' },
  });
  writeFileSync(
    join(root, 'dist', 'playground.css'),
    STYLES.map((name) => read(`${PAGE}/styles/${name}.css`)).join(''),
  );
}

/** The model of plain words. It is committed, because learning takes a minute. */
const MODEL = 'tools/words.model';

const args = process.argv.slice(2);

/**
 * Bundles one of the project's modules and imports it.
 * @param {string} entry
 */
async function load(entry) {
  const folder = mkdtempSync(join(root, 'node_modules', '.derive-'));
  try {
    const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' };
    await bundle({ derive: entry }, EXTERNAL, { dir: folder, format: 'esm', ...names });
    return await import(pathToFileURL(join(folder, 'derive.mjs')).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The text of a committed file; '' where it is missing.
 * @param {string} path
 */
function read(path) {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
}

/** The model of plain words as it should be: its digest, and a function that learns it. */
async function words() {
  const { wordsModel } = await load('src/nlu/teach.ts');
  return wordsModel(read, ['tools', 'src/nlu'].flatMap(filesIn));
}

/**
 * The text of tools/all.ts: the tool of each file in a folder of tools, by a name made from its path.
 * @param {string[]} paths from the root
 */
function allTools(paths) {
  const files = paths.flatMap((path) => /^tools\/([^/]+\/[^/]+)\.ts$/.exec(path)?.[1] ?? []).sort();
  const lines = files.flatMap((file) => {
    if (/^(shared|surfaces)\//.test(file)) return [];
    const name = file.replace(/^workflows\//, '').replace(/[/-](\w)/g, (_, letter) => letter.toUpperCase());
    return [`export { default as ${name} } from './${file}.ts';`];
  });
  return ['// Generated from the folders by `npm run generate`.', ...lines, ''].join('\n');
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

  // The list of tools comes first: the other files are derived from the tools it names.
  put({ path: 'tools/all.ts', text: allTools(filesIn('tools')) });
  const { files } = await load('src/start/derive.ts');
  for (const file of files(read)) put(file);

  const { digest, learn } = await words();
  if (!read(MODEL).startsWith(`${digest}\n`)) {
    if (check) stale.push(MODEL);
    else writeFileSync(join(root, MODEL), learn());
  }

  if (stale.length > 0) {
    console.error(`Not as derived: ${stale.join(', ')}. Run: npm run generate`);
    process.exit(1);
  }
}

/**
 * Packs an MCPB bundle with the built program, the packages it loads at run time, and the bundle's manifest. Slack's
 * packages are left out because `switchboard mcp` does not load them.
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
} else if (args.includes('--learn')) {
  const { learn } = await words();
  writeFileSync(args[args.indexOf('--learn') + 1] ?? MODEL, learn());
} else if (args.includes('--mcpb')) {
  await packBundle();
} else {
  const { listed, memberNames } = await load('src/start/derive.ts');
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  // Of libsql, only the native part is not bundled. A module cannot be imported by code that is compiled already, so `open`
  // is bundled too.
  const external = EXTERNAL.filter((name) => name !== 'open' && name !== 'libsql');
  const name = 'chunks/[name]-[hash].js';
  const target = /** @type {const} */ ({ dir: join(root, 'dist'), format: 'cjs', minify: true });
  const names = { entryFileNames: name, chunkFileNames: name };
  const { output } = await bundle({ cli: 'src/cli.ts' }, external, { ...target, ...names }, [lean()]);
  writeLicences(output);
  await buildLauncher(basename(output[0].fileName));
  await buildPage();
  writeFileSync(join(root, 'dist', 'listed.json'), JSON.stringify(listed()));
  writeFileSync(join(root, 'dist', 'member-names.json'), JSON.stringify(memberNames()));
  copyFileSync(join(root, MODEL), join(root, 'dist', 'words.model'));
  chmodSync(join(root, 'dist', 'cli.js'), 0o755);
}
