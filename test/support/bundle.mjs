import { rolldown } from 'rolldown';

/**
 * Bundles TypeScript so that a process can run it: `name` → `dir/name.mjs`. Packages stay outside; `dir` lies in the
 * repository, or has a link to its node_modules.
 *
 * @param {string} dir
 * @param {Record<string, string>} input names and their entry files
 */
export async function bundle(dir, input) {
  const isPackage = (/** @type {string} */ id, /** @type {string | undefined} */ importer) =>
    importer !== undefined && /^[a-z@]/i.test(id);
  const made = await rolldown({ input, platform: 'node', external: isPackage, logLevel: 'silent' });
  await made.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
  await made.close();
}
